#pragma once

#include <string>

#include "ntune/agents/combinatorial_game/thermograph.h"
#include "ntune/plot/figure.h"

namespace ntune::amazons {

// By the convention of combinatorial game theory values increase to the left and temperatures
// upwards. The left wall, Left's score, stands on the left, and the mast above both.

/// A drawing for a terminal of 80 columns.
std::string thermograph_text(const Thermograph& thermograph);
Figure thermograph_figure(const Thermograph& thermograph, const std::string& title);

}  // namespace ntune::amazons
