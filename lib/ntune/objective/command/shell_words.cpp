#include "ntune/objective/command/shell_words.h"

#include <array>
#include <charconv>
#include <system_error>

namespace ntune {

std::vector<std::string> shell_words(std::string_view text) {
  std::vector<std::string> words;
  // A word may be empty where quotes have begun it.
  bool is_open = false;
  char quote = 0;
  const auto add = [&](char c) {
    if (!is_open) words.emplace_back();
    is_open = true;
    words.back() += c;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool has_next = i + 1 < text.size();
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      is_open = false;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      if (!is_open) words.emplace_back();
      is_open = true;
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else if (c == '\\' && quote == 0 && has_next) {
      add(text[++i]);
    } else if (c == '\\' && quote == '"' && has_next &&
               std::string_view("\\\"$`").find(text[i + 1]) != std::string_view::npos) {
      add(text[++i]);
    } else {
      add(c);
    }
  }
  return words;
}

std::string plain_text(const Value& value) {
  const auto* number = std::get_if<double>(&value);
  if (number == nullptr) return value_text(value);
  // The longest numbers are near 1e-308, with 17 digits behind the zeros.
  std::array<char, 512> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), *number,
                                          std::chars_format::fixed);
  return error == std::errc() ? std::string(digits.data(), end) : value_text(value);
}

}  // namespace ntune
