#include "ntune/study/keys/present_options.h"

#include <algorithm>

#include "ntune/catalogue/objectives.h"
#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/yaml.h"
#include "ntune/optim/optimisers.h"
#include "ntune/study/keys/objective_maps.h"
#include "ntune/study/model/study.h"

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

bool has_n_tuples(const Json& optimiser) {
  const Json algorithm = optimiser.value("algorithm", Json());
  return algorithm == "ntbea" || algorithm == "smoothed_n_tuple";
}

/// Has tuples without payoffs count as worth 0, unless the options say what they count as.
void keep_zero(Json& optimiser) {
  if (has_n_tuples(optimiser) && !optimiser.contains("unseen")) optimiser["unseen"] = "zero";
}

bool is_program(const Json& objective) {
  return objective.is_object() && objective.contains("command");
}

bool measures_time(const Json& objective) {
  if (!is_program(objective)) return false;
  const Json result = objective.value("result", Json());
  return result == "time" || (result.is_object() && result.contains("time"));
}

/// The penalties of a program as older versions had them.
void keep_penalties(Json& program) {
  if (!is_program(program)) return;
  const Json cutoff = program.value("cutoff", Json());
  if (!program.contains("penalty") && cutoff.is_number() && !measures_time(program)) {
    program["penalty"] = program.value("par", 10.0) * cutoff.get<double>();
  }
  if (!program.contains("unsolved")) program["unsolved"] = "none";
}

}  // namespace

Json with_present_options(const Json& config) {
  Json complete = config;
  for_each_named_objective(complete, complete_objective);
  return complete;
}

Json with_recorded_rules(Json config) {
  const bool older = !config.contains("fail_limit") && !config.contains("learn_from_failures");
  if (older) config["learn_from_failures"] = false;
  if (compares_in_blocks(config) && !config.contains("instance_blocks")) {
    config["instance_blocks"] = false;
  }
  if (has_penalties(config) && !config.contains("learn_from_penalties")) {
    config["learn_from_penalties"] = false;
  }
  for_each_named_objective(config, keep_penalties);
  if (lacks_cost_exponent(config)) config["budget"]["cost_exponent"] = 0.0;
  for_each_optimiser(config, keep_zero);
  return config;
}

void keep_unseen_tuples(const Json& written, Study& study) {
  bool lacks = false;
  Json config = written;
  for_each_optimiser(config, [&](const Json& optimiser) {
    lacks = lacks || (has_n_tuples(optimiser) && !optimiser.contains("unseen"));
  });
  if (!lacks) return;
  const auto worth_nothing = [](Json& optimiser) {
    if (has_n_tuples(optimiser)) optimiser["unseen"] = "zero";
  };
  for (StudyOptimiser& optimiser : study.optimisers) {
    const Json before = optimiser.options;
    for_each_started(optimiser.options, worth_nothing);
    if (optimiser.options == before) continue;
    const YamlNode node = parse_yaml(to_yaml(optimiser.options));
    for (std::size_t i = 0; i < optimiser.plans.size(); ++i) {
      optimiser.plans[i] = plan_optimiser(node, study.objectives[i].objective->space());
      if (!optimiser.adaptive.empty()) optimiser.adaptive[i] = multi_start_of(optimiser.plans[i]);
    }
  }
  for_each_optimiser(study.config, worth_nothing);
}

bool lacks_cost_exponent(const Json& config) {
  const auto budget = config.find("budget");
  return budget != config.end() && budget->is_object() && !budget->contains("cost_exponent");
}

bool has_penalties(const Json& config) {
  bool found = config.value("fail", Json()).is_object();
  Json copy = config;
  for_each_named_objective(
      copy, [&](const Json& objective) { found = found || measures_time(objective); });
  return found;
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
