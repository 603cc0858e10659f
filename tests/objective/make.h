#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "ntune/catalogue/objectives.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"

namespace ntune::test {

/// The objective of a study file with `objective:` and perhaps `space:`.
inline std::unique_ptr<Objective> make(const std::string& study) {
  const YamlNode root = parse_yaml(study, "study.yaml");
  const YamlNode& options = *root.find("objective");
  return find_objective(options).make(options, root.find("space"));
}

/// The options of a study's objective with all defaults.
inline Json resolved(const std::string& study) {
  const YamlNode root = parse_yaml(study, "study.yaml");
  const YamlNode& options = *root.find("objective");
  return find_objective(options).resolved(options);
}

/// The names in the table of one kind, or of all where it is empty: "a, b or c".
inline std::string allowed_names(const std::string& kind = {}) {
  std::vector<std::string> names;
  for (const ObjectiveEntry& entry : objective_table()) {
    if (!entry.name.empty() && (kind.empty() || entry.kind == kind)) names.push_back(entry.name);
  }
  return list_text(names);
}

/// Calls visit for every allowed point.
template <class Visit>
void for_each(const SearchSpace& space, Visit visit) {
  space.for_each_point([&](const Point& point) {
    visit(point);
    return true;
  });
}

}  // namespace ntune::test
