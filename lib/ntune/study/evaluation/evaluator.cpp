#include "ntune/study/evaluation/evaluator.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluation/carry_out.h"

namespace ntune {

void CallCosts::recall(double cost) {
  const std::lock_guard lock(mutex_);
  costs_.add(cost);
}

double CallCosts::cost_of(const Outcome& outcome, double seconds) {
  const std::lock_guard lock(mutex_);
  if (outcome.failure.empty()) {
    if (outcome.cost) costs_.add(*outcome.cost);
    reporting_ = outcome.cost.has_value() || reporting_.value_or(false);
  }
  if (outcome.cost) return *outcome.cost;
  // After a resume the first failure may come before any success shows whether these report.
  const bool mean = reporting_.value_or(!outcome.failure.empty()) && costs_.count() > 0;
  if (mean) return costs_.mean();
  // Until a success shows whether costs are reported, the unit of the budget is not known.
  waiting_ += seconds;
  return reporting_ ? std::exchange(waiting_, 0.0) : 0.0;
}

namespace {

/// Evaluations of a comparison or hold-out at the same time.
std::int64_t at_once(const Study& study, const Backend& backend) {
  const std::int64_t threads = Parallel::resolve(backend.threads());
  const std::int64_t in_flight = study.execution.parallel_evaluations;
  return in_flight == 1 && backend.threaded() ? threads : std::min(threads, in_flight);
}

}  // namespace

Evaluator::Started::Started(const Request& request) : point_(*request.point), request_(request) {
  request_.point = &point_;
  if (request.opponent == nullptr) return;
  opponent_ = *request.opponent;
  request_.opponent = &*opponent_;
}

std::optional<Evaluated> Evaluator::Started::wait() {
  if (ticket_) ticket_->wait();
  return std::move(evaluated_);
}

Evaluator::Evaluator(const Study& study, Backend& backend, StudyProgress& progress, StudyLog* log,
                     StudyObserver* observer)
    : study_(study),
      backend_(backend),
      progress_(progress),
      observer_(observer),
      recorder_(study.execution.on_failure, progress.stop, log),
      allowance_(study, recorder_, progress, at_once(study, backend),
                 backend.threaded() ? Parallel::resolve(backend.threads()) : 1) {}

std::optional<Evaluated> Evaluator::evaluate(Request request) {
  complete(request);
  if (auto known = recall(request)) return known;
  const bool timed = study_.limits.cost || recorder_.has_log() || is_external(*request.objective);
  const Backend::Begin begin = timed ? Backend::Begin::now() : Backend::Begin{};
  return record(request, backend_.evaluate(request), begin);
}

std::unique_ptr<Evaluator::Started> Evaluator::submit(const Request& request) {
  std::unique_ptr<Started> started(new Started(request));
  complete(started->request_);
  started->evaluated_ = recall(started->request_);
  if (started->evaluated_) return started;
  const auto finish = [this, evaluation = started.get()](std::optional<Outcome> outcome,
                                                         const Backend::Begin& begin) {
    evaluation->evaluated_ = record(evaluation->request_, std::move(outcome), begin);
  };
  started->ticket_ = backend_.submit(started->request_, finish);
  return started;
}

void Evaluator::recall_search(
    const EvaluationKey& key,
    const std::function<Request(std::int64_t index, const Point& point)>& request,
    const std::function<bool(const Point& point, Evaluated evaluated)>& take) {
  const Unit unit = study_.objectives[study_.objective_of(key.cell)].objective->unit();
  std::int64_t index = 0;
  recorder_.log().visit_searched(key, [&](const Point& point, Outcome outcome) {
    Evaluated evaluated = rate(study_.execution.on_failure, unit, std::move(outcome));
    note_recalled(evaluated);
    if (observer_ != nullptr || evaluated.answer != SolverAnswer::kNone) {
      Request asked = request(index, point);
      complete(asked);
      answers_.add(asked, evaluated);
      if (observer_ != nullptr) observer_->asked(asked);
      if (observer_ != nullptr) observer_->evaluated(asked, evaluated);
    }
    ++index;
    return take(point, std::move(evaluated));
  });
}

/// Fills in what follows from the study.
void Evaluator::complete(Request& request) const {
  request.stop = &progress_.stop;
  request.instance = study_.instances.of(study_.seed, request.key, request.block);
}

/// Counts what the log has given back.
void Evaluator::note_recalled(Evaluated& known) {
  known.recalled = true;
  if (!known.failed() && known.cost) costs_.recall(*known.cost);
  progress_.recalled += known.evaluations();
}

std::optional<Evaluated> Evaluator::recall(const Request& request) {
  if (observer_ != nullptr) observer_->asked(request);
  std::optional<Evaluated> known = recorder_.recall(request);
  if (!known) return known;
  note_recalled(*known);
  answers_.add(request, *known);
  if (observer_ != nullptr) observer_->evaluated(request, *known);
  return known;
}

std::optional<Evaluated> Evaluator::record(const Request& request, std::optional<Outcome> outcome,
                                           const Backend::Begin& begin) {
  if (!outcome) return std::nullopt;
  if (study_.limits.cost && is_without_game(request)) {
    outcome->cost = 0.0;
  } else if (study_.limits.cost) {
    const double seconds = std::max(0.0, begin.seconds() - outcome->stood_still);
    outcome->cost = costs_.cost_of(*outcome, seconds);
  }
  answers_.add(request, *outcome);
  std::optional<Evaluated> evaluated = recorder_.record(request, *std::move(outcome), begin.time);
  if (evaluated && observer_ != nullptr) observer_->evaluated(request, *evaluated);
  return evaluated;
}

bool Evaluator::evaluate_in_blocks(std::size_t count,
                                   const std::function<Request(std::size_t)>& request,
                                   const std::function<void(std::size_t, const Evaluated&)>& sink,
                                   Parallel& parallel) {
  constexpr std::size_t kBlock = 65'536;  // results are held until their turn comes
  std::vector<std::optional<Evaluated>> results;
  for (std::size_t first = 0; first < count; first += kBlock) {
    results.assign(std::min(kBlock, count - first), std::nullopt);
    parallel.for_each(results.size(), [&](std::size_t i) {
      if (progress_.stop) return;
      results[i] = evaluate(request(first + i));
      if (results[i]) progress_.evaluations += results[i]->evaluations();
    });
    if (progress_.stop) return false;
    for (std::size_t i = 0; i < results.size(); ++i) sink(first + i, *results[i]);
  }
  return true;
}

bool Evaluator::evaluate_all(std::size_t count, const std::function<Request(std::size_t)>& request,
                             const std::function<void(std::size_t, const Evaluated&)>& sink,
                             Parallel& parallel) {
  if (one_by_one()) return evaluate_in_blocks(count, request, sink, parallel);
  const auto width = static_cast<std::size_t>(study_.execution.parallel_evaluations);
  std::deque<std::unique_ptr<Started>> in_flight;
  std::size_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    while (next < count && in_flight.size() < width) in_flight.push_back(submit(request(next++)));
    const std::optional<Evaluated> evaluated = in_flight.front()->wait();
    if (!evaluated) return false;
    in_flight.pop_front();
    sink(i, *evaluated);
    progress_.evaluations += evaluated->evaluations();
  }
  return true;
}

}  // namespace ntune
