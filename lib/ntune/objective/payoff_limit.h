#pragma once

namespace ntune {

/// Largest magnitude of a payoff: squares, and sums of squares, stay finite.
inline constexpr double kLargestPayoff = 1e100;

}  // namespace ntune
