#pragma once

#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/study/evaluation/backend.h"
#include "ntune/study/evaluation/study_log.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// What a study that goes on would recommend now: of its finished runs and the one that asks, what
/// the run with the best estimate recommends.
class SearchRecommendation {
 public:
  void add_finished(const Objective& objective, const RunRecord& run) {
    finished_.push_back({&objective, run});
  }

  /// {"params": {…}, "estimate": …, "evaluations": …, "run": …, "final": false}, or null before the
  /// first payoff. `asking` is an evaluation that the study waits for, or nullptr.
  [[nodiscard]] Json json(const Request* asking) const;

 private:
  struct Searched {
    const Objective* objective = nullptr;
    RunRecord run;
  };

  std::vector<Searched> finished_;
};

/// What a search of the cell would recommend that knows nothing yet but what nobody asked for, in
/// the form of SearchRecommendation::json; null where there is none of its objective. What the
/// study holds is known to a search from its next question on, and need not wait for it.
Json recommendation_of_offered(const Study& study, std::uint32_t cell,
                               const OfferedObservations& offered);

/// The recommendation of a finished study with its hold-out value, "final": true, and the verdict
/// with its setting as in result.json.
Json final_recommendation(const Study& study, const StudyResult& result);

}  // namespace ntune
