#pragma once

#include <vector>

namespace ntune {

/// A value of a chi-squared variable, and its share of the distribution.
struct ChiSquaredPlace {
  double square = 0.0;
  double weight = 0.0;
};

/// A chi-squared distribution by its values at equal steps of their logarithm, where the
/// trapezoidal rule converges fast.
std::vector<ChiSquaredPlace> chi_squared_places(double degrees, int count);

}  // namespace ntune
