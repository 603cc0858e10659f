// How often intervals of a mean hold it, as CSV: interval_coverage [FAMILY…]
//
// The families are wins, draws and losses, pairs of such games, differences of two games with the
// same seed, and payoffs from 0 to 1 with a beta distribution. For games `share` is that of draws,
// for differences that of pairs that differ. For beta it is the variance by that of wins and losses
// with the same mean. Single games are counted over all results, exactly up to results rarer than
// 1e-8; the others are simulated.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include <fmt/format.h>

#include "ntune/core/mean_interval.h"
#include "ntune/core/rng.h"
#include "ntune/core/statistics.h"

namespace {

using ntune::Interval;
using ntune::Rng;
using ntune::RunningStats;

constexpr std::array<std::int64_t, 4> kSizes = {10, 30, 100, 1000};
constexpr std::array<double, 7> kMeans = {0.5, 0.6, 0.75, 0.9, 0.95, 0.98, 0.99};

/// Coverage, mean width and share of intervals without width.
struct Coverage {
  double holds = 0.0;
  double width = 0.0;
  double flat = 0.0;

  void add(const Interval& interval, double mean, double weight) {
    if (interval.low <= mean && mean <= interval.high) holds += weight;
    width += weight * (interval.high - interval.low);
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

  void add(const RunningStats& sample, const ntune::PossibleValues& possible, double weight) {
    const auto interval = ntune::mean_interval(sample, possible);
    ours.add(interval.value_or(Interval{sample.mean(), sample.mean()}), mean, weight);
    student.add(ntune::student_interval(sample), mean, weight);
  }
  void print() const {
    fmt::print("{},{},{},{:.4g},{:.4g},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f}\n", family, n,
               mean, share, commonest, samples, ours.holds, ours.width, ours.flat, student.holds,
               student.width, student.flat);
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

Games games_of(double mean, double drawn) {
  const double draw = drawn * 2.0 * (1.0 - mean);
  const double win = mean - 0.5 * draw;
  return {.win = win, .draw = draw, .loss = std::max(0.0, 1.0 - win - draw)};
}

double log_power(double share, std::int64_t count) {
  return count > 0 ? static_cast<double>(count) * std::log(share) : 0.0;
}

/// n values of 1, 1/2 and 0, scaled by `size` from `low` on.
RunningStats sample_of(std::int64_t n, std::int64_t wins, std::int64_t draws, double low,
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

void count_games(Cell& cell, const Games& games, double low, double size) {
  constexpr double kRarest = 1e-8;
  const auto n = cell.n;
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
      if (chance < kRarest) continue;
      cell.add(sample_of(n, wins, draws, low, size), {low, low + size}, chance);
    }
  }
}

void single_games() {
  for (const std::int64_t n : kSizes) {
    for (const double mean : kMeans) {
      for (const double drawn : {0.0, 0.3, 0.6, 0.9, 1.0}) {
        if (mean == 0.5 && drawn == 1.0) continue;  // nothing but draws
        const Games games = games_of(mean, drawn);
        Cell cell{.family = "games",
                  .n = n,
                  .mean = mean,
                  .share = games.draw,
                  .commonest = games.commonest()};
        count_games(cell, games, 0.0, 1.0);
        cell.print();
      }
    }
  }
}

void differences() {
  for (const std::int64_t n : kSizes) {
    for (const double differ : {0.02, 0.1, 0.3, 0.6}) {
      for (const double better : {0.5, 0.7, 1.0}) {
        const Games games{
            .win = differ * better, .draw = 1.0 - differ, .loss = differ * (1.0 - better)};
        Cell cell{.family = "difference",
                  .n = n,
                  .mean = games.win - games.loss,
                  .share = differ,
                  .commonest = games.commonest()};
        count_games(cell, games, -1.0, 2.0);
        cell.print();
      }
    }
  }
}

void simulate(Cell& cell, std::int64_t samples, const std::function<double(Rng&)>& draw) {
  cell.samples = samples;
  const Rng root = Rng(1)
                       .stream(cell.family.c_str(), static_cast<std::uint64_t>(cell.n))
                       .stream("mean", static_cast<std::uint64_t>(std::round(1e6 * cell.mean)))
                       .stream("share", static_cast<std::uint64_t>(std::round(1e6 * cell.share)));
  for (std::int64_t i = 0; i < samples; ++i) {
    Rng rng = root.stream("sample", static_cast<std::uint64_t>(i));
    RunningStats sample;
    for (std::int64_t k = 0; k < cell.n; ++k) sample.add(draw(rng));
    cell.add(sample, {0.0, 1.0}, 1.0 / static_cast<double>(samples));
  }
  cell.print();
}

void pairs() {
  for (const std::int64_t n : kSizes) {
    for (const double mean : kMeans) {
      for (const double drawn : {0.3, 0.9}) {
        const Games games = games_of(mean, drawn);
        const double one = games.win * games.draw;
        const double commonest = std::max({games.win * games.win, 2.0 * one,
                                           2.0 * games.win * games.loss + games.draw * games.draw,
                                           2.0 * games.draw * games.loss});
        Cell cell{
            .family = "pairs", .n = n, .mean = mean, .share = games.draw, .commonest = commonest};
        simulate(cell, n == 1000 ? 2000 : 5000,
                 [&](Rng& rng) { return 0.5 * (games.score(rng) + games.score(rng)); });
      }
    }
  }
}

/// Gamma(shape, 1) (Marsaglia and Tsang 2000).
double draw_gamma(Rng& rng, double shape) {
  if (shape < 1.0) {
    return draw_gamma(rng, shape + 1.0) * std::pow(1.0 - rng.uniform(), 1.0 / shape);
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = rng.normal();
    const double v = std::pow(1.0 + c * x, 3.0);
    if (v <= 0.0) continue;
    if (std::log(1.0 - rng.uniform()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

void betas() {
  for (const std::int64_t n : kSizes) {
    for (const double mean : {0.5, 0.8, 0.95, 0.99}) {
      for (const double factor : {0.7, 0.3, 0.1, 0.03, 0.003}) {
        const double sum = 1.0 / factor - 1.0;
        Cell cell{.family = "beta", .n = n, .mean = mean, .share = factor};
        simulate(cell, n == 1000 ? 1000 : 4000, [&](Rng& rng) {
          const double x = draw_gamma(rng, mean * sum);
          const double y = draw_gamma(rng, (1.0 - mean) * sum);
          return x + y > 0.0 ? x / (x + y) : 1.0;
        });
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  fmt::print(
      "family,n,mean,share,commonest,samples,coverage,width,flat,student_coverage,student_width,"
      "student_flat\n");
  const std::set<std::string> wanted(argv + 1, argv + argc);
  const auto run = [&](const char* family, void (*cells)()) {
    if (wanted.empty() || wanted.contains(family)) cells();
  };
  run("games", single_games);
  run("difference", differences);
  run("pairs", pairs);
  run("beta", betas);
}
