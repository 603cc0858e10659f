#include "ntune/space/import/source.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/space/definition.h"
#include "ntune/space/point.h"

namespace ntune {

void fail_at(const Place& place, std::string_view message) {
  throw InputError(fmt::format("{}: {}", place, message));
}

void add_condition(Constraint condition, std::optional<Constraint>& all) {
  if (!all) {
    all = std::move(condition);
    return;
  }
  all->text += " and " + condition.text;
  Expression both{.kind = Expression::Kind::kAll};
  both.parts.push_back(std::move(all->expression));
  both.parts.push_back(std::move(condition.expression));
  all->expression = std::move(both);
}

SourceDomain range_of(const Value& low, const Value& high, const Value* step, bool log) {
  const auto whole = [](const Value& value) { return std::get_if<std::int64_t>(&value); };
  if (whole(low) != nullptr && whole(high) != nullptr &&
      (step == nullptr || whole(*step) != nullptr)) {
    return SourceIntegers{.low = *whole(low),
                          .high = *whole(high),
                          .step = step == nullptr ? 1 : *whole(*step),
                          .log = log};
  }
  return SourceReals{.low = value_number(low),
                     .high = value_number(high),
                     .step = step == nullptr ? 0.0 : value_number(*step),
                     .log = log};
}

void SourceSpace::add(SourceParameter parameter) {
  // Limits hold here for all formats, so that no reader can pass them.
  if (parameters.size() >= kMaxDimensions) {
    fail_at(parameter.place,
            fmt::format("is one parameter more than the {} that a space may have", kMaxDimensions));
  }
  constexpr std::size_t kLongestName = 200;
  if (parameter.name.size() > kLongestName) {
    fail_at(parameter.place, fmt::format("has a name of {} bytes, at most {} are allowed",
                                         parameter.name.size(), kLongestName));
  }
  if (find(parameter.name) != nullptr) {
    fail_at(parameter.place,
            fmt::format("a second parameter is called '{}'", printable(parameter.name)));
  }
  parameters.push_back(std::move(parameter));
}

const SourceParameter* SourceSpace::find(std::string_view name) const {
  const auto found = std::ranges::find(parameters, name, &SourceParameter::name);
  return found == parameters.end() ? nullptr : &*found;
}

void SourceSpace::forbid(Constraint constraint) {
  constexpr std::size_t kMost = 10'000;
  if (forbidden.size() >= kMost) {
    fail_at(constraint.place,
            fmt::format("is one forbidden combination more than the {} allowed", kMost));
  }
  forbidden.push_back(std::move(constraint));
}

namespace {

/// The code unit of \uXXXX at this place, or -1.
int code_unit(const std::string& text, std::size_t at) {
  constexpr std::size_t kDigits = 4;
  // compare() is safe at the end of the text, and the size is checked before the digits are read.
  if (text.compare(at, 2, "\\u") != 0 || text.size() < at + 2 + kDigits) return -1;
  const char* const first = text.data() + at + 2;
  int unit = 0;
  const auto [end, error] = std::from_chars(first, first + kDigits, unit, 16);
  return error == std::errc() && end == first + kDigits ? unit : -1;
}

/// JSON writes characters beyond U+FFFF as two escapes, YAML as one: \U0001f600.
std::string joined_escapes(const std::string& json) {
  constexpr std::size_t kEscape = 6;
  std::string text;
  text.reserve(json.size());
  for (std::size_t i = 0; i < json.size();) {
    const int high = json[i] == '\\' ? code_unit(json, i) : -1;
    // A high surrogate with a low one behind it is one character.
    if (high >= 0xD800 && high < 0xDC00) {
      const int low = i + kEscape < json.size() ? code_unit(json, i + kEscape) : -1;
      if (low >= 0xDC00 && low < 0xE000) {
        text += fmt::format("\\U{:08x}", 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00));
        i += 2 * kEscape;
        continue;
      }
    }
    // A backslash takes the next character with it, so that "\\u" is not taken for an escape.
    const std::size_t length = json[i] == '\\' ? 2 : 1;
    text.append(json, i, length);
    i += length;
  }
  return text;
}

}  // namespace

YamlNode parse_source(const std::string& text, const std::string& name) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  // Only JSON has surrogate pairs, and a JSON file of this kind begins with a brace.
  const bool is_json = first != std::string::npos && text[first] == '{';
  return parse_yaml(is_json ? joined_escapes(text) : text, name);
}

const YamlNode& needed(const YamlNode& map, std::string_view key) {
  if (!map.is_map()) map.fail(fmt::format("is {}, a map is allowed", map.describe()));
  const YamlNode* node = map.find(key);
  if (node == nullptr || node->is_null()) map.fail(fmt::format("needs '{}'", key));
  return *node;
}

double read_real(const YamlNode& node) {
  const auto number = node.number();
  if (!number || !std::isfinite(*number)) {
    node.fail(fmt::format("is {}, a finite number is allowed", node.describe()));
  }
  return *number + 0.0;  // not -0
}

std::int64_t read_whole(const YamlNode& node) {
  const auto integer = node.integer();
  if (!integer) node.fail(fmt::format("is {}, a whole number is allowed", node.describe()));
  return *integer;
}

bool read_flag(const YamlNode& map, std::string_view key) {
  const YamlNode* node = map.find(key);
  if (node == nullptr || node->is_null()) return false;
  const auto flag = node->boolean();
  if (!flag) node->fail(fmt::format("is {}, true or false is allowed", node->describe()));
  return *flag;
}

Value read_source_value(const YamlNode& node) {
  return node.is_null() ? Value(std::string("null")) : read_value(node);
}

std::vector<Value> read_source_values(const YamlNode& list) {
  if (!list.is_list())
    list.fail(fmt::format("is {}, a list of values is allowed", list.describe()));
  if (list.children().empty()) list.fail("is an empty list, at least one value is needed");
  std::vector<Value> values;
  for (const YamlNode& child : list.children()) values.push_back(read_source_value(child));
  return values;
}

std::optional<Value> parse_number(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  // decimal_number also takes "inf" and "nan".
  if (digits.empty() || (digits[0] != '.' && (digits[0] < '0' || digits[0] > '9'))) return {};
  std::int64_t integer = 0;
  if (read_number(text, integer)) return integer;
  const std::optional<double> number = decimal_number(text);
  if (!number || !std::isfinite(*number)) return {};
  return *number + 0.0;  // not -0
}

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Fails at control characters and at bytes that are not UTF-8, which a study file could not hold.
void check_line(std::string_view line, const std::string& line_place) {
  for (std::size_t i = 0; i < line.size();) {
    const auto c = static_cast<unsigned char>(line[i]);
    const std::size_t length = utf8_length(line, i);
    if (length > 0 && (c >= 0x20 || c == '\t') && c != 0x7F) {
      i += length;
      continue;
    }
    const Place place = fmt::format("{}:{}", line_place, text_columns(line.substr(0, i)) + 1);
    if (length == 0) fail_at(place, fmt::format("holds a byte that is not UTF-8, \\x{:02x}", c));
    fail_at(place, fmt::format("holds the control character \\x{:02x}", c));
  }
}

}  // namespace

void for_each_line(const std::string& text, const std::string& name,
                   const std::function<void(std::string_view line, int number)>& visit) {
  std::string_view rest = text;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  for (int number = 1; !rest.empty(); ++number) {
    std::string_view line = cut(rest, "\n");
    // Windows line ends are dropped together with the blanks around the line.
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (without_blanks(line).empty()) continue;
    check_line(line, fmt::format("{}:{}", name, number));
    visit(without_blanks(line), number);
  }
}

SourceText::SourceText(std::string text, std::string name)
    : text_(std::move(text)), name_(std::move(name)), lines_{0} {
  if (text_.starts_with(kByteOrderMark)) text_.erase(0, kByteOrderMark.size());
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') lines_.push_back(i + 1);
  }
}

void SourceText::blank(std::string_view part) {
  text_.replace(static_cast<std::size_t>(part.data() - text_.data()), part.size(), part.size(),
                ' ');
}

Place SourceText::place(std::string_view part, std::string_view subject) const {
  const auto at = static_cast<std::size_t>(part.data() - text_.data());
  const auto line = std::ranges::upper_bound(lines_, at) - 1;
  const std::size_t column = text_columns(std::string_view(text_).substr(*line, at - *line)) + 1;
  return fmt::format("{}:{}:{}{}{}", name_, line - lines_.begin() + 1, column,
                     subject.empty() ? "" : ": ", printable(subject, 60));
}

}  // namespace ntune
