#include "ntune/objective/command/command_values.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/capabilities.h"

namespace ntune {

namespace {

constexpr const char* kRangeRule = "'auto' or [low, high] with two finite numbers is allowed";

/// Reads `auto` or [low, high]; the two must differ, because a range of one value has no scale.
void read_range(const YamlNode& node, std::optional<std::pair<double, double>>& range) {
  if (node.is_scalar() && node.text() == "auto") {
    range = {};
    return;
  }
  if (!node.is_list() || node.children().size() != 2) {
    node.fail(fmt::format("is {}, {}", node.describe(), kRangeRule));
  }
  const auto low = node.children()[0].number();
  const auto high = node.children()[1].number();
  if (!low || !high || !std::isfinite(*low) || !std::isfinite(*high)) {
    node.fail(fmt::format("is [{}, {}], {}", node.children()[0].describe(),
                          node.children()[1].describe(), kRangeRule));
  }
  if (*low >= *high) {
    node.fail(fmt::format("is [{}, {}], a low below the high is allowed", number_text(*low),
                          number_text(*high)));
  }
  range = {*low, *high};
}

Json write_range(const std::optional<std::pair<double, double>>& range) {
  return range ? Json{range->first, range->second} : "auto";
}

/// Schema of `auto` or [low, high].
Json range_schema() {
  const Json number = {{"type", "number"}};
  const Json list = {{"type", "array"}, {"items", number}, {"minItems", 2}, {"maxItems", 2}};
  return {{"anyOf", Json::array({{{"const", "auto"}}, list})}, {"default", "auto"}};
}

}  // namespace

void CommandValues::visit(Options& options) {
  options.choice<Direction>(
      "direction", direction,
      {{"maximise", Direction::kMaximise}, {"minimise", Direction::kMinimise}},
      "whether larger or smaller numbers are better");
  options.custom("payoffs", custom_option(range, read_range, write_range, range_schema),
                 "[low, high]: bounds of the numbers, where they are known; auto: as the form of "
                 "the result says, else unknown");
  options.flag("two_valued", two_valued, "every number is either low or high: a win or a loss");
  options.flag("noisy", noisy, "two evaluations of a point may differ");
}

std::optional<OptionProblem> CommandValues::problem() const {
  if (!two_valued || range) return {};
  return OptionProblem{"two_valued", "needs 'payoffs: [low, high]', the two values"};
}

Unit CommandValues::unit() const {
  // The form of the result decides first: scores are probabilities of a win.
  if (signed_scores) return Unit::win_probability();
  return direction == Direction::kMinimise ? Unit::cost() : Unit{};
}

Payoffs CommandValues::payoffs() const {
  Payoffs payoffs{.two_valued = two_valued, .noisy = noisy};
  if (!range) return payoffs;
  // A cost turns the range round, so the ends are sorted again.
  const double a = unit().payoff_of(range->first);
  const double b = unit().payoff_of(range->second);
  payoffs.low = std::min(a, b);
  payoffs.high = std::max(a, b);
  return payoffs;
}

std::string CommandValues::problem_of(double value) const {
  // NaN and infinity would spoil every mean.
  if (!std::isfinite(value)) return fmt::format("the value is {}, a finite one is allowed", value);
  if (!range) return {};
  return fault_within(value, range->first, range->second, two_valued);
}

}  // namespace ntune
