#pragma once

#include "ntune/agents/forward_model/game_agent.h"

namespace ntune {

class Options;

/// Parameters of Monte Carlo Tree Search.
struct TreeSearchOptions {
  int tick_budget = 2000;    ///< simulated ticks per decision
  int horizon = 20;          ///< ticks per simulation
  double exploration = 1.4;  ///< constant of UCB1, for values scaled to [0, 1]
  OpponentModel opponent_model = OpponentModel::kFirst;

  void visit(Options& options);
};

}  // namespace ntune
