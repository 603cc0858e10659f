#pragma once

#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/study/model/study.h"
#include "ntune/study/results/summary.h"

namespace ntune {

/// The result as JSON: configuration with all defaults, seed, version, evaluations spent, and
/// either `recommendation` (parameters, estimate, value, interval, true_value, …) or `cells`. Holds
/// nothing that depends on the machine or the number of threads.
Json result_json(const Study& study, const StudyResult& result,
                 const std::vector<CellSummary>& summaries);

}  // namespace ntune
