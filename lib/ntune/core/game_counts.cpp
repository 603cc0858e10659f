#include "ntune/core/game_counts.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "ntune/core/mean_interval.h"

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

RunningStats scores_of(const GameCounts& counts) {
  // The sufficient statistics of the sample are set as they are: the scores need not be added one
  // by one.
  RunningStats::State state;
  const auto set = [&](std::int64_t n, double mean, double variance) {
    state.count = n;
    state.mean = mean;
    state.squares = static_cast<double>(n) * std::max(0.0, variance);
  };
  if (counts.are_paired()) {
    const auto& pairs = counts.pairs.counts;
    set(counts.pairs.pairs(), counts.pairs.score(), counts.pairs.variance());
    // The extremes of pairs are their lowest and highest possible score that was seen, in quarters
    // of a point per game.
    const auto seen = [](std::int64_t count) { return count > 0; };
    const auto least = std::ranges::find_if(pairs, seen) - pairs.begin();
    const auto most = pairs.rend() - std::ranges::find_if(pairs.rbegin(), pairs.rend(), seen) - 1;
    state.min = static_cast<double>(least) / 4.0;
    state.max = static_cast<double>(most) / 4.0;
  } else {
    const auto& [wins, draws, losses] = counts.games;
    set(counts.games.games(), counts.games.score(), counts.games.variance());
    state.min = losses > 0 ? 0.0 : draws > 0 ? 0.5 : 1.0;
    state.max = wins > 0 ? 1.0 : draws > 0 ? 0.5 : 0.0;
  }
  return RunningStats(state);
}

double games_of_observation(const GameCounts& counts) { return counts.are_paired() ? 2.0 : 1.0; }

void Forfeits::add(const Forfeits& other) {
  for (std::size_t i = 0; i < first.size(); ++i) {
    first[i] += other.first[i];
    second[i] += other.second[i];
  }
}

std::int64_t Forfeits::by_first() const {
  return std::accumulate(first.begin(), first.end(), std::int64_t{0});
}

std::int64_t Forfeits::by_second() const {
  return std::accumulate(second.begin(), second.end(), std::int64_t{0});
}

GameCounts from_the_other_side(GameCounts counts) {
  std::swap(counts.games.wins, counts.games.losses);
  std::ranges::reverse(counts.pairs.counts);
  std::swap(counts.forfeits.first, counts.forfeits.second);
  return counts;
}

double GameCounts::games_each(std::int64_t values) const {
  return values > 0 ? static_cast<double>(games.games()) / static_cast<double>(values) : 0.0;
}

void GameCounts::add(const GameCounts& other) {
  games.wins += other.games.wins;
  games.draws += other.games.draws;
  games.losses += other.games.losses;
  for (std::size_t i = 0; i < pairs.counts.size(); ++i) pairs.counts[i] += other.pairs.counts[i];
  forfeits.add(other.forfeits);
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
  // Of two games the order is not known, but their sum is; so they make one pair.
  if (games.games() == 2) counts.pairs.add(0.5 * static_cast<double>(half_points(games)));
  return counts;
}

const char* contradiction_of(const GameCounts& counts) {
  const auto& [wins, draws, losses] = counts.games;
  if (std::min({wins, draws, losses}) < 0 || *std::ranges::min_element(counts.pairs.counts) < 0) {
    return "a count is negative";
  }
  const auto& [first, second] = counts.forfeits;
  if (std::min(*std::ranges::min_element(first), *std::ranges::min_element(second)) < 0) {
    return "a count is negative";
  }
  if (counts.forfeits.by_first() > losses || counts.forfeits.by_second() > wins) {
    return "there are more games lost by a fault than lost games";
  }
  // Pairs that are known must leave a number of games and points that the other games can have:
  // from 0 to 2 half points each.
  const std::int64_t unpaired = counts.games.games() - 2 * counts.pairs.pairs();
  const std::int64_t rest = half_points(counts.games) - half_points(counts.pairs);
  if (unpaired < 0) return "there are more pairs than games";
  if (rest < 0 || rest > 2 * unpaired) return "pairs and games have different points";
  return "";
}

Rating match_elo(const GameCounts& counts) {
  const RunningStats scores = scores_of(counts);
  // Without an interval the score is only known to lie between 0 and 1.
  const Interval interval =
      mean_interval(scores, {.low = 0.0, .high = 1.0, .games = games_of_observation(counts)})
          .value_or(Interval{0.0, 1.0});
  return rating_of_score(scores.mean(), interval);
}

Rating normalised_elo(const GameCounts& counts) {
  return normalised_rating(scores_of(counts), games_of_observation(counts));
}

}  // namespace ntune
