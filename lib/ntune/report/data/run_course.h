#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "ntune/report/data/run_trace.h"

namespace ntune {

/// What the searches of a cell got over the course of their runs, in twentieths of a run: of all
/// evaluations that brought a payoff.
class RunCourse {
 public:
  static constexpr std::size_t kParts = 20;

  struct Part {
    std::int64_t n = 0;
    double payoffs = 0.0;  ///< their sum
    double indices = 0.0;  ///< the sum of the evaluations' numbers in their runs

    [[nodiscard]] double mean_payoff() const { return payoffs / static_cast<double>(n); }
    [[nodiscard]] double mean_index() const { return indices / static_cast<double>(n); }
  };

  void add(const SearchEvaluation& evaluation) {
    const auto place = static_cast<std::size_t>(evaluation.progress * kParts);
    Part& part = parts_[std::min(place, kParts - 1)];
    ++part.n;
    part.payoffs += evaluation.payoff;
    part.indices += static_cast<double>(evaluation.index);
  }

  /// Some may have no evaluation.
  [[nodiscard]] const std::array<Part, kParts>& parts() const { return parts_; }

 private:
  std::array<Part, kParts> parts_{};
};

}  // namespace ntune
