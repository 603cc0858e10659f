#pragma once

#include <cstdint>

#include "ntune/study/evaluator.h"
#include "ntune/study/study.h"

namespace ntune {

/// Counts evaluations into the shared progress in batches that grow while they come fast, so that a
/// microsecond objective is not slowed down and a slow one is shown at once.
class EvaluationCounter {
 public:
  explicit EvaluationCounter(StudyProgress& progress);
  ~EvaluationCounter() { flush(); }
  EvaluationCounter(const EvaluationCounter&) = delete;
  EvaluationCounter& operator=(const EvaluationCounter&) = delete;

  void count(std::int64_t evaluations);
  [[nodiscard]] bool stopped() const { return progress_.stop.load(std::memory_order_relaxed); }

 private:
  void flush();

  StudyProgress& progress_;
  std::int64_t pending_ = 0;
  std::int64_t batch_ = 1;
  std::int64_t last_flush_ns_ = 0;
};

/// One run: ask, evaluate, tell until the task's iterations are used; then the recommendation. With
/// several evaluations in flight, results are told in the order of the asks, however they finish.
/// Streams: `task.stream` gives the optimiser's own stream and one per evaluation. The record is
/// unfinished if stopped midway.
RunRecord run_once(const RunTask& task, Evaluator& evaluator, Parallel& parallel);

}  // namespace ntune
