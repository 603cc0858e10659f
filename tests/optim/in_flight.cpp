// Every optimiser with several evaluations in flight, and NTBEA against its slow twin.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "ntune/core/statistics.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/functions/function_objective.h"
#include "ntune/objective/functions/functions.h"
#include "ntune/optim/models/n_tuple_model.h"
#include "ntune/optim/models/pair_model.h"
#include "optim/contract.h"
#include "optim/ntbea/twin.h"
#include "optim/window.h"
#include "support/optimisers.h"
#include "support/spaces.h"

namespace ntune {

using test::check_trace;
using test::follow;
using test::grid_space;
using test::height;
using test::noisy_height;
using test::optimisers;
using test::plain_random_search;
using test::run;
using test::run_window;
using test::same;
using test::spaces;
using test::Trace;
using test::Window;
using test::WindowTrace;

TEST_CASE("evaluations in flight: allowed points, a sampled one is recommended") {
  for (const std::string& optimiser : optimisers()) {
    for (const SearchSpace& space : spaces()) {
      for (const Window& window :
           {Window{.size = 4}, {.size = 4, .failures = 3}, {.size = 16, .payoffs = 3}}) {
        for (const std::int64_t budget : {1, 20}) {
          CAPTURE(optimiser, space.dimensions(), space.grid_size(), window.size, budget);
          const auto payoff = [&](const Point& point, Rng& rng) {
            return noisy_height(space, point, rng);
          };
          const WindowTrace trace = run_window(optimiser, space, budget, 3, window, payoff);
          check_trace(space, trace);
          bool allowed = true;
          for (const Point& point : trace.asked) allowed = allowed && space.is_allowed(point);
          CHECK(allowed);
        }
      }
    }
  }
}

TEST_CASE("evaluations in flight: the same seed gives the same trace") {
  const SearchSpace space = grid_space({5, 4, 1, 7});
  const auto payoff = [&](const Point& point, Rng& rng) { return noisy_height(space, point, rng); };
  for (const std::string& optimiser : optimisers()) {
    for (const Window& window : {Window{.size = 4}, {.size = 4, .failures = 3}}) {
      CAPTURE(optimiser, window.failures);
      const WindowTrace trace = run_window(optimiser, space, 200, 1, window, payoff);
      CHECK(same(trace, run_window(optimiser, space, 200, 1, window, payoff)));
      CHECK_FALSE(same(trace, run_window(optimiser, space, 200, 2, window, payoff)));
    }
  }
}

TEST_CASE("a window of one is the plain alternation") {
  const SearchSpace space = grid_space({5, 4, 1, 7});
  const auto payoff = [&](const Point& point, Rng& rng) { return noisy_height(space, point, rng); };
  for (const std::string& optimiser : optimisers()) {
    CAPTURE(optimiser);
    const Trace plain = run(optimiser, space, 300, 1, payoff);
    CHECK(same(plain, run_window(optimiser, space, 300, 1, {.size = 1}, payoff)));
  }
}

TEST_CASE("an optimiser goes on where nearly every evaluation fails") {
  const SearchSpace space = grid_space({5, 4, 1, 7});
  const auto payoff = [&](const Point& point, Rng& rng) { return noisy_height(space, point, rng); };
  for (const std::string& optimiser : optimisers()) {
    CAPTURE(optimiser);
    for (const std::size_t size : {1U, 4U}) {
      const auto made = test::make_plan(optimiser, space).make(test::make_context(space, 10));
      Rng rng(7);
      Rng noise(8);
      std::vector<Point> asked;
      for (std::size_t i = 0; i < 100; ++i) {
        while (asked.size() < i + size) {
          asked.push_back(made->ask(rng).point);
          made->pending(asked.back(), true);
        }
        made->pending(asked[i], false);
        if (i != 42) continue;  // the only one to succeed
        made->tell(asked[i], payoff(asked[i], noise));
        CHECK(made->recommend().point == asked[i]);
      }
      CHECK(made->recommend().point == asked[42]);
      CHECK(made->recommend().evaluations == 1);
    }
  }
}

TEST_CASE("ntbea and rmhc beat plain random search with eight evaluations in flight") {
  constexpr double kLead = 0.05;
  constexpr int kRuns = 20;
  const SearchSpace space = grid_space(std::vector<int>(10, 5));
  const double plain = plain_random_search(space, 300, kRuns);
  for (const char* optimiser : {"ntbea", "{algorithm: rmhc, resamples: 1}"}) {
    double mean = 0.0;
    for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
      const WindowTrace trace =
          run_window(optimiser, space, 300, seed, {.size = 8},
                     [&](const Point& point, Rng&) { return height(space, point); });
      mean += height(space, trace.recommendation.point) / kRuns;
    }
    CAPTURE(optimiser, mean, plain);
    CHECK(mean > plain + kLead);
  }
}

TEST_CASE("grid: every point once with evaluations in flight") {
  const SearchSpace space = grid_space({4, 1, 3, 2});
  const WindowTrace trace = run_window("grid", space, 24, 1, {.size = 4},
                                       [](const Point&, Rng& rng) { return rng.normal(); });
  CHECK(trace.asked == trace.points);
  CHECK(std::set<Point>(trace.points.begin(), trace.points.end()).size() == 24);
  const auto best = std::max_element(trace.payoffs.begin(), trace.payoffs.end());
  CHECK(trace.recommendation.estimate == *best);
}

TEST_CASE("random and rmhc: a round in flight is decided when it has come back") {
  // Two parameters, resamples of 2: rounds of four asks. With six in flight, a challenger asked for
  // takes over at the earliest ten asks later, and holds against every point told before.
  const SearchSpace space = grid_space({50, 50});
  constexpr std::size_t kInFlight = 6;
  for (const char* name : {"random", "rmhc"}) {
    CAPTURE(name);
    const std::string optimiser = std::string("{algorithm: ") + name + ", resamples: 2}";
    const WindowTrace trace =
        run_window(optimiser, space, 2 + 4 * 100, 2, {.size = kInFlight},
                   [&](const Point& point, Rng&) { return height(space, point); });
    std::size_t decided = 2;  // asks of the rounds that are decided
    Point incumbent = trace.asked[0];
    for (std::size_t i = 2; i < trace.asked.size(); ++i) {
      const std::size_t returned = i < kInFlight ? 0 : i - kInFlight + 1;
      for (; decided + 4 <= returned; decided += 4) {
        const Point& challenger = trace.asked[decided];
        if (height(space, challenger) > height(space, incumbent)) incumbent = challenger;
      }
      const std::size_t step = (i - 2) % 4;
      if (step == 1) REQUIRE(trace.asked[i] == trace.asked[i - 1]);
      if (step >= 2) REQUIRE(trace.asked[i] == incumbent);
    }
    for (; decided + 4 <= trace.asked.size(); decided += 4) {
      const Point& challenger = trace.asked[decided];
      if (height(space, challenger) > height(space, incumbent)) incumbent = challenger;
    }
    CHECK(trace.recommendation.point == incumbent);
  }
}

TEST_CASE("ntbea follows its slow twin with evaluations in flight") {
  std::uint64_t seed = 100;
  for (const auto& cardinalities : {std::vector<int>{12, 12}, std::vector<int>{6, 1, 5, 4}}) {
    const SearchSpace space = grid_space(cardinalities);
    for (const Weighting& weighting : kWeightings) {
      for (const Exploration& exploration : kExplorations) {
        CAPTURE(space.dimensions(), weighting.name, exploration.name);
        NtbeaOptions options;
        options.model.weighting = &weighting;
        options.model.exploration = &exploration;
        const bool failures = ++seed % 2 == 0;
        if (options.model.weighted()) {
          follow<PairModel<true>>(space, options, 60, seed, 4, failures);
        } else {
          follow<PairModel<false>>(space, options, 60, seed, 4, failures);
        }
        follow<NTupleModel>(space, options, 40, seed, 7, failures);
      }
    }
  }
}

TEST_CASE("eight evaluations in flight lose at most 2 % of what one at a time finds",
          "[statistical]") {
  // The bound holds four standard errors: a false alarm in 30,000 where the loss is 2 %.
  const FunctionObjective objective(make_hartmann6());
  RunningStats losses;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto value = [&](std::size_t in_flight) {
      const auto payoff = [&](const Point& point, Rng& rng) {
        return objective.evaluate(point, rng);
      };
      const WindowTrace trace = run_window("{algorithm: ntbea, k: 1}", objective.space(), 1000,
                                           seed, {.size = in_flight}, payoff);
      return *true_value_of(objective, trace.recommendation.point);
    };
    losses.add(0.98 * value(1) - value(8));
  }
  CAPTURE(losses.mean(), losses.standard_error());
  CHECK(losses.mean() < 4.0 * losses.standard_error());
}

TEST_CASE("a batch of ntbea spreads") {
  // One payoff is known; all that tells neighbours apart is how often they are being visited.
  const SearchSpace space = grid_space({8, 8});
  for (const Weighting& weighting : kWeightings) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::string options =
          "{algorithm: ntbea, weighting: " + std::string(weighting.name) + "}";
      const auto ntbea = test::make_plan(options, space).make(test::make_context(space, 100));
      Rng rng(seed);
      ntbea->tell(ntbea->ask(rng).point, 0.0);
      std::set<Point> batch;
      for (int i = 0; i < 16; ++i) {
        const Point point = ntbea->ask(rng).point;
        ntbea->pending(point, true);
        batch.insert(point);
      }
      CAPTURE(weighting.name, seed);
      CHECK(batch.size() == 16);
    }
  }
}

}  // namespace ntune
