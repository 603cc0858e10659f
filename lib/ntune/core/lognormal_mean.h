#pragma once

#include "ntune/core/normal_mixture.h"
#include "ntune/core/statistics.h"

namespace ntune {

/// What a sample says of the mean of numbers above 0 whose logarithms are normal, by the
/// generalised pivotal quantity of Krishnamoorthy and Mathew (2003). The logarithm of the mean is
/// m + s z / sqrt(n w) + s^2 / (2 w). There m and s are mean and standard deviation of the
/// logarithms, z is standard normal, and w is chi-squared(n - 1) / (n - 1).
class LognormalMean {
 public:
  /// From the logarithms of at least two numbers that are not all alike.
  explicit LognormalMean(const RunningStats& logarithms);

  /// Probability that the mean is below this number, which is above 0.
  [[nodiscard]] double probability_below(double mean) const;
  /// The interval that holds the mean with this confidence; its high end may be infinite.
  [[nodiscard]] Interval interval(double confidence) const;

 private:
  [[nodiscard]] double quantile_of_logarithm(double probability) const;

  double centre_;                 ///< m
  NormalMixture logarithm_ = {};  ///< of the mean, over w
};

}  // namespace ntune
