#include "ntune/study/run/search_ledger.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ntune/core/statistics.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/run/evaluation_window.h"

namespace ntune {

namespace {

/// Where runs are recorded whole, a study that is resumed would lack those of the runs it recalls.
bool keeps_matches(const Study& study) {
  return !study.is_comparison() && study.execution.record == Recording::kEvaluations;
}

}  // namespace

SearchLedger::SearchLedger(const RunTask& task, Evaluator& evaluator, RunRecord& record)
    : task_(task),
      record_(record),
      counter_(evaluator.progress(), evaluator.backend().threaded()),
      failures_(task, evaluator),
      tracer_(task),
      keeps_matches_(keeps_matches(evaluator.study())),
      keeps_history_(!task.earlier.empty() || evaluator.allowance().is_limited()) {}

/// True of the next answer if it was of a player against itself.
bool SearchLedger::is_without_game(const Answer& answer) const {
  if (!are_duels(*task_.objective)) return false;
  Request request = search_request(task_, answered_, answer.point, nullptr, answer.asked.block);
  if (answer.opponent) request.opponent = &*answer.opponent;
  return ntune::is_without_game(request);
}

void SearchLedger::take(const Answer& answer, KeptReport told, const RunStage& stage) {
  tracer_.add(told);
  count(answer, told.payoffs(), stage);
  if (keeps_history_) history_.push_back(std::move(told));
  if (stage.space == nullptr) tracer_.add_recommendation(view, used_);
}

void SearchLedger::count(const Answer& answer, std::span<const double> payoffs,
                         const RunStage& stage) {
  if (answer.evaluated.failed()) {
    ++view.failures;
  } else if (!is_without_game(answer)) {
    ++view.measured;
  }
  ++answered_;
  view.payoffs += std::ssize(payoffs);
  if (keeps_matches_ && answer.opponent) {
    for (const double payoff : payoffs) record_.matches.add(answer.point, *answer.opponent, payoff);
  }
  failures_.add(answer, record_);
  const std::int64_t used = std::min(stage.iterations - used_, answer.evaluated.evaluations());
  used_ += used;
  counter_.count(used, answer.evaluated.recalled);
}

void SearchLedger::finish() {
  record_.evaluations = used_;
  failures_.finish(record_);
  if (!view.has_measured()) return;
  finish_costs();
  tracer_.finish(record_);
}

/// Takes down what evaluations of the point that the run recommends have cost.
void SearchLedger::finish_costs() {
  RunningStats costs;
  for (const KeptReport& told : history_) {
    const std::optional<double> cost = told.report().cost;
    if (cost && told.asked.point == record_.point) costs.add(*cost);
  }
  if (costs.count() == 0) return;
  record_.usage.fresh_costs = costs.mean();
  record_.usage.fresh_known = 1;
}

}  // namespace ntune
