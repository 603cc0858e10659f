#include "ntune/study/evaluation/evaluation_counter.h"

#include <algorithm>

#include "ntune/core/clock.h"

namespace ntune {

EvaluationCounter::EvaluationCounter(StudyProgress& progress, bool batches)
    : progress_(progress), batches_(batches), last_flush_ns_(clock_nanoseconds()) {}

void EvaluationCounter::count(std::int64_t evaluations, bool recalled) {
  if (recalled) {
    progress_.evaluations += evaluations;
    return;
  }
  pending_ += evaluations;
  if (pending_ >= batch_) flush();
}

void EvaluationCounter::flush() {
  constexpr std::int64_t kFast = 10'000'000;
  constexpr std::int64_t kLargestBatch = 1024;
  progress_.evaluations += pending_;
  pending_ = 0;
  const std::int64_t now = clock_nanoseconds();
  batch_ = batches_ && now - last_flush_ns_ < kFast ? std::min(2 * batch_, kLargestBatch) : 1;
  last_flush_ns_ = now;
}

}  // namespace ntune
