#pragma once

#include <cstddef>
#include <vector>

#include "apps/bao/reproduce.h"
#include "ntune/games/bao/agent.h"

namespace ntune::bao {

/// A game, with every position in which a move was made.
struct SampleGame {
  std::vector<Bao> positions;
  TurnGameResult result;
};

BaoPlayer alpha_beta_player(const BaoEvaluation& evaluation, int depth);

SampleGame play_sample_game(const BaoPlayer& south_player, const BaoPlayer& north_player,
                            const Bao& start, const Rng& rng);

/// One game for each start and repeat, alpha-beta of this depth on both sides; players take turns.
/// Game i draws from the stream (purpose, i). Without positions where the user stops before it.
std::vector<SampleGame> sample_games(Laboratory& laboratory, int depth, const char* purpose);

/// One position of each game, drawn from the stream (purpose, i); none of a game without any.
std::vector<Bao> draw_positions(const Laboratory& laboratory, const std::vector<SampleGame>& games,
                                const char* purpose);

/// The number of possible moves.
std::size_t move_count(const Bao& at);

}  // namespace ntune::bao
