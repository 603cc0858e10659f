#pragma once

#include "ntune/agents/combinatorial_game/dyadic.h"

namespace ntune {

/// The smallest temperature not below `coupon` that a game born by day n can have (Theorem 1 of
/// Zhang and Mueller 2015, is_temperature_by_day). The coupon itself where there is none. -1 <=
/// coupon.
Dyadic possible_temperature_from(Dyadic coupon, int n);

}  // namespace ntune
