#pragma once

#include <cmath>
#include <numbers>
#include <vector>

namespace ntune {

// The standard normal distribution.

/// A normal variable is nearer to its mean than so many standard deviations with probability 0.95.
inline constexpr double kNormal95 = 1.959963984540054;

inline double normal_density(double z) {
  return std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
}

/// Probability that a variable is below z.
inline double normal_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

/// Quantile of the distribution, 0 < p < 1.
double normal_quantile(double p);

/// Quantile of the range of `groups` >= 2 independent standard normal numbers (the studentised
/// range with infinite degrees of freedom), 0 < p < 1.
double normal_range_quantile(int groups, double p);

/// Nemenyi's critical difference of mean ranks: two of `groups` that were ranked in `blocks` blocks
/// differ, with a confidence of 95 %, if their mean ranks differ by more (Demšar 2006, section
/// 3.2.2).
double critical_rank_difference(int groups, double blocks);

/// A mixture of normal distributions, whose weights sum to 1.
struct NormalMixture {
  struct Part {
    double weight = 1.0;
    double mean = 0.0;
    double sd = 1.0;
  };
  std::vector<Part> parts;

  [[nodiscard]] double mean() const;
  [[nodiscard]] double sd() const;
  /// The share of the mixture below a value.
  [[nodiscard]] double probability_below(double value) const;
  /// The value below which this share of the mixture lies.
  [[nodiscard]] double quantile(double share) const;
};

}  // namespace ntune
