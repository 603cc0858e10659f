#include "ntune/study/run/search_ledger.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluation/capping.h"
#include "ntune/study/run/evaluation_window.h"

namespace ntune {

RunTracer::RunTracer(const RunTask& task) : task_(task) {
  if (!task.keeps_trace) return;
  trace_.emplace(task.objective->space().dimensions());
  checkpoints_ = trace_checkpoints(task.iterations);
  std::ranges::reverse(checkpoints_);
}

void RunTracer::add(const KeptReport& told) {
  using End = SearchTrace::End;
  if (!trace_) return;
  const Point& point = told.asked.point;
  const Report report = told.report();
  if (report.at_most) return trace_->add(point, End::kCapped, {&*report.at_most, 1});
  trace_->add(point, report.payoffs.empty() ? End::kFailed : End::kPayoffs, report.payoffs);
}

void RunTracer::add_recommendation(const RunView& view, std::int64_t evaluations) {
  if (!trace_ || view.optimiser == nullptr || !view.has_measured()) return;
  if (checkpoints_.empty() || evaluations < checkpoints_.back()) return;
  if (evaluations >= task_.iterations) return;
  while (!checkpoints_.empty() && checkpoints_.back() <= evaluations) checkpoints_.pop_back();
  const Recommendation now = view.recommend();
  trace_->add(SearchTrace::Checkpoint{evaluations, task_.objective->unit().value_of(now.estimate),
                                      now.point});
}

void RunTracer::finish(RunRecord& record) {
  if (!trace_) return;
  trace_->add(SearchTrace::Checkpoint{record.evaluations, record.estimate, record.point});
  record.trace = trace_->packed();
}

SearchLedger::SearchLedger(const RunTask& task, Evaluator& evaluator, RunRecord& record)
    : task_(task),
      record_(record),
      counter_(evaluator.progress(), evaluator.backend().threaded()),
      failures_(task, evaluator),
      tracer_(task),
      keeps_history_(!task.earlier.empty() || evaluator.allowance().is_limited()),
      fail_limit_(evaluator.study().execution.on_failure.recommended),
      failures_have_value_(evaluator.study().execution.on_failure.kind ==
                           FailurePolicy::Kind::kValue) {
  if (evaluator.study().is_comparison()) return;
  record_.payoffs_by_value = PayoffsByValue(task.objective->space());
}

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
  if (record_.payoffs_by_value.is_known() && (failures_have_value_ || !answer.evaluated.failed())) {
    for (const double payoff : payoffs) {
      record_.payoffs_by_value.add(task_.objective->space(), answer.point, payoff);
    }
  }
  if (task_.takes_leaders) {
    Met& met = met_[answer.point];
    for (const double payoff : payoffs) met.payoffs.add(payoff);
    met.failures += answer.evaluated.failed() ? 1 : 0;
  }
  if (can_be_capped(*task_.objective) && !answer.evaluated.failed()) {
    const bool capped = answer.evaluated.ending == Ending::kCapped;
    const double cost = task_.objective->unit().value_of(answer.evaluated.payoff);
    (capped ? capped_costs_ : whole_costs_)
        .push_back(std::min(cost, task_.objective->outside_program()->cutoff()));
  }
  failures_.add(answer, record_);
  const std::int64_t used = std::min(stage.iterations - used_, answer.evaluated.evaluations());
  used_ += used;
  counter_.count(used, answer.evaluated.recalled);
}

std::vector<Recommendation> SearchLedger::leaders(const Optimiser& optimiser,
                                                  const Point& best) const {
  constexpr std::size_t kMost = 4;
  std::vector<std::pair<double, Recommendation>> ranked;
  for (const auto& [point, met] : met_) {
    const auto& [payoffs, failures] = met;
    const auto tried = static_cast<double>(std::max(payoffs.count(), failures));
    const bool fails = static_cast<double>(failures) > fail_limit_ * tried;
    if (point == best || payoffs.count() == 0 || fails) continue;
    const std::optional<Belief> belief = optimiser.belief(point);
    const double worth = belief ? belief->mean : payoffs.mean();
    ranked.push_back({belief ? worth : static_cast<double>(payoffs.count()),
                      {.point = point, .estimate = worth, .evaluations = payoffs.count()}});
  }
  std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) {
    return std::pair(a.first, a.second.estimate) > std::pair(b.first, b.second.estimate);
  });
  std::vector<Recommendation> leaders;
  if (ranked.size() > kMost) ranked.resize(kMost);
  for (const auto& [rank, leader] : ranked) leaders.push_back(leader);
  return leaders;
}

void SearchLedger::finish() {
  record_.evaluations = used_;
  failures_.finish(record_);
  if (!view.has_measured()) return;
  finish_costs();
  finish_capping();
  tracer_.finish(record_);
}

/// Takes down what the evaluations had cost that were ended early, and how much longer others
/// lasted on average that lasted longer.
void SearchLedger::finish_capping() {
  for (const double ended : capped_costs_) {
    record_.endings.capped_cost += ended;
    RunningStats longer;
    for (const double whole : whole_costs_) {
      if (whole > ended) longer.add(whole - ended);
    }
    if (longer.count() > 0) record_.endings.saved += longer.mean();
  }
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
