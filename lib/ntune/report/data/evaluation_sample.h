#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ntune/report/data/run_trace.h"

namespace ntune {

/// A number that looks random, the same for the same evaluation of a study.
std::uint64_t code_of(const SearchEvaluation& evaluation);

/// Some evaluations of many, each with the same chance: a power of two divides their codes.
class EvaluationSample {
 public:
  /// About half of `most` up to `most` once there are so many.
  explicit EvaluationSample(std::size_t most) : most_(most) {}

  void add(const SearchEvaluation& evaluation);

  [[nodiscard]] const std::vector<SearchEvaluation>& evaluations() const { return kept_; }
  /// How many were added.
  [[nodiscard]] std::int64_t of() const { return of_; }
  [[nodiscard]] bool is_whole() const { return every_ == 1; }

 private:
  std::size_t most_;
  std::int64_t of_ = 0;
  std::uint64_t every_ = 1;
  std::vector<SearchEvaluation> kept_;
};

}  // namespace ntune
