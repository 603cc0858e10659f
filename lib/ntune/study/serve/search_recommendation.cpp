#include "ntune/study/serve/search_recommendation.h"

#include <optional>

#include "ntune/core/json.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/results/result_json.h"
#include "ntune/study/run/evaluation_window.h"
#include "ntune/study/run/run.h"
#include "ntune/study/run/stage_search.h"

namespace ntune {

namespace {

/// What the run that asks would recommend; nothing before it has measured any point.
std::optional<RunRecord> current_run(const Request& asking) {
  if (asking.view == nullptr || !asking.view->has_measured()) return std::nullopt;
  const Recommendation now = asking.view->recommend_now();
  return RunRecord{.run = asking.key.run,
                   .point = now.point,
                   .estimate = asking.objective->unit().value_of(now.estimate),
                   .point_evaluations = now.evaluations};
}

}  // namespace

Json SearchRecommendation::json(const Request* asking) const {
  Searched best;
  const auto consider = [&](const Objective& objective, const RunRecord& run) {
    const double direction = objective.unit().direction();
    const bool better =
        best.objective == nullptr || direction * run.estimate > direction * best.run.estimate;
    if (better) best = {&objective, run};
  };
  for (const Searched& searched : finished_) consider(*searched.objective, searched.run);
  if (asking != nullptr) {
    if (const auto run = current_run(*asking)) consider(*asking->objective, *run);
  }
  if (best.objective == nullptr) return nullptr;
  return {{"params", point_json(best.run.point, best.objective->space())},
          {"estimate", best.run.estimate},
          {"evaluations", best.run.point_evaluations},
          {"run", best.run.run},
          {"final", false}};
}

Json recommendation_of_offered(const Study& study, std::uint32_t cell,
                               const OfferedObservations& offered) {
  const RunTask task = make_run_task(study, cell, 0, 0);
  const StageSearch search = make_search(task, {.iterations = task.iterations}, 0, study);
  bool any = false;
  for (std::size_t i = 0; i < offered.size(); ++i) {
    if (study.objective_of(offered[i].key.cell) != study.objective_of(cell)) continue;
    any |= tell_offered(search, offered[i], task.stream.stream("offered", i));
  }
  if (!any) return nullptr;
  const Recommendation now = search.instance_aware != nullptr
                                 ? search.instance_aware->recommend_now()
                                 : search.optimiser->recommend();
  return {{"params", point_json(now.point, task.objective->space())},
          {"estimate", task.objective->unit().value_of(now.estimate)},
          {"evaluations", now.evaluations},
          {"run", 0},
          {"final", false}};
}

Json final_recommendation(const Study& study, const StudyResult& result) {
  const Pick& pick = result.cells[0].picks[0];
  const Objective& objective = *study.objectives[0].objective;
  const HoldOut& hold_out = pick.hold_out;
  Json json = {{"params", point_json(pick.point, objective.space())},
               {"estimate", pick.estimate},
               {"value", Json()},
               {"interval", Json()},
               {"run", pick.run},
               {"final", true}};
  if (hold_out.payoffs.count() > 0) {
    json["value"] = hold_out.value(objective.unit());
  }
  if (hold_out.interval) json["interval"] = {hold_out.interval->low, hold_out.interval->high};
  if (pick.front && pick.front->chosen) json.update(chosen_json(*pick.front, objective.space()));
  json.update(verdict_json(saved_result(study, result, {}), study));
  return json;
}

}  // namespace ntune
