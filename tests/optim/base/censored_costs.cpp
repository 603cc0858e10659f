// Costs that are known as lower bounds: beside simulated ones.

#include <cmath>

#include "catch.h"
#include "ntune/core/rng.h"
#include "ntune/optim/base/capped_search.h"

namespace ntune {

TEST_CASE("the mean of a normal variable above a bound is that of draws above it") {
  Rng rng(1);
  for (const double bound : {-2.0, 0.0, 1.0, 2.5}) {
    RunningStats above;
    for (int i = 0; i < 400'000; ++i) {
      const double draw = 0.5 + 1.5 * rng.normal();
      if (draw > bound) above.add(draw);
    }
    CAPTURE(bound);
    CHECK(normal_mean_above(0.5, 1.5, bound) == Approx(above.mean()).margin(0.02));
  }
  // Far out it is the bound and a little more, and nothing jumps where the formula changes.
  CHECK(normal_mean_above(0.0, 1.0, 29.9) == Approx(29.9 + 1.0 / 29.9).epsilon(1e-4));
  CHECK(normal_mean_above(0.0, 1.0, 30.1) == Approx(30.1 + 1.0 / 30.1).epsilon(1e-4));
  CHECK(normal_mean_above(0.0, 1.0, 1e6) == Approx(1e6));
  CHECK(normal_mean_above(0.0, 1.0, -100.0) == Approx(0.0).margin(1e-12));
}

TEST_CASE("an evaluation has lost at five times the best mean, once twenty costs are known") {
  CensoredCosts costs;
  for (int i = 0; i < 19; ++i) costs.add(2.0 + i);
  CHECK(std::isinf(costs.losing(3.0)));
  costs.add(50.0);
  CHECK(costs.losing(3.0) == Approx(15.0));
  CHECK(costs.losing(1.0) == Approx(10.0));  // a best mean below all costs is not believed
  CHECK(costs.losing(-7.0) == Approx(10.0));
  costs.add(-4.0);  // where the effects of instances are taken out
  CHECK(std::isinf(costs.losing(-7.0)));
}

TEST_CASE("a cost above its bound is expected about the mean of its point") {
  CensoredCosts costs;
  Rng rng(2);
  for (int i = 0; i < 1000; ++i) costs.add(std::exp(0.5 * rng.normal()));
  const double near = costs.imputed(1.0, 10.0);
  CHECK(near > 10.0);
  CHECK(near < 13.0);
  CHECK(costs.imputed(20.0, 10.0) > 20.0);
  CHECK(costs.imputed(1000.0, 10.0) == Approx(1000.0).epsilon(1e-6));
  CHECK(costs.imputed({}, 10.0) == Approx(near).epsilon(0.05));
  CHECK(costs.imputed(-3.0, 10.0) == costs.imputed({}, 10.0));
  CHECK(costs.imputed(2.0, -1.0) == Approx(2.0));  // the bound says nothing
}

TEST_CASE("of evaluations that last longer as many are cut off as were seen to be") {
  CensoredCosts costs;
  for (int i = 0; i < 10; ++i) costs.add(1.0 + 0.01 * i);
  for (int i = 0; i < 6; ++i) costs.add(20.0);
  const double without = costs.imputed(1.0, 10.0);
  CHECK(without < 30.0);
  for (int i = 0; i < 6; ++i) costs.add_penalty(300.0);
  // Six of twelve that lasted longer than 10, of all that lasted longer than 25.
  // One run more is like all 22, of which 6 were cut off.
  const double share = (6.0 + 6.0 / 22.0) / 13.0;
  CHECK(costs.imputed(1.0, 10.0) == Approx(share * 300.0 + (1.0 - share) * without));
  CHECK(costs.imputed(1.0, 25.0) > 250.0);
  CHECK(costs.imputed(1.0, 25.0) <= 300.0);
}

}  // namespace ntune
