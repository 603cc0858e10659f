#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ntune/report/data/run_trace.h"

namespace ntune {

/// Some evaluations of many, evenly: every k-th of those that were added, k a power of two.
class EvaluationSample {
 public:
  /// Between half of `most` and `most` once there are so many.
  explicit EvaluationSample(std::size_t most) : most_(most) {}

  void add(const SearchEvaluation& evaluation);

  [[nodiscard]] const std::vector<SearchEvaluation>& evaluations() const { return kept_; }
  /// How many were added.
  [[nodiscard]] std::int64_t of() const { return of_; }
  [[nodiscard]] bool is_whole() const { return every_ == 1; }

 private:
  std::size_t most_;
  std::int64_t of_ = 0;
  std::int64_t every_ = 1;
  std::vector<SearchEvaluation> kept_;
};

}  // namespace ntune
