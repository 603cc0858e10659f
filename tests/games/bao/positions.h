#pragma once

#include <vector>

#include "ntune/core/rng.h"
#include "ntune/games/bao/position.h"

namespace ntune::test {

/// Positions of random games from the opening, all that are not over.
inline std::vector<Bao> random_bao_positions(int games, std::uint64_t seed) {
  std::vector<Bao> positions;
  for (int game = 0; game < games; ++game) {
    Rng rng = Rng(seed).stream("game", game);
    Bao at;
    for (int ply = 0; ply < 200 && !at.is_over(); ++ply) {
      BaoSuccessors list;
      at.successors(list);
      if (list.empty()) break;
      positions.push_back(at);
      at = Bao(list[rng.below(static_cast<std::uint32_t>(list.size()))].next);
    }
  }
  return positions;
}

}  // namespace ntune::test
