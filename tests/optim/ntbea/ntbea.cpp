// NTBEA step by step against its definition on the reference model.

#include "ntune/optim/ntbea/ntbea.h"

#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "ntune/optim/models/n_tuple_model.h"
#include "ntune/optim/models/pair_model.h"
#include "optim/ntbea/twin.h"
#include "optim/window.h"
#include "support/optimisers.h"
#include "support/spaces.h"

namespace ntune {

using test::follow;
using test::grid_space;
using test::noisy_height;
using test::run;
using test::Trace;
using test::yaml_space;

namespace {

NtbeaOptions options_of(const Weighting& weighting, const Exploration& exploration) {
  NtbeaOptions options;
  options.model.weighting = &weighting;
  options.model.exploration = &exploration;
  return options;
}

}  // namespace

TEST_CASE("ntbea follows its slow twin") {
  std::uint64_t seed = 0;
  for (const auto& cardinalities :
       {std::vector<int>{20, 20}, std::vector<int>{6, 1, 5, 4}, std::vector<int>(6, 5)}) {
    const SearchSpace space = grid_space(cardinalities);
    for (const Weighting& weighting : kWeightings) {
      for (const Exploration& exploration : kExplorations) {
        CAPTURE(space.dimensions(), weighting.name, exploration.name);
        const NtbeaOptions options = options_of(weighting, exploration);
        const bool common = &exploration == &kExplorations[0] && &weighting <= &kWeightings[1];
        const int iterations = common ? 300 : 100;
        ++seed;
        if (options.model.weighted()) {
          follow<PairModel<true>>(space, options, iterations, seed);
        } else {
          follow<PairModel<false>>(space, options, iterations, seed);
        }
        follow<NTupleModel>(space, options, 80, seed);
      }
    }
  }
}

TEST_CASE("ntbea follows its slow twin with other options") {
  const SearchSpace space = grid_space({6, 5, 1, 4});
  NtbeaOptions options;
  SECTION("few neighbours, fixed k") {
    options.neighbourhood.size = 4;
    options.k = {.automatic = false, .value = 0.3};
  }
  SECTION("most sampled") { options.recommend = entry_named(kRecommendationRules, "most_sampled"); }
  SECTION("lower bound") {
    options.recommend = entry_named(kRecommendationRules, "best_lower_bound");
  }
  SECTION("lower bound, fixed k") {
    options.recommend = entry_named(kRecommendationRules, "best_lower_bound");
    options.k = {.automatic = false, .value = 2.0};
  }
  SECTION("high mutation rate") {
    options.neighbourhood.mutation_rate = {.automatic = false, .value = 0.8};
  }
  SECTION("the point itself may be a candidate") { options.neighbourhood.different = false; }
  SECTION("cap") { options.neighbourhood.cap = true; }
  SECTION("without 1-tuples and d-tuple") {
    options.model.tuples = {.sizes = {2}, .all = false, .named = {}};
  }
  follow<PairModel<false>>(space, options, 300, 5);
}

TEST_CASE("ntbea follows its slow twin in a constrained space") {
  const SearchSpace space = yaml_space(
      "kind: [a, b, c]\n"
      "x: {integers: [1, 9], when: {kind: a}}\n"
      "y: {choices: [1, 2, 3], when: {kind: [a, b]}}\n"
      "z: [1, 2, 3, 4]\n"
      "forbid: [{x: 3, z: 2}, {kind: c, z: 1}]\n");
  follow<PairModel<false>>(space, {}, 300, 1);
  follow<PairModel<true>>(
      space, options_of(*entry_named(kWeightings, "inverse"), *entry_named(kExplorations, "ucb1")),
      300, 2);
  NtbeaOptions options;
  options.model.tuples = {.sizes = {1, 3}, .all = true, .named = {{0, 3}}};
  follow<NTupleModel>(space, options, 200, 3);
}

TEST_CASE("ties are broken at random, independently in every iteration") {
  // Every bound is 0. Of the mutants of two parameters every second one, on average, changes both.
  const SearchSpace space = grid_space({30, 30});
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Trace trace =
        run("{algorithm: ntbea, k: 0}", space, 2001, seed, [](const Point&, Rng&) { return 0.0; });
    int both = 0;
    for (std::size_t i = 1; i < trace.points.size(); ++i) {
      const Point& a = trace.points[i - 1];
      const Point& b = trace.points[i];
      both += a[0] != b[0] && a[1] != b[1] ? 1 : 0;
    }
    CAPTURE(seed, both);
    CHECK(std::abs(both - 1000) < 134);  // six standard deviations
  }
}

TEST_CASE("with k: auto, scaled and shifted payoffs give the same trace") {
  // In these spaces every mutant shares a tuple with data. Where one does not, its mean is 0 on any
  // scale, and a shift makes a difference.
  for (const auto& cardinalities : {std::vector<int>(10, 3), std::vector<int>{4, 5, 3, 6, 2, 4}}) {
    const SearchSpace space = grid_space(cardinalities);
    for (const char* optimiser :
         {"ntbea", "{algorithm: ntbea, exploration: ratio}", "{algorithm: ntbea, tuples: [1, 3]}",
          "{algorithm: ntbea, recommend: best_lower_bound}"}) {
      for (std::uint64_t seed = 0; seed < 3; ++seed) {
        CAPTURE(space.dimensions(), optimiser, seed);
        const auto trace = [&](double factor, double shift) {
          return run(optimiser, space, 200, seed, [&](const Point& point, Rng& rng) {
            return factor * noisy_height(space, point, rng) + shift;
          });
        };
        const Trace plain = trace(1.0, 0.0);
        for (const auto& [factor, shift] : std::vector<std::pair<double, double>>{
                 {1000.0, 0.0}, {1000.0, -5000.0}, {1e-3, 0.0}, {1.0, 20.0}}) {
          CAPTURE(factor, shift);
          const Trace other = trace(factor, shift);
          CHECK(other.points == plain.points);
          CHECK(other.recommendation.point == plain.recommendation.point);
          CHECK(other.recommendation.estimate ==
                Approx(factor * plain.recommendation.estimate + shift));
        }
      }
    }
  }
}

TEST_CASE("with k: auto, the declared range counts") {
  const SearchSpace space = grid_space({8, 5, 6});
  const auto trace = [&](const std::string& options, double factor, double low, double high) {
    const auto ntbea =
        test::make_plan(options, space)
            .make({.space = &space, .budget = 200, .payoff_low = low, .payoff_high = high});
    return run(*ntbea, 200, 4,
               [&](const Point& point, Rng& rng) {
                 return factor * noisy_height(space, point, rng);
               })
        .points;
  };
  for (const std::string weighting : {"none", "linear", "inverse"}) {
    const std::string automatic = "{algorithm: ntbea, k: auto, weighting: " + weighting + "}";
    const auto plain = trace(automatic, 1.0, -2.0, 2.0);
    CHECK(plain == trace("{algorithm: ntbea, k: 2, weighting: " + weighting + "}", 1.0, -2.0, 2.0));
    CHECK(plain == trace(automatic, 1024.0, -2048.0, 2048.0));
    CHECK(plain == trace(automatic, 1024.0, -1024.0, 3072.0));
    CHECK(plain != trace(automatic, 1.0, -1.0, 1.0));
  }
}

TEST_CASE("ntbea: a constant added to all payoffs changes nothing but the estimates") {
  for (const auto& cardinalities :
       {std::vector<int>{20}, std::vector<int>{6, 6}, std::vector<int>{5, 5, 5}}) {
    const SearchSpace space = grid_space(cardinalities);
    for (const char* name : {"ntbea", "{algorithm: ntbea, weighting: linear}",
                             "{algorithm: ntbea, weighting: inverse}",
                             "{algorithm: ntbea, weighting: exponential, tuples: [2, all]}",
                             "{algorithm: ntbea, tuples: [all]}",
                             "{algorithm: ntbea, weighting: inverse, tuples: [3]}"}) {
      CAPTURE(space.dimensions(), name);
      const auto search = [&](double offset) {
        const auto made = test::make_plan(name, space).make(test::make_context(space, 100));
        test::Trace trace = test::run(*made, 100, 1, [&](const Point& point, Rng& rng) {
          // Multiples of 1/1024 are exact beside every offset.
          const double payoff = -0.25 * std::abs(point[0] - 3) + 0.5 * rng.normal();
          return offset + std::round(1024.0 * payoff) / 1024.0;
        });
        trace.recommendation.estimate -= offset;
        return trace;
      };
      const test::Trace trace = search(0.0);
      CHECK(std::set<Point>(trace.points.begin(), trace.points.end()).size() > 10);
      for (const double offset : {100.0, -100.0, 1000.0}) {
        const test::Trace shifted = search(offset);
        CHECK(shifted.points == trace.points);
        CHECK(shifted.recommendation.point == trace.recommendation.point);
        CHECK(shifted.recommendation.estimate ==
              Approx(trace.recommendation.estimate).margin(1e-6));
      }
    }
  }
}

TEST_CASE("ntbea: in the preset of the paper an unseen tuple is worth 0") {
  // Payoffs far above 0: what was never tried looks worst, as in the published program.
  const SearchSpace space = grid_space({20});
  const auto distinct = [&](const char* name) {
    const auto made = test::make_plan(name, space).make(test::make_context(space, 100));
    const test::Trace trace = test::run(
        *made, 100, 1, [](const Point&, Rng& rng) { return 1000.0 + 0.5 * rng.normal(); });
    return std::set<Point>(trace.points.begin(), trace.points.end()).size();
  };
  CHECK(distinct("ntbea") == 20);
  CHECK(distinct("{algorithm: ntbea, preset: paper}") < 5);
}

}  // namespace ntune
