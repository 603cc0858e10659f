#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "ntune/plot/figure.h"

namespace ntune {

/// The range of the values that a scale has to show.
struct ValueRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] bool empty() const { return low > high; }
};

struct Tick {
  double at = 0.0;  ///< in data coordinates
  std::string text = {};
};

/// About `wanted` ticks within the axis' ends, at 1, 2 or 5 times a power of ten. A logarithmic
/// axis has them at powers of ten, and between these where they are few.
std::vector<Tick> number_ticks(const Axis& axis, int wanted);

/// The axis with ends, fitted to what the marks cover and moved out to even numbers a little.
Axis fitted(Axis axis, const std::vector<Mark>& marks, bool horizontal);

/// Position from 0 to 1 of a value along an axis with ends.
double position(const Axis& axis, double value);

/// A number as an axis or a table shows it: 4 significant digits, thousands with commas.
std::string short_number(double value, int digits = 4);

}  // namespace ntune
