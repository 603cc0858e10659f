// ConfigSpace's YAML and JSON, from json_format_version 0.1 to format_version 0.4.

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/space/import/source.h"

namespace ntune {

namespace {

/// The value of a key; nullptr where it is absent or null.
const YamlNode* present(const YamlNode& map, std::string_view key) {
  const YamlNode* node = map.find(key);
  return node != nullptr && !node->is_null() ? node : nullptr;
}

/// The text of a scalar under a key that must be there.
std::string needed_text(const YamlNode& map, std::string_view key) {
  const YamlNode& node = needed(map, key);
  if (!node.is_scalar()) node.fail(fmt::format("is {}, a name is allowed", node.describe()));
  return node.text();
}

/// The elements of a list that may be absent.
const std::vector<YamlNode>& elements(const YamlNode& map, std::string_view key) {
  static const std::vector<YamlNode> kNone;
  const YamlNode* node = present(map, key);
  if (node == nullptr) return kNone;
  if (!node->is_list()) node->fail(fmt::format("is {}, a list is allowed", node->describe()));
  return node->children();
}

/// The ends of a range. A normal distribution may lack them; it is then bounded at so many standard
/// deviations from its mean, of the logarithms where it is logarithmic, and a remark says so.
std::pair<double, double> read_bounds(const YamlNode& map, double sigmas,
                                      SourceParameter& parameter) {
  const YamlNode* low = present(map, "lower");
  const YamlNode* high = present(map, "upper");
  if (low != nullptr && high != nullptr) return {read_real(*low), read_real(*high)};
  if (present(map, "mu") == nullptr || present(map, "sigma") == nullptr) {
    map.fail(fmt::format("is {} without bounds; give it 'lower' and 'upper'", parameter.type));
  }
  const double mean = read_real(*present(map, "mu"));
  const double width = sigmas * read_real(*present(map, "sigma"));
  std::pair ends(mean - width, mean + width);
  if (read_flag(map, "log")) ends = {std::exp(ends.first), std::exp(ends.second)};
  if (low != nullptr) ends.first = read_real(*low);
  if (high != nullptr) ends.second = read_real(*high);
  parameter.remarks.push_back(
      fmt::format("bounded at {} standard deviations (--sigmas)", number_text(sigmas)));
  return ends;
}

using Read = void (*)(const YamlNode& map, double sigmas, SourceParameter& parameter);

/// The readers of the types, each of which sets the domain of its parameter.
void read_integers(const YamlNode& map, double sigmas, SourceParameter& parameter) {
  const YamlNode* step = present(map, "q");
  SourceIntegers integers{.step = step == nullptr ? 1 : read_whole(*step),
                          .log = read_flag(map, "log")};
  if (present(map, "lower") != nullptr && present(map, "upper") != nullptr) {
    integers.low = read_whole(*present(map, "lower"));
    integers.high = read_whole(*present(map, "upper"));
  } else {
    const auto [low, high] = read_bounds(map, sigmas, parameter);
    constexpr double kLargest = 9e15;
    if (!(std::abs(low) < kLargest && std::abs(high) < kLargest)) {
      map.fail("is too wide for whole numbers");
    }
    integers.low = std::lround(std::max(low, integers.log ? 1.0 : low));
    integers.high = std::lround(high);
  }
  parameter.domain = integers;
}

void read_reals(const YamlNode& map, double sigmas, SourceParameter& parameter) {
  const YamlNode* step = present(map, "q");
  const auto [low, high] = read_bounds(map, sigmas, parameter);
  parameter.domain = SourceReals{.low = low,
                                 .high = high,
                                 .step = step == nullptr ? 0.0 : read_real(*step),
                                 .log = read_flag(map, "log")};
}

void read_categorical(const YamlNode& map, double /*sigmas*/, SourceParameter& parameter) {
  parameter.domain =
      SourceChoices{.values = read_source_values(needed(map, "choices")), .unordered = true};
  for (const char* const key : {"weights", "probabilities"}) {
    if (present(map, key) != nullptr) parameter.remarks.push_back(fmt::format("{} dropped", key));
  }
}

void read_ordinal(const YamlNode& map, double /*sigmas*/, SourceParameter& parameter) {
  parameter.domain =
      SourceChoices{.values = read_source_values(needed(map, "sequence")), .by_place = true};
}

void read_constant(const YamlNode& map, double /*sigmas*/, SourceParameter& parameter) {
  parameter.domain =
      SourceChoices{.values = {read_source_value(needed(map, "value"))}, .fixed = true};
}

/// A type of ConfigSpace: its name, its reader, and whether its values are equally likely.
struct Type {
  std::string_view name;
  Read read;
  bool uniform = true;
};

constexpr Type kTypes[] = {
    {"categorical", read_categorical},   {"ordinal", read_ordinal},
    {"constant", read_constant},         {"unparametrized", read_constant},
    {"uniform_float", read_reals},       {"uniform_int", read_integers},
    {"normal_float", read_reals, false}, {"normal_int", read_integers, false},
    {"beta_float", read_reals, false},   {"beta_int", read_integers, false},
};

/// One hyperparameter; the key of the default has changed its name between versions.
SourceParameter read_parameter(const YamlNode& map, double sigmas) {
  const YamlNode& type = needed(map, "type");
  const auto* const known = std::ranges::find(kTypes, type.text(), &Type::name);
  if (known == std::end(kTypes)) {
    std::vector<std::string> names;
    for (const Type& each : kTypes) names.emplace_back(each.name);
    type.fail(fmt::format("is {}, which is no type of a parameter; allowed: {}", type.describe(),
                          list_text(names)));
  }
  SourceParameter parameter{
      .name = needed_text(map, "name"), .place = map.place(), .type = type.text()};
  known->read(map, sigmas, parameter);
  if (read_flag(map, "log")) parameter.type += ", log";
  if (!known->uniform) parameter.remarks.emplace_back("its distribution is dropped");
  for (const char* const key : {"default_value", "default"}) {
    const YamlNode* start = present(map, key);
    if (start != nullptr) parameter.start = read_source_value(*start);
  }
  return parameter;
}

/// The types of tests in conditions and in forbidden clauses; relations also have a prefix.
constexpr std::pair<std::string_view, Comparison> kComparisons[] = {
    {"EQ", Comparison::kEqual},         {"EQUALS", Comparison::kEqual},
    {"EQUAL", Comparison::kEqual},      {"NEQ", Comparison::kNotEqual},
    {"LT", Comparison::kLess},          {"LESS", Comparison::kLess},
    {"GT", Comparison::kGreater},       {"GREATER", Comparison::kGreater},
    {"LEQ", Comparison::kLessEqual},    {"LTE", Comparison::kLessEqual},
    {"GEQ", Comparison::kGreaterEqual}, {"GTE", Comparison::kGreaterEqual},
    {"IN", Comparison::kEqual},
};

/// The comparison that a type of test stands for, with or without the prefix of relations.
Comparison comparison_of(const YamlNode& type) {
  constexpr std::string_view kRelation = "RELATION_";
  std::string_view name = type.text();
  if (name.starts_with(kRelation)) name.remove_prefix(kRelation.size());
  const auto* const found =
      std::ranges::find(kComparisons, name, &std::pair<std::string_view, Comparison>::first);
  if (found != std::end(kComparisons)) return found->second;
  type.fail(
      fmt::format("is {}, which is no test; allowed: EQ, EQUALS, NEQ, LT, GT, LEQ, GEQ, IN, "
                  "AND, OR or RELATION",
                  type.describe()));
}

/// What names a parameter and holds the parts: the two kinds of constraints differ in nothing else.
struct Words {
  const char* parameter;
  const char* parts;
};

/// A condition or a forbidden clause, with its parts.
Expression read_expression(const YamlNode& map, const Words& words) {
  const YamlNode& type = needed(map, "type");
  Expression expression;
  // A conjunction or disjunction has its parts in a list, whose key differs between the two kinds.
  if (type.text() == "AND" || type.text() == "OR") {
    expression.kind = type.text() == "AND" ? Expression::Kind::kAll : Expression::Kind::kAny;
    needed(map, words.parts);
    for (const YamlNode& part : elements(map, words.parts)) {
      expression.parts.push_back(read_expression(part, words));
    }
    return expression;
  }
  // A relation compares two parameters; a function of Python can only be reported.
  if (type.text().starts_with("RELATION")) {
    const YamlNode& relation = type.text() == "RELATION" ? needed(map, "lambda") : type;
    if (relation.text() == "CALLABLE") {
      return {.kind = Expression::Kind::kOpaque, .reason = "it is Python code"};
    }
    return {.kind = Expression::Kind::kRelation,
            .parameter = needed_text(map, "left"),
            .comparison = comparison_of(relation),
            .other = needed_text(map, "right")};
  }
  // What is left is a test of one parameter against one value, or several for IN.
  expression.kind = Expression::Kind::kTest;
  expression.parameter = needed_text(map, words.parameter);
  expression.comparison = comparison_of(type);
  if (type.text() == "IN") {
    expression.values = read_source_values(needed(map, "values"));
  } else {
    const YamlNode* value = map.find("value");
    if (value == nullptr) map.fail("needs 'value'");
    expression.values = {read_source_value(*value)};
  }
  return expression;
}

/// The values of a test as a list, for a comment.
std::string operand(const std::vector<Value>& values) {
  std::vector<std::string> words;
  for (const Value& value : values) words.push_back(value_text(value));
  return fmt::format("{}", fmt::join(words, ", "));
}

/// The expression as a person writes it.
std::string text_of(const Expression& expression) {
  const std::string_view sign = std::ranges::find(kComparisonSigns, expression.comparison,
                                                  &std::pair<std::string_view, Comparison>::second)
                                    ->first;
  if (expression.kind == Expression::Kind::kTest) {
    return fmt::format("{} {} {}", expression.parameter, sign, operand(expression.values));
  }
  if (expression.kind == Expression::Kind::kRelation) {
    return fmt::format("{} {} {}", expression.parameter, sign, expression.other);
  }
  if (expression.kind == Expression::Kind::kOpaque) return "a function";
  std::vector<std::string> parts;
  for (const Expression& part : expression.parts) parts.push_back(text_of(part));
  const bool all = expression.kind == Expression::Kind::kAll;
  return fmt::format("({})", fmt::join(parts, all ? " and " : " or "));
}

/// The constraint with its place and its text, which appears in the written space.
Constraint read_constraint(const YamlNode& map, const Words& words) {
  Constraint constraint{
      .expression = read_expression(map, words), .place = map.place(), .text = {}};
  constraint.text = text_of(constraint.expression);
  return constraint;
}

/// Adds a condition to its child, which must be among the parameters read so far.
void read_condition(const YamlNode& map, SourceSpace& space) {
  const std::string name = needed_text(map, "child");
  SourceParameter* child = space.find(name);
  if (child == nullptr) {
    map.find("child")->fail(
        fmt::format("is '{}', there is no parameter of this name", printable(name)));
  }
  add_condition(read_constraint(map, {.parameter = "parent", .parts = "conditions"}),
                child->condition);
}

}  // namespace

SourceSpace read_configspace(const YamlNode& document, double sigmas) {
  SourceSpace space;
  needed(document, "hyperparameters");
  for (const YamlNode& map : elements(document, "hyperparameters")) {
    space.add(read_parameter(map, sigmas));
  }
  for (const YamlNode& map : elements(document, "conditions")) read_condition(map, space);
  for (const YamlNode& map : elements(document, "forbiddens")) {
    space.forbid(read_constraint(map, {.parameter = "name", .parts = "clauses"}));
  }
  return space;
}

}  // namespace ntune
