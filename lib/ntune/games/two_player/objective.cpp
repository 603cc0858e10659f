#include "ntune/games/two_player/objective.h"

namespace ntune {

void TwoPlayerSearch::visit(Options& options) {
  agent.visit(options);
  alpha_beta.visit(options);
}

}  // namespace ntune
