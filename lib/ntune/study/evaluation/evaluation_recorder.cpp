#include "ntune/study/evaluation/evaluation_recorder.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/study/evaluation/carry_out.h"

namespace ntune {

namespace {

/// What a sequence of evaluations is of: "evaluations of run 3".
std::string sequence_text(const EvaluationKey& key) {
  return key.stage == Stage::kSearch ? fmt::format("evaluations of run {}", key.run)
                                     : "fresh evaluations";
}

/// What ends a study that cannot evaluate.
std::exception_ptr shortage(const std::string& failure) {
  return std::make_exception_ptr(EvaluationError(
      fmt::format("evaluations cannot go on: {}; nothing is held against the point, and the study "
                  "can go on from its folder",
                  printable(failure, 1000))));
}

}  // namespace

std::optional<Evaluated> EvaluationRecorder::recall(const Request& request) const {
  std::optional<Outcome> known = log_->find(request.key, *request.point, request.chosen_opponent());
  if (!known) return std::nullopt;
  if (!known->failure.empty() && on_failure_.kind == FailurePolicy::Kind::kAbort) {
    return std::nullopt;
  }
  // An evaluation of several goals tells something with all of them alone.
  const bool whole = known->goals.size() == request.objective->goals().size();
  if (known->failure.empty() && !whole) return std::nullopt;
  // It was ended earlier than this request would end it.
  if (known->ending == Ending::kCapped &&
      request.objective->unit().value_of(known->payoff) < request.cap) {
    return std::nullopt;
  }
  return rate(on_failure_, request.objective->unit(), *std::move(known));
}

std::optional<Evaluated> EvaluationRecorder::record(const Request& request, Outcome outcome,
                                                    StudyLog::Time start) {
  if (!outcome.failure.empty()) {
    if (outcome.blame == Blame::kInterruption)
      stop_ = true;  // another rank may have been told first
    if (stop_) return std::nullopt;
    if (outcome.blame == Blame::kMachine) end_study(shortage(outcome.failure));
  }
  keep([&] { log_->append(request, outcome, start, now()); });
  if (!outcome.failure.empty() && on_failure_.kind == FailurePolicy::Kind::kAbort) {
    FailedCall::Facts facts =
        facts_of_failure(*request.objective, *request.point, request.opponent, outcome.failure);
    if (start != StudyLog::Time()) {
      const std::chrono::duration<double> taken = std::chrono::system_clock::now() - start;
      facts.seconds = std::max(0.0, taken.count());
    }
    end_study(std::make_exception_ptr(FailedCall(
        failure_text(*request.objective, *request.point, request.opponent, outcome.failure),
        std::move(facts))));
  }
  return rate(on_failure_, request.objective->unit(), std::move(outcome));
}

void EvaluationRecorder::record_run(std::uint32_t cell, const RunRecord& run) {
  if (run.finished) keep([&] { log_->append_run(cell, run); });
}

void EvaluationRecorder::record_search_state(const EvaluationKey& key, const SearchState& state) {
  keep([&] { log_->append_search_state(key, state); });
}

void EvaluationRecorder::record_planned(const PlannedStep& step) {
  keep([&] { log_->append_planned(step); });
}

StudyLog::Time EvaluationRecorder::now() const {
  return has_log() ? std::chrono::system_clock::now() : StudyLog::Time();
}

/// What cannot be recorded ends the study: nothing is to be carried out in vain.
void EvaluationRecorder::keep(const std::function<void()>& append) {
  try {
    append();
  } catch (...) {
    end_study(std::current_exception());
  }
}

void EvaluationRecorder::end_study(const FailureLimit& limit, const Request& request,
                                   const Evaluated& evaluated) {
  FailedCall::Facts facts =
      facts_of_failure(*request.objective, *request.point, request.opponent, evaluated.failure);
  facts.exceeded =
      fmt::format("{} of the last {} {} failed, max_failure_rate is {}", limit.failures(),
                  limit.evaluations(), sequence_text(request.key), on_failure_.max_rate);
  const std::string line =
      failure_text(*request.objective, *request.point, request.opponent, evaluated.failure);
  end_study(std::make_exception_ptr(
      FailedCall(fmt::format("{}; the last: {}", facts.exceeded, line), facts)));
}

void EvaluationRecorder::end_study(const std::exception_ptr& cause) {
  {
    const std::lock_guard lock(end_mutex_);
    if (!end_) end_ = cause;
  }
  stop_ = true;
  std::rethrow_exception(cause);
}

void EvaluationRecorder::check() const {
  const std::lock_guard lock(end_mutex_);
  if (end_) std::rethrow_exception(end_);
}

}  // namespace ntune
