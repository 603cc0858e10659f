#pragma once

#include "ntune/core/json_fwd.h"
#include "ntune/core/yaml.h"
#include "ntune/study/model/instances.h"

// `aggregate:` of a study file.

namespace ntune {

/// Throws InputError.
Aggregate read_aggregate(const YamlNode& node);
Json aggregate_json(const Aggregate& aggregate);
Json aggregate_schema();

}  // namespace ntune
