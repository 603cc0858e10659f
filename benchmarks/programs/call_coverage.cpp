// How often intervals of the mean of calls of 4 and of 8 games hold it, and how often they lie
// above it, as CSV: call_coverage
//
// `calls`: means of the games of a call, with the score `mean`. `differences`: differences of such
// means of two players, the first of whom leads by `mean` around a score of 1/2; `alike` is the
// share of their games that have the same luck. `drawn` is the share of draws. Where the mean is
// level, `above` is how often a setting that is not better is found to be.

#include <array>
#include <cstdint>
#include <functional>
#include <string>

#include <fmt/format.h>

#include "benchmarks/programs/coverage_cell.h"
#include "benchmarks/programs/experiment.h"

namespace ntune::coverage {

namespace {

constexpr std::array<std::int64_t, 3> kCalls = {10, 24, 100};
constexpr std::array<double, 2> kDrawn = {0.6, 0.9};
constexpr std::int64_t kSamples = 2000;

struct CallCell {
  std::string family;
  int games = 4;  ///< of a call
  std::int64_t n = 0;
  double mean = 0.0;
  double drawn = 0.0;
  double alike = 0.0;
};

/// `result`: of one game, within `range`.
void simulate(const CallCell& cell, const PossibleValues& range,
              const std::function<double(Rng&)>& result) {
  std::int64_t holds = 0;
  std::int64_t above = 0;
  std::int64_t student_holds = 0;
  for (std::int64_t i = 0; i < kSamples; ++i) {
    Rng rng = Rng(1)
                  .stream(cell.family.c_str(), static_cast<std::uint64_t>(cell.games))
                  .stream("calls", static_cast<std::uint64_t>(cell.n))
                  .stream("mean", static_cast<std::uint64_t>(1000.0 * cell.mean))
                  .stream("drawn", static_cast<std::uint64_t>(1000.0 * cell.drawn))
                  .stream("alike", static_cast<std::uint64_t>(1000.0 * cell.alike))
                  .stream("sample", static_cast<std::uint64_t>(i));
    RunningStats sample;
    for (std::int64_t call = 0; call < cell.n; ++call) {
      double sum = 0.0;
      for (int game = 0; game < cell.games; ++game) sum += result(rng);
      sample.add(sum / cell.games);
    }
    const Interval ours = mean_interval(sample, range).value();
    const Interval student = student_interval(sample);
    holds += ours.low <= cell.mean && cell.mean <= ours.high ? 1 : 0;
    above += ours.low > cell.mean ? 1 : 0;
    student_holds += student.low <= cell.mean && cell.mean <= student.high ? 1 : 0;
  }
  const auto share = [](std::int64_t count) {
    return static_cast<double>(count) / static_cast<double>(kSamples);
  };
  fmt::print("{},{},{},{},{:.4g},{},{},{:.4f},{:.4f},{:.4f}\n", cell.family, cell.games, cell.n,
             cell.mean, cell.drawn, cell.alike, kSamples, share(holds), share(above),
             share(student_holds));
}

PossibleValues scores_of(int games) {
  return {.low = 0.0, .high = 1.0, .games = static_cast<double>(games)};
}

void calls_of(int games) {
  for (const std::int64_t n : kCalls) {
    for (const double mean : {0.5, 0.6, 0.9}) {
      for (const double drawn : kDrawn) {
        const Games shares = games_of(mean, drawn);
        simulate({.family = "calls", .games = games, .n = n, .mean = mean, .drawn = shares.draw},
                 scores_of(games), [&](Rng& rng) { return shares.score(rng); });
      }
    }
  }
}

void differences_of(int games) {
  const auto shares_at = [](double score, double draw) {
    return Games{.win = score - 0.5 * draw, .draw = draw, .loss = 1.0 - score - 0.5 * draw};
  };
  for (const std::int64_t n : kCalls) {
    for (const double lead : {0.0, 0.05}) {
      for (const double alike : {0.5, 0.9}) {
        for (const double drawn : kDrawn) {
          const Games first = shares_at(0.5 + 0.5 * lead, drawn);
          const Games second = shares_at(0.5 - 0.5 * lead, drawn);
          simulate({.family = "differences",
                    .games = games,
                    .n = n,
                    .mean = lead,
                    .drawn = drawn,
                    .alike = alike},
                   difference_range({}, scores_of(games)), [&](Rng& rng) {
                     Rng same = rng;
                     const double ours = first.score(rng);
                     const bool is_same = rng.bernoulli(alike);
                     return ours - second.score(is_same ? same : rng);
                   });
        }
      }
    }
  }
}

}  // namespace

}  // namespace ntune::coverage

int main(int argc, char** argv) {
  CLI::App program("How often intervals of the mean of calls of several games hold it, as CSV");
  return ntune::run_experiment(program, argc, argv, [] {
    fmt::print("family,games,calls,mean,drawn,alike,samples,coverage,above,student_coverage\n");
    for (const int games : {4, 8}) ntune::coverage::calls_of(games);
    for (const int games : {4, 8}) ntune::coverage::differences_of(games);
  });
}
