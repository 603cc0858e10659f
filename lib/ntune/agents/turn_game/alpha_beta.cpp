#include "ntune/agents/turn_game/alpha_beta.h"

#include <algorithm>

#include "ntune/core/options.h"

namespace ntune {

void AlphaBetaOptions::visit(Options& options) {
  options.flag("iterative_deepening", iterative_deepening,
               "search 1, 2, … plies first, for the order of the moves");
  options.integer("table_bits", table_bits, between(0, 30),
                  "places of the transposition table, as a power of two");
  options.integer("table_depth", table_depth, between(1, kMostPlies),
                  "least remaining depth that uses the table");
  options.integer("order_depth", order_depth, between(1, kMostPlies),
                  "least remaining depth that orders moves by the evaluation of where they lead");
}

AlphaBetaOptions AlphaBetaOptions::for_depth(int depth) const {
  // The table has four times as many places for each further ply, up to the size given.
  AlphaBetaOptions options = *this;
  options.table_bits = std::min(table_bits, 4 + 2 * depth);
  return options;
}

}  // namespace ntune
