#pragma once

#include <string>

#include "ntune/core/json.h"
#include "ntune/core/yaml.h"
#include "ntune/space/search_space.h"

namespace ntune {

// Values as other programs nest them: "heuristic.type" is `type` in the map `heuristic`, and a
// choice may be an object, which here is a text.

/// The node of a parameter's name, by its whole or along its parts; nullptr if there is none.
const YamlNode* find_nested(const YamlNode& map, const std::string& name);

/// A scalar, null as the text 'null', or an object or list as JSON text with sorted keys.
Value nested_value(const YamlNode& node);

/// The values of the space's parameters that a map has, nested or not, {"heuristic.type": value,
/// …}.
Json flat_values(const YamlNode& map, const SearchSpace& space);

/// The active parameters of a point, nested; texts that are JSON objects or lists are these.
Json nested_json(const Point& point, const SearchSpace& space);

}  // namespace ntune
