#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace ntune {

/// Shortest decimal text that reads back as the same number; whole numbers without a point.
std::string number_text(double value);

/// The decimal number that the whole text is: 3, +3, -0.5, 1e-7, inf, nan. What is too small for a
/// double is 0 (1e-400), what is too large infinite. Nothing for blanks, 0x10 and other texts.
std::optional<double> decimal_number(std::string_view text);

/// Whether the whole text is a number of this type, which is put into `number`: no blank and no +.
template <class Number>
bool read_number(std::string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end;
}

/// 15625 -> "15,625". Exact up to 2^53, then "about 1.2e+30".
std::string count_text(double count);
std::string count_text(std::integral auto count) { return count_text(static_cast<double>(count)); }

/// "1 run", "1,200 runs", for a noun whose plural has an s.
std::string counted(double count, std::string_view noun);
std::string counted(std::integral auto count, std::string_view noun) {
  return counted(static_cast<double>(count), noun);
}

/// "a, b or c"; empty for an empty list.
std::string list_text(std::span<const std::string> words, std::string_view last_joint = "or");

/// The candidate nearest to `word` by edit distance, else an empty string. It must be near enough
/// to be a slip of the keyboard: at most a third of the letters differ.
std::string closest_word(std::string_view word, std::span<const std::string> candidates);

/// Bytes of the UTF-8 character that begins at `at`; 0 if none does.
std::size_t utf8_length(std::string_view text, std::size_t at);

/// Whether the whole text is UTF-8, without which JSON and YAML cannot hold it.
bool is_utf8(std::string_view text);

/// Whether a control character stands there: below the blank, DEL, or one from U+0080 to U+009F,
/// which some terminals obey.
bool is_control(std::string_view text, std::size_t at);

/// The letters A to Z as small ones; all else stays.
std::string lower_case(std::string_view text);

/// The text without such characters at its ends. Where none is left, it stands at the end.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n\v\f");

/// The text before the first of the characters, which is taken off `rest` together with that one.
std::string_view cut(std::string_view& rest, std::string_view characters);

/// The parts between separators, at least one.
std::vector<std::string_view> split(std::string_view text, char separator);

/// `text` on one line and safe on a terminal. Control characters and bytes that are not UTF-8
/// become \n, \t, \x1b …; a text longer than `limit` bytes is cut with "…".
std::string printable(std::string_view text, std::size_t limit = 200);

/// ", did you mean 'NEAR'?" with the candidate that closest_word() finds, safe on a terminal. Empty
/// if none is near.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

/// How many columns a text takes on a terminal: characters, not bytes.
std::size_t text_columns(std::string_view text);

/// A text of more columns with an ellipsis for its middle.
std::string without_middle(const std::string& text, std::size_t columns);

/// One line of text as several of at most `columns`, broken at blanks; those that follow are moved
/// in by `indent`. A word that is longer stays whole.
std::string wrapped(std::string_view line, std::size_t indent, std::size_t columns = 80);

/// Every line of a text so.
std::string wrapped_lines(std::string_view text, std::size_t indent, std::size_t columns = 80);

/// True if the pattern, in which * stands for any characters, fits the whole name.
bool fits(std::string_view pattern, std::string_view name);

}  // namespace ntune
