#include "ntune/objective/command/goal_options.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/input_errors.h"
#include "ntune/core/json.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/command/command_values.h"

namespace ntune {

namespace {

constexpr std::size_t kLongestName = 24;  // so that a table of two goals has room

struct GoalOptions {
  enum class Scale { kLinear, kLog };

  CommandValues values = {};
  std::string measure = {};
  Scale scale = Scale::kLinear;
  AutoNumber at_most = {};
  AutoNumber at_least = {};
  AutoInteger order = {};

  void visit(Options& options) {
    constexpr Bounds kAny = between(-kLargestPayoff, kLargestPayoff);
    values.visit(options);
    options.text("unit", measure, "of its values, such as ms, for tables and figures");
    options.choice<Scale>(
        "scale", scale, {{"linear", Scale::kLinear}, {"log", Scale::kLog}},
        "log: factors of its values count, as those of times do; all are above 0");
    options.number("at_most", at_most, kAny,
                   "a limit of a goal that is minimised: its mean is to be at most that, which is "
                   "to be shown with 95 %; auto: there is none");
    options.number("at_least", at_least, kAny, "the same of a goal that is maximised");
    options.integer("order", order, between(1, kMostGoals),
                    "1: sought first; 2: sought among what is level in that, and so on; auto: in "
                    "no order");
  }

  [[nodiscard]] std::optional<OptionProblem> problem() const {
    const bool minimise = values.direction == CommandValues::Direction::kMinimise;
    if (minimise && !at_least.automatic) {
      return OptionProblem{"at_least", "stands beside 'direction: minimise'; allowed: at_most"};
    }
    if (!minimise && !at_most.automatic) {
      return OptionProblem{"at_most", "stands beside 'direction: maximise'; allowed: at_least"};
    }
    const AutoNumber& limit = minimise ? at_most : at_least;
    const char* limit_name = minimise ? "at_most" : "at_least";
    if (scale == Scale::kLog && !limit.automatic && limit.value <= 0.0) {
      return OptionProblem{
          limit_name,
          fmt::format("is {}, a number above 0 is allowed (scale: log)", number_text(limit.value))};
    }
    // All settings would keep it, or none: such as a limit in per cent beside payoffs from 0 to 1.
    if (values.range && !limit.automatic &&
        (limit.value < values.range->first || limit.value > values.range->second)) {
      return OptionProblem{limit_name,
                           fmt::format("is {}, a number from {} to {} is allowed (payoffs)",
                                       number_text(limit.value), number_text(values.range->first),
                                       number_text(values.range->second))};
    }
    if (scale == Scale::kLog && values.range && values.range->first < 0.0) {
      return OptionProblem{"payoffs", "begins below 0, but its values are above 0 (scale: log)"};
    }
    return values.problem();
  }
};

/// Refuses what has a meaning of its own in an answer, and names that no table can hold.
void check_name(const YamlNode& node) {
  static constexpr std::array<std::string_view, 12> kTaken = {
      "value", "values", "wins",   "draws", "losses", "pentanomial",
      "cost",  "error",  "status", "retry", "id",     "answer"};
  const std::string& name = node.key();
  if (name.empty() || text_columns(name) > kLongestName || printable(name) != name ||
      name.find_first_of(" =,\"") != std::string::npos) {
    node.fail(
        fmt::format("is no name of a goal: 1 to {} characters without blanks, commas, "
                    "quotes and '=' are allowed",
                    kLongestName));
  }
  if (std::ranges::find(kTaken, name) != kTaken.end()) {
    node.fail("has a meaning of its own in an answer; give the goal another name");
  }
}

GoalOptions read_goal_options(const YamlNode& node) {
  GoalOptions options;
  if (node.is_scalar() && (node.text() == "maximise" || node.text() == "minimise")) {
    if (node.text() == "minimise") options.values.direction = CommandValues::Direction::kMinimise;
    return options;
  }
  if (!node.is_map()) {
    node.fail(fmt::format("is {}, maximise, minimise or a map with 'direction:' is allowed",
                          node.describe()));
  }
  if (node.find("direction") == nullptr) {
    node.fail_at("direction", "is missing; allowed: maximise, minimise");
  }
  options = read_options(node, options);
  refuse_at(node, options.problem());
  return options;
}

Goal read_goal(const YamlNode& node) {
  check_name(node);
  const GoalOptions options = read_goal_options(node);
  Goal goal{.name = node.key(),
            .unit = options.values.unit(),
            .payoffs = options.values.payoffs(),
            .measure = options.measure,
            .logarithmic = options.scale == GoalOptions::Scale::kLog};
  const AutoNumber& limit = goal.unit.is_cost() ? options.at_most : options.at_least;
  if (!limit.automatic) goal.limit = limit.value;
  if (!options.order.automatic) goal.order = static_cast<int>(options.order.value);
  return goal;
}

/// The options that a goal was read from.
GoalOptions options_of(const Goal& goal) {
  GoalOptions options{.measure = goal.measure};
  CommandValues& values = options.values;
  if (goal.unit.is_cost()) values.direction = CommandValues::Direction::kMinimise;
  if (goal.payoffs.low && goal.payoffs.high) {
    const auto [low, high] = std::minmax(
        {goal.unit.value_of(*goal.payoffs.low), goal.unit.value_of(*goal.payoffs.high)});
    values.range = {low, high};
  }
  values.two_valued = goal.payoffs.two_valued;
  values.noisy = goal.payoffs.noisy;
  if (goal.logarithmic) options.scale = GoalOptions::Scale::kLog;
  if (goal.limit) {
    (goal.unit.is_cost() ? options.at_most : options.at_least) = AutoNumber{false, *goal.limit};
  }
  if (goal.order > 0) options.order = AutoInteger{false, goal.order};
  return options;
}

}  // namespace

std::vector<Goal> read_goals(const YamlNode& node) {
  if (!node.is_map()) {
    node.fail(
        fmt::format("is {}, a map of names is allowed, such as {{win: maximise, ms: "
                    "{{direction: minimise, scale: log}}}}",
                    node.describe()));
  }
  std::vector<Goal> goals;
  InputErrors errors;
  for (const YamlNode& child : node.children()) {
    errors.hold([&] { goals.push_back(read_goal(child)); });
  }
  errors.throw_any();
  if (const std::string problem = problem_of(goals); !problem.empty()) node.fail(problem);
  return goals;
}

Json goals_json(std::span<const Goal> goals) {
  Json map = Json::object();
  for (const Goal& goal : goals) {
    map[goal.name] = options_json(options_of(goal));
    // Older records have no order.
    if (goal.order == 0) map[goal.name].erase("order");
  }
  return map;
}

Json goals_schema() {
  const Json words = {{"enum", {"maximise", "minimise"}}};
  const Json one = {{"anyOf", Json::array({words, options_schema(GoalOptions(), "direction")})}};
  return {{"type", "object"},
          {"minProperties", kFewestGoals},
          {"maxProperties", kMostGoals},
          {"additionalProperties", one}};
}

}  // namespace ntune
