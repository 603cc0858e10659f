#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "ntune/agents/turn_game/turn_agent.h"
#include "ntune/core/error.h"
#include "ntune/core/game_statistics.h"
#include "ntune/core/rng.h"

namespace ntune {

/// The position after so many random moves from the start. A game that ends earlier is drawn anew.
/// Throws EvaluationError where no game lasts so long.
template <TurnGame Position>
Position random_opening(const Position& start, int plies, Rng rng) {
  constexpr int kMostAttempts = 10'000;
  typename Position::Successors successors;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    Position at = start;
    for (int ply = 0;; ++ply) {
      successors.clear();
      at.successors(successors);
      if (at.is_over() || successors.size() == 0) break;
      if (ply == plies) return at;
      const auto count = static_cast<std::uint32_t>(successors.size());
      at = Position(successors[rng.below(count)].next);
    }
  }
  throw EvaluationError("no game lasts longer than the random opening");
}

/// A game in which `ours` is the player `side`, 0 or 1.
template <TurnGame Position>
TurnGameResult play_from_side(const Position& start, TurnAgent<Position>& ours,
                              TurnAgent<Position>& theirs, int side, const Rng& rng) {
  std::array<TurnAgent<Position>*, 2> agents = {&ours, &theirs};
  if (side == 1) std::swap(agents[0], agents[1]);
  return play_turn_game(start, agents, rng);
}

/// What a game is worth to a player: a win 1, a draw 0, a loss -1; broken off as a draw.
inline double payoff_to(int player, const TurnGameResult& game) {
  return game.outcome ? payoff_to(player, *game.outcome) : 0.0;
}

/// Two games of `ours` from one start, one from either side.
template <TurnGame Position>
GameCounts play_pair(const Position& start, TurnAgent<Position>& ours, TurnAgent<Position>& theirs,
                     const Rng& rng) {
  std::array<double, 2> points{};
  for (const int side : {0, 1}) {
    const auto game = play_from_side(start, ours, theirs, side, rng.stream("game", side));
    points[static_cast<std::size_t>(side)] = (payoff_to(side, game) + 1.0) / 2.0;
  }
  return pair_of_games(points[0], points[1]);
}

}  // namespace ntune
