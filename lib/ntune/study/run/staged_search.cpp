#include "ntune/study/run/staged_search.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ntune/core/statistics.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluation/capping.h"
#include "ntune/study/run/search_allowance.h"

namespace ntune {

namespace {

OptimiserPlan plan_of(const RunTask& task, const RunStage& stage) {
  const OptimiserPlan& plan = stage.plan != nullptr ? *stage.plan : *task.optimiser;
  return stage.adaptive ? multi_start_of(plan) : plan;
}

OptimiserContext context_of(const RunTask& task, const RunStage& stage, const Study& study,
                            bool blocks) {
  const Execution& execution = study.execution;
  const Payoffs payoffs = task.objective->payoffs();
  // Prior observations are of the space of today.
  const bool matches = are_duels(*task.objective);
  const auto prior = stage.space == nullptr ? task.beginning->prior.told : nullptr;
  return {.space = stage.space != nullptr ? stage.space : &task.objective->space(),
          .budget = stage.iterations,
          .payoff_low = payoffs.low,
          .payoff_high = payoffs.high,
          .noisy = payoffs.noisy,
          .ends_losers = can_be_capped(*task.objective, execution),
          .blocks = blocks,
          .matches = matches,
          .anchors = matches ? task.objective->matches()->anchors() : std::span<const Point>(),
          .anchor_weights =
              matches ? task.objective->matches()->anchor_weights() : std::span<const double>(),
          .incumbent = task.beginning->incumbent,
          .prior = prior,
          .fail_limit = execution.on_failure.recommended,
          .cost_exponent = study.cost_exponent};
}

/// The points of today in a narrower space. The context then looks at `anchors`.
void bring_into(const WidenedSpace& widen, OptimiserContext& context, std::vector<Point>& anchors) {
  if (context.incumbent) context.incumbent = widen.narrowed(*context.incumbent);
  for (const Point& anchor : context.anchors) anchors.push_back(widen.narrowed(anchor));
  context.anchors = anchors;
}

/// What an optimiser is told beforehand, on another scale. There are no bounds there, and no times
/// at which an evaluation could be ended.
void set_scale(const ModelScale& scale, OptimiserContext& context) {
  context.payoff_low = {};
  context.payoff_high = {};
  context.ends_losers = false;
  if (context.prior == nullptr) return;
  std::vector<PriorPayoff> prior = *context.prior;
  for (PriorPayoff& known : prior) known.payoff = scale.of_payoff(known.payoff);
  context.prior = std::make_shared<const std::vector<PriorPayoff>>(std::move(prior));
}

}  // namespace

StageSearch make_search(const RunTask& task, const RunStage& stage, std::size_t index,
                        const Study& study) {
  const bool learns_effects = study.instances.learns_effects();
  const OptimiserPlan plan = plan_of(task, stage);
  OptimiserContext context =
      context_of(task, stage, study, learns_effects && study.instances.blocks);
  StageSearch search;
  if (stage.space != nullptr) {
    search.widen.emplace(*stage.space, task.objective->space());
    bring_into(*search.widen, context, search.anchors);
  }
  search.optimiser = plan.make(context);
  // What is compared within blocks of one instance needs no effects of instances.
  const bool in_blocks = context.blocks && plan.asks_in_blocks;
  if (!learns_effects || in_blocks || context.matches) return search;
  const ModelScale scale = study.instances.scale(task.objective->unit());
  if (scale.is_logarithmic()) set_scale(scale, context);
  std::vector<double> weights;
  for (const Instance& instance : study.instances.train.all()) weights.push_back(instance.weight);
  auto aware = std::make_unique<InstanceAwareSearch>(
      plan.make, context, std::move(weights),
      task.stream.stream("instance effects", static_cast<std::uint64_t>(index)), scale);
  search.instance_aware = aware.get();
  search.optimiser = std::move(aware);
  return search;
}

StagedSearch::StagedSearch(const RunTask& task, Evaluator& evaluator, RunRecord& record)
    : task_(task),
      evaluator_(evaluator),
      record_(record),
      counter_(evaluator.progress(), evaluator.backend().threaded()),
      failures_(task, evaluator) {
  if (!task.keeps_trace) return;
  trace_.emplace(task.objective->space().dimensions());
  checkpoints_ = trace_checkpoints(task.iterations);
  std::ranges::reverse(checkpoints_);
}

bool StagedSearch::carry_out(std::size_t index) {
  const bool last = index == task_.earlier.size();
  const RunStage stage = last ? RunStage{.iterations = task_.iterations} : task_.earlier[index];
  if (!last && recall(stage)) return true;
  Rng rng = stream_of_stage(index);
  start_optimiser(stage, index);
  adopt_history(rng);
  if (!recall_to_state(stage, rng)) return false;
  return search(stage, rng);
}

bool StagedSearch::carry_out_limited() {
  SearchAllowance allowance(evaluator_.allowance(), task_.cell, task_.repeat, task_.run);
  for (PlannedStep step = allowance.first(); step.horizon > 0;) {
    const auto index = static_cast<std::size_t>(step.key.index);
    Rng rng = stream_of_stage(index);
    start_optimiser({.iterations = step.horizon}, index);
    adopt_history(rng);
    if (!search({.iterations = allowance.end_of(step)}, rng, &allowance)) return false;
    step = allowance.next(step, told_, view_.payoffs > 0 && now_.optimiser->done());
  }
  record_.usage = allowance.usage();
  evaluator_.allowance().add_run(record_.usage);
  return true;
}

Rng StagedSearch::stream_of_stage(std::size_t index) const {
  if (index == 0) return task_.stream.stream("optimiser");
  return task_.stream.stream("stage", static_cast<std::uint64_t>(index));
}

void StagedSearch::start_optimiser(const RunStage& stage, std::size_t index) {
  view_.optimiser = nullptr;
  now_ = make_search(task_, stage, index, evaluator_.study());
  view_.optimiser = now_.optimiser.get();
  view_.widen = now_.widening();
  view_.instance_aware = now_.instance_aware;
}

void StagedSearch::finish() {
  if (now_.instance_aware != nullptr && view_.payoffs > 0) now_.instance_aware->finish();
  record_.evaluations = told_;
  failures_.finish(record_);
}

/// Takes a stage that is recorded as a whole from the log, so that nobody need ask again.
bool StagedSearch::recall(const RunStage& stage) {
  std::vector<StudyLog::Recorded> known;
  for (std::int64_t left = stage.iterations - told_; left > 0;) {
    const auto index = std::ssize(history_) + std::ssize(known);
    const EvaluationKey key{
        .cell = task_.cell, .repeat = task_.repeat, .run = task_.run, .index = index};
    const auto recorded = evaluator_.recorder().recorded(key);
    if (!recorded) return false;
    known.push_back(*recorded);
    left -= recorded->cost;
  }
  for (const StudyLog::Recorded& entry : known) {
    const std::optional<Answer> answer = recalled(entry, nullptr);
    if (!answer) return false;
    take(*answer, report_of(*answer, stage.iterations - told_), stage);
  }
  return true;
}

/// The next evaluation, from the log. Nothing if stopped.
std::optional<Answer> StagedSearch::recalled(const StudyLog::Recorded& entry, const RunView* view) {
  Request request = search_request(task_, answered_, entry.point, view);
  if (entry.capped) request.cap = 0.0;  // it was ended early enough
  if (entry.opponent) request.opponent = &*entry.opponent;
  auto evaluated = evaluator_.evaluate(request);
  if (!evaluated) return std::nullopt;
  return Answer{.asked = {.point = entry.point, .opponent = entry.opponent},
                .point = entry.point,
                .opponent = entry.opponent,
                .evaluated = *std::move(evaluated)};
}

/// Whether states of the search are recorded: only of one that is nothing but asks and tells.
bool StagedSearch::has_states() const {
  return evaluator_.recorder().has_log() && task_.earlier.empty() && learns() &&
         !evaluator_.allowance().is_limited() && now_.instance_aware == nullptr &&
         evaluator_.study().execution.parallel_evaluations == 1 &&
         now_.optimiser->place() != nullptr;
}

/// Tells the optimiser what is recorded before the last state of the search, and brings it there:
/// it need not be asked again. False if stopped.
bool StagedSearch::recall_to_state(const RunStage& stage, Rng& rng) {
  if (!has_states()) return true;
  EvaluationKey key{.cell = task_.cell, .repeat = task_.repeat, .run = task_.run};
  const auto state = evaluator_.recorder().search_state(key);
  if (!state || state->evaluations > stage.iterations) return true;
  Point last;
  while (answered_ < state->evaluations && told_ < stage.iterations) {
    if (counter_.stopped()) return false;
    key.index = answered_;
    view_.asked = answered_ + 1;
    const std::optional<Answer> answer = recalled(*evaluator_.recorder().recorded(key), &view_);
    if (!answer) return false;
    last = answer->asked.point;
    KeptReport told = report_of(*answer, stage.iterations - told_);
    tell({.point = last}, told.report(), answered_);
    take(*answer, std::move(told), stage);
  }
  *now_.optimiser->place() = {.last = last, .asks = state->optimiser};
  rng.set_state(state->stream);
  return true;
}

/// Records where the search is, from time to time.
void StagedSearch::save_state(const Rng& rng) {
  if (answered_ % SearchState::kInterval != 0 || !has_states()) return;
  if (answered_ <= std::ssize(task_.beginning->starts)) return;  // nothing was asked for yet
  evaluator_.recorder().record_search_state(
      {.cell = task_.cell, .repeat = task_.repeat, .run = task_.run},
      {.evaluations = answered_,
       .optimiser = now_.optimiser->place()->asks,
       .stream = rng.state()});
}

/// What the optimiser is to know of an answer that has used `left` of the iterations at most, at
/// points of the objective's space.
KeptReport StagedSearch::report_of(const Answer& answer, std::int64_t left) const {
  const Evaluated& evaluated = answer.evaluated;
  std::vector<double> payoffs;
  Report report{.games = evaluated.games, .failed = evaluated.skipped && learns()};
  if (evaluator_.study().limits.cost) report.cost = evaluated.spent;
  if (evaluated.ending == Ending::kCapped) {
    report.at_most = evaluated.payoff;
  } else {
    evaluated.for_each(left, [&](double payoff) { payoffs.push_back(payoff); });
  }
  report.payoffs = payoffs;
  return {{.point = answer.point, .opponent = answer.opponent}, report};
}

/// Tells the optimiser what the evaluation of that index has brought.
void StagedSearch::tell(const Proposal& asked, Report report, std::int64_t index) {
  if (now_.instance_aware != nullptr) {
    const Study& study = evaluator_.study();
    report.instance = study.instances.index_of(
        study.seed, {.repeat = task_.repeat, .run = task_.run, .index = index});
  }
  now_.optimiser->tell(asked, report);
}

/// Tells a new optimiser what is known.
void StagedSearch::adopt_history(Rng& rng) {
  const WidenedSpace* widen = now_.widening();
  for (std::size_t i = 0; i < history_.size(); ++i) {
    Proposal asked = history_[i].asked;
    if (widen != nullptr) {
      asked.point = widen->narrowed(asked.point);
      if (asked.opponent) asked.opponent = widen->narrowed(*asked.opponent);
    }
    now_.optimiser->adopt(asked.point, rng);
    tell(asked, history_[i].report(), static_cast<std::int64_t>(i));
  }
}

bool StagedSearch::search(const RunStage& stage, Rng& rng, SearchAllowance* allowance) {
  bool is_over = false;  // nothing more is asked for
  static const std::vector<Point> kNoStarts;
  const auto& starts = stage.has_starts ? task_.beginning->starts : kNoStarts;
  EvaluationWindow window(task_, *now_.optimiser, view_, evaluator_, starts, now_.widening(),
                          answered_);
  window.set_instance_aware(now_.instance_aware);
  while (told_ < stage.iterations) {
    if (counter_.stopped()) return false;
    std::int64_t left = stage.iterations - told_;
    const bool done = view_.payoffs > 0 && now_.optimiser->done();
    if (is_over || done) left = std::min(left, window.in_flight());
    if (left == 0) break;
    const std::optional<Answer> answer = window.next(rng, left);
    if (!answer) return false;
    KeptReport told = report_of(*answer, left);
    tell(answer->asked, told.report(), answered_);
    take(*answer, std::move(told), stage);
    if (!answer->evaluated.recalled) save_state(rng);
    if (allowance != nullptr && allowance->add(answer->evaluated, told_, window.in_flight())) {
      is_over = true;
    }
  }
  window.take_offered();
  return true;
}

/// Counts an evaluation, and keeps it for the stages to come.
void StagedSearch::take(const Answer& answer, KeptReport told, const RunStage& stage) {
  const std::int64_t left = stage.iterations - told_;
  const Evaluated& evaluated = answer.evaluated;
  ++answered_;
  view_.payoffs += std::ssize(told.payoffs());
  if (trace_) trace(told);
  if (keeps_matches() && answer.opponent) {
    for (const double payoff : told.payoffs()) {
      record_.matches.add(answer.point, *answer.opponent, payoff);
    }
  }
  if (!task_.earlier.empty() || evaluator_.allowance().is_limited())
    history_.push_back(std::move(told));
  failures_.add(answer, record_);
  const std::int64_t used = std::min(left, evaluated.cost());
  told_ += used;
  counter_.count(used, evaluated.recalled);
  if (trace_ && stage.space == nullptr) trace_recommendation();
}

void StagedSearch::trace(const KeptReport& told) {
  using End = SearchTrace::End;
  const Point& point = told.asked.point;
  const Report report = told.report();
  if (report.at_most) return trace_->add(point, End::kCapped, {&*report.at_most, 1});
  trace_->add(point, report.payoffs.empty() ? End::kFailed : End::kPayoffs, report.payoffs);
}

/// Adds what the run would recommend now, if it is time for that.
void StagedSearch::trace_recommendation() {
  if (view_.optimiser == nullptr || view_.payoffs == 0) return;
  if (checkpoints_.empty() || told_ < checkpoints_.back() || told_ >= task_.iterations) return;
  while (!checkpoints_.empty() && checkpoints_.back() <= told_) checkpoints_.pop_back();
  const Recommendation now = view_.recommend();
  trace_->add(
      SearchTrace::Checkpoint{told_, task_.objective->unit().value_of(now.estimate), now.point});
}

/// Where runs are recorded whole, a study that is resumed would lack those of the runs it recalls.
bool StagedSearch::keeps_matches() const {
  const Study& study = evaluator_.study();
  return !study.is_comparison() && study.execution.record == Recording::kEvaluations;
}

void StagedSearch::count_cost_of_point() {
  RunningStats costs;
  for (const KeptReport& told : history_) {
    const std::optional<double> cost = told.report().cost;
    if (cost && told.asked.point == record_.point) costs.add(*cost);
  }
  if (costs.count() == 0) return;
  record_.usage.fresh_costs = costs.mean();
  record_.usage.fresh_known = 1;
}

void StagedSearch::keep_trace() {
  if (!trace_) return;
  trace_->add(SearchTrace::Checkpoint{record_.evaluations, record_.estimate, record_.point});
  record_.trace = trace_->packed();
}

}  // namespace ntune
