#pragma once

#include <string>

#include "ntune/core/json.h"
#include "ntune/core/options.h"

namespace ntune {

/// Writes options as a JSON object, all of them, defaults too.
class OptionWriter : public Options {
 public:
  using Options::choice;
  using Options::integer;
  void number(const char* key, double& value, Bounds bounds, const char* help) override;
  void number(const char* key, AutoNumber& value, Bounds bounds, const char* help) override;
  void integer(const char* key, std::int64_t& value, Bounds bounds, const char* help) override;
  void integer(const char* key, AutoInteger& value, Bounds bounds, const char* help) override;
  void flag(const char* key, bool& value, const char* help) override;
  void text(const char* key, std::string& value, const char* help) override;
  void choice(const char* key, std::string& value, std::span<const std::string> allowed,
              const char* help) override;
  void custom(const char* key, const CustomOption& option, const char* help) override;

  [[nodiscard]] const Json& json() const { return json_; }

 private:
  Json json_ = Json::object();
};

/// Collects the `properties` of a JSON Schema, with defaults and help texts.
class OptionSchema : public Options {
 public:
  using Options::choice;
  using Options::integer;
  void number(const char* key, double& value, Bounds bounds, const char* help) override;
  void number(const char* key, AutoNumber& value, Bounds bounds, const char* help) override;
  void integer(const char* key, std::int64_t& value, Bounds bounds, const char* help) override;
  void integer(const char* key, AutoInteger& value, Bounds bounds, const char* help) override;
  void flag(const char* key, bool& value, const char* help) override;
  void text(const char* key, std::string& value, const char* help) override;
  void choice(const char* key, std::string& value, std::span<const std::string> allowed,
              const char* help) override;
  void custom(const char* key, const CustomOption& option, const char* help) override;

  [[nodiscard]] const Json& properties() const { return properties_; }

 private:
  void put(const char* key, Json schema, Json fallback, const char* help);
  Json properties_ = Json::object();
};

/// All options of a struct as JSON.
template <class Struct>
Json options_json(Struct options) {
  OptionWriter writer;
  options.visit(writer);
  return writer.json();
}

/// {"type": "object", "properties": …, "additionalProperties": false} of a struct.
template <class Struct>
Json options_schema(Struct options = {}) {
  OptionSchema schema;
  options.visit(schema);
  return {{"type", "object"}, {"properties", schema.properties()}, {"additionalProperties", false}};
}

}  // namespace ntune
