#include "ntune/agents/turn_game/opponent_model.h"

#include "ntune/core/options.h"

namespace ntune {

void OpponentModelOptions::visit(Options& options) {
  options.integer("probe_depth", probe_depth, between(1, 100), "plies of a probe");
  options.choice("probe_horizon", probe_horizon,
                 {{"root", ProbeHorizon::kRoot}, {"probe", ProbeHorizon::kProbe}},
                 "where probe_depth is counted from: the root of the search or the probe's own");
  options.choice("probe_roles", probe_roles,
                 {{"switched", ProbeRoles::kSwitched},
                  {"kept", ProbeRoles::kKept},
                  {"on_turn", ProbeRoles::kOnTurn}},
                 "whose evaluation judges the leaves of a probe: the opponent's, ours with the "
                 "sign turned, or that of the player on turn there");
  options.choice("opponent_ties", opponent_ties,
                 {{"lowest", OpponentTies::kLowest},
                  {"first", OpponentTies::kFirst},
                  {"random", OpponentTies::kRandom}},
                 "which of the opponent's equally good moves counts: the worst for us, the first "
                 "generated, or one at random");
  options.integer("speculation", speculation, between(0, 50),
                  "plies of the opponent that are predicted; 0: plain alpha-beta");
  options.integer("own_extension", own_extension, between(-50, 50),
                  "plies that our search goes deeper below the first predicted move, or less deep");
  options.flag("window_reduction", window_reduction,
               "probes use the value of the probe two plies above; changes the work alone");
}

}  // namespace ntune
