// `time:` and `budget: {cost: …}`, the limits of a study.

#include <fmt/format.h>

#include "ntune/study/keys/plan_requests.h"

namespace ntune {

StudyPlans read_limited(const YamlNode& root, const StudyYaml& keys, PlanRequest request,
                        bool comparison) {
  const YamlNode& place = keys.time ? *root.find("time") : *keys.budget_node;
  if (comparison) {
    place.fail("is of a study with one recommendation; a comparison says its `iterations`");
  }
  for (const YamlNode* split : {keys.split, keys.splits}) {
    if (split != nullptr) {
      split->fail(fmt::format("stands beside a limit of {}, which leaves `runs` alone to say",
                              keys.time ? "time" : "cost"));
    }
  }
  if (!keys.runs_given) request.runs = 1;
  request.fits_runs = false;
  StudyPlans read;
  LimitedPlan limited{
      .request = request, .whole = {}, .open = !request.budget && keys.iterations == nullptr};
  if (limited.open) {
    read.plans.push_back({.runs = request.runs,
                          .iterations = kOpenIterations,
                          .re_evaluation = request.re_evaluation.value_or(0),
                          .hold_out = request.hold_out.value_or(
                              request.auto_hold_out == PlanRequest::AutoHoldOut::kNone ? 0 : 1)});
  } else {
    if (keys.iterations != nullptr) request.iterations = read_count(*keys.iterations);
    const RunPlan plan = make_plan(request, root);
    // As the study is written back, in numbers.
    limited.request.hold_out = plan.hold_out;
    limited.request.re_evaluation = plan.re_evaluation;
    limited.request.budget = {};
    read.plans.push_back(plan);
  }
  limited.whole = read.plans.front();
  read.limited = limited;
  return read;
}

}  // namespace ntune
