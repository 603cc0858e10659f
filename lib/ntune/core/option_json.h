#pragma once

#include "ntune/core/json.h"
#include "ntune/core/options.h"

namespace ntune {

/// Collects the `properties` of a JSON Schema, with defaults and help texts.
class OptionSchema : public Options {
 public:
  [[nodiscard]] const Json& properties() const { return properties_; }

 private:
  void option(const OptionRef& option) override;

  Json properties_ = Json::object();
};

/// The options that `visit` declares as a JSON object, all of them, defaults too.
Json declared_json(const OptionVisit& visit);

/// {"type": "object", "properties": …, "additionalProperties": false} of these, with defaults and
/// help texts, and with the option that a file must have, if there is one.
Json declared_schema(const OptionVisit& visit, const char* required = nullptr);

/// The same for the options of a struct.
template <class Struct>
Json options_json(Struct options) {
  return declared_json([&](Options& visitor) { options.visit(visitor); });
}
template <class Struct>
Json options_schema(Struct options = {}, const char* required = nullptr) {
  return declared_schema([&](Options& visitor) { options.visit(visitor); }, required);
}

}  // namespace ntune
