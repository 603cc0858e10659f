#include "ntune/study/present_options.h"

#include "ntune/catalogue/objectives.h"
#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/yaml.h"

namespace ntune {

namespace {

void complete_objective(Json& objective) {
  try {
    const YamlNode node = parse_yaml(to_yaml(objective));
    objective = find_objective(node).resolved(node);
  } catch (const InputError&) {
    // Of another version, or of a program that brings its objective.
  }
}

}  // namespace

Json with_present_options(const Json& config) {
  Json complete = config;
  if (complete.contains("objective")) complete_objective(complete["objective"]);
  if (complete.contains("objectives") && complete["objectives"].is_array()) {
    for (Json& objective : complete["objectives"]) complete_objective(objective);
  }
  return complete;
}

Json with_recorded_rules(Json config) {
  const bool older = !config.contains("fail_limit") && !config.contains("learn_from_failures");
  if (older) config["learn_from_failures"] = false;
  return config;
}

}  // namespace ntune
