#include "ntune/optim/models/count_table.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "catch.h"

namespace ntune {

namespace {

constexpr std::int64_t kBudget = 1000;

double weight(const Weighting* weighting, std::uint32_t n, double horizon = 15.0) {
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
    const Weighting* weighting;
    std::uint32_t n;
    double weight;
  };
  const std::vector<Row> rows = {
      {entry_named(kWeightings, "none"), 0, 1.0},
      {entry_named(kWeightings, "none"), 7, 1.0},
      {entry_named(kWeightings, "linear"), 0, 0.0},
      {entry_named(kWeightings, "linear"), 1, 0.0666666666666667},
      {entry_named(kWeightings, "linear"), 6, 0.4},
      {entry_named(kWeightings, "linear"), 14, 0.933333333333333},
      {entry_named(kWeightings, "linear"), 15, 1.0},
      {entry_named(kWeightings, "linear"), 16, 1.0},
      {entry_named(kWeightings, "linear"), 999, 1.0},
      {entry_named(kWeightings, "inverse_root"), 0, 0.0},
      {entry_named(kWeightings, "inverse_root"), 1, 0.0317541634481457},  // 1 - sqrt(15 / 16)
      {entry_named(kWeightings, "inverse_root"), 15,
       0.292893218813452},  // the paper: 0.71 is left after T
      {entry_named(kWeightings, "inverse_root"), 45, 0.5},
      {entry_named(kWeightings, "inverse_root"), 225, 0.75},
      {entry_named(kWeightings, "inverse"), 0, 0.0},
      {entry_named(kWeightings, "inverse"), 1, 0.0625},
      {entry_named(kWeightings, "inverse"), 5, 0.25},
      {entry_named(kWeightings, "inverse"), 15, 0.5},
      {entry_named(kWeightings, "inverse"), 60, 0.8},
      {entry_named(kWeightings, "exponential"), 0, 0.0},
      {entry_named(kWeightings, "exponential"), 1, 0.0644930149683822},  // 1 - exp(-1 / 15)
      {entry_named(kWeightings, "exponential"), 15, 0.632120558828558},  // 1 - 1 / e
      {entry_named(kWeightings, "exponential"), 30, 0.864664716763387},
  };
  for (const Row& row : rows) {
    CAPTURE(row.weighting->name, row.n);
    CHECK(weight(row.weighting, row.n) == Approx(row.weight).epsilon(1e-13).margin(1e-15));
  }
}

TEST_CASE("count table: weights lie in [0, 1], rise with n, start at 0 and tend to 1") {
  for (const Weighting& weighting : kWeightings) {
    if (weighting.weight == nullptr) continue;
    for (const double horizon : {1e-3, 0.5, 1.0, 15.0, 1e6}) {
      CAPTURE(weighting.name, horizon);
      const CountTable table({.tuples = {}, .weighting = &weighting, .horizon = horizon}, kBudget);
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
  options.exploration = entry_named(kExplorations, "square_root");
  CHECK(exploration(options, 0, 81) == Approx(4.24264068711929));  // sqrt(9 / 0.5)
  CHECK(exploration(options, 4, 81) == Approx(1.41421356237310));  // sqrt(9 / 4.5)
  options.exploration = entry_named(kExplorations, "ratio");
  options.epsilon = 0.1;
  CHECK(exploration(options, 0, 99) == Approx(std::sqrt(std::log(1000.0))));
  CHECK(exploration(options, 9, 90) == Approx(std::sqrt(std::log(10.0))));
  CHECK(exploration(options, 99, 99) == Approx(std::sqrt(std::log(100.0 / 99.1))));
  options.epsilon = 7.0;
  CHECK(exploration(options, 3, 3) == 0.0);  // ln(4 / 10) < 0
}

TEST_CASE("count table: every exploration falls with the visits and rises with all evaluations") {
  for (const Exploration& form : kExplorations) {
    const ModelOptions options = {.tuples = {}, .exploration = &form};
    for (const std::int64_t total : {2, 10, 1000}) {
      for (std::uint32_t n = 0; n < 20; ++n) {
        CAPTURE(form.name, total, n);
        const double term = exploration(options, n, total);
        CHECK(term == Approx(form.term(n, static_cast<double>(total), options.epsilon)));
        CHECK(term >= 0.0);
        CHECK(exploration(options, n + 1, total) <= term);
        CHECK(exploration(options, n, total + 1) >= term);
      }
    }
  }
}

TEST_CASE("count table: rows beyond the table equal those of a longer one") {
  for (const Weighting& weighting : kWeightings) {
    for (const Exploration& form : kExplorations) {
      CAPTURE(weighting.name, form.name);
      const ModelOptions options = {.tuples = {}, .weighting = &weighting, .exploration = &form};
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
  const CountTable huge({.tuples = {}, .weighting = entry_named(kWeightings, "inverse")},
                        std::int64_t{1} << 40);
  CHECK(huge.row(3'000'000'000U).weight == Approx(1.0 - 15.0 / 3'000'000'015.0).epsilon(1e-14));
  CHECK(huge.row((1U << 20) - 1).reciprocal == Approx(1.0 / ((1U << 20) - 1)));
  CHECK(huge.row(1U << 20).reciprocal == Approx(1.0 / (1U << 20)));
}

}  // namespace ntune
