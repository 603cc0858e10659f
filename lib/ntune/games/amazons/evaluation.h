#pragma once

#include "ntune/games/amazons/position.h"

namespace ntune {

class Options;

/// Units that a move is worth which only one player can make.
inline constexpr int kAmazonsUnit = 16;

/// Weights of a board's evaluation, in units.
struct AmazonsWeights {
  int queen = 10;    ///< for each square that a player reaches in fewer queen's moves
  int king = 6;      ///< for each square that a player reaches in fewer king's steps
  int mobility = 1;  ///< for each square that a player's queen can move to now

  void visit(Options& options);
};

/// How good a board is for Black, whoever is on turn: territory and mobility. Territory is by the
/// least number of queen's moves (Mueller and Tegos 2002, "Experiments in computer Amazons":
/// Arrow's evaluation) and of king's steps (Lieberum 2005, t1 and t2). Boards of a sum add up.
template <int kSide>
int amazons_evaluation(const AmazonsPosition<kSide>& board, const AmazonsWeights& weights);

}  // namespace ntune
