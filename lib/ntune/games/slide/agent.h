#pragma once

#include <cstdint>

#include "ntune/core/rng.h"
#include "ntune/games/slide/position.h"

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

}  // namespace ntune
