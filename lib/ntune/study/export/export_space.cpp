#include "ntune/study/export/export_space.h"

#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"

namespace ntune {

namespace {

const SearchSpace& space_of(const Study& study) {
  return study.objectives.front().objective->space();
}

/// What a parameter is in either format.
enum class Kind { kCategorical, kOrdinal, kInteger, kReal };

Kind kind_of(const Parameter& parameter) {
  const bool is_range =
      parameter.kind == ParameterKind::kRange || parameter.kind == ParameterKind::kLogRange;
  if (is_range && parameter.cardinality() > 1) return Kind::kReal;
  if (!parameter.ordered || parameter.cardinality() < 2) return Kind::kCategorical;
  const double ends =
      std::abs(value_number(parameter.values.back()) - value_number(parameter.values.front()));
  // Integers in steps of more than 1 are a list.
  const bool in_ones = parameter.kind == ParameterKind::kIntegers &&
                       ends == static_cast<double>(parameter.cardinality() - 1);
  return in_ones ? Kind::kInteger : Kind::kOrdinal;
}

/// A value of R: a number, or a text in quotes.
std::string in_r(const Value& value) {
  const bool is_number = !std::isnan(value_number(value)) && !std::holds_alternative<bool>(value);
  return is_number ? value_text(value) : Json(value_text(value)).dump();
}

std::string list_of(const Parameter& parameter, const std::vector<std::uint16_t>& values,
                    std::string (*text)(const Value&)) {
  std::vector<std::string> texts;
  for (const std::uint16_t index : values) texts.push_back(text(parameter.value(index)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string all_of(const Parameter& parameter, std::string (*text)(const Value&)) {
  std::vector<std::string> texts;
  for (const Value& value : parameter.values) texts.push_back(text(value));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string ends_of(const Parameter& parameter) {
  return fmt::format("{}, {}", value_text(parameter.values.front()),
                     value_text(parameter.values.back()));
}

/// The value that a parameter has where nobody tunes it, or else its first one.
const Value& default_of(const Study& study, int parameter) {
  const SearchSpace& space = space_of(study);
  if (study.beginning.incumbent) return space.value(*study.beginning.incumbent, parameter);
  return space[parameter].value(space[parameter].default_index.value_or(0));
}

}  // namespace

std::string irace_parameters(const Study& study) {
  const SearchSpace& space = space_of(study);
  std::string text = "# name  switch  type  values  [| condition]\n";
  for (const Parameter& parameter : space.parameters()) {
    const bool log = parameter.kind == ParameterKind::kLogRange;
    const Kind kind = kind_of(parameter);
    const char* type = kind == Kind::kInteger   ? "i"
                       : kind == Kind::kReal    ? (log ? "r,log" : "r")
                       : kind == Kind::kOrdinal ? "o"
                                                : "c";
    const bool has_ends = kind == Kind::kInteger || kind == Kind::kReal;
    text += fmt::format("{} {} {} ({})", parameter.name,
                        Json(fmt::format("--{}=", parameter.name)).dump(), type,
                        has_ends ? ends_of(parameter) : all_of(parameter, in_r));
    std::vector<std::string> conditions;
    for (const Term& term : parameter.when) {
      conditions.push_back(fmt::format("{} %in% c({})", space[term.parameter].name,
                                       list_of(space[term.parameter], term.values, in_r)));
    }
    if (!conditions.empty()) text += fmt::format(" | {}", fmt::join(conditions, " & "));
    text += '\n';
  }
  if (space.forbidden().empty()) return text;
  text += "\n[forbidden]\n";
  for (const auto& clause : space.forbidden()) {
    std::vector<std::string> terms;
    for (const Term& term : clause) {
      terms.push_back(fmt::format("({} %in% c({}))", space[term.parameter].name,
                                  list_of(space[term.parameter], term.values, in_r)));
    }
    text += fmt::format("{}\n", fmt::join(terms, " & "));
  }
  return text;
}

std::string irace_configurations(const Study& study) {
  if (!study.beginning.incumbent) return {};
  const SearchSpace& space = space_of(study);
  const Point& point = *study.beginning.incumbent;
  std::vector<std::string> values;
  for (int i = 0; i < space.dimensions(); ++i) {
    values.push_back(space.is_active(point, i) ? in_r(space.value(point, i)) : "NA");
  }
  return fmt::format("{}\n{}\n", fmt::join(space.names(), " "), fmt::join(values, " "));
}

std::string instance_lines(const InstanceList& instances) {
  std::string text;
  for (const Instance& instance : instances.all()) text += instance.text() + '\n';
  return text;
}

std::string irace_scenario(const Study& study) {
  std::string text =
      "# The target runner is yours to write: it gets the switches behind the instance.\n";
  const auto add = [&](const char* key, const std::string& value) {
    text += fmt::format("{} = {}\n", key, value);
  };
  add("targetRunner", R"("./target-runner")");
  add("parameterFile", R"("parameters.txt")");
  if (study.beginning.incumbent) add("configurationsFile", R"("configurations.txt")");
  if (!study.instances.empty()) {
    add("trainInstancesDir", R"("")");
    add("trainInstancesFile", R"("instances.txt")");
  }
  if (!study.instances.test.empty()) {
    add("testInstancesDir", R"("")");
    add("testInstancesFile", R"("test_instances.txt")");
  }
  const std::int64_t search = study.plans.front().search() + study.plans.front().re_evaluation;
  if (!study.limits.any()) add("maxExperiments", std::to_string(search));
  const Objective& objective = *study.objectives.front().objective;
  if (!objective.payoffs().noisy) add("deterministic", "1");
  const OutsideProgram* program = objective.outside_program();
  if (program != nullptr && program->costs_time() && std::isfinite(program->cutoff())) {
    add("boundMax", number_text(program->cutoff()));
    add("boundPar",
        number_text(program->penalty().value_or(program->cutoff()) / program->cutoff()));
  }
  add("seed", std::to_string(study.seed));
  return text;
}

std::string pcs_text(const Study& study) {
  const SearchSpace& space = space_of(study);
  std::string text;
  std::string conditions;
  for (int i = 0; i < space.dimensions(); ++i) {
    const Parameter& parameter = space[i];
    const Kind kind = kind_of(parameter);
    const char* type = kind == Kind::kInteger   ? "integer"
                       : kind == Kind::kReal    ? "real"
                       : kind == Kind::kOrdinal ? "ordinal"
                                                : "categorical";
    const bool has_ends = kind == Kind::kInteger || kind == Kind::kReal;
    const std::string values = has_ends ? fmt::format("[{}]", ends_of(parameter))
                                        : fmt::format("{{{}}}", all_of(parameter, value_text));
    text += fmt::format("{} {} {} [{}]{}\n", parameter.name, type, values,
                        value_text(default_of(study, i)),
                        parameter.kind == ParameterKind::kLogRange ? " log" : "");
    std::vector<std::string> terms;
    for (const Term& term : parameter.when) {
      terms.push_back(fmt::format("{} in {{{}}}", space[term.parameter].name,
                                  list_of(space[term.parameter], term.values, value_text)));
    }
    if (!terms.empty()) {
      conditions += fmt::format("{} | {}\n", parameter.name, fmt::join(terms, " && "));
    }
  }
  if (!conditions.empty()) text += "\n" + conditions;
  if (!space.forbidden().empty()) text += '\n';
  for (const auto& clause : space.forbidden()) {
    // A clause of lists is one for each combination of their values.
    std::vector<std::string> lines = {""};
    for (const Term& term : clause) {
      std::vector<std::string> more;
      for (const std::string& line : lines) {
        for (const std::uint16_t index : term.values) {
          more.push_back(fmt::format("{}{}{}={}", line, line.empty() ? "" : ", ",
                                     space[term.parameter].name,
                                     value_text(space[term.parameter].value(index))));
        }
      }
      lines = std::move(more);
    }
    for (const std::string& line : lines) text += fmt::format("{{{}}}\n", line);
  }
  return text;
}

}  // namespace ntune
