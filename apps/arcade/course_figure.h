#pragma once

#include <string>

#include "apps/arcade/recording.h"
#include "ntune/plot/figure.h"

namespace ntune::arcade {

/// A game at six moments, and its numbers over time. Moments of Planet Wars show planets and their
/// owners, those of Asteroids the rocks and the way of the ship so far.
Figure course_figure(const Recording<PlanetWars>& game, const std::string& title);
Figure course_figure(const Recording<Asteroids>& game, const std::string& title);

}  // namespace ntune::arcade
