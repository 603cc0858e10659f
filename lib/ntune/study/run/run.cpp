#include "ntune/study/run/run.h"

#include <optional>
#include <utility>

#include "ntune/objective/capabilities.h"
#include "ntune/optim/claims/point_claims.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/evaluation/fresh_sample.h"
#include "ntune/study/evaluation/instance_values.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/model/streams.h"
#include "ntune/study/run/staged_search.h"

namespace ntune {

namespace {

/// By the optimiser itself, or else by its payoffs.
std::optional<Certainty> certainty_of_run(const RunTask& task, const Optimiser& optimiser) {
  if (auto certainty = optimiser.certainty()) return certainty;
  const Objective& objective = *task.objective;
  return certainty_of(optimiser, objective.space(),
                      {.range = payoff_range(objective), .noisy = objective.payoffs().noisy});
}

/// Takes down what the optimiser recommends, in the reported unit.
void recommend(const RunTask& task, const Optimiser& optimiser, RunRecord& record) {
  const Unit unit = task.objective->unit();
  const Recommendation recommendation = optimiser.recommend();
  record.point = recommendation.point;
  record.estimate = unit.value_of(recommendation.estimate);
  record.point_evaluations = recommendation.evaluations;
  if (task.claims) record.certainty = certainty_of_run(task, optimiser);
  if (record.certainty) to_reported(unit, *record.certainty);
  score_run(*task.objective, record);
  record.set_aside = {optimiser.told().set_aside};
  record.finished = true;
}

/// Measures what the run recommends by fresh evaluations.
void hold_out(const RunTask& task, Evaluator& evaluator, Parallel& parallel, RunRecord& record) {
  const EvaluationKey key{
      .cell = task.cell, .stage = Stage::kHoldOut, .repeat = task.repeat, .run = task.run};
  const Sample sample = draw_sample(
      evaluator, *task.objective, record.point, task.hold_out, key,
      [&](std::uint64_t i) { return hold_out_stream(task.stream, i); }, parallel);
  record.hold_out.payoffs = held_out_payoffs(evaluator.study(), *task.objective, key, sample);
  record.hold_out.evaluations = sample.evaluations;
  record.failures += sample.failures;
  record.hold_out.endings = sample.endings;
  record.endings.merge(sample.endings);
  record.failure_statistics.causes.merge(sample.failure_causes);
  record.finished = !sample.stopped;
  score_run(*task.objective, record);
}

/// The points that may be on the front, in place of those that may be the best.
std::vector<Recommendation> front_of(const RunTask& task, const Optimiser& optimiser) {
  std::vector<Recommendation> front;
  for (const Point& point : optimiser.front(static_cast<std::size_t>(task.front))) {
    front.push_back({.point = point});
  }
  return front;
}

/// The stages of a run that were not its whole already.
std::vector<RunStage> earlier_stages_of(const Study& study, std::uint32_t cell, std::int64_t repeat,
                                        std::int64_t run) {
  std::vector<RunStage> stages;
  const std::size_t plan = study.plan_of(cell);
  for (const EarlierStage& earlier : study.earlier) {
    const EarlierStage::Plan& had = earlier.plans[plan];
    if (repeat >= earlier.repeats || run >= had.runs) continue;
    RunStage stage{.iterations = had.iterations};
    stage.has_starts = earlier.starts == std::ssize(study.beginning.starts);
    if (earlier.space) {
      stage.plan = &earlier.optimisers[study.optimiser_of(cell)];
      stage.adaptive = study.plans[plan].adaptive;
      stage.space = earlier.space.get();
    }
    stages.push_back(stage);
  }
  const auto is_all_of_next = [&](std::size_t i) {
    const bool last = i + 1 == stages.size();
    return stages[i].space == nullptr && (last || stages[i + 1].space == nullptr) &&
           stages[i].iterations >= (last ? study.plans[plan].iterations : stages[i + 1].iterations);
  };
  for (std::size_t i = stages.size(); i-- > 0;) {
    if (is_all_of_next(i)) stages.erase(stages.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return stages;
}

}  // namespace

void to_reported(const Unit& unit, Certainty& certainty) {
  certainty.sd *= unit.size();
  if (!certainty.claim) return;
  Claim& claim = *certainty.claim;
  claim.mean = unit.value_of(claim.mean);
  claim.low = unit.value_of(claim.low);
  claim.high = unit.value_of(claim.high);
  if (unit.is_cost()) std::swap(claim.low, claim.high);
  claim.regret *= unit.size();
}

RunTask make_run_task(const Study& study, std::uint32_t cell, std::int64_t repeat,
                      std::int64_t run) {
  const std::size_t objective = study.objective_of(cell);
  const RunPlan& plan = study.plans[study.plan_of(cell)];
  const StudyOptimiser& optimiser = study.optimisers[study.optimiser_of(cell)];
  const std::span<const Goal> goals = study.objectives[objective].objective->goals();
  return {.cell = cell,
          .repeat = repeat,
          .run = run,
          .objective = study.objectives[objective].objective.get(),
          .optimiser = &(plan.adaptive ? optimiser.adaptive : optimiser.plans)[objective],
          .iterations = plan.iterations,
          .hold_out = study.unit == SampleUnit::kRuns ? plan.hold_out : 0,
          .takes_leaders = plan.runs == 1 && study.unit == SampleUnit::kPicks &&
                           (plan.re_evaluation > 0 ||
                            (study.limited && study.limited->request.compares_leaders)),
          .front = goals.empty() ? 0 : most_front_members(goals, plan.hold_out),
          .claims = goals.empty() && !study.is_comparison() && !claims_when_chosen(study),
          .beginning = &study.beginning,
          .stream = run_stream(study.seed, repeat, run),
          .earlier = earlier_stages_of(study, cell, repeat, run)};
}

bool claims_when_chosen(const Study& study) {
  constexpr std::int64_t kFewestRuns = 50;  // one run more takes little time
  const StudyObjective& given = study.objectives.front();
  const bool repeatable = !is_external(*given.objective) && !given.options.contains("program") &&
                          !study.limits.any() && study.earlier.empty();
  return repeatable && !study.is_comparison() && study.plans.front().runs >= kFewestRuns;
}

std::optional<Certainty> claim_again(const Study& study, std::uint32_t cell, std::int64_t repeat,
                                     std::int64_t run) {
  StudyProgress progress;
  LocalBackend backend(1);
  Evaluator evaluator(study, backend, progress);
  Parallel parallel(1);
  RunTask task = make_run_task(study, cell, repeat, run);
  task.claims = true;
  task.hold_out = 0;
  return run_once(task, evaluator, parallel).certainty;
}

RunRecord run_once(const RunTask& task, Evaluator& evaluator, Parallel& parallel) {
  RunRecord record{.repeat = task.repeat, .run = task.run};
  SearchLedger ledger(task, evaluator, record);
  StagedSearch search(task, evaluator, ledger);
  if (!search.carry_out(record.usage)) return record;
  const bool any = ledger.view.has_measured();
  if (any) recommend(task, search.optimiser(), record);
  if (any && task.front > 0) record.leaders = front_of(task, search.optimiser());
  if (any && task.takes_leaders) record.leaders = ledger.leaders(search.optimiser(), record.point);
  ledger.finish();
  if (any && task.hold_out > 0) hold_out(task, evaluator, parallel, record);
  record.answers = evaluator.answers().of_run(task.key(0));
  return record;
}

}  // namespace ntune
