#include "ntune/agents/turn_game/turn_agent.h"

#include "ntune/core/options.h"

namespace ntune {

void SearchAgentOptions::visit(Options& options) {
  options.integer("depth", depth, between(1, 100), "plies of the search");
  options.choice(
      "own_ties", own_ties,
      {{"random", OwnTies::kRandom}, {"first", OwnTies::kFirst}, {"compared", OwnTies::kCompared}},
      "which of its equally good moves it makes: a random one, the first generated, or "
      "the one that the search for comparison picks");
  options.choice("risk_avoidance", risk_avoidance,
                 {{"none", RiskAvoidance::kNone},
                  {"advice", RiskAvoidance::kAdvice},
                  {"best_tie", RiskAvoidance::kBestTie}},
                 "opponent-model search decides alone, only where its move is among alpha-beta's "
                 "best, or among alpha-beta's best moves");
  options.integer("compared_depth", compared_depth, between(0, 100),
                  "plies of the alpha-beta search that deviations are counted from; 0: none");
  options.choice(
      "deviation", deviation,
      {{"not_best", DeviationRule::kNotBest}, {"not_chosen", DeviationRule::kNotChosen}},
      "a deviation is a move that is none of alpha-beta's best, or not the very one that "
      "it would have made");
}

}  // namespace ntune
