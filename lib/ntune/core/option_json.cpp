#include "ntune/core/option_json.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

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

/// The value of an option in the form in which a file has it.
struct ValueJson {
  Json operator()(const auto* value) const { return *value; }
  template <class Number>
  Json operator()(const Auto<Number>* value) const {
    return value->automatic ? Json("auto") : Json(value->value);
  }
  Json operator()(const WordChoice& choice) const { return choice_json(*choice.word); }
  Json operator()(const CustomOption* custom) const { return custom->write(); }
};

/// The JSON Schema of an option, without its default.
struct ValueSchema {
  Bounds bounds;

  Json operator()(const double*) const { return number("number"); }
  Json operator()(const std::int64_t*) const { return number("integer"); }
  template <class Number>
  Json operator()(const Auto<Number>* value) const {
    return {{"anyOf", Json::array({{{"const", "auto"}}, (*this)(&value->value)})}};
  }
  Json operator()(const bool*) const { return {{"type", "boolean"}}; }
  Json operator()(const std::string*) const { return {{"type", {"string", "number", "boolean"}}}; }
  Json operator()(const WordChoice& choice) const {
    Json names = Json::array();
    for (const std::string& name : choice.allowed) names.push_back(choice_json(name));
    return {{"enum", names}};
  }
  Json operator()(const CustomOption* custom) const { return custom->schema(); }

  /// A number within the bounds. Infinite ones have no place in JSON and are left out.
  [[nodiscard]] Json number(const char* type) const {
    Json schema = {{"type", type}};
    if (std::isfinite(bounds.low)) {
      schema[bounds.low_excluded ? "exclusiveMinimum" : "minimum"] = bounds.low;
    }
    if (std::isfinite(bounds.high)) schema["maximum"] = bounds.high;
    return schema;
  }
};

/// Whether the default of an option stands in its schema. An empty text must be given or is
/// derived, and a form of a special kind names its default itself.
bool shows_default(const OptionRef& option) {
  const auto* const* text = std::get_if<std::string*>(&option.value);
  return !std::holds_alternative<const CustomOption*>(option.value) &&
         (text == nullptr || !(*text)->empty());
}

/// Writes options, those that are at their defaults too.
class OptionWriter : public Options {
 public:
  Json json = Json::object();

 private:
  void option(const OptionRef& option) override {
    json[option.key] = std::visit(ValueJson(), option.value);
  }
};

}  // namespace

void OptionSchema::option(const OptionRef& option) {
  Json schema = std::visit(ValueSchema{option.bounds}, option.value);
  schema["description"] = option.help;
  if (shows_default(option)) schema["default"] = std::visit(ValueJson(), option.value);
  properties_[option.key] = std::move(schema);
}

Json declared_json(const OptionVisit& visit) {
  OptionWriter writer;
  visit(writer);
  return std::move(writer.json);
}

Json declared_schema(const OptionVisit& visit, const char* required) {
  OptionSchema visitor;
  visit(visitor);
  Json schema = {
      {"type", "object"}, {"properties", visitor.properties()}, {"additionalProperties", false}};
  if (required != nullptr) schema["required"] = Json::array({required});
  return schema;
}

}  // namespace ntune
