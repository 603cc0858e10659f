#pragma once

#include <optional>
#include <vector>

#include "ntune/core/chi_squared_places.h"
#include "ntune/core/statistics.h"

namespace ntune {

/// How large the mean of skewed numbers above 0, such as run times, may be. Their logarithms or
/// their cube roots are taken for normal, which suits exponential and gamma distributions (Wilson
/// and Hilferty 1931). The mean has a generalised pivotal quantity then: Krishnamoorthy and Mathew
/// (2003), Krishnamoorthy, Mathew and Mukherjee (2008). With mean m and variance v on the scale,
/// the mean is exp(m + v / 2), or m^3 + 3 m v.
class SkewedMean {
 public:
  /// From the sizes |x| of the values x of a sample. Nothing where they do not look skewed, or
  /// where Student's interval hardly suffers. That is where (gain + 1) * skewness / sqrt(n) < 0.9,
  /// of n values; the gain is the logarithm of how much likelier the scale makes the sample. Cube
  /// roots are taken where they are e times as likely as logarithms, or these are skewed to the
  /// left. Nothing below five values, nor where values are 0, of either sign or known by sums
  /// alone.
  static std::optional<SkewedMean> of(const RunningStats& sample);

  /// Probability that the mean is below this number, which is above 0.
  [[nodiscard]] double probability_below(double mean) const;
  /// The mean that has this probability, above 1/2, below it; infinite where that is beyond all
  /// numbers.
  [[nodiscard]] double quantile(double probability) const;

 private:
  enum class Scale { kLogarithm, kCubeRoot };

  SkewedMean(Scale scale, const Moments& moments);
  [[nodiscard]] double size(double on_scale) const;

  Scale scale_;
  Moments moments_;
  std::vector<ChiSquaredPlace> places_;  ///< of the sum of squares over the variance
};

}  // namespace ntune
