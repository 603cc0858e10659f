// The frame of the searches with an incumbent: rounds, and rules of taking over.

#include "ntune/optim/rivals/incumbent_search.h"

#include <algorithm>
#include <set>

#include "catch.h"
#include "support/optimisers.h"
#include "support/spaces.h"

namespace ntune {

using test::grid_space;
using test::make_context;
using test::make_point;

namespace {

/// Proposes the points 0, 1, 2, …; whoever challenges takes over.
class Wanderer final : public IncumbentSearch {
 public:
  explicit Wanderer(const OptimiserContext& context) : IncumbentSearch(context, 1) {}

 private:
  Point propose(const Point& /*incumbent*/, Rng& /*rng*/) override { return make_point({next_++}); }
  bool takes_over(const Point& challenger, const Point& incumbent, Rng& /*rng*/) override {
    CHECK(points_.at(challenger).count > 0);
    CHECK(points_.at(incumbent).count > 0);
    return true;
  }

  int next_ = 0;
};

}  // namespace

TEST_CASE("a search may have a rule of its own for taking over") {
  const SearchSpace space = grid_space({100});
  Wanderer search(make_context(space, 20));
  const test::Trace trace =
      test::run(search, 20, 1, [](const Point& point, Rng&) { return -point[0]; });
  // The first incumbent, then a challenger and the incumbent in turn.
  CHECK(trace.points[2] == trace.points[0]);
  for (int i = 3; i < 20; ++i) {
    CAPTURE(i);
    const int expected = i % 2 == 1 ? (i - 1) / 2 : (i - 4) / 2;
    CHECK(trace.points[static_cast<std::size_t>(i)] == make_point({expected}));
  }
}

TEST_CASE("a point without payoffs has a lower mean than any other") {
  const SearchSpace space = grid_space({4});
  SampledPoints points(space, 4);
  points.add(make_point({1}), -5.0);
  points.add(make_point({2}), -7.0);
  points.add(make_point({2}), 1.0);
  points.mark(make_point({3}), 1);
  CHECK(points.has_higher_mean(make_point({2}), make_point({1})));
  CHECK_FALSE(points.has_higher_mean(make_point({1}), make_point({2})));
  CHECK(points.has_higher_mean(make_point({1}), make_point({0})));
  CHECK(points.has_higher_mean(make_point({1}), make_point({3})));
  CHECK_FALSE(points.has_higher_mean(make_point({3}), make_point({0})));
  CHECK_FALSE(points.has_higher_mean(make_point({1}), make_point({1})));
}

TEST_CASE("without noise random search and the hill climber evaluate a point once") {
  const SearchSpace space = grid_space({30, 30});
  for (const char* name : {"random", "rmhc"}) {
    for (const bool noisy : {false, true}) {
      CAPTURE(name, noisy);
      OptimiserContext context = make_context(space, 100);
      context.noisy = noisy;
      const auto search = test::make_plan(name, space).make(context);
      const test::Trace trace =
          test::run(*search, 100, 1, [](const Point& point, Rng&) { return point[0] + point[1]; });
      const std::set<Point> distinct(trace.points.begin(), trace.points.end());
      CHECK((distinct.size() == 100) == !noisy);
      if (noisy) continue;
      const auto height = [](const Point& point) { return point[0] + point[1]; };
      const Point best = *std::ranges::max_element(distinct, {}, height);
      CHECK(height(search->recommend().point) == height(best));
    }
  }
}

TEST_CASE("without noise a search of a small space ends with all points seen") {
  const SearchSpace space = grid_space({4, 4});
  OptimiserContext context = make_context(space, 60);
  context.noisy = false;
  const auto search = test::make_plan("random", space).make(context);
  const test::Trace trace =
      test::run(*search, 60, 2, [](const Point& point, Rng&) { return point[0] - point[1]; });
  CHECK(std::set<Point>(trace.points.begin(), trace.points.end()).size() == 16);
  CHECK(search->recommend().point == make_point({3, 0}));
}

}  // namespace ntune
