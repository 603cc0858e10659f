#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/csv.h"
#include "ntune/space/parameter.h"

namespace ntune {

/// The style of tables of observations.
constexpr CsvStyle kTableStyle = {
    .comments = CsvStyle::Comments::kEverywhere, .trim = true, .line_ends = false};

/// Numbers, true and false, words; in quotes always a word.
Value field_value(const CsvField& field);
/// The field that reads back as this value. Throws InputError for a word with a line end.
std::string value_field(const Value& value);

/// A finite number, also with a leading +.
std::optional<double> field_number(std::string_view text);

/// The parameter of a column from its distinct values in order of appearance: numbers ascending,
/// as reals if any of them is one. Throws InputError naming it.
Parameter column_parameter(const std::string& name, std::vector<Value> values);

/// "1, 2 or 3"; of many values the first ones.
std::string values_text(const std::vector<Value>& values);

}  // namespace ntune
