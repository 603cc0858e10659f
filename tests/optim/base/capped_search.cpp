// Searches whose evaluations end when they have lost.

#include "ntune/optim/base/capped_search.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "catch.h"
#include "optim/window.h"
#include "support/optimisers.h"
#include "support/spaces.h"

namespace ntune {

using test::grid_space;

namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();

/// Seconds of a program: 1 at the origin, and more with every step away from it.
double seconds(const Point& point, Rng& rng) {
  double log_time = 0.3 * rng.normal();
  for (const std::uint16_t index : point.indices()) log_time += 0.6 * index;
  return std::exp(log_time);
}

struct Spent {
  double seconds = 0.0;
  int ended = 0;
  Point recommended = {};
};

Spent spend(Optimiser& search, int evaluations, std::uint64_t seed) {
  Rng rng = Rng(seed).stream("optimiser");
  Rng noise = Rng(seed).stream("noise");
  Spent spent;
  for (int i = 0; i < evaluations; ++i) {
    const Proposal asked = search.ask(rng);
    const double time = seconds(asked.point, noise);
    const double most = -asked.losing_payoff;
    spent.seconds += std::min(time, most);
    if (time <= most) {
      search.tell(asked.point, -time);
    } else {
      ++spent.ended;
      search.tell(asked, {.at_most = -most});
    }
  }
  spent.recommended = search.recommend().point;
  return spent;
}

}  // namespace

TEST_CASE("searches end what has lost where it can be ended, unless they are told not to") {
  const SearchSpace space = grid_space({6, 6, 6});
  OptimiserContext context = test::make_context(space, 120);
  // A model of logarithms seldom asks for what loses here.
  for (const char* name : {"ntbea", "{algorithm: gaussian_process, scale: linear}"}) {
    double whole_seconds = 0.0;
    double capped_seconds = 0.0;
    int ended = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      context.ends_losers = false;
      const Spent whole = spend(*test::make_plan(name, space).make(context), 120, seed);
      CHECK(whole.ended == 0);
      context.ends_losers = true;
      const Spent capped = spend(*test::make_plan(name, space).make(context), 120, seed);
      whole_seconds += whole.seconds;
      capped_seconds += capped.seconds;
      ended += capped.ended;
    }
    CAPTURE(name);
    CHECK(ended > 20);
    CHECK(capped_seconds < 0.7 * whole_seconds);
  }
  for (const char* name : {"gaussian_process", "auto"}) {
    context.ends_losers = false;
    const Spent whole = spend(*test::make_plan(name, space).make(context), 120, 1);
    context.ends_losers = true;
    CHECK(spend(*test::make_plan(name, space).make(context), 120, 1).seconds <= whole.seconds);
  }
  const auto never =
      test::make_plan("{algorithm: gaussian_process, capping: false}", space).make(context);
  CHECK(spend(*never, 120, 1).ended == 0);
}

TEST_CASE("a search that ends nothing is the search without capping") {
  const SearchSpace space = grid_space({5, 4, 6});
  OptimiserContext context = test::make_context(space, 60);
  const auto whole = test::make_plan("gaussian_process", space).make(context);
  context.ends_losers = true;
  const auto capped = test::make_plan("gaussian_process", space).make(context);
  const auto payoff = [&](const Point& point, Rng& rng) { return -seconds(point, rng); };
  CHECK(test::same(test::run(*whole, 60, 5, payoff), test::run(*capped, 60, 5, payoff)));
}

TEST_CASE("what was ended counts as more than the time it was given") {
  const SearchSpace space = grid_space({6, 6});
  OptimiserContext context = test::make_context(space, 100);
  context.ends_losers = true;
  const auto search = test::make_plan("ntbea", space).make(context);
  Rng rng(3);
  Rng noise(4);
  for (int i = 0; i < 25; ++i) {
    const Proposal asked = search->ask(rng);
    if (i < 20) CHECK(asked.losing_payoff == kNone);
    search->tell(asked.point, -seconds(asked.point, noise));
  }
  Point dear(2);
  dear[0] = 5;
  dear[1] = 5;
  const double best = search->recommend().estimate;
  const double losing = search->ask(rng).losing_payoff;
  CHECK(losing <= 5.0 * best);
  search->tell({.point = dear}, {.at_most = losing});
  CHECK(search->belief(dear)->mean < losing);
}

TEST_CASE("where a cutoff has a penalty, points that may be recommended run to their ends") {
  const SearchSpace space = grid_space({6, 6});
  OptimiserContext context = test::make_context(space, 80);
  context.ends_losers = true;
  const auto ended_near_best = [&] {
    const auto search =
        test::make_plan("{algorithm: gaussian_process, scale: linear}", space).make(context);
    Rng rng(7);
    Rng noise(8);
    int near = 0;
    int far = 0;
    for (int i = 0; i < 80; ++i) {
      const Proposal asked = search->ask(rng);
      const double time = seconds(asked.point, noise);
      const bool ends = -asked.losing_payoff < std::numeric_limits<double>::infinity();
      if (i >= 30) (asked.point[0] + asked.point[1] == 0 ? near : far) += ends ? 1 : 0;
      search->tell(asked.point, -time);
    }
    return std::pair(near, far);
  };
  CHECK(ended_near_best().first > 0);
  context.payoff_low = -1000.0;
  context.payoff_high = 0.0;
  const auto [near, far] = ended_near_best();
  CHECK(near == 0);
  CHECK(far > 0);
  // Older studies go on by their rule.
  context.ends_leaders = true;
  CHECK(ended_near_best().first > 0);
}

}  // namespace ntune
