#include "ntune/optim/rivals/spsa.h"

#include <cmath>
#include <vector>

#include "catch.h"
#include "support/optimisers.h"
#include "support/spaces.h"

namespace ntune {

using test::grid_space;
using test::make_context;
using test::make_point;

TEST_CASE("spsa: the first move, by hand") {
  // The middle of 11 values is index 5, a fifth of the range of 10 away are 3 and 7.
  const SearchSpace space = grid_space({11});
  Spsa search({.perturbation = 0.2, .step = 0.1}, make_context(space, 100));
  Rng rng(1);
  double payoffs[2] = {};
  Point sides[2];
  for (int i = 0; i < 2; ++i) {
    sides[i] = search.ask(rng).point;
    payoffs[i] = sides[i][0] == 7 ? 1.0 : 0.0;
    search.tell(sides[i], payoffs[i]);
  }
  CHECK(sides[0][0] + sides[1][0] == 10);
  CHECK(std::abs(sides[0][0] - sides[1][0]) == 4);
  CHECK(search.iterate()[0] == 0.5);
  search.ask(rng);
  // A difference of sqrt(2) deviations (of 0 and 1) over the first distance: sqrt(2) steps.
  CHECK(search.iterate()[0] == Approx(0.5 + 0.1 * std::sqrt(2.0)));
}

// Equations 2.1 and 2.2 of Spall 1992 with the gains of Spall 1998, in indices.
TEST_CASE("spsa: moves are those of a plain twin") {
  const SearchSpace space = grid_space({31, 51, 1, 21});
  const SpsaOptions options = {.perturbation = 0.1, .step = 0.02};
  constexpr int kBudget = 120;
  Spsa search(options, make_context(space, kBudget));
  Rng rng(2);
  Rng noise(3);
  std::vector<double> theta = {0.5, 0.5, 0.5, 0.5};
  RunningStats all;
  std::vector<double> sums(4, 0.0);  // of the iterates of the second half
  for (int k = 0; k < kBudget / 2 - 1; ++k) {
    const Point plus = search.ask(rng).point;
    REQUIRE(search.iterate()[0] == Approx(theta[0]).margin(1e-12));
    REQUIRE(search.iterate()[1] == Approx(theta[1]).margin(1e-12));
    REQUIRE(search.iterate()[3] == Approx(theta[3]).margin(1e-12));
    const double y_plus = test::height(space, plus) + 0.1 * noise.normal();
    search.tell(plus, y_plus);
    const Point minus = search.ask(rng).point;
    const double y_minus = test::height(space, minus) + 0.1 * noise.normal();
    search.tell(minus, y_minus);
    all.add(y_plus);
    all.add(y_minus);
    const double stability = 0.1 * kBudget / 2;
    const double a = 0.02 * 2 * 0.1 * std::pow(1 + stability, 0.602);
    const double a_k = a / std::pow(k + 1 + stability, 0.602);
    const double c_k = 0.1 / std::pow(k + 1.0, 0.101);
    for (int i : {0, 1, 3}) {
      const double range = space[i].cardinality() - 1;
      double& x = theta[static_cast<std::size_t>(i)];
      REQUIRE(std::abs(plus[i] - x * range) <= c_k * range + 0.501);
      REQUIRE(std::abs(minus[i] - x * range) <= c_k * range + 0.501);
      REQUIRE(plus[i] != minus[i]);
      x += a_k * (y_plus - y_minus) / all.sd() / ((plus[i] - minus[i]) / range);
      x = std::min(1.0, std::max(0.0, x));
      if (2 * k >= kBudget / 2) sums[static_cast<std::size_t>(i)] += x;
    }
  }
  // The last point is their mean.
  const Point last = search.ask(rng).point;
  constexpr int kSummed = kBudget / 4 - 1;
  for (int i : {0, 1, 3}) {
    const double range = space[i].cardinality() - 1;
    CHECK(last[i] == std::lround(sums[static_cast<std::size_t>(i)] / kSummed * range));
  }
}

TEST_CASE("spsa: of two points as near to the iterate the one that pays more is recommended") {
  // The middle of 9 values is index 4; a quarter of the range of 8 away are 2 and 6.
  const SearchSpace space = grid_space({9});
  for (const int better : {2, 6}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      Spsa search({.perturbation = 0.25, .step = 0.1}, make_context(space, 100));
      Rng rng(seed);
      for (int i = 0; i < 2; ++i) {
        const Point side = search.ask(rng).point;
        search.tell(side, side[0] == better ? 1.0 : 0.0);
      }
      CHECK(search.recommend().point == make_point({better}));
    }
  }
}

TEST_CASE("spsa: climbs a noisy slope, and the last evaluations are of the iterate") {
  const SearchSpace space = grid_space({9, 9, 9});
  double mean = 0.0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const test::Trace trace =
        test::run("spsa", space, 400, seed, [&](const Point& point, Rng& rng) {
          return test::height(space, point) + 0.3 * rng.normal();
        });
    CHECK(trace.points[398] == trace.points[399]);
    CHECK(trace.recommendation.point == trace.points[399]);
    mean += test::height(space, trace.recommendation.point) / 10.0;
  }
  CHECK(mean > 0.85);
}

TEST_CASE("spsa: a pair that lost an evaluation moves nothing") {
  const SearchSpace space = grid_space({11});
  Spsa search({}, make_context(space, 100));
  Rng rng(1);
  search.tell(search.ask(rng).point, 1.0);
  search.ask(rng);  // its evaluation is lost
  search.ask(rng);
  CHECK(search.iterate()[0] == 0.5);
}

TEST_CASE("spsa: a side that fails loses against one that does not") {
  const SearchSpace space = grid_space({11});
  Spsa search({}, make_context(space, 100));
  Rng rng(1);
  const Point worked = search.ask(rng).point;
  search.tell(worked, 1.0);
  search.tell({.point = search.ask(rng).point}, {.failed = true});
  search.ask(rng);
  CHECK((search.iterate()[0] > 0.5) == (worked[0] > 5));
  CHECK(search.iterate()[0] != 0.5);
}

}  // namespace ntune
