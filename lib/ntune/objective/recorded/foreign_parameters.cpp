// The parameters of foreign observations.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/text.h"
#include "ntune/objective/recorded/foreign_readers.h"
#include "ntune/objective/recorded/observation_values.h"

namespace ntune {

namespace {

/// Up to so many whole numbers, each one between the least and the largest becomes a value.
constexpr std::int64_t kMostWhole = 1000;

/// The name for a message.
std::string shown_name(const std::string& text) { return printable(text, 60); }

/// Tells whether all values are whole numbers.
bool are_whole(const std::vector<Value>& values) {
  const auto is_whole = [](const Value& v) { return std::holds_alternative<std::int64_t>(v); };
  return std::ranges::all_of(values, is_whole);
}

/// Whole numbers from the least to the largest by their greatest common step, where these are few
/// enough; nothing for others.
std::optional<Parameter> whole_numbers(const std::string& name, const std::vector<Value>& values) {
  if (!are_whole(values)) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(values, {}, value_number);
  // Beyond 10^15 a double no longer tells neighbours apart.
  if (value_number(high) - value_number(low) >= 1e15) return std::nullopt;
  const auto least = std::get<std::int64_t>(low);
  const auto largest = std::get<std::int64_t>(high);
  std::int64_t step = 0;
  // The greatest common divisor of the distances is the step that fits all of them.
  for (const Value& value : values) step = std::gcd(step, std::get<std::int64_t>(value) - least);
  if ((largest - least) / step >= kMostWhole) return std::nullopt;
  return make_integers(name, least, largest, step);
}

}  // namespace

Value json_value(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  return json.is_null() ? "None" : json.dump();
}

Parameter foreign_parameter(const std::string& name, std::vector<Value> values, int points,
                            std::vector<std::string>& notes, bool are_a_grid) {
  constexpr std::size_t kMany = 20;
  const bool numbers = std::ranges::all_of(values, [](const Value& value) {
    return !std::holds_alternative<bool>(value) && std::isfinite(value_number(value));
  });
  // Few values, and those that are no numbers, stay as they are.
  if (!numbers || values.size() <= kMany) return column_parameter(name, std::move(values));
  if (auto whole = whole_numbers(name, values)) return *std::move(whole);
  // In an export of ntune the values are those of the study's grid.
  if (are_a_grid) return column_parameter(name, std::move(values));
  const auto [low, high] = std::ranges::minmax(values, {}, value_number);
  notes.push_back(fmt::format("{}: has {} different values, taken as {} from {} to {}",
                              shown_name(name), values.size(), points, value_text(low),
                              value_text(high)));
  Parameter range = make_range(name, value_number(low), value_number(high), points);
  if (!are_whole(values)) return range;
  // Whoever takes whole numbers is told whole numbers.
  std::vector<Value> whole = {low, high};
  for (const Value& value : range.values) {
    const double number = std::round(value_number(value));
    if (number <= value_number(low) || number >= value_number(high)) continue;
    if (value_number(whole.back()) != number) whole.emplace_back(static_cast<std::int64_t>(number));
  }
  return column_parameter(name, std::move(whole));
}

std::optional<Parameter> optuna_parameter(const std::string& name, const Json& distribution,
                                          int points, std::vector<std::string>& notes) {
  const Json& attributes = distribution.at("attributes");
  const auto kind = distribution.at("name").get<std::string>();
  if (attributes.contains("choices")) {
    // Choices that are lists or maps have no value here and are dropped.
    std::vector<Value> values;
    for (const Json& choice : attributes["choices"]) values.push_back(json_value(choice));
    return make_choices(name, std::move(values));
  }
  const auto low = attributes.at("low").get<double>();
  const auto high = attributes.at("high").get<double>();
  // The logarithmic scale is a flag in new releases and a part of the name in old ones.
  const bool log = attributes.value("log", false) || kind.find("Log") != std::string::npos;
  const Json step = attributes.value("step", attributes.value("q", Json()));
  const bool whole = kind.starts_with("Int");
  const double by = step.is_number() ? step.get<double>() : 0.0;
  const auto is_few = [&](double distance) { return !log && (high - low) / distance < kMaxValues; };
  if (whole && is_few(std::max(1.0, by))) {
    return make_integers(name, std::llround(low), std::llround(high),
                         std::llround(std::max(1.0, by)));
  }
  if (!whole && by > 0.0 && is_few(by)) return make_range_by_step(name, low, high, by);
  // Integers on a logarithmic scale or of many values, and ranges of one value, are better told by
  // their values.
  if (whole || !(low < high)) return std::nullopt;
  notes.push_back(fmt::format("{}: is continuous, taken as {} values from {} to {}{}",
                              shown_name(name), points, low, high,
                              log ? ", equal ratios apart" : ""));
  return log ? make_log_range(name, low, high, points) : make_range(name, low, high, points);
}

}  // namespace ntune
