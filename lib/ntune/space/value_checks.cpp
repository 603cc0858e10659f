#include "ntune/space/value_checks.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/space/point.h"

namespace ntune {

namespace {

bool is_finite(const Value& value) {
  const auto* number = std::get_if<double>(&value);
  return number == nullptr || std::isfinite(*number);
}

/// Throws ParameterFault if the name is empty or reserved.
void check_name(const std::string& name) {
  if (name.empty()) throw ParameterFault("a parameter needs a name");
  if (name == kForbidKey) {
    throw ParameterFault(
        "no parameter may be called 'forbid', which is the key of forbidden combinations");
  }
}

/// Throws ParameterFault if two values are equal. Ordered values differ by definition.
void check_distinct(const std::vector<Value>& values) {
  if (are_ordered(values)) return;
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Sorted by value, equal ones are neighbours; the stable order gives their places in ascending
  // order.
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return std::is_lt(compare(values[a], values[b]));
  });
  const auto twin = std::ranges::adjacent_find(order, [&](std::size_t a, std::size_t b) {
    return std::is_eq(compare(values[a], values[b]));
  });
  if (twin == order.end()) return;
  throw ParameterFault(
      fmt::format("has the value {} twice, at places {} and {}; values must differ",
                  shown(values[*twin]), *twin + 1, *std::next(twin) + 1));
}

/// Throws ParameterFault unless there are values, not too many, all finite and different.
void check_values(const std::vector<Value>& values) {
  if (values.empty()) throw ParameterFault("has no values, at least one is needed");
  if (values.size() > kMaxValues) {
    throw ParameterFault(fmt::format("has {} values, at most {} are allowed",
                                     count_text(values.size()), count_text(kMaxValues)));
  }
  const auto endless = std::ranges::find_if_not(values, is_finite);
  if (endless != values.end()) {
    throw ParameterFault(
        fmt::format("has the value {}, finite numbers are allowed", shown(*endless)));
  }
  check_distinct(values);
}

/// Whether all values are of this type and ascend.
template <class Held>
bool hold_ascending(const std::vector<Value>& values) {
  return std::ranges::all_of(values,
                             [](const Value& v) { return std::holds_alternative<Held>(v); }) &&
         std::is_lteq(compare(values.front(), values.back())) && are_ordered(values);
}

/// Whether all values are integers that ascend in equal steps.
bool are_equal_steps(const std::vector<Value>& values) {
  if (!hold_ascending<std::int64_t>(values)) return false;
  const auto at = [&](std::size_t i) {
    return static_cast<std::uint64_t>(std::get<std::int64_t>(values[i]));
  };
  // Unsigned differences wrap round; a step beyond int64 could not be written back.
  constexpr std::uint64_t kLargestStep = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 1; i < values.size(); ++i) {
    const std::uint64_t step = at(i) - at(i - 1);
    if (step != at(1) - at(0) || step > kLargestStep) return false;
  }
  return true;
}

/// Throws ParameterFault unless the values suit the kind.
void check_kind(const Parameter& parameter) {
  const std::vector<Value>& values = parameter.values;
  const auto need = [](bool suits, const char* rule) {
    if (!suits) throw ParameterFault(rule);
  };
  switch (parameter.kind) {
    case ParameterKind::kFixed:
      need(values.size() == 1, "is fixed, which means one value");
      break;
    case ParameterKind::kBoolean:
      need(values == std::vector<Value>{false, true}, "is boolean, which means false and true");
      break;
    case ParameterKind::kIntegers:
      need(are_equal_steps(values), "is of integers, which means ascending ones in equal steps");
      break;
    case ParameterKind::kRange:
      need(hold_ascending<double>(values), "is a range, which means ascending real numbers");
      break;
    case ParameterKind::kLogRange:
      need(hold_ascending<double>(values) && value_number(values.front()) > 0.0,
           "is a log_range, which means ascending real numbers above 0");
      break;
    case ParameterKind::kChoices:
      break;
  }
}

/// Off the grid of such a kind a number is one between, below or above its values.
bool may_be_off_grid(const Parameter& parameter, const Value& value) {
  if (parameter.kind == ParameterKind::kIntegers)
    return std::holds_alternative<std::int64_t>(value);
  const bool is_real =
      parameter.kind == ParameterKind::kRange || parameter.kind == ParameterKind::kLogRange;
  return is_real && std::holds_alternative<double>(value) && is_finite(value);
}

/// Throws ParameterFault if the default is neither a value nor a number that may lie off the grid.
void check_default(const Parameter& parameter) {
  if (parameter.default_index && *parameter.default_index >= parameter.known_values()) {
    throw ParameterFault(fmt::format("has value number {} as its default, there are {}",
                                     *parameter.default_index, parameter.values.size()));
  }
  if (!parameter.off_grid) return;
  // An index behind the last value and a value off the grid go together.
  if (parameter.default_index != parameter.cardinality() ||
      !may_be_off_grid(parameter, *parameter.off_grid) ||
      parameter.find(*parameter.off_grid) >= 0) {
    throw ParameterFault(fmt::format(
        "has the default {} off its grid; only integers and ranges may have a number there",
        shown(*parameter.off_grid)));
  }
}

}  // namespace

bool are_ordered(const std::vector<Value>& values) {
  if (!std::ranges::all_of(values, is_number)) return false;
  // Without two neighbours in the wrong order, the values run in one direction.
  const auto runs = [&](auto wrong) {
    return std::ranges::adjacent_find(values, wrong) == values.end();
  };
  return runs([](const Value& a, const Value& b) { return std::is_gteq(compare(a, b)); }) ||
         runs([](const Value& a, const Value& b) { return std::is_lteq(compare(a, b)); });
}

void check_parameter(const Parameter& parameter) {
  check_name(parameter.name);
  check_values(parameter.values);
  check_kind(parameter);
  check_default(parameter);
  if (parameter.ordered && !are_ordered(parameter.values)) {
    throw ParameterFault("is ordered, which means ascending or descending numbers");
  }
}

void set_values(Parameter& parameter, std::vector<Value> values) {
  parameter.values = std::move(values);
  parameter.ordered = are_ordered(parameter.values);
  check_parameter(parameter);
}

void set_default(Parameter& parameter, const Value& value) {
  parameter.off_grid.reset();
  int index = parameter.find(value);
  if (index < 0) {
    // In a range a whole number is meant as a real one.
    const auto* integer = std::get_if<std::int64_t>(&value);
    const bool is_whole = parameter.kind == ParameterKind::kIntegers;
    const Value held =
        integer != nullptr && !is_whole ? Value(static_cast<double>(*integer)) : value;
    if (!may_be_off_grid(parameter, held)) {
      const bool is_real =
          parameter.kind == ParameterKind::kRange || parameter.kind == ParameterKind::kLogRange;
      throw ParameterFault(fmt::format("is {}, {}one of its values is allowed: {}", shown(value),
                                       is_whole  ? "a whole number or "
                                       : is_real ? "a number or "
                                                 : "",
                                       shown(parameter.values)));
    }
    // The index behind the last value stands for the default off the grid.
    parameter.off_grid = held;
    index = parameter.cardinality();
  }
  parameter.default_index = static_cast<std::uint16_t>(index);
}

std::string shown(const Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  constexpr std::size_t kLongest = 60;
  if (word == nullptr || is_no_value(value)) return value_text(value);
  return fmt::format("'{}'", printable(*word, kLongest));
}

std::string shown(const std::vector<Value>& values) {
  constexpr std::size_t kMost = 10;
  std::vector<std::string> words;
  if (values.size() <= kMost) {
    for (const Value& value : values) words.push_back(shown(value));
    return list_text(words);
  }
  // Of many values the first eight and the last one are shown.
  for (std::size_t i = 0; i + 2 < kMost; ++i) words.push_back(shown(values[i]));
  return fmt::format("{}, …, {} ({} values)", fmt::join(words, ", "), shown(values.back()),
                     count_text(values.size()));
}

}  // namespace ntune
