#pragma once

#include <string>
#include <vector>

#include "ntune/study/model/study.h"
#include "ntune/study/results/summary.h"

namespace ntune {

/// The study before it runs, in a few lines: objectives, optimisers, plans, evaluations, seed.
std::string plan_text(const Study& study);

/// The result for a person: the recommendation, or the table of cells.
std::string result_text(const Study& study, const StudyResult& result,
                        const std::vector<CellSummary>& summaries);

}  // namespace ntune
