#pragma once

#include "ntune/agents/combinatorial_game/tds.h"
#include "ntune/games/amazons/position.h"

namespace ntune {

/// The position without squares that no queen can ever reach; on 4x4 squares it is the same for all
/// eight symmetries of the board.
template <int kSide>
AmazonsPosition<kSide> tds_canonical(const AmazonsPosition<kSide>& position);

extern template class TemperatureDiscovery<AmazonsPosition<4>>;
extern template class TemperatureDiscovery<AmazonsPosition<5>>;
extern template class TemperatureDiscovery<AmazonsPosition<6>>;
extern template class TemperatureDiscovery<AmazonsPosition<8>>;
extern template class TemperatureDiscovery<AmazonsPosition<10>>;

}  // namespace ntune
