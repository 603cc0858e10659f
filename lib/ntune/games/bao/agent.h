#pragma once

#include <memory>
#include <vector>

#include "ntune/agents/turn_game/alpha_beta.h"
#include "ntune/agents/turn_game/opponent_model.h"
#include "ntune/agents/turn_game/turn_agent.h"
#include "ntune/games/bao/evaluation.h"
#include "ntune/games/bao/position.h"

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

}  // namespace ntune
