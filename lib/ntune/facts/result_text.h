#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ntune/study/model/study.h"
#include "ntune/study/results/published.h"
#include "ntune/study/results/summary.h"

namespace ntune {

/// The study before it runs, in a few lines: objectives, optimisers, plans, evaluations, seed.
std::string plan_text(const Study& study);

/// The result for a person: the recommendation, or the table of cells. `made`: see story_of.
std::string result_text(const Study& study, const StudyResult& result,
                        const std::vector<CellSummary>& summaries, std::int64_t made = 0);

/// "true value" or "hold-out value", by which the scores of a comparison are told.
const char* score_noun(const Study& study);

/// The table of a study's cells for a person.
std::string comparison_text(const Study& study, const std::vector<CellSummary>& summaries);

/// Our cells beside the published numbers, and how many rows agree within 3 standard errors.
std::string published_text(const std::vector<PublishedComparison>& comparisons);

}  // namespace ntune
