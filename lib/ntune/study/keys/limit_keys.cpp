#include "ntune/study/keys/limit_keys.h"

#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/time_text.h"
#include "ntune/objective/objective.h"
#include "ntune/study/keys/key_schemas.h"
#include "ntune/study/keys/study_keys.h"

namespace ntune {

namespace {

void read_budget(const YamlNode& node, StudyYaml& keys) {
  constexpr Bounds kCounts = between(1, 1e15);
  keys.budget = {};
  keys.cost = {};
  keys.cost_exponent = 0.0;
  keys.budget_node = &node;
  if (node.is_map()) {
    if (node.find("cost") == nullptr) node.fail_at("cost", "is missing, a number above 0");
    const auto budget = read_options(node, BudgetYaml());
    keys.cost = budget.cost;
    keys.cost_exponent = budget.cost_exponent;
    keys.budget = budget.evaluations;
    return;
  }
  if (node.is_scalar() && node.text() == "auto") return;
  const auto count = node.integer();
  if (!count || !kCounts.contain(static_cast<double>(*count))) {
    node.fail("is " + node.describe() + ", 'auto' or a whole number " + kCounts.text() +
              " is allowed");
  }
  keys.budget = {.automatic = false, .value = *count};
}

Json budget_json(const StudyYaml& keys) {
  const Json count = keys.budget.automatic ? Json("auto") : Json(keys.budget.value);
  if (!keys.cost) return count;
  Json map = {{"cost", *keys.cost}, {"cost_exponent", keys.cost_exponent}};
  if (!keys.budget.automatic) map["evaluations"] = count;
  return map;
}

Json budget_schema() {
  Json map = options_schema(BudgetYaml());
  map["required"] = {"cost"};
  Json schema = schema_of(
      R"({"anyOf": [{"const": "auto"}, {"type": "integer", "minimum": 1.0, "maximum": 1e15}],
          "default": "auto"})");
  schema["anyOf"].push_back(map);
  return schema;
}

}  // namespace

void BudgetYaml::visit(Options& options) {
  options.number("cost", cost, {.low = 0.0, .high = kLargestPayoff, .low_excluded = true},
                 "sum of the costs of all evaluations");
  options.integer("evaluations", evaluations, between(1, 1e15),
                  "all evaluations too; auto: what the cost allows");
  options.number("cost_exponent", cost_exponent, between(0, 2),
                 "what a point promises is divided by its expected cost to this power, in searches "
                 "by gaussian_process or regression_n_tuple; 0: costs do not guide the search");
}

CustomOption budget_option(StudyYaml& keys) {
  return {.read = [&keys](const YamlNode& node) { read_budget(node, keys); },
          .write = [&keys] { return budget_json(keys); },
          .schema = budget_schema};
}

CustomOption time_option(std::optional<double>& seconds) {
  CustomOption option = duration_option(seconds, above(0.0));
  option.write = [&seconds] { return seconds ? Json(*seconds) : Json(); };
  return option;
}

}  // namespace ntune
