#include "apps/amazons/experiments/conjecture.h"

#include <algorithm>

#include "agents/tds_cases.h"
#include "catch.h"
#include "games/amazons/fitted.h"
#include "ntune/games/amazons/database/database.h"

namespace ntune {
namespace {

Parallel& parallel() {
  static Parallel two(2);
  return two;
}
const AmazonsRectangle& positions() {
  static const AmazonsRectangle built({4, 4}, 14);
  return built;
}

const ConjectureCount& reading(const ConjectureReport& report, ConjectureReading one) {
  return report.readings[static_cast<std::size_t>(one)];
}

}  // namespace

TEST_CASE("a rectangle's values are those of the database and of a plain solver") {
  const AmazonsDatabase database = AmazonsDatabase::build(parallel());
  int compared = 0;
  for (const int empties : {0, 3, 5, 14}) {
    positions().for_each_position(empties, [&](const AmazonsRectangle::Position& position) {
      if (compared++ % 7 != 0) return;
      const auto small = test::amazons_fitted<4>(position);
      REQUIRE(small);
      CHECK(positions().value(position) == database.value(*small));
    });
  }
  const AmazonsRectangle wide({5, 3}, 4);
  ThermographSolver<AmazonsRectangle::Position> solver;
  compared = 0;
  wide.for_each_position(4, [&](const AmazonsRectangle::Position& position) {
    if (compared++ % 61 != 0) return;
    CHECK(wide.value(position) == solver.solve(position)->value());
    const auto [entry, is_negative] = wide.image(position);
    CHECK(wide.image(position.negative()).entry == entry);
  });
  CHECK(compared == 15 * 14 * 715);
}

TEST_CASE("2-delta conjecture: the same on a board and on the board turned") {
  const AmazonsRectangle wide({4, 5}, 4);
  const AmazonsRectangle tall({5, 4}, 4);
  const auto one = check_two_delta_conjecture(wide, 1, 0, 4, 0, parallel());
  const auto other = check_two_delta_conjecture(tall, 1, 0, 4, 0, parallel());
  CHECK(one.cases == 2 * 380 * 4048);
  CHECK(one.cases == other.cases);
  CHECK(one.mean_exact == other.mean_exact);
  for (std::size_t i = 0; i < kConjectureReadings; ++i) {
    CHECK(one.readings[i].violations == other.readings[i].violations);
    CHECK(one.readings[i].worst == other.readings[i].worst);
  }
}

TEST_CASE("2-delta conjecture: with a fine delta means and rounded temperatures are exact") {
  // Positions times players who begin, coupons delta too low, coupons of ties to the board that are
  // too high, by number of empty squares.
  struct Known {
    int cases;
    int below;
    int above;
  };
  const std::vector<Known> known = {
      {480, 0, 0}, {6720, 0, 0}, {43680, 0, 376}, {174720, 352, 2976}, {480480, 2208, 15328}};
  for (int n = 1; n <= 4; ++n) {
    const auto report = check_two_delta_conjecture(positions(), n, n, n, 0, parallel());
    const Known& expected = known[static_cast<std::size_t>(n)];
    CHECK(report.cases == expected.cases);
    CHECK(report.prior_below == expected.below);
    CHECK(report.prior_exact == expected.cases - expected.below);
    CHECK(report.rounded_wrong == 0);
    CHECK(report.top_above == expected.above);
    CHECK(report.top_exact == expected.cases - expected.above);
    CHECK(report.mean_exact == expected.cases);
    CHECK(report.worst_mean == 0);
  }
}

TEST_CASE("2-delta conjecture: false with ties to the coupon from 4 empty squares on") {
  for (int exponent = 0; exponent <= 2; ++exponent) {
    const auto report = check_two_delta_conjecture(positions(), exponent, 0, 3, 0, parallel());
    CHECK(reading(report, ConjectureReading::kCouponPrior).violations == 0);
  }
  const auto report = check_two_delta_conjecture(positions(), 1, 4, 4, 1000, parallel());
  CHECK(reading(report, ConjectureReading::kBoardPrior).violations == 0);
  CHECK(reading(report, ConjectureReading::kBoardTop).violations == 0);
  const ConjectureCount& count = reading(report, ConjectureReading::kCouponPrior);
  CHECK(count.violations > 0);
  const auto failure =
      std::find_if(count.failures.begin(), count.failures.end(), [](const ConjectureFailure& one) {
        return amazons_text(one.position, {4, 4}) == "####/#.##/.W.#/#B#.";
      });
  REQUIRE(failure != count.failures.end());
  CHECK(failure->temperature == Dyadic::ratio(3, 3));
  CHECK(failure->found == -1);
  CHECK(failure->black_at_even_levels);
}

namespace {

struct Known {
  std::array<std::int64_t, kConjectureReadings> violations;
  std::array<double, kConjectureReadings> worst;  // in delta
};

/// delta = 1, 1/2, 1/4 …
void check_conjecture(const AmazonsRectangle& all, const std::vector<Known>& known) {
  for (std::size_t exponent = 0; exponent < known.size(); ++exponent) {
    INFO("delta 2^-" << exponent);
    const auto report =
        check_two_delta_conjecture(all, static_cast<int>(exponent), 0, all.most(), 0, parallel());
    for (std::size_t i = 0; i < kConjectureReadings; ++i) {
      INFO("R" << i + 1);
      CHECK(report.readings[i].violations == known[exponent].violations[i]);
      CHECK(report.readings[i].worst.to_double() * (1 << exponent) == known[exponent].worst[i]);
    }
  }
}

}  // namespace

TEST_CASE("2-delta conjecture: all positions of 4x4, delta from 1 to 1/32", "[slow]") {
  check_conjecture(positions(), {{{6960, 0, 0, 18872}, {4.5, 1.0, 1.75, 4.5}},
                                 {{13632, 0, 0, 46448}, {7.25, 0.125, 1.125, 8.25}},
                                 {{4056, 0, 0, 18912}, {12, 0, 1, 13}},
                                 {{736, 0, 0, 4704}, {14, 0, 0.875, 15}},
                                 {{48, 0, 0, 1104}, {8.25, 0, 0.75, 9.25}},
                                 {{0, 0, 0, 128}, {1.5, 0, 0.75, 2.5}}});
}

TEST_CASE("2-delta conjecture: 4x5 with up to six empty squares, delta from 1 to 1/16", "[slow]") {
  check_conjecture(AmazonsRectangle({4, 5}, 6), {{{808, 0, 0, 1052}, {3, 1, 1.28125, 3}},
                                                 {{8516, 0, 0, 16796}, {5, 0, 1, 5}},
                                                 {{68, 0, 0, 2484}, {3.5, 0, 0.875, 4.5}},
                                                 {{0, 0, 0, 400}, {2, 0, 0.75, 3}},
                                                 {{0, 0, 0, 0}, {1, 0, 0.5, 2}}});
}

}  // namespace ntune
