#include "ntune/space/place_of.h"

#include <algorithm>
#include <cmath>

namespace ntune {

double place_of(const Parameter& parameter, int index) {
  if (index < parameter.cardinality()) return index;
  // Only numbers may lie off the grid, so the default is one.
  const double wanted = value_number(*parameter.off_grid);
  const bool by_ratio = parameter.kind == ParameterKind::kLogRange && wanted > 0.0;
  // The signed distance from the wanted number, by ratio on a logarithmic scale.
  const auto beyond = [&](const Value& candidate) {
    const double number = value_number(candidate);
    return by_ratio ? std::log(number / wanted) : number - wanted;
  };
  // Values may fall as well as rise, so the partition follows their direction.
  const bool falls = beyond(parameter.values.front()) > beyond(parameter.values.back());
  const auto next = std::ranges::partition_point(
      parameter.values, [&](const Value& candidate) { return (beyond(candidate) > 0.0) == falls; });
  if (next == parameter.values.begin()) return 0.0;
  if (next == parameter.values.end()) return parameter.cardinality() - 1;
  // The place lies between the two neighbours, in proportion to the distances.
  const double before = std::abs(beyond(*(next - 1)));
  const double after = std::abs(beyond(*next));
  return static_cast<double>(next - parameter.values.begin()) - after / (before + after);
}

}  // namespace ntune
