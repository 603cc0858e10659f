// The keys of how a study searches: optimisers, runs and their length, and what compares them.

#include <string>
#include <utility>
#include <vector>

#include "ntune/core/option_json.h"
#include "ntune/optim/optimisers.h"
#include "ntune/study/keys/key_schemas.h"
#include "ntune/study/keys/limit_keys.h"
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
