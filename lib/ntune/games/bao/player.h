#pragma once

#include "ntune/core/options.h"
#include "ntune/games/bao/agent.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// How a player of Bao searches, as options: `search`, then those of SearchAgentOptions,
/// OpponentModelOptions and AlphaBetaOptions.
struct BaoSearchOptions {
  enum class Kind { kAlphaBeta, kOpponentModel };

  Kind search = Kind::kAlphaBeta;
  SearchAgentOptions agent = {};
  OpponentModelOptions opponent_model = {};
  AlphaBetaOptions alpha_beta = {};

  void visit(Options& options);
};

/// A player with this evaluation. Opponent-model search takes `opponent` for his opponent's.
/// Searches of a small depth get a smaller table, which is cleared for every game.
BaoPlayer bao_player(const BaoEvaluation& evaluation, const BaoSearchOptions& search,
                     const BaoEvaluation& opponent);

/// A player of Bao as options: the weights of bao_weight_names() and how he searches.
struct BaoPlayerOptions {
  BaoWeights weights = {1.0};  ///< MATERIAL
  BaoSearchOptions search = {};

  void visit(Options& options);
};

/// Eight or nine values of each weight.
SearchSpace default_bao_space();

}  // namespace ntune
