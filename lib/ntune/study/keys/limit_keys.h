#pragma once

#include <optional>

#include "ntune/core/options.h"

namespace ntune {

struct StudyYaml;

/// `budget:` of a study as a map.
struct BudgetYaml {
  double cost = 0.0;
  double cost_exponent = 0.5;
  AutoInteger evaluations;

  void visit(Options& options);
};

/// `budget:` of a study: a number, auto, or the map.
CustomOption budget_option(StudyYaml& keys);
/// `time:` of a study. Left out of a written study where there is no limit.
CustomOption time_option(std::optional<double>& seconds);

}  // namespace ntune
