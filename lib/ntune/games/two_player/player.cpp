#include "ntune/games/two_player/player.h"

#include <algorithm>

namespace ntune {

void TwoPlayerSearch::visit(Options& options) {
  agent.visit(options);
  alpha_beta.visit(options);
}

AlphaBetaOptions TwoPlayerSearch::sized_alpha_beta() const {
  AlphaBetaOptions sized = alpha_beta;
  sized.table_bits = std::min(sized.table_bits, 4 + 2 * agent.depth);
  return sized;
}

}  // namespace ntune
