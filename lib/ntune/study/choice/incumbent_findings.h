#pragma once

#include "ntune/study/model/incumbent.h"

namespace ntune {

struct PayoffSource;

/// Fills in what follows from the differences: nothing where there are none, unless the
/// recommendation is the default itself.
void conclude(const PayoffSource& source, const HoldOut& recommended,
              IncumbentComparison& comparison, double confidence = 0.95);

/// Brings failures and what was cut off into the finding. A recommendation is not better where they
/// were more than the default's, or all of its evaluations, and has no probability of being so. Nor
/// is a default kept that failed more often without a payoff. Where no call of both has a payoff,
/// the 95 % intervals of the two rates of such failures decide.
void weigh_failures(const Objective& objective, const HoldOut& recommended,
                    IncumbentComparison& comparison);

/// Fills in what is known where every evaluation is a match against the default. It is worth 1/2 by
/// definition, and the difference is as sure as the value of the recommendation. That is better
/// only where it still is with every failed match lost: nobody knows which player failed.
void conclude_level(const Objective& objective, const HoldOut& recommended,
                    IncumbentComparison& comparison);

}  // namespace ntune
