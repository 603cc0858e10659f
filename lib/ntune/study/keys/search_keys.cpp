// The keys of how a study searches: optimisers, runs and their length, and what compares them.

#include <string>
#include <utility>
#include <vector>

#include "ntune/core/duration.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/objective/payoff_limit.h"
#include "ntune/optim/optimisers.h"
#include "ntune/study/keys/study_keys.h"

namespace ntune {

namespace {

const std::vector<std::pair<std::string, ReEvaluationMethod>> kMethods = {
    {"sequential_halving", ReEvaluationMethod::kSequentialHalving},
    {"repeats", ReEvaluationMethod::kRepeats},
    {"none", ReEvaluationMethod::kNone}};

Json optimiser_schema() {
  Json any = Json::array();
  Json names = Json::array();
  for (const OptimiserEntry& entry : optimiser_table()) {
    Json schema = entry.schema();
    if (entry.name != "ntbea") schema["required"] = {"algorithm"};
    any.push_back(schema);
    names.push_back(entry.name);
  }
  any.push_back({{"enum", names}});
  return {{"anyOf", any}};
}

Json re_evaluation_schema() {
  return {{"anyOf",
           {options_schema(ReEvaluationYaml()), schema_of(R"({"enum": ["none"]})"),
            schema_of(R"({"type": "integer", "minimum": 0})")}}};
}

Json splits_schema() {
  return list_schema(
      {{"anyOf", {options_schema(SplitYaml()), schema_of(R"({"type": "string"})")}}});
}

Json counts_schema() {
  return schema_of(
      R"({"anyOf": [{"type": "integer", "minimum": 1},
                    {"type": "array", "minItems": 1, "items": {"type": "integer", "minimum": 1}}]})");
}

/// `budget:` of a study as a map.
struct BudgetYaml {
  double cost = 0.0;
  double cost_exponent = 0.5;
  AutoInteger evaluations;

  void visit(Options& options) {
    options.number("cost", cost, {.low = 0.0, .high = kLargestPayoff, .low_excluded = true},
                   "sum of the costs of all evaluations");
    options.integer("evaluations", evaluations, between(1, 1e15),
                    "all evaluations too; auto: what the cost allows");
    options.number(
        "cost_exponent", cost_exponent, between(0, 2),
        "what a point promises is divided by its expected cost to this power, in searches "
        "by gaussian_process or regression_n_tuple; 0: costs do not guide the search");
  }
};

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

/// `budget:` of a study: a number, auto, or the map.
CustomOption budget_option(StudyYaml& keys) {
  return {.read = [&keys](const YamlNode& node) { read_budget(node, keys); },
          .write = [&keys] { return budget_json(keys); },
          .schema = budget_schema};
}

/// `time:` of a study. Left out of a written study where there is no limit.
CustomOption time_option(std::optional<double>& seconds) {
  CustomOption option = duration_option(seconds, above(0.0));
  option.write = [&seconds] { return seconds ? Json(*seconds) : Json(); };
  return option;
}

}  // namespace

void ReEvaluationYaml::visit(Options& options) {
  options.choice("method", values.method, kMethods,
                 "how the distinct recommendations of the runs are compared");
  options.integer("evaluations", evaluations, between(0, 1e15),
                  "evaluations for the comparison, at most; auto: by share");
  constexpr double kLargestShare = 0.95;
  options.number("share", share, between(0, kLargestShare),
                 "share of the evaluations (hold-out aside) for the comparison");
  options.flag("common_random_numbers", values.common_random_numbers,
               "the i-th evaluation of every candidate uses the same random stream");
  options.flag("capping", values.capping,
               "of a command with `result: time`: ends evaluations that can no longer change which "
               "candidate is chosen");
}

void SplitYaml::visit(Options& options) {
  options.integer("runs", runs, between(1, 1e6), "independent runs");
  options.integer("iterations", iterations, between(1, 1e12),
                  "evaluations per run; auto: what the budget leaves");
  options.integer("re_evaluation", re_evaluation, between(0, 1e15),
                  "evaluations that compare the recommendations; auto: by share");
}

void StudyYaml::visit_search(Options& options) {
  visit_node(options, "optimiser", optimiser, optimiser_schema, "the optimiser: a name, or a map");
  visit_node(
      options, "optimisers", optimisers, [] { return list_schema(optimiser_schema()); },
      "several, to compare; the first is the "
      "one that differences refer to");
  options.integer("runs", runs, between(1, 1e6),
                  "independent runs, unless a budget alone says how many");
  visit_node(
      options, "iterations", iterations, counts_schema,
      "evaluations per run (default 1000, or what the budget leaves); a list compares several");
  options.custom(
      "budget", budget_option(*this),
      "all evaluations of the study (of each cell, where several are compared), never exceeded; "
      "alone it is divided as by `split: auto`; auto: what the other keys make; {cost: 1000}: the "
      "sum of what evaluations report as their cost, or else take in seconds");
  options.custom("time", time_option(time),
                 "wall clock of the study, such as 2h30m, alone or beside a budget: the search "
                 "leaves time for the comparison and the hold-out, and ends within one evaluation; "
                 "a resumed study has what is left");
}

void StudyYaml::visit_comparison(Options& options) {
  visit_node(
      options, "re_evaluation", re_evaluation, re_evaluation_schema,
      "how the recommendations of the runs are compared: a map, a number of evaluations, or none");
  options.integer("hold_out", hold_out, between(0, 1e12),
                  "fresh evaluations of the final pick, and of the default; auto: a tenth of the "
                  "search, at least 30; beside a default a fifth each of a budget of up to 1,000; "
                  "none in a comparison whose true values are known");
  visit_node(
      options, "split", split, [] { return schema_of(R"({"enum": ["auto", "adaptive"]})"); },
      "auto: choose runs and iterations for the budget by simulation, or one run of the optimiser "
      "auto, which divides them by itself; adaptive: restarts and a comparison "
      "within the budget, as the payoffs suggest (see multi_start)");
  visit_node(
      options, "splits", splits, splits_schema,
      "several ways to spend one budget, compared: maps, texts such as '10 x 2000', or adaptive");
}

}  // namespace ntune
