#include "ntune/study/staged_search.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ntune {

std::unique_ptr<Optimiser> make_optimiser(const RunTask& task, const RunStage& stage,
                                          const FailurePolicy& on_failure) {
  const Payoffs payoffs = task.objective->payoffs();
  const OptimiserPlan& plan = stage.plan != nullptr ? *stage.plan : *task.optimiser;
  // Prior observations are of the space of today.
  const auto prior = stage.space == nullptr ? task.beginning->prior.told : nullptr;
  const OptimiserMaker make = stage.adaptive ? multi_start_of(plan).make : plan.make;
  return make({.space = stage.space != nullptr ? stage.space : &task.objective->space(),
               .budget = stage.iterations,
               .payoff_low = payoffs.low,
               .payoff_high = payoffs.high,
               .noisy = payoffs.noisy,
               .prior = prior,
               .fail_limit = on_failure.recommended});
}

StagedSearch::StagedSearch(const RunTask& task, Evaluator& evaluator, RunRecord& record)
    : task_(task),
      evaluator_(evaluator),
      record_(record),
      counter_(evaluator.progress(), evaluator.backend().threaded()),
      failures_(task, evaluator) {}

bool StagedSearch::carry_out(std::size_t index) {
  const bool last = index == task_.earlier.size();
  const RunStage stage = last ? RunStage{.iterations = task_.iterations} : task_.earlier[index];
  if (!last && recall(stage)) return true;
  Rng rng = index == 0 ? task_.stream.stream("optimiser") : task_.stream.stream("stage", index);
  view_.optimiser = nullptr;
  optimiser_ = make_optimiser(task_, stage, evaluator_.study().execution.on_failure);
  view_.optimiser = optimiser_.get();
  std::optional<WidenedSpace> widen;
  if (stage.space != nullptr) widen.emplace(*stage.space, task_.objective->space());
  adopt_history(widen ? &*widen : nullptr, rng);
  return search(stage, widen ? &*widen : nullptr, rng);
}

void StagedSearch::finish() {
  record_.evaluations = told_;
  failures_.finish(record_);
}

/// Takes a stage that is recorded as a whole from the log, so that nobody need ask again.
bool StagedSearch::recall(const RunStage& stage) {
  std::vector<Point> points;
  for (std::int64_t left = stage.iterations - told_; left > 0;) {
    const auto index = std::ssize(history_) + std::ssize(points);
    const EvaluationKey key{
        .cell = task_.cell, .repeat = task_.repeat, .run = task_.run, .index = index};
    const auto recorded = evaluator_.recorder().recorded(key);
    if (!recorded) return false;
    points.push_back(recorded->point);
    left -= recorded->cost;
  }
  for (const Point& point : points) {
    auto evaluated =
        evaluator_.evaluate(search_request(task_, std::ssize(history_), point, nullptr));
    if (!evaluated) return false;
    take({point, point, *std::move(evaluated)}, stage);
  }
  return true;
}

/// Tells a new optimiser what is known.
void StagedSearch::adopt_history(const WidenedSpace* widen, Rng& rng) {
  for (const Told& told : history_) {
    const Point point = widen == nullptr ? told.point : widen->narrowed(told.point);
    optimiser_->adopt(point, rng);
    for (const double payoff : told.payoffs) optimiser_->tell(point, payoff);
    if (told.failed) optimiser_->fail(point);
  }
}

bool StagedSearch::search(const RunStage& stage, const WidenedSpace* widen, Rng& rng) {
  static const std::vector<Point> kNoStarts;
  const auto& starts = stage.has_starts ? task_.beginning->starts : kNoStarts;
  EvaluationWindow window(task_, *optimiser_, view_, evaluator_, starts, widen,
                          std::ssize(history_));
  while (told_ < stage.iterations) {
    if (counter_.stopped()) return false;
    std::int64_t left = stage.iterations - told_;
    if (view_.payoffs > 0 && optimiser_->done()) left = std::min(left, window.in_flight());
    if (left == 0) break;
    const std::optional<Answer> answer = window.next(rng, left);
    if (!answer) return false;
    const Evaluated& evaluated = answer->evaluated;
    evaluated.for_each(left, [&](double payoff) { optimiser_->tell(answer->asked, payoff); });
    if (evaluated.skipped && learns()) optimiser_->fail(answer->asked);
    take(*answer, stage);
  }
  window.take_offered();
  return true;
}

/// Counts an evaluation, and keeps it for the stages to come.
void StagedSearch::take(const Answer& answer, const RunStage& stage) {
  const std::int64_t left = stage.iterations - told_;
  const Evaluated& evaluated = answer.evaluated;
  Told told{.point = answer.point, .failed = evaluated.skipped && learns()};
  evaluated.for_each(left, [&](double payoff) {
    told.payoffs.push_back(payoff);
    ++view_.payoffs;
  });
  if (!task_.earlier.empty()) history_.push_back(std::move(told));
  failures_.add(answer, record_);
  const std::int64_t used = std::min(left, evaluated.cost());
  told_ += used;
  counter_.count(used);
}

}  // namespace ntune
