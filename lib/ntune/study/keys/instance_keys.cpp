#include "ntune/study/keys/instance_keys.h"

#include <map>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/space/definition.h"
#include "ntune/study/keys/instance_source.h"

namespace ntune {

namespace {

constexpr std::size_t kMostInstances = 100'000;

double read_weight(const YamlNode& node) {
  const auto weight = node.number();
  if (!weight || !is_weight(*weight)) {
    node.fail(fmt::format("is {}, {}; leave out what is not to count", node.describe(), kWeights));
  }
  return *weight;
}

/// A value, or a map with the keys `instance`, `name` and `weight` or with named values.
Instance read_item(const YamlNode& node) {
  Instance instance;
  if (node.is_scalar()) {
    instance.value = read_value(node);
    instance.name = usual_name(instance);
    return instance;
  }
  if (!node.is_map()) {
    node.fail(fmt::format("is {}, a value or a map of named values is allowed", node.describe()));
  }
  const YamlNode* single = node.find("instance");
  for (const YamlNode& child : node.children()) {
    if (child.key() == "weight") {
      instance.weight = read_weight(child);
    } else if (child.key() == "name") {
      instance.name = value_text(read_value(child));
    } else if (single == nullptr) {
      instance.values.emplace_back(child.key(), read_value(child));
    } else if (&child == single) {
      instance.value = read_value(child);
    } else {
      child.fail("stands beside 'instance', with which only 'name' and 'weight' are allowed");
    }
  }
  if (single == nullptr && instance.values.empty()) {
    node.fail("names no value: `instance:` or named values are needed");
  }
  if (instance.name.empty()) instance.name = usual_name(instance);
  return instance;
}

/// Names of files may be of any bytes, but results and journals hold UTF-8 alone.
void refuse_other_bytes(const PlacedInstance& placed) {
  const auto check = [&](const std::string& text) {
    if (is_utf8(text)) return;
    throw InputError(fmt::format("{}: '{}' is not UTF-8, which names and values of instances are",
                                 placed.place, printable(text)));
  };
  const auto check_value = [&](const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) check(*text);
  };
  check(placed.instance.name);
  check_value(placed.instance.value);
  for (const auto& [key, value] : placed.instance.values) {
    check(key);
    check_value(value);
  }
}

}  // namespace

InstanceList read_instance_list(const YamlNode& node) {
  PlacedInstances list;
  if (node.is_list()) {
    for (const YamlNode& item : node.children())
      list.push_back({read_item(item), instance_place(item)});
  } else if (node.is_scalar() || node.is_map()) {
    list = read_instance_source(node);
  } else {
    node.fail(
        fmt::format("is {}, a list, the name of a file, or a map is allowed", node.describe()));
  }
  if (list.empty()) node.fail("holds no instance, one or more are allowed");
  if (list.size() > kMostInstances) {
    node.fail(fmt::format("holds {} instances, at most {} are allowed", count_text(list.size()),
                          count_text(kMostInstances)));
  }
  std::map<std::string, const PlacedInstance*> known;
  std::vector<Instance> instances;
  for (const PlacedInstance& placed : list) {
    refuse_other_bytes(placed);
    const auto [first, is_new] = known.emplace(placed.instance.name, &placed);
    if (!is_new) {
      throw InputError(
          fmt::format("{}: the instance '{}' stands twice; a `weight` makes it count "
                      "more (first: {})",
                      placed.place, printable(placed.instance.name, 60), first->second->place));
    }
    instances.push_back(placed.instance);
  }
  return InstanceList(std::move(instances));
}

Json instances_json(const InstanceList& list) {
  Json json = Json::array();
  for (const Instance& instance : list.all()) {
    const bool is_map = !instance.values.empty();
    const std::string usual = usual_name(instance);
    if (!is_map && instance.name == usual && instance.weight == 1.0) {
      json.push_back(value_json(instance.value));
      continue;
    }
    Json item = is_map ? instance.json() : Json{{"instance", value_json(instance.value)}};
    if (instance.name != usual) item["name"] = instance.name;
    if (instance.weight != 1.0) item["weight"] = instance.weight;
    json.push_back(std::move(item));
  }
  return json;
}

Json instances_schema() {
  const Json scalar = Json::parse(R"({"type": ["boolean", "number", "string"]})");
  const Json map = {
      {"type", "object"},
      {"properties",
       {{"weight", {{"type", "number"}, {"minimum", 1e-9}, {"maximum", 1e9}, {"default", 1}}},
        {"name", {{"type", "string"}, {"description", "what results call it"}}},
        {"instance", scalar}}},
      {"additionalProperties", scalar}};
  const Json list = {{"type", "array"}, {"minItems", 1}, {"items", {{"anyOf", {scalar, map}}}}};
  return {{"anyOf", {list, {{"type", "string"}}, instance_source_schema()}}};
}

Aggregate read_aggregate(const YamlNode& node) {
  using Kind = Aggregate::Kind;
  if (node.is_map() && node.children().size() == 1 && node.find("quantile") != nullptr) {
    const YamlNode& level = *node.find("quantile");
    const auto value = level.number();
    if (!value || !(*value > 0.0 && *value < 1.0)) {
      level.fail(fmt::format("is {}, a number between 0 and 1 is allowed", level.describe()));
    }
    return {.kind = Kind::kQuantile, .quantile = *value};
  }
  if (node.is_scalar()) {
    if (node.text() == "mean") return {};
    if (node.text() == "worst") return {.kind = Kind::kWorst};
    if (node.text() == "geometric_mean") return {.kind = Kind::kGeometricMean};
  }
  node.fail(fmt::format("is {}, mean, worst, geometric_mean or {{quantile: q}} is allowed",
                        node.describe()));
}

Json aggregate_json(const Aggregate& aggregate) {
  using Kind = Aggregate::Kind;
  switch (aggregate.kind) {
    case Kind::kQuantile:
      return {{"quantile", aggregate.quantile}};
    case Kind::kWorst:
      return "worst";
    case Kind::kGeometricMean:
      return "geometric_mean";
    case Kind::kMean:
      break;
  }
  return "mean";
}

Json aggregate_schema() {
  return Json::parse(R"({"anyOf": [{"enum": ["mean", "worst", "geometric_mean"]},
    {"type": "object", "required": ["quantile"], "additionalProperties": false,
     "properties": {"quantile": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}}}]})");
}

}  // namespace ntune
