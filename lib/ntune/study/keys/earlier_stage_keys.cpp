#include <fmt/format.h>

#include "ntune/core/json.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "ntune/core/yaml.h"
#include "ntune/space/space_yaml.h"
#include "ntune/space/widened_space.h"
#include "ntune/study/keys/study_keys.h"

namespace ntune {

namespace {

constexpr double kMostOfStage = 1e15;

struct EarlierPlanYaml {
  EarlierStage::Plan plan;

  void visit(Options& options) {
    options.integer("runs", plan.runs, between(1, kMostOfStage), "runs it had");
    options.integer("iterations", plan.iterations, between(1, kMostOfStage), "evaluations of each");
    options.integer("hold_out", plan.hold_out, between(0, kMostOfStage),
                    "fresh evaluations of each run, where runs are held out");
  }
};

/// An entry of `extended_from:`.
struct EarlierStageYaml {
  std::int64_t repeats = 1;
  std::int64_t starts = 0;
  const YamlNode* plans = nullptr;
  const YamlNode* space = nullptr;

  void visit(Options& options) {
    // Lists and spaces are read once the study is known.
    const auto node = [](const YamlNode*& target, std::function<Json()> schema) {
      return CustomOption{.read = [&target](const YamlNode& found) { target = &found; },
                          .write = [] { return Json(); },
                          .schema = std::move(schema)};
    };
    options.integer("repeats", repeats, between(1, kMostOfStage), "repeats it had");
    options.integer("starts", starts, between(0, kMostOfStage), "points that its runs began with");
    options.custom(
        "plans",
        node(plans,
             [] {
               return Json{{"type", "array"}, {"items", options_schema(EarlierPlanYaml())}};
             }),
        "its plans, as many as the study has");
    options.custom("space", node(space, space_schema), "its space, where the study's is wider");
  }
};

EarlierStage read_stage(const YamlNode& node, const Study& study) {
  const auto keys = read_options<EarlierStageYaml>(node);
  EarlierStage stage{.repeats = keys.repeats, .starts = keys.starts, .plans = {}};
  if (keys.plans == nullptr) node.fail_at("plans", "is missing, a list is needed");
  for (const YamlNode* plan : elements_of(*keys.plans, "plans")) {
    stage.plans.push_back(read_options<EarlierPlanYaml>(*plan).plan);
  }
  if (stage.plans.size() != study.plans.size()) {
    keys.plans->fail(
        fmt::format("are {}, the study has {}", stage.plans.size(), study.plans.size()));
  }
  // In a narrower space the optimisers of that time are planned anew.
  if (keys.space == nullptr) return stage;
  if (study.objectives.size() != 1) keys.space->fail("goes with one objective, there are several");
  stage.space = std::make_shared<const SearchSpace>(read_space(*keys.space));
  (void)WidenedSpace(*stage.space, study.objectives[0].objective->space());
  for (const StudyOptimiser& optimiser : study.optimisers) {
    const YamlNode options = parse_yaml(to_yaml(optimiser.options));
    stage.optimisers.push_back(plan_optimiser(options, *stage.space));
  }
  return stage;
}

}  // namespace

std::vector<EarlierStage> read_earlier_stages(const YamlNode& node, const Study& study) {
  std::vector<EarlierStage> stages;
  for (const YamlNode* stage : elements_of(node, "stages")) {
    stages.push_back(read_stage(*stage, study));
  }
  inherit_spaces(stages);
  return stages;
}

/// The stages as they read to the same again.
Json earlier_stages_json(const std::vector<EarlierStage>& stages) {
  Json list = Json::array();
  for (const EarlierStage& stage : stages) {
    Json plans = Json::array();
    for (const EarlierStage::Plan& plan : stage.plans) {
      plans.push_back(
          {{"runs", plan.runs}, {"iterations", plan.iterations}, {"hold_out", plan.hold_out}});
    }
    Json json = {{"repeats", stage.repeats}, {"starts", stage.starts}, {"plans", plans}};
    if (stage.space) json["space"] = space_json(*stage.space);
    list.push_back(json);
  }
  return list;
}

Json earlier_stages_schema() {
  return {{"type", "array"}, {"items", options_schema(EarlierStageYaml())}, {"minItems", 1}};
}

}  // namespace ntune
