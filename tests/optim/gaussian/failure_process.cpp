// The Gaussian process of failures beside the model of values and pairs.

#include "ntune/optim/gaussian/failure_process.h"

#include <cmath>

#include "catch.h"
#include "ntune/optim/models/failure_model.h"
#include "support/spaces.h"

namespace ntune {

namespace {

using test::grid_space;
using test::make_point;

bool is_in_box(const Point& point) { return point[0] < 5 && point[1] >= 3 && point[2] < 6; }
bool has_value(const Point& point) { return point[1] == 3 || point[2] == 6; }

/// Mean logarithmic likelihood of what happens at random points.
template <class Model, class Crashes>
double fit(Model& model, const SearchSpace& space, const Crashes& crashes) {
  constexpr int kPoints = 1000;
  Rng rng(2);
  double sum = 0.0;
  for (int i = 0; i < kPoints; ++i) {
    const Point point = space.sample(rng);
    const double rate = model.rate(point);
    sum += std::log(crashes(point) ? rate : 1.0 - rate) / kPoints;
  }
  return sum;
}

template <class Crashes>
void learn(FailureProcess& process, FailureModel& model, const SearchSpace& space,
           const Crashes& crashes) {
  Rng rng(1);
  for (int i = 0; i < 60; ++i) {
    const Point point = space.sample(rng);
    const bool fails = crashes(point);
    process.add(point, fails ? 1.0 : 0.0, fails ? 0.0 : 1.0);
    fails ? model.fail(point) : model.succeed(point);
  }
}

}  // namespace

TEST_CASE("a failure process learns a region sooner than counts of values and pairs") {
  const SearchSpace space = grid_space({9, 9, 9, 9});
  FailureProcess process(space);
  FailureModel model(space, SampledPoints(space, 60));
  learn(process, model, space, is_in_box);
  CHECK(fit(process, space, is_in_box) > fit(model, space, is_in_box) + 0.05);
  CHECK(process.rate(make_point({1, 7, 2, 4})) > 0.6);
  CHECK(process.rate(make_point({8, 0, 8, 4})) < 0.1);
}

TEST_CASE("counts of values learn a crashing value sooner than a failure process") {
  const SearchSpace space = grid_space({9, 9, 9, 9});
  FailureProcess process(space);
  FailureModel model(space, SampledPoints(space, 60));
  learn(process, model, space, has_value);
  CHECK(fit(model, space, has_value) > fit(process, space, has_value) + 0.02);
}

TEST_CASE("a failure process counts what it is told of a point") {
  const SearchSpace space = grid_space({9, 9});
  FailureProcess process(space);
  const Point point = make_point({4, 4});
  CHECK(process.rate(point) < 0.2);
  CHECK_FALSE(process.knows(point));
  process.add(point, 1.0, 0.0);
  CHECK(process.knows(point));
  const double once = process.rate(point);
  process.add(point, 1.0, 0.0);
  const double twice = process.rate(point);
  CHECK(twice > once);
  process.add(point, 0.0, 6.0);
  CHECK(process.rate(point) < 0.5);
  FailureProcess at_once(space);
  at_once.add(point, 2.0, 6.0);
  CHECK(process.rate(point) == Approx(at_once.rate(point)).epsilon(1e-9));
}

}  // namespace ntune
