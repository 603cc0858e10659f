#include "ntune/agents/combinatorial_game/tds_stack.h"

#include <algorithm>
#include <optional>

#include "ntune/agents/combinatorial_game/thermograph.h"

namespace ntune {

Dyadic possible_temperature_from(Dyadic coupon, int n) {
  // For each grid 2^-exponent the coupon is rounded up to it, and the least possible temperature
  // counts.
  std::optional<Dyadic> least;
  for (int exponent = 0; exponent < std::clamp(n, 1, Dyadic::kBits - 1); ++exponent) {
    const Dyadic candidate = coupon.rounded_up(Dyadic::power(exponent));
    if (is_temperature_by_day(candidate, n)) least = std::min(least.value_or(candidate), candidate);
  }
  return least.value_or(coupon);
}

}  // namespace ntune
