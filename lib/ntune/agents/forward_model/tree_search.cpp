#include "ntune/agents/forward_model/tree_search.h"

#include "ntune/agents/forward_model/rolling_horizon_options.h"
#include "ntune/core/options.h"

namespace ntune {

void TreeSearchOptions::visit(Options& options) {
  options.integer("tick_budget", tick_budget, between(1, 10'000'000),
                  "simulated ticks per decision");
  options.integer("horizon", horizon, between(1, 10'000), "ticks per simulation");
  options.number("exploration", exploration, between(0, 1000),
                 "constant of UCB1, for values scaled to the range seen in the decision");
  visit_opponent_model(options, opponent_model);
}

}  // namespace ntune
