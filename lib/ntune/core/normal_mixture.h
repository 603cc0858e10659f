#pragma once

#include <vector>

namespace ntune {

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
