#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "ntune/study/journal/journal_line.h"

namespace ntune {

/// How many evaluations of a study have been made: what is made again counts once, as it ended
/// last.
class CountedEvaluations {
 public:
  struct Count {
    std::int64_t evaluations = 0;
    std::int64_t failures = 0;
  };

  /// What stands under this key: an evaluation with all its payoffs, or a whole run.
  void add(const EvaluationKey& key, const Count& made) {
    constexpr std::size_t kFarthest = 1'000'000;  // behind the others; else the line is damaged
    std::vector<Kept>& counts = counts_[group_of(key)];
    const auto index = static_cast<std::size_t>(key.index);
    if (index >= counts.size() + kFarthest) return;
    if (index >= counts.size()) counts.resize(index + 1);
    take(counts[index], -1);
    counts[index] = {.evaluations = kept(made.evaluations), .failures = kept(made.failures)};
    take(counts[index], 1);
  }
  /// What has failed is tried again.
  void forget_failures() {
    for (auto& [group, counts] : counts_) {
      for (Kept& count : counts) {
        if (count.failures == 0) continue;
        take(count, -1);
        count = {};
      }
    }
  }
  [[nodiscard]] const Count& all() const { return all_; }

 private:
  /// A count in half the memory, as there is one for each evaluation.
  struct Kept {
    std::uint32_t evaluations = 0;
    std::uint32_t failures = 0;
  };
  static std::uint32_t kept(std::int64_t count) {
    constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(count, 0, kMost));
  }
  static EvaluationKey group_of(EvaluationKey key) {
    key.index = 0;
    return key;
  }
  void take(const Kept& count, int sign) {
    all_.evaluations += sign * static_cast<std::int64_t>(count.evaluations);
    all_.failures += sign * static_cast<std::int64_t>(count.failures);
  }

  Count all_ = {};
  std::unordered_map<EvaluationKey, std::vector<Kept>, EvaluationKeyHash> counts_ = {};
};

}  // namespace ntune
