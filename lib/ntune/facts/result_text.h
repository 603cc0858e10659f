#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ntune/study/model/study.h"
#include "ntune/study/results/published.h"
#include "ntune/study/results/ranks.h"
#include "ntune/study/results/saved_result.h"
#include "ntune/study/results/summary.h"

namespace ntune {

/// The study before it runs, in a few lines: objectives, optimisers, plans, evaluations, seed.
std::string plan_text(const Study& study);

/// The result for a person: the recommendation, or the table of cells. `made`: see story_of.
std::string result_text(const Study& study, const StudyResult& result,
                        const std::vector<CellSummary>& summaries, std::int64_t made = 0);

/// "true value" or "hold-out value", by which the scores of a comparison are told.
const char* score_noun(const Study& study);

/// Who is first, and who cannot be told from the first: the verdict of a comparison.
std::string winner_sentence(const Study& study, const Ranks& ranks,
                            const std::vector<SavedCell>& cells);

/// A comparison for a person: verdict, ranks, means and differences, details.
std::string comparison_text(const Study& study, const SavedResult& saved, const Ranks& ranks,
                            const std::vector<CellSummary>& summaries);

/// Our cells beside the published numbers, and how many rows agree within 3 standard errors.
std::string published_text(const std::vector<PublishedComparison>& comparisons);

}  // namespace ntune
