#include "ntune/core/option_json.h"

#include <cmath>
#include <utility>

namespace ntune {

namespace {

/// A choice in the type that YAML gives its name: 2020 is a number and true a truth value.
Json choice_json(const std::string& name) {
  // Nine digits are always within an int.
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

/// The JSON Schema of a number within bounds; a type "number" or "integer".
Json number_schema(const char* type, Bounds bounds) {
  Json schema = {{"type", type}};
  if (std::isfinite(bounds.low)) {
    // Infinite bounds have no place in JSON and are left out.
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
  // An empty default means that the text must be given or is derived, so none is shown.
  put(key, {{"type", {"string", "number", "boolean"}}}, value.empty() ? Json() : Json(value), help);
}

void OptionSchema::choice(const char* key, std::string& value, std::span<const std::string> allowed,
                          const char* help) {
  Json names = Json::array();
  for (const std::string& name : allowed) names.push_back(choice_json(name));
  put(key, {{"enum", names}}, choice_json(value), help);
}

void OptionSchema::custom(const char* key, const CustomOption& option, const char* help) {
  put(key, option.schema(), Json(), help);
}

}  // namespace ntune
