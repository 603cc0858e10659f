#include "ntune/study/study_keys.h"

#include <utility>
#include <vector>

#include "ntune/objective/objectives.h"
#include "ntune/optim/optimisers.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/study_yaml.h"

namespace ntune {

namespace {

const std::vector<std::pair<std::string, ReEvaluationMethod>> kMethods = {
    {"sequential_halving", ReEvaluationMethod::kSequentialHalving},
    {"repeats", ReEvaluationMethod::kRepeats},
    {"none", ReEvaluationMethod::kNone}};

Json parse(const char* text) { return Json::parse(text); }

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
}

void SplitYaml::visit(Options& options) {
  options.integer("runs", runs, between(1, 1e6), "independent runs");
  options.integer("iterations", iterations, between(1, 1e12),
                  "evaluations per run; auto: what the budget leaves");
  options.integer("re_evaluation", re_evaluation, between(0, 1e15),
                  "evaluations that compare the recommendations; auto: by share");
}

void StudyYaml::visit(Options& options) {
  const auto node = [&](const char* key, const YamlNode*& target, Json schema, const char* help) {
    options.custom(key,
                   {.read = [&](const YamlNode& found) { target = &found; },
                    .write = [&, key] { return resolved.value(key, Json()); },
                    .schema = std::move(schema)},
                   help);
  };
  Json objective_schema = {{"anyOf", Json::array()}};
  Json names = Json::array();
  for (const ObjectiveEntry& entry : objective_table()) {
    objective_schema["anyOf"].push_back(entry.schema());
    names.push_back(entry.name);
  }
  objective_schema["anyOf"].push_back({{"enum", names}});
  Json optimiser_schema = {{"anyOf", Json::array()}};
  names = Json::array();
  for (const OptimiserEntry& entry : optimiser_table()) {
    Json schema = entry.schema();
    if (entry.name != "ntbea") schema["required"] = {"algorithm"};
    optimiser_schema["anyOf"].push_back(schema);
    names.push_back(entry.name);
  }
  optimiser_schema["anyOf"].push_back({{"enum", names}});
  const auto list_of = [](const Json& item) {
    return Json{{"type", "array"}, {"items", item}, {"minItems", 1}};
  };
  Json split_schema = options_schema(SplitYaml());
  Json splits_schema = list_of({{"anyOf", {split_schema, parse(R"({"type": "string"})")}}});
  Json re_evaluation_schema = {{"anyOf",
                                {options_schema(ReEvaluationYaml()), parse(R"({"enum": ["none"]})"),
                                 parse(R"({"type": "integer", "minimum": 0})")}}};
  const Json counts = parse(
      R"({"anyOf": [{"type": "integer", "minimum": 1},
                    {"type": "array", "minItems": 1, "items": {"type": "integer", "minimum": 1}}]})");

  options.text("name", name, "name of the study in its results");
  node("objective", objective, objective_schema, "what is maximised: a name, or a map");
  node("objectives", objectives, list_of(objective_schema), "several, to compare optimisers on");
  node("space", space, space_schema(),
       "the search space: parameters that are not named keep the objective's own definition");
  node("optimiser", optimiser, optimiser_schema, "what searches: a name, or a map");
  node("optimisers", optimisers, list_of(optimiser_schema),
       "several, to compare; the first is the "
       "one that differences refer to");
  options.integer("runs", runs, between(1, 1e6), "independent runs");
  node("iterations", iterations, counts,
       "evaluations per run (default 1000, or what the budget leaves); a list compares several");
  options.integer("budget", budget, between(1, 1e15),
                  "all evaluations of the study (of each cell, where several are compared), never "
                  "exceeded; auto: what the other keys make");
  node("re_evaluation", re_evaluation, re_evaluation_schema,
       "how the recommendations of the runs are compared: a map, a number of evaluations, or none");
  options.integer(
      "hold_out", hold_out, between(0, 1e12),
      "fresh evaluations of the final pick; auto: a tenth of the search, at least 30, and "
      "none in a comparison whose true values are known");
  node("split", split, parse(R"({"enum": ["auto"]})"),
       "auto: choose runs and iterations for the budget by simulation");
  node("splits", splits, splits_schema,
       "several ways to spend one budget, compared: maps or texts such as '10 x 2000'");
  options.integer("repeats", repeats, between(1, 1e6), "how often each cell is repeated");
  constexpr double kLargestSeed = 0x1p53;
  options.integer("seed", seed, between(0, kLargestSeed), "every random number follows from it");
  options.integer("threads", threads, between(0, 1024), "0: one per core");
  static const std::vector<std::string> kRecords = {"runs", "evaluations"};
  options.choice("record", record, kRecords,
                 "evaluations: keep every evaluation for evaluations.csv");
  options.text("published", published,
               "CSV file of published results to print beside the table, relative to this file");
}

Json study_schema() {
  Json schema = options_schema(StudyYaml());
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "ntune study";
  schema["oneOf"] = parse(R"([{"required": ["objective"]}, {"required": ["objectives"]}])");
  return schema;
}

}  // namespace ntune
