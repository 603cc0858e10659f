#pragma once

// What the contract tests run over, and what they ask of every run.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "catch.h"
#include "support/optimisers.h"
#include "support/spaces.h"

namespace ntune::test {

/// Every optimiser of the table with its defaults, and with options that change its course. What
/// chooses both players of matches has a contract of its own (duels/).
inline std::vector<std::string> optimisers() {
  std::vector<std::string> list = {
      "{algorithm: ntbea, preset: paper}",
      "{algorithm: ntbea, weighting: linear, k: 1, recommend: best_lower_bound}",
      "{algorithm: ntbea, weighting: inverse, tuples: [1, 3, all], recommend: most_sampled}",
      "{algorithm: ntbea, exploration: ratio, epsilon: 0.1, neighbours: 3, mutation_rate: 0.5}",
      "{algorithm: ntbea, exploration: square_root, different: false, cap: true, tuples: [2]}",
      "{algorithm: ntbea, k: 0}",
      "{algorithm: random, resamples: 1}",
      "{algorithm: rmhc, resamples: 1, mutation_rate: 0}",
      "{algorithm: grid, repeats: 3}"};
  for (const OptimiserEntry& entry : optimiser_table()) {
    if (entry.needs_matches) continue;
    list.push_back(entry.name);
    list.push_back("{algorithm: " + entry.name + "}");
  }
  return list;
}

inline std::vector<SearchSpace> spaces() {
  std::vector<SearchSpace> list;
  for (const auto& cardinalities :
       {std::vector<int>{1}, std::vector<int>{1, 1, 1}, std::vector<int>{2},
        std::vector<int>{1, 9, 1}, std::vector<int>{20, 20}, std::vector<int>{5, 1, 4, 3, 2},
        std::vector<int>(64, 3), std::vector<int>{65'535, 65'535, 65'535, 65'535}}) {
    list.push_back(grid_space(cardinalities));
  }
  for (const char* yaml :
       {"kind: [a, b, c]\n"
        "x: {integers: [1, 9], when: {kind: a}}\n"
        "y: {choices: [1, 2, 3], when: {kind: [a, b]}}\n"
        "z: {boolean: , when: {y: 2}}\n",
        "a: [0, 1, 2]\nb: [0, 1, 2, 3]\nc: [0, 1]\n"
        "forbid: [{a: 0, b: [1, 2]}, {b: 3, c: 1}, {a: [1, 2], b: 0, c: 0}]\n",
        "{x: [1, 2], forbid: [{x: 1}]}",  // one point is left
        "{x: [1, 2], y: [1, 2], forbid: [{x: 1, y: 2}, {x: 2, y: 1}]}",
        "{x: [1, 2, 3], y: [1, 2, 3], forbid: [{x: 1}, {x: 3}, {y: 1}, {y: 3}]}"}) {
    list.push_back(yaml_space(yaml));
  }
  return list;
}

/// Only allowed points; the recommendation was sampled, and its evaluations are counted.
inline void check_trace(const SearchSpace& space, const Trace& trace) {
  bool allowed = true;
  for (const Point& point : trace.points) allowed = allowed && space.is_allowed(point);
  CHECK(allowed);
  const auto count =
      std::count(trace.points.begin(), trace.points.end(), trace.recommendation.point);
  CHECK(count > 0);
  CHECK(trace.recommendation.evaluations == count);
  CHECK(std::isfinite(trace.recommendation.estimate));
}

/// The height of the best of `budget` random points, averaged over runs.
inline double plain_random_search(const SearchSpace& space, int budget, int runs) {
  double mean = 0.0;
  Rng rng(1);
  for (int i = 0; i < runs; ++i) {
    double best = 0.0;
    for (int k = 0; k < budget; ++k) best = std::max(best, height(space, space.sample(rng)));
    mean += best / runs;
  }
  return mean;
}

}  // namespace ntune::test
