#pragma once

#include <vector>

#include "ntune/plot/axis.h"

namespace ntune {

inline constexpr double kFontSize = 11.0;

/// A rectangle in pixels.
struct Box {
  double x = 0.0;
  double y = 0.0;
  double width = 0.0;
  double height = 0.0;
};

/// A panel in its place, its axes with ends, and the ticks that fit.
struct PlacedPanel {
  const Panel* panel = nullptr;
  Axis x = {};
  Axis y = {};
  Box area = {};  ///< of the marks
  std::vector<Tick> x_ticks = {};
  std::vector<Tick> y_ticks = {};
  bool slanted = false;  ///< texts of the x ticks

  [[nodiscard]] double px(double value) const { return area.x + area.width * position(x, value); }
  [[nodiscard]] double py(double value) const {
    return area.y + area.height * (1.0 - position(y, value));
  }
  /// Where the axis of x stands.
  [[nodiscard]] double foot() const { return area.y + area.height; }
};

struct Layout {
  double width = 0.0;
  double height = 0.0;
  std::vector<PlacedPanel> panels;
  double legend_y = 0.0;  ///< base line of its first row
  std::vector<std::vector<std::size_t>> legend_rows;
  double shades_y = 0.0;  ///< upper edge of the bar of shades
};

/// Width of the widest text of the ticks, in pixels.
double widest(const std::vector<Tick>& ticks);
/// Width of an entry of the legend with the gap behind it.
double legend_width(const LegendEntry& entry);

Layout lay_out(const Figure& figure, double width);

}  // namespace ntune
