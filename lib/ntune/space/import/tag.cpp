// TAG's search spaces (json/SearchSpaces/*.json): a list is a dimension, any other value fixed, an
// object with a class has dimensions of its own, "heuristic.heuristicType".

#include <utility>

#include <fmt/format.h>

#include "ntune/space/import/source.h"

namespace ntune {

namespace {

/// Reads an object and the objects within it; names get the path as a prefix.
void read_object(const YamlNode& map, const std::string& prefix, SourceSpace& space) {
  const YamlNode* class_node = map.find("class");
  // The class belongs to no parameter, so the first one of its object mentions it.
  std::string made_by = class_node != nullptr && class_node->is_scalar() ? class_node->text() : "";
  for (const YamlNode& child : map.children()) {
    if (&child == class_node && child.is_scalar()) continue;
    const std::string name = prefix + child.key();
    if (child.is_map()) {
      read_object(child, name + ".", space);
      continue;
    }
    SourceParameter parameter{.name = name, .place = place_of(child), .type = ""};
    if (child.is_list()) {
      parameter.type = "dimension";
      parameter.domain = SourceChoices{.values = read_source_values(child)};
    } else {
      parameter.type = "fixed";
      parameter.domain = SourceChoices{.values = {read_source_value(child)}, .fixed = true};
    }
    if (!made_by.empty()) parameter.remarks.push_back("class " + std::exchange(made_by, ""));
    space.add(std::move(parameter));
  }
}

}  // namespace

SourceSpace read_tag(const YamlNode& document) {
  if (!document.is_map()) {
    document.fail(fmt::format("is {}, a map of dimensions is allowed", document.describe()));
  }
  SourceSpace space;
  read_object(document, "", space);
  return space;
}

}  // namespace ntune
