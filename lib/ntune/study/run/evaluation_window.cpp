#include "ntune/study/run/evaluation_window.h"

#include <algorithm>
#include <utility>

#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluation/capping.h"
#include "ntune/study/model/streams.h"

namespace ntune {

namespace {

std::optional<Answer> answered(Answer answer, std::optional<Evaluated> evaluated) {
  if (!evaluated) return std::nullopt;
  answer.evaluated = *std::move(evaluated);
  return answer;
}

}  // namespace

Request search_request(const RunTask& task, std::int64_t index, const Point& point,
                       const RunView* view, std::optional<std::int64_t> block) {
  return {.key = task.key(index),
          .objective = task.objective,
          .point = &point,
          .block = block,
          .stream = search_stream(task.stream, index, block),
          .view = view};
}

EvaluationWindow::EvaluationWindow(const RunTask& task, const StageSearch& search, RunView& view,
                                   Evaluator& evaluator, const std::vector<Point>& starts,
                                   std::int64_t first)
    : task_(task),
      search_(search),
      optimiser_(*search.optimiser),
      view_(view),
      evaluator_(evaluator),
      starts_(starts),
      width_(evaluator.study().execution.parallel_evaluations),
      may_cap_(can_be_capped(*task.objective)) {
  view_.asked = first;
}

std::optional<Answer> EvaluationWindow::next(Rng& rng, std::int64_t left) {
  if (evaluator_.one_by_one()) return next_alone(rng);
  while (std::ssize(in_flight_) < std::min(width_, left) && may_ask()) {
    take_offered();
    Answer asked = ask(rng);
    if (width_ > 1) optimiser_.pending(asked.asked.point, true);
    const Request request = this->request(asked);
    in_flight_.push_back({request, std::move(asked)});
  }
  start(left);
  std::optional<Evaluated> evaluated = in_flight_.front().evaluation->wait();
  Answer answer = std::move(in_flight_.front().answer);
  in_flight_.pop_front();
  if (width_ > 1) optimiser_.pending(answer.asked.point, false);
  if (evaluated && !evaluated->failed())
    most_payoffs_ = std::max(most_payoffs_, evaluated->evaluations());
  return answered(std::move(answer), std::move(evaluated));
}

std::optional<Answer> EvaluationWindow::next_alone(Rng& rng) {
  take_offered();
  Answer answer = ask(rng);
  std::optional<Evaluated> evaluated = evaluator_.evaluate(request(answer));
  return answered(std::move(answer), std::move(evaluated));
}

void EvaluationWindow::take_offered() {
  const OfferedObservations& list = evaluator_.recorder().log().offered();
  const Study& study = evaluator_.study();
  for (; offered_ < list.size() && list[offered_].known_before(task_.key(view_.asked));
       ++offered_) {
    const OfferedObservation& offered = list[offered_];
    if (study.objective_of(offered.key.cell) != study.objective_of(task_.cell)) continue;
    if (tell_offered(search_, offered, task_.stream.stream("offered", offered_))) {
      view_.payoffs += std::ssize(offered.payoffs);
    }
  }
}

bool tell_offered(const StageSearch& search, const OfferedObservation& offered, Rng rng) {
  const Point point = search.narrowed(offered.point);
  if (!search.learns_from_others || !search.space->is_allowed(point)) return false;
  for (const double& payoff : offered.payoffs) {
    search.optimiser->adopt(point, rng);
    search.optimiser->tell({.point = point},
                           {.payoffs = std::span(&payoff, 1), .instance = offered.instance});
  }
  return true;
}

/// Starts as many of the evaluations asked for as `left` payoffs need, as far as that is known. A
/// call may bring as many payoffs as any before it; the first call shows how many that is.
void EvaluationWindow::start(std::int64_t left) {
  const bool several = task_.objective->payoffs().several;
  const std::int64_t expected = !several ? 1 : most_payoffs_ > 0 ? most_payoffs_ : left;
  for (Asked& asked : in_flight_) {
    if (left <= 0) return;
    left -= expected;
    if (asked.evaluation) continue;
    asked.request.point = &asked.answer.point;
    if (asked.answer.opponent) asked.request.opponent = &*asked.answer.opponent;
    asked.evaluation = evaluator_.submit(asked.request);
  }
}

Answer EvaluationWindow::ask(Rng& rng) {
  Answer answer{.asked = propose(rng), .point = {}};
  answer.point = search_.widened(answer.asked.point);
  if (answer.asked.opponent) answer.opponent = search_.widened(*answer.asked.opponent);
  return answer;
}

/// The next start, or else what the optimiser asks for.
Proposal EvaluationWindow::propose(Rng& rng) {
  if (view_.asked >= std::ssize(starts_)) return optimiser_.ask(rng);
  Proposal start{.point = search_.narrowed(starts_[static_cast<std::size_t>(view_.asked)])};
  optimiser_.adopt(start.point, rng);
  return start;
}

/// The cost at which the evaluation of that index has lost, on its instance.
double EvaluationWindow::cap(std::int64_t index, double losing_payoff) const {
  if (!may_cap_) return EvaluationId().cap;
  double payoff = losing_payoff;
  if (search_.instance_aware != nullptr) {
    const Study& study = evaluator_.study();
    const std::size_t instance = study.instances.index_of(study.seed, task_.key(index));
    payoff += search_.instance_aware->effects()[instance];
  }
  constexpr double kLeast = 1e-3;  // seconds: what is to be ended must have begun
  return std::max(kLeast, task_.objective->unit().value_of(payoff));
}

/// Optimisers are told of what they have adopted before they ask for anything.
bool EvaluationWindow::may_ask() const {
  return view_.asked < std::ssize(starts_) || view_.asked - in_flight() >= std::ssize(starts_);
}

}  // namespace ntune
