// How often the sequential test of other payoffs decides for a setting, of costs that are skewed,
// as CSV: skewed_tests
//
// Costs of the first setting have the mean `factor`, those of the other 1. `first`, `second`:
// steady, or lognormal with this sd; `luck` is the share of variance that both have in common.
// `better`: the first is said to be cheaper, `not_better`: it is not, in % of tests with alpha =
// beta = 0.05 of 0 against 0.1 sd. `plain` is `better` without the allowance for skew.

#include <cmath>
#include <cstdint>
#include <cstdio>

#include <fmt/format.h>

#include "benchmarks/programs/experiment.h"
#include "ntune/core/rng.h"
#include "ntune/core/sequential_test.h"

namespace ntune {

namespace {

struct Cell {
  double first = 0.0;   ///< sd of the logarithms; 0: steady
  double second = 0.0;  ///< likewise
  double luck = 0.0;
  double factor = 1.0;
};

/// The tests as `ntune verify` makes them: skew is looked at where a ratio decides, and again one
/// pair in 32 later.
class Test {
 public:
  explicit Test(const Cell& cell) : cell_(cell) {}

  void run(Rng rng, std::int64_t most) {
    std::int64_t look = 0;
    while (differences_.count() < most && decision_ == 0) {
      add(rng);
      if (differences_.count() < 2) continue;
      const double ratio = sequential_t_ratio(differences_.count(), differences_.mean(),
                                              differences_.sd(), 0.0, kTestedEffect);
      if (decision_of(ratio) == 0) continue;
      if (plain_ == 0) plain_ = decision_of(ratio);
      if (differences_.count() < look) continue;
      look = differences_.count() + 1 + differences_.count() / 32;
      decision_ = decision_of(skewed_t_ratio(differences_, first_, second_, 0.0, kTestedEffect));
    }
  }

  [[nodiscard]] int decision() const { return decision_; }
  [[nodiscard]] int plain() const { return plain_; }
  [[nodiscard]] std::int64_t pairs() const { return differences_.count(); }

 private:
  void add(Rng& rng) {
    const double shared = std::sqrt(cell_.luck) * rng.normal();
    const auto cost = [&](double sd) {
      const double own = std::sqrt(1.0 - cell_.luck) * rng.normal();
      return std::exp(sd * (shared + own) - 0.5 * sd * sd);
    };
    const double ours = -cell_.factor * cost(cell_.first);
    const double theirs = -cost(cell_.second);
    first_.add(ours);
    second_.add(theirs);
    differences_.add(ours - theirs);
  }
  [[nodiscard]] int decision_of(double ratio) const {
    return ratio >= bounds_.high ? 1 : ratio <= bounds_.low ? -1 : 0;
  }

  Cell cell_;
  SprtBounds bounds_ = sprt_bounds(kTestError, kTestError);
  RunningStats first_ = {};
  RunningStats second_ = {};
  RunningStats differences_ = {};
  int decision_ = 0;
  int plain_ = 0;
};

void print_cell(const Cell& cell, std::int64_t tests, std::int64_t most) {
  std::int64_t better = 0;
  std::int64_t worse = 0;
  std::int64_t plain = 0;
  std::int64_t pairs = 0;
  for (std::int64_t i = 0; i < tests; ++i) {
    Test test(cell);
    test.run(Rng(1).stream("test", static_cast<std::uint64_t>(i)), most);
    better += test.decision() > 0 ? 1 : 0;
    worse += test.decision() < 0 ? 1 : 0;
    plain += test.plain() > 0 ? 1 : 0;
    pairs += test.pairs();
  }
  const auto share = [tests](std::int64_t count) {
    return 100.0 * static_cast<double>(count) / static_cast<double>(tests);
  };
  fmt::print("{},{},{},{},{},{:.2f},{:.2f},{:.2f},{}\n", cell.first, cell.second, cell.luck,
             cell.factor, tests, share(better), share(worse), share(plain), pairs / tests);
  std::fflush(stdout);
}

}  // namespace

}  // namespace ntune

int main(int argc, char** argv) {
  CLI::App program("How often the sequential test of skewed costs decides for a setting, as CSV");
  std::int64_t tests = 2000;
  std::int64_t most = 3000;
  std::int64_t other_tests = 500;
  program.add_option("--tests", tests, "tests of each row of settings that are worth the same");
  program.add_option("--other-tests", other_tests, "tests of each other row");
  program.add_option("--pairs", most, "pairs of a test at most");
  return ntune::run_experiment(program, argc, argv, [&] {
    fmt::print("first,second,luck,factor,tests,better,not_better,plain,pairs\n");
    for (const double factor : {1.0, 0.8, 1.25}) {
      if (factor != 1.0) tests = other_tests;
      for (const double sd : {1.0, 1.5, 2.0}) {
        ntune::print_cell({.first = sd, .factor = factor}, tests, most);
        ntune::print_cell({.second = sd, .factor = factor}, tests, most);
        ntune::print_cell({.first = sd, .second = sd, .factor = factor}, tests, most);
        ntune::print_cell({.first = sd, .second = sd, .luck = 0.8, .factor = factor}, tests, most);
      }
    }
  });
}
