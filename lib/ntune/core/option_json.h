#pragma once

#include "ntune/core/json.h"
#include "ntune/core/options.h"

namespace ntune {

/// Writes options as a JSON object, all of them, defaults too.
class OptionWriter : public Options {
 public:
  [[nodiscard]] const Json& json() const { return json_; }

 private:
  void option(const OptionRef& option) override;

  Json json_ = Json::object();
};

/// Collects the `properties` of a JSON Schema, with defaults and help texts.
class OptionSchema : public Options {
 public:
  [[nodiscard]] const Json& properties() const { return properties_; }

 private:
  void option(const OptionRef& option) override;

  Json properties_ = Json::object();
};

/// All options of a struct as JSON.
template <class Struct>
Json options_json(Struct options) {
  OptionWriter writer;
  options.visit(writer);
  return writer.json();
}

/// {"type": "object", "properties": …, "additionalProperties": false} of a struct, with the option
/// that a file must have, if there is one.
template <class Struct>
Json options_schema(Struct options = {}, const char* required = nullptr) {
  OptionSchema visitor;
  options.visit(visitor);
  Json schema = {
      {"type", "object"}, {"properties", visitor.properties()}, {"additionalProperties", false}};
  if (required != nullptr) schema["required"] = Json::array({required});
  return schema;
}

}  // namespace ntune
