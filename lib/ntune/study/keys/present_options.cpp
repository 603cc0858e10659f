#include "ntune/study/keys/present_options.h"

#include <algorithm>

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
  if (compares_in_blocks(config) && !config.contains("instance_blocks")) {
    config["instance_blocks"] = false;
  }
  if (lacks_cost_exponent(config)) config["budget"]["cost_exponent"] = 0.0;
  return config;
}

bool lacks_cost_exponent(const Json& config) {
  const auto budget = config.find("budget");
  return budget != config.end() && budget->is_object() && !budget->contains("cost_exponent");
}

bool compares_in_blocks(const Json& config) {
  const Json instances = config.value("instances", Json());
  if (!instances.is_array() || instances.size() < 2) return false;
  if (config.value("instance_effects", Json()) == "kept") return false;
  const auto is_race = [](const Json& optimiser) {
    return optimiser.is_object() && optimiser.value("algorithm", Json()) == "racing";
  };
  const Json several = config.value("optimisers", Json());
  return is_race(config.value("optimiser", Json())) || std::ranges::any_of(several, is_race);
}

}  // namespace ntune
