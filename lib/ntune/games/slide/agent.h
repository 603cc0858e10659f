#pragma once

#include <cstdint>
#include <memory>

#include "ntune/core/rng.h"
#include "ntune/games/slide/position.h"

namespace ntune {

/// A move, and what the agent knows of it.
struct SlideDecision {
  int line = 0;
  bool tie = false;  ///< several successors share the least value without chance; where counted
  bool fat = false;  ///< … and the move leads to one of those with the most minimal leaves
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

/// How a game went.
struct SlideGame {
  bool won = false;
  int moves = 0;
  std::int64_t ties = 0;
  std::int64_t fat_moves = 0;
};

/// Plays from `start` until Win or until `most_moves` moves are made (Heuser 2003, Section 5.2.3).
SlideGame play_slide_game(SlideAgent& agent, SlidePosition<3> start, int most_moves, Rng& rng);

}  // namespace ntune
