#include "ntune/space/parameter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/space/value_checks.h"

namespace ntune {

std::string value_text(const Value& value) {
  struct Text {
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t integer) const { return fmt::format("{}", integer); }
    std::string operator()(double number) const { return number_text(number); }
    std::string operator()(const std::string& word) const { return word; }
  };
  if (is_no_value(value)) return "null";
  return std::visit(Text(), value);
}

Json value_json(const Value& value) {
  if (is_no_value(value)) return nullptr;
  return std::visit([](const auto& held) { return Json(held); }, value);
}

double value_number(const Value& value) {
  struct Number {
    double operator()(bool flag) const { return flag ? 1.0 : 0.0; }
    double operator()(std::int64_t integer) const { return static_cast<double>(integer); }
    double operator()(double number) const { return number; }
    double operator()(const std::string&) const { return std::numeric_limits<double>::quiet_NaN(); }
  };
  return std::visit(Number(), value);
}

namespace {

/// Compares exactly, without rounding the integer to a double. NaN comes after all numbers.
std::weak_ordering compare_numbers(std::int64_t a, double b) {
  // The test is negated so that NaN, too, comes after every integer.
  if (!(b < 0x1p63)) return std::weak_ordering::less;
  if (b < -0x1p63) return std::weak_ordering::greater;
  // Between these bounds the truncation is exact, and the fraction decides among equal whole parts.
  const double whole = std::trunc(b);
  const auto integer = static_cast<std::int64_t>(whole);
  if (a != integer) return a <=> integer;
  return std::weak_order(whole, b);
}

/// Order of two values by their types: booleans, then numbers, then texts.
struct Compare {
  std::weak_ordering operator()(bool a, bool b) const { return a <=> b; }
  std::weak_ordering operator()(std::int64_t a, std::int64_t b) const { return a <=> b; }
  std::weak_ordering operator()(double a, double b) const { return std::weak_order(a, b); }
  std::weak_ordering operator()(std::int64_t a, double b) const { return compare_numbers(a, b); }
  std::weak_ordering operator()(double a, std::int64_t b) const {
    const std::weak_ordering order = compare_numbers(b, a);
    if (std::is_eq(order)) return order;
    return std::is_lt(order) ? std::weak_ordering::greater : std::weak_ordering::less;
  }
  std::weak_ordering operator()(const std::string& a, const std::string& b) const {
    return a <=> b;
  }
  template <class A, class B>
  std::weak_ordering operator()(const A&, const B&) const {
    return rank<A>() <=> rank<B>();
  }

 private:
  template <class Held>
  static constexpr int rank() {
    if (std::is_same_v<Held, bool>) return 0;
    return std::is_same_v<Held, std::string> ? 2 : 1;
  }
};

}  // namespace

std::weak_ordering compare(const Value& a, const Value& b) { return std::visit(Compare(), a, b); }

bool Term::matches(std::uint16_t value) const { return std::ranges::binary_search(values, value); }

int find_value(const std::vector<Value>& values, const Value& value) {
  const auto found = std::ranges::find_if(
      values, [&](const Value& candidate) { return std::is_eq(compare(candidate, value)); });
  return found == values.end() ? -1 : static_cast<int>(found - values.begin());
}

std::uint16_t Parameter::nearest_on_grid(int index) const {
  if (index < cardinality()) return static_cast<std::uint16_t>(index);
  constexpr double kHalf = 0.5 - 1e-9;  // of two that are as near, the first
  return static_cast<std::uint16_t>(std::floor(place_of(*this, index) + kHalf));
}

namespace {

/// Puts the parameter's name in front of the message of a failed check.
template <class Make>
Parameter make(std::string name, ParameterKind kind, Make make_values) {
  Parameter parameter;
  parameter.name = std::move(name);
  parameter.kind = kind;
  try {
    set_values(parameter, make_values());
  } catch (const ParameterFault& fault) {
    throw InputError(fmt::format("parameter '{}': {}", printable(parameter.name), fault.what()));
  }
  return parameter;
}

}  // namespace

Parameter make_choices(std::string name, std::vector<Value> values) {
  return make(std::move(name), ParameterKind::kChoices, [&] { return std::move(values); });
}

Parameter make_boolean(std::string name) {
  return make(std::move(name), ParameterKind::kBoolean, [] {
    return std::vector<Value>{false, true};
  });
}

Parameter make_integers(std::string name, std::int64_t low, std::int64_t high, std::int64_t step) {
  return make(std::move(name), ParameterKind::kIntegers,
              [&] { return integer_values(low, high, step); });
}

Parameter make_fixed(std::string name, Value value) {
  return make(std::move(name), ParameterKind::kFixed,
              [&] { return std::vector<Value>{std::move(value)}; });
}

Parameter make_range(std::string name, double low, double high, int points, Ends ends) {
  return make(std::move(name), ParameterKind::kRange,
              [&] { return range_values(low, high, points, ends); });
}

Parameter make_range_by_step(std::string name, double low, double high, double step, Ends ends) {
  return make(std::move(name), ParameterKind::kRange,
              [&] { return step_values(low, high, step, ends); });
}

Parameter make_log_range(std::string name, double low, double high, int points, Ends ends) {
  return make(std::move(name), ParameterKind::kLogRange,
              [&] { return log_range_values(low, high, points, ends); });
}

double place_of(const Parameter& parameter, int index) {
  if (index < parameter.cardinality()) return index;
  // Only numbers may lie off the grid, so the default is one.
  const double wanted = value_number(*parameter.off_grid);
  const bool by_ratio = parameter.kind == ParameterKind::kLogRange && wanted > 0.0;
  // The signed distance from the wanted number, by ratio on a logarithmic scale.
  const auto beyond = [&](const Value& candidate) {
    const double number = value_number(candidate);
    return by_ratio ? std::log(number / wanted) : number - wanted;
  };
  // Values may fall as well as rise, so the partition follows their direction.
  const bool falls = beyond(parameter.values.front()) > beyond(parameter.values.back());
  const auto next = std::ranges::partition_point(
      parameter.values, [&](const Value& candidate) { return (beyond(candidate) > 0.0) == falls; });
  if (next == parameter.values.begin()) return 0.0;
  if (next == parameter.values.end()) return parameter.cardinality() - 1;
  // The place lies between the two neighbours, in proportion to the distances.
  const double before = std::abs(beyond(*(next - 1)));
  const double after = std::abs(beyond(*next));
  return static_cast<double>(next - parameter.values.begin()) - after / (before + after);
}

std::string range_left(const Parameter& parameter) {
  if (!parameter.off_grid) return {};
  std::vector<double> values;
  for (const Value& value : parameter.values) values.push_back(value_number(value));
  std::ranges::sort(values);  // they may fall as well as rise
  // A range whose last step does not reach its end goes on for less than a step.
  const double number = value_number(*parameter.off_grid);
  const std::size_t last = values.size() - 1;
  const double below = values[0] - number;
  const double above = number - values[last];
  const bool left = (below > 0.0 && (last == 0 || below >= values[1] - values[0])) ||
                    (above > 0.0 && (last == 0 || above >= values[last] - values[last - 1]));
  if (!left) return {};
  return fmt::format("{} to {}", number_text(values[0]), number_text(values[last]));
}

Parameter with_default(Parameter parameter, const Value& value) {
  try {
    set_default(parameter, value);
  } catch (const ParameterFault& fault) {
    throw InputError(
        fmt::format("parameter '{}': the default {}", printable(parameter.name), fault.what()));
  }
  return parameter;
}

}  // namespace ntune
