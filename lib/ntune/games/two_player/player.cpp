#include "ntune/games/two_player/player.h"

namespace ntune {

void TwoPlayerSearch::visit(Options& options) {
  agent.visit(options);
  alpha_beta.visit(options);
}

}  // namespace ntune
