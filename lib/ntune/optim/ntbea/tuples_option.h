#pragma once

#include "ntune/core/json_fwd.h"
#include "ntune/optim/models/landscape_model.h"

namespace ntune {

class YamlNode;

/// The value of `tuples:`, a list of sizes, of 'all' and of lists of parameter names. Throws
/// InputError with file, line and key.
TupleSet read_tuples(const YamlNode& node, const SearchSpace& space);

/// Returns the tuples as the JSON list that a study would have. Named tuples need the space.
Json tuples_json(const TupleSet& tuples, const SearchSpace* space);

Json tuples_schema();

}  // namespace ntune
