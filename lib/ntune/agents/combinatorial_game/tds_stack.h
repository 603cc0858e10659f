#pragma once

#include "ntune/agents/combinatorial_game/dyadic.h"
#include "ntune/agents/combinatorial_game/tds_table.h"

namespace ntune {

/// An extended coupon stack with delta = 2^-exponent (Zhang and Mueller 2015). At level l the top
/// coupon is worth l * delta - 1. At level 0 there are enough coupons of -1, then one of -1/2 that
/// balances them. All in units of 2^-16.
class CouponStack {
 public:
  CouponStack() = default;
  explicit CouponStack(int exponent) : exponent_(exponent), delta_(kTdsOne >> exponent) {}

  [[nodiscard]] int exponent() const { return exponent_; }
  [[nodiscard]] int delta() const { return delta_; }
  [[nodiscard]] int coupon(int level) const { return level * delta_ - kTdsOne; }
  [[nodiscard]] Dyadic coupon_value(int level) const {
    return Dyadic::ratio(coupon(level), kTdsBits);
  }
  /// The lowest level whose coupon is not below a temperature >= -1.
  [[nodiscard]] int level_from(Dyadic temperature) const {
    const Dyadic above = temperature.rounded_up(Dyadic::power(exponent_)) + 1;
    return static_cast<int>(above.units() >> (Dyadic::kBits - exponent_));
  }
  /// What the stack alone is worth to the player on turn: the coupons in pairs, the odd one, and
  /// -1/2 for the tail whatever its length. The paper's ceil(n / 2) delta, which fails at delta
  /// = 1.
  [[nodiscard]] int alone(int level) const { return (level + 1) / 2 * delta_ - kTdsOne / 2; }

 private:
  int exponent_ = 0;
  int delta_ = kTdsOne;
};

/// The smallest temperature not below `coupon` that a game born by day n can have (Theorem 1 of
/// Zhang and Mueller 2015, is_temperature_by_day). The coupon itself where there is none. -1 <=
/// coupon.
Dyadic possible_temperature_from(Dyadic coupon, int n);

}  // namespace ntune
