#pragma once

#include <bitset>
#include <cstdint>

namespace ntune {

/// The rule that ends a study with too many failures. It judges evaluations one after the other in
/// the order of their indices: those of a run's search, or of the hold-out of a recommendation. So
/// it depends on what is recorded, and not on what ends first.
class FailureLimit {
 public:
  /// Evaluations that are judged together.
  static constexpr std::int64_t kWindow = 100;

  /// `max_rate` from 0 to 1: of the last hundred evaluations so many may fail. 1: all may.
  explicit FailureLimit(double max_rate)
      : most_(max_rate * static_cast<double>(kWindow) + kRounding) {}

  /// Takes the next evaluation. True if it makes too many failures.
  bool add(bool failed) {
    const auto place = static_cast<std::size_t>(count_++ % kWindow);
    failures_ += (failed ? 1 : 0) - (window_[place] ? 1 : 0);
    window_[place] = failed;
    return static_cast<double>(failures_) > most_;
  }
  [[nodiscard]] std::int64_t failures() const { return failures_; }
  /// Evaluations among which they are.
  [[nodiscard]] std::int64_t evaluations() const { return count_ < kWindow ? count_ : kWindow; }

 private:
  static constexpr double kRounding = 1e-9;  ///< 0.29 * 100 is less than 29

  double most_;
  std::bitset<kWindow> window_;
  std::int64_t count_ = 0;
  std::int64_t failures_ = 0;
};

}  // namespace ntune
