#include "ntune/study/keys/aggregate_keys.h"

#include <fmt/format.h>

#include "ntune/core/json.h"

namespace ntune {

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
