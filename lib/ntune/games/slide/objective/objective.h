#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ntune/core/object_pool.h"
#include "ntune/core/options.h"
#include "ntune/games/slide/depth_agent.h"
#include "ntune/games/slide/search.h"
#include "ntune/objective/objective_entry.h"
#include "ntune/objective/tuned_options.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// A player of SlideThree as options: the weights `eu`, `man`, `nb`, `perm`, `inv`, `l2`, then
/// `randomisation`, `intensity`, `rounded`, `table` and `depth`.
struct SlidePlayer {
  DepthPlayer depth_player = {.evaluation = SlideEvaluation::of(SlideFeature::kEu)};

  void visit(Options& options);
};

/// The evaluation that the search is given. Without a value to divide (no weights) or chance to add
/// (intensity 0) the norms tell no leaf from another; then it is Random Play.
DepthPlayer effective_player(DepthPlayer player);

/// Six weights of each evaluation, almost in equal ratios, four randomisations and none, ten
/// intensities, and whether the transposition table holds leaves.
SearchSpace default_slide_space();

/// The options of `objective: {game: slide3, …}`.
struct SlideOptions {
  enum class Observation {
    kWin,   ///< +1 for a game won, else -1; values are the probability of a win
    kMoves  ///< minus the moves made, `moves` of them in a lost game; values are the moves
  };

  SlidePlayer player = {};
  int dtw = 14;     ///< moves from the start of a game to Win, 1 … 26
  int moves = 100;  ///< a game is lost after so many
  Observation observation = Observation::kWin;
  std::string database = {};  ///< file; empty: made anew

  void visit(Options& options);
};

/// Games of SlideThree by a depth-t player (Heuser 2003, Section 5.2.3) from starts that are drawn
/// uniformly from the positions at one distance to Win. A parameter of the space stands in for the
/// player's option of the same name.
class SlideObjective final : public Objective {
 public:
  /// On the default space where none is given. Takes the distances from the database file, relative
  /// paths from `folder`, or works them out, which takes about a second. Throws InputError: a
  /// parameter or a value that the player cannot take, a file that is no database.
  SlideObjective(const SlideOptions& options, const std::optional<SearchSpace>& space,
                 const std::filesystem::path& folder = {});

  [[nodiscard]] const SearchSpace& space() const override { return player_.space(); }
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override;
  [[nodiscard]] Json defaults() const override;
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] Payoffs payoffs() const override;
  [[nodiscard]] Unit unit() const override;

 private:
  SlideOptions options_;
  TunedOptions<SlidePlayer> player_;
  std::vector<std::uint32_t> starts_;  ///< indices of positions
  mutable ObjectPool<SlideSearch> searches_;
};

/// The line of the table.
ObjectiveEntry slide_entry();

}  // namespace ntune
