#pragma once

#include <concepts>
#include <memory>

#include "ntune/agents/turn_game/alpha_beta.h"
#include "ntune/agents/turn_game/turn_agent.h"
#include "ntune/core/options.h"

namespace ntune {

/// An evaluation of positions that has options, such as its weights: `visit` declares them.
template <class Evaluation, class Position>
concept TunableEvaluation = PositionEvaluator<Evaluation, Position> &&
    std::default_initializable<Evaluation> && std::copyable<Evaluation> &&
    requires(Evaluation& evaluation, Options& options) {
  evaluation.visit(options);
};

/// How a player searches, as options: those of SearchAgentOptions, then of AlphaBetaOptions.
struct TwoPlayerSearch {
  SearchAgentOptions agent = {.depth = 3};
  AlphaBetaOptions alpha_beta = {};

  void visit(Options& options);
};

/// A player as options: those of the evaluation, then how he searches.
template <class Evaluation>
struct TwoPlayerOptions {
  Evaluation evaluation = {};
  TwoPlayerSearch search = {};

  void visit(Options& options) {
    evaluation.visit(options);
    search.visit(options);
  }
};

/// A player with these options, by alpha-beta.
template <TurnGame Position, TunableEvaluation<Position> Evaluation>
std::unique_ptr<TurnAgent<Position>> make_two_player_agent(
    const TwoPlayerOptions<Evaluation>& player) {
  return std::make_unique<SearchAgent<Position>>(
      std::make_unique<AlphaBeta<Position, Evaluation>>(
          player.evaluation, player.search.alpha_beta.for_depth(player.search.agent.depth)),
      player.search.agent);
}

}  // namespace ntune
