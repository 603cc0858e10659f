#include "ntune/study/choice/final_choice.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "ntune/objective/capabilities.h"
#include "ntune/study/choice/final_hold_out.h"
#include "ntune/study/choice/incumbent_findings.h"
#include "ntune/study/choice/re_evaluation.h"
#include "ntune/study/choice/standing.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/model/streams.h"
#include "ntune/study/run/run.h"

namespace ntune {

namespace {

/// The distinct recommendations of finished runs, in order of the runs.
std::vector<Candidate> distinct_recommendations(const Objective& objective,
                                                std::span<const RunRecord> runs) {
  std::vector<Candidate> candidates;
  for (const RunRecord& run : runs) {
    if (!run.finished) continue;
    const double estimate = objective.unit().direction() * run.estimate;
    const auto same = std::ranges::find(candidates, run.point, &Candidate::point);
    if (same == candidates.end()) {
      candidates.push_back(
          {.point = run.point, .estimate = estimate, .run = run.run, .model_run = run.run});
    } else if (estimate > same->estimate) {
      same->estimate = estimate;
      same->model_run = run.run;
    }
  }
  return candidates;
}

/// The other points that lead a single run, where it has taken them down.
void add_leaders(std::span<const RunRecord> runs, std::vector<Candidate>& candidates) {
  if (runs.size() != 1 || candidates.size() != 1) return;
  std::int64_t run = kLeaderRun;
  for (const Recommendation& leader : runs.front().leaders) {
    candidates.push_back({.point = leader.point,
                          .estimate = leader.estimate,
                          .run = run++,
                          .model_run = runs.front().run});
  }
}

RunUsage usage_of(std::span<const RunRecord> runs) {
  RunUsage all;
  for (const RunRecord& run : runs) all.add(run.usage);
  return all;
}

/// The choice of one repeat, step by step.
class FinalChoice {
 public:
  FinalChoice(Evaluator& evaluator, Parallel& parallel, std::uint32_t cell_index,
              const CellResult& cell, Pick& pick)
      : study_(evaluator.study()),
        stop_(evaluator.progress().stop),
        evaluator_(evaluator),
        objective_(*study_.objectives[cell.objective].objective),
        plan_(study_.plans[cell.plan]),
        runs_(std::span(cell.runs).subspan(static_cast<std::size_t>(pick.repeat * plan_.runs),
                                           static_cast<std::size_t>(plan_.runs))),
        setting_{.evaluator = evaluator,
                 .parallel = parallel,
                 .objective = objective_,
                 .key = {.cell = cell_index, .repeat = pick.repeat, .run = -1},
                 .rng = pick_stream(study_.seed, pick.repeat),
                 .searches = usage_of(runs_)},
        pick_(pick) {}

  void choose() {
    std::vector<Candidate> candidates = distinct_recommendations(objective_, runs_);
    if (candidates.empty()) return;
    add_leaders(runs_, candidates);
    add_declared(candidates);
    const std::size_t winner = re_evaluate(evaluator_, objective_, candidates, comparison_size(),
                                           setting_.key, setting_.rng, setting_.parallel);
    take_winner(candidates[winner]);
    for (const Candidate& candidate : candidates) pick_.cost += candidate.cost;
    pick_.comparison.candidates = std::move(candidates);
    if (study_.unit == SampleUnit::kPicks && plan_.hold_out > 0 && !stop_) {
      const bool limited = evaluator_.allowance().is_limited();
      made_.hold_out =
          hold_out_pick(setting_, limited ? limited_plan().hold_out : plan_.hold_out, pick_);
    } else if (study_.beginning.incumbent && !stop_) {
      pick_.incumbent = incumbent_beside(objective_, *study_.beginning.incumbent, pick_.point);
      conclude(source_in(study_, objective_), pick_.hold_out, *pick_.incumbent);
    }
    if (!study_.is_comparison() && study_.instances.aggregate.is_mean()) judge(winner);
    count_evaluations();
    pick_.score = pick_.true_value;
    if (!pick_.score && pick_.hold_out.measured()) {
      pick_.score = pick_.hold_out.value(objective_.unit());
    }
    pick_.finished = !stop_;
    if (!evaluator_.allowance().is_limited()) return;
    pick_.made = made();
    pick_.algorithm = study_.algorithm_for(0, 0, 0, runs_.front().usage.horizon);
  }

 private:
  /// The incumbent and the starts are candidates beside the recommendations, the last ones where
  /// not all can be compared.
  void add_declared(std::vector<Candidate>& candidates) const {
    std::int64_t run = kIncumbentRun;
    const auto add = [&](const Point& point) {
      if (std::ranges::find(candidates, point, &Candidate::point) != candidates.end()) return;
      candidates.push_back(
          {.point = point, .estimate = -std::numeric_limits<double>::infinity(), .run = run});
    };
    if (study_.beginning.incumbent) add(*study_.beginning.incumbent);
    for (const Point& start : study_.beginning.starts) {
      --run;
      add(start);
    }
  }

  void take_winner(const Candidate& best) {
    const bool is_declared = best.run <= kIncumbentRun;
    pick_.run = is_declared ? kNoRun : best.model_run;
    pick_.point = best.point;
    if (is_declared) {
      pick_.estimate = objective_.unit().value_of(best.sample().mean.mean());
    } else {
      pick_.estimate = objective_.unit().direction() * best.estimate;
      const RunRecord& run = runs_[static_cast<std::size_t>(best.model_run)];
      if (run.point == best.point) pick_.certainty = run.certainty;
      if (run.point == best.point && !pick_.certainty && !stop_ && claims_when_chosen(study_)) {
        pick_.certainty = claim_again(study_, setting_.key.cell, pick_.repeat, best.model_run);
      }
      if (pick_.certainty && pick_.certainty->claim) pick_.estimate = pick_.certainty->claim->mean;
    }
    pick_.comparison.payoffs = best.sample();
    pick_.comparison.games = best.games;
    pick_.true_value = true_value_of(objective_, best.point);
  }

  /// The plan as the limits of the study make it, with what the searches have used.
  [[nodiscard]] RunPlan limited_plan() const {
    std::int64_t search = 0;
    for (const RunRecord& run : runs_) search += run.evaluations;
    return plan_after_search(study_, search);
  }

  [[nodiscard]] RunPlan made() const {
    RunPlan plan = made_;
    plan.runs = plan_.runs;
    plan.iterations = 0;
    for (const RunRecord& run : runs_) plan.iterations = std::max(plan.iterations, run.evaluations);
    return plan;
  }

  /// How many evaluations compare the candidates.
  std::int64_t comparison_size() {
    if (!evaluator_.allowance().is_limited()) return plan_.re_evaluation;
    const RunPlan plan = limited_plan();
    made_.re_evaluation = plan.re_evaluation;
    if (plan.re_evaluation == 0) return 0;
    EvaluationKey key = setting_.key;
    key.stage = Stage::kReEvaluation;
    FreshAllowance allowance(evaluator_.allowance(), key, 1);
    const RunUsage& searches = setting_.searches;
    made_.re_evaluation = allowance.next(plan.re_evaluation, searches.cost, searches.fresh_cost(),
                                         study_.points_held_out(plan) * plan.hold_out);
    return made_.re_evaluation;
  }

  /// How sure it is which candidate is the best, by all fresh payoffs.
  void judge(std::size_t winner) {
    std::vector<Candidate>& candidates = pick_.comparison.candidates;
    std::vector<MeasuredPoint> measured;
    GameCounts games;
    std::int64_t payoffs = 0;
    for (const Candidate& candidate : candidates) {
      games.add(candidate.games);
      payoffs += candidate.payoffs.count();
      MeasuredPoint& point = measured.emplace_back(MeasuredPoint{.common = candidate.common});
      // Games that are weighed are not paired, as a pair counts by two numbers of games.
      if (are_of_unequal_games(candidate.by_games)) point.common = {};
      if (point.common.empty()) point.alone = candidate.sample().mean;
    }
    const bool same_instances = study_.instances.test.empty();
    if (objective_.payoffs().noisy && same_instances)
      measured[winner].alone.merge(pick_.hold_out.stratified.value_or(pick_.hold_out.payoffs));
    const auto found = standings(measured, payoff_range(objective_, games.games_each(payoffs)),
                                 setting_.rng.stream("standings"));
    for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i].standing = found[i];
    pick_.comparison.standing = found[winner];
  }

  /// Counts what the pick has used: its runs, the comparison and the hold-out.
  void count_evaluations() {
    for (const Candidate& candidate : pick_.comparison.candidates) {
      pick_.comparison.evaluations += candidate.evaluations;
      pick_.failures += candidate.failures;
      pick_.endings.merge(candidate.endings);
      pick_.failure_causes.merge(candidate.failure_causes);
    }
    pick_.evaluations = pick_.comparison.evaluations + pick_.hold_out.evaluations;
    if (pick_.incumbent) pick_.evaluations += pick_.incumbent->hold_out.evaluations;
    for (const RunRecord& run : runs_) {
      pick_.evaluations += run.evaluations + run.hold_out.evaluations;
    }
  }

  const Study& study_;
  const std::atomic<bool>& stop_;
  Evaluator& evaluator_;
  const Objective& objective_;
  const RunPlan& plan_;
  std::span<const RunRecord> runs_;  ///< of the repeat
  FreshSetting setting_;
  RunPlan made_;  ///< what a study with limits has come to
  Pick& pick_;
};

}  // namespace

void choose_recommendation(Evaluator& evaluator, Parallel& parallel, std::uint32_t cell_index,
                           const CellResult& cell, Pick& pick) {
  const Objective& objective = *evaluator.study().objectives[cell.objective].objective;
  if (!objective.goals().empty()) {
    return choose_front(evaluator, parallel, objective, cell.runs, pick);
  }
  FinalChoice(evaluator, parallel, cell_index, cell, pick).choose();
}

}  // namespace ntune
