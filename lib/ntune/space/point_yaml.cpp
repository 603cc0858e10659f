#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/space/definition.h"
#include "ntune/space/space_yaml.h"
#include "ntune/space/term_reader.h"
#include "ntune/space/value_checks.h"

namespace ntune {

namespace {

/// "a = 1, b = 'x'": the values of the point on which a forbidden combination depends.
std::string combination(const Clause& clause, const Point& point, const SearchSpace& space) {
  std::string text;
  for (const Term& term : clause) {
    text +=
        fmt::format("{}{} = {}", text.empty() ? "" : ", ", printable(space[term.parameter].name),
                    shown(space.value(point, term.parameter)));
  }
  return text;
}

void refuse_forbidden(const YamlNode& map, const Point& point, const SearchSpace& space) {
  if (space.can_be_evaluated(point)) return;
  ParameterSet active = 0;
  for (int i = 0; i < space.dimensions(); ++i) {
    if (space.is_active(point, i)) active |= only(i);
  }
  for (const Clause& clause : space.forbidden()) {
    if (!all_hold(clause, point, active)) continue;
    map.fail(fmt::format("is forbidden: {}", combination(clause, point, space)));
  }
}

}  // namespace

Point read_point(const YamlNode& map, const SearchSpace& space) {
  if (!map.is_map()) {
    map.fail(
        fmt::format("is {}, a map from parameters to their values is allowed", map.describe()));
  }
  TermReader terms(space.parameters());
  Point point(space.dimensions());
  ParameterSet given = 0;
  for (const YamlNode& child : map.children()) {
    const int i = terms.parameter(child, space.dimensions());
    const std::optional<Value>& off_grid = space[i].off_grid;
    const bool is_off_grid =
        off_grid && child.is_scalar() && std::is_eq(compare(read_value(child), *off_grid));
    point[i] = is_off_grid ? *space[i].default_index : terms.value(child, i);
    given |= only(i);
  }
  for (int i = 0; i < space.dimensions(); ++i) {
    if ((given & only(i)) != 0 || space[i].cardinality() == 1) continue;
    if (!space.is_active(point, i)) continue;
    map.fail(fmt::format("has no value for '{}'; allowed: {}", printable(space[i].name),
                         shown(space[i].values)));
  }
  space.canonicalise(point);
  refuse_forbidden(map, point, space);
  return point;
}

Point default_point(const SearchSpace& space, const Json& others) {
  Json values = Json::object();
  for (int i = 0; i < space.dimensions(); ++i) {
    const Parameter& parameter = space[i];
    if (parameter.default_index) {
      values[parameter.name] = value_json(parameter.value(*parameter.default_index));
    } else if (others.contains(parameter.name) && parameter.cardinality() > 1) {
      values[parameter.name] = others[parameter.name];
    } else if (parameter.cardinality() > 1 && parameter.when.empty()) {
      throw InputError(fmt::format(
          "{}: has no default; give it one in the space, such as {{choices: [{}, …], default: {}}}",
          printable(parameter.name), value_text(parameter.values[0]),
          value_text(parameter.values[0])));
    }
  }
  return read_point(parse_yaml(to_yaml(values), "default"), space);
}

Json point_json(const Point& point, const SearchSpace& space) {
  Json json = Json::object();
  for (int i = 0; i < point.size(); ++i) json[space[i].name] = value_json(space.value(point, i));
  return json;
}

}  // namespace ntune
