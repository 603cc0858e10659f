#pragma once

#include <functional>

#include "ntune/core/json_fwd.h"

namespace ntune {

/// Calls `visit` for the options of each objective of a study's configuration. Those of a match
/// come before those of the objective whose points meet in it.
void for_each_objective(Json& config, const std::function<void(Json&)>& visit);

/// True if the options of the objective have this key, or those of the objective of its matches.
bool has_option(const Json& objective, const char* key);

}  // namespace ntune
