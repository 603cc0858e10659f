#pragma once

#include <cstdint>

#include "ntune/core/game_statistics.h"
#include "ntune/objective/objective.h"

namespace ntune {

/// How many evaluations were ended before their end, on purpose, and how many of their games were
/// lost by a fault.
struct EarlyEndings {
  std::int64_t cut_off = 0;  ///< at the cutoff
  std::int64_t capped = 0;   ///< when they could no longer win
  double capped_cost = 0.0;  ///< of searches: what these had cost when they were ended
  double saved = 0.0;      ///< what they would have cost beyond that, as others that lasted longer
  std::int64_t games = 0;  ///< counted ones
  Forfeits forfeits = {};

  void add(Ending ending, const GameCounts& counts) {
    cut_off += ending == Ending::kCutOff ? 1 : 0;
    capped += ending == Ending::kCapped ? 1 : 0;
    games += counts.games.games();
    forfeits.add(counts.forfeits);
  }
  void merge(const EarlyEndings& other) {
    cut_off += other.cut_off;
    capped += other.capped;
    capped_cost += other.capped_cost;
    saved += other.saved;
    games += other.games;
    forfeits.add(other.forfeits);
  }
};

}  // namespace ntune
