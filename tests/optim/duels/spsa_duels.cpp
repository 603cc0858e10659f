// SPSA by duels, step by step from its formulas.

#include "ntune/optim/duels/spsa_duels.h"

#include <cmath>

#include "catch.h"
#include "ntune/core/error.h"
#include "optim/duels/matches.h"
#include "support/spaces.h"

namespace ntune {

using Catch::Matchers::WithinAbs;

namespace {

constexpr int kLast = 1000;
constexpr int kStart = 400;

Point start() {
  Point point(1);
  point[0] = kStart;
  return point;
}

}  // namespace

TEST_CASE("spsa_duels: distances and moves are those of fishtest's sequences") {
  const SearchSpace space = test::grid_space({kLast + 1});
  constexpr double kIterations = 50.0;
  OptimiserContext context = test::make_context(space, 50);
  context.incumbent = start();
  context.matches = true;
  const SpsaDuelsOptions options{.c_end = 0.02, .r_end = 0.01};
  SpsaDuels spsa(options, context);
  Rng rng(1);
  double iterate = kStart;
  for (int k = 1; k <= 50; ++k) {
    const double c_end = 0.02 * kLast;
    const double c = c_end * std::pow(kIterations / k, 0.101);
    const double stability = 0.1 * kIterations;
    const double a =
        0.01 * c_end * c_end * std::pow((stability + kIterations) / (stability + k), 0.602);
    const Point first = spsa.ask(rng);
    const Point second = *spsa.opponent();
    // Both are rounded to one of the two nearest values.
    CHECK(std::abs(std::abs(first[0] - iterate) - c) <= 1.0);
    CHECK(std::abs(std::abs(second[0] - iterate) - c) <= 1.0);
    CHECK((first[0] - iterate) * (second[0] - iterate) < 0.0);
    const double direction = first[0] > second[0] ? 1.0 : -1.0;
    const double result = k % 3 == 0 ? -1.0 : 1.0;  // wins less losses of a pair: 2 or -2
    spsa.tell_match(first, second,
                    {.score = result > 0.0 ? 1.0 : 0.0,
                     .games = result > 0.0 ? pair_of_games(1, 1) : pair_of_games(0, 0)});
    iterate += direction * 2.0 * result * a / c;
    CHECK_THAT(spsa.iterate()[0], WithinAbs(iterate, 1e-9));
  }
  CHECK(std::abs(spsa.recommend().point[0] - iterate) <= 0.5);
}

TEST_CASE("spsa_duels: c and r of a parameter are in its own unit") {
  const SearchSpace space = test::yaml_space("{x: {range: [0, 10], points: 1001}}");
  OptimiserContext context = test::make_context(space, 10);
  context.incumbent = start();
  context.matches = true;
  SpsaDuelsOptions options;
  options.gains["x"] = {.c = 1.0, .r = 0.002};
  SpsaDuels spsa(options, context);
  Rng rng(1);
  const Point first = spsa.ask(rng);
  const double c = 100.0 * std::pow(10.0, 0.101);  // steps of 0.01
  CHECK(std::abs(std::abs(first[0] - static_cast<double>(kStart)) - c) <= 1.0);
}

TEST_CASE("spsa_duels: a failure moves nothing") {
  const SearchSpace space = test::grid_space({kLast + 1});
  OptimiserContext context = test::make_context(space, 10);
  context.incumbent = start();
  context.matches = true;
  SpsaDuels spsa({}, context);
  Rng rng(1);
  const Point first = spsa.ask(rng);
  spsa.fail_match(first, *spsa.opponent());
  CHECK(spsa.iterate()[0] == kStart);
}

}  // namespace ntune
