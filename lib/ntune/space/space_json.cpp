#include <algorithm>
#include <optional>

#include <nlohmann/json.hpp>

#include "ntune/space/parameter.h"
#include "ntune/space/space_yaml.h"
#include "ntune/space/value_checks.h"

namespace ntune {

namespace {

/// The values as a JSON list.
Json values_json(const std::vector<Value>& values) {
  Json list = Json::array();
  for (const Value& value : values) list.push_back(value_json(value));
  return list;
}

/// A range of integers, with its step where that is not 1.
Json integers_json(const std::vector<Value>& values) {
  Json json = {{"integers", {value_json(values.front()), value_json(values.back())}}};
  if (values.size() < 2) return json;
  const std::int64_t step = std::get<std::int64_t>(values[1]) - std::get<std::int64_t>(values[0]);
  if (step != 1) json["step"] = step;
  return json;
}

/// The range [low, high] with points and ends, if it has exactly these values.
std::optional<Json> range_json(const Parameter& parameter) {
  const std::vector<Value>& values = parameter.values;
  const double low = value_number(values.front());
  const double high = value_number(values.back());
  const auto points = static_cast<int>(values.size());
  const bool is_log = parameter.kind == ParameterKind::kLogRange;
  // The range is made anew and compared, since rounding may give other values than these.
  try {
    const auto again =
        is_log ? log_range_values(low, high, points, {}) : range_values(low, high, points, {});
    if (again != values) return std::nullopt;
  } catch (const ParameterFault&) {
    return std::nullopt;
  }
  return Json{{is_log ? "log_range" : "range", {low, high}}, {"points", points}};
}

/// A definition as a map, which may also hold a condition.
Json definition_map(const Parameter& parameter) {
  const std::vector<Value>& values = parameter.values;
  switch (parameter.kind) {
    case ParameterKind::kFixed:
      return {{"fixed", value_json(values.front())}};
    case ParameterKind::kBoolean:
      return {{"boolean", true}};
    case ParameterKind::kIntegers:
      return integers_json(values);
    case ParameterKind::kRange:
    case ParameterKind::kLogRange:
      if (const auto json = range_json(parameter)) return *json;
      return {{"choices", values_json(values)},
              {"kind", parameter.kind == ParameterKind::kRange ? "range" : "log_range"}};
    case ParameterKind::kChoices:
      break;
  }
  Json json = {{"choices", values_json(values)}};
  if (parameter.ordered != are_ordered(values)) json["ordered"] = parameter.ordered;
  return json;
}

/// {name: value or list} of the terms of a condition or a clause.
Json terms_json(const std::vector<Term>& terms, const SearchSpace& space) {
  Json json = Json::object();
  for (const Term& term : terms) {
    const Parameter& parameter = space[term.parameter];
    Json list = Json::array();
    for (const std::uint16_t value : term.values) {
      list.push_back(value_json(parameter.values[value]));
    }
    json[parameter.name] = list.size() == 1 ? list.front() : list;
  }
  return json;
}

/// The shortest definition that reads back as the same parameter.
Json definition_json(const Parameter& parameter, const SearchSpace& space) {
  Json json = definition_map(parameter);
  if (parameter.default_index) {
    json["default"] = value_json(parameter.value(*parameter.default_index));
  }
  if (parameter.gains) json["gains"] = {parameter.gains->first, parameter.gains->second};
  if (!parameter.when.empty()) {
    json["when"] = terms_json(parameter.when, space);
    if (!parameter.or_when.empty()) {
      Json all = Json::array();
      for_each_condition(parameter,
                         [&](const auto& terms) { all.push_back(terms_json(terms, space)); });
      json["when"] = std::move(all);
    }
  } else if (json.size() == 1 && json.contains("fixed") && !json["fixed"].is_string()) {
    return json["fixed"];  // a bare word might be the name of a kind
  } else if (json.size() == 1 && json.contains("choices") &&
             std::ranges::none_of(parameter.values, is_no_value)) {
    return json["choices"];
  }
  return json;
}

}  // namespace

Json space_json(const SearchSpace& space) {
  Json json = Json::object();
  for (const Parameter& parameter : space.parameters()) {
    json[parameter.name] = definition_json(parameter, space);
  }
  for (const Clause& clause : space.forbidden()) {
    json[std::string(kForbidKey)].push_back(terms_json(clause, space));
  }
  return json;
}

}  // namespace ntune
