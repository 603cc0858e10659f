#pragma once

#include <cstdint>
#include <memory>

#include "ntune/core/rng.h"
#include "ntune/games/slide/position.h"
#include "ntune/games/slide/search.h"

namespace ntune {

/// The agent's move, and what is counted of the decision.
struct SlideDecision {
  int line = 0;
  /// Whether several successors share the least value without chance; set where ties are counted.
  bool tie = false;
  /// Whether, in a tie, the move leads to a successor with the most minimal leaves.
  bool fat = false;
};

/// A player of SlideThree. One per thread; a game is a deterministic function of its start and
/// stream.
class SlideAgent {
 public:
  virtual ~SlideAgent() = default;
  /// Forgets the last game.
  virtual void begin_game() = 0;
  /// The next move from a position other than Win.
  virtual SlideDecision choose(const SlidePosition<3>& position, Rng& rng) = 0;
  /// Leaves (positions) evaluated so far.
  [[nodiscard]] virtual std::int64_t evaluations() const = 0;
};

/// The record of a game.
struct SlideGame {
  bool won = false;
  int moves = 0;
  std::int64_t ties = 0;
  std::int64_t fat_moves = 0;
};

/// Plays from `start` until Win or until `most_moves` moves are made (Heuser 2003, Section 5.2.3).
SlideGame play_slide_game(SlideAgent& agent, SlidePosition<3> start, int most_moves, Rng& rng);

/// Settings of the depth-t player.
struct DepthPlayer {
  SlideEvaluation evaluation = {};
  int depth = 5;  ///< 1 … kDeepestSlideSearch
  DepthSearchOptions search = {};
  /// Ties of a deterministic evaluation go to a successor with the most minimal leaves (Heuser
  /// 2003, Section 2.4), not to any of the least value.
  bool fat = false;
};
inline constexpr int kDeepestSlideSearch = 20;

/// The thesis's autoplay (Heuser 2003, Section 5.2.3). It moves to the successor of least value,
/// ties broken at random. Once Win has been seen, every search is a move shallower than the last
/// (never less than one move deep).
class DepthAgent final : public SlideAgent {
 public:
  /// With `count`, decisions say whether they are ties and fat moves; for that a randomised player
  /// searches again without chance. `search` may have been used by others before.
  explicit DepthAgent(const DepthPlayer& player, bool count = false,
                      std::shared_ptr<SlideSearch> search = std::make_shared<SlideSearch>());

  void begin_game() override { depth_ = player_.depth; }
  SlideDecision choose(const SlidePosition<3>& position, Rng& rng) override;
  [[nodiscard]] std::int64_t evaluations() const override { return search_->leaves(); }

 private:
  static SlideDecision count_minimal(std::span<const SlideSuccessor> plain, int line);

  DepthPlayer player_;
  bool count_;
  SlideEvaluator evaluator_;
  SlideEvaluator deterministic_;
  std::shared_ptr<SlideSearch> search_;
  int depth_;
};

}  // namespace ntune
