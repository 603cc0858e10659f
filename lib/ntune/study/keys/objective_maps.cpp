#include "ntune/study/keys/objective_maps.h"

#include "ntune/catalogue/objectives.h"
#include "ntune/core/json.h"
#include "ntune/study/model/study.h"

namespace ntune {

namespace {

/// Visits these options, and those of the objective whose points are matched.
void visit_with_matched(Json& objective, const std::function<void(Json&)>& visit) {
  if (!objective.is_object()) return;
  visit(objective);
  if (objective.contains("match")) visit_with_matched(objective["match"], visit);
}

}  // namespace

void for_each_named_objective(Json& config, const std::function<void(Json&)>& visit) {
  if (config.contains("objective")) visit(config["objective"]);
  if (!config.contains("objectives") || !config["objectives"].is_array()) return;
  for (Json& objective : config["objectives"]) visit(objective);
}

void for_each_objective(Json& config, const std::function<void(Json&)>& visit) {
  for_each_named_objective(config, [&](Json& objective) { visit_with_matched(objective, visit); });
}

void for_each_optimiser(Json& config, const std::function<void(Json&)>& visit) {
  for (const char* key : {"optimiser", "optimisers"}) {
    if (config.contains(key)) for_each_started(config[key], visit);
  }
}

void for_each_started(Json& optimisers, const std::function<void(Json&)>& visit) {
  if (optimisers.is_array()) {
    for (Json& one : optimisers) for_each_started(one, visit);
  }
  if (!optimisers.is_object()) return;
  visit(optimisers);
  if (optimisers.contains("optimiser")) for_each_started(optimisers["optimiser"], visit);
}

std::vector<std::string> file_options(const Json& objective) {
  for (const ObjectiveEntry& entry : objective_table()) {
    if (!objective.is_object() || !objective.contains(entry.kind)) continue;
    if (entry.name.empty() || objective[entry.kind] == entry.name) return entry.files;
  }
  return {};
}

bool has_option(const Json& objective, const char* key) {
  if (!objective.is_object()) return false;
  return objective.contains(key) ||
         (objective.contains("match") && has_option(objective["match"], key));
}

bool is_asked(const Study& study) {
  return has_option(study.objectives.front().options, "ask_tell");
}

}  // namespace ntune
