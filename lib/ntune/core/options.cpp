#include "ntune/core/options.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ntune/core/suggestion.h"
#include "ntune/core/text.h"

namespace ntune {

bool Bounds::contain(double value) const {
  return std::isfinite(value) && (low_excluded ? value > low : value >= low) && value <= high;
}

std::string Bounds::text() const {
  const bool has_low = std::isfinite(low);
  const bool has_high = std::isfinite(high) && high < 0x1p31 - 1;
  if (has_low && has_high) {
    return fmt::format("{} {} {} {}", low_excluded ? "above" : "from", number_text(low),
                       low_excluded ? "and at most" : "to", number_text(high));
  }
  if (has_low) return fmt::format("{} {}", low_excluded ? "above" : "at least", number_text(low));
  if (has_high) return fmt::format("at most {}", number_text(high));
  return "any finite number";
}

OptionReader::OptionReader(const YamlNode& map) : map_(map) {
  if (!map.is_map() && !map.is_null()) {
    map.fail(fmt::format("is {}, a map of options is allowed", map.what()));
  }
}

const YamlNode* OptionReader::take(std::string_view key) {
  known_.emplace_back(key);
  const YamlNode* node = map_.find(key);
  return node == nullptr || node->is_null() ? nullptr : node;
}

void OptionReader::finish() const {
  for (const YamlNode& child : map_.children()) {
    if (std::find(known_.begin(), known_.end(), child.key()) != known_.end()) continue;
    child.fail(fmt::format("unknown key{}; allowed: {}", suggestion(child.key(), known_),
                           list_text(known_, "and")));
  }
}

void OptionReader::number(const char* key, double& value, Bounds bounds, const char*) {
  const YamlNode* node = take(key);
  if (node == nullptr) return;
  const auto number = node->number();
  if (!number || !bounds.contain(*number)) {
    node->fail(fmt::format("is {}, a number {} is allowed", node->what(), bounds.text()));
  }
  value = *number;
}

void OptionReader::number(const char* key, AutoNumber& value, Bounds bounds, const char*) {
  const YamlNode* node = take(key);
  if (node == nullptr) return;
  if (node->is_scalar() && node->text() == "auto") {
    value = {};
    return;
  }
  const auto number = node->number();
  if (!number || !bounds.contain(*number)) {
    node->fail(fmt::format("is {}, 'auto' or a number {} is allowed", node->what(), bounds.text()));
  }
  value = {.automatic = false, .value = *number};
}

void OptionReader::integer(const char* key, std::int64_t& value, Bounds bounds, const char*) {
  const YamlNode* node = take(key);
  if (node == nullptr) return;
  const auto integer = node->integer();
  if (!integer || !bounds.contain(static_cast<double>(*integer))) {
    node->fail(fmt::format("is {}, a whole number {} is allowed", node->what(), bounds.text()));
  }
  value = *integer;
}

void OptionReader::integer(const char* key, AutoInteger& value, Bounds bounds, const char*) {
  const YamlNode* node = take(key);
  if (node == nullptr) return;
  if (node->is_scalar() && node->text() == "auto") {
    value = {};
    return;
  }
  const auto integer = node->integer();
  if (!integer || !bounds.contain(static_cast<double>(*integer))) {
    node->fail(
        fmt::format("is {}, 'auto' or a whole number {} is allowed", node->what(), bounds.text()));
  }
  value = {.automatic = false, .value = *integer};
}

void OptionReader::flag(const char* key, bool& value, const char*) {
  const YamlNode* node = take(key);
  if (node == nullptr) return;
  const auto flag = node->boolean();
  if (!flag) node->fail(fmt::format("is {}, true or false is allowed", node->what()));
  value = *flag;
}

void OptionReader::text(const char* key, std::string& value, const char*) {
  const YamlNode* node = take(key);
  if (node == nullptr) return;
  if (!node->is_scalar()) node->fail(fmt::format("is {}, a text is allowed", node->what()));
  value = node->text();
}

void OptionReader::choice(const char* key, std::string& value, std::span<const std::string> allowed,
                          const char*) {
  const YamlNode* node = take(key);
  if (node == nullptr) return;
  if (node->is_scalar() &&
      std::find(allowed.begin(), allowed.end(), node->text()) != allowed.end()) {
    value = node->text();
    return;
  }
  const std::string near = node->is_scalar() ? suggestion(node->text(), allowed) : "";
  node->fail(fmt::format("is {}{}; allowed: {}", node->what(), near, list_text(allowed)));
}

void OptionReader::custom(const char* key, const CustomOption& option, const char*) {
  if (const YamlNode* node = take(key)) option.read(*node);
}

namespace {

/// A name of a choice as YAML reads it without quotes: 2020 and true are no texts there.
Json choice_json(const std::string& name) {
  if (name == "true" || name == "false") return name == "true";
  const bool is_count = !name.empty() && name.size() < 10 &&
                        name.find_first_not_of("0123456789") == std::string::npos;
  return is_count ? Json(std::stoi(name)) : Json(name);
}

}  // namespace

void OptionWriter::number(const char* key, double& value, Bounds, const char*) {
  json_[key] = value;
}

void OptionWriter::number(const char* key, AutoNumber& value, Bounds, const char*) {
  json_[key] = value.automatic ? Json("auto") : Json(value.value);
}

void OptionWriter::integer(const char* key, std::int64_t& value, Bounds, const char*) {
  json_[key] = value;
}

void OptionWriter::integer(const char* key, AutoInteger& value, Bounds, const char*) {
  json_[key] = value.automatic ? Json("auto") : Json(value.value);
}

void OptionWriter::flag(const char* key, bool& value, const char*) { json_[key] = value; }

void OptionWriter::text(const char* key, std::string& value, const char*) { json_[key] = value; }

void OptionWriter::choice(const char* key, std::string& value, std::span<const std::string>,
                          const char*) {
  json_[key] = choice_json(value);
}

void OptionWriter::custom(const char* key, const CustomOption& option, const char*) {
  json_[key] = option.write();
}

namespace {

Json number_schema(const char* type, Bounds bounds) {
  Json schema = {{"type", type}};
  if (std::isfinite(bounds.low)) {
    schema[bounds.low_excluded ? "exclusiveMinimum" : "minimum"] = bounds.low;
  }
  if (std::isfinite(bounds.high)) schema["maximum"] = bounds.high;
  return schema;
}

}  // namespace

void OptionSchema::put(const char* key, Json schema, Json fallback, const char* help) {
  schema["description"] = help;
  if (!fallback.is_null()) schema["default"] = std::move(fallback);
  properties_[key] = std::move(schema);
}

void OptionSchema::number(const char* key, double& value, Bounds bounds, const char* help) {
  put(key, number_schema("number", bounds), value, help);
}

void OptionSchema::number(const char* key, AutoNumber& value, Bounds bounds, const char* help) {
  const Json choices = Json::array({{{"const", "auto"}}, number_schema("number", bounds)});
  put(key, {{"anyOf", choices}}, value.automatic ? Json("auto") : Json(value.value), help);
}

void OptionSchema::integer(const char* key, std::int64_t& value, Bounds bounds, const char* help) {
  put(key, number_schema("integer", bounds), value, help);
}

void OptionSchema::integer(const char* key, AutoInteger& value, Bounds bounds, const char* help) {
  const Json choices = Json::array({{{"const", "auto"}}, number_schema("integer", bounds)});
  put(key, {{"anyOf", choices}}, value.automatic ? Json("auto") : Json(value.value), help);
}

void OptionSchema::flag(const char* key, bool& value, const char* help) {
  put(key, {{"type", "boolean"}}, value, help);
}

void OptionSchema::text(const char* key, std::string& value, const char* help) {
  put(key, {{"type", {"string", "number", "boolean"}}}, value.empty() ? Json() : Json(value), help);
}

void OptionSchema::choice(const char* key, std::string& value, std::span<const std::string> allowed,
                          const char* help) {
  Json names = Json::array();
  for (const std::string& name : allowed) names.push_back(choice_json(name));
  put(key, {{"enum", names}}, choice_json(value), help);
}

void OptionSchema::custom(const char* key, const CustomOption& option, const char* help) {
  put(key, option.schema, Json(), help);
}

}  // namespace ntune
