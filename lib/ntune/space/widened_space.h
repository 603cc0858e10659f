#pragma once

#include <cstdint>
#include <vector>

#include "ntune/space/search_space.h"

namespace ntune {

/// The points of a space as points of one that has more values, or more parameters, which then
/// have their defaults. Parameters and values are found by name and by equality. A default off the
/// grid is one of the values.
class WidenedSpace {
 public:
  /// Throws InputError "space.x: …" where the wide space lacks a parameter or a value, or has a
  /// new parameter without a default. Both must outlive this.
  WidenedSpace(const SearchSpace& narrow, const SearchSpace& wide);

  /// Throws InputError where the wide space forbids the point.
  [[nodiscard]] Point operator()(const Point& point) const;
  /// The point that is widened to this one.
  [[nodiscard]] Point narrowed(const Point& point) const;

 private:
  const SearchSpace* narrow_;
  const SearchSpace* wide_;
  Point defaults_;                                  ///< values of the wide space's new parameters
  std::vector<int> places_;                         ///< in the wide space, of each narrow parameter
  std::vector<std::vector<std::uint16_t>> values_;  ///< in the wide space, of each value of these
};

}  // namespace ntune
