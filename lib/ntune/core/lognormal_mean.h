#pragma once

#include <span>

#include "ntune/core/normal.h"
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
  /// What pairs say of the mean of the first numbers over that of the second (Bebu and Mathew
  /// 2008). From the logarithms of at least three pairs, whose differences are not all alike.
  static LognormalMean ratio(std::span<const double> first, std::span<const double> second);

  /// Probability that the mean is below this number, which is above 0.
  [[nodiscard]] double probability_below(double mean) const;
  /// The interval that holds the mean with this confidence; its high end may be infinite.
  [[nodiscard]] Interval interval(double confidence) const;

 private:
  LognormalMean() = default;
  [[nodiscard]] double quantile_of_logarithm(double probability) const;

  double centre_ = 0.0;           ///< m
  NormalMixture logarithm_ = {};  ///< of the mean, over w
};

}  // namespace ntune
