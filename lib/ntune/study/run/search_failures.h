#pragma once

#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/run/answer.h"
#include "ntune/study/run/run.h"

namespace ntune {

/// Counts the failures of a run's search, and ends the study if there are too many.
class SearchFailures {
 public:
  SearchFailures(const RunTask& task, Evaluator& evaluator)
      : task_(task), recorder_(evaluator.recorder()), limit_(recorder_.failure_limit()) {}

  /// Takes the next answer, in the order of the asks.
  void add(const Answer& answer, RunRecord& record) {
    const Evaluated& evaluated = answer.evaluated;
    by_value_.add(task_.objective->space(), answer.point, evaluated.failed(),
                  answer.opponent ? &*answer.opponent : nullptr);
    if (evaluated.failed()) {
      ++record.failures;
      record.failure_statistics.causes.add_failure(evaluated.failure);
    }
    record.endings.add(evaluated.ending, evaluated.games);
    if (!limit_.add(evaluated.failed())) return;
    recorder_.end_study(limit_,
                        {.key = task_.key(0),
                         .objective = task_.objective,
                         .point = &answer.point,
                         .stream = task_.stream},
                        evaluated);
  }
  /// Call it after the last answer.
  void finish(RunRecord& record) const {
    if (record.failures > 0) record.failure_statistics.by_value = by_value_;
  }

 private:
  const RunTask& task_;
  EvaluationRecorder& recorder_;
  FailureLimit limit_;
  FailuresByValue by_value_;
};

}  // namespace ntune
