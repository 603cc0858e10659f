#include "ntune/study/run/staged_search.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ntune/study/run/evaluation_window.h"
#include "ntune/study/run/search_allowance.h"

namespace ntune {

SearchStates::SearchStates(const RunTask& task, Evaluator& evaluator, const StageSearch& search)
    : task_(task), recorder_(evaluator.recorder()) {
  const Execution& execution = evaluator.study().execution;
  const bool is_plain = task.earlier.empty() && !task.keeps_trace && execution.on_failure.learn &&
                        !evaluator.allowance().is_limited() && search.instance_aware == nullptr &&
                        execution.parallel_evaluations == 1;
  if (recorder_.has_log() && is_plain) place_ = search.optimiser->place();
}

std::optional<SearchState> SearchStates::last(std::int64_t iterations) const {
  if (place_ == nullptr) return std::nullopt;
  const auto state = recorder_.log().search_state(task_.key(0));
  return state && state->evaluations <= iterations ? state : std::nullopt;
}

void SearchStates::save(std::int64_t answered, const Rng& rng) {
  if (answered % SearchState::kInterval != 0 || place_ == nullptr) return;
  if (answered <= std::ssize(task_.beginning->starts)) return;  // nothing was asked for yet
  recorder_.record_search_state(
      task_.key(0), {.evaluations = answered, .optimiser = place_->asks, .stream = rng.state()});
}

bool StagedSearch::carry_out(RunUsage& usage) {
  const bool whole =
      evaluator_.allowance().is_limited() ? carry_out_limited(usage) : carry_out_stages();
  const bool learns_effects = now_.instance_aware != nullptr && ledger_.view.payoffs > 0;
  if (whole && learns_effects) now_.instance_aware->finish();
  return whole;
}

bool StagedSearch::carry_out_stages() {
  for (std::size_t i = 0; i <= task_.earlier.size(); ++i) {
    const bool last = i == task_.earlier.size();
    const RunStage stage = last ? RunStage{.iterations = task_.iterations} : task_.earlier[i];
    if (!last && recall_stage(stage)) continue;
    Rng rng = start(stage, i);
    if (!recall_to_state(stage, rng) || !search(stage, rng)) return false;
  }
  return true;
}

/// In place of the stages of a task: the search ends with its part in the limits of the study.
bool StagedSearch::carry_out_limited(RunUsage& usage) {
  SearchAllowance allowance(evaluator_.allowance(), task_.cell, task_.repeat, task_.run);
  for (PlannedStep step = allowance.first(); step.horizon > 0;) {
    Rng rng = start({.iterations = step.horizon}, static_cast<std::size_t>(step.key.index));
    if (!search({.iterations = allowance.end_of(step)}, rng, &allowance)) return false;
    const bool exhausted = ledger_.view.payoffs > 0 && now_.optimiser->done();
    step = allowance.next(step, ledger_.used(), exhausted);
  }
  usage = allowance.usage();
  evaluator_.allowance().add_run(usage);
  return true;
}

/// Makes the optimiser of the stage and tells it what is known. Returns the stream that it is asked
/// with.
Rng StagedSearch::start(const RunStage& stage, std::size_t index) {
  ledger_.view.optimiser = nullptr;
  now_ = make_search(task_, stage, index, evaluator_.study());
  ledger_.view.optimiser = now_.optimiser.get();
  ledger_.view.widen = now_.widening();
  ledger_.view.instance_aware = now_.instance_aware;
  Rng rng = index == 0 ? task_.stream.stream("optimiser") : task_.stream.stream("stage", index);
  for (std::size_t i = 0; i < ledger_.history().size(); ++i) {
    const KeptReport& known = ledger_.history()[i];
    const Proposal asked = now_.narrowed(known.asked);
    now_.optimiser->adopt(asked.point, rng);
    tell(asked, known.report(), static_cast<std::int64_t>(i));
  }
  return rng;
}

bool StagedSearch::search(const RunStage& stage, Rng& rng, SearchAllowance* allowance) {
  static const std::vector<Point> kNoStarts;
  EvaluationWindow window(task_, now_, ledger_.view, evaluator_,
                          stage.has_starts ? task_.beginning->starts : kNoStarts,
                          ledger_.answered());
  SearchStates states(task_, evaluator_, now_);
  bool is_over = false;  // nothing more is asked for
  while (ledger_.used() < stage.iterations) {
    if (ledger_.stopped()) return false;
    std::int64_t left = stage.iterations - ledger_.used();
    const bool done = ledger_.view.payoffs > 0 && now_.optimiser->done();
    if (is_over || done) left = std::min(left, window.in_flight());
    if (left == 0) break;
    const std::optional<Answer> answer = window.next(rng, left);
    if (!answer) return false;
    KeptReport told = answer->kept_report(evaluator_.study(), left);
    tell(answer->asked, told.report(), ledger_.answered());
    ledger_.take(*answer, std::move(told), stage);
    if (!answer->evaluated.recalled) states.save(ledger_.answered(), rng);
    if (allowance != nullptr) {
      is_over |= allowance->add(answer->evaluated, ledger_.used(), window.in_flight());
    }
  }
  window.take_offered();
  return true;
}

/// Tells the optimiser what the evaluation of that index has brought.
void StagedSearch::tell(const Proposal& asked, Report report, std::int64_t index) {
  const Study& study = evaluator_.study();
  if (now_.instance_aware != nullptr) {
    report.instance = study.instances.index_of(study.seed, task_.key(index));
  }
  now_.optimiser->tell(asked, report);
}

/// Takes a stage that is recorded as a whole from the log, so that nobody need ask again. False if
/// it is not, or if stopped.
bool StagedSearch::recall_stage(const RunStage& stage) {
  std::vector<StudyLog::Recorded> known;
  for (std::int64_t left = stage.iterations - ledger_.used(); left > 0;) {
    const std::int64_t index = ledger_.answered() + std::ssize(known);
    const auto recorded = evaluator_.recorder().log().recorded(task_.key(index));
    if (!recorded) return false;
    known.push_back(*recorded);
    left -= recorded->cost;
  }
  for (const StudyLog::Recorded& entry : known) {
    const std::optional<Answer> answer = recall(entry);
    if (!answer) return false;
    const std::int64_t left = stage.iterations - ledger_.used();
    ledger_.take(*answer, answer->kept_report(evaluator_.study(), left), stage);
  }
  return true;
}

/// Tells the optimiser what is recorded before the last state of the search, and brings it there:
/// it need not be asked again. False if stopped.
bool StagedSearch::recall_to_state(const RunStage& stage, Rng& rng) {
  const auto state = SearchStates(task_, evaluator_, now_).last(stage.iterations);
  if (!state) return true;
  Answer answer;
  std::vector<double> payoffs;
  bool stopped = false;
  const auto request = [&](std::int64_t index, const Point& point) {
    ledger_.view.asked = index + 1;
    return search_request(task_, index, point, &ledger_.view);
  };
  const auto take_next = [&](const Point& point, Evaluated evaluated) {
    stopped = ledger_.stopped();
    const std::int64_t left = stage.iterations - ledger_.used();
    if (stopped || left <= 0) return false;
    answer.asked.point = answer.point = point;
    answer.evaluated = std::move(evaluated);
    tell(answer.asked, answer.report(evaluator_.study(), left, payoffs), ledger_.answered());
    ledger_.count(answer, payoffs, stage);
    return true;
  };
  evaluator_.recall_search(task_.key(0), request, take_next);
  if (stopped) return false;
  *now_.optimiser->place() = {.last = answer.point, .asks = state->optimiser};
  rng.set_state(state->stream);
  return true;
}

/// The next evaluation, from the log. Nothing if stopped.
std::optional<Answer> StagedSearch::recall(const StudyLog::Recorded& entry) {
  Request request = search_request(task_, ledger_.answered(), entry.point, nullptr);
  if (entry.capped) request.cap = 0.0;  // it was ended early enough
  if (entry.opponent) request.opponent = &*entry.opponent;
  auto evaluated = evaluator_.evaluate(request);
  if (!evaluated) return std::nullopt;
  return Answer{.asked = {.point = entry.point, .opponent = entry.opponent},
                .point = entry.point,
                .opponent = entry.opponent,
                .evaluated = *std::move(evaluated)};
}

}  // namespace ntune
