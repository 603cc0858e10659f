#include "ntune/core/yaml.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"

namespace ntune {

const YamlNode* YamlNode::find(std::string_view key) const {
  if (!is_map()) return nullptr;
  for (const YamlNode& child : children_) {
    if (child.key_ == key) return &child;
  }
  return nullptr;
}

std::optional<double> YamlNode::number() const {
  // What stands in quotes is a text, whatever it looks like.
  if (!is_scalar() || quoted_ || text_.empty()) return std::nullopt;
  std::string_view digits = text_;
  const bool negative = digits.front() == '-';
  if (negative || digits.front() == '+') digits.remove_prefix(1);
  const double sign = negative ? -1.0 : 1.0;
  if (digits == ".inf" || digits == ".Inf" || digits == ".INF") {
    return sign * std::numeric_limits<double>::infinity();
  }
  if (text_ == ".nan" || text_ == ".NaN" || text_ == ".NAN") {
    return std::numeric_limits<double>::quiet_NaN();
  }
  // decimal_number also takes "inf" and "nan", which YAML's core schema does not.
  if (digits.empty() || (digits.front() != '.' && (digits.front() < '0' || digits.front() > '9'))) {
    return std::nullopt;
  }
  const std::optional<double> value = decimal_number(digits);
  return value ? std::optional(sign * *value) : std::nullopt;
}

std::optional<std::int64_t> YamlNode::integer() const {
  if (!is_scalar() || quoted_ || text_.empty()) return std::nullopt;
  std::string_view digits = text_;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  std::int64_t value = 0;
  if (read_number(digits, value)) return value;
  // Forms such as 1e3 or 2.0 are whole numbers as well, as far as a double holds each of them.
  constexpr double kExactIntegers = 0x1p53;
  const std::optional<double> real = number();
  if (real && std::abs(*real) <= kExactIntegers && *real == std::trunc(*real)) {
    return static_cast<std::int64_t>(*real);
  }
  return std::nullopt;
}

std::optional<bool> YamlNode::boolean() const {
  if (!is_scalar() || quoted_) return std::nullopt;
  if (text_ == "true" || text_ == "True" || text_ == "TRUE") return true;
  if (text_ == "false" || text_ == "False" || text_ == "FALSE") return false;
  return std::nullopt;
}

std::string YamlNode::describe() const {
  switch (kind_) {
    case Kind::kNull:
      return "nothing";
    case Kind::kList:
      return "a list";
    case Kind::kMap:
      return "a map";
    case Kind::kScalar:
      break;
  }
  return fmt::format("'{}'", printable(text_, 60));
}

std::string YamlNode::shown_file() const { return printable(*file_, 1000); }

std::string YamlNode::place() const {
  return fmt::format("{}:{}{}{}", shown_file(), line_, path_.empty() ? "" : ": ", path_);
}

void YamlNode::fail(const std::string& message) const {
  throw InputError(fmt::format("{}: {}", place(), message));
}

void YamlNode::fail_at(std::string_view key, const std::string& message) const {
  const std::string below = path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  throw InputError(fmt::format("{}:{}: {}: {}", shown_file(), line_, printable(below), message));
}

Json to_json(const YamlNode& node) {
  if (node.is_list()) {
    Json list = Json::array();
    for (const YamlNode& child : node.children()) list.push_back(to_json(child));
    return list;
  }
  if (node.is_map()) {
    Json map = Json::object();
    for (const YamlNode& child : node.children()) map[child.key()] = to_json(child);
    return map;
  }
  // The order matters: an integer is a number as well, and keeps its type only if it is tried
  // first.
  if (node.is_null()) return nullptr;
  if (const auto flag = node.boolean()) return *flag;
  if (const auto integer = node.integer()) return *integer;
  if (const auto number = node.number()) return *number;
  return node.text();
}

namespace {

/// A word that YAML reads as itself in a flow collection.
bool is_plain_word(const std::string& text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_inner = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  const bool word = !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, is_inner);
  // With YAML 1.1's words for truth values.
  static const std::set<std::string> kReserved = {"true", "false", "null", "y",  "n",
                                                  "yes",  "no",    "on",   "off"};
  return word && kReserved.count(lower_case(text)) == 0;
}

/// A scalar in YAML's flow style: a plain word where that is safe, else JSON, which is YAML too.
std::string scalar_yaml(const Json& json) {
  if (json.is_string() && is_plain_word(json.get<std::string>())) return json.get<std::string>();
  if (json.is_string() && !is_utf8(json.get_ref<const std::string&>())) {
    throw InputError(fmt::format("'{}' is not UTF-8, which a study file is",
                                 printable(json.get_ref<const std::string&>(), 200)));
  }
  std::string text = json.dump();
  if (!json.is_number_float()) return text;
  // YAML 1.1 takes 1e-07, which has no point, for a text.
  const std::size_t exponent = text.find('e');
  const bool needs_point = exponent != text.npos && text.find('.') == text.npos;
  return needs_point ? text.insert(exponent, ".0") : text;
}

}  // namespace

std::string to_yaml(const Json& json) {
  if (!json.is_structured()) return scalar_yaml(json);
  std::string text;
  for (const auto& [key, value] : json.items()) {
    if (!text.empty()) text += ", ";
    if (json.is_object()) text += scalar_yaml(key) + ": ";
    text += to_yaml(value);
  }
  return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

}  // namespace ntune
