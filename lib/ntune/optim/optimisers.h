#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/optim/base/optimiser.h"

namespace ntune {

class YamlNode;

/// An optimiser with its options read: makes one Optimiser per run.
struct OptimiserPlan {
  std::string label;  ///< for tables: the algorithm and the options that differ from its defaults
  Json options;       ///< {"algorithm": …} and every option, defaults too
  OptimiserMaker make;
  bool uses_prior = false;     ///< learns from payoffs that it did not ask for, or starts what does
  bool needs_matches = false;  ///< see OptimiserEntry
  bool needs_goals = false;    ///< see OptimiserEntry
  bool asks_in_blocks = false;  ///< its proposals have blocks, where the context has them
};

/// A line of the table of optimisers. A new one is one file and one line in optimisers.cpp.
struct OptimiserEntry {
  std::string name;
  std::string summary;  ///< one line
  /// Reads the options of a study's `optimiser:` map and checks them against the space. Throws
  /// InputError with file, line and key.
  std::function<OptimiserPlan(const YamlNode& options, const SearchSpace& space)> plan;
  /// JSON Schema of the options.
  std::function<Json()> schema;
  /// True if a payoff teaches it something although it did not ask for the point.
  bool learns_from_others = false;
  /// It chooses both players of matches, and is of no use where evaluations are none.
  bool needs_matches = false;
  /// It searches for several goals, and is of no use where an evaluation brings one number.
  bool needs_goals = false;
  /// It is there to be compared with; another one of the table is the better choice.
  bool is_rival = false;
  /// Evaluations of a single run at most, where the user leaves the runs of a budget open. Nothing:
  /// ways to divide the budget are simulated. That is for optimisers that do not divide it
  /// themselves and are fast enough.
  std::optional<std::int64_t> longest_single_run = std::nullopt;
};

std::span<const OptimiserEntry> optimiser_table();

/// Returns `longest_single_run` of the optimiser of this name.
std::optional<std::int64_t> longest_single_run(const std::string& algorithm);

/// The plan for a study's `optimiser:` value: a name, or a map with `algorithm:` (default ntbea).
OptimiserPlan plan_optimiser(const YamlNode& node, const SearchSpace& space);

/// The plan for an optimiser that is to learn from payoffs it did not ask for; refuses all others.
OptimiserPlan plan_learner(const YamlNode& node, const SearchSpace& space);

/// The plan of what learns from payoffs of these points that nobody asked for: a Gaussian process
/// up to 3,000 distinct ones, the regression of 1-tuples and pairs beyond. Both rank by posterior
/// means, so that no point is first for one lucky observation.
OptimiserPlan usual_learner(const SearchSpace& space, const std::vector<Point>& points);

/// A plan that starts another plan's optimiser again and again within one budget, with the defaults
/// of MultiStart.
OptimiserPlan multi_start_of(const OptimiserPlan& plan);

}  // namespace ntune
