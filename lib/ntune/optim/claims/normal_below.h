#pragma once

#include <cmath>
#include <numbers>

namespace ntune {

/// Probability that a standard normal variable is below z.
inline double normal_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

}  // namespace ntune
