#pragma once

#include "ntune/study/results/saved_result.h"

namespace ntune {

/// True if every evaluation was a match against the default, whose own value is 1/2 by definition.
bool is_level(const IncumbentComparison& comparison);
/// The same of a recommendation that is the default itself.
bool is_level(const Objective& objective, const Pick& pick);

/// The comparison with the default, which the pick must have.
SavedDefault saved_default(const Study& study, const StudyResult& result, const Pick& pick);

}  // namespace ntune
