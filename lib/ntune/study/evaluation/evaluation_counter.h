#pragma once

#include <atomic>
#include <cstdint>

#include "ntune/study/evaluation/study_progress.h"

namespace ntune {

/// Counts evaluations into the shared progress. The batches grow while evaluations come fast, so
/// that an objective of microseconds is not slowed down and a slow one is shown at once.
class EvaluationCounter {
 public:
  /// Without `batches` every evaluation is counted at once: where somebody waits between them.
  explicit EvaluationCounter(StudyProgress& progress, bool batches = true);
  ~EvaluationCounter() { flush(); }
  EvaluationCounter(const EvaluationCounter&) = delete;
  EvaluationCounter& operator=(const EvaluationCounter&) = delete;

  /// `recalled`: of a log. These are counted at once, as they do not say how fast others come.
  void count(std::int64_t evaluations, bool recalled);
  [[nodiscard]] bool stopped() const { return progress_.stop.load(std::memory_order_relaxed); }

 private:
  void flush();

  StudyProgress& progress_;
  bool batches_;
  std::int64_t pending_ = 0;
  std::int64_t batch_ = 1;
  std::int64_t last_flush_ns_ = 0;
};

}  // namespace ntune
