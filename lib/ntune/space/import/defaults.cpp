// The values that are used today, an agent of TAG's, as defaults of a space.

#include <cstddef>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/space/import/source.h"
#include "ntune/space/nested_values.h"
#include "ntune/space/value_checks.h"

namespace ntune {

namespace {

/// Takes the value of a node as default; one that the parameter cannot have is said.
void take_default(const YamlNode& node, SourceParameter& parameter,
                  std::vector<std::string>& warnings) {
  const Value value = nested_value(node);
  const auto* choices = std::get_if<SourceChoices>(&parameter.domain);
  if (choices == nullptr) {
    parameter.start = value;
    return;
  }
  const int index = find_nested_value(choices->values, value);
  if (index >= 0) {
    if (!choices->fixed) parameter.start = choices->values[static_cast<std::size_t>(index)];
    return;
  }
  warnings.push_back(fmt::format("{}: {} is no value of '{}'; {}: {}", node.place(), shown(value),
                                 printable(parameter.name, 60),
                                 choices->fixed ? "it is fixed" : "allowed",
                                 shown(choices->values)));
}

}  // namespace

void take_defaults(const YamlNode& document, const std::set<std::string>& names,
                   SourceSpace& space) {
  if (!document.is_map()) {
    document.fail(fmt::format("is {}, a map of values is allowed", document.describe()));
  }
  std::vector<std::string> missing;
  for (SourceParameter& parameter : space.parameters) {
    const YamlNode* node = find_nested(document, parameter.name);
    if (node != nullptr) {
      take_default(*node, parameter, space.warnings);
      continue;
    }
    const auto* choices = std::get_if<SourceChoices>(&parameter.domain);
    const bool is_free = choices == nullptr || choices->values.size() > 1;
    // A condition may make a parameter inactive at the default.
    if (is_free && !parameter.start && !parameter.condition) missing.push_back(parameter.name);
  }
  for (const YamlNode* node : foreign_nodes(document, names)) {
    space.warnings.push_back(node->place() + ": is passed over, as the space does not have it");
  }
  if (missing.empty()) return;
  space.warnings.push_back(
      fmt::format("{}: has no value for {}, so that there is no whole default to compare with",
                  document.place(), printable(list_text(missing, "and"), 1000)));
}

}  // namespace ntune
