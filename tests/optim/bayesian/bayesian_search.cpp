// The loop that the Bayesian models share.

#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "catch.h"
#include "ntune/optim/bayesian/gaussian_process_search.h"
#include "ntune/optim/claims/point_claims.h"
#include "support/optimisers.h"
#include "support/spaces.h"

namespace ntune {

using test::grid_space;

namespace {

/// Standard deviation that a search believes of a corner far from what it was told: 19 payoffs of
/// `low`, one of `high`.
double doubt(double low, double high, std::optional<double> least, std::optional<double> most) {
  const SearchSpace space = grid_space({30, 30});
  GaussianProcessSearch search(
      GaussianProcessOptions{},
      {.space = &space, .budget = 100, .payoff_low = least, .payoff_high = most});
  Point point(2);
  for (int i = 0; i < 20; ++i) {
    point[0] = static_cast<std::uint16_t>(i % 5);
    point[1] = static_cast<std::uint16_t>(i / 5);
    search.tell(point, i == 7 ? high : low);
  }
  point[0] = point[1] = 29;
  return search.belief(point).value().sd.value();
}

}  // namespace

TEST_CASE("where most payoffs are lost, the declared range says how much there is to win") {
  const double plain = doubt(-1.0, 1.0, {}, {});
  const double declared = doubt(-1.0, 1.0, -1.0, 1.0);
  // The standard deviation of the payoffs is 0.45.
  CHECK(declared > 1.5 * plain);
  // Prior variance 0.2 in each of three parts.
  CHECK(declared == Approx(std::sqrt(0.6)).epsilon(0.35));
}

TEST_CASE("a declared range that is far too wide does not count") {
  const double plain = doubt(-1.0, 1.0, {}, {});
  CHECK(doubt(-1.0, 1.0, -1e9, 1e9) < 4.0 * plain);
}

TEST_CASE("a Bayesian search does not depend on the unit of the payoffs") {
  CHECK(doubt(-1000.0, 1000.0, -1000.0, 1000.0) == Approx(1000.0 * doubt(-1.0, 1.0, -1.0, 1.0)));
}

TEST_CASE("without noise no point is asked for twice, and the best payoff is recommended") {
  const SearchSpace space = grid_space({5, 5});
  GaussianProcessSearch search(GaussianProcessOptions{},
                               {.space = &space, .budget = 100, .noisy = false});
  Rng rng(3);
  std::set<std::pair<int, int>> asked;
  for (int i = 0; i < 25; ++i) {
    CHECK_FALSE(search.done());
    const Point point = search.ask(rng);
    CHECK(asked.insert({point[0], point[1]}).second);
    // The best point is alone among bad ones.
    search.tell(point, point == test::make_point({4, 2}) ? 1.25 : 0.25 - 0.1 * point[0]);
  }
  CHECK(search.done());
  const Recommendation recommendation = search.recommend();
  CHECK(recommendation.point == test::make_point({4, 2}));
  CHECK(recommendation.estimate == Approx(1.25).epsilon(1e-12));
  CHECK(search.belief(recommendation.point).value().mean == Approx(1.25).epsilon(1e-12));
  CHECK(certainty_of(search, space, {.noisy = false}).value().sd == 0.0);
}

TEST_CASE("without noise a search that holds as many points as it may is done") {
  const SearchSpace space = grid_space({5, 5});
  GaussianProcessOptions options;
  options.search.most_points = 10;
  GaussianProcessSearch search(options, {.space = &space, .budget = 100, .noisy = false});
  Rng rng(3);
  for (int i = 0; i < 10; ++i) {
    CHECK_FALSE(search.done());
    search.tell(search.ask(rng), 0.1 * i);
  }
  CHECK(search.done());
}

TEST_CASE("payoffs that are told at once make the model that they make one by one") {
  const SearchSpace space = grid_space({6, 6});
  std::vector<Point> points;
  std::vector<double> payoffs;
  Rng rng(5);
  for (int i = 0; i < 400; ++i) {
    points.push_back(space.sample(rng));
    const double distance = std::abs(points.back()[0] - 4) + std::abs(points.back()[1] - 1);
    payoffs.push_back(rng.bernoulli(0.8 - 0.08 * distance) ? 1.0 : 0.0);
  }
  for (const char* name : {"gaussian_process", "regression_n_tuple"}) {
    CAPTURE(name);
    const OptimiserPlan plan = test::make_plan(name, space);
    const auto at_once = plan.make(test::make_context(space, 1000));
    const auto one_by_one = plan.make(test::make_context(space, 1000));
    at_once->tell_all(points, payoffs);
    for (std::size_t i = 0; i < points.size(); ++i) one_by_one->tell(points[i], payoffs[i]);
    CHECK(at_once->recommend().evaluations == one_by_one->recommend().evaluations);
    for (const Point& point : points) {
      const Belief belief = at_once->belief(point).value();
      const Belief other = one_by_one->belief(point).value();
      // The hyperparameters were fitted to fewer payoffs, up to two thirds.
      REQUIRE(std::abs(belief.mean - other.mean) < 0.5 * other.sd.value());
      REQUIRE(*belief.sd == Approx(*other.sd).epsilon(0.4));
    }
    const Point next = at_once->ask(rng);
    at_once->tell(next, 1.0);
    CHECK(at_once->belief(next).value().mean > 0.0);
  }
}

}  // namespace ntune
