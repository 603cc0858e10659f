#include "ntune/study/model/earlier_stage.h"

#include "ntune/study/model/study.h"

namespace ntune {

EarlierStage as_earlier_stage(const Study& study, bool widened) {
  EarlierStage stage{
      .repeats = study.repeats, .starts = std::ssize(study.beginning.starts), .plans = {}};
  for (const RunPlan& plan : study.plans) {
    stage.plans.push_back({.runs = plan.runs,
                           .iterations = plan.iterations,
                           .hold_out = study.unit == SampleUnit::kRuns ? plan.hold_out : 0});
  }
  if (!widened) return stage;
  stage.space = std::make_shared<const SearchSpace>(study.objectives[0].objective->space());
  for (const StudyOptimiser& optimiser : study.optimisers) {
    stage.optimisers.push_back(optimiser.plans[0]);
  }
  return stage;
}

void inherit_spaces(std::vector<EarlierStage>& stages) {
  for (std::size_t i = stages.size(); i > 1; --i) {
    EarlierStage& stage = stages[i - 2];
    if (stage.space) continue;
    stage.space = stages[i - 1].space;
    stage.optimisers = stages[i - 1].optimisers;
  }
}

}  // namespace ntune
