#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "ntune/report/data/run_trace.h"

namespace ntune {

/// A number that looks random, the same for the same evaluation of a study.
std::uint64_t code_of(const SearchEvaluation& evaluation);

/// Adds a value to a sample of at most so many. The sample takes what stays(value, every), where
/// `every` is doubled whenever the sample is full: each value has the same chance.
template <class Value, class Stays>
void add_to_sample(std::vector<Value>& sample, std::uint64_t& every, std::size_t most, Value value,
                   Stays stays) {
  if (!stays(value, every)) return;
  sample.push_back(std::move(value));
  while (sample.size() > most && every <= std::numeric_limits<std::uint64_t>::max() / 2) {
    every *= 2;
    std::erase_if(sample, [&](const Value& one) { return !stays(one, every); });
  }
}

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
