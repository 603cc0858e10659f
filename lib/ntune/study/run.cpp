#include "ntune/study/run.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "ntune/core/clock.h"
#include "ntune/objective/capabilities.h"
#include "ntune/objective/failure_cause.h"
#include "ntune/space/widened_space.h"
#include "ntune/study/evaluator.h"
#include "ntune/study/re_evaluation.h"

namespace ntune {

EvaluationCounter::EvaluationCounter(StudyProgress& progress, bool batches)
    : progress_(progress), batches_(batches), last_flush_ns_(clock_nanoseconds()) {}

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
  batch_ = batches_ && now - last_flush_ns_ < kFast ? std::min(2 * batch_, kLargestBatch) : 1;
  last_flush_ns_ = now;
}

namespace {

/// A point that a run has asked for, with what its evaluation has brought.
struct Answer {
  Point asked;  ///< in the optimiser's space
  Point point;  ///< in the objective's
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

/// The search evaluation of a run with that index.
Request search_request(const RunTask& task, std::int64_t index, const Point& point,
                       const RunView* view) {
  return {.key = {.cell = task.cell, .repeat = task.repeat, .run = task.run, .index = index},
          .objective = task.objective,
          .point = &point,
          .stream = task.stream.stream("evaluation", static_cast<std::uint64_t>(index)),
          .view = view};
}

/// The evaluations of one run that are in flight, oldest first.
class Window {
 public:
  /// `widen` brings the optimiser's points into the objective's space; nullptr: they are its own.
  /// `first` is the index of the first evaluation.
  Window(const RunTask& task, Optimiser& optimiser, RunView& view, Evaluator& evaluator,
         const std::vector<Point>& starts, const WidenedSpace* widen, std::int64_t first)
      : task_(task),
        optimiser_(optimiser),
        view_(view),
        evaluator_(evaluator),
        starts_(starts),
        widen_(widen),
        width_(evaluator.study().execution.parallel_evaluations) {
    view_.asked = first;
  }

  /// Asks for points and returns the next answer, in the order of the asks. With several in flight,
  /// as many are asked for first as the window holds and the `left` evaluations allow. Nothing if
  /// stopped.
  std::optional<Answer> next(Rng& rng, std::int64_t left) {
    if (evaluator_.one_by_one()) {
      take_offered();
      const Point asked = ask(rng);
      const Point point = in_objective(asked);
      return answer(asked, point, evaluator_.evaluate(request(point)));
    }
    while (std::ssize(in_flight_) < std::min(width_, left) && may_ask()) {
      take_offered();
      const Point asked = ask(rng);
      if (width_ > 1) optimiser_.add_pending(asked);
      const Point point = in_objective(asked);
      in_flight_.push_back({request(point), asked, point});
    }
    start(left);
    const Point asked = in_flight_.front().asked;
    const Point point = in_flight_.front().point;
    std::optional<Evaluated> evaluated = in_flight_.front().evaluation->wait();
    in_flight_.pop_front();
    if (width_ > 1) optimiser_.remove_pending(asked);
    if (evaluated && !evaluated->failed) most_payoffs_ = std::max(most_payoffs_, evaluated->cost());
    return answer(asked, point, std::move(evaluated));
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
      const Point point = widen_ == nullptr ? offered.point : widen_->narrowed(offered.point);
      for (const double payoff : offered.payoffs) {
        optimiser_.adopt(point, rng);
        optimiser_.tell(point, payoff);
        ++view_.payoffs;
      }
    }
  }

 private:
  struct Asked {
    Request request;
    Point asked;
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
    const Point& given = starts_[static_cast<std::size_t>(view_.asked)];
    const Point start = widen_ == nullptr ? given : widen_->narrowed(given);
    optimiser_.adopt(start, rng);
    return start;
  }

  /// Optimisers are told of what they have adopted before they ask for anything.
  [[nodiscard]] bool may_ask() const {
    return view_.asked < std::ssize(starts_) || view_.asked - in_flight() >= std::ssize(starts_);
  }

  static std::optional<Answer> answer(const Point& asked, const Point& point,
                                      std::optional<Evaluated> evaluated) {
    if (!evaluated) return std::nullopt;
    return Answer{asked, point, *std::move(evaluated)};
  }

  [[nodiscard]] EvaluationKey key(std::int64_t index) const {
    return {.cell = task_.cell, .repeat = task_.repeat, .run = task_.run, .index = index};
  }

  Request request(const Point& point) {
    return search_request(task_, view_.asked++, point, &view_);
  }
  [[nodiscard]] Point in_objective(const Point& point) const {
    return widen_ == nullptr ? point : (*widen_)(point);
  }

  const RunTask& task_;
  Optimiser& optimiser_;
  RunView& view_;
  Evaluator& evaluator_;
  const std::vector<Point>& starts_;
  const WidenedSpace* widen_;
  std::int64_t width_;
  std::int64_t most_payoffs_ = 0;  ///< that a call has brought
  std::size_t offered_ = 0;        ///< observations taken
  std::deque<Asked> in_flight_;
};

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

/// The search of a run, stage by stage: each begins with a new optimiser, which adopts all that has
/// been evaluated before, and then goes on to the iterations of the stage.
class StagedSearch {
 public:
  StagedSearch(const RunTask& task, Evaluator& evaluator, RunRecord& record)
      : task_(task),
        evaluator_(evaluator),
        record_(record),
        counter_(evaluator.progress(), evaluator.backend().threaded()),
        failures_(task, evaluator) {}

  /// False if stopped.
  bool carry_out(std::size_t index) {
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

  /// To be called after the last stage.
  void finish() {
    record_.evaluations = told_;
    failures_.finish(record_);
  }

  [[nodiscard]] std::int64_t payoffs() const { return view_.payoffs; }
  /// Of the last stage.
  [[nodiscard]] const Optimiser& optimiser() const { return *optimiser_; }

 private:
  /// What has been evaluated, at a point of the objective's space.
  struct Told {
    Point point;
    std::vector<double> payoffs = {};
    bool failed = false;  ///< without a payoff
  };

  /// Takes a stage that is recorded as a whole from the log, so that nobody need ask again.
  bool recall(const RunStage& stage) {
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
  void adopt_history(const WidenedSpace* widen, Rng& rng) {
    for (const Told& told : history_) {
      const Point point = widen == nullptr ? told.point : widen->narrowed(told.point);
      optimiser_->adopt(point, rng);
      for (const double payoff : told.payoffs) optimiser_->tell(point, payoff);
      if (told.failed) optimiser_->fail(point);
    }
  }

  bool search(const RunStage& stage, const WidenedSpace* widen, Rng& rng) {
    static const std::vector<Point> kNoStarts;
    const auto& starts = stage.has_starts ? task_.beginning->starts : kNoStarts;
    Window window(task_, *optimiser_, view_, evaluator_, starts, widen, std::ssize(history_));
    while (told_ < stage.iterations) {
      if (counter_.stopped()) return false;
      std::int64_t left = stage.iterations - told_;
      if (view_.payoffs > 0 && optimiser_->done()) left = std::min(left, window.in_flight());
      if (left == 0) break;
      const std::optional<Answer> answer = window.next(rng, left);
      if (!answer) return false;
      const Evaluated& evaluated = answer->evaluated;
      evaluated.for_each(left, [&](double payoff) { optimiser_->tell(answer->asked, payoff); });
      if (evaluated.skipped) optimiser_->fail(answer->asked);
      take(*answer, stage);
    }
    window.take_offered();
    return true;
  }

  /// Counts an evaluation, and keeps it for the stages to come.
  void take(const Answer& answer, const RunStage& stage) {
    const std::int64_t left = stage.iterations - told_;
    const Evaluated& evaluated = answer.evaluated;
    Told told{.point = answer.point, .failed = evaluated.skipped};
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

  const RunTask& task_;
  Evaluator& evaluator_;
  RunRecord& record_;
  EvaluationCounter counter_;
  SearchFailures failures_;
  RunView view_;
  std::unique_ptr<Optimiser> optimiser_;
  std::vector<Told> history_;  ///< of a run with several stages
  std::int64_t told_ = 0;
};

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
                                static_cast<std::uint64_t>(run)),
          .earlier = earlier_stages_of(study, cell, repeat, run)};
}

RunRecord run_once(const RunTask& task, Evaluator& evaluator, Parallel& parallel) {
  RunRecord record{.repeat = task.repeat, .run = task.run};
  StagedSearch search(task, evaluator, record);
  for (std::size_t stage = 0; stage <= task.earlier.size(); ++stage) {
    if (!search.carry_out(stage)) return record;
  }
  search.finish();
  if (search.payoffs() == 0) return record;
  recommend(task, search.optimiser(), record);
  if (task.hold_out > 0) hold_out(task, evaluator, parallel, record);
  return record;
}

}  // namespace ntune
