#include "ntune/plot/colours.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace ntune {

namespace {

/// Red, green and blue, from 0 to 255.
using Colour = std::array<double, 3>;

/// Nine support points of the published table.
constexpr std::array<Colour, 9> kViridis{{{68, 1, 84},
                                          {71, 44, 122},
                                          {59, 81, 139},
                                          {44, 113, 142},
                                          {33, 144, 141},
                                          {39, 173, 129},
                                          {92, 200, 99},
                                          {170, 220, 50},
                                          {253, 231, 37}}};

/// The orange half of PuOr and the blue one of RdBu, nine classes.
constexpr std::array<Colour, 9> kDiverging{{{179, 88, 6},
                                            {224, 130, 20},
                                            {253, 184, 99},
                                            {254, 224, 182},
                                            {247, 247, 247},
                                            {209, 229, 240},
                                            {146, 197, 222},
                                            {67, 147, 195},
                                            {33, 102, 172}}};

constexpr std::array<Colour, 9> kWorth{{{214, 160, 92},
                                        {204, 160, 110},
                                        {192, 160, 128},
                                        {176, 158, 146},
                                        {158, 156, 160},
                                        {130, 150, 176},
                                        {98, 140, 192},
                                        {58, 126, 206},
                                        {0, 108, 214}}};

/// The support points of a palette.
const std::array<Colour, 9>& points_of(Palette palette) {
  switch (palette) {
    case Palette::kViridis:
      return kViridis;
    case Palette::kDiverging:
      return kDiverging;
    default:
      return kWorth;
  }
}

/// The colour of a shade, by linear interpolation between neighbouring support points.
Colour colour_at(double shade, Palette palette) {
  const std::array<Colour, 9>& points = points_of(palette);
  const double place = std::clamp(shade, 0.0, 1.0) * static_cast<double>(points.size() - 1);
  // The last interval also holds its upper end, so that a shade of 1 has two neighbours.
  const auto low = std::min(static_cast<std::size_t>(place), points.size() - 2);
  const double part = place - static_cast<double>(low);
  Colour colour{};
  for (std::size_t i = 0; i < 3; ++i) {
    colour[i] = points[low][i] + part * (points[low + 1][i] - points[low][i]);
  }
  return colour;
}

/// Relative luminance (WCAG 2.1).
double luminance(const Colour& colour) {
  constexpr Colour kWeight{0.2126, 0.7152, 0.0722};
  double sum = 0.0;
  // The channels are made linear first, since sRGB values are not proportional to light.
  for (std::size_t i = 0; i < 3; ++i) {
    const double part = colour[i] / 255.0;
    sum += kWeight[i] * (part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
  }
  return sum;
}

}  // namespace

std::string shade_colour(double shade, Palette palette) {
  const Colour colour = colour_at(shade, palette);
  return fmt::format("#{:02x}{:02x}{:02x}", std::lround(colour[0]), std::lround(colour[1]),
                     std::lround(colour[2]));
}

const char* text_on_shade(double shade, Palette palette) {
  const double light = luminance(colour_at(shade, palette));
  // Contrast ratio of WCAG 2.1: (lighter + 0.05) / (darker + 0.05). Black on the shade is compared
  // with white on it.
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? "#000" : "#fff";
}

std::string figure_style() {
  // Series colours are near those of Okabe and Ito, dark enough for thin lines on white.
  constexpr std::array<const char*, 8> kSeriesColours{"#0072b2", "#d55e00", "#009e73", "#b0568c",
                                                      "#8a6d00", "#2f86c1", "#5b5b5b", "#7a3fb0"};
  std::string style =
      "text{font-family:Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;font-size:11px;"
      "fill:#23252b}.b{font-weight:bold}.m{fill:#565a64}.pg{fill:#fff}"
      ".g{stroke:#e4e2dc;stroke-width:1}.x{stroke:#8a8d96;stroke-width:1}"
      ".z{shape-rendering:crispEdges}.l{fill:none;stroke-linejoin:round}.si{stroke:#23252b}.fi{"
      "fill:#23252b}"
      ".so{stroke:#8a8d96}.fo{fill:#8a8d96}.st{stroke:#a01c1c}.ft{fill:#a01c1c}"
      ".h{fill:none;stroke-width:1.6}"
      ".ring{fill:none;stroke:#d55e00;stroke-width:2.4}"
      ".n{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}";
  for (std::size_t i = 0; i < kSeriesColours.size(); ++i) {
    style += fmt::format(".s{0}{{stroke:{1}}}.f{0}{{fill:{1}}}", i, kSeriesColours[i]);
  }
  return style;
}

}  // namespace ntune
