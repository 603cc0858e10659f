// What a study of several goals cannot have beside them.

#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/study/keys/study_keys.h"

namespace ntune {

namespace {

/// Options of an objective of one number, with the value that says nothing.
constexpr std::array<std::pair<const char*, const char*>, 9> kOfOneNumber = {
    {{"direction", "maximise"},
     {"payoffs", "auto"},
     {"two_valued", "false"},
     {"noisy", "true"},
     {"observations", "mean"},
     {"cutoff", "none"},
     {"penalty", "none"},
     {"unsolved", "auto"},
     {"result", "auto"}}};

void check_objective(const YamlNode& objective) {
  if (!objective.is_map()) return;
  for (const auto& [key, usual] : kOfOneNumber) {
    const YamlNode* node = objective.find(key);
    if (node == nullptr || node->is_null() || (node->is_scalar() && node->text() == usual))
      continue;
    const bool json =
        std::string_view(key) == "result" && node->is_scalar() && node->text() == "json";
    if (json) continue;
    node->fail("stands beside 'goals', each of which says what its number is");
  }
}

/// Keys that a study of several goals does not have.
void check_keys(const YamlNode& root, const StudyYaml& keys, bool has_default) {
  for (const char* key : {"objectives", "optimisers", "instances", "test_instances", "aggregate",
                          "instance_effects", "prior", "split", "splits", "time", "published"}) {
    const YamlNode* node = root.find(key);
    const bool none =
        node == nullptr || node->is_null() || (node->is_scalar() && node->text().empty());
    if (!none) node->fail("stands beside 'goals', and the two do not go together");
  }
  const auto refuse = [&root](const char* key, bool wrong, const char* allowed) {
    const YamlNode* node = wrong ? root.find(key) : nullptr;
    if (node == nullptr) return;
    node->fail(fmt::format(
        "{}stands beside 'goals'; allowed with them: {}",
        node->is_scalar() ? fmt::format("is {}, and ", printable(node->text())) : "", allowed));
  };
  const int fewest = has_default ? 2 : 1;
  refuse("runs", keys.runs_given && keys.runs > 1, "1");
  refuse("repeats", keys.study.repeats > 1, "1");
  refuse("iterations", keys.iterations != nullptr && keys.iterations->is_list(), "one number");
  refuse("budget", keys.cost.has_value(), "a number of evaluations");
  refuse("hold_out", given_value(keys.hold_out).value_or(fewest) < fewest,
         has_default ? "auto, at least 2, one of them of the default" : "auto, at least 1");
  refuse("record", keys.record == "runs", "auto, evaluations");
  refuse("fail", keys.study.execution.on_failure.kind == FailurePolicy::Kind::kValue,
         "abort, skip");
}

/// Refuses optimisers of one goal where there are several, and the reverse.
void check_optimisers(const StudyYaml& keys, const Study& study, bool has_goals) {
  for (const StudyOptimiser& optimiser : study.optimisers) {
    const std::string name = optimiser.algorithm();
    const YamlNode* node = keys.optimiser != nullptr ? keys.optimiser : keys.optimisers;
    const bool needs_goals = optimiser.plans.front().needs_goals;
    if (node == nullptr || optimiser.is_auto() || needs_goals == has_goals) continue;
    node->fail(has_goals ? fmt::format("'{}' stands beside 'goals', and knows one; allowed: auto, "
                                       "goals",
                                       name)
                         : "'goals' needs 'goals:', several numbers that an evaluation brings");
  }
}

}  // namespace

void check_goals(const YamlNode& root, const StudyYaml& keys, const Study& study) {
  const Objective& objective = *study.objectives.front().objective;
  check_optimisers(keys, study, !objective.goals().empty());
  if (objective.goals().empty()) return;
  check_keys(root, keys, study.beginning.incumbent.has_value());
  if (keys.objective != nullptr) check_objective(*keys.objective);
  for (const Goal& goal : objective.goals()) {
    if (objective.space().find(goal.name) < 0 || keys.goals == nullptr) continue;
    keys.goals->fail_at(goal.name, "is the name of a parameter too; give the goal another name");
  }
}

}  // namespace ntune
