// The loop that the Bayesian models share.

#include "ntune/optim/bayesian/bayesian_search.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "catch.h"
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
  BayesianSearch search(BayesianSearchOptions{},
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

namespace {

/// What a search asks for where a payoff is `slope` times a score, a multiple of 1/64, plus
/// `shift`.
std::vector<Point> asked(const BayesianSearchOptions& options, double slope, double shift,
                         std::optional<double> least = {}, std::optional<double> most = {}) {
  const SearchSpace space = grid_space({9, 9});
  BayesianSearch search(options,
                        {.space = &space, .budget = 60, .payoff_low = least, .payoff_high = most});
  Rng rng(3);
  Rng noise(4);
  std::vector<Point> points;
  for (int i = 0; i < 60; ++i) {
    points.push_back(search.ask(rng).point);
    const double score = points.back()[0] - 0.1 * points.back()[1] * points.back()[1];
    search.tell(points.back(), slope * std::round(64.0 * (score + noise.normal())) / 64.0 + shift);
  }
  return points;
}

/// The standard deviation that a search believes of a point it was told twelve payoffs of, with
/// this deviation of single ones, among others that it was told as often.
double doubt_of_told(double sd) {
  const SearchSpace space = grid_space({9, 9});
  BayesianSearch search(BayesianSearchOptions{}, {.space = &space, .budget = 200});
  Rng noise(4);
  for (int i = 0; i < 144; ++i) {
    const Point point = test::make_point({i % 12 % 4 * 2, i % 12 / 4 * 3});
    search.tell(point, point[0] + point[1] + sd * noise.normal());
  }
  return search.belief(test::make_point({2, 3})).value().sd.value();
}

}  // namespace

TEST_CASE("where constraints leave few points each is asked for first, unless k is a number") {
  const SearchSpace space = test::yaml_space(
      "x: {integers: [0, 3]}\ny: {integers: [0, 3]}\nforbid:\n  - {x: 2, y: [0, 1, 2, 3]}\n");
  REQUIRE(space.size().points == 12.0);
  const auto first_points = [&](std::int64_t budget, const BayesianSearchOptions& options) {
    BayesianSearch search(options, {.space = &space, .budget = budget});
    Rng rng(2);
    std::set<Point> points;
    for (int i = 0; i < 12; ++i) {
      const Point point = search.ask(rng).point;
      search.tell(point, rng.normal());
      points.insert(point);
    }
    return points.size();
  };
  CHECK(first_points(36, {}) == 12);
  CHECK(first_points(35, {}) < 12);
  BayesianSearchOptions three;
  three.k = {.automatic = false, .value = 3.0};
  CHECK(first_points(36, three) < 12);
}

TEST_CASE("with many parameters one ask changes many of them") {
  constexpr int kParameters = 40;
  const SearchSpace space = grid_space(std::vector<int>(kParameters, 2));
  for (const bool noisy : {true, false}) {
    BayesianSearch search(BayesianSearchOptions{},
                          {.space = &space, .budget = 200, .noisy = noisy});
    Rng rng(5);
    int best = 0;
    const auto sum_of = [](const Point& point) {
      int sum = 0;
      for (int i = 0; i < kParameters; ++i) sum += point[i];
      return sum;
    };
    for (int i = 0; i < 120; ++i) {
      const Point point = space.sample(rng);
      best = std::max(best, sum_of(point));
      search.tell(point, sum_of(point) + (noisy ? 0.5 * rng.normal() : 0.0));
    }
    // A mutant of the best point that was told has one or two more.
    CAPTURE(noisy, best);
    CHECK(sum_of(search.ask(rng).point) >= best + 5);
  }
}

TEST_CASE("the unit is the spread of payoffs, or half of a declared range within limits") {
  const SearchSpace space = grid_space({9});
  for (const double half : {2.0, 1e9}) {
    PayoffScale scale({.space = &space, .payoff_low = -half, .payoff_high = half});
    for (const double payoff : {-1.0, 0.0, 1.0}) scale.add(payoff);
    scale.fit_spread();
    CHECK(scale.unit() == Approx(1.0));
    scale.fit();
    CHECK(scale.unit() == Approx(std::min(half, 3.0)));
  }
}

TEST_CASE("a search among payoffs that are no games is the same whatever range is declared") {
  const BayesianSearchOptions open;
  BayesianSearchOptions three;
  three.k = {.automatic = false, .value = 3.0};
  const std::vector<Point> points = asked(open, 1.0, 0.0);
  CHECK(asked(open, 1.0, 0.0, -1000.0, 1000.0) == points);
  // A number for k keeps the unit that a range declares, as in older studies.
  CHECK(asked(three, 1.0, 0.0, -1000.0, 1000.0) != asked(three, 1.0, 0.0));
}

TEST_CASE("a search does not depend on the unit and the origin of payoffs, costs among them") {
  const std::vector<Point> points = asked({}, 1.0, 0.0);
  CHECK(asked({}, 1024.0, 0.0) == points);
  CHECK(asked({}, 1.0 / 1024.0, 0.0) == points);
  CHECK(asked({}, 1.0, -4096.0) == points);
  CHECK(asked({}, 8.0, -4096.0, -1e6, 0.0) == points);
}

TEST_CASE("the noisier payoffs are, the further a search believes they may be off") {
  double before = 0.0;
  for (const double sd : {0.01, 0.1, 0.5, 2.0}) {
    CAPTURE(sd);
    const double doubt = doubt_of_told(sd);
    CHECK(doubt > before);
    before = doubt;
  }
}

TEST_CASE("without noise no point is asked for twice, and the best payoff is recommended") {
  const SearchSpace space = grid_space({5, 5});
  BayesianSearch search(BayesianSearchOptions{}, {.space = &space, .budget = 100, .noisy = false});
  Rng rng(3);
  std::set<std::pair<int, int>> asked;
  for (int i = 0; i < 25; ++i) {
    CHECK_FALSE(search.done());
    const Point point = search.ask(rng).point;
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

TEST_CASE("each point is asked for several times in a row, as the budget suggests") {
  const SearchSpace space = grid_space({30, 30});
  struct Case {
    std::int64_t budget;
    bool noisy;
    AutoInteger repeats;
    int in_a_row;
  };
  const auto given = [](std::int64_t repeats) {
    return AutoInteger{.automatic = false, .value = repeats};
  };
  for (const Case& one : {Case{2000, true, {}, 1}, Case{2001, true, {}, 2}, Case{9000, true, {}, 5},
                          Case{9000, false, {}, 1}, Case{100, true, given(3), 3},
                          Case{9000, true, given(1), 1}, Case{100, false, given(3), 1}}) {
    CAPTURE(one.budget, one.noisy, one.in_a_row);
    BayesianSearchOptions options;
    options.repeats = one.repeats;
    BayesianSearch search(options, {.space = &space, .budget = one.budget, .noisy = one.noisy});
    Rng rng(3);
    Rng noise(4);
    // Three random points first, and some that the model chooses.
    for (int question = 0; question < 8; ++question) {
      const Point point = search.ask(rng).point;
      search.tell(point, point[0] + noise.normal());
      for (int i = 1; i < one.in_a_row; ++i) {
        CHECK(search.ask(rng).point == point);
        search.tell(point, point[0] + noise.normal());
      }
      CHECK(static_cast<int>(search.told().points->at(point).count) % one.in_a_row == 0);
    }
    CHECK(search.told().points->size() > 3);
  }
}

TEST_CASE("what a search is asked between payoffs changes nothing that follows") {
  const SearchSpace space = grid_space({30, 30});
  const OptimiserContext context = {.space = &space, .budget = 9000};
  BayesianSearch once(BayesianSearchOptions{}, context);
  BayesianSearch each(BayesianSearchOptions{}, context);
  const Point far = test::make_point({29, 0});
  Rng rng(3);
  Rng same(3);
  Rng noise(4);
  for (int i = 0; i < 300; ++i) {
    const Point point = once.ask(rng).point;
    REQUIRE(each.ask(same).point == point);
    const double told = point[0] / 10.0 + noise.normal();
    once.tell(point, told);
    each.tell(point, told);
    static_cast<void>(each.belief(far));
    static_cast<void>(each.recommend());
  }
  CHECK(once.belief(far).value().mean == each.belief(far).value().mean);
  CHECK(once.belief(far).value().sd == each.belief(far).value().sd);
  CHECK(once.recommend().estimate == each.recommend().estimate);
}

TEST_CASE("a point that has failed is not asked for again at once") {
  const SearchSpace space = grid_space({30, 30});
  BayesianSearchOptions options;
  options.repeats = {.automatic = false, .value = 5};
  BayesianSearch search(options, {.space = &space, .budget = 100});
  Rng rng(3);
  const Point point = search.ask(rng).point;
  CHECK(search.ask(rng).point == point);
  search.tell(point, 1.0);
  search.tell({.point = point}, {.failed = true});
  CHECK(search.ask(rng).point != point);
}

TEST_CASE("repeated asks with evaluations in flight know what those one at a time know") {
  const SearchSpace space = grid_space({30, 30});
  BayesianSearchOptions options;
  options.repeats = {.automatic = false, .value = 4};
  const OptimiserContext context = {.space = &space, .budget = 200};
  BayesianSearch alone(options, context);
  BayesianSearch window(options, context);
  Rng rng(3);
  Rng same(3);
  Rng noise(4);
  for (int question = 0; question < 12; ++question) {
    std::vector<double> payoffs(4);
    for (double& payoff : payoffs) payoff = question % 5 + noise.normal();
    Point point;
    for (const double payoff : payoffs) alone.tell(point = alone.ask(rng).point, payoff);
    for (int i = 0; i < 4; ++i) {
      REQUIRE(window.ask(same).point == point);
      window.pending(point, true);
    }
    for (const double payoff : payoffs) {
      window.pending(point, false);
      window.tell(point, payoff);
    }
  }
  const Point far = test::make_point({29, 0});
  CHECK(window.belief(far).value().mean == Approx(alone.belief(far).value().mean));
  CHECK(window.belief(far).value().sd.value() == Approx(alone.belief(far).value().sd.value()));
}

TEST_CASE("without noise a search that holds as many points as it may is done") {
  const SearchSpace space = grid_space({5, 5});
  BayesianSearchOptions options;
  options.most_points = 10;
  BayesianSearch search(options, {.space = &space, .budget = 100, .noisy = false});
  Rng rng(3);
  for (int i = 0; i < 10; ++i) {
    CHECK_FALSE(search.done());
    search.tell(search.ask(rng).point, 0.1 * i);
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
  const OptimiserPlan plan = test::make_plan("gaussian_process", space);
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
  const Point next = at_once->ask(rng).point;
  at_once->tell(next, 1.0);
  CHECK(at_once->belief(next).value().mean > 0.0);
}

TEST_CASE("bayesian search: without noise every point is asked for once, to the last one") {
  const SearchSpace space = test::yaml_space("{a: [a, b, c, d, e], b: [1, 2, 3, 4, 5, 6]}");
  OptimiserContext context = test::make_context(space, 30);
  context.noisy = false;
  const auto search = test::make_plan("gaussian_process", space).make(context);
  Rng rng(1);
  std::set<Point> asked;
  for (int i = 0; i < 30; ++i) {
    const Point point = search->ask(rng).point;
    asked.insert(point);
    search->tell(point, 0.1 * point[0] - 0.2 * point[1]);
  }
  CHECK(asked.size() == 30);
}

}  // namespace ntune
