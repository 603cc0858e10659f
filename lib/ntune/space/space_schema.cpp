#include <nlohmann/json.hpp>

#include "ntune/space/point.h"
#include "ntune/space/space_yaml.h"
#include "ntune/space/value_checks.h"

namespace ntune {

namespace {

Json described(Json schema, const char* description) {
  schema["description"] = description;
  return schema;
}

/// Schema of a scalar, and of a list of different scalars.
Json value_schema() { return {{"type", {"boolean", "number", "string"}}}; }

/// The same with `null`, which choices may have: a program gets no argument for it.
Json choice_schema() { return {{"type", {"boolean", "number", "string", "null"}}}; }

Json values_schema(const Json& value = value_schema()) {
  return {{"type", "array"},
          {"items", value},
          {"minItems", 1},
          {"maxItems", kMaxValues},
          {"uniqueItems", true}};
}

/// Schema of a map from names of parameters to one value or several.
Json terms_schema(const char* description) {
  const Json term = {{"anyOf", Json::array({choice_schema(), values_schema(choice_schema())})}};
  return described({{"type", "object"}, {"additionalProperties", term}}, description);
}

/// Schema of [low, high].
Json ends_schema(const char* number_type) {
  return described(
      {{"type", "array"}, {"items", {{"type", number_type}}}, {"minItems", 2}, {"maxItems", 2}},
      "[low, high]");
}

/// Schema of the option that says which ends of a range are values.
Json which_ends_schema() {
  return described({{"enum", {"both", "low", "high", "none"}}, {"default", "both"}},
                   "which ends are values themselves");
}

Json points_schema() {
  return described({{"type", "integer"}, {"minimum", 1}, {"maximum", kMaxValues}},
                   "number of values");
}

/// A map with the kind as its required key, and a condition.
Json kind_schema(const char* kind, const char* description, Json properties) {
  Json terms = terms_schema(
      "the parameter is active only where these (earlier) parameters are active and "
      "have one of these values; {}: always");
  Json list = described({{"type", "array"}, {"items", terms}, {"minItems", 1}},
                        "alternatives, of which one must hold");
  properties["when"] = {{"anyOf", Json::array({std::move(terms), std::move(list)})}};
  properties["default"] =
      described(choice_schema(),
                "its value where nobody tunes it, of integers and ranges any number; where all "
                "parameters have one, the recommendation is compared with them");
  properties["gains"] =
      described(ends_schema("number"), "[C_end, R_end] of SPSA, C_end in the parameter's own unit");
  return described({{"type", "object"},
                    {"properties", std::move(properties)},
                    {"required", Json::array({kind})},
                    {"additionalProperties", false}},
                   description);
}

Json range_schema() {
  Json schema = kind_schema(
      "range", "real numbers at equal distances, by their distance or their number",
      {{"range", ends_schema("number")},
       {"step", described({{"type", "number"}, {"exclusiveMinimum", 0}}, "distance of the values")},
       {"points", points_schema()},
       {"ends", which_ends_schema()}});
  schema["oneOf"] =
      Json::array({{{"required", Json::array({"step"})}}, {{"required", Json::array({"points"})}}});
  return schema;
}

Json log_range_schema() {
  Json schema = kind_schema("log_range", "real numbers above 0 at equal ratios",
                            {{"log_range", ends_schema("number")},
                             {"points", points_schema()},
                             {"ends", which_ends_schema()}});
  schema["required"].push_back("points");
  schema["properties"]["log_range"]["items"]["exclusiveMinimum"] = 0;
  return schema;
}

/// Schema of a definition in any of its forms.
Json definition_schema() {
  return {
      {"anyOf",
       Json::array(
           {described(value_schema(), "one fixed value"),
            described(values_schema(), "the values to choose from"),
            kind_schema("choices", "the values to choose from",
                        {{"choices", values_schema(choice_schema())},
                         {"kind", described({{"enum", {"choices", "range", "log_range"}},
                                             {"default", "choices"}},
                                            "the scale that they are on")},
                         {"ordered", described({{"type", "boolean"}},
                                               "neighbouring values are alike (default: they "
                                               "are ascending or descending numbers)")}}),
            kind_schema("boolean", "false or true",
                        {{"boolean", described({{"enum", {nullptr, true}}}, "nothing, or true")}}),
            kind_schema("integers", "whole numbers at equal distances",
                        {{"integers", ends_schema("integer")},
                         {"step", described({{"type", "integer"}, {"minimum", 1}, {"default", 1}},
                                            "distance of the values")}}),
            range_schema(), log_range_schema(),
            kind_schema("fixed", "one value", {{"fixed", value_schema()}})})}};
}

}  // namespace

Json space_schema() {
  Json clause = terms_schema("points where all of these parameters have one of these values");
  clause["minProperties"] = 1;
  const Json forbid = described({{"type", {"array", "null"}}, {"items", std::move(clause)}},
                                "combinations to leave out");
  const Json map = described({{"type", {"object", "null"}},
                              {"properties", {{std::string(kForbidKey), forbid}}},
                              {"additionalProperties", definition_schema()}},
                             "parameters by name, in order, and forbidden combinations");
  const Json file = described({{"type", "string"}},
                              "path of a YAML file that holds the map, relative to this file");
  return described({{"anyOf", Json::array({map, file})}}, "the search space");
}

}  // namespace ntune
