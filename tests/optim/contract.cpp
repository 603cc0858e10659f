// What every optimiser promises, over the whole table.

#include "optim/contract.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "optim/window.h"
#include "support/optimisers.h"
#include "support/spaces.h"

namespace ntune {

using test::check_trace;
using test::grid_space;
using test::height;
using test::noisy_height;
using test::optimisers;
using test::plain_random_search;
using test::run;
using test::same;
using test::spaces;
using test::Trace;

TEST_CASE("every optimiser asks for allowed points and recommends a sampled one") {
  for (const std::string& optimiser : optimisers()) {
    for (const SearchSpace& space : spaces()) {
      for (const std::int64_t budget : {1, 2, 7, 30}) {
        CAPTURE(optimiser, space.dimensions(), space.grid_size(), budget);
        const auto payoff = [&](const Point& point, Rng& rng) {
          return noisy_height(space, point, rng);
        };
        check_trace(space, run(optimiser, space, budget, 3, payoff));
      }
    }
  }
}

TEST_CASE("every optimiser searches 200 parameters") {
  const SearchSpace space = grid_space(std::vector<int>(200, 3));
  const auto payoff = [&](const Point& point, Rng& rng) { return noisy_height(space, point, rng); };
  for (const OptimiserEntry& entry : optimiser_table()) {
    if (entry.needs_matches) continue;
    CAPTURE(entry.name);
    check_trace(space, run(entry.name, space, 60, 3, payoff));
  }
}

TEST_CASE("the same seed gives the same trace, another seed another one") {
  const SearchSpace space = grid_space({5, 4, 1, 7});
  const auto payoff = [&](const Point& point, Rng& rng) { return noisy_height(space, point, rng); };
  for (const std::string& optimiser : optimisers()) {
    CAPTURE(optimiser);
    const Trace trace = run(optimiser, space, 200, 1, payoff);
    CHECK(same(trace, run(optimiser, space, 200, 1, payoff)));
    CHECK_FALSE(same(trace, run(optimiser, space, 200, 2, payoff)));
  }
}

TEST_CASE("one plan makes independent runs") {
  const SearchSpace space = grid_space({5, 4, 6});
  const auto payoff = [&](const Point& point, Rng& rng) { return noisy_height(space, point, rng); };
  for (const std::string& optimiser : optimisers()) {
    CAPTURE(optimiser);
    const OptimiserPlan plan = test::make_plan(optimiser, space);
    const auto first = plan.make(test::make_context(space, 100));
    const auto second = plan.make(test::make_context(space, 100));
    const Trace trace = run(*first, 100, 5, payoff);
    CHECK(same(trace, run(*second, 100, 5, payoff)));
  }
}

TEST_CASE("recommend changes nothing and may be called after every payoff") {
  const SearchSpace space = grid_space({5, 4, 6});
  for (const std::string& optimiser : optimisers()) {
    CAPTURE(optimiser);
    const auto asked = test::make_plan(optimiser, space).make(test::make_context(space, 80));
    const auto silent = test::make_plan(optimiser, space).make(test::make_context(space, 80));
    Rng first(4);
    Rng second(4);
    Rng noise(5);
    std::map<Point, int> counts;
    for (int i = 0; i < 80; ++i) {
      const Point point = asked->ask(first).point;
      REQUIRE(point == silent->ask(second).point);
      const double payoff = noisy_height(space, point, noise);
      asked->tell(point, payoff);
      silent->tell(point, payoff);
      ++counts[point];
      const Recommendation recommendation = asked->recommend();
      REQUIRE(counts[recommendation.point] == recommendation.evaluations);
      REQUIRE(recommendation.evaluations > 0);
    }
    CHECK(asked->recommend().point == silent->recommend().point);
  }
}

TEST_CASE("payoffs of any sign and size") {
  struct Scale {
    double factor;
    double shift;
  };
  const std::vector<Scale> scales = {{1.0, -100.0}, {1e12, 0.0},  {1e12, -5e12}, {1e-12, 0.0},
                                     {0.0, 0.0},    {0.0, -7e11}, {0.0, 1e-12},  {1e150, 0.0}};
  const SearchSpace space = grid_space({5, 4, 1, 7});
  for (const std::string& optimiser : optimisers()) {
    for (const auto& [factor, shift] : scales) {
      CAPTURE(optimiser, factor, shift);
      const double a = factor;
      const double b = shift;
      const Trace trace = run(optimiser, space, 150, 6, [&](const Point& point, Rng& rng) {
        return a * noisy_height(space, point, rng) + b;
      });
      check_trace(space, trace);
      const auto [low, high] = std::minmax_element(trace.payoffs.begin(), trace.payoffs.end());
      const double slack = 1e-9 * std::max(std::abs(*low), std::abs(*high));
      CHECK(trace.recommendation.estimate >= std::min(*low, 0.0) - slack);
      CHECK(trace.recommendation.estimate <= std::max(*high, 0.0) + slack);
    }
  }
}

TEST_CASE("ntbea and rmhc beat plain random search on a noiseless hill") {
  // 10 parameters of 5 values. Weighting needs more visits before it tells points apart.
  constexpr double kLead = 0.08;
  constexpr double kLeadWeighted = 0.04;
  constexpr int kBudget = 300;
  constexpr int kRuns = 20;
  const SearchSpace space = grid_space(std::vector<int>(10, 5));
  const double plain = plain_random_search(space, kBudget, kRuns);
  const std::vector<std::pair<std::string, double>> cases = {
      {"ntbea", kLead},
      {"{algorithm: ntbea, preset: paper, k: 0.1}", kLead},
      {"{algorithm: ntbea, weighting: inverse}", kLeadWeighted},
      {"{algorithm: rmhc, resamples: 1}", kLead}};
  for (const auto& [optimiser, lead] : cases) {
    double mean = 0.0;
    for (int i = 0; i < kRuns; ++i) {
      const auto seed = static_cast<std::uint64_t>(i);
      const Trace trace = run(optimiser, space, kBudget, seed,
                              [&](const Point& point, Rng&) { return height(space, point); });
      mean += height(space, trace.recommendation.point) / kRuns;
    }
    CAPTURE(optimiser, mean, plain);
    CHECK(mean > plain + lead);
  }
}

TEST_CASE("every optimiser finds the top of a small noiseless space") {
  const SearchSpace space = grid_space({4, 3, 2});
  for (const OptimiserEntry& entry : optimiser_table()) {
    if (entry.needs_matches) continue;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      CAPTURE(entry.name, seed);
      const Trace trace = run(entry.name, space, 2000, seed,
                              [&](const Point& point, Rng&) { return height(space, point); });
      CHECK(height(space, trace.recommendation.point) == 1.0);
    }
  }
}

TEST_CASE("grid: every point of a small space in turn") {
  const SearchSpace space = grid_space({4, 1, 3, 2});
  const Trace trace = run("{algorithm: grid, repeats: 2}", space, 48, 1,
                          [](const Point&, Rng& rng) { return rng.normal(); });
  std::map<Point, int> counts;
  for (const Point& point : trace.points) ++counts[point];
  CHECK(counts.size() == 24);
  for (const auto& [point, count] : counts) CHECK(count == 2);
  std::map<Point, double> sums;
  for (std::size_t i = 0; i < 48; ++i) sums[trace.points[i]] += trace.payoffs[i];
  for (const auto& [point, sum] : sums) CHECK(sum / 2 <= trace.recommendation.estimate + 1e-12);
}

TEST_CASE("grid: a thinned grid is even, holds the ends and fits the budget") {
  const auto values = [](const std::vector<int>& cardinalities, int budget, int repeats) {
    const SearchSpace space = grid_space(cardinalities);
    std::vector<std::map<int, int>> used(cardinalities.size());
    const std::string options = "{algorithm: grid, repeats: " + std::to_string(repeats) + "}";
    const Trace trace = run(options, space, budget, 1, [](const Point&, Rng&) { return 1.0; });
    for (const Point& point : trace.points) {
      for (int i = 0; i < point.size(); ++i) ++used[static_cast<std::size_t>(i)][point[i]];
    }
    return used;
  };
  const auto keys = [](const std::map<int, int>& used) {
    std::vector<int> list;
    for (const auto& [key, count] : used) list.push_back(key);
    return list;
  };
  const auto nine = values({9, 9}, 9, 1);
  CHECK(keys(nine[0]) == std::vector<int>{0, 4, 8});
  CHECK(keys(nine[1]) == std::vector<int>{0, 4, 8});
  const auto repeated = values({9, 9}, 18, 2);
  CHECK(keys(repeated[0]) == std::vector<int>{0, 4, 8});
  const auto uneven = values({101, 2}, 12, 1);
  CHECK(keys(uneven[0]) == std::vector<int>{0, 20, 40, 60, 80, 100});
  CHECK(keys(uneven[1]) == std::vector<int>{0, 1});
  const auto single = values({9, 9}, 1, 1);
  CHECK(keys(single[0]) == std::vector<int>{4});
  const auto longest = values({65'535}, 65'535, 1);
  CHECK(longest[0].size() == 65'535);
  const auto half = values({65'535}, 50'000, 1);
  CHECK(half[0].size() == 50'000);
}

TEST_CASE("random and rmhc: resamples of challenger and incumbent in turn") {
  const SearchSpace space = grid_space({50, 50});
  for (const char* name : {"random", "rmhc"}) {
    CAPTURE(name);
    const std::string optimiser = std::string("{algorithm: ") + name + ", resamples: 3}";
    // Points further right are better: a challenger takes over if and only if it lies higher.
    const auto value = [&](const Point& point) { return height(space, point); };
    const Trace trace = run(optimiser, space, 3 + 6 * 40, 2,
                            [&](const Point& point, Rng&) { return value(point); });
    Point incumbent = trace.points[0];
    for (std::size_t i = 0; i < 3; ++i) REQUIRE(trace.points[i] == incumbent);
    for (std::size_t round = 3; round < trace.points.size(); round += 6) {
      const Point challenger = trace.points[round];
      for (std::size_t i = 0; i < 3; ++i) REQUIRE(trace.points[round + i] == challenger);
      for (std::size_t i = 3; i < 6; ++i) REQUIRE(trace.points[round + i] == incumbent);
      if (value(challenger) > value(incumbent)) incumbent = challenger;
    }
    CHECK(trace.recommendation.point == incumbent);
  }
}

}  // namespace ntune
