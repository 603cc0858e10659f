#include "ntune/core/normal.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <boost/math/distributions/normal.hpp>

namespace ntune {

double normal_quantile(double p) { return boost::math::quantile(boost::math::normal(), p); }

namespace {

/// P(range <= q) = k * integral of density(z) * (P(z) - P(z - q))^(k - 1), by Simpson's rule.
double range_probability(int groups, double q) {
  constexpr int kSteps = 2000;
  // The integrand vanishes outside: the largest of the numbers, z, is above -8 and below 16.
  constexpr double kLow = -8.0;
  constexpr double kHigh = 16.0;
  const double step = (kHigh - kLow) / kSteps;
  double sum = 0.0;
  for (int i = 0; i <= kSteps; ++i) {
    const double z = kLow + i * step;
    // Simpson's weights are 1, 4, 2, 4, …, 4, 1.
    const double weight = i == 0 || i == kSteps ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
    const double within = normal_below(z) - normal_below(z - q);
    sum += weight * normal_density(z) * std::pow(within, groups - 1);
  }
  return groups * sum * step / 3.0;
}

}  // namespace

double normal_range_quantile(int groups, double p) {
  // Bisection: the probability rises with q, and 60 halvings reach the precision of a double.
  double low = 0.0;
  double high = 16.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (range_probability(groups, middle) < p ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double critical_rank_difference(int groups, double blocks) {
  // Demšar 2006, section 3.2.2: CD = q sqrt(k (k + 1) / (6 N)), where q is the range's quantile
  // over sqrt(2).
  const double k = groups;
  return normal_range_quantile(groups, 0.95) / std::sqrt(2.0) *
         std::sqrt(k * (k + 1.0) / (6.0 * blocks));
}

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
