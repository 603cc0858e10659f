#include "ntune/study/choice/re_evaluation.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <numeric>
#include <span>

#include "ntune/study/evaluation/capping.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/evaluation/fresh_sample.h"
#include "ntune/study/evaluation/instance_values.h"

namespace ntune {

namespace {

/// Evaluates every kept candidate `repeats` more times, all in parallel.
class Comparison {
 public:
  Comparison(Evaluator& evaluator, const Objective& objective, std::vector<Candidate>& candidates,
             EvaluationKey key, const Rng& rng, Parallel& parallel)
      : evaluator_(evaluator),
        objective_(objective),
        candidates_(candidates),
        calls_(candidates.size(), 0),
        key_(key),
        rng_(rng),
        parallel_(parallel) {
    key_.stage = Stage::kReEvaluation;
  }

  void evaluate(std::span<const std::size_t> kept, std::int64_t repeats) {
    if (!evaluator_.backend().threaded()) {
      for (const std::size_t candidate : kept) draw(candidate, repeats);
    } else {
      parallel_.for_each(kept.size(), [&](std::size_t i) { draw(kept[i], repeats); });
    }
  }

  /// The same, but ends what cannot be among the best `stay` any more. `kept` begins with the most
  /// promising candidates.
  void evaluate_capped(std::span<const std::size_t> kept, std::int64_t repeats, std::size_t stay) {
    evaluate(kept.first(stay), repeats);
    const auto evaluations = calls_[kept.front()];
    CapBound bound(stay, evaluations);
    const auto cost = [&](const RunningStats& payoffs) {
      return objective_.unit().value_of(payoffs.mean());
    };
    for (const std::size_t index : kept.first(stay)) {
      const Candidate& candidate = candidates_[index];
      if (candidate.payoffs.count() > 0) bound.add_whole(cost(candidate.payoffs));
    }
    for (const std::size_t index : kept.subspan(stay)) {
      Candidate& candidate = candidates_[index];
      draw_capped(index, evaluations, bound);
      if (evaluator_.progress().stop) return;
      if (!candidate.stopped && candidate.payoffs.count() > 0) {
        bound.add_whole(cost(candidate.payoffs));
      }
    }
  }

 private:
  /// In waves that grow, so that a cap knows the costs of the waves before, and evaluations of one
  /// wave are made at once.
  void draw_capped(std::size_t index, std::int64_t evaluations, const CapBound& bound) {
    constexpr std::int64_t kLargestWave = 16;
    Candidate& candidate = candidates_[index];
    const std::int64_t first = calls_[index];
    while (calls_[index] < evaluations) {
      const double most = left(index, bound);
      candidate.stopped = most <= 0.0;
      if (candidate.stopped || evaluator_.progress().stop) return;
      const std::int64_t done = calls_[index] - first;
      const std::int64_t wave = std::clamp<std::int64_t>(done, 1, kLargestWave);
      draw(index, std::min(wave, evaluations - calls_[index]), most);
    }
    candidate.stopped = left(index, bound) <= 0.0;
  }

  [[nodiscard]] double left(std::size_t index, const CapBound& bound) const {
    const RunningStats& payoffs = candidates_[index].payoffs;
    const double mean = payoffs.count() > 0 ? objective_.unit().value_of(payoffs.mean()) : 0.0;
    return bound.left(mean * static_cast<double>(payoffs.count()), calls_[index] - payoffs.count());
  }

  void draw(std::size_t index, std::int64_t repeats, double cap = EvaluationId().cap) {
    Candidate& candidate = candidates_[index];
    EvaluationKey key = key_;
    key.run = candidate.run;
    key.index = calls_[index];
    const Sample sample = draw_sample(
        evaluator_, objective_, candidate.point, repeats, key,
        [&](std::uint64_t call) { return stream(index, call); }, parallel_, cap);
    if (sample.stopped) return;
    for (const double payoff : sample.payoffs) candidate.payoffs.add(payoff);
    candidate.games.add(sample.games);
    weigh(key, sample, candidate);
    if (shares_streams()) {
      for (const auto& [call, payoff] : sample.by_call()) {
        candidate.common.push_back({.stream = call, .payoff = payoff.payoff});
      }
    }
    candidate.evaluations += sample.evaluations;
    candidate.failures += sample.failures;
    candidate.failure_causes.merge(sample.failure_causes);
    candidate.endings.merge(sample.endings);
    candidate.cost += sample.cost;
    calls_[index] += sample.calls;
  }

  /// Instances by their weights, games alike.
  void weigh(const EvaluationKey& key, const Sample& sample, Candidate& candidate) const {
    const Study& study = evaluator_.study();
    if (study.instances.empty()) {
      const auto games = sample.by_games();
      candidate.by_games.insert(candidate.by_games.end(), games.begin(), games.end());
      if (are_of_unequal_games(candidate.by_games)) {
        candidate.stratified = mean_by_games(candidate.by_games);
      }
      return;
    }
    const auto stats = stats_by_instance(payoffs_by_instance(study, key, sample));
    candidate.by_instance.resize(stats.size());
    for (std::size_t i = 0; i < stats.size(); ++i) candidate.by_instance[i].merge(stats[i]);
    candidate.stratified = weighted_mean(study.instances.of(key.stage), candidate.by_instance).mean;
  }

  [[nodiscard]] bool shares_streams() const {
    return evaluator_.study().re_evaluation.common_random_numbers;
  }

  [[nodiscard]] Rng stream(std::size_t candidate, std::uint64_t call) const {
    if (shares_streams()) return rng_.stream("common", call);
    // The place of a candidate may change when a study goes on, its run does not.
    if (!evaluator_.study().earlier.empty()) {
      return rng_.stream("of run", static_cast<std::uint64_t>(candidates_[candidate].run), call);
    }
    return rng_.stream("own", candidate, call);
  }

  Evaluator& evaluator_;
  const Objective& objective_;
  std::vector<Candidate>& candidates_;
  std::vector<std::int64_t> calls_;  ///< per candidate
  EvaluationKey key_;
  const Rng& rng_;
  Parallel& parallel_;
};

/// A candidate whose evaluations have all failed comes last, and one whose failures have a value
/// and are more than `fail_limit`.
double rank(const Study& study, const Objective& objective, const Candidate& candidate,
            bool capped) {
  constexpr double kLast = -std::numeric_limits<double>::infinity();
  if (candidate.payoffs.count() == 0) return kLast;
  // What its failures count as is no reason to take it.
  const FailurePolicy& on_failure = study.execution.on_failure;
  const double allowed = on_failure.recommended * static_cast<double>(candidate.evaluations);
  const bool valued = on_failure.kind == FailurePolicy::Kind::kValue && study.learn_from_penalties;
  if (valued && static_cast<double>(candidate.failures) > allowed) return kLast;
  if (capped) return candidate.payoffs.mean();
  if (study.instances.empty() || study.instances.aggregate.is_mean()) {
    return candidate.sample().mean.mean();
  }
  return aggregate_payoff(study.instances.aggregate, objective.unit(), study.instances.train,
                          candidate.by_instance)
      .value_or(kLast);
}

/// The candidates by what is known of them so far, the best first.
std::vector<std::size_t> promising(std::vector<std::size_t> kept,
                                   const std::vector<Candidate>& candidates) {
  std::ranges::stable_sort(kept, std::ranges::greater(), [&](std::size_t i) {
    return candidates[i].payoffs.count() > 0 ? candidates[i].payoffs.mean()
                                             : candidates[i].estimate;
  });
  return kept;
}

std::int64_t rounds_for(std::size_t candidates) {
  return candidates < 2 ? 1 : static_cast<std::int64_t>(std::bit_width(candidates - 1));
}

}  // namespace

std::size_t re_evaluate(Evaluator& evaluator, const Objective& objective,
                        std::vector<Candidate>& candidates, std::int64_t evaluations,
                        EvaluationKey key, const Rng& rng, Parallel& parallel) {
  const ReEvaluationOptions& options = evaluator.study().re_evaluation;
  const std::atomic<bool>& stop = evaluator.progress().stop;
  const bool noisy = objective.payoffs().noisy;
  const bool halving = noisy && options.method == ReEvaluationMethod::kSequentialHalving;
  const bool none = options.method == ReEvaluationMethod::kNone;
  const bool capped = options.capping && can_be_capped(objective) &&
                      evaluator.study().instances.aggregate.is_mean();
  std::vector<std::size_t> kept(candidates.size());
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  std::ranges::stable_sort(kept, std::ranges::greater(),
                           [&](std::size_t i) { return candidates[i].estimate; });
  const auto needed = [&](std::size_t count) {
    return static_cast<std::int64_t>(count) * (halving ? rounds_for(count) : 1);
  };
  while (kept.size() > 1 && (none || needed(kept.size()) > evaluations)) kept.pop_back();
  const std::size_t by_estimate = kept.front();
  if (kept.size() == 1) return by_estimate;

  Comparison comparison(evaluator, objective, candidates, key, rng, parallel);
  std::ranges::sort(kept);
  std::int64_t left = noisy ? evaluations : static_cast<std::int64_t>(kept.size());
  for (std::int64_t rounds = halving ? rounds_for(kept.size()) : 1; rounds > 0; --rounds) {
    const std::int64_t repeats = left / rounds / static_cast<std::int64_t>(kept.size());
    const std::size_t stay = rounds == 1 ? 1 : (kept.size() + 1) / 2;
    const std::vector<std::size_t> order = promising(kept, candidates);
    left -= repeats * static_cast<std::int64_t>(kept.size());
    if (capped && repeats > 0) {
      comparison.evaluate_capped(order, repeats, stay);
    } else {
      comparison.evaluate(kept, repeats);
      if (halving && rounds == 1 && !stop) {
        comparison.evaluate(std::span(order).first(static_cast<std::size_t>(left)), 1);
      }
    }
    std::ranges::stable_sort(kept, std::ranges::greater(), [&](std::size_t i) {
      return rank(evaluator.study(), objective, candidates[i], capped);
    });
    if (stop || rounds == 1) break;
    kept.resize(stay);
    std::ranges::sort(kept);
  }
  return candidates[kept.front()].payoffs.count() > 0 ? kept.front() : by_estimate;
}

}  // namespace ntune
