#include <set>
#include <utility>

#include <fmt/format.h>

#include "ntune/catalogue/objectives.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/keys/study_yaml_parts.h"

namespace ntune {

namespace {

constexpr std::size_t kLongestLabel = 1000;

/// One node, or the elements of a list where several are given.
std::vector<const YamlNode*> one_or_list(const YamlNode* one, const YamlNode* several,
                                         const char* plural) {
  if (several != nullptr) return elements_of(*several, plural);
  if (one->is_list()) {
    one->fail(fmt::format("is a list, one is allowed; write '{}:' for several", plural));
  }
  return {one};
}

/// The name and the options that differ from the defaults; the noise only to tell twins apart.
std::string objective_label(const ObjectiveEntry& entry, const Json& options,
                            const std::set<std::string>& labels) {
  if (entry.label) return printable(entry.label(options), kLongestLabel);
  if (entry.name.empty()) return entry.kind;
  std::string label = entry.name;
  const Json defaults = entry.resolved(parse_yaml(fmt::format("{}: {}", entry.kind, entry.name)));
  for (const auto& [key, value] : options.items()) {
    const bool differs = key == "noise" ? labels.count(label) > 0 : value != defaults.at(key);
    if (!differs || value.is_structured()) continue;
    label +=
        fmt::format(" {}={}", key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  return printable(label, kLongestLabel);
}

StudyObjective program_objective(const StudyYaml& keys, const YamlNode* node,
                                 std::shared_ptr<const Objective> given) {
  if (node != nullptr) node->fail("the program gives the objective, none is allowed here");
  if (keys.space != nullptr) keys.space->fail("the program gives the space with the objective");
  Json options = {{"program", given->description()}};
  std::string label = given->description();
  return {std::move(label), std::move(options), std::move(given)};
}

/// Refuses an optimiser that chooses both players where evaluations are no matches.
void check_matches(const YamlNode& node, const OptimiserPlan& plan,
                   const StudyObjective& objective) {
  if (!plan.needs_matches || are_duels(*objective.objective)) return;
  node.fail(
      fmt::format("'{}' chooses both players of matches, and '{}' has none; write "
                  "'objective: {{match: …}}'",
                  plan.options["algorithm"].get<std::string>(), printable(objective.label)));
}

/// An optimiser with its options, read for the space of every objective.
StudyOptimiser read_optimiser(const YamlNode& node, const std::vector<StudyObjective>& objectives) {
  StudyOptimiser optimiser;
  for (const StudyObjective& objective : objectives) {
    optimiser.plans.push_back(plan_optimiser(node, objective.objective->space()));
    check_matches(node, optimiser.plans.back(), objective);
  }
  optimiser.label = printable(optimiser.plans[0].label, kLongestLabel);
  optimiser.options = optimiser.plans[0].options;
  return optimiser;
}

}  // namespace

std::vector<StudyObjective> read_objectives(const YamlNode& root, const StudyYaml& keys,
                                            std::shared_ptr<const Objective> given) {
  refuse_both(keys.objective, keys.objectives);
  const YamlNode* node = keys.objective != nullptr ? keys.objective : keys.objectives;
  std::vector<StudyObjective> objectives;
  if (given) {
    objectives.push_back(program_objective(keys, node, std::move(given)));
    return objectives;
  }
  if (node == nullptr) {
    root.fail_at("objective",
                 "is missing, name one, such as 'objective: hartmann6' (see 'ntune list "
                 "objectives')");
  }
  const auto list = one_or_list(keys.objective, keys.objectives, "objectives");
  if (keys.space != nullptr && list.size() > 1) {
    keys.space->fail("a space goes with one objective, there are several");
  }
  std::set<std::string> labels;
  for (const YamlNode* item : list) {
    const ObjectiveEntry& entry = find_objective(*item);
    StudyObjective& objective = objectives.emplace_back();
    objective.objective = entry.make(*item, keys.space);
    objective.options = entry.resolved(*item);
    objective.label = objective_label(entry, objective.options, labels);
    if (!labels.insert(objective.label).second) {
      objective.label += fmt::format(" #{}", labels.size() + 1);
      labels.insert(objective.label);
    }
  }
  return objectives;
}

void require_budget(const YamlNode& root, const StudyYaml& keys) {
  const bool counted = given_value(keys.budget) || keys.time || keys.cost || keys.runs_given ||
                       keys.iterations != nullptr || keys.splits != nullptr;
  if (counted) return;
  for (const YamlNode* item : one_or_list(keys.objective, keys.objectives, "objectives")) {
    if (!find_objective(*item).needs_budget) continue;
    root.fail_at("budget",
                 "is missing: how many evaluations, such as 'budget: 300', or how long, such as "
                 "'time: 2h'");
  }
}

std::vector<StudyOptimiser> read_optimisers(const StudyYaml& keys,
                                            const std::vector<StudyObjective>& objectives) {
  refuse_both(keys.optimiser, keys.optimisers);
  const YamlNode usual = parse_yaml("{algorithm: auto}");
  const YamlNode* one = keys.optimiser != nullptr ? keys.optimiser : &usual;
  std::vector<StudyOptimiser> optimisers;
  for (const YamlNode* item : one_or_list(one, keys.optimisers, "optimisers")) {
    StudyOptimiser optimiser = read_optimiser(*item, objectives);
    for (const StudyOptimiser& earlier : optimisers) {
      if (earlier.label == optimiser.label) {
        item->fail(
            fmt::format("the optimiser '{}' stands twice; give one a `label`", optimiser.label));
      }
    }
    optimisers.push_back(std::move(optimiser));
  }
  return optimisers;
}

}  // namespace ntune
