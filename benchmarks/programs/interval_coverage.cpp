// How often intervals of a mean hold it, as CSV: interval_coverage [FAMILY…]
//
// The families are wins, draws and losses, pairs of such games, differences of two games with the
// same seed, and payoffs from 0 to 1 with a beta distribution. For games `share` is that of draws,
// for differences that of pairs that differ. For beta it is the variance by that of wins and losses
// with the same mean. Single games are counted over all results, exactly up to results rarer than
// 1e-8; the others are simulated. The families of Elo are in elo_coverage.cpp.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/programs/coverage_cell.h"
#include "benchmarks/programs/experiment.h"

namespace ntune::coverage {

namespace {

void count_games(Cell& cell, const Games& games, double low, double size) {
  for_each_result(cell.n, games, [&](std::int64_t wins, std::int64_t draws, double chance) {
    cell.add(sample_of(cell.n, wins, draws, low, size), {low, low + size}, chance);
  });
}

void single_games() {
  for_each_games_cell("games", kSizes, std::array{0.0, 0.3, 0.6, 0.9, 1.0},
                      [](Cell& cell, const Games& games) { count_games(cell, games, 0.0, 1.0); });
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
                  .commonest = games.commonest(),
                  .reachable = is_reachable(points_of(games), n)};
        count_games(cell, games, -1.0, 2.0);
        cell.print();
      }
    }
  }
}

void simulate(Cell& cell, std::int64_t samples, const std::function<double(Rng&)>& draw) {
  cell.samples = samples;
  for (std::int64_t i = 0; i < samples; ++i) {
    Rng rng = stream_of(cell, i);
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
        Cell cell{.family = "pairs",
                  .n = n,
                  .mean = mean,
                  .share = games.draw,
                  .commonest = commonest,
                  .reachable = is_reachable(points_of_pair(games), n)};
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

}  // namespace ntune::coverage

int main(int argc, char** argv) {
  using namespace ntune::coverage;
  const std::vector<std::pair<std::string, void (*)()>> families = {
      {"games", single_games},
      {"difference", differences},
      {"pairs", pairs},
      {"beta", betas},
      {"elo", elo_of_games},
      {"elo_pairs", elo_of_pairs},
      {"elo_common", elo_against_common}};
  std::vector<std::string> names;
  for (const auto& [name, cells] : families) names.push_back(name);
  std::vector<std::string> wanted = names;
  CLI::App program("How often intervals of a mean hold it, as CSV on standard output");
  program.add_option("families", wanted, "default: all")->check(CLI::IsMember(names));
  return ntune::run_experiment(program, argc, argv, [&] {
    fmt::print(
        "family,n,mean,share,commonest,samples,coverage,width,flat,student_coverage,"
        "student_width,student_flat,reachable\n");
    for (const auto& [name, cells] : families) {
      if (std::ranges::find(wanted, name) != wanted.end()) cells();
    }
  });
}
