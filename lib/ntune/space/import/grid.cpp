#include "ntune/space/import/grid.h"

#include <algorithm>
#include <cmath>

namespace ntune {

Indices thin(std::uint64_t last, const Indices& kept, int points) {
  const auto wanted = static_cast<std::uint64_t>(points);
  // Equal steps are tried first, with the number of points asked for and up to half as many more.
  // All kept indices must lie on them.
  for (std::uint64_t n = wanted; n <= wanted + wanted / 2; ++n) {
    const std::uint64_t step = last / (n - 1);
    if (step == 0 || last % (n - 1) != 0) continue;
    if (!std::ranges::all_of(kept, [&](std::uint64_t i) { return i % step == 0; })) continue;
    Indices indices;
    for (std::uint64_t i = 0; i < n; ++i) indices.insert(i * step);
    return indices;
  }
  // Else the kept indices stand beside points that are as evenly spread as rounding allows.
  Indices indices = kept;
  for (std::uint64_t i = 0; i + 1 < wanted; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(wanted - 1);
    indices.insert(static_cast<std::uint64_t>(std::round(static_cast<double>(last) * t)));
  }
  indices.insert(last);
  return indices;
}

void IntegerGrid::keep(const Value& value, Indices& kept) const {
  const double number = value_number(value);
  // A double stands for an integer only up to 2^53.
  const bool whole = std::abs(number) < 0x1p53 && number == std::trunc(number);
  const auto* held = std::get_if<std::int64_t>(&value);
  if (held == nullptr && !whole) return;
  const std::int64_t integer = held != nullptr ? *held : static_cast<std::int64_t>(number);
  if (integer < domain_.low || integer > domain_.high) return;
  // Unsigned arithmetic holds the distance of any two 64-bit integers.
  const auto offset = static_cast<std::uint64_t>(integer) - static_cast<std::uint64_t>(domain_.low);
  const auto step = static_cast<std::uint64_t>(domain_.step);
  if (offset % step == 0) kept.insert(offset / step);
}

Indices IntegerGrid::thin_log(Indices kept, int points) const {
  const auto low = static_cast<double>(at(0));
  const auto high = static_cast<double>(at(last()));
  for (int i = 1; i + 1 < points; ++i) {
    // Equal ratios: value = low * (high / low)^(i / (points - 1)), and the nearest integer of the
    // grid.
    const double value = low * std::pow(high / low, static_cast<double>(i) / (points - 1));
    const double index = std::round((value - low) / static_cast<double>(domain_.step));
    const auto whole = static_cast<std::uint64_t>(std::max(0.0, index));
    kept.insert(std::min(whole, last()));
  }
  kept.insert({0, last()});
  return kept;
}

}  // namespace ntune
