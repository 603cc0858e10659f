#include "ntune/study/final_choice.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluator.h"
#include "ntune/study/fresh_sample.h"
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
        re_evaluate(evaluator_, objective_, candidates, comparison_size(), key_, rng_, parallel_);
    take_winner(candidates[winner]);
    for (const Candidate& candidate : candidates) pick_.cost += candidate.cost;
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
      pick_.estimate = objective_.unit().value_of(best.payoffs.mean());
    } else {
      pick_.estimate = objective_.unit().direction() * best.estimate;
      pick_.certainty = runs_[static_cast<std::size_t>(best.model_run)].certainty;
    }
    pick_.comparison.payoffs = best.payoffs;
    pick_.true_value = true_value_of(objective_, best.point);
  }

  /// The plan as the limits of the study make it, with what the searches have used.
  [[nodiscard]] RunPlan limited_plan() const {
    std::int64_t search = 0;
    for (const RunRecord& run : runs_) search += run.evaluations;
    // As many in all as would have led to such a search.
    RunPlan plan = plan_within(study_, 2 * search + 1);
    for (std::int64_t low = search, high = 2 * search + 1; high - low > 1;) {
      const std::int64_t middle = low + (high - low) / 2;
      const RunPlan tried = plan_within(study_, middle);
      (tried.search() >= search ? high : low) = middle;
      if (tried.search() >= search) plan = tried;
    }
    return plan;
  }

  [[nodiscard]] RunPlan made() const {
    RunPlan plan = made_;
    plan.runs = plan_.runs;
    plan.iterations = 0;
    for (const RunRecord& run : runs_) plan.iterations = std::max(plan.iterations, run.evaluations);
    return plan;
  }

  [[nodiscard]] double mean_cost() const {
    RunUsage all;
    for (const RunRecord& run : runs_) all.add(run.usage);
    return all.mean_cost();
  }

  /// Cost of all evaluations so far.
  [[nodiscard]] double spent() const {
    double sum = pick_.cost;
    for (const RunRecord& run : runs_) sum += run.usage.cost;
    return sum;
  }

  /// How many evaluations compare the candidates.
  std::int64_t comparison_size() {
    if (!evaluator_.allowance().is_limited()) return plan_.re_evaluation;
    const RunPlan plan = limited_plan();
    made_.re_evaluation = plan.re_evaluation;
    if (plan.re_evaluation == 0) return 0;
    EvaluationKey key = key_;
    key.stage = Stage::kReEvaluation;
    FreshAllowance allowance(evaluator_.allowance(), key, 1);
    made_.re_evaluation = allowance.next(plan.re_evaluation, spent(), mean_cost(),
                                         study_.points_held_out(plan) * plan.hold_out);
    return made_.re_evaluation;
  }

  /// The recommendation and the default, on the same streams. Within limits bit by bit, so that
  /// both are held out as often as is left for.
  void hold_out() {
    constexpr std::int64_t kParts = 4;
    const bool limited = evaluator_.allowance().is_limited();
    const std::int64_t most = limited ? limited_plan().hold_out : plan_.hold_out;
    const bool beside = study_.beginning.incumbent && pick_.point != *study_.beginning.incumbent;
    EvaluationKey key = key_;
    key.stage = Stage::kHoldOut;
    FreshAllowance allowance(evaluator_.allowance(), key, beside ? 2 : 1);
    std::int64_t part = limited ? (most + kParts - 1) / kParts : most;
    if (study_.limits.seconds) part = std::max(part, evaluator_.allowance().at_once());
    Sample sample;
    Sample other;
    for (std::int64_t done = 0; done < most && !stop_;) {
      const std::int64_t count = allowance.next(std::min(part, most - done), spent(), mean_cost());
      if (count == 0) break;
      draw(pick_.point, key, count, sample);
      EvaluationKey other_key = key;
      other_key.run = kIncumbentRun;
      if (beside && !sample.stopped) draw(*study_.beginning.incumbent, other_key, count, other);
      done += count;
      made_.hold_out = done;
    }
    measure(sample, pick_.hold_out);
    if (!study_.beginning.incumbent || sample.stopped) return;
    IncumbentComparison comparison = incumbent_beside();
    if (comparison.recommended) {
      comparison.hold_out = pick_.hold_out;
      comparison.hold_out.evaluations = 0;
    } else {
      measure(other, comparison.hold_out);
    }
    comparison.differences = paired_differences(study_, key, sample, other);
    conclude(objective_, comparison);
    if (!study_.instances.aggregate.is_mean() && !comparison.recommended) {
      conclude_by_aggregate(study_, objective_, key, sample, other, rng_, comparison);
    }
    if (meets_itself(other)) set_level(comparison);
    pick_.incumbent = comparison;
  }

  /// True if every evaluation is a match against this point, so that it brought no games.
  [[nodiscard]] bool meets_itself(const Sample& sample) const {
    return is_external(objective_) && objective_.matches() != nullptr && sample.games.empty() &&
           !sample.payoffs.empty();
  }

  /// The default is worth 1/2 by definition: nothing was spent on it, and the difference is as
  /// sure as the recommendation's value.
  void set_level(IncumbentComparison& comparison) const {
    comparison.hold_out.evaluations = 0;
    const double level = objective_.unit().value_of(comparison.hold_out.payoffs.mean());
    comparison.hold_out.interval = Interval{level, level};
    if (!pick_.hold_out.interval) return;
    const Interval difference{pick_.hold_out.interval->low - level,
                              pick_.hold_out.interval->high - level};
    comparison.interval = difference;
    if (comparison.finding == IncumbentFinding::kKeep) return;
    const bool shown = objective_.unit().is_cost() ? difference.high < 0.0 : difference.low > 0.0;
    comparison.finding = shown ? IncumbentFinding::kBetter : IncumbentFinding::kNotShown;
  }

  /// So many fresh evaluations of a point more; call i of every point has the same stream.
  void draw(const Point& point, EvaluationKey key, std::int64_t count, Sample& sample) {
    key.index = sample.calls;
    const double cost = sample.cost;
    sample.append(draw_sample(
        evaluator_, objective_, point, count, key,
        [&](std::uint64_t i) { return rng_.stream("hold-out", i); }, parallel_));
    pick_.cost += sample.cost - cost;
  }

  void measure(const Sample& sample, HoldOut& held_out) {
    held_out.payoffs = stats_of(sample.payoffs);
    held_out.evaluations = sample.evaluations;
    held_out.games = sample.games;
    held_out.endings = sample.endings;
    held_out.interval = payoff_interval(objective_, held_out.payoffs);
    EvaluationKey key = key_;
    key.stage = Stage::kHoldOut;
    measure_instances(study_, objective_, key, sample, rng_, held_out);
    pick_.failures += sample.failures;
    pick_.endings.merge(sample.endings);
    pick_.failure_causes.merge(sample.failure_causes);
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
  RunPlan made_;  ///< what a study with limits has come to
  Pick& pick_;
};

}  // namespace

void choose_recommendation(Evaluator& evaluator, Parallel& parallel, std::uint32_t cell_index,
                           const CellResult& cell, Pick& pick) {
  FinalChoice(evaluator, parallel, cell_index, cell, pick).choose();
}

}  // namespace ntune
