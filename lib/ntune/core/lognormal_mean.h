#pragma once

#include <vector>

#include "ntune/core/statistics.h"

namespace ntune {

/// What a sample says of the mean of numbers above 0 whose logarithms are normal, by the
/// generalised pivotal quantity of Krishnamoorthy and Mathew (2003): with w = chi-squared(n - 1) /
/// (n - 1) and a standard normal z the logarithm of the mean is m + s z / sqrt(n w) + s^2 / (2 w),
/// where m and s are mean and standard deviation of the logarithms.
class LognormalMean {
 public:
  /// From the logarithms of at least two numbers that are not all alike.
  explicit LognormalMean(const RunningStats& logarithms);

  /// Probability that the mean is below this number, which is above 0.
  [[nodiscard]] double probability_below(double mean) const;
  /// The interval that holds the mean with this confidence; its high end may be infinite.
  [[nodiscard]] Interval interval(double confidence) const;

 private:
  /// One value of w, with its probability.
  struct Node {
    double w;
    double weight;
  };

  [[nodiscard]] double probability_below_log(double log_mean) const;
  [[nodiscard]] double log_quantile(double probability) const;

  RunningStats logarithms_;
  std::vector<Node> nodes_ = {};
};

}  // namespace ntune
