// SPSA by duels, step by step from its formulas.

#include "ntune/optim/rivals/spsa_duels.h"

#include <algorithm>
#include <cmath>
#include <vector>

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
    const Proposal match = spsa.ask(rng);
    const Point& first = match.point;
    const Point& second = *match.opponent;
    // Both are rounded to one of the two nearest values.
    CHECK(std::abs(std::abs(first[0] - iterate) - c) <= 1.0);
    CHECK(std::abs(std::abs(second[0] - iterate) - c) <= 1.0);
    CHECK((first[0] - iterate) * (second[0] - iterate) < 0.0);
    const double direction = first[0] > second[0] ? 1.0 : -1.0;
    const double result = k % 3 == 0 ? -1.0 : 1.0;  // wins less losses of a pair: 2 or -2
    test::tell_match(spsa, match,
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
  const Point first = spsa.ask(rng).point;
  const double c = 100.0 * std::pow(10.0, 0.101);  // steps of 0.01
  CHECK(std::abs(std::abs(first[0] - static_cast<double>(kStart)) - c) <= 1.0);
  // The space may say the same.
  const SearchSpace own =
      test::yaml_space("{x: {range: [0, 10], points: 1001, gains: [1, 0.002]}}");
  OptimiserContext same = test::make_context(own, 10);
  same.incumbent = start();
  same.matches = true;
  Rng again(1);
  CHECK(SpsaDuels({}, same).ask(again).point == first);
}

TEST_CASE("spsa_duels: a failure moves nothing") {
  const SearchSpace space = test::grid_space({kLast + 1});
  OptimiserContext context = test::make_context(space, 10);
  context.incumbent = start();
  context.matches = true;
  SpsaDuels spsa({}, context);
  Rng rng(1);
  spsa.tell(spsa.ask(rng), {.failed = true});
  CHECK(spsa.iterate()[0] == kStart);
}

TEST_CASE("spsa_duels: nobody plays against itself where there is another point") {
  for (const auto& cardinalities : {std::vector<int>{2}, std::vector<int>{2, 3},
                                    std::vector<int>{3, 2, 2}, std::vector<int>{5}}) {
    const SearchSpace space = test::grid_space(cardinalities);
    OptimiserContext context = test::make_context(space, 100);
    context.incumbent = Point(space.dimensions());
    for (const char* name : {"spsa_duels", "{algorithm: spsa_duels, c_end: 0.001}"}) {
      CAPTURE(space.dimensions(), name);
      const auto trace =
          test::search(name, context, 1, [](const Point& first, const Point& second, Rng& rng) {
            return MatchResult{.score =
                                   rng.bernoulli(first[0] > second[0] ? 0.9 : 0.1) ? 1.0 : 0.0};
          });
      CHECK(std::ranges::none_of(trace.matches,
                                 [](const auto& match) { return match.first == match.second; }));
    }
  }
}

TEST_CASE("spsa_duels: the chance to differ keeps the expected move") {
  // Two values, the iterate at 0 and c = 1/4: the upper player is rounded to 1 in one of four
  // matches. Now it is so in every match, which moves by a quarter.
  const SearchSpace space = test::grid_space({2});
  const SpsaDuelsOptions options{.c_end = 0.25, .r_end = 0.2, .alpha = 0.0, .gamma = 0.0};
  OptimiserContext context = test::make_context(space, 10);
  context.incumbent = Point(1);
  SpsaDuels search(options, context);
  Rng rng(1);
  const Proposal match = search.ask(rng);
  const Point& point = match.point;
  const Point& opponent = *match.opponent;
  REQUIRE(point != opponent);
  test::tell_match(search, match, {.score = point[0] == 1 ? 1.0 : 0.0});
  // 2 games times r c / 4.
  CHECK(search.iterate()[0] == Approx(2.0 * 0.2 * 0.25 * 0.25));
}

TEST_CASE("spsa_duels: an allowed point that works is recommended") {
  // The iterate climbs both parameters, towards points that are forbidden or fail.
  const SearchSpace space = test::yaml_space(
      "{a: {integers: [0, 9], default: 4}, b: {integers: [0, 9], default: 4}, forbid: [{a: [7, 8, "
      "9],"
      " b: [7, 8, 9]}]}");
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    for (const bool fails : {false, true}) {
      CAPTURE(seed, fails);
      OptimiserContext context = test::make_context(space, 120);
      context.incumbent = test::make_point({4, 4});
      context.matches = true;
      const auto search =
          test::make_plan("{algorithm: spsa_duels, c_end: 0.2, r_end: 0.5}", space).make(context);
      Rng rng(seed);
      int failed = 0;
      const auto crashes = [&](const Point& point) { return fails && point[0] >= 8; };
      for (int i = 0; i < 120; ++i) {
        const Proposal match = search->ask(rng);
        const Point& point = match.point;
        const Point& opponent = *match.opponent;
        if (crashes(point) || crashes(opponent)) {
          search->tell(match, {.failed = true});
          ++failed;
          continue;
        }
        const bool higher = point[0] + point[1] > opponent[0] + opponent[1];
        test::tell_match(*search, match, {.score = higher ? 1.0 : 0.0});
      }
      const Point best = search->recommend().point;
      CHECK(space.is_allowed(best));
      CHECK_FALSE(crashes(best));
      CHECK(failed < 60);
    }
  }
}

TEST_CASE("spsa_duels: a parameter that neither player has adds nothing to the chance to differ") {
  // As above, with a parameter that both would have if the second were 1, which it never is.
  const SearchSpace space = test::yaml_space(
      "{a: {integers: [0, 1]}, on: {integers: [0, 1]}, b: {integers: [0, 100], when: {on: 1}}}");
  SpsaDuelsOptions options{.c_end = 0.25, .r_end = 0.2, .alpha = 0.0, .gamma = 0.0};
  options.gains["on"] = {.c = 0.0, .r = 0.0};
  OptimiserContext context = test::make_context(space, 10);
  context.incumbent = Point(3);
  SpsaDuels search(options, context);
  Rng rng(1);
  const Proposal match = search.ask(rng);
  REQUIRE(match.point != *match.opponent);
  test::tell_match(search, match, {.score = match.point[0] == 1 ? 1.0 : 0.0});
  CHECK(search.iterate()[0] == Approx(2.0 * 0.2 * 0.25 * 0.25));
  CHECK(search.iterate()[1] == 0.0);  // its distance is 0
  CHECK(search.iterate()[2] == 0.0);
}

}  // namespace ntune
