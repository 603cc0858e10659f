#pragma once

#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/study/backend.h"
#include "ntune/study/study.h"

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

/// The recommendation of a finished study with its hold-out value, "final": true.
Json final_recommendation(const Study& study, const StudyResult& result);

}  // namespace ntune
