#pragma once

#include "ntune/space/parameter.h"

namespace ntune {

/// Where the value of an index lies among a parameter's values, from 0 to cardinality() - 1: the
/// index itself, and for a default off the grid between its neighbours or at an end. By ratio on a
/// logarithmic scale.
[[nodiscard]] double place_of(const Parameter& parameter, int index);

}  // namespace ntune
