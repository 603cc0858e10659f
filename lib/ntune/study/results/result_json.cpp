#include "ntune/study/results/result_json.h"

#include <algorithm>

#include "ntune/core/json.h"
#include "ntune/objective/capabilities.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/results/duel_result.h"
#include "ntune/study/results/elo_text.h"
#include "ntune/study/results/failure_text.h"
#include "ntune/study/results/incumbent_result.h"
#include "ntune/study/results/instance_result.h"
#include "ntune/version.h"

namespace ntune {

namespace {

Json optional_json(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

Json interval_json(const Interval& interval) { return Json::array({interval.low, interval.high}); }

Json sample_json(const SampleSummary& sample) {
  if (sample.stats.count() == 0) return nullptr;
  return {{"n", sample.stats.count()},
          {"mean", sample.stats.mean()},
          {"sd", sample.stats.sd()},
          {"interval", sample.interval ? interval_json(*sample.interval) : Json()},
          {"min", sample.stats.min()},
          {"max", sample.stats.max()}};
}

/// Of instances the mean by their weights.
Json payoffs_json(const Objective& objective, const MeanSample& sample) {
  const auto& [payoffs, mean] = sample;
  if (payoffs.count() == 0) return nullptr;
  const double unit = objective.unit().size();
  return {{"n", payoffs.count()},
          {"mean", objective.unit().value_of(mean.mean())},
          {"sd", unit * payoffs.sd()}};
}

Json hold_out_json(const Objective& objective, const HoldOut& hold_out) {
  Json json = payoffs_json(objective, hold_out.sample());
  if (!json.is_null()) json["cut_off"] = hold_out.endings.cut_off;
  return json;
}

/// Adds how a point fared in the comparison of the recommendations; null if it was not compared.
void add_comparison(Json& row, const Study& study, const Pick& pick, const Point& point) {
  const Objective& objective = *study.objectives[0].objective;
  for (const char* key : {"re_evaluation", "fresh", "best_probability", "regret"})
    row[key] = nullptr;
  const auto found = std::ranges::find(pick.comparison.candidates, point, &Candidate::point);
  if (found == pick.comparison.candidates.end()) return;
  row["re_evaluation"] = payoffs_json(objective, found->sample());
  const MeanSample fresh = fresh_payoffs(study, pick, *found);
  row["fresh"] = payoffs_json(objective, fresh);
  if (is_opponent(objective, point) && fresh.values.count() > 0) {
    row["fresh"]["interval"] = interval_json({kLevelScore, kLevelScore});
  } else if (found->stopped) {
    row["stopped"] = true;  // no interval: what was left out is not like what was made
  } else if (const auto interval =
                 payoff_interval(objective, fresh, fresh_games_each(pick, *found))) {
    row["fresh"]["interval"] = interval_json(*interval);
  }
  if (!found->standing) return;
  row["best_probability"] = found->standing->best_probability;
  row["regret"] = objective.unit().size() * found->standing->regret;
}

Json pick_json(const Objective& objective, const Pick& pick) {
  const bool held_out = pick.hold_out.payoffs.count() > 0;
  const auto best = best_probability(objective, pick);
  return {
      {"parameters", point_json(pick.point, objective.space())},
      {"estimate", pick.estimate},
      {"estimate_interval",
       pick.certainty ? interval_json(estimate_interval(objective, pick)) : Json()},
      {"best_probability", best ? Json(best->probability) : Json()},
      {"best_among", best ? Json(best->among) : Json()},
      {"regret", best ? optional_json(best->regret) : Json()},
      {"value", held_out ? Json(pick.hold_out.value(objective.unit())) : Json()},
      {"interval", pick.hold_out.interval ? interval_json(*pick.hold_out.interval) : Json()},
      {"true_value", optional_json(pick.true_value)},
      {"run", pick.run},
      {"re_evaluation", payoffs_json(objective, pick.comparison.payoffs)},
      {"hold_out", is_level(objective, pick) ? Json() : hold_out_json(objective, pick.hold_out)},
      {"failures", pick.hold_out.failures.count}};
}

Json cell_json(const Study& study, const CellResult& cell, const CellSummary& summary) {
  const RunPlan& plan = study.plans[cell.plan];
  Json json = {{"objective", study.objectives[cell.objective].label},
               {"optimiser", study.optimisers[cell.optimiser].label},
               {"algorithm", study.algorithm(cell.objective, cell.plan, cell.optimiser)},
               {"runs", plan.runs},
               {"iterations", plan.iterations},
               {"re_evaluation", plan.re_evaluation},
               {"adaptive", plan.adaptive},
               {"hold_out", plan.hold_out},
               {"score", sample_json(summary.score)},
               {"delta", sample_json(summary.delta)},
               {"difference", summary.difference ? sample_json(*summary.difference) : Json()}};
  if (study.unit != SampleUnit::kPicks) return json;
  json["picks"] = Json::array();
  for (const Pick& pick : cell.picks) {
    if (!pick.finished) continue;
    json["picks"].push_back(pick_json(*study.objectives[cell.objective].objective, pick));
  }
  return json;
}

Json cells_json(const Study& study, const StudyResult& result,
                const std::vector<CellSummary>& summaries) {
  Json cells = Json::array();
  for (std::size_t i = 0; i < result.cells.size(); ++i) {
    cells.push_back(cell_json(study, result.cells[i], summaries[i]));
  }
  return cells;
}

Json budget_json(const Study& study, const StudyResult& result) {
  return {{"total", total_evaluations(study)},
          {"search", result.search_evaluations},
          {"re_evaluation", result.re_evaluations},
          {"hold_out", result.hold_out_evaluations}};
}

/// What a study with limits has used, and the size of a study that makes as many evaluations.
Json spending_json(const Study& study, const Spending& spending) {
  Json json = {{"time", nullptr}, {"cost", nullptr}};
  if (study.limits.seconds) {
    json["time"] = {{"limit", *study.limits.seconds}, {"used", optional_json(spending.seconds)}};
  }
  if (study.limits.cost) json["cost"] = {{"limit", *study.limits.cost}, {"used", spending.cost}};
  for (const auto& [key, count] : {std::pair("runs", spending.plan.runs),
                                   {"iterations", spending.plan.iterations},
                                   {"re_evaluation", spending.plan.re_evaluation},
                                   {"hold_out", spending.plan.hold_out}}) {
    json[key] = count;
  }
  return json;
}

Json plans_json(const Study& study, const StudyResult& result) {
  Json plans = Json::array();
  std::vector<RunPlan> made = study.plans;
  if (result.spending) made = {result.spending->plan};
  for (const RunPlan& plan : made) {
    plans.push_back({{"runs", plan.runs},
                     {"iterations", plan.iterations},
                     {"re_evaluation", plan.re_evaluation},
                     {"adaptive", plan.adaptive},
                     {"hold_out", plan.hold_out}});
  }
  return plans;
}

Json objectives_json(const Study& study) {
  Json objectives = Json::array();
  for (const StudyObjective& objective : study.objectives) {
    objectives.push_back(
        {{"label", objective.label},
         {"description", objective.objective->description()},
         {"direction", objective.objective->unit().is_cost() ? "minimise" : "maximise"},
         {"points", objective.objective->space().size().points},
         {"optimum", optional_json(optimum_of(*objective.objective))}});
  }
  return objectives;
}

/// The distinct recommendations of the runs, the most frequent first, then the default and the
/// starts that they were compared with.
Json recommended_by_runs(const Study& study, const CellResult& cell) {
  const Objective& objective = *study.objectives[0].objective;
  Json recommended = Json::array();
  for (const auto& [point, runs] : count_recommendations(cell)) {
    Json row = {{"runs", runs},
                {"parameters", point_json(point, objective.space())},
                {"true_value", optional_json(true_value_of(objective, point))}};
    add_comparison(row, study, cell.picks[0], point);
    recommended.push_back(std::move(row));
  }
  for (const Candidate& candidate : cell.picks[0].comparison.candidates) {
    if (candidate.run > kIncumbentRun) continue;
    Json row = {{"runs", 0},
                {"parameters", point_json(candidate.point, objective.space())},
                {"true_value", optional_json(true_value_of(objective, candidate.point))}};
    add_comparison(row, study, cell.picks[0], candidate.point);
    recommended.push_back(std::move(row));
  }
  return recommended;
}

void add_recommendation(Json& json, const Study& study, const StudyResult& result) {
  const CellResult& cell = result.cells[0];
  const Objective& objective = *study.objectives[0].objective;
  const Pick& pick = cell.picks[0];
  if (pick.point.size() > 0) json["recommendation"] = pick_json(objective, pick);
  if (pick.incumbent) json["default"] = incumbent_json(study, result, pick);
  if (!study.instances.empty()) json["instances"] = instance_rows_json(instance_rows(study, pick));
  json["elo"] = elo_json(objective.unit(), pick);
  if (compares_duels(objective, pick)) json["duels"] = duel_json(objective, cell);
  json["algorithm"] = pick.algorithm.empty() ? study.algorithm(0, 0, 0) : pick.algorithm;
  json["recommended_by_runs"] = recommended_by_runs(study, cell);
}

}  // namespace

Json result_json(const Study& study, const StudyResult& result,
                 const std::vector<CellSummary>& summaries) {
  Json json = {{"ntune", kVersion},
               {"status", result.interrupted ? "interrupted" : "done"},
               {"name", study.name},
               {"seed", study.seed},
               {"evaluations", result.evaluations()},
               {"failures", failures_json(study, result)},
               {"set_aside", result.set_aside},
               {"cut_off", result.endings.cut_off},
               {"capped", result.endings.capped},
               {"forfeits", forfeits_json(result.endings)},
               {"budget", budget_json(study, result)},
               {"plans", plans_json(study, result)},
               {"objectives", objectives_json(study)},
               {"recommendation", nullptr},
               {"default", nullptr}};
  if (result.spending) json["limits"] = spending_json(study, *result.spending);
  if (study.beginning.prior.told != nullptr) json["prior"] = prior_json(study.beginning.prior);
  if (study.is_comparison()) {
    json["cells"] = cells_json(study, result, summaries);
  } else {
    add_recommendation(json, study, result);
  }
  json["study"] = study.config;
  return json;
}

}  // namespace ntune
