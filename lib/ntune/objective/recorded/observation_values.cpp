#include "ntune/objective/recorded/observation_values.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

/// The integer that the whole text is. A + is allowed.
std::optional<std::int64_t> parse_integer(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  std::int64_t value = 0;
  return read_number(text, value) ? std::optional(value) : std::nullopt;
}

}  // namespace

Value field_value(const CsvField& field) {
  const std::string& text = field.text;
  // The order matters: quotes make a word, then truth values, integers and real numbers are tried.
  if (field.quoted) return text;
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  if (const auto integer = parse_integer(text)) return *integer;
  if (const auto number = field_number(text)) return *number;
  return text;
}

std::string value_field(const Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  if (word == nullptr) return value_text(value);
  if (word->find_first_of("\r\n") != std::string::npos) {
    throw InputError(
        fmt::format("'{}' has a line end, which a table cannot hold", printable(*word, 60)));
  }
  // A word is written bare only if it reads back as the same word.
  const bool plain = !word->empty() && trimmed(*word, " \t") == *word && word->front() != '#' &&
                     std::is_eq(compare(field_value({.text = *word}), value));
  return plain ? csv_field(*word) : csv_quoted(*word);
}

std::optional<double> field_number(std::string_view text) {
  const auto number = decimal_number(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

Parameter column_parameter(const std::string& name, std::vector<Value> values) {
  const auto is_real = [](const Value& value) { return std::holds_alternative<double>(value); };
  // A column of one value needs no choice.
  if (values.size() == 1) return make_fixed(name, std::move(values.front()));
  if (std::ranges::all_of(values, is_number)) {
    // One real number makes all of them real, so that the column is of one type.
    if (std::ranges::any_of(values, is_real)) {
      for (Value& value : values) value = value_number(value);
    }
    std::ranges::sort(values, ValueBefore());
  } else if (std::ranges::all_of(values,
                                 [](const Value& v) { return std::holds_alternative<bool>(v); })) {
    return make_boolean(name);
  }
  return make_choices(name, std::move(values));
}

std::string values_text(const std::vector<Value>& values) {
  constexpr std::size_t kMost = 12;
  std::vector<std::string> words;
  for (const Value& value : values) {
    if (words.size() == kMost) break;
    words.push_back(printable(value_text(value), 60));
  }
  if (values.size() <= kMost) return list_text(words);
  return fmt::format("{}, … ({} values)", fmt::join(words, ", "), count_text(values.size()));
}

}  // namespace ntune
