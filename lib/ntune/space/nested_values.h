#pragma once

#include <set>
#include <string>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/core/yaml.h"
#include "ntune/space/search_space.h"

namespace ntune {

// Values as other programs nest them: "heuristic.type" is `type` in the map `heuristic`, and a
// choice may be an object, which here is a text.

/// The node of a parameter's name, by its whole or along its parts; nullptr if there is none.
const YamlNode* find_nested(const YamlNode& map, const std::string& name);

/// A scalar, null as the text 'null', or an object or list as JSON text with sorted keys and
/// numbers as they are spelled.
Value nested_value(const YamlNode& node);

/// Index of the value that equals this one, or -1. Objects and lists are looked for as they are
/// spelled, then by what they mean: in them 1e3 is 1000.0, but 1 is not 1.0.
int find_nested_value(const std::vector<Value>& values, const Value& value);

/// What a map has that none of these names is or lies in, in its order; of a map within it the
/// whole or its parts.
std::vector<const YamlNode*> foreign_nodes(const YamlNode& map, const std::set<std::string>& names);

/// The values of the space's parameters that a map has, nested or not, {"heuristic.type": value,
/// …}. Throws InputError with the places of values that the space does not have.
Json flat_values(const YamlNode& map, const SearchSpace& space);

/// The active parameters of a point, nested; texts that are JSON objects or lists are these.
Json nested_json(const Point& point, const SearchSpace& space);

}  // namespace ntune
