#include "ntune/space/import/irace_tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/space/point.h"

namespace ntune {

namespace {

/// Longer signs before their beginnings.
constexpr std::array<std::string_view, 23> kSigns = {
    "%in%", "%%", "==", "!=", "<=", ">=", "&&", "||", "**", "<", ">", "&",
    "|",    "!",  "(",  ")",  ",",  "+",  "-",  "*",  "/",  "^", ":"};

/// Tests of characters in names and numbers. Bytes beyond ASCII belong to names.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// How many characters from this place on are of the kind, and those before it.
std::size_t length_of(std::string_view text, bool (*matches)(char), std::size_t begin = 0) {
  return static_cast<std::size_t>(
      std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), matches) -
      text.begin());
}

}  // namespace

std::size_t r_text_end(std::string_view text, std::size_t begin) {
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == text[begin]) return i;
    if (text[i] == '\\') ++i;
  }
  return std::string_view::npos;
}

std::string r_text(std::string_view inside) {
  std::string text;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] != '\\' || i + 1 == inside.size()) {
      text += inside[i];
      continue;
    }
    const char c = inside[++i];
    text += c == 'n' ? '\n' : c == 't' ? '\t' : c;
  }
  return text;
}

void IraceTokens::take(IraceToken::Kind kind, std::size_t length) {
  const std::string_view written = rest_.substr(0, length);
  token_ = {.kind = kind, .text = std::string(written), .written = written};
  rest_.remove_prefix(length);
}

void IraceTokens::take_number() {
  // Letters belong to a number at first: 1e5, 0x10, 5L; parse_number decides.
  std::size_t end = length_of(rest_, is_name);
  const bool signed_exponent = end < rest_.size() && (rest_[end] == '-' || rest_[end] == '+') &&
                               (rest_[end - 1] == 'e' || rest_[end - 1] == 'E');
  if (signed_exponent) end = length_of(rest_, is_digit, end + 1);
  take(IraceToken::Kind::kNumber, end);
  if (token_.text.ends_with('L')) token_.text.pop_back();  // R's mark of an integer
  // Hexadecimal digits become decimal ones.
  std::int64_t whole = 0;
  const std::string& text = token_.text;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    const char* end_of_text = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data() + 2, end_of_text, whole, 16);
    if (error == std::errc() && last == end_of_text) token_.text = fmt::format("{}", whole);
  }
  if (!parse_number(token_.text)) {
    refuse(fmt::format("'{}' is no number", printable(token_.text, 60)));
  }
}

void IraceTokens::take_text() {
  const std::size_t end = r_text_end(rest_, 0);
  if (end == std::string_view::npos) code_.fail(rest_, "a quote is left open");
  take(IraceToken::Kind::kText, end + 1);
  token_.text = r_text(token_.written.substr(1, end - 1));
}

void IraceTokens::advance() {
  rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size()));
  if (rest_.empty()) return take(IraceToken::Kind::kEnd, 0);
  const char c = rest_[0];
  if (c == '"' || c == '\'') return take_text();
  // A number may begin with its point.
  const bool is_dot_digit = c == '.' && rest_.size() > 1 && is_digit(rest_[1]);
  if (is_digit(c) || is_dot_digit) return take_number();
  if (is_name(c)) return take(IraceToken::Kind::kName, length_of(rest_, is_name));
  for (const std::string_view sign : kSigns) {
    if (!rest_.starts_with(sign)) continue;
    take(IraceToken::Kind::kSign, sign.size());
    if (sign == "**") token_.text = "^";  // R reads one as the other
    return;
  }
  // A character of several bytes is shown as a whole.
  const std::size_t length = std::max<std::size_t>(1, utf8_length(rest_, 0));
  const std::string_view unknown = rest_.substr(0, length);
  code_.fail(unknown, fmt::format("'{}' has no meaning here", printable(unknown)));
}

bool IraceTokens::accept(std::string_view sign) {
  if (!is_sign(sign)) return false;
  advance();
  return true;
}

void IraceTokens::expect(std::string_view sign) {
  if (!accept(sign)) fail(fmt::format("'{}'", sign));
}

void IraceTokens::fail(std::string_view expected) const {
  const std::string found =
      is_end() ? std::string("the end") : fmt::format("'{}'", printable(token_.text, 60));
  refuse(fmt::format("{} is found where {} is expected", found, expected));
}

void IraceTokens::enter() {
  constexpr int kDeepest = 50;
  if (++depth_ <= kDeepest) return;
  refuse(fmt::format("is nested deeper than the {} levels allowed", kDeepest));
}

namespace {

/// Whether a zero stands before another digit, as in the text "007", which is no number to keep.
bool has_leading_zero(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return text.size() > 1 && text[0] == '0' && text[1] != '.';
}

}  // namespace

std::size_t find_unquoted(std::string_view text, char wanted) {
  bool is_quoted = false;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    // A quote within a bare word of a list is a sign like others.
    const bool in_word = !is_quoted && depth > 0 && is_name(text[i - 1]);
    if (text[i] == '"' && !in_word) is_quoted = !is_quoted;
    if (!is_quoted) depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
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

SourceChoices choices_of(const std::vector<IraceLiteral>& literals) {
  // If all are numbers, they are meant as such, however they are written.
  const bool all_numbers = std::ranges::all_of(literals, [](const IraceLiteral& literal) {
    return !literal.quoted && parse_number(literal.text) && !has_leading_zero(literal.text);
  });
  SourceChoices choices;
  std::vector<Value>& values = choices.values;
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
    choices.written.emplace(literal.text, values.back());
  }
  return choices;
}

Value meaning_of(const SourceParameter* parameter, const std::string& word, const Place& place) {
  const Value value = parse_number(word).value_or(Value(word));
  // An unknown parameter is reported later, with a suggestion.
  if (parameter == nullptr) return value;
  if (const auto* choices = std::get_if<SourceChoices>(&parameter->domain)) {
    const auto found = choices->written.find(word);
    return found == choices->written.end() ? value : found->second;
  }
  if (is_number(value)) return value;
  fail_at(place, fmt::format("'{}' is compared with '{}', a number is allowed",
                             printable(parameter->name, 60), printable(word, 60)));
}

}  // namespace ntune
