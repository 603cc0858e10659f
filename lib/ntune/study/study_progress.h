#pragma once

#include <atomic>
#include <cstdint>

namespace ntune {

/// What somebody may look at while a study runs, and the switch that stops it.
struct StudyProgress {
  std::atomic<std::int64_t> evaluations{0};
  std::atomic<std::int64_t> runs{0};
  std::int64_t total_evaluations = 0;  ///< at most
  std::int64_t total_runs = 0;
  std::atomic<bool> stop{false};
};

}  // namespace ntune
