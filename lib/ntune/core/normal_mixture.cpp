#include "ntune/core/normal_mixture.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ntune/core/normal.h"

namespace ntune {

double NormalMixture::mean() const {
  double mean = 0.0;
  for (const Part& part : parts) mean += part.weight * part.mean;
  return mean;
}

/// The variance of a mixture is the mean of the variances plus the variance of the means.
double NormalMixture::sd() const {
  const double centre = mean();
  double variance = 0.0;
  for (const auto& [weight, mean, sd] : parts) {
    variance += weight * (sd * sd + (mean - centre) * (mean - centre));
  }
  return std::sqrt(variance);
}

double NormalMixture::probability_below(double value) const {
  constexpr double kLeastSd = 1e-12;
  double below = 0.0;
  for (const auto& [weight, mean, sd] : parts) {
    below += weight * normal_below((value - mean) / std::max(sd, kLeastSd));
  }
  return below;
}

/// Eight deviations to either side hold all of the mixture, which is then halved until the quantile
/// is found.
double NormalMixture::quantile(double share) const {
  constexpr int kHalvings = 50;
  constexpr double kFar = 8.0;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const auto& [weight, mean, sd] : parts) {
    low = std::min(low, mean - kFar * sd);
    high = std::max(high, mean + kFar * sd);
  }
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    (probability_below(middle) < share ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace ntune
