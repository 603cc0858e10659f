#pragma once

#include <span>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/objective/objective.h"

namespace ntune {

class YamlNode;

/// The goals in `goals:` of a study, in the order of the file. Throws InputError.
std::vector<Goal> read_goals(const YamlNode& node);
/// The same as a map that reads to them again.
Json goals_json(std::span<const Goal> goals);
Json goals_schema();

}  // namespace ntune
