#pragma once

#include <cmath>
#include <string>

#include "apps/arcade/recording.h"
#include "apps/common/replay_page.h"

namespace ntune::arcade {

/// A page that plays the game in a browser. `players` tells who plays.
cli::ReplayPage replay_page(const Recording<PlanetWars>& game, const std::string& players);
cli::ReplayPage replay_page(const Recording<Asteroids>& game, const std::string& players);

/// A coordinate or amount in whole tenths.
inline int tenths(double value) { return static_cast<int>(std::lround(10.0 * value)); }

}  // namespace ntune::arcade
