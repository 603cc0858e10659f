#pragma once

#include <optional>

#include "ntune/core/statistics.h"
#include "ntune/objective/objective.h"

namespace ntune {

/// The one door through which payoffs enter: evaluates a point and refuses what is not finite.
/// Throws EvaluationError naming objective, point and reason.
double evaluate_checked(const Objective& objective, const Point& point, Rng stream);

/// 95 % interval of a hold-out mean in the reported unit: Wilson's where every payoff is one of two
/// values, else Student's. Nothing below two evaluations of a noisy objective.
std::optional<Interval> hold_out_interval(const Objective& objective, const RunningStats& payoffs);

}  // namespace ntune
