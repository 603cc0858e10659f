#include "ntune/space/definition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/input_errors.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/options.h"
#include "ntune/core/text.h"
#include "ntune/space/parameter.h"
#include "ntune/space/point.h"
#include "ntune/space/value_checks.h"

namespace ntune {

Value read_value(const YamlNode& node) {
  if (!node.is_scalar()) {
    node.fail(fmt::format("is {}, a number, true, false or a text is allowed", node.describe()));
  }
  // The order matters: 1 is an integer, 1.0 and 1e0 are doubles, and what is neither is a text.
  if (const auto flag = node.boolean()) return *flag;
  const bool has_point_or_exponent = node.text().find_first_of(".eE") != std::string::npos;
  if (const auto integer = node.integer(); integer && !has_point_or_exponent) return *integer;
  const auto number = node.number();
  if (!number) return node.text();
  if (!has_point_or_exponent && std::isfinite(*number)) {
    node.fail(
        fmt::format("is {}, whole numbers from -2^63 to 2^63 - 1 are exact (or a real number "
                    "as 1.5e+19, or a text, in quotes)",
                    node.describe()));
  }
  if (!std::isfinite(*number)) {
    node.fail(
        fmt::format("is {}, a finite number is allowed (or a text, in quotes)", node.describe()));
  }
  return *number + 0.0;  // not -0
}

namespace {

/// The values of a list, in its order; with `has_null` null is one of them.
std::vector<Value> read_values(const YamlNode& list, bool has_null = false) {
  if (!list.is_list())
    list.fail(fmt::format("is {}, a list of values is allowed", list.describe()));
  std::vector<Value> values;
  for (const YamlNode& child : list.children()) {
    values.push_back(child.is_null() && has_null ? Value(no_value()) : read_value(child));
  }
  return values;
}

/// Reads [low, high], each end by the given member of YamlNode.
template <class Number>
std::pair<Number, Number> read_ends(const YamlNode& list, const char* allowed,
                                    std::optional<Number> (YamlNode::*read)() const) {
  if (list.children().size() != 2 || !list.is_list()) {
    list.fail(fmt::format(
        "is {}, a list [low, high] of two {} is allowed",
        list.is_list() ? fmt::format("a list of {}", list.children().size()) : list.describe(),
        allowed));
  }
  std::array<Number, 2> ends{};
  for (std::size_t i = 0; i < 2; ++i) {
    const YamlNode& end = list.children()[i];
    const auto number = (end.*read)();
    if (!number) end.fail(fmt::format("is {}, one of two {} is allowed", end.describe(), allowed));
    ends[i] = *number;
  }
  return {ends[0], ends[1]};
}

/// The keys of a definition, whose errors are reported together before its values are made.
class DefinitionReader : public OptionReader {
 public:
  explicit DefinitionReader(const YamlNode& map) : OptionReader(map, &errors_) {}

  /// Passes over the keys that another reader takes, and fails at those that this kind does not
  /// have.
  void finish() {
    for (const char* key : {"when", "default", "gains"}) take(key);
    OptionReader::finish();
    errors_.throw_any();
  }

 private:
  InputErrors errors_;
};

/// Which ends of a range belong to it; both by default.
Ends read_which_ends(DefinitionReader& options) {
  static const std::vector<std::string> kNames = {"both", "low", "high", "none"};
  std::string name = "both";
  options.choice("ends", name, kNames, "");
  return {.low_included = name == "both" || name == "low",
          .high_included = name == "both" || name == "high"};
}

/// The number of values that `points` asks for, if it is there.
std::optional<int> read_points(DefinitionReader& options) {
  int points = 0;
  options.integer("points", points, between(1, kMaxValues), "");
  return points == 0 ? std::nullopt : std::optional(points);
}

std::vector<Value> read_choices(const YamlNode& value, DefinitionReader& options,
                                Parameter& parameter) {
  options.choice("kind", parameter.kind,
                 {{"choices", ParameterKind::kChoices},
                  {"range", ParameterKind::kRange},
                  {"log_range", ParameterKind::kLogRange}},
                 "");
  bool ordered = true;
  options.flag("ordered", ordered, "");
  options.finish();
  std::vector<Value> values = read_values(value, true);
  if (parameter.kind == ParameterKind::kChoices) return values;
  // On a numeric scale integers in the list count as real numbers, as they do in a range.
  for (Value& element : values) {
    if (const auto* integer = std::get_if<std::int64_t>(&element)) {
      element = static_cast<double>(*integer);
    }
  }
  return values;
}

/// The values false and true; behind the key stands nothing or `true`.
std::vector<Value> read_boolean(const YamlNode& value, DefinitionReader& options, Parameter&) {
  options.finish();
  if (!value.is_null() && value.boolean() != true) {
    value.fail(fmt::format("is {}, nothing or true is allowed", value.describe()));
  }
  return {false, true};
}

std::vector<Value> read_integers(const YamlNode& value, DefinitionReader& options, Parameter&) {
  std::int64_t step = 1;
  options.integer("step", step, at_least(1), "");
  options.finish();
  const auto [low, high] = read_ends(value, "whole numbers", &YamlNode::integer);
  return integer_values(low, high, step);
}

std::vector<Value> read_range(const YamlNode& value, DefinitionReader& options, Parameter&) {
  double step = 0.0;
  options.number("step", step, above(0), "");
  const auto points = read_points(options);
  const Ends ends = read_which_ends(options);
  options.finish();
  const auto [low, high] = read_ends(value, "numbers", &YamlNode::number);
  // Exactly one of the two must say how the values lie.
  if (points.has_value() == (step > 0.0)) {
    throw ParameterFault(points ? "has both 'step' and 'points', one of them is allowed"
                                : "needs 'step' or 'points'");
  }
  return points ? range_values(low, high, *points, ends) : step_values(low, high, step, ends);
}

std::vector<Value> read_log_range(const YamlNode& value, DefinitionReader& options, Parameter&) {
  const auto points = read_points(options);
  const Ends ends = read_which_ends(options);
  options.finish();
  const auto [low, high] = read_ends(value, "numbers", &YamlNode::number);
  if (!points) throw ParameterFault("needs 'points'");
  return log_range_values(low, high, *points, ends);
}

std::vector<Value> read_fixed(const YamlNode& value, DefinitionReader& options, Parameter&) {
  options.finish();
  return {read_value(value)};
}

/// A kind of parameter: the key that marks it, how its values are read, and an example for
/// messages.
struct Kind {
  std::string name;
  ParameterKind kind;
  std::vector<Value> (*read)(const YamlNode& value, DefinitionReader& options,
                             Parameter& parameter);
  const char* example;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> kKinds = {
      {"choices", ParameterKind::kChoices, read_choices, "{choices: [a, b]}"},
      {"boolean", ParameterKind::kBoolean, read_boolean, "{boolean: }"},
      {"integers", ParameterKind::kIntegers, read_integers, "{integers: [1, 9]}"},
      {"range", ParameterKind::kRange, read_range, "{range: [0, 1], points: 11}"},
      {"log_range", ParameterKind::kLogRange, read_log_range, "{log_range: [0.01, 1], points: 3}"},
      {"fixed", ParameterKind::kFixed, read_fixed, "{fixed: 1}"},
  };
  return kKinds;
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds()) names.push_back(kind.name);
  return names;
}

/// Fails at the key that looks like a slip of a kind's name, else at the map.
[[noreturn]] void fail_without_kind(const YamlNode& map) {
  const std::vector<std::string> names = kind_names();
  for (const YamlNode& child : map.children()) {
    const std::string near = closest_word(child.key(), names);
    if (near.empty()) continue;
    child.fail(fmt::format("unknown kind of parameter, did you mean '{}'?; allowed: {}", near,
                           list_text(names)));
  }
  map.fail(fmt::format("is a map without a kind of parameter; allowed: {}", list_text(names)));
}

/// The one kind whose key the map has.
const Kind& kind_of(const YamlNode& map) {
  const Kind* found = nullptr;
  for (const Kind& kind : kinds()) {
    if (map.find(kind.name) == nullptr) continue;
    if (found != nullptr) {
      map.fail(fmt::format("is both '{}' and '{}', one kind is allowed", found->name, kind.name));
    }
    found = &kind;
  }
  if (found == nullptr) fail_without_kind(map);
  return *found;
}

/// Declares the default of a parameter; a fault is reported at its line.
void read_default(const YamlNode& node, Parameter& parameter) {
  try {
    set_default(parameter, node.is_null() ? Value(no_value()) : read_value(node));
  } catch (const ParameterFault& fault) {
    node.fail(fault.what());
  }
}

/// The C_end and R_end of SPSA, of a parameter of numbers.
std::pair<double, double> read_gains(const YamlNode& node, const Parameter& parameter) {
  const auto gains = read_ends(node, "numbers", &YamlNode::number);
  const auto is_gain = [](double gain) { return gain > 0.0 && std::isfinite(gain); };
  if (!is_gain(gains.first) || !is_gain(gains.second)) node.fail("must be two numbers above 0");
  if (!parameter.ordered) node.fail("is of SPSA, which moves along ordered numbers alone");
  return gains;
}

/// Reads a definition that is a map, with its values, order and default.
void read_map(const YamlNode& map, Parameter& parameter) {
  const Kind& kind = kind_of(map);
  // A key without a value is nearly always a slip; only `boolean` needs none.
  for (const YamlNode& child : map.children()) {
    const bool may_be_null = child.key() == "default" && kind.kind == ParameterKind::kChoices;
    if (!child.is_null() || child.key() == "boolean" || may_be_null) continue;
    child.fail("is nothing; give the key a value or leave it out");
  }
  DefinitionReader options(map);
  options.take(kind.name);
  parameter.kind = kind.kind;
  const YamlNode& value = *map.find(kind.name);
  try {
    // The reader of a kind checks all keys before it makes values, so a wrong key is named first.
    set_values(parameter, kind.read(value, options, parameter));
  } catch (const ParameterFault& fault) {
    value.fail(fault.what());
  }
  InputErrors errors;
  // The values give the order by themselves; the key may only take it back, or confirm it.
  if (const YamlNode* ordered = map.find("ordered")) {
    if (*ordered->boolean() && !parameter.ordered) {
      errors.hold(
          [&] { ordered->fail("is true, which only ascending or descending numbers allow"); });
    }
    parameter.ordered = *ordered->boolean();
  }
  if (const YamlNode* node = map.find("default")) {
    errors.hold([&] { read_default(*node, parameter); });
  }
  if (const YamlNode* node = map.find("gains")) {
    errors.hold([&] { parameter.gains = read_gains(*node, parameter); });
  }
  errors.throw_any();
}

}  // namespace

Parameter read_definition(const YamlNode& node) {
  Parameter parameter;
  parameter.name = node.key();
  if (parameter.name.empty()) node.fail("a parameter needs a name");
  if (node.is_null()) {
    node.fail(fmt::format("is nothing; a list of values, one value or a map is allowed, with {}",
                          list_text(kind_names())));
  }
  if (node.is_map()) {
    read_map(node, parameter);
    return parameter;
  }
  if (node.is_scalar()) {
    // "x: boolean" would be a parameter with the text 'boolean' as its only value, which nobody
    // means.
    const auto kind = std::ranges::find(kinds(), node.text(), &Kind::name);
    if (kind != kinds().end() && !node.quoted()) {
      node.fail(
          fmt::format("is '{}', a kind of parameter: write it like {}, or quote it for a text",
                      kind->name, kind->example));
    }
    parameter.kind = ParameterKind::kFixed;
  }
  try {
    set_values(parameter, node.is_list() ? read_values(node) : std::vector{read_value(node)});
  } catch (const ParameterFault& fault) {
    node.fail(fault.what());
  }
  return parameter;
}

void fail_unknown_parameter(const YamlNode& node, std::span<const Parameter> parameters) {
  std::vector<std::string> names;
  // Only names that may be used here are suggested.
  std::vector<Value> values;
  for (const Parameter& parameter : parameters) {
    names.push_back(parameter.name);
    values.emplace_back(parameter.name);
  }
  node.fail(fmt::format("there is no such parameter{}; allowed: {}", suggestion(node.key(), names),
                        values.empty() ? "none" : shown(values)));
}

TermReader::TermReader(const std::vector<Parameter>& parameters)
    : parameters_(parameters), tables_(parameters.size()) {}

std::vector<Term> TermReader::read(const YamlNode& map, int limit) {
  if (!map.is_map()) {
    map.fail(
        fmt::format("is {}, a map from parameters to their values is allowed", map.describe()));
  }
  std::vector<Term> terms;
  for (const YamlNode& child : map.children()) {
    Term term{.parameter = parameter(child, limit), .values = {}};
    // A single value stands for a list of one.
    if (child.is_list()) {
      if (child.children().empty()) child.fail("is an empty list, at least one value is needed");
      for (const YamlNode& element : child.children()) {
        term.values.push_back(value(element, term.parameter));
      }
    } else {
      term.values.push_back(value(child, term.parameter));
    }
    std::ranges::sort(term.values);
    // Two equal values are a slip, and indices in ascending order show them as neighbours.
    const auto twin = std::ranges::adjacent_find(term.values);
    if (twin != term.values.end()) {
      const Parameter& definition = parameters_[static_cast<std::size_t>(term.parameter)];
      child.fail(fmt::format("has the value {} twice", shown(definition.values[*twin])));
    }
    terms.push_back(std::move(term));
  }
  return terms;
}

int TermReader::parameter(const YamlNode& node, int limit) const {
  const auto found = std::ranges::find(parameters_, node.key(), &Parameter::name);
  const auto index = static_cast<int>(found - parameters_.begin());
  // The parameter must stand before the one whose condition is read.
  if (index < limit) return index;
  if (found == parameters_.end()) {
    fail_unknown_parameter(node, std::span(parameters_).first(static_cast<std::size_t>(limit)));
  }
  node.fail(fmt::format("does not stand before '{}', which cannot depend on it",
                        printable(parameters_[static_cast<std::size_t>(limit)].name)));
}

std::uint16_t TermReader::value(const YamlNode& node, int parameter, const std::string& others) {
  const bool is_null = node.is_null() && find(parameter, no_value()) >= 0;
  const Value value = is_null ? Value(no_value()) : read_value(node);
  int index = find(parameter, value);
  // A word like True may stand without its quotes, which a shell takes away, where it is the value.
  if (index < 0) index = find(parameter, Value(node.text()));
  if (index >= 0) return static_cast<std::uint16_t>(index);
  const Parameter& definition = parameters_[static_cast<std::size_t>(parameter)];
  std::vector<std::string> words;
  // Only words are near to a slip of the keyboard; numbers are not.
  for (const Value& candidate : definition.values) {
    if (const auto* word = std::get_if<std::string>(&candidate)) words.push_back(*word);
  }
  node.fail(fmt::format("is {}, which is no value of '{}'{}; allowed: {}{}", shown(value),
                        printable(definition.name), suggestion(node.text(), words),
                        shown(definition.values), others));
}

int TermReader::find(int parameter, const Value& value) {
  auto& table = tables_[static_cast<std::size_t>(parameter)];
  if (!table) {
    table.emplace();
    const std::vector<Value>& values = parameters_[static_cast<std::size_t>(parameter)].values;
    for (std::size_t i = 0; i < values.size(); ++i) table->emplace(values[i], static_cast<int>(i));
  }
  const auto found = table->find(value);
  return found == table->end() ? -1 : found->second;
}

}  // namespace ntune
