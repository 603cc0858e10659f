#pragma once

#include "ntune/study/model/incumbent.h"

namespace ntune {

/// Fills in what follows from the differences: nothing where there are none, unless the
/// recommendation is the default itself.
void conclude(const Objective& objective, IncumbentComparison& comparison,
              double confidence = 0.95);

/// Brings failures without a payoff into the finding. No finding is for the one that failed more
/// often, and a recommendation that did has no probability of being better. Where no call of both
/// has a payoff, the 95 % intervals of the two failure rates decide.
void weigh_failures(const HoldOut& recommended, IncumbentComparison& comparison);

/// Fills in what is known where every evaluation is a match against the default. It is worth 1/2 by
/// definition, and the difference is as sure as the value of the recommendation.
void conclude_level(const Objective& objective, const HoldOut& recommended,
                    IncumbentComparison& comparison);

}  // namespace ntune
