#pragma once

#include <string>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/facts/fact.h"
#include "ntune/study/followup/deviations.h"

namespace ntune {

/// The difference of each change in the reported unit.
Facts deviation_facts(const Objective& objective, const Deviations& result);

/// A text for a person: which parameters matter, which could go back to their default, whether a
/// neighbour is better, and a table of the deviations. `defaults` may be nullptr.
std::string deviations_text(const Objective& objective, const Deviations& result,
                            const Point* defaults);

/// A row for each deviation: parameter, value, recommended, default, neighbour, n, difference with
/// simultaneous interval in the reported unit, verdict.
std::vector<Json> deviation_rows(const Objective& objective, const Deviations& result);

/// The rows and what follows from them.
Json deviations_json(const Objective& objective, const Deviations& result, const Point* defaults);

}  // namespace ntune
