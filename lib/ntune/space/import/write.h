#pragma once

#include <string>
#include <vector>

#include "ntune/space/import/import_space.h"
#include "ntune/space/import/source.h"

namespace ntune {

/// Discretises a space, translates its constraints and writes it as YAML. `name` stands for the
/// source in messages, `title` for its kind.
ImportedSpace write_imported_space(SourceSpace source, const std::string& name,
                                   const std::string& title, int points);

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
