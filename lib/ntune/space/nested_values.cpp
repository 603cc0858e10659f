#include "ntune/space/nested_values.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/input_errors.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/space/definition.h"
#include "ntune/space/value_checks.h"

namespace ntune {

namespace {

/// The node as JSON with sorted keys. Numbers stay as they are spelled: a program may take 1000.0
/// for another thing than 1000, and digits beyond a double's would be lost.
std::string json_text(const YamlNode& node) {
  std::string text;
  if (node.is_list()) {
    for (const YamlNode& child : node.children()) {
      text += (text.empty() ? "" : ",") + json_text(child);
    }
    return "[" + text + "]";
  }
  if (node.is_map()) {
    std::map<std::string, std::string> fields;
    for (const YamlNode& child : node.children()) fields[child.key()] = json_text(child);
    for (const auto& [key, value] : fields) {
      text += (text.empty() ? "" : ",") + Json(key).dump() + ":" + value;
    }
    return "{" + text + "}";
  }
  const bool is_spelled = node.number() && parse_json(node.text()).is_number();
  return is_spelled ? node.text() : to_json(node).dump();
}

/// The object or list that a text is, in one spelling of what it means; empty for others.
std::string normal_text(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  const Json whole = text == nullptr ? Json() : parse_json(*text);
  return whole.is_object() || whole.is_array() ? nlohmann::json(whole).dump() : "";
}

/// The parameter's value that a node has; fails at the node if that is none.
Value known_value(const YamlNode& node, const Parameter& parameter, TermReader& terms, int i) {
  const Value value = nested_value(node);
  if (parameter.off_grid && std::is_eq(compare(value, *parameter.off_grid))) return value;
  if (node.is_scalar()) return parameter.values[terms.value(node, i)];
  const int index = find_nested_value(parameter.values, value);
  if (index >= 0) return parameter.value(index);
  node.fail(fmt::format("is {}, which is no value of '{}'; allowed: {}", shown(value),
                        printable(parameter.name), shown(parameter.values)));
}

/// Adds what is foreign in a map, whose names begin with this prefix.
void collect_foreign(const YamlNode& map, const std::string& prefix,
                     const std::set<std::string>& names, std::vector<const YamlNode*>& foreign) {
  for (const YamlNode& child : map.children()) {
    const std::string name = prefix + child.key();
    if (names.contains(name)) continue;
    const auto inner = names.lower_bound(name + ".");
    if (child.is_map() && inner != names.end() && inner->starts_with(name + ".")) {
      collect_foreign(child, name + ".", names, foreign);
    } else {
      foreign.push_back(&child);
    }
  }
}

}  // namespace

const YamlNode* find_nested(const YamlNode& map, const std::string& name) {
  if (const YamlNode* whole = map.find(name)) return whole;
  for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1)) {
    const YamlNode* part = map.find(name.substr(0, dot));
    if (part == nullptr || !part->is_map()) continue;
    if (const YamlNode* found = find_nested(*part, name.substr(dot + 1))) return found;
  }
  return nullptr;
}

Value nested_value(const YamlNode& node) {
  if (node.is_null()) return std::string("null");
  if (node.is_scalar()) return read_value(node);
  return json_text(node);
}

int find_nested_value(const std::vector<Value>& values, const Value& value) {
  const int index = find_value(values, value);
  const std::string wanted = normal_text(value);
  if (index >= 0 || wanted.empty()) return index;
  const auto found = std::ranges::find(values, wanted, normal_text);
  return found == values.end() ? -1 : static_cast<int>(found - values.begin());
}

std::vector<const YamlNode*> foreign_nodes(const YamlNode& map,
                                           const std::set<std::string>& names) {
  std::vector<const YamlNode*> foreign;
  collect_foreign(map, "", names, foreign);
  return foreign;
}

Json flat_values(const YamlNode& map, const SearchSpace& space) {
  Json values = Json::object();
  TermReader terms(space.parameters());
  InputErrors errors;
  for (int i = 0; i < space.dimensions(); ++i) {
    const YamlNode* node = find_nested(map, space[i].name);
    if (node == nullptr) continue;
    errors.hold(
        [&] { values[space[i].name] = value_json(known_value(*node, space[i], terms, i)); });
  }
  errors.throw_any();
  return values;
}

Json nested_json(const Point& point, const SearchSpace& space) {
  Json json = Json::object();
  for (int i = 0; i < space.dimensions(); ++i) {
    if (!space.is_active(point, i)) continue;
    Json* place = &json;
    std::string name = space[i].name;
    // A part of a name is a map, unless a parameter of that name has a value of its own.
    for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.')) {
      Json& inner = (*place)[name.substr(0, dot)];
      if (!inner.is_null() && !inner.is_object()) break;
      place = &inner;
      name.erase(0, dot + 1);
    }
    Json value = value_json(space.value(point, i));
    if (value.is_string()) {
      Json whole = parse_json(value.get<std::string>());
      if (whole.is_object() || whole.is_array()) value = std::move(whole);
    }
    (*place)[name] = std::move(value);
  }
  return json;
}

}  // namespace ntune
