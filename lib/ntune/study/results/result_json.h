#pragma once

#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/study/results/saved_result.h"

namespace ntune {

/// What result.json holds: configuration with all defaults, seed, version, evaluations spent, and
/// either `recommendation` (parameters, estimate, value, interval, true_value, …) or `cells`.
/// The file does not depend on the machine or the number of threads.
Json to_json(SavedResult result, const Study& study);
/// The result.json of what a study has found.
Json result_json(const Study& study, const StudyResult& result,
                 const std::vector<CellSummary>& summaries);
/// What such a file holds; fields may be missing in that of an older version. Throws InputError for
/// a point that is none of the study's space.
SavedResult read_saved_result(const Json& json, const Study& study);

/// Its `verdict` and `setting` alone: what to do, and the values of that.
Json verdict_json(const SavedResult& result, const Study& study);
/// Puts a test of the recommendation into a result of this study that has a default; its verdict
/// and setting follow.
void add_test(Json& result, DecidedTest test, const Study& study);
/// The setting that is chosen within limits, as a recommendation: `params`, and `value` and
/// `interval` by goal. There must be one.
Json chosen_json(const GoalFront& front, const SearchSpace& space);
/// Faults of either player in their games, by cause; null where there were none.
Json forfeits_json(EarlyEndings endings);
/// Elo of games with normalised Elo, the games and the pairs by their points.
Json elo_json(SavedElo elo);

}  // namespace ntune
