#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/mean_interval.h"
#include "ntune/core/rng.h"
#include "ntune/core/statistics.h"

namespace ntune::coverage {

inline constexpr std::array<std::int64_t, 4> kSizes = {10, 30, 100, 1000};
inline constexpr std::array<double, 7> kMeans = {0.5, 0.6, 0.75, 0.9, 0.95, 0.98, 0.99};

/// Coverage, mean width (infinite ones left out) and share of intervals without width.
struct Coverage {
  double holds = 0.0;
  double width = 0.0;
  double flat = 0.0;

  void add(const Interval& interval, double mean, double weight) {
    if (interval.low <= mean && mean <= interval.high) holds += weight;
    const double size = interval.high - interval.low;
    if (std::isfinite(size)) width += weight * size;
    if (!(interval.low < interval.high)) flat += weight;
  }
};

struct Cell {
  std::string family;
  std::int64_t n = 0;
  double mean = 0.0;
  double share = 0.0;
  double commonest = 0.0;    ///< probability of the commonest value; 0: it has no values
  std::int64_t samples = 0;  ///< 0: exact
  Coverage ours = {};
  Coverage student = {};
  bool reachable = true;  ///< see is_reachable

  void add(const RunningStats& sample, const PossibleValues& possible, double weight) {
    const auto interval = mean_interval(sample, possible);
    ours.add(interval.value_or(Interval{sample.mean(), sample.mean()}), mean, weight);
    student.add(student_interval(sample), mean, weight);
  }
  void print() const {
    fmt::print("{},{},{},{:.4g},{:.4g},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{}\n", family,
               n, mean, share, commonest, samples, ours.holds, ours.width, ours.flat, student.holds,
               student.width, student.flat, reachable ? 1 : 0);
  }
};

/// Shares of wins, draws and losses.
struct Games {
  double win = 0.0;
  double draw = 0.0;
  double loss = 0.0;

  [[nodiscard]] double commonest() const { return std::max({win, draw, loss}); }
  [[nodiscard]] double score(Rng& rng) const {
    const double u = rng.uniform();
    return u < win ? 1.0 : u < win + draw ? 0.5 : 0.0;
  }
};

inline Games games_of(double mean, double drawn) {
  const double draw = drawn * 2.0 * (1.0 - mean);
  const double win = mean - 0.5 * draw;
  return {.win = win, .draw = draw, .loss = std::max(0.0, 1.0 - win - draw)};
}

inline double log_power(double share, std::int64_t count) {
  return count > 0 ? static_cast<double>(count) * std::log(share) : 0.0;
}

/// n values of 1, 1/2 and 0, scaled by `size` from `low` on.
inline RunningStats sample_of(std::int64_t n, std::int64_t wins, std::int64_t draws, double low,
                              double size) {
  const auto count = static_cast<double>(n);
  const double sum = static_cast<double>(wins) + 0.5 * static_cast<double>(draws);
  const double mean = sum / count;
  const double squares =
      std::max(0.0, static_cast<double>(wins) + 0.25 * static_cast<double>(draws) - sum * mean);
  const bool equal = wins == n || draws == n || wins + draws == 0;
  return RunningStats(RunningStats::State{.count = n,
                                          .mean = low + size * mean,
                                          .squares = equal ? 0.0 : size * size * squares,
                                          .min = low,
                                          .max = low + size});
}

/// Calls visit(wins, draws, chance) for all results of n games that are not too rare.
template <class Visit>
void for_each_result(std::int64_t n, const Games& games, const Visit& visit) {
  constexpr double kRarest = 1e-8;
  for (std::int64_t wins = 0; wins <= n; ++wins) {
    for (std::int64_t draws = 0; draws <= n - wins; ++draws) {
      const std::int64_t losses = n - wins - draws;
      if ((games.draw <= 0.0 && draws > 0) || (games.loss <= 1e-12 && losses > 0) ||
          (games.win <= 0.0 && wins > 0)) {
        continue;
      }
      const double chance =
          std::exp(std::lgamma(n + 1) - std::lgamma(wins + 1) - std::lgamma(draws + 1) -
                   std::lgamma(losses + 1) + log_power(games.win, wins) +
                   log_power(games.draw, draws) + log_power(games.loss, losses));
      if (chance >= kRarest) visit(wins, draws, chance);
    }
  }
}

/// Probabilities of the sum of n values, each 0, 1, 2 and so on with the probabilities of `one`.
inline std::vector<double> sum_probabilities(const std::vector<double>& one, std::int64_t n) {
  std::vector<double> sum = {1.0};
  for (std::int64_t i = 0; i < n; ++i) {
    std::vector<double> next(sum.size() + one.size() - 1, 0.0);
    for (std::size_t k = 0; k < sum.size(); ++k) {
      for (std::size_t v = 0; v < one.size(); ++v) next[k + v] += sum[k] * one[v];
    }
    sum = std::move(next);
  }
  return sum;
}

/// Whether some neighbouring sums of n values have 93 to 98 % together. Where none have, no
/// interval that follows from the sum can cover so often.
inline bool is_reachable(const std::vector<double>& one, std::int64_t n) {
  constexpr double kLeast = 0.93;
  constexpr double kMost = 0.98;
  constexpr double kPossible = 1e-300;
  std::vector<double> below = {0.0};
  for (const double chance : sum_probabilities(one, n)) {
    if (chance > kPossible) below.push_back(below.back() + chance);
  }
  return std::ranges::any_of(below, [&](double start) {
    const auto end = std::ranges::lower_bound(below, start + kLeast);
    return end != below.end() && *end <= start + kMost;
  });
}

/// Probabilities of 0, 1/2 and 1 point of a game, and of the points of a pair of games.
inline std::vector<double> points_of(const Games& games) {
  return {games.loss, games.draw, games.win};
}
inline std::vector<double> points_of_pair(const Games& games) {
  return sum_probabilities(points_of(games), 2);
}

/// Of one sample of a cell.
inline Rng stream_of(const Cell& cell, std::int64_t sample) {
  return Rng(1)
      .stream(cell.family.c_str(), static_cast<std::uint64_t>(cell.n))
      .stream("mean", static_cast<std::uint64_t>(std::round(1e6 * cell.mean)))
      .stream("share", static_cast<std::uint64_t>(std::round(1e6 * cell.share)))
      .stream("sample", static_cast<std::uint64_t>(sample));
}

/// Calls measure(cell, games) for every size, mean and share of draws, with an empty cell of games.
template <class Sizes, class Drawn, class Measure>
void for_each_games_cell(const std::string& family, const Sizes& sizes, const Drawn& shares,
                         const Measure& measure) {
  for (const std::int64_t n : sizes) {
    for (const double mean : kMeans) {
      for (const double drawn : shares) {
        if (mean == 0.5 && drawn == 1.0) continue;  // nothing but draws
        const Games games = games_of(mean, drawn);
        Cell cell{.family = family,
                  .n = n,
                  .mean = mean,
                  .share = games.draw,
                  .commonest = games.commonest(),
                  .reachable = is_reachable(points_of(games), n)};
        measure(cell, games);
        cell.print();
      }
    }
  }
}

/// The families of Elo: `elo`, `elo_pairs` and `elo_common`.
void elo_of_games();
void elo_of_pairs();
void elo_against_common();

}  // namespace ntune::coverage
