#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/input_errors.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/space/definition.h"
#include "ntune/space/space_yaml.h"
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

/// The first forbidden combination that the point has; empty: none.
std::string forbidden_text(const Point& point, const SearchSpace& space) {
  if (space.can_be_evaluated(point)) return {};
  ParameterSet active;
  for (int i = 0; i < space.dimensions(); ++i) {
    if (space.is_active(point, i)) active.add(i);
  }
  for (const Clause& clause : space.forbidden()) {
    if (all_hold(clause, point, active)) return combination(clause, point, space);
  }
  return {};
}

/// What a point may have beside the values of a parameter: its own default off the grid. A point
/// that is the default of a study may have any number that the space declares as such.
std::string allowed_off_grid(const YamlNode& node, Parameter parameter, bool is_default) {
  std::string text;
  if (parameter.off_grid) text = fmt::format(", or its default {}", shown(*parameter.off_grid));
  if (!is_default) return text;
  try {
    set_default(parameter, read_value(node));
  } catch (const ParameterFault&) {
    return text;  // no number, or of a parameter that has no grid
  }
  return text + fmt::format("; for another number write '{}: {{…, default: {}}}' in the space",
                            printable(parameter.name), printable(node.text()));
}

/// Collects the values of a point.
class PointReader {
 public:
  explicit PointReader(const SearchSpace& space, bool is_default = false)
      : space_(space),
        is_default_(is_default),
        terms_(space.parameters()),
        point_(space.dimensions()) {}

  void read(const YamlNode& node) {
    const int i = terms_.parameter(node, space_.dimensions());
    const std::optional<Value>& off_grid = space_[i].off_grid;
    // A default off the grid is no value of the list, and is recognised by equality.
    const bool is_off_grid =
        off_grid && node.is_scalar() && std::is_eq(compare(read_value(node), *off_grid));
    const bool is_refused =
        !is_off_grid && node.is_scalar() && terms_.find(i, read_value(node)) < 0;
    const std::string others =
        is_refused ? allowed_off_grid(node, space_[i], is_default_) : std::string();
    point_[i] = is_off_grid ? *space_[i].default_index : terms_.value(node, i, others);
    given_.add(i);
  }

  [[nodiscard]] bool is_given(int i) const { return given_.has(i); }
  [[nodiscard]] const Point& point() const { return point_; }

 private:
  const SearchSpace& space_;
  bool is_default_ = false;  ///< the point is the default of a study
  TermReader terms_;
  Point point_;
  ParameterSet given_;
};

/// The point of a map, which may be forbidden.
Point read_any_point(const YamlNode& map, const SearchSpace& space, const Json& left_out) {
  if (!map.is_map()) {
    map.fail(
        fmt::format("is {}, a map from parameters to their values is allowed", map.describe()));
  }
  PointReader reader(space, map.key() == "default");
  // Values that the map leaves out are read in the same way, so that they are checked too.
  InputErrors errors;
  for (const YamlNode& child : map.children()) {
    errors.hold([&] { reader.read(child); });
  }
  errors.throw_any();
  const YamlNode others = parse_yaml(to_yaml(left_out), "default");
  for (const YamlNode& child : others.children()) {
    if (!reader.is_given(space.find(child.key()))) reader.read(child);
  }
  // A parameter must have a value if it has a choice and is active with the values given.
  Point point = reader.point();
  for (int i = 0; i < space.dimensions(); ++i) {
    if (reader.is_given(i) || space[i].cardinality() == 1) continue;
    if (!space.is_active(point, i)) continue;
    map.fail(fmt::format("has no value for '{}'; allowed: {}", printable(space[i].name),
                         shown(space[i].values)));
  }
  // Inactive parameters lose the values that the map gave them.
  space.canonicalise(point);
  return point;
}

}  // namespace

Point read_point(const YamlNode& map, const SearchSpace& space) {
  return read_point(map, space, Json::object());
}

Point read_point(const YamlNode& map, const SearchSpace& space, const Json& left_out) {
  const Point point = read_any_point(map, space, left_out);
  const std::string forbidden = forbidden_text(point, space);
  if (!forbidden.empty()) map.fail("is forbidden: " + forbidden);
  return point;
}

Json declared_values(const SearchSpace& space, const Json& others) {
  Json values = Json::object();
  // The space's own defaults count before the others.
  for (const Parameter& parameter : space.parameters()) {
    if (parameter.default_index) {
      values[parameter.name] = value_json(parameter.value(*parameter.default_index));
    } else if (others.contains(parameter.name) && parameter.cardinality() > 1) {
      values[parameter.name] = others[parameter.name];
    }
  }
  return values;
}

bool has_default_point(const SearchSpace& space, const Json& others) {
  const Json declared = declared_values(space, others);
  const YamlNode values = parse_yaml(to_yaml(declared), "default");
  PointReader reader(space);
  // The values are read one by one, because a default may be no value of this space.
  try {
    for (const YamlNode& child : values.children()) reader.read(child);
  } catch (const InputError&) {
    return false;  // a default of `others` that the space leaves out
  }
  for (int i = 0; i < space.dimensions(); ++i) {
    const bool needed = space[i].cardinality() > 1 && space.is_active(reader.point(), i);
    if (needed && !reader.is_given(i)) return false;
  }
  return true;
}

Point default_point(const SearchSpace& space, const Json& others) {
  const Json values = declared_values(space, others);
  // Parameters with a condition may be inactive; those are checked once the point is known.
  for (const Parameter& parameter : space.parameters()) {
    if (values.contains(parameter.name) || parameter.cardinality() == 1) continue;
    if (!parameter.when.empty()) continue;
    throw InputError(fmt::format(
        "{}: has no default; give it one in the space, such as {{choices: [{}, …], default: {}}}",
        printable(parameter.name), value_text(parameter.values[0]),
        value_text(parameter.values[0])));
  }
  const YamlNode map = parse_yaml(to_yaml(values), "default");
  const Point point = read_any_point(map, space, Json::object());
  const std::string forbidden = forbidden_text(point, space);
  if (!forbidden.empty()) throw InputError("the default is forbidden: " + forbidden);
  return point;
}

Json point_json(const Point& point, const SearchSpace& space) {
  Json json = Json::object();
  for (int i = 0; i < point.size(); ++i) json[space[i].name] = value_json(space.value(point, i));
  return json;
}

}  // namespace ntune
