#pragma once

#include <string>
#include <vector>

#include "ntune/study/model/study.h"
#include "ntune/study/results/summary.h"

namespace ntune {

/// The table of cells, or the recommendation, as CSV: value, 95 % interval, true value, estimate
/// and parameters. Where a default is declared it is a second row, and its `difference` is what the
/// recommendation is above it.
std::string result_csv(const Study& study, const StudyResult& result,
                       const std::vector<CellSummary>& summaries);

/// runs.csv has one row per finished run: run, evaluations, estimate, true_value and the
/// parameters. In front are objective, optimiser, plan and repeat where the study has several
/// cells.
std::string runs_csv(const Study& study, const StudyResult& result);

}  // namespace ntune
