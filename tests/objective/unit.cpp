#include "ntune/objective/unit.h"

#include <cmath>

#include "catch.h"
#include "ntune/core/rng.h"

using namespace ntune;

TEST_CASE("the probability of a win is (payoff + 1) / 2 to the last bit, and back") {
  constexpr Unit kUnit = Unit::win_probability();
  Rng rng(1);
  for (int i = 0; i < 1000; ++i) {
    const double payoff = 2.0 * rng.uniform() - 1.0;
    const double value = kUnit.value_of(payoff);
    REQUIRE(value == (payoff + 1.0) / 2.0);
    REQUIRE(kUnit.payoff_of(value) == 2.0 * value - 1.0);
  }
  CHECK((!kUnit.is_cost() && kUnit.size() == 0.5 && kUnit.direction() == 1.0));
}

TEST_CASE("a cost of nothing is no negative zero, neither as value nor as payoff") {
  constexpr Unit kUnit = Unit::cost();
  CHECK_FALSE(std::signbit(kUnit.value_of(0.0)));
  CHECK_FALSE(std::signbit(kUnit.payoff_of(0.0)));
  CHECK((kUnit.value_of(-3.0) == 3.0 && kUnit.payoff_of(3.0) == -3.0));
  CHECK((kUnit.is_cost() && kUnit.size() == 1.0 && kUnit.direction() == -1.0));
}
