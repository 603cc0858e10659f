#include "ntune/optim/models/failure_model.h"

#include "catch.h"
#include "support/spaces.h"

namespace ntune {

namespace {

/// Probability that the next evaluation of a point fails, which has had so many payoffs.
double failure_rate(const FailureModel& model, const Point& point, std::uint32_t payoffs) {
  return model.beside_own(model.rate(point), point, payoffs);
}

using test::grid_space;
using test::make_point;

/// The model after so many random evaluations, of which those fail that `crashes` names.
template <class Crashes>
FailureModel learned(const SearchSpace& space, int evaluations, const Crashes& crashes) {
  Rng rng(1);
  FailureModel model(space, SampledPoints(space, evaluations));
  for (int i = 0; i < evaluations; ++i) {
    const Point point = space.sample(rng);
    if (crashes(point, rng)) {
      model.fail(point);
    } else {
      model.succeed(point);
    }
  }
  return model;
}

/// Mean rate that the model gives to random points where the predicate holds.
template <class Where>
double mean_rate(const FailureModel& model, const SearchSpace& space, const Where& where) {
  Rng rng(2);
  double sum = 0.0;
  int points = 0;
  for (int i = 0; i < 2000; ++i) {
    const Point point = space.sample(rng);
    if (!where(point)) continue;
    sum += failure_rate(model, point, 0);
    ++points;
  }
  return sum / points;
}

}  // namespace

TEST_CASE("failures: a crashing value is told from those that were there by chance") {
  const SearchSpace space = grid_space({5, 5, 5, 5, 5, 5});
  const auto crashes = [](const Point& point) { return point[2] == 3; };
  const FailureModel model =
      learned(space, 60, [&](const Point& point, Rng&) { return crashes(point); });
  CHECK(mean_rate(model, space, crashes) > 0.8);
  CHECK(mean_rate(model, space, [&](const Point& point) { return !crashes(point); }) < 0.1);
}

TEST_CASE("failures: a crashing pair is told from its values") {
  const SearchSpace space = grid_space({4, 4, 4});
  const auto crashes = [](const Point& point) { return point[0] == 1 && point[2] == 3; };
  const FailureModel model =
      learned(space, 200, [&](const Point& point, Rng&) { return crashes(point); });
  CHECK(mean_rate(model, space, crashes) > 0.7);
  CHECK(mean_rate(model, space, [&](const Point& point) { return !crashes(point); }) < 0.06);
}

TEST_CASE("failures that fall anywhere are laid to chance") {
  const SearchSpace space = grid_space({5, 5, 5, 5});
  const FailureModel model =
      learned(space, 400, [](const Point&, Rng& rng) { return rng.bernoulli(0.2); });
  const double rate = mean_rate(model, space, [](const Point&) { return true; });
  CHECK(rate > 0.1);
  CHECK(rate < 0.3);
}

TEST_CASE("failures: earlier payoffs count, and a point's own evaluations most") {
  const SearchSpace space = grid_space({3, 3});
  SampledPoints payoffs(space, 10);
  for (int i = 0; i < 10; ++i) payoffs.add(make_point({0, 0}), 1.0);
  FailureModel model(space, payoffs);
  model.fail(make_point({0, 1}));
  CHECK(model.failures_of(make_point({0, 1})) == 1);
  CHECK(model.failures_of(make_point({1, 1})) == 0);
  CHECK(model.failed_points() == 1);
  CHECK(failure_rate(model, make_point({0, 1}), 0) > 0.5);
  // The value 0 of the first parameter has succeeded ten times, so that the second is to blame.
  CHECK(failure_rate(model, make_point({1, 1}), 0) > failure_rate(model, make_point({0, 2}), 0));
  CHECK(failure_rate(model, make_point({0, 1}), 9) < 0.2);
}

TEST_CASE("failures: many of them, and spaces of one value") {
  const SearchSpace space = grid_space({1, 30, 1, 30});
  const FailureModel model =
      learned(space, 3000, [](const Point& point, Rng&) { return point[1] < 10; });
  CHECK(mean_rate(model, space, [](const Point& point) { return point[1] < 10; }) > 0.9);
  CHECK(mean_rate(model, space, [](const Point& point) { return point[1] >= 10; }) < 0.05);
  const SearchSpace one = grid_space({1});
  FailureModel single(one, SampledPoints(one, 1));
  single.fail(make_point({0}));
  CHECK(failure_rate(single, make_point({0}), 0) > 0.4);
}

}  // namespace ntune
