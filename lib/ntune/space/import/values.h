#pragma once

#include <string>
#include <vector>

#include "ntune/space/import/source.h"

namespace ntune {

/// Integers of a range are all kept up to this number.
inline constexpr int kEveryInteger = 20;

struct DiscreteParameter {
  Parameter parameter;
  std::string comment;  ///< the source's type and how the values were chosen
};

/// Gives a parameter its finite list of values. A wide range gets about `points`, with both ends,
/// the integer default, and the `tested` values, which conditions and forbidden combinations name.
/// Throws InputError.
DiscreteParameter discretise(const SourceParameter& source, const std::vector<Value>& tested,
                             int points);

}  // namespace ntune
