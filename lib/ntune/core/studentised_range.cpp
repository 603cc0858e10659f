#include "ntune/core/studentised_range.h"

#include <cmath>

namespace ntune {

namespace {

double normal_density(double z) {
  constexpr double kScale = 0.3989422804014327;  // 1 / sqrt(2 pi)
  return kScale * std::exp(-0.5 * z * z);
}

double normal_probability(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

/// P(range <= q) = k * integral of density(z) * (P(z) - P(z - q))^(k - 1), by Simpson's rule.
double range_probability(int groups, double q) {
  constexpr int kSteps = 2000;
  constexpr double kLow = -8.0;
  constexpr double kHigh = 16.0;
  const double step = (kHigh - kLow) / kSteps;
  double sum = 0.0;
  for (int i = 0; i <= kSteps; ++i) {
    const double z = kLow + i * step;
    const double weight = i == 0 || i == kSteps ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
    const double within = normal_probability(z) - normal_probability(z - q);
    sum += weight * normal_density(z) * std::pow(within, groups - 1);
  }
  return groups * sum * step / 3.0;
}

}  // namespace

double normal_range_quantile(int groups, double p) {
  double low = 0.0;
  double high = 16.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (range_probability(groups, middle) < p ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double critical_rank_difference(int groups, double blocks, double confidence) {
  const double k = groups;
  return normal_range_quantile(groups, confidence) / std::sqrt(2.0) *
         std::sqrt(k * (k + 1.0) / (6.0 * blocks));
}

}  // namespace ntune
