#include "ntune/study/final_choice.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluator.h"
#include "ntune/study/instance_values.h"
#include "ntune/study/payoff_intervals.h"

namespace ntune {

namespace {

std::optional<double> held_out_value(const Objective& objective, const HoldOut& held_out) {
  return held_out.measured() ? std::optional(held_out.value(objective.unit())) : std::nullopt;
}

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

/// The choice of one repeat, step by step.
class FinalChoice {
 public:
  FinalChoice(Evaluator& evaluator, Parallel& parallel, std::uint32_t cell_index,
              const CellResult& cell, Pick& pick)
      : study_(evaluator.study()),
        stop_(evaluator.progress().stop),
        evaluator_(evaluator),
        parallel_(parallel),
        objective_(*study_.objectives[cell.objective].objective),
        plan_(study_.plans[cell.plan]),
        runs_(std::span(cell.runs).subspan(static_cast<std::size_t>(pick.repeat * plan_.runs),
                                           static_cast<std::size_t>(plan_.runs))),
        rng_(Rng(study_.seed).stream("pick", static_cast<std::uint64_t>(pick.repeat))),
        key_{.cell = cell_index, .repeat = pick.repeat, .run = -1},
        pick_(pick) {}

  void choose() {
    std::vector<Candidate> candidates = distinct_recommendations(objective_, runs_);
    if (candidates.empty()) return;
    add_declared(candidates);
    const std::size_t winner =
        re_evaluate(evaluator_, objective_, candidates, plan_.re_evaluation, key_, rng_, parallel_);
    take_winner(candidates[winner]);
    pick_.comparison.candidates = std::move(candidates);
    if (study_.unit == SampleUnit::kPicks && plan_.hold_out > 0 && !stop_) {
      hold_out();
    } else if (study_.beginning.incumbent && !stop_) {
      pick_.incumbent = incumbent_beside();
      conclude(objective_, *pick_.incumbent);
    }
    if (!study_.is_comparison() && study_.instances.aggregate.is_mean()) judge(winner);
    count_evaluations();
    pick_.score = pick_.true_value ? pick_.true_value : held_out_value(objective_, pick_.hold_out);
    pick_.finished = !stop_;
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
      pick_.estimate = objective_.unit().value_of(best.payoffs.mean());
    } else {
      pick_.estimate = objective_.unit().direction() * best.estimate;
      pick_.certainty = runs_[static_cast<std::size_t>(best.model_run)].certainty;
    }
    pick_.comparison.payoffs = best.payoffs;
    pick_.true_value = true_value_of(objective_, best.point);
  }

  /// The recommendation and the default, on the same streams.
  void hold_out() {
    EvaluationKey key = key_;
    key.stage = Stage::kHoldOut;
    const Sample sample = fresh_sample(pick_.point, key, pick_.hold_out);
    if (!study_.beginning.incumbent || sample.stopped) return;
    IncumbentComparison comparison = incumbent_beside();
    Sample other;
    if (comparison.recommended) {
      comparison.hold_out = pick_.hold_out;
      comparison.hold_out.evaluations = 0;
    } else {
      key.run = kIncumbentRun;
      other = fresh_sample(comparison.point, key, comparison.hold_out);
    }
    comparison.differences = paired_differences(study_, key, sample, other);
    conclude(objective_, comparison);
    if (!study_.instances.aggregate.is_mean() && !comparison.recommended) {
      conclude_by_aggregate(study_, objective_, key, sample, other, rng_, comparison);
    }
    pick_.incumbent = comparison;
  }

  /// Fresh evaluations of a point; call i of every point has the same stream.
  Sample fresh_sample(const Point& point, const EvaluationKey& key, HoldOut& held_out) {
    Sample sample = draw_sample(
        evaluator_, objective_, point, plan_.hold_out, key,
        [&](std::uint64_t i) { return rng_.stream("hold-out", i); }, parallel_);
    held_out.payoffs = stats_of(sample.payoffs);
    held_out.evaluations = sample.evaluations;
    held_out.games = sample.games;
    held_out.endings = sample.endings;
    held_out.interval = payoff_interval(objective_, held_out.payoffs);
    measure_instances(study_, objective_, key, sample, rng_, held_out);
    pick_.failures += sample.failures;
    pick_.endings.merge(sample.endings);
    pick_.failure_causes.merge(sample.failure_causes);
    return sample;
  }

  [[nodiscard]] IncumbentComparison incumbent_beside() const {
    const Point& point = *study_.beginning.incumbent;
    IncumbentComparison comparison{.point = point, .recommended = pick_.point == point};
    comparison.true_value = true_value_of(objective_, point);
    return comparison;
  }

  /// How sure it is which candidate is the best, by all fresh payoffs.
  void judge(std::size_t winner) {
    std::vector<Candidate>& candidates = pick_.comparison.candidates;
    std::vector<MeasuredPoint> measured;
    for (const Candidate& candidate : candidates) {
      MeasuredPoint& point = measured.emplace_back(MeasuredPoint{.common = candidate.common});
      if (candidate.common.empty()) point.alone = candidate.payoffs;
    }
    const bool same_instances = study_.instances.test.empty();
    if (objective_.payoffs().noisy && same_instances)
      measured[winner].alone.merge(pick_.hold_out.payoffs);
    const auto found = standings(measured, payoff_range(objective_), rng_.stream("standings"));
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
  Parallel& parallel_;
  const Objective& objective_;
  const RunPlan& plan_;
  std::span<const RunRecord> runs_;  ///< of the repeat
  Rng rng_;
  EvaluationKey key_;
  Pick& pick_;
};

}  // namespace

void choose_recommendation(Evaluator& evaluator, Parallel& parallel, std::uint32_t cell_index,
                           const CellResult& cell, Pick& pick) {
  FinalChoice(evaluator, parallel, cell_index, cell, pick).choose();
}

}  // namespace ntune
