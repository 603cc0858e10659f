#pragma once

#include <memory>
#include <vector>

#include "ntune/agents/turn_game/alpha_beta.h"
#include "ntune/agents/turn_game/opponent_model.h"
#include "ntune/agents/turn_game/turn_agent.h"
#include "ntune/core/options.h"
#include "ntune/games/bao/evaluation.h"
#include "ntune/games/bao/position.h"
#include "ntune/space/search_space.h"

namespace ntune {

using BaoSearch = TurnSearch<Bao>;
using BaoAgent = TurnAgent<Bao>;

/// An evaluation that the opponent may have, and its weight among all models.
struct BaoModel {
  BaoEvaluation evaluation;
  double weight = 1.0;
};

/// A player of Bao as a value: alpha-beta with `evaluation`, or opponent-model search where there
/// are models of the opponent.
struct BaoPlayer {
  BaoEvaluation evaluation = BaoMaterialEvaluation();
  std::vector<BaoModel> models = {};
  SearchAgentOptions agent = {};
  OpponentModelOptions opponent_model = {};
  AlphaBetaOptions alpha_beta = {};
};

std::unique_ptr<BaoSearch> make_bao_search(const BaoEvaluation& evaluation,
                                           const AlphaBetaOptions& options = {});
std::unique_ptr<BaoAgent> make_bao_agent(const BaoPlayer& player);

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
