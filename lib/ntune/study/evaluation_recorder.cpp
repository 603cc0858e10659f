#include "ntune/study/evaluation_recorder.h"

#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"

namespace ntune {

std::optional<Evaluated> EvaluationRecorder::recall(const Request& request) const {
  if (log_ == nullptr) return std::nullopt;
  std::optional<Outcome> known = log_->find(request.key, *request.point);
  if (!known) return std::nullopt;
  if (!known->failure.empty() && on_failure_.kind == FailurePolicy::Kind::kAbort) {
    return std::nullopt;
  }
  return rate(request, *std::move(known));
}

std::optional<RunRecord> EvaluationRecorder::recall_run(std::uint32_t cell, std::int64_t repeat,
                                                        std::int64_t run) const {
  return log_ == nullptr ? std::nullopt : log_->find_run(cell, repeat, run);
}

std::optional<Evaluated> EvaluationRecorder::record(const Request& request, Outcome outcome,
                                                    StudyLog::Time start) {
  if (!outcome.failure.empty() && stop_) return std::nullopt;
  keep([&] { log_->append(request, outcome, start, now()); });
  ++carried_out_;
  if (!outcome.failure.empty()) check_failures(request, outcome);
  return rate(request, std::move(outcome));
}

void EvaluationRecorder::record_run(std::uint32_t cell, const RunRecord& run) {
  if (run.finished) keep([&] { log_->append_run(cell, run); });
}

StudyLog::Time EvaluationRecorder::now() const {
  return log_ == nullptr ? StudyLog::Time() : std::chrono::system_clock::now();
}

/// What cannot be recorded ends the study: nothing is to be carried out in vain.
void EvaluationRecorder::keep(const std::function<void()>& append) {
  if (log_ == nullptr) return;
  try {
    append();
  } catch (...) {
    end_study(std::current_exception());
  }
}

Evaluated EvaluationRecorder::rate(const Request& request, Outcome outcome) const {
  if (outcome.failure.empty()) {
    return {.payoff = outcome.payoff,
            .observations = std::move(outcome.observations),
            .games = outcome.games};
  }
  Evaluated evaluated{.failed = true};
  evaluated.skipped = on_failure_.kind != FailurePolicy::Kind::kValue;
  if (!evaluated.skipped) evaluated.payoff = request.objective->unit().payoff_of(on_failure_.value);
  return evaluated;
}

void EvaluationRecorder::check_failures(const Request& request, const Outcome& outcome) {
  constexpr std::int64_t kEnough = 20;
  const std::int64_t failed = ++failed_;
  const std::int64_t carried_out = carried_out_;
  const std::string text = failure_text(*request.objective, *request.point, outcome.failure);
  {
    const std::lock_guard lock(failure_mutex_);
    last_failure_ = outcome.failure;
  }
  const auto end = [&](const std::string& cause) {
    end_study(std::make_exception_ptr(EvaluationError(cause)));
  };
  if (on_failure_.kind == FailurePolicy::Kind::kAbort) end(text);
  const double rate = static_cast<double>(failed) / static_cast<double>(carried_out);
  if (carried_out < kEnough || rate <= on_failure_.max_rate) return;
  end(fmt::format("{} of {} evaluations failed, max_failure_rate is {}; the last: {}", failed,
                  carried_out, on_failure_.max_rate, text));
}

void EvaluationRecorder::end_study(const std::exception_ptr& cause) {
  {
    const std::lock_guard lock(failure_mutex_);
    if (!end_) end_ = cause;
  }
  stop_ = true;
  std::rethrow_exception(cause);
}

void EvaluationRecorder::check() const {
  const std::lock_guard lock(failure_mutex_);
  if (end_) std::rethrow_exception(end_);
}

std::string EvaluationRecorder::last_failure() const {
  const std::lock_guard lock(failure_mutex_);
  return last_failure_;
}

}  // namespace ntune
