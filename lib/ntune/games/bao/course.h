#pragma once

#include <cstdint>
#include <vector>

#include "ntune/games/bao/position.h"

namespace ntune {

/// A hand of stones that a move sows: where they come from and go to, and the board then.
struct BaoStep {
  enum class Source : std::uint8_t {
    kStore,    ///< the stone that enters in the namua stage
    kPit,      ///< a pit of the mover
    kCapture,  ///< a front pit of the opponent
  };

  Source source = Source::kPit;
  int pit = 0;  ///< of the source, as in Bao::pit of its owner; of the store: the pit entered
  int stones = 0;
  int first = 0;  ///< of the mover's pits, the first and last that get a stone
  int last = 0;
  BaoBoard board;  ///< with the mover on turn; the last board is the one that the move leads to
};

/// The steps of a legal move, in their order; at least one.
std::vector<BaoStep> bao_course(const Bao& from, BaoMove move);

}  // namespace ntune
