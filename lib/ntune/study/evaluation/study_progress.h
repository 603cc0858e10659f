#pragma once

#include <atomic>
#include <cstdint>

namespace ntune {

/// What somebody may look at while a study runs, and the switch that stops it.
struct StudyProgress {
  std::atomic<std::int64_t> evaluations{0};
  std::atomic<std::int64_t> recalled{0};  ///< of the evaluations, those of the journal
  std::atomic<std::int64_t> runs{0};
  std::int64_t total_evaluations = 0;  ///< at most
  std::int64_t total_runs = 0;
  std::atomic<bool> stop{false};
  // Of a study with limits, 0 where there is none.
  double seconds_limit = 0.0;
  double cost_limit = 0.0;
  std::atomic<double> seconds_used{0.0};
  std::atomic<double> cost_used{0.0};
};

}  // namespace ntune
