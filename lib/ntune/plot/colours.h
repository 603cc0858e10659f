#pragma once

#include <string>

namespace ntune {

/// How shades from 0 to 1 look.
enum class Palette {
  /// Viridis (van der Walt and Smith 2015): even steps look even, also in grey and to the
  /// colour-blind.
  kViridis,
  /// From orange by near white at 0.5 to blue (the ends of ColorBrewer's PuOr and RdBu, Brewer
  /// 2013): for numbers that have a middle.
  kDiverging,
  /// From tan by grey to blue, of about one lightness, so that thin lines are seen on light and on
  /// dark grounds: for what is worse and better.
  kWorth,
};

/// The colour of a shade as "#rrggbb".
std::string shade_colour(double shade, Palette palette = Palette::kViridis);

/// "#fff" or "#000", whichever is read more easily on the shade.
const char* text_on_shade(double shade, Palette palette = Palette::kViridis);

/// CSS of a figure's classes with the colours of a light page, for a file of its own.
std::string figure_style();

}  // namespace ntune
