#include "ntune/study/run.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "ntune/core/clock.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/failure_cause.h"
#include "ntune/study/evaluator.h"
#include "ntune/study/re_evaluation.h"

namespace ntune {

EvaluationCounter::EvaluationCounter(StudyProgress& progress)
    : progress_(progress), last_flush_ns_(clock_nanoseconds()) {}

void EvaluationCounter::count(std::int64_t evaluations) {
  pending_ += evaluations;
  if (pending_ >= batch_) flush();
}

void EvaluationCounter::flush() {
  constexpr std::int64_t kFast = 10'000'000;
  constexpr std::int64_t kLargestBatch = 1024;
  progress_.evaluations += pending_;
  pending_ = 0;
  const std::int64_t now = clock_nanoseconds();
  batch_ = now - last_flush_ns_ < kFast ? std::min(2 * batch_, kLargestBatch) : 1;
  last_flush_ns_ = now;
}

namespace {

/// A point that a run has asked for, with what its evaluation has brought.
struct Answer {
  Point point;
  Evaluated evaluated;
};

/// Counts the failures of a run's search, and ends the study if there are too many.
class SearchFailures {
 public:
  SearchFailures(const RunTask& task, Evaluator& evaluator)
      : task_(task), recorder_(evaluator.recorder()), limit_(recorder_.failure_limit()) {}

  /// Takes the next answer, in the order of the asks.
  void add(const Answer& answer, RunRecord& record) {
    const Evaluated& evaluated = answer.evaluated;
    by_value_.add(task_.objective->space(), answer.point, evaluated.failed);
    if (evaluated.failed) {
      ++record.failures;
      record.failure_statistics.causes.add(failure_cause(evaluated.failure));
    }
    if (!limit_.add(evaluated.failed)) return;
    const EvaluationKey key{.cell = task_.cell, .repeat = task_.repeat, .run = task_.run};
    recorder_.end_study(
        limit_,
        {.key = key, .objective = task_.objective, .point = &answer.point, .stream = task_.stream},
        evaluated);
  }
  /// To be called after the last answer.
  void finish(RunRecord& record) const {
    if (record.failures > 0) record.failure_statistics.by_value = by_value_;
  }

 private:
  const RunTask& task_;
  EvaluationRecorder& recorder_;
  FailureLimit limit_;
  FailuresByValue by_value_;
};

/// The evaluations of one run that are in flight, oldest first.
class Window {
 public:
  Window(const RunTask& task, Optimiser& optimiser, RunView& view, Evaluator& evaluator)
      : task_(task),
        optimiser_(optimiser),
        view_(view),
        evaluator_(evaluator),
        starts_(task.beginning->starts),
        width_(evaluator.study().execution.parallel_evaluations) {}

  /// Asks for points and returns the next answer, in the order of the asks. With several in flight,
  /// as many are asked for first as the window holds and the `left` evaluations allow. Nothing if
  /// stopped.
  std::optional<Answer> next(Rng& rng, std::int64_t left) {
    if (evaluator_.one_by_one()) {
      take_offered();
      const Point point = ask(rng);
      return answer(point, evaluator_.evaluate(request(point)));
    }
    while (std::ssize(in_flight_) < std::min(width_, left) && may_ask()) {
      take_offered();
      const Point asked = ask(rng);
      if (width_ > 1) optimiser_.add_pending(asked);
      in_flight_.push_back({request(asked), asked});
    }
    start(left);
    const Point point = in_flight_.front().point;
    std::optional<Evaluated> evaluated = in_flight_.front().evaluation->wait();
    in_flight_.pop_front();
    if (width_ > 1) optimiser_.remove_pending(point);
    if (evaluated && !evaluated->failed) most_payoffs_ = std::max(most_payoffs_, evaluated->cost());
    return answer(point, std::move(evaluated));
  }

  [[nodiscard]] std::int64_t in_flight() const { return std::ssize(in_flight_); }

  /// Tells what was offered before the next evaluation is asked for.
  void take_offered() {
    const OfferedObservations* list = evaluator_.recorder().offered();
    if (list == nullptr) return;
    const Study& study = evaluator_.study();
    for (; offered_ < list->size() && (*list)[offered_].known_before(key(view_.asked));
         ++offered_) {
      const OfferedObservation& offered = (*list)[offered_];
      if (study.objective_of(offered.key.cell) != study.objective_of(task_.cell)) continue;
      Rng rng = task_.stream.stream("offered", offered_);
      for (const double payoff : offered.payoffs) {
        optimiser_.adopt(offered.point, rng);
        optimiser_.tell(offered.point, payoff);
        ++view_.payoffs;
      }
    }
  }

 private:
  struct Asked {
    Request request;
    Point point;
    std::unique_ptr<Evaluator::Started> evaluation = {};  ///< nullptr: not started yet
  };

  /// Starts what has been asked for and is needed for `left` payoffs, as far as that is known: a
  /// call may bring as many as any before it, and the first one shows how many that is.
  void start(std::int64_t left) {
    const bool several = task_.objective->payoffs().several;
    const std::int64_t expected = !several ? 1 : most_payoffs_ > 0 ? most_payoffs_ : left;
    for (Asked& asked : in_flight_) {
      if (left <= 0) return;
      left -= expected;
      if (asked.evaluation) continue;
      asked.request.point = &asked.point;
      asked.evaluation = evaluator_.submit(asked.request);
    }
  }

  /// The next start, or else what the optimiser asks for.
  Point ask(Rng& rng) {
    if (view_.asked >= std::ssize(starts_)) return optimiser_.ask(rng);
    const Point& start = starts_[static_cast<std::size_t>(view_.asked)];
    optimiser_.adopt(start, rng);
    return start;
  }

  /// Optimisers are told of what they have adopted before they ask for anything.
  [[nodiscard]] bool may_ask() const {
    return view_.asked < std::ssize(starts_) || view_.asked - in_flight() >= std::ssize(starts_);
  }

  static std::optional<Answer> answer(const Point& point, std::optional<Evaluated> evaluated) {
    if (!evaluated) return std::nullopt;
    return Answer{point, *std::move(evaluated)};
  }

  [[nodiscard]] EvaluationKey key(std::int64_t index) const {
    return {.cell = task_.cell, .repeat = task_.repeat, .run = task_.run, .index = index};
  }

  Request request(const Point& point) {
    const std::int64_t index = view_.asked++;
    return {.key = key(index),
            .objective = task_.objective,
            .point = &point,
            .stream = task_.stream.stream("evaluation", static_cast<std::uint64_t>(index)),
            .view = &view_};
  }

  const RunTask& task_;
  Optimiser& optimiser_;
  RunView& view_;
  Evaluator& evaluator_;
  const std::vector<Point>& starts_;
  std::int64_t width_;
  std::int64_t most_payoffs_ = 0;  ///< that a call has brought
  std::size_t offered_ = 0;        ///< observations taken
  std::deque<Asked> in_flight_;
};

std::unique_ptr<Optimiser> make_optimiser(const RunTask& task, const FailurePolicy& on_failure) {
  const Payoffs payoffs = task.objective->payoffs();
  return task.optimiser->make({.space = &task.objective->space(),
                               .budget = task.iterations,
                               .payoff_low = payoffs.low,
                               .payoff_high = payoffs.high,
                               .noisy = payoffs.noisy,
                               .prior = task.beginning->prior.told,
                               .fail_limit = on_failure.recommended});
}

/// Takes down what the optimiser recommends, in the reported unit.
void recommend(const RunTask& task, const Optimiser& optimiser, RunRecord& record) {
  const Unit unit = task.objective->unit();
  const Recommendation recommendation = optimiser.recommend();
  record.point = recommendation.point;
  record.estimate = unit.value_of(recommendation.estimate);
  record.point_evaluations = recommendation.evaluations;
  record.certainty = optimiser.certainty();
  if (record.certainty) record.certainty->sd *= unit.size();
  record.true_value = true_value_of(*task.objective, recommendation.point);
  record.score = record.true_value;
  record.set_aside = {optimiser.set_aside()};
  record.finished = true;
}

/// Measures what the run recommends by fresh evaluations.
void hold_out(const RunTask& task, Evaluator& evaluator, Parallel& parallel, RunRecord& record) {
  const EvaluationKey key{
      .cell = task.cell, .stage = Stage::kHoldOut, .repeat = task.repeat, .run = task.run};
  const Sample sample = draw_sample(
      evaluator, *task.objective, record.point, task.hold_out, key,
      [&](std::uint64_t i) { return task.stream.stream("hold-out", i); }, parallel);
  record.hold_out.payoffs = stats_of(sample.payoffs);
  record.hold_out.evaluations = sample.evaluations;
  record.failures += sample.failures;
  record.failure_statistics.causes.merge(sample.failure_causes);
  record.finished = !sample.stopped;
  if (!record.score && !sample.payoffs.empty()) {
    record.score = task.objective->unit().value_of(record.hold_out.payoffs.mean());
  }
}

}  // namespace

RunTask make_run_task(const Study& study, std::uint32_t cell, std::int64_t repeat,
                      std::int64_t run) {
  const std::size_t objective = study.objective_of(cell);
  const RunPlan& plan = study.plans[study.plan_of(cell)];
  const StudyOptimiser& optimiser = study.optimisers[study.optimiser_of(cell)];
  return {.cell = cell,
          .repeat = repeat,
          .run = run,
          .objective = study.objectives[objective].objective.get(),
          .optimiser = &(plan.adaptive ? optimiser.adaptive : optimiser.plans)[objective],
          .iterations = plan.iterations,
          .hold_out = study.unit == SampleUnit::kRuns ? plan.hold_out : 0,
          .beginning = &study.beginning,
          .stream = Rng(study.seed)
                        .stream("run", static_cast<std::uint64_t>(repeat),
                                static_cast<std::uint64_t>(run))};
}

RunRecord run_once(const RunTask& task, Evaluator& evaluator, Parallel& parallel) {
  const std::unique_ptr<Optimiser> optimiser =
      make_optimiser(task, evaluator.study().execution.on_failure);
  RunRecord record{.repeat = task.repeat, .run = task.run};
  EvaluationCounter counter(evaluator.progress());
  RunView view{.optimiser = optimiser.get()};
  Window window(task, *optimiser, view, evaluator);
  SearchFailures failures(task, evaluator);
  Rng rng = task.stream.stream("optimiser");
  std::int64_t told = 0;
  while (told < task.iterations) {
    if (counter.stopped()) return record;
    std::int64_t left = task.iterations - told;
    if (view.payoffs > 0 && optimiser->done()) left = std::min(left, window.in_flight());
    if (left == 0) break;
    const std::optional<Answer> answer = window.next(rng, left);
    if (!answer) return record;
    answer->evaluated.for_each(left, [&](double payoff) {
      optimiser->tell(answer->point, payoff);
      ++view.payoffs;
    });
    if (answer->evaluated.skipped) optimiser->fail(answer->point);
    failures.add(*answer, record);
    const std::int64_t used = std::min(left, answer->evaluated.cost());
    told += used;
    counter.count(used);
  }
  window.take_offered();
  record.evaluations = told;
  failures.finish(record);
  if (view.payoffs == 0) return record;
  recommend(task, *optimiser, record);
  if (task.hold_out > 0) hold_out(task, evaluator, parallel, record);
  return record;
}

}  // namespace ntune
