#pragma once

#include "ntune/core/json_fwd.h"

namespace ntune {

/// A recorded configuration whose objectives have every option of this version: those that the
/// version which wrote it did not know have their defaults. What cannot be read stays as it is.
Json with_present_options(const Json& config);

/// A recorded configuration with the rules of the version that wrote it, where rules have changed
/// since. Before there was a `fail_limit`, searches were not told of failures.
Json with_recorded_rules(Json config);

}  // namespace ntune
