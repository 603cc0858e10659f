#pragma once

#include <string>
#include <vector>

#include "ntune/study/results/summary.h"
#include "ntune/study/study.h"

namespace ntune {

/// The table of cells, or the recommendation, as CSV.
std::string result_csv(const Study& study, const StudyResult& result,
                       const std::vector<CellSummary>& summaries);

/// runs.csv: run, evaluations, estimate, true_value and the parameters, one row per finished run;
/// with objective, optimiser, plan and repeat in front where the study has several cells.
std::string runs_csv(const Study& study, const StudyResult& result);

}  // namespace ntune
