#pragma once

#include <string>

namespace ntune {

/// Viridis (van der Walt and Smith 2015) at 0 to 1 as "#rrggbb": even steps look even, also in grey
/// and to the colour-blind.
std::string shade_colour(double shade);

/// "#fff" or "#000", whichever is read more easily on the shade.
const char* text_on_shade(double shade);

/// CSS of a figure's classes with the colours of a light page, for a file of its own.
std::string figure_style();

}  // namespace ntune
