// The keys of a study file, in the order in which they are written back.

#include "ntune/study/keys/study_keys.h"

#include <string>
#include <utility>
#include <vector>

#include "ntune/catalogue/objectives.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/time_text.h"
#include "ntune/objective/command/goal_options.h"
#include "ntune/objective/objective.h"
#include "ntune/optim/optimisers.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/keys/instance_keys.h"
#include "ntune/study/keys/study_yaml.h"

namespace ntune {

namespace {

/// What `objective:` may be: the map of any line of the table, or a name alone.
Json objective_schema() {
  Json any = Json::array();
  Json names = Json::array();
  for (const ObjectiveEntry& entry : objective_table()) {
    any.push_back(entry.schema());
    if (!entry.name.empty()) names.push_back(entry.name);
  }
  any.push_back({{"enum", names}});
  return {{"anyOf", any}};
}

/// A map of values by the names of parameters.
Json point_schema() {
  return schema_of(
      R"({"type": "object", "additionalProperties": {"type": ["boolean", "number", "string"]}})");
}

Json default_schema() { return {{"anyOf", {point_schema(), schema_of(R"({"enum": ["none"]})")}}}; }

Json start_schema() { return {{"anyOf", {point_schema(), list_schema(point_schema())}}}; }

Json prior_schema() {
  return {{"anyOf", {options_schema(PriorYaml()), schema_of(R"({"type": "string"})")}}};
}

const std::vector<std::pair<std::string, ReEvaluationMethod>> kMethods = {
    {"sequential_halving", ReEvaluationMethod::kSequentialHalving},
    {"repeats", ReEvaluationMethod::kRepeats},
    {"none", ReEvaluationMethod::kNone}};

/// The map of any line of the table, or a name alone. NTBEA is what a map without a name means.
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

/// A map, the word none, or a number of evaluations.
Json re_evaluation_schema() {
  return {{"anyOf",
           {options_schema(ReEvaluationYaml()), schema_of(R"({"enum": ["none"]})"),
            schema_of(R"({"type": "integer", "minimum": 0})")}}};
}

/// A list of maps and texts.
Json splits_schema() {
  return list_schema(
      {{"anyOf", {options_schema(SplitYaml()), schema_of(R"({"type": "string"})")}}});
}

/// A number of evaluations, or a list of them.
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
        "by gaussian_process; 0: costs do not guide the search");
  }
};

/// Fills in what a budget may limit: evaluations, costs, or both.
void read_budget(const YamlNode& node, StudyYaml& keys) {
  constexpr Bounds kCounts = between(1, 1e15);
  keys.budget = {};
  keys.cost = {};
  keys.cost_exponent = 0.0;
  keys.budget_node = &node;
  if (node.is_map()) {
    const auto budget = read_options(node, BudgetYaml());
    if (budget.cost == 0.0) node.fail_at("cost", "is missing, a number above 0");
    keys.cost = budget.cost;
    keys.cost_exponent = budget.cost_exponent;
    keys.budget = budget.evaluations;
    return;
  }
  if (node.is_scalar() && node.text() == "auto") return;
  const auto count = node.integer();
  if (!count || !kCounts.contain(static_cast<double>(*count))) {
    node.fail("is " + node.describe() + ", 'auto' or a whole number " +
              kCounts.text_for(node.number().value_or(0.0)) + " is allowed");
  }
  keys.budget = {.automatic = false, .value = *count};
}

/// The budget as it reads to the same again.
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
  // The map stands beside the word and the number.
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
  constexpr double kLongest = 1e9;  // thirty years; a clock cannot count to any number
  CustomOption option =
      duration_option(seconds, {.low = 0.0, .high = kLongest, .low_excluded = true});
  option.write = [&seconds] { return seconds ? Json(*seconds) : Json(); };
  return option;
}

/// `fail: {value: x}`.
struct FailValue {
  double value = 0.0;
  void visit(Options& options) {
    options.number("value", value, between(-kLargestPayoff, kLargestPayoff),
                   "value in place of a failed evaluation");
  }
};

/// A word, or a map with the value that stands for a failure.
void read_fail(const YamlNode& node, FailurePolicy& policy) {
  using Kind = FailurePolicy::Kind;
  if (node.is_map() && !node.children().empty()) {
    policy.kind = Kind::kValue;
    policy.value = read_options(node, FailValue()).value;
  } else if (node.is_scalar() && node.text() == "abort") {
    policy.kind = Kind::kAbort;
  } else if (node.is_scalar() && node.text() == "skip") {
    policy.kind = Kind::kSkip;
  } else {
    node.fail("is " + node.describe() + ", abort, skip or {value: number} is allowed");
  }
}

Json fail_schema() {
  Json value = options_schema(FailValue());
  value["required"] = {"value"};
  return {{"anyOf", {schema_of(R"({"enum": ["abort", "skip"]})"), value}}};
}

/// `fail:` of a study: abort, skip or {value: x}.
CustomOption fail_option(FailurePolicy& policy) {
  return {.read = [&policy](const YamlNode& node) { read_fail(node, policy); },
          .write = [&policy]() -> Json {
            if (policy.kind == FailurePolicy::Kind::kValue) return {{"value", policy.value}};
            return policy.kind == FailurePolicy::Kind::kSkip ? "skip" : "abort";
          },
          .schema = fail_schema};
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

/// A node is kept for the steps that read it; what they resolved is written in its place.
void StudyYaml::visit_node(Options& options, const char* key, const YamlNode*& target,
                           std::function<Json()> schema, const char* help) {
  options.custom(key,
                 {.read = [&target](const YamlNode& found) { target = &found; },
                  .write = [this, key] { return resolved.value(key, Json()); },
                  .schema = std::move(schema)},
                 help);
}

void StudyYaml::visit(Options& options) {
  visit_subject(options);
  visit_beginning(options);
  visit_search(options);
  visit_comparison(options);
  visit_execution(options);
}

/// The objective, its space, and the instances that points are tried on.
void StudyYaml::visit_subject(Options& options) {
  options.text("name", study.name, "name of the study in its results");
  visit_node(options, "objective", objective, objective_schema,
             "the objective, which is maximised: a name, or a map");
  visit_node(
      options, "objectives", objectives, [] { return list_schema(objective_schema()); },
      "several, to compare optimisers on");
  visit_node(options, "goals", goals, goals_schema,
             "several numbers that an evaluation brings, by their names in its JSON object: "
             "maximise, minimise, or a map with direction, unit, scale, and a limit or an order");
  visit_node(options, "space", space, space_schema,
             "the search space: parameters that are not named keep the objective's own definition");
  visit_node(
      options, "instances", instances, instances_schema,
      "what points are tried on, such as problems, levels or opponents: a list of values or maps, "
      "a file with one a line, or a folder with a pattern; evaluations are spread evenly over "
      "them");
  visit_node(options, "test_instances", test_instances, instances_schema,
             "other instances, on which the recommendation and the default are held out");
  visit_node(
      options, "aggregate", aggregate, aggregate_schema,
      "how the means of the instances become the value by which points are compared and reported: "
      "mean, worst, geometric_mean or {quantile: q}");
  visit_node(
      options, "instance_effects", instance_effects,
      [] { return schema_of(R"({"enum": ["removed", "kept"]})"); },
      "removed, the default: what an instance adds to the payoffs of all points is estimated and "
      "taken out of what the search is told; kept: it counts as noise");
}

/// What is known before the first evaluation.
void StudyYaml::visit_beginning(Options& options) {
  visit_node(
      options, "default", default_point, default_schema,
      "the point that the recommendation is compared with, a map of values; what it leaves out is "
      "as the space declares it; none: the space's own defaults are not compared");
  visit_node(options, "start", start, start_schema,
             "points that every run evaluates first: a map of values, or a list of maps");
  visit_node(
      options, "prior", prior, prior_schema,
      "observations that were made before, told to the optimiser and not counted: a CSV file, an "
      "Optuna journal, a folder of ntune run --out, or a map");
}

/// How points are searched for, and how much that may take.
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

/// What follows a search, and how a budget is divided.
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

/// How evaluations are carried out and kept.
void StudyYaml::visit_execution(Options& options) {
  FailurePolicy& policy = study.execution.on_failure;
  options.integer("repeats", study.repeats, between(1, 1e6), "how often each cell is repeated");
  constexpr double kLargestSeed = 0x1p53;
  options.integer("seed", seed, between(0, kLargestSeed), "every random number follows from it");
  options.integer("threads", threads, between(0, 1024), "0: one per core");
  options.integer("parallel_evaluations", study.execution.parallel_evaluations, between(1, 1024),
                  "evaluations of one run in flight at once; changes what a run does, as `threads` "
                  "does not");
  options.custom("fail", fail_option(policy),
                 "what a failed evaluation leads to: abort the study, skip it (it counts, without "
                 "a payoff), or {value: x} in its place");
  options.number("max_failure_rate", policy.max_rate, between(0, 1),
                 "ends the study when more than this share of a hundred evaluations in a row has "
                 "failed, within a run or the hold-out; 1: never");
  options.number("fail_limit", policy.recommended, between(0, 1),
                 "with fail: skip, no point is recommended that is more likely to fail by the "
                 "run's model of failures, unless all are");
  // Rules of older versions, for studies that they have begun.
  options.flag("learn_from_failures", policy.learn,
               "whether searches are told of skipped failures; false is for studies that older "
               "versions have begun, and is set when they are resumed");
  options.flag(
      "instance_blocks", study.instances.blocks,
      "whether a race has the same instances and seeds for all its candidates; false is for "
      "studies that older versions have begun, and is set when they are resumed");
  options.flag(
      "learn_from_penalties", study.learn_from_penalties,
      "whether searches know what failed with a value or was cut off, and run leading points to "
      "their ends; false is for studies that older versions have begun, and is set when they are "
      "resumed");
  // What is kept, and what stands beside the result.
  static const std::vector<std::string> kRecords = {"auto", "evaluations", "runs", "none"};
  options.choice("record", record, kRecords,
                 "what the journal in the result folder keeps; auto: evaluations of programs, else "
                 "runs");
  options.text("published", published,
               "CSV file of published results to print beside the table, relative to this file");
  visit_node(options, "extended_from", extended_from, earlier_stages_schema,
             "the study before `ntune run … --resume` was given more; written by ntune");
}

Json study_schema() {
  Json schema = options_schema(StudyYaml());
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "ntune study";
  schema["oneOf"] = schema_of(R"([{"required": ["objective"]}, {"required": ["objectives"]}])");
  // A key that begins with x- is the user's own.
  schema["patternProperties"] = {{"^x-", Json::object()}};
  return schema;
}

}  // namespace ntune
