#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/space/parameter.h"

namespace ntune {

/// A fault of a parameter. The message names no place: callers add the name or the line.
class ParameterFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The key of forbidden combinations, hence no name of a parameter.
inline constexpr std::string_view kForbidKey = "forbid";

/// The values of the kinds, as the factories of parameter.h describe them. Throw ParameterFault.
std::vector<Value> integer_values(std::int64_t low, std::int64_t high, std::int64_t step);
std::vector<Value> range_values(double low, double high, int points, Ends ends);
std::vector<Value> step_values(double low, double high, double step, Ends ends);
std::vector<Value> log_range_values(double low, double high, int points, Ends ends);

/// All numbers, ascending or descending.
bool are_ordered(const std::vector<Value>& values);

/// Throws ParameterFault unless name, values, kind and order suit each other.
void check_parameter(const Parameter& parameter);

/// Gives a parameter its values and the order that they have, and checks it.
void set_values(Parameter& parameter, std::vector<Value> values);

/// Declares the default of a parameter that has its values: one of them, or a number off the grid
/// of integers or a range. Throws ParameterFault.
void set_default(Parameter& parameter, const Value& value);

/// A value for messages: texts in quotes and on one line.
std::string shown(const Value& value);
/// "a, b or c"; of many values the first ones, the last one and their number.
std::string shown(const std::vector<Value>& values);

}  // namespace ntune
