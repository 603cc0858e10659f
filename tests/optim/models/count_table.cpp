#include "ntune/optim/models/count_table.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "catch.h"

namespace ntune {

namespace {

constexpr std::int64_t kBudget = 1000;

double weight(Weighting weighting, std::uint32_t n, double horizon = 15.0) {
  const CountTable table({.tuples = {}, .weighting = weighting, .horizon = horizon}, kBudget);
  return table.row(n).weight;
}

double exploration(const ModelOptions& options, std::uint32_t n, std::int64_t total) {
  CountTable table(options, kBudget);
  table.set_total(total);
  return table.exploration(table.row(n).exploration) * table.exploration_factor();
}

}  // namespace

TEST_CASE("count table: weights of eq. 7 to 10 for T = 15") {
  struct Row {
    Weighting weighting;
    std::uint32_t n;
    double weight;
  };
  const std::vector<Row> rows = {
      {Weighting::kNone, 0, 1.0},
      {Weighting::kNone, 7, 1.0},
      {Weighting::kLinear, 0, 0.0},
      {Weighting::kLinear, 1, 0.0666666666666667},
      {Weighting::kLinear, 6, 0.4},
      {Weighting::kLinear, 14, 0.933333333333333},
      {Weighting::kLinear, 15, 1.0},
      {Weighting::kLinear, 16, 1.0},
      {Weighting::kLinear, 999, 1.0},
      {Weighting::kInverseRoot, 0, 0.0},
      {Weighting::kInverseRoot, 1, 0.0317541634481457},  // 1 - sqrt(15 / 16)
      {Weighting::kInverseRoot, 15, 0.292893218813452},  // the paper: 0.71 is left after T
      {Weighting::kInverseRoot, 45, 0.5},
      {Weighting::kInverseRoot, 225, 0.75},
      {Weighting::kInverse, 0, 0.0},
      {Weighting::kInverse, 1, 0.0625},
      {Weighting::kInverse, 5, 0.25},
      {Weighting::kInverse, 15, 0.5},
      {Weighting::kInverse, 60, 0.8},
      {Weighting::kExponential, 0, 0.0},
      {Weighting::kExponential, 1, 0.0644930149683822},  // 1 - exp(-1 / 15)
      {Weighting::kExponential, 15, 0.632120558828558},  // 1 - 1 / e
      {Weighting::kExponential, 30, 0.864664716763387},
  };
  for (const Row& row : rows) {
    CAPTURE(static_cast<int>(row.weighting), row.n);
    CHECK(weight(row.weighting, row.n) == Approx(row.weight).epsilon(1e-13).margin(1e-15));
  }
}

TEST_CASE("count table: weights lie in [0, 1], rise with n, start at 0 and tend to 1") {
  for (const Weighting weighting : {Weighting::kLinear, Weighting::kInverse,
                                    Weighting::kInverseRoot, Weighting::kExponential}) {
    for (const double horizon : {1e-3, 0.5, 1.0, 15.0, 1e6}) {
      CAPTURE(static_cast<int>(weighting), horizon);
      const CountTable table({.tuples = {}, .weighting = weighting, .horizon = horizon}, kBudget);
      CHECK(table.row(0).weight == 0.0);
      double last = 0.0;
      for (std::uint32_t n = 1; n <= 2 * kBudget; ++n) {
        const double w = table.row(n).weight;
        REQUIRE(w >= last);
        REQUIRE(w <= 1.0);
        last = w;
      }
      CHECK(last > 0.0);
      CHECK(table.row(4'000'000'000U).weight > 0.98);
    }
  }
}

TEST_CASE("count table: reciprocal and seen") {
  const CountTable table({}, kBudget);
  CHECK(table.row(0).reciprocal == 0.0);
  CHECK(table.row(0).seen == 0.0);
  for (std::uint32_t n = 1; n <= 2 * kBudget; ++n) {
    REQUIRE(table.row(n).reciprocal == 1.0 / n);
    REQUIRE(table.row(n).seen == 1.0);
  }
}

TEST_CASE("count table: exploration terms by hand") {
  ModelOptions options;                                            // ucb1, epsilon 0.5
  CHECK(exploration(options, 0, 99) == Approx(3.03485425877029));  // sqrt(ln 100 / 0.5)
  CHECK(exploration(options, 7, 99) == Approx(std::sqrt(std::log(100.0) / 7.5)));
  options.exploration = Exploration::kSquareRoot;
  CHECK(exploration(options, 0, 81) == Approx(4.24264068711929));  // sqrt(9 / 0.5)
  CHECK(exploration(options, 4, 81) == Approx(1.41421356237310));  // sqrt(9 / 4.5)
  options.exploration = Exploration::kRatio;
  options.epsilon = 0.1;
  CHECK(exploration(options, 0, 99) == Approx(std::sqrt(std::log(1000.0))));
  CHECK(exploration(options, 9, 90) == Approx(std::sqrt(std::log(10.0))));
  CHECK(exploration(options, 99, 99) == Approx(std::sqrt(std::log(100.0 / 99.1))));
  options.epsilon = 7.0;
  CHECK(exploration(options, 3, 3) == 0.0);  // ln(4 / 10) < 0
}

TEST_CASE("count table: rows beyond the table equal those of a longer one") {
  for (int w = 0; w < 5; ++w) {
    for (int e = 0; e < 3; ++e) {
      CAPTURE(w, e);
      const ModelOptions options = {.tuples = {},
                                    .weighting = static_cast<Weighting>(w),
                                    .exploration = static_cast<Exploration>(e)};
      const CountTable small(options, 1);
      const CountTable large(options, 3000);
      for (std::uint32_t n = 0; n <= 3000; n += 1 + n / 50) {
        const CountTable::Row a = small.row(n);
        const CountTable::Row b = large.row(n);
        REQUIRE(a.weight == Approx(b.weight).epsilon(1e-14));
        REQUIRE(a.exploration == Approx(b.exploration).epsilon(1e-14));
        REQUIRE(a.reciprocal == Approx(b.reciprocal).epsilon(1e-14));
        REQUIRE(a.seen == b.seen);
      }
    }
  }
  // A budget beyond the longest table.
  const CountTable huge({.tuples = {}, .weighting = Weighting::kInverse}, std::int64_t{1} << 40);
  CHECK(huge.row(3'000'000'000U).weight == Approx(1.0 - 15.0 / 3'000'000'015.0).epsilon(1e-14));
  CHECK(huge.row((1U << 20) - 1).reciprocal == Approx(1.0 / ((1U << 20) - 1)));
  CHECK(huge.row(1U << 20).reciprocal == Approx(1.0 / (1U << 20)));
}

}  // namespace ntune
