// Parzen densities against counts and quadrature, and the choice of the next point.

#include "ntune/optim/rivals/tpe.h"

#include <cmath>
#include <vector>

#include "catch.h"
#include "ntune/optim/rivals/parzen.h"
#include "support/optimisers.h"
#include "support/spaces.h"

namespace ntune {

using test::grid_space;
using test::make_context;
using test::make_point;
using test::yaml_space;

namespace {

/// Mass of the unit cell of a value under a normal distribution about a centre, by quadrature.
double cell(double centre, double spread, double value) {
  constexpr int kSteps = 2000;
  double sum = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    const double z = (value - 0.5 + (i + 0.5) / kSteps - centre) / spread;
    sum += std::exp(-z * z / 2.0) / kSteps;
  }
  return sum;
}

std::vector<const Point*> pointers(const std::vector<Point>& points) {
  std::vector<const Point*> result;
  for (const Point& point : points) result.push_back(&point);
  return result;
}

double log_density(const ParzenDensity& density, const Point& point) {
  return density.log_densities({&point, 1})[0];
}

}  // namespace

TEST_CASE("parzen: the kernel of an ordered parameter is a normal distribution, cut off") {
  for (const int values : {2, 5, 70}) {
    const SearchSpace space = grid_space({values});
    for (const double spread : {0.02, 0.2, 1.0}) {
      const AxisKernel kernel(space[0], spread);
      for (const int centre : {0, values / 2, values - 1}) {
        double all = 0.0;
        double total = 0.0;
        for (int value = 0; value < values; ++value) {
          all += cell(centre, std::max(0.05, spread * values), value);
          total += kernel.mass(centre, value);
        }
        CHECK(total == Approx(1.0));
        for (int value = 0; value < values; ++value) {
          const double expected = cell(centre, std::max(0.05, spread * values), value) / all;
          REQUIRE(kernel.mass(centre, value) == Approx(expected).margin(1e-4));
        }
      }
    }
  }
}

TEST_CASE("parzen: values are drawn as often as their mass says") {
  const SearchSpace space = yaml_space("{n: [1, 2, 3, 4, 5], w: [a, b, c]}");
  constexpr int kDraws = 20'000;
  for (int parameter : {0, 1}) {
    const AxisKernel kernel(space[parameter], 0.3);
    std::vector<int> counts(space[parameter].values.size(), 0);
    Rng rng(4);
    for (int n = 0; n < kDraws; ++n) ++counts[static_cast<std::size_t>(kernel.draw(1, rng))];
    for (int value = 0; value < std::ssize(counts); ++value) {
      const double p = kernel.mass(1, value);
      CHECK(std::abs(counts[static_cast<std::size_t>(value)] - kDraws * p) <
            4.5 * std::sqrt(kDraws * p * (1.0 - p)));
    }
  }
}

TEST_CASE("parzen: without spread the densities are counts and the prior") {
  const SearchSpace space = yaml_space("{u: [a, b, c], v: [x, y]}");
  const std::vector<Point> points = {make_point({0, 0}), make_point({0, 1}), make_point({1, 1})};
  const ParzenDensity single(space, pointers(points), 0.0, false);
  CHECK(single.density(0, 0) == Approx((2.0 + 1.0 / 3.0) / 4.0));
  CHECK(single.density(0, 2) == Approx((1.0 / 3.0) / 4.0));
  CHECK(log_density(single, make_point({0, 1})) ==
        Approx(std::log((2.0 + 1.0 / 3.0) / 4.0 * (2.0 + 0.5) / 4.0)));
  const ParzenDensity joint(space, pointers(points), 0.0, true);
  CHECK(log_density(joint, make_point({0, 1})) == Approx(std::log((1.0 + 1.0 / 6.0) / 4.0)));
  CHECK(log_density(joint, make_point({2, 0})) == Approx(std::log((1.0 / 6.0) / 4.0)));
}

TEST_CASE("parzen: a joint density is the mean of products of kernels and of the prior") {
  const SearchSpace space = yaml_space("{u: [a, b, c], v: {integers: [1, 100]}, w: [1, 2, 3, 4]}");
  Rng rng(5);
  const auto points_of = [&](int count) {
    std::vector<Point> points;
    for (int i = 0; i < count; ++i) points.push_back(space.sample(rng));
    return points;
  };
  const std::vector<Point> centres = points_of(40);
  const std::vector<Point> points = points_of(61);
  const std::vector<double> densities =
      ParzenDensity(space, pointers(centres), 0.2, true).log_densities(points);
  REQUIRE(densities.size() == points.size());
  const double spread = 0.2 * std::pow(40.0, -1.0 / 7.0);
  for (std::size_t p = 0; p < points.size(); ++p) {
    double sum = 1.0 / 1200.0;
    for (const Point& centre : centres) {
      double product = 1.0;
      for (int i = 0; i < 3; ++i) {
        product *= AxisKernel(space[i], spread).mass(centre[i], points[p][i]);
      }
      sum += product;
    }
    CHECK(densities[p] == Approx(std::log(sum / 41.0)));
  }
}

TEST_CASE("parzen: a density counts a parameter only where it is active") {
  const SearchSpace space = yaml_space("kind: [a, b]\nx: {choices: [u, v], when: {kind: b}}\n");
  const std::vector<Point> points = {make_point({0, 0}), make_point({0, 0}), make_point({1, 1})};
  const ParzenDensity density(space, pointers(points), 0.0, false);
  CHECK(density.density(1, 0) == Approx(0.25));
  CHECK(density.density(1, 1) == Approx(0.75));
  CHECK(log_density(density, make_point({0, 0})) == Approx(std::log((2.0 + 0.5) / 4.0)));
}

TEST_CASE("tpe: what wins is asked for, and points in flight push away") {
  const SearchSpace space = yaml_space("{u: [a, b, c, d], v: [x, y, z]}");
  for (const bool multivariate : {false, true}) {
    Tpe search({.multivariate = multivariate, .random = 0.0}, make_context(space, 200));
    Rng rng(6);
    for (int n = 0; n < 60; ++n) {
      const Point point = space.sample(rng);
      search.tell(point, point == make_point({2, 1}) ? 1.0 : -1.0);
    }
    int winners = 0;
    for (int n = 0; n < 20; ++n) winners += search.ask(rng).point == make_point({2, 1}) ? 1 : 0;
    CHECK(winners == 20);
    CHECK(search.recommend().point == make_point({2, 1}));
    for (int n = 0; n < 400; ++n) search.pending(make_point({2, 1}), true);
    winners = 0;
    for (int n = 0; n < 20; ++n) winners += search.ask(rng).point == make_point({2, 1}) ? 1 : 0;
    CHECK(winners == 0);
    for (int n = 0; n < 400; ++n) search.pending(make_point({2, 1}), false);
    winners = 0;
    for (int n = 0; n < 20; ++n) winners += search.ask(rng).point == make_point({2, 1}) ? 1 : 0;
    CHECK(winners == 20);
  }
}

TEST_CASE("tpe: equal payoffs are good together, or not, as comes nearer to the share") {
  // Of 20 payoffs 5 are wanted. Without spread the densities are counts.
  const SearchSpace space = yaml_space("{u: [a, b, c]}");
  struct Case {
    int best;    ///< payoffs of 1, of the value a
    int middle;  ///< payoffs of 0, of the value b; all others are -1, of c
    int asked;
  };
  // With those of b 13 would be good, without them 4 are, which is nearer: a is best. With those of
  // b 6 are good, without them 1 would be: b is best, as it was good most often.
  for (const auto& [best, middle, asked] : {Case{4, 9, 0}, Case{1, 5, 1}}) {
    CAPTURE(best, middle);
    Tpe search({.multivariate = false, .random = 0.0, .bandwidth = 0.0}, make_context(space, 100));
    Rng rng(1);
    for (int i = 0; i < 20; ++i) {
      const int value = i < best ? 0 : i < best + middle ? 1 : 2;
      search.tell(make_point({value}), 1.0 - value);
    }
    for (int i = 0; i < 20; ++i) CHECK(search.ask(rng).point == make_point({asked}));
  }
}

TEST_CASE("tpe: of two values that win and lose as often the one that works is asked for") {
  const SearchSpace space = yaml_space("{u: [a, b, c]}");
  Tpe search({.random = 0.0, .bandwidth = 0.0}, make_context(space, 100));
  Rng rng(1);
  for (int i = 0; i < 6; ++i) {
    search.tell(make_point({0}), 1.0);
    search.tell({.point = make_point({0})}, {.failed = true});
    search.tell(make_point({1}), 1.0);
    search.tell(make_point({1}), -1.0);
    search.tell(make_point({2}), -1.0);
    search.tell(make_point({2}), -1.0);
  }
  for (int i = 0; i < 20; ++i) CHECK(search.ask(rng).point == make_point({1}));
}

}  // namespace ntune
