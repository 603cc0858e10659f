#pragma once

#include <optional>

#include "ntune/core/statistics.h"
#include "ntune/objective/objective.h"

namespace ntune {

/// 95 % interval of a mean in the reported unit from n, mean and sd in that unit, by the rule of
/// the hold-out (Wilson's for wins and losses, else Student's).
std::optional<Interval> interval_of(const Objective& objective, std::int64_t n, double mean,
                                    double sd);

}  // namespace ntune
