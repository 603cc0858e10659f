#include "ntune/core/game_counts.h"

#include <algorithm>
#include <cstddef>

namespace ntune {

namespace {

/// Twice the points of the first player.
std::int64_t half_points(const WinDrawLoss& games) { return 2 * games.wins + games.draws; }

std::int64_t half_points(const Pentanomial& pairs) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < pairs.counts.size(); ++i) {
    sum += static_cast<std::int64_t>(i) * pairs.counts[i];
  }
  return sum;
}

}  // namespace

void GameCounts::add(const GameCounts& other) {
  games.wins += other.games.wins;
  games.draws += other.games.draws;
  games.losses += other.games.losses;
  for (std::size_t i = 0; i < pairs.counts.size(); ++i) pairs.counts[i] += other.pairs.counts[i];
}

GameCounts single_game(double points) {
  GameCounts counts;
  counts.games.add(points);
  return counts;
}

GameCounts pair_of_games(double one, double other) {
  GameCounts counts = single_game(one);
  counts.games.add(other);
  counts.pairs.add(one + other);
  return counts;
}

GameCounts games_of_one_call(const WinDrawLoss& games) {
  GameCounts counts{.games = games};
  if (games.games() == 2) counts.pairs.add(0.5 * static_cast<double>(half_points(games)));
  return counts;
}

const char* contradiction_of(const GameCounts& counts) {
  const auto& [wins, draws, losses] = counts.games;
  if (std::min({wins, draws, losses}) < 0 || *std::ranges::min_element(counts.pairs.counts) < 0) {
    return "a count is negative";
  }
  const std::int64_t unpaired = counts.games.games() - 2 * counts.pairs.pairs();
  const std::int64_t rest = half_points(counts.games) - half_points(counts.pairs);
  if (unpaired < 0) return "there are more pairs than games";
  if (rest < 0 || rest > 2 * unpaired) return "pairs and games have different points";
  return "";
}

Rating match_elo(const GameCounts& counts) {
  return counts.are_paired() ? match_elo(counts.pairs) : match_elo(counts.games);
}

std::optional<Rating> normalised_elo(const GameCounts& counts) {
  return counts.are_paired() ? normalised_elo(counts.pairs) : normalised_elo(counts.games);
}

}  // namespace ntune
