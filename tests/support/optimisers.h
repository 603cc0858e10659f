#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ntune/core/yaml.h"
#include "ntune/optim/optimisers.h"

namespace ntune::test {

/// Names of a table's entries, in its order.
template <class Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.name);
  return names;
}

/// The plan for a study's `optimiser:` value.
inline OptimiserPlan make_plan(const std::string& optimiser, const SearchSpace& space) {
  const YamlNode study = parse_yaml("optimiser: " + optimiser, "study.yaml");
  return plan_optimiser(*study.find("optimiser"), space);
}

inline OptimiserContext make_context(const SearchSpace& space, std::int64_t budget) {
  OptimiserContext context;
  context.space = &space;
  context.budget = budget;
  return context;
}

struct Trace {
  std::vector<Point> points;
  std::vector<double> payoffs;
  Recommendation recommendation;
};

/// One run of `budget` evaluations of payoff(point, noise).
template <class Payoff>
Trace run(Optimiser& optimiser, std::int64_t budget, std::uint64_t seed, const Payoff& payoff) {
  Rng rng = Rng(seed).stream("optimiser");
  Rng noise = Rng(seed).stream("noise");
  Trace trace;
  for (std::int64_t i = 0; i < budget; ++i) {
    const Point point = optimiser.ask(rng).point;
    const double value = payoff(point, noise);
    optimiser.tell(point, value);
    trace.points.push_back(point);
    trace.payoffs.push_back(value);
  }
  trace.recommendation = optimiser.recommend();
  return trace;
}

template <class Payoff>
Trace run(const std::string& optimiser, const SearchSpace& space, std::int64_t budget,
          std::uint64_t seed, const Payoff& payoff) {
  const auto made = make_plan(optimiser, space).make(make_context(space, budget));
  return run(*made, budget, seed, payoff);
}

/// Mean over the parameters of index / largest index: from 0 to 1.
inline double height(const SearchSpace& space, const Point& point) {
  double sum = 0.0;
  for (int i = 0; i < space.dimensions(); ++i) {
    sum += space[i].cardinality() == 1
               ? 1.0
               : static_cast<double>(point[i]) / (space[i].cardinality() - 1);
  }
  return sum / space.dimensions();
}

}  // namespace ntune::test
