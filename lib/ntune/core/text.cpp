#include "ntune/core/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace ntune {

namespace {

/// True if a decimal number other than 0, without a sign, is below 1.
bool is_below_one(std::string_view number) {
  const std::size_t mark = std::min(number.find_first_of("eE"), number.size());
  const std::string_view digits = number.substr(0, mark);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t first = digits.find_first_of("123456789");
  // The power of ten of the first digit that counts.
  const auto place =
      static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) - (first < point ? 1 : 0);
  // Without a power the number is below 1 if its first digit stands behind the point.
  if (mark == number.size()) return place < 0;
  std::string_view power = number.substr(mark + 1);
  if (power.starts_with('+')) power.remove_prefix(1);
  std::int64_t exponent = 0;
  const auto [end, error] = std::from_chars(power.data(), power.data() + power.size(), exponent);
  // An exponent that is out of the range of int64 decides by its sign alone.
  return error == std::errc() ? exponent < -place : power.starts_with('-');
}

}  // namespace

std::optional<double> decimal_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
  // Only a number out of the range of double comes here; from_chars does not say on which side.
  if (error == std::errc()) return value;
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const double size = is_below_one(text) ? 0.0 : std::numeric_limits<double>::infinity();
  return negative ? -size : size;
}

std::string number_text(double value) {
  // Up to here a whole number is written out in full, above it fmt chooses the shortest form.
  constexpr double kExactIntegers = 1e15;
  if (std::abs(value) < kExactIntegers && value == std::trunc(value)) {
    return fmt::format("{}", static_cast<std::int64_t>(value));
  }
  return fmt::format("{}", value);
}

std::string count_text(double count) {
  if (count >= std::numeric_limits<double>::max()) return "more than 10^308";
  if (count > 0x1p53) return fmt::format("about {:.2g}", count);
  const std::string digits = fmt::format("{:.0f}", count);
  std::string text;
  // A comma stands wherever a multiple of three digits follows, but not behind the sign.
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const bool after_digit = i > 0 && digits[i - 1] != '-';
    if (after_digit && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string counted(double count, std::string_view noun) {
  return fmt::format("{} {}{}", count_text(count), noun, count == 1.0 ? "" : "s");
}

std::string list_text(std::span<const std::string> words, std::string_view last_joint) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? fmt::format(" {} ", last_joint) : ", ";
    text += words[i];
  }
  return text;
}

namespace {

/// Edit distance of Levenshtein in which two neighbours that change places count once.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Damerau's distance needs the two rows above: the present one, the last and the one before it.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({substitute, row[j - 1] + 1, above[j] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string closest_word(std::string_view word, std::span<const std::string> candidates) {
  // The effort grows with the product of the lengths, and no keyword is that long.
  constexpr std::size_t kLongestWord = 100;
  if (word.size() > kLongestWord) return {};
  std::string best;
  // A third of the letters may differ, but at least one.
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (at >= text.size()) return 0;
  if (byte(at) < 0x80) return 1;
  // The leading ones of the first byte are the length of the character.
  const int ones = std::countl_one(byte(at));
  if (ones < 2 || ones > 4 || text.size() - at < static_cast<std::size_t>(ones)) return 0;
  const auto length = static_cast<std::size_t>(ones);
  // The bits behind the length belong to the code, then six bits of each further byte.
  std::uint32_t code = byte(at) & (0x7FU >> ones);
  for (std::size_t i = at + 1; i < at + length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    code = code << 6 | (byte(i) & 0x3FU);
  }
  // A code must not be written longer than it needs: overlong forms could hide a '/' or a NUL.
  constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < kSmallest[length] || code > 0x10FFFF || surrogate ? 0 : length;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

bool is_control(std::string_view text, std::size_t at) {
  const auto c = static_cast<unsigned char>(text[at]);
  return c < 0x20 || c == 0x7F ||
         (c == 0xC2 && utf8_length(text, at) == 2 &&
          static_cast<unsigned char>(text[at + 1]) < 0xA0);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const std::size_t first = std::min(text.find_first_not_of(blanks), text.size());
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

std::string_view cut(std::string_view& rest, std::string_view characters) {
  const std::size_t end = std::min(rest.find_first_of(characters), rest.size());
  const std::string_view head = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return head;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::string printable(std::string_view text, std::size_t limit) {
  std::string line;
  for (std::size_t i = 0; i < text.size();) {
    if (line.size() >= limit) return line + "…";
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text, i));
    if (text[i] == '\n') {
      line += "\\n";
    } else if (text[i] == '\t') {
      line += "\\t";
    } else if (is_control(text, i) || utf8_length(text, i) == 0) {
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i + length - 1]));
    } else {
      line += text.substr(i, length);
    }
    // A byte that begins no character is shown alone, and reading goes on behind it.
    i += length;
  }
  return line;
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  const std::string near = closest_word(word, candidates);
  return near.empty() ? "" : fmt::format(", did you mean '{}'?", printable(near));
}

std::size_t text_columns(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string without_middle(const std::string& text, std::size_t columns) {
  if (text_columns(text) <= columns) return text;
  const auto is_inside = [&](std::size_t at) {  // of a character
    return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  // Characters go from the middle, one after the other at either side.
  std::size_t begin = text.size() / 2;
  while (begin > 0 && is_inside(begin)) --begin;
  std::size_t end = begin;
  while (text_columns(text.substr(0, begin)) + 1 + text_columns(text.substr(end)) > columns) {
    const bool front = text_columns(text.substr(0, begin)) >= text_columns(text.substr(end));
    do {
      front ? --begin : ++end;
    } while (front ? begin > 0 && is_inside(begin) : end < text.size() && is_inside(end));
  }
  return text.substr(0, begin) + "…" + text.substr(end);
}

std::string wrapped_lines(std::string_view text, std::size_t indent, std::size_t columns) {
  std::string all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    all += wrapped(text.substr(0, end), indent, columns);
    if (end < text.size()) all += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

std::string wrapped(std::string_view line, std::size_t indent, std::size_t columns) {
  if (text_columns(line) <= columns) return std::string(line);
  std::string text;
  std::size_t used = 0;
  std::size_t at = 0;
  bool begins = true;  // nothing but blanks stands on this line
  while (at < line.size()) {
    const std::size_t word = std::min(line.find_first_not_of(' ', at), line.size());
    const std::size_t end = std::min(line.find(' ', word), line.size());
    const std::size_t wide = text_columns(line.substr(word, end - word));
    if (!begins && used + (word - at) + wide > columns && word < end) {
      text += '\n' + std::string(indent, ' ');
      used = indent;
    } else if (word < end) {
      text.append(word - at, ' ');
      used += word - at;
    }
    text += line.substr(word, end - word);
    used += wide;
    begins = begins && word == end;
    at = end;
  }
  return text;
}

bool fits(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  std::size_t at = star;
  pattern.remove_prefix(star + 1);
  // What stands between two stars is taken where it is found first: that leaves the most behind it.
  while (true) {
    const std::size_t next = pattern.find('*');
    const std::string_view part = pattern.substr(0, next);
    if (next == std::string_view::npos) return name.substr(at).ends_with(part);
    const std::size_t found = name.find(part, at);
    if (found == std::string_view::npos) return false;
    at = found + part.size();
    pattern.remove_prefix(next + 1);
  }
}

}  // namespace ntune
