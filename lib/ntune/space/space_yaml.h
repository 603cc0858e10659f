#pragma once

#include "ntune/core/json.h"
#include "ntune/core/yaml.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// Reads a search space: a map from parameter names to definitions, and `forbid:` (a list of maps
/// from names to a value or a list of values). Definitions:
///   a list                          choices, ordered when all are numbers in ascending or
///                                   descending order
///   a scalar                        fixed
///   {choices: [a, b, c]}            any scalars; `ordered: false`: neighbours are not alike;
///                                   `kind: range | log_range`: ascending real numbers on this
///                                   scale
///   {boolean: }  (or boolean: true) false, true
///   {integers: [1, 9], step: 2}     1, 3, 5, 7, 9
///   {range: [0, 1], step: 0.1}      or `points: 11`; `ends: both | low | high | none` says which
///                                   ends are values (default both)
///   {log_range: [1e-4, 1], points: 5, ends: both}
///   {fixed: x}
/// Each map may also have `when: {name: value or list, …}` and `default: value` (one of its values;
/// of integers and ranges any number). A number without point or exponent is an integer, any other
/// a double; quotes make a text. A scalar in place of the map is the path of a YAML file that holds
/// it, relative to the folder of the node's file. `defaults`: definitions of parameters that the
/// map does not name, in the order of the result; a name that is not among them is then an error. A
/// definition without `when` keeps the default condition, and default clauses hold beside those of
/// the map. Values that a definition has taken away drop out of both. A clause that loses all
/// values is dropped, a condition that does is an error. Throws InputError with file, line and key.
SearchSpace read_space(const YamlNode& node, const SearchSpace* defaults = nullptr);

/// The space as JSON (hence YAML) that read_space reads back to an equal space.
Json space_json(const SearchSpace& space);

/// JSON Schema of what read_space accepts.
Json space_schema();

/// A point from a map name -> value; parameters that are missing are an error unless they have one
/// value or are inactive. Inactive ones are held at their first value, whatever the map says. A
/// forbidden point is an error. Throws InputError with file, line and key.
Point read_point(const YamlNode& map, const SearchSpace& space);

/// A point from a map in which parameters may be missing. Those have their value in `left_out`
/// (name -> value), if that names them.
Point read_point(const YamlNode& map, const SearchSpace& space, const Json& left_out);

/// The defaults of parameters with several values that the space declares, or else `others`.
Json declared_values(const SearchSpace& space, const Json& others);

/// True if every parameter that has to have a default has one.
bool has_default_point(const SearchSpace& space, const Json& others);

/// The point of all default values; parameters without one take theirs from `others` (name ->
/// value), if that names them. Throws InputError: a parameter without a default, one that is none
/// of its values, a forbidden point.
Point default_point(const SearchSpace& space, const Json& others);

/// {"name": value, …} of a point.
Json point_json(const Point& point, const SearchSpace& space);

}  // namespace ntune
