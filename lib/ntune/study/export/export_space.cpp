#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/export/export.h"

namespace ntune {

namespace {

/// The space of the only objective.
const SearchSpace& space_of(const Study& study) {
  return study.objectives.front().objective->space();
}

/// The terms of each alternative of a condition; none where a parameter is always active.
std::vector<std::vector<Term>> alternatives_of(const Parameter& parameter) {
  std::vector<std::vector<Term>> alternatives = parameter.or_when;
  if (!parameter.when.empty()) alternatives.insert(alternatives.begin(), parameter.when);
  return alternatives;
}

/// What a parameter is in either format.
enum class Kind { kCategorical, kOrdinal, kInteger, kReal };

/// Whether conditions or forbidden combinations name values of a parameter.
bool has_named_values(const SearchSpace& space, int index) {
  bool found = false;
  const auto look = [&](const std::vector<Term>& terms) {
    found = found || std::ranges::find(terms, index, &Term::parameter) != terms.end();
  };
  std::ranges::for_each(space.forbidden(), look);
  for (const Parameter& parameter : space.parameters()) for_each_condition(parameter, look);
  return found;
}

/// A range of reals whose values are named is a list: no value within a range would be one of them.
Kind kind_of(const SearchSpace& space, int index) {
  const Parameter& parameter = space[index];
  const bool is_range =
      parameter.kind == ParameterKind::kRange || parameter.kind == ParameterKind::kLogRange;
  if (is_range && parameter.cardinality() > 1) {
    return has_named_values(space, index) ? Kind::kOrdinal : Kind::kReal;
  }
  if (!parameter.ordered || parameter.cardinality() < 2) return Kind::kCategorical;
  const double ends =
      std::abs(value_number(parameter.values.back()) - value_number(parameter.values.front()));
  // Integers in steps of more than 1 are a list.
  const bool in_ones = parameter.kind == ParameterKind::kIntegers &&
                       ends == static_cast<double>(parameter.cardinality() - 1);
  return in_ones ? Kind::kInteger : Kind::kOrdinal;
}

/// Whether its values are written as a range.
bool has_ends(Kind kind) { return kind == Kind::kInteger || kind == Kind::kReal; }

/// Whether a program gets no argument for one of its values.
bool has_null(const Parameter& parameter) {
  return std::ranges::any_of(parameter.values, is_no_value);
}

/// What stands before a parameter's value, by the command where that says so.
std::string switch_of(const Study& study, int index) {
  const OutsideProgram* program = study.objectives.front().objective->outside_program();
  const std::string own = program != nullptr ? program->switch_of(index) : "";
  if (!own.empty()) return own;
  const Parameter& parameter = space_of(study)[index];
  const bool are_switches =
      has_null(parameter) && std::ranges::all_of(parameter.values, [](const Value& each) {
        return is_no_value(each) || value_text(each).starts_with('-');
      });
  return are_switches ? "" : fmt::format("--{}=", parameter.name);
}

/// A value for irace: a number, or a text in the quotes of the place. Where one of the values is
/// none, which only a switch that is empty can say, the others are whole arguments.
template <class Quoted>
std::string for_irace(const Study& study, int index, const Value& value, const Quoted& quoted) {
  if (has_null(space_of(study)[index])) {
    return quoted(is_no_value(value) ? "" : switch_of(study, index) + value_text(value));
  }
  const bool is_number = !std::isnan(value_number(value)) && !std::holds_alternative<bool>(value);
  return is_number ? value_text(value) : quoted(value_text(value));
}

/// A text of R, in a condition.
std::string in_r(const std::string& text) { return Json(text).dump(); }

/// A bare word of irace's lists may have quotes within it, behind a letter or a digit.
bool is_bare_word(std::string_view text) {
  if (text.find_first_of(",()") != std::string_view::npos || text.ends_with(' ')) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char before = i > 0 ? text[i - 1] : ' ';
    const bool is_word = std::isalnum(static_cast<unsigned char>(before)) != 0 ||
                         static_cast<unsigned char>(before) >= 0x80;
    if (text[i] == '"' && !is_word) return false;
  }
  return !text.starts_with(' ');
}

/// A switch or a value in a list, where irace knows no escapes: in double quotes, or where it holds
/// one bare, which a switch cannot be. Refuses what neither irace nor its table of configurations
/// gives back.
std::string irace_word(const Parameter& parameter, const std::string& text,
                       bool may_be_bare = true) {
  const bool has_quote = text.find('"') != std::string::npos;
  const bool is_held =
      text.find_first_of("#|\n\r") == std::string::npos && !text.ends_with('\\') &&
      (!has_quote || (may_be_bare && is_bare_word(text) && text.find('\'') == std::string::npos));
  if (is_held) return has_quote ? text : '"' + text + '"';
  throw InputError(fmt::format(
      "parameter '{}': a file of irace cannot hold '{}': line ends, # and |, a \\ at the end and "
      "double quotes that follow no letter have a meaning there",
      printable(parameter.name, 60), printable(text, 60)));
}

/// A word of a table of R.
std::string table_word(const std::string& text) {
  const char quote = text.find('"') == std::string::npos ? '"' : '\'';
  return quote + text + quote;
}

/// The texts of what a list holds, with something between them.
template <class List, class Text>
std::string joined(const List& list, const char* between, const Text& text) {
  std::vector<std::string> texts;
  for (const auto& item : list) texts.push_back(text(item));
  return fmt::format("{}", fmt::join(texts, between));
}

/// The values of a term.
template <class Text>
std::string values_of(const SearchSpace& space, const Term& term, const Text& text) {
  return joined(term.values, ", ",
                [&](std::uint16_t index) { return text(space[term.parameter].value(index)); });
}

/// The first and the last value.
std::string ends_of(const Parameter& parameter) {
  return fmt::format("{}, {}", value_text(parameter.values.front()),
                     value_text(parameter.values.back()));
}

/// The value that a parameter has where nobody tunes it, as declared where it is not active there,
/// or else its first one. What lies off the grid is no value of a list, and may lie beyond a range:
/// the nearest one stands for it.
const Value& default_of(const Study& study, int parameter) {
  // A default within a range of reals has a place there, even off the grid.
  const Parameter& tuned = space_of(study)[parameter];
  const auto& incumbent = study.beginning.incumbent;
  const bool is_active = incumbent && space_of(study).is_active(*incumbent, parameter);
  const int index = is_active ? (*incumbent)[parameter] : tuned.default_index.value_or(0);
  if (index < tuned.cardinality()) return tuned.value(index);
  const double number = value_number(tuned.value(index));
  const bool within = kind_of(space_of(study), parameter) == Kind::kReal &&
                      number >= value_number(tuned.values.front()) &&
                      number <= value_number(tuned.values.back());
  return tuned.value(within ? index : tuned.nearest_on_grid(index));
}

/// A line for each default that is replaced by the nearest value.
std::string replaced_defaults(const Study& study) {
  const SearchSpace& space = space_of(study);
  std::string text;
  if (!study.beginning.incumbent) return text;
  for (int i = 0; i < space.dimensions(); ++i) {
    const std::string value = value_text(space.value(*study.beginning.incumbent, i));
    const std::string taken = value_text(default_of(study, i));
    if (value == taken) continue;
    text += fmt::format("# The default of {} is {}, which has no place here: the nearest is {}.\n",
                        printable(space[i].name), value, taken);
  }
  return text;
}

/// Names as R takes them in a condition, made as by its make.names: the switch keeps the own one.
std::vector<std::string> names_in_r(const SearchSpace& space) {
  std::vector<std::string> names;
  for (std::string name : space.names()) {
    // Other signs become points, a name begins with a letter, and twins get a number.
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    std::ranges::replace_if(
        name, [&](char c) { return !is_letter(c) && !is_digit(c) && c != '_'; }, '.');
    if (!is_letter(name[0])) name.insert(0, 1, 'X');
    while (std::ranges::find(names, name) != names.end()) name += ".1";
    names.push_back(name);
  }
  return names;
}

/// A forbidden clause: of lists it is one for each combination of their values.
std::string pcs_clauses(const SearchSpace& space, const std::vector<Term>& clause) {
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
  return joined(lines, "", [](const std::string& line) { return fmt::format("{{{}}}\n", line); });
}

/// Refuses a name or value that a PCS file would not give back: nothing is quoted there.
void check_pcs_word(const Parameter& parameter, const std::string& word) {
  const bool is_word = !word.empty() && std::ranges::none_of(word, [](char c) {
    return static_cast<unsigned char>(c) <= ' ' ||
           std::string_view("{}[]|,=<>!&#").find(c) != std::string_view::npos;
  });
  if (is_word) return;
  throw InputError(fmt::format(
      "parameter '{}': a PCS file cannot hold '{}': blanks and the signs {{}}[]|,=<>!&# have a "
      "meaning there",
      printable(parameter.name, 60), printable(word, 60)));
}

}  // namespace

std::string irace_parameters(const Study& study) {
  const SearchSpace& space = space_of(study);
  const std::vector<std::string> names = names_in_r(space);
  const auto name_of = [&](int i) { return names[static_cast<std::size_t>(i)]; };
  const auto in_study = [&](int i) {
    return [&study, i](const Value& value) { return for_irace(study, i, value, in_r); };
  };
  const auto in_list = [&](int i) {
    return [&study, &space, i](const Value& value) {
      return for_irace(study, i, value,
                       [&](const std::string& text) { return irace_word(space[i], text); });
    };
  };
  // A condition of R: NAME %in% c(VALUES), in a frame, with & between them.
  const auto terms_of = [&](const std::vector<Term>& terms, const char* frame) {
    return joined(terms, " & ", [&](const Term& term) {
      return fmt::format(fmt::runtime(frame),
                         fmt::format("{} %in% c({})", name_of(term.parameter),
                                     values_of(space, term, in_study(term.parameter))));
    });
  };
  std::string text = "# name  switch  type  values  [| condition]\n";
  for (int i = 0; i < space.dimensions(); ++i) {
    const Parameter& parameter = space[i];
    constexpr std::array kTypes = {"c", "o", "i", "r"};
    const Kind kind = kind_of(space, i);
    const bool log = parameter.kind == ParameterKind::kLogRange && kind == Kind::kReal;
    text += fmt::format(
        "{} {} {}{} ({})", name_of(i),
        irace_word(parameter, has_null(parameter) ? "" : switch_of(study, i), false),
        kTypes[static_cast<std::size_t>(kind)], log ? ",log" : "",
        has_ends(kind) ? ends_of(parameter) : joined(parameter.values, ", ", in_list(i)));
    // Alternatives stand in brackets of their own where there are several.
    const auto alternatives = alternatives_of(parameter);
    if (alternatives.size() == 1) text += " | " + terms_of(alternatives.front(), "{}");
    if (alternatives.size() > 1) {
      text += " | " + joined(alternatives, " | ", [&](const std::vector<Term>& terms) {
                return fmt::format("({})", terms_of(terms, "({})"));
              });
    }
    text += '\n';
  }
  if (space.forbidden().empty()) return text;
  text += "\n[forbidden]\n";
  for (const auto& clause : space.forbidden()) text += terms_of(clause, "({})") + '\n';
  return text;
}

std::string irace_configurations(const Study& study) {
  if (!study.beginning.incumbent) return {};
  const SearchSpace& space = space_of(study);
  const Point& point = *study.beginning.incumbent;
  // A parameter that is not active in the default has no value there.
  std::vector<std::string> values;
  for (int i = 0; i < space.dimensions(); ++i) {
    values.push_back(
        space.is_active(point, i) ? for_irace(study, i, default_of(study, i), table_word) : "NA");
  }
  return fmt::format("{}{}\n{}\n", replaced_defaults(study), fmt::join(names_in_r(space), " "),
                     fmt::join(values, " "));
}

std::string instance_lines(const InstanceList& instances) {
  std::string text;
  for (const Instance& instance : instances.all()) text += instance.text() + '\n';
  return text;
}

std::string irace_scenario(const Study& study) {
  std::string text =
      "# The target runner is yours to write: it gets the switches behind the instance.\n";
  const Objective& objective = *study.objectives.front().objective;
  if (!objective.unit().is_cost()) {
    text += "# irace minimises: let it print the negative of what the study maximises.\n";
  }
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
  // irace compares as it searches: both budgets are its own.
  const std::int64_t search = study.plans.front().search() + study.plans.front().re_evaluation;
  if (!study.limits.any()) add("maxExperiments", std::to_string(search));
  if (!objective.payoffs().noisy) add("deterministic", "1");
  // A cutoff of time bounds its runs, and the penalty is a multiple of it.
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
  std::string text = replaced_defaults(study);
  std::string conditions;
  // A line for each parameter; the conditions follow together, and then what is forbidden.
  for (int i = 0; i < space.dimensions(); ++i) {
    const Parameter& parameter = space[i];
    check_pcs_word(parameter, parameter.name);
    if (has_null(parameter)) {
      throw InputError(
          fmt::format("parameter '{}': a PCS file cannot hold null, no argument at all",
                      printable(parameter.name, 60)));
    }
    for (const Value& value : parameter.values) check_pcs_word(parameter, value_text(value));
    // NAME TYPE VALUES [DEFAULT], and whether a range is one of logarithms.
    constexpr std::array kTypes = {"categorical", "ordinal", "integer", "real"};
    const Kind kind = kind_of(space, i);
    const std::string values =
        has_ends(kind) ? fmt::format("[{}]", ends_of(parameter))
                       : fmt::format("{{{}}}", joined(parameter.values, ", ", value_text));
    text += fmt::format(
        "{} {} {} [{}]{}\n", parameter.name, kTypes[static_cast<std::size_t>(kind)], values,
        value_text(default_of(study, i)),
        parameter.kind == ParameterKind::kLogRange && kind == Kind::kReal ? " log" : "");
    // NAME | OTHER in {VALUES} && … || …
    const auto alternatives = alternatives_of(parameter);
    if (alternatives.empty()) continue;
    conditions += fmt::format("{} | {}\n", parameter.name,
                              joined(alternatives, " || ", [&](const std::vector<Term>& terms) {
                                return joined(terms, " && ", [&](const Term& term) {
                                  return fmt::format("{} in {{{}}}", space[term.parameter].name,
                                                     values_of(space, term, value_text));
                                });
                              }));
  }
  if (!conditions.empty()) text += "\n" + conditions;
  if (!space.forbidden().empty()) text += '\n';
  for (const auto& clause : space.forbidden()) text += pcs_clauses(space, clause);
  return text;
}

}  // namespace ntune
