#include "ntune/study/evaluation/fresh_sample.h"

#include <algorithm>

#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/model/incumbent.h"

namespace ntune {

void Sample::append(const Sample& next) {
  payoffs.insert(payoffs.end(), next.payoffs.begin(), next.payoffs.end());
  call_of.insert(call_of.end(), next.call_of.begin(), next.call_of.end());
  games_of.insert(games_of.end(), next.games_of.begin(), next.games_of.end());
  games.add(next.games);
  evaluations += next.evaluations;
  failures += next.failures;
  skipped_calls.insert(skipped_calls.end(), next.skipped_calls.begin(), next.skipped_calls.end());
  failure_causes.merge(next.failure_causes);
  endings.merge(next.endings);
  cost += next.cost;
  calls += next.calls;
  stopped = stopped || next.stopped;
}

std::map<std::int64_t, PayoffOfGames> Sample::by_call() const {
  std::map<std::int64_t, RunningStats> payoffs_of;
  std::map<std::int64_t, PayoffOfGames> found;
  for (std::size_t i = 0; i < payoffs.size(); ++i) {
    payoffs_of[call_of[i]].add(payoffs[i]);
    if (i < games_of.size()) found[call_of[i]].games += games_of[i];
  }
  for (const auto& [call, values] : payoffs_of) found[call].payoff = values.mean();
  return found;
}

std::vector<PayoffOfGames> Sample::by_games() const {
  std::vector<PayoffOfGames> list;
  for (std::size_t i = 0; i < payoffs.size(); ++i) {
    list.push_back({payoffs[i], i < games_of.size() ? games_of[i] : 0.0});
  }
  return list;
}

MeanSample differences_of(const Sample& first, const Sample& second) {
  const auto seconds = second.by_call();
  std::vector<PayoffOfGames> ours;
  std::vector<PayoffOfGames> theirs;
  RunningStats differences;
  for (const auto& [call, payoff] : first.by_call()) {
    const auto other = seconds.find(call);
    if (other == seconds.end()) continue;
    ours.push_back(payoff);
    theirs.push_back(other->second);
    differences.add(rounded_difference(payoff.payoff, other->second.payoff));
  }
  MeanSample sample = differences;
  if (are_of_unequal_games(ours) || are_of_unequal_games(theirs)) {
    sample.mean = difference_by_games(ours, theirs);
  }
  return sample;
}

Sample draw_sample(Evaluator& evaluator, const Objective& objective, const Point& point,
                   std::int64_t evaluations, EvaluationKey key,
                   const std::function<Rng(std::uint64_t)>& stream_of, Parallel& parallel,
                   double cap) {
  Sample sample;
  FailureLimit limit = evaluator.recorder().failure_limit();
  // Candidates and a declared default may fail as they like: that says nothing of the study.
  const bool judged = key.stage == Stage::kHoldOut && key.run > kIncumbentRun;
  const std::int64_t first = key.index;
  // How many payoffs a call brings shows when the first one is back.
  std::int64_t per_call = 1;
  std::int64_t calls = objective.payoffs().several ? 1 : evaluations;
  while (sample.evaluations < evaluations) {
    const std::int64_t base = first + sample.calls;
    const bool done = evaluator.evaluate_all(
        static_cast<std::size_t>(calls),
        [&](std::size_t i) {
          EvaluationKey numbered = key;
          numbered.index = base + static_cast<std::int64_t>(i);
          return Request{.key = numbered,
                         .objective = &objective,
                         .point = &point,
                         .stream = stream_of(static_cast<std::uint64_t>(numbered.index)),
                         .cap = cap};
        },
        [&](std::size_t i, const Evaluated& evaluated) {
          if (evaluator.allowance().is_limited()) {
            evaluator.allowance().show(evaluated.cost.value_or(0.0));
          }
          const std::int64_t left = evaluations - sample.evaluations;
          if (left == 0) return;  // calls before it have brought more than expected
          // All payoffs of a call count, as all of its games do.
          evaluated.for_each(evaluated.evaluations(),
                             [&](double payoff) { sample.payoffs.push_back(payoff); });
          sample.games.add(evaluated.games);
          sample.endings.add(evaluated.ending, evaluated.games);
          sample.cost += evaluated.cost.value_or(0.0);
          sample.call_of.resize(sample.payoffs.size(), base + static_cast<std::int64_t>(i));
          sample.games_of.resize(sample.payoffs.size(),
                                 evaluated.games.games_each(evaluated.evaluations()));
          if (evaluated.failed()) {
            ++sample.failures;
            if (evaluated.skipped) {
              sample.skipped_calls.push_back(base + static_cast<std::int64_t>(i));
            }
            sample.failure_causes.add_failure(evaluated.failure);
          }
          if (judged && limit.add(evaluated.failed())) {
            evaluator.recorder().end_study(
                limit,
                {.key = key, .objective = &objective, .point = &point, .stream = stream_of(0)},
                evaluated);
          }
          sample.evaluations += std::min(left, evaluated.evaluations());
          per_call = std::max(per_call, evaluated.evaluations());
        },
        parallel);
    if (!done) return {.stopped = true};
    sample.calls += calls;
    calls = (evaluations - sample.evaluations + per_call - 1) / per_call;
  }
  return sample;
}

}  // namespace ntune
