// The tests of a race against worked examples, and the course of races.

#include "ntune/optim/racing/racing.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "catch.h"
#include "ntune/optim/racing/race_statistics.h"
#include "support/optimisers.h"
#include "support/spaces.h"

namespace ntune {

using Catch::Matchers::WithinAbs;
using test::grid_space;
using test::Trace;

TEST_CASE("friedman: twelve homeowners rank four grasses (Conover 1999, section 5.8)") {
  // Rank sums 38, 23.5, 24.5 and 34; T1 = 8.097 with 3 degrees, critical difference 11.48.
  const std::vector<std::vector<double>> ranks = {{4, 4, 3, 3, 4, 2, 1, 2, 3.5, 4, 4, 3.5},
                                                  {3, 2, 1.5, 1, 2, 2, 3, 4, 1, 1, 2, 1},
                                                  {2, 3, 1.5, 2, 1, 2, 2, 1, 2, 3, 3, 2},
                                                  {1, 1, 4, 4, 3, 4, 4, 3, 3.5, 2, 1, 3.5}};
  RaceTable payoffs = ranks;
  for (auto& row : payoffs) {
    for (double& value : row) value = -value;  // rank 1 is the best
  }
  CHECK(friedman_losers(payoffs, 0.95) == std::vector<bool>{true, false, false, false});
  // The statistic has a p-value of 0.044: at a higher confidence nothing differs.
  CHECK(friedman_losers(payoffs, 0.96) == std::vector<bool>{false, false, false, false});
}

TEST_CASE("friedman: equal payoffs are no difference, a clear order is one") {
  CHECK(friedman_losers({{1, 1, 1}, {1, 1, 1}}, 0.95) == std::vector<bool>{false, false});
  const RaceTable ordered = {{3, 4, 5, 6, 7}, {2, 3, 4, 5, 6}, {1, 2, 3, 4, 5}};
  CHECK(friedman_losers(ordered, 0.95) == std::vector<bool>{false, true, true});
  const RaceTable wins = {{1, 1, 1, 1, 1, 1}, {-1, -1, 1, -1, -1, -1}, {1, 1, 1, 1, -1, 1}};
  CHECK(friedman_losers(wins, 0.95) == std::vector<bool>{false, true, false});
}

TEST_CASE("paired t: differences of 1 to 5 and of -1 to 3") {
  // t = 3 / (1.5811 / sqrt(5)) = 4.243 and 1.414; the quantile with 4 degrees is 2.776.
  const RaceTable payoffs = {{11, 12, 13, 14, 15}, {10, 10, 10, 10, 10}, {12, 12, 12, 12, 12}};
  CHECK(paired_t_losers(payoffs, 0.95) == std::vector<bool>{false, true, false});
  // 4.243 is the quantile of 0.9868.
  CHECK(paired_t_losers(payoffs, 0.98) == std::vector<bool>{false, true, false});
  CHECK(paired_t_losers(payoffs, 0.99) == std::vector<bool>{false, false, false});
}

TEST_CASE("racing: without noise every point is evaluated once") {
  for (const std::vector<int>& sizes : {std::vector<int>{101, 101}, std::vector<int>{4, 3}}) {
    const SearchSpace space = grid_space(sizes);
    const std::int64_t budget = sizes[0] > 10 ? 60 : 40;
    OptimiserContext context = test::make_context(space, budget);
    context.noisy = false;
    const auto racing = test::make_plan("racing", space).make(context);
    const Trace trace = test::run(*racing, budget, 1, [&](const Point& point, Rng&) {
      return -std::abs(point[0] - 2.0) - std::abs(point[1] - 1.0);
    });
    std::map<Point, int> asked;
    for (const Point& point : trace.points) ++asked[point];
    CAPTURE(sizes);
    CHECK(std::ssize(asked) == std::min<std::int64_t>(budget, sizes[0] * sizes[1]));
    // The best payoff of all is recommended.
    CHECK(trace.recommendation.estimate == *std::ranges::max_element(trace.payoffs));
  }
}

TEST_CASE("racing: the first race has the candidates and blocks of irace") {
  // d = 4: 4 races. 300 evaluations: 75 in the first, 75 / (5 + 1) = 12 candidates.
  const SearchSpace space = grid_space({9, 9, 9, 9});
  const Trace trace = test::run("racing", space, 300, 1, [&](const Point& point, Rng&) {
    return test::height(space, point);
  });
  const auto begin = trace.points.begin();
  const std::vector<Point> first(begin, begin + 12);
  for (std::size_t i = 0; i < first.size(); ++i) {
    CHECK(std::count(first.begin(), first.end(), first[i]) == 1);
    for (std::size_t block = 1; block < 5; ++block) {
      CHECK(trace.points[12 * block + i] == first[i]);  // no test before block 5
    }
  }
  // Without noise the best of 12 in every block is best by Friedman's test as well.
  std::map<Point, int> later;
  for (auto at = begin + 60; at != begin + 75; ++at) ++later[*at];
  const Point best = *std::ranges::max_element(first, [&](const Point& a, const Point& b) {
    return test::height(space, a) < test::height(space, b);
  });
  const Point worst = *std::ranges::min_element(first, [&](const Point& a, const Point& b) {
    return test::height(space, a) < test::height(space, b);
  });
  CHECK(later[best] >= 1);
  CHECK(later[worst] == 0);
  CHECK(test::height(space, trace.recommendation.point) > test::height(space, best));
}

TEST_CASE("racing: a candidate whose evaluation failed leaves the race") {
  const SearchSpace space = grid_space({9, 9, 9, 9});
  const auto search = test::make_plan("racing", space).make(test::make_context(space, 300));
  Rng rng(1);
  Point failed;
  for (int i = 0; i < 60; ++i) {
    const Point point = search->ask(rng).point;
    if (i == 3) failed = point;
    if (i != 3) search->tell(point, test::height(space, point));
    if (i > 3) CHECK(point != failed);
  }
}

TEST_CASE("racing: a candidate that costs too much is ended and leaves the race") {
  // d = 4: a race leaves 4 candidates. Until 4 have done a block, nothing is ended in it.
  const SearchSpace space = grid_space({9, 9, 9, 9});
  OptimiserContext context = test::make_context(space, 300);
  context.ends_losers = true;
  const auto search = test::make_plan("racing", space).make(context);
  Rng rng(1);
  for (int i = 0; i < 4; ++i) {
    const Proposal asked = search->ask(rng);
    CHECK(asked.losing_payoff == -std::numeric_limits<double>::infinity());
    search->tell(asked.point, -1.0 - i);
  }
  const Proposal dear = search->ask(rng);
  CHECK(dear.losing_payoff == -20.0);  // five blocks of the fourth, 4 each
  search->tell(dear, {.at_most = -20.0});
  for (int i = 5; i < 12; ++i) search->tell(search->ask(rng).point, -2.5);
  // Payoffs in the first block: -1, -2, -2.5, …; those of the second end at 5 times the fourth.
  const Proposal second_block = search->ask(rng);
  const Point& first = second_block.point;
  CHECK(second_block.losing_payoff == -std::numeric_limits<double>::infinity());
  search->tell(first, -1.0);
  for (int i = 1; i < 60; ++i) {
    const Point point = search->ask(rng).point;
    CHECK(point != dear.point);
    search->tell(point, point == first ? -1.0 : -2.5);
  }
  CHECK(search->recommend().point == first);
  // An objective whose evaluations cannot be ended has no such payoff.
  context.ends_losers = false;
  const auto whole = test::make_plan("racing", space).make(context);
  for (int i = 0; i < 30; ++i) {
    const Proposal asked = whole->ask(rng);
    CHECK(asked.losing_payoff == -std::numeric_limits<double>::infinity());
    whole->tell(asked.point, -1.0 - i);
  }
}

TEST_CASE("fair means: candidates that met hard blocks are not worse for it") {
  // Payoff = candidate (1, 2, 4) + block (0, 10, -4): the blocks' mean is 2.
  const std::vector<BlockPayoffs> payoffs = {{.candidate = 0, .block = 0, .mean = 1.0},
                                             {.candidate = 1, .block = 0, .mean = 2.0},
                                             {.candidate = 0, .block = 3, .count = 2, .mean = 11.0},
                                             {.candidate = 1, .block = 3, .mean = 12.0},
                                             {.candidate = 1, .block = 4, .mean = -2.0},
                                             {.candidate = 2, .block = 4, .mean = 0.0}};
  const std::vector<double> means = fair_means(payoffs);
  REQUIRE(means.size() == 3);
  CHECK_THAT(means[0], WithinAbs(3.0, 1e-9));
  CHECK_THAT(means[1], WithinAbs(4.0, 1e-9));
  CHECK_THAT(means[2], WithinAbs(6.0, 1e-9));
  CHECK(fair_means({}).empty());
  // Where all have been in all blocks they are the means.
  const std::vector<BlockPayoffs> whole = {{.candidate = 0, .block = 0, .mean = 1.0},
                                           {.candidate = 1, .block = 0, .mean = 5.0},
                                           {.candidate = 0, .block = 1, .mean = 2.0},
                                           {.candidate = 1, .block = 1, .mean = 3.0}};
  CHECK_THAT(fair_means(whole)[0], WithinAbs(1.5, 1e-12));
  CHECK_THAT(fair_means(whole)[1], WithinAbs(4.0, 1e-12));
}

TEST_CASE("racing: blocks are numbered through all races, and their effects change nothing") {
  const SearchSpace space = grid_space({9, 9, 9, 9});
  OptimiserContext context = test::make_context(space, 300);
  // No two points are worth the same.
  const auto worth = [](const Point& point) {
    return point[0] + std::sqrt(2.0) * point[1] + std::sqrt(3.0) * point[2] +
           std::sqrt(5.0) * point[3];
  };
  const auto race = [&](double size) {
    const auto search = test::make_plan("racing", space).make(context);
    Rng rng(1);
    Rng noise(2);
    std::map<std::int64_t, double> effects;
    std::vector<Point> points;
    std::int64_t last = 0;
    for (int i = 0; i < 300; ++i) {
      const Proposal asked = search->ask(rng);
      CHECK(asked.block.has_value() == context.blocks);
      points.push_back(asked.point);
      const std::int64_t block = asked.block.value_or(0);
      CHECK((block == last || block == last + 1));
      last = block;
      const double effect = effects.try_emplace(block, size * noise.normal()).first->second;
      search->tell(points.back(), worth(points.back()) + effect);
    }
    CHECK((last > 20) == context.blocks);
    points.push_back(search->recommend().point);
    return points;
  };
  context.blocks = true;
  CHECK(race(0.0) == race(5.0));
  context.blocks = false;
  (void)race(0.0);
}

TEST_CASE("racing: half a block more with the penalty counts for the last elite, by hand") {
  const SearchSpace space = grid_space({9, 9, 9, 9});
  OptimiserContext context = test::make_context(space, 300);
  context.ends_losers = true;
  context.payoff_low = -100.0;
  const auto search = test::make_plan("racing", space).make(context);
  Rng rng(1);
  for (int i = 0; i < 4; ++i) search->tell(search->ask(rng).point, -1.0 - i);
  // Five blocks of (-4 + 0.5 (-100)) / 1.5.
  CHECK(search->ask(rng).losing_payoff == Approx(-180.0));
}

}  // namespace ntune
