#pragma once

#include <cmath>

namespace ntune {

/// The unit in which an objective's values are reported: an affine function of the payoff.
struct Unit {
  double zero = 0.0;   ///< the value of a payoff of 0
  double slope = 1.0;  ///< value per payoff, not 0; negative where the value is a cost

  /// Payoffs -1 and 1 for a loss and a win are reported as the probability of a win.
  static constexpr Unit win_probability() { return {.zero = 0.5, .slope = 0.5}; }
  /// Payoffs are the negative of a cost that is to be minimised.
  static constexpr Unit cost() { return {.zero = 0.0, .slope = -1.0}; }

  /// The reported value of a payoff, or of a mean of payoffs. Never a negative zero if `zero` is 0.
  [[nodiscard]] constexpr double value_of(double payoff) const { return zero + slope * payoff; }
  /// The payoff that is reported as `value`. Adding 0 turns a negative zero into 0.
  [[nodiscard]] constexpr double payoff_of(double value) const {
    return (value - zero) / slope + 0.0;
  }
  /// Size in the reported unit of a payoff of 1; > 0. Scales standard deviations and lengths.
  [[nodiscard]] double size() const { return std::abs(slope); }
  /// True if reported values are to be minimised.
  [[nodiscard]] constexpr bool is_cost() const { return slope < 0.0; }
  /// 1.0 where higher values are better, -1.0 where lower ones are.
  [[nodiscard]] constexpr double direction() const { return is_cost() ? -1.0 : 1.0; }
};

}  // namespace ntune
