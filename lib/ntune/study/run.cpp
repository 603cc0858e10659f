#include "ntune/study/run.h"

#include <algorithm>
#include <chrono>

#include "ntune/study/evaluation.h"

namespace ntune {

namespace {

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

EvaluationCounter::EvaluationCounter(StudyProgress& progress)
    : progress_(progress), last_flush_ns_(now_ns()) {}

void EvaluationCounter::count() {
  if (++pending_ >= batch_) flush();
}

void EvaluationCounter::flush() {
  constexpr std::int64_t kFast = 10'000'000;
  constexpr std::int64_t kLargestBatch = 1024;
  progress_.evaluations += pending_;
  pending_ = 0;
  const std::int64_t now = now_ns();
  batch_ = now - last_flush_ns_ < kFast ? std::min(2 * batch_, kLargestBatch) : 1;
  last_flush_ns_ = now;
}

RunRecord run_once(const Objective& objective, const OptimiserPlan& plan, std::int64_t iterations,
                   const Rng& run, bool record, StudyProgress& progress) {
  const Payoffs payoffs = objective.payoffs();
  const std::unique_ptr<Optimiser> optimiser = plan.make({.space = &objective.space(),
                                                          .budget = iterations,
                                                          .payoff_low = payoffs.low,
                                                          .payoff_high = payoffs.high});
  RunRecord result;
  EvaluationCounter counter(progress);
  Rng own = run.stream("optimiser");
  for (std::int64_t i = 0; i < iterations; ++i) {
    if (counter.stopped()) return result;
    const Point point = optimiser->ask(own);
    const double payoff =
        evaluate_checked(objective, point, run.stream("evaluation", static_cast<std::uint64_t>(i)));
    optimiser->tell(point, payoff);
    if (record) result.trace.push_back({point, payoff});
    counter.count();
  }
  const Recommendation recommendation = optimiser->recommend();
  result.evaluations = iterations;
  result.point = recommendation.point;
  result.estimate = objective.value_of(recommendation.estimate);
  result.point_evaluations = recommendation.evaluations;
  result.true_value = objective.true_value(recommendation.point);
  result.finished = true;
  return result;
}

}  // namespace ntune
