#include <ostream>

#include <fmt/format.h>

#include "apps/ntune/commands.h"
#include "ntune/catalogue/objectives.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/capabilities.h"
#include "ntune/optim/optimisers.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/keys/study_yaml.h"

namespace ntune::cli {

namespace {

/// Options of a map, one per line, each under its help text from the schema.
std::string options_text(const Json& options, const Json& schema) {
  std::string text;
  for (const auto& [key, value] : options.items()) {
    if (key == "label") continue;
    const Json properties = schema.value("properties", Json::object());
    if (properties.contains(key)) {
      text += fmt::format("  # {}\n", properties[key].value("description", ""));
      if (properties[key].contains("enum") && properties[key]["enum"].size() > 1) {
        text += fmt::format("  # one of {}\n", to_yaml(properties[key]["enum"]));
      }
    }
    text += fmt::format("  {}: {}\n", key, to_yaml(value));
  }
  return text;
}

/// A whole study: the entry's own example, or the entry on its default space.
Json example_of(const ObjectiveEntry& entry) {
  if (!entry.example.is_null()) return entry.example;
  return {
      {"objective", {{entry.kind, entry.name}}}, {"runs", 10}, {"iterations", 1000}, {"seed", 1}};
}

std::string describe_objective(const ObjectiveEntry& entry) {
  Json example = example_of(entry);
  const YamlNode study = parse_yaml(example.dump());
  const YamlNode& options = *study.find("objective");
  const auto objective = entry.make(options, study.find("space"));
  const SearchSpace& space = objective->space();
  const auto optimum = optimum_of(*objective);
  std::string text = fmt::format("# {}: {}\n# {}{}\n", entry.title(), entry.summary,
                                 counted(space.size().points, "point"),
                                 optimum ? fmt::format(", best value {:.4f}", *optimum) : "");
  text += "objective:\n" + options_text(entry.resolved(options), entry.schema());
  text += "space:\n";
  const Json definitions = space_json(space);
  for (const auto& [name, definition] : definitions.items()) {
    text += fmt::format("  {}: {}\n", name, to_yaml(definition));
  }
  for (const auto& [key, value] : example.items()) {
    if (key != "objective" && key != "space") text += fmt::format("{}: {}\n", key, to_yaml(value));
  }
  return text;
}

/// Several goals, which are a program's.
constexpr const char* kGoals =
    R"({command: [sh, -c, 'echo "{{\"gain\": $1, \"price\": $(($1 * $1))}}"', sh, '{x}']}
goals: {gain: maximise, price: minimise}
space: {x: {integers: [1, 9]}})";

std::string describe_optimiser(const OptimiserEntry& entry) {
  const auto objective = find_objective(parse_yaml("function: hartmann6"))
                             .make(parse_yaml("function: hartmann6"), nullptr);
  const OptimiserPlan plan = entry.plan(parse_yaml("algorithm: " + entry.name), objective->space());
  const char* example = entry.needs_goals     ? kGoals
                        : entry.needs_matches ? "{match: {game: simulated}}"
                                              : "hartmann6";
  return fmt::format("# {}: {}\nobjective: {}\noptimiser:\n{}runs: {}\niterations: 1000\nseed: 1\n",
                     entry.name, entry.summary, example, options_text(plan.options, entry.schema()),
                     entry.needs_goals ? 1 : 10);
}

}  // namespace

int describe_command(const std::string& name, const Terminal& terminal) {
  std::vector<std::string> names;
  for (const ObjectiveEntry& entry : objective_table()) {
    if (entry.title() == name) {
      terminal.out << describe_objective(entry);
      return kDone;
    }
    names.push_back(entry.title());
  }
  for (const OptimiserEntry& entry : optimiser_table()) {
    if (entry.name == name) {
      terminal.out << describe_optimiser(entry);
      return kDone;
    }
    names.push_back(entry.name);
  }
  throw InputError(fmt::format("ntune describe: '{}' is not known{}; allowed: {}",
                               printable(name, 60), suggestion(name, names), list_text(names)));
}

int schema_command(const Terminal& terminal) {
  terminal.out << study_schema().dump(2) << '\n';
  return kDone;
}

}  // namespace ntune::cli
