// How often intervals of Elo hold it: normalised Elo of games and of pairs, and logistic Elo of two
// players with the same seeds against a common opponent. Of these `mean` is the first player's
// score, 0.1 more than the second's, and `share` that of games with the same luck. In the columns
// of Student's interval are the normal ones: at the observed standard deviation, and by the delta
// method. Widths are in Elo.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "benchmarks/programs/coverage_cell.h"
#include "ntune/core/game_statistics.h"
#include "ntune/core/normal.h"

namespace ntune::coverage {

namespace {

constexpr std::array<std::int64_t, 3> kEloSizes = {10, 30, 100};
constexpr std::int64_t kSamples = 1000;

/// Normalised Elo of a sample of scores, each of so many games, beside the normal interval.
void add_normalised(Cell& cell, const RunningStats& scores, double games, double truth,
                    double weight) {
  cell.ours.add(normalised_rating(scores, games).interval, truth, weight);
  const auto n = static_cast<double>(scores.count());
  const double unit = kNormalisedElo / std::sqrt(games);
  const double sd = std::sqrt(scores.state().squares / n);
  const double value = sd > 0.0 ? unit * (scores.mean() - 0.5) / sd : 0.0;
  const double half = sd > 0.0 ? kNormal95 * unit / std::sqrt(n) : 0.0;
  cell.student.add({value - half, value + half}, truth, weight);
}

/// Normalised Elo of games with these shares.
double normalised_elo_of(const Games& games) {
  const double mean = games.win + 0.5 * games.draw;
  const double variance = games.win + 0.25 * games.draw - mean * mean;
  return kNormalisedElo * (mean - 0.5) / std::sqrt(variance);
}

/// The interval by the delta method; without width where one has won or lost everything.
Interval delta_interval(const PairedElo& both) {
  const double a = both.first().mean();
  const double b = both.second().mean();
  if (a <= 0.0 || a >= 1.0 || b <= 0.0 || b >= 1.0) return {0.0, 0.0};
  const auto slope = [](double score) { return 400.0 / std::log(10.0) / (score * (1.0 - score)); };
  const double one = both.first().variance();
  const double other = both.second().variance();
  const double variance = slope(a) * slope(a) * one + slope(b) * slope(b) * other -
                          slope(a) * slope(b) * (one + other - both.difference().variance());
  const double half =
      kNormal95 * std::sqrt(std::max(0.0, variance) / static_cast<double>(both.count()));
  const double elo = elo_of_score(a) - elo_of_score(b);
  return {elo - half, elo + half};
}

/// Draws that are 0.3 of what a score leaves room for.
Games usual_games(double mean) { return games_of(mean, 0.3 * std::min(1.0, mean / (1.0 - mean))); }

void simulate_common(Cell& cell, double lead) {
  const Games first = usual_games(cell.mean);
  const Games second = usual_games(cell.mean - lead);
  const double truth = elo_of_score(cell.mean) - elo_of_score(cell.mean - lead);
  constexpr double kWeight = 1.0 / static_cast<double>(kSamples);
  for (std::int64_t i = 0; i < kSamples; ++i) {
    Rng rng = stream_of(cell, i);
    PairedElo both;
    for (std::int64_t k = 0; k < cell.n; ++k) {
      Rng luck = rng.stream("game", static_cast<std::uint64_t>(k));
      Rng other = rng.bernoulli(cell.share) ? luck : luck.stream("other");
      both.add(first.score(luck), second.score(other));
    }
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const auto rating = both.elo();
    cell.ours.add(rating ? rating->interval : Interval{-kInfinity, kInfinity}, truth, kWeight);
    cell.student.add(delta_interval(both), truth, kWeight);
  }
}

}  // namespace

void elo_of_games() {
  const auto count = [](Cell& cell, const Games& games) {
    const double truth = normalised_elo_of(games);
    for_each_result(cell.n, games, [&](std::int64_t wins, std::int64_t draws, double chance) {
      add_normalised(cell, sample_of(cell.n, wins, draws, 0.0, 1.0), 1.0, truth, chance);
    });
  };
  for_each_games_cell("elo", kEloSizes, std::array{0.0, 0.3, 0.6, 0.9}, count);
}

void elo_of_pairs() {
  for (const std::int64_t n : kEloSizes) {
    for (const double mean : kMeans) {
      for (const double drawn : {0.3, 0.9}) {
        const Games games = games_of(mean, drawn);
        Cell cell{.family = "elo_pairs",
                  .n = n,
                  .mean = mean,
                  .share = games.draw,
                  .samples = kSamples,
                  .reachable = is_reachable(points_of_pair(games), n)};
        for (std::int64_t i = 0; i < kSamples; ++i) {
          Rng rng = stream_of(cell, i);
          RunningStats scores;
          for (std::int64_t k = 0; k < n; ++k) {
            scores.add(0.5 * (games.score(rng) + games.score(rng)));
          }
          add_normalised(cell, scores, 2.0, normalised_elo_of(games),
                         1.0 / static_cast<double>(kSamples));
        }
        cell.print();
      }
    }
  }
}

void elo_against_common() {
  constexpr double kLead = 0.1;
  for (const std::int64_t n : kEloSizes) {
    for (const double mean : {0.3, 0.55, 0.75, 0.95}) {
      for (const double alike : {0.0, 0.5, 0.9}) {
        Cell cell{
            .family = "elo_common", .n = n, .mean = mean, .share = alike, .samples = kSamples};
        simulate_common(cell, kLead);
        cell.print();
      }
    }
  }
}

}  // namespace ntune::coverage
