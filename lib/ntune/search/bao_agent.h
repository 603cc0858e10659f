#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ntune/core/parallel.h"
#include "ntune/core/rng.h"
#include "ntune/game/bao.h"
#include "ntune/search/alpha_beta.h"
#include "ntune/search/bao_evaluation.h"
#include "ntune/search/opponent_model.h"
#include "ntune/search/turn_agent.h"

namespace ntune {

using BaoSearch = TurnSearch<Bao>;
using BaoAgent = TurnAgent<Bao>;

/// An evaluation that the opponent may have, and its weight among all.
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

/// One game of a match.
struct BaoGame {
  std::size_t start = 0;  ///< index of the start position
  std::size_t repeat = 0;
  TurnGameResult result;  ///< player 0 is South
};

/// South against North, `repeats` games from every start, in order of start and repeat. Game (start
/// s, repeat r) draws from rng's stream ("game", s, r); the same for any number of threads.
std::vector<BaoGame> play_bao_match(const BaoPlayer& south, const BaoPlayer& north,
                                    std::span<const Bao> starts, std::size_t repeats,
                                    const Rng& rng, Parallel& parallel);

/// What South did in the games of a match.
struct BaoMatchSummary {
  std::int64_t games = 0;
  std::int64_t south_wins = 0;
  std::int64_t plies = 0;
  SearchCounts south, north;
};
BaoMatchSummary summarise(std::span<const BaoGame> games);

}  // namespace ntune
