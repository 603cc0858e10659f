#include "ntune/space/import/irace_words.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/space/point.h"

namespace ntune {

namespace {

/// Whether a zero stands before another digit, as in the text "007", which is no number to keep.
bool has_leading_zero(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return text.size() > 1 && text[0] == '0' && text[1] != '.';
}

}  // namespace

std::size_t find_unquoted(std::string_view text, char wanted) {
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') is_quoted = !is_quoted;
    if (text[i] == wanted && !is_quoted) return i;
  }
  return text.size();
}

std::string_view take_until(std::string_view& rest, std::string_view stops) {
  const std::size_t end = std::min(rest.find_first_of(stops), rest.size());
  const std::string_view word = without_blanks(rest.substr(0, end));
  rest = without_blanks(rest.substr(end));
  return word;
}

std::optional<std::vector<IraceLiteral>> split_domain(std::string_view text, bool calculates) {
  /// Where the element ends: at a comma, outside of brackets where it calculates.
  const auto end_of = [&](std::string_view rest) {
    int depth = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (rest[i] == ',' && (depth <= 0 || !calculates)) return i;
      depth += rest[i] == '(' ? 1 : rest[i] == ')' ? -1 : 0;
    }
    return rest.size();
  };
  std::vector<IraceLiteral> literals;
  for (std::string_view rest = without_blanks(text); !rest.empty();) {
    IraceLiteral literal{.text = {}, .quoted = rest.starts_with('"')};
    if (literal.quoted) {
      const std::size_t end = rest.find('"', 1);
      if (end == std::string_view::npos) return {};
      literal.written = rest.substr(1, end - 1);
      rest = without_blanks(rest.substr(end + 1));
    } else {
      // An element without quotes ends at the next comma.
      const std::size_t end = end_of(rest);
      literal.written = without_blanks(rest.substr(0, end));
      rest = rest.substr(end);
      if (literal.written.empty()) return {};
    }
    literal.text = literal.written;
    literals.push_back(std::move(literal));
    if (rest.empty()) break;
    // Behind an element only a comma may follow, and behind a comma another element.
    if (!rest.starts_with(',') || literals.size() > kMaxValues) return {};
    rest = without_blanks(rest.substr(1));
    if (rest.empty()) return {};
  }
  return literals;
}

std::vector<Value> choice_values(const std::vector<IraceLiteral>& literals) {
  // If all are numbers, they are meant as such, however they are written.
  const bool all_numbers = std::ranges::all_of(literals, [](const IraceLiteral& literal) {
    return !literal.quoted && parse_number(literal.text) && !has_leading_zero(literal.text);
  });
  std::vector<Value> values;
  for (const IraceLiteral& literal : literals) {
    const auto number = literal.quoted ? std::nullopt : parse_number(literal.text);
    const bool is_flag = !literal.quoted && (literal.text == "true" || literal.text == "false");
    if (is_flag) {
      values.emplace_back(literal.text == "true");
      // Else a word becomes a number only if it would be written the same way again.
    } else if (number && (all_numbers || value_text(*number) == literal.text)) {
      values.push_back(*number);
    } else {
      values.emplace_back(literal.text);
    }
  }
  return values;
}

void WrittenChoices::keep(const std::string& parameter, const std::vector<IraceLiteral>& literals,
                          const std::vector<Value>& values) {
  auto& meanings = choices_[parameter];
  for (std::size_t i = 0; i < values.size(); ++i) meanings.emplace(literals[i].text, values[i]);
}

Value WrittenChoices::meaning(const SourceSpace& space, const std::string& parameter,
                              const std::string& word, const Place& place) const {
  const auto number = parse_number(word);
  const auto choices = choices_.find(parameter);
  if (choices != choices_.end()) {
    const auto found = choices->second.find(word);
    if (found != choices->second.end()) return found->second;
    return number.value_or(Value(word));
  }
  // An unknown parameter is reported later, with a suggestion.
  if (number || space.find(parameter) == nullptr) return number.value_or(Value(word));
  fail_at(place, fmt::format("'{}' is compared with '{}', a number is allowed",
                             printable(parameter, 60), printable(word, 60)));
}

}  // namespace ntune
