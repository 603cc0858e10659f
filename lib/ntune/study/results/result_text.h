#pragma once

#include <string>
#include <vector>

#include "ntune/study/results/published.h"
#include "ntune/study/results/summary.h"
#include "ntune/study/study.h"

namespace ntune {

/// What the study is about to do, in a few lines.
std::string plan_text(const Study& study);

/// The result for a person: the recommendation, or the table of cells.
std::string result_text(const Study& study, const StudyResult& result,
                        const std::vector<CellSummary>& summaries);

/// Ours beside the published numbers, and how many rows agree within 3 standard errors.
std::string published_text(const std::vector<PublishedComparison>& comparisons);

/// The table of cells (or the recommendation) as CSV.
std::string result_csv(const Study& study, const StudyResult& result,
                       const std::vector<CellSummary>& summaries);

}  // namespace ntune
