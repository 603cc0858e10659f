#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "ntune/catalogue/objectives.h"
#include "ntune/core/error.h"
#include "ntune/core/input_errors.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/command/goal_options.h"
#include "ntune/objective/seated_games.h"
#include "ntune/space/definition.h"
#include "ntune/space/space_yaml.h"
#include "ntune/space/value_checks.h"
#include "ntune/study/keys/study_keys.h"

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

/// A space of parameters of the same names, with values that every template and every optimiser
/// takes; nothing where the names are not known. Its errors are those of other parts.
std::optional<YamlNode> stand_in_space(const YamlNode* space) {
  if (space == nullptr || !space->is_map()) return std::nullopt;
  Json map = Json::object();
  for (const YamlNode& child : space->children()) {
    if (child.key() != kForbidKey) map[child.key()] = {{"integers", {0, 1}}, {"default", 0}};
  }
  const YamlNode stand_in = parse_yaml(to_yaml(map));
  try {
    read_space(stand_in);
  } catch (const InputError&) {
    return std::nullopt;  // it has no names, or too many
  }
  return stand_in;
}

/// Reads what an objective that cannot be made consists of, part by part, for the errors of all.
void hold_errors(const YamlNode& objective, const YamlNode* space, InputErrors& errors) {
  // The program of a match stands within it.
  const YamlNode* program = &objective;
  while (program->is_map() && program->find("match") != nullptr) program = program->find("match");
  const auto stand_in = stand_in_space(space);
  if (program->is_map() && program->find("command") != nullptr && stand_in) {
    errors.hold([&] { find_objective(*program).make(*program, &*stand_in); });
  }
  if (space == nullptr || !space->is_map()) return;
  for (const YamlNode& child : space->children()) {
    if (child.key() != kForbidKey) errors.hold([&] { read_definition(child); });
  }
}

/// The objective that a program brings, which no file may name again.
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
    if (keys.goals != nullptr) keys.goals->fail("the program gives the goals with the objective");
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
  // Each objective is read whole; one that cannot be made is read part by part, for more errors.
  std::set<std::string> labels;
  InputErrors errors;
  for (const YamlNode* item : list) {
    StudyObjective& objective = objectives.emplace_back();
    const bool made = errors.hold([&] {
      std::unique_ptr<Objective> read = find_objective(*item).make(*item, keys.space);
      if (needs_seats(*read)) {
        item->fail("the command names seats: write 'match:' around it, with 'players:'");
      }
      if (keys.goals != nullptr && !read->take_goals(read_goals(*keys.goals))) {
        keys.goals->fail(
            "stands beside an objective that brings one number; allowed: a command, "
            "or ask_tell");
      }
      objective.objective = std::move(read);
    });
    if (!made) hold_errors(*item, keys.space, errors);
    if (errors.any()) continue;
    const ObjectiveEntry& entry = find_objective(*item);
    objective.options = entry.resolved(*item);
    objective.label = objective_label(entry, objective.options, labels);
    // Twins are told apart by their number.
    if (!labels.insert(objective.label).second) {
      objective.label += fmt::format(" #{}", labels.size() + 1);
      labels.insert(objective.label);
    }
  }
  errors.throw_any();
  return objectives;
}

void require_budget(const YamlNode& root, const StudyYaml& keys) {
  const bool counted = given_value(keys.budget) || keys.time || keys.cost || keys.runs_given ||
                       keys.iterations != nullptr || keys.splits != nullptr;
  // A program or a game may take long: it is not begun without a number or a time.
  if (counted || (keys.objective == nullptr && keys.objectives == nullptr)) return;
  for (const YamlNode* item : one_or_list(keys.objective, keys.objectives, "objectives")) {
    if (!find_objective(*item).needs_budget) continue;
    root.fail_at("budget",
                 "is missing: how many evaluations, such as 'budget: 300', or how long, such as "
                 "'time: 2h'");
  }
}

void check_optimisers(const StudyYaml& keys) {
  refuse_both(keys.optimiser, keys.optimisers);
  const auto space = stand_in_space(keys.space);
  if (!space || (keys.optimiser == nullptr && keys.optimisers == nullptr)) return;
  // The options of optimisers hardly depend on values: any space of these names will do.
  const SearchSpace stand_in = read_space(*space);
  InputErrors errors;
  for (const YamlNode* item : one_or_list(keys.optimiser, keys.optimisers, "optimisers")) {
    errors.hold([&] { plan_optimiser(*item, stand_in); });
  }
  errors.throw_any();
}

std::vector<StudyOptimiser> read_optimisers(const StudyYaml& keys,
                                            const std::vector<StudyObjective>& objectives) {
  refuse_both(keys.optimiser, keys.optimisers);
  // A file without an optimiser leaves the choice to the program.
  const YamlNode usual = parse_yaml("{algorithm: auto}");
  const YamlNode* one = keys.optimiser != nullptr ? keys.optimiser : &usual;
  std::vector<StudyOptimiser> optimisers;
  InputErrors errors;
  for (const YamlNode* item : one_or_list(one, keys.optimisers, "optimisers")) {
    errors.hold([&] {
      StudyOptimiser optimiser = read_optimiser(*item, objectives);
      for (const StudyOptimiser& earlier : optimisers) {
        if (earlier.label == optimiser.label) {
          item->fail(
              fmt::format("the optimiser '{}' stands twice; give one a `label`", optimiser.label));
        }
      }
      optimisers.push_back(std::move(optimiser));
    });
  }
  errors.throw_any();
  return optimisers;
}

}  // namespace ntune
