#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ntune/core/options.h"
#include "ntune/games/bao/player.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/objective_entry.h"
#include "ntune/objective/tuned_options.h"

namespace ntune {

/// The options of `objective: {game: bao, …}`.
struct BaoOptions {
  BaoPlayerOptions player = {};
  std::string opponent = "default";  ///< an evaluation's name or a weights file
  AutoInteger opponent_depth = {};   ///< plies of his alpha-beta; auto: as `depth` of the player
  /// "random": ten random moves of each player from the opening; else a CSV file, of which the
  /// usable positions are drawn.
  std::string starts = "random";

  void visit(Options& options);
};

/// Games of Zanzibar Bao against a fixed opponent, won or lost, from random start positions and
/// either side. A parameter of the space stands in for the player's option of the same name.
class BaoObjective final : public Objective, public Matches {
 public:
  /// On the default space where none is given; from random starts where there are none. Throws
  /// InputError: a parameter or a value that the player cannot take.
  BaoObjective(const BaoOptions& options, const std::optional<SearchSpace>& space,
               const BaoEvaluation& opponent, std::vector<Bao> starts);

  [[nodiscard]] const SearchSpace& space() const override { return player_.space(); }
  [[nodiscard]] BaoPlayer player_at(const Point& point) const;
  [[nodiscard]] double evaluate(const Point& point, Rng& rng) const override;
  [[nodiscard]] Json defaults() const override;
  [[nodiscard]] const Matches* matches() const override { return this; }
  [[nodiscard]] Outcome play(const Point& first, const Point& second, Rng& rng,
                             const EvaluationId& id) const override;
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] Payoffs payoffs() const override {
    return {.low = -1.0, .high = 1.0, .two_valued = true, .games = true};
  }
  [[nodiscard]] Unit unit() const override { return Unit::win_probability(); }

 private:
  [[nodiscard]] Bao draw_start(Rng& rng) const;

  BaoOptions options_;
  TunedOptions<BaoPlayerOptions> player_;
  BaoPlayer opponent_;
  std::vector<Bao> starts_;  ///< empty: random
};

/// The line of the table.
ObjectiveEntry bao_entry();

}  // namespace ntune
