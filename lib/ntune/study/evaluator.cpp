#include "ntune/study/evaluator.h"

#include <algorithm>
#include <deque>
#include <future>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/study/run.h"

namespace ntune {

namespace {

class ReadyTicket final : public Evaluator::Ticket {
 public:
  explicit ReadyTicket(std::optional<Evaluated> evaluated) : evaluated_(std::move(evaluated)) {}
  std::optional<Evaluated> wait() override { return std::move(evaluated_); }

 private:
  std::optional<Evaluated> evaluated_;
};

class FutureTicket final : public Evaluator::Ticket {
 public:
  explicit FutureTicket(std::future<std::optional<Evaluated>> future)
      : future_(std::move(future)) {}
  /// Waits where nobody has: no evaluation outlives its run, whose result thus never depends on
  /// whether it fails in time.
  ~FutureTicket() override {
    if (future_.valid()) future_.wait();
  }
  FutureTicket(const FutureTicket&) = delete;
  FutureTicket& operator=(const FutureTicket&) = delete;
  std::optional<Evaluated> wait() override { return future_.get(); }

 private:
  std::future<std::optional<Evaluated>> future_;
};

}  // namespace

std::unique_ptr<Evaluator::Ticket> ready_ticket(std::optional<Evaluated> evaluated) {
  return std::make_unique<ReadyTicket>(std::move(evaluated));
}

RunRecord Evaluator::run(const RunTask& task, Parallel& parallel) {
  if (log_ != nullptr) {
    if (auto known = log_->find_run(task.cell, task.repeat, task.run)) {
      progress_.evaluations += known->evaluations + known->hold_out_evaluations;
      return *std::move(known);
    }
  }
  RunRecord record = perform_run(task, parallel);
  if (record.finished) keep([&] { log_->append_run(task.cell, record); });
  return record;
}

/// What cannot be recorded ends the study: nothing is to be carried out in vain.
void Evaluator::keep(const std::function<void()>& append) {
  if (log_ == nullptr) return;
  try {
    append();
  } catch (...) {
    end_study(std::current_exception());
  }
}

RunRecord Evaluator::perform_run(const RunTask& task, Parallel& parallel) {
  return run_once(task, *this, parallel);
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
      if (stopped()) return;
      results[i] = evaluate(request(first + i));
      if (results[i]) progress_.evaluations += results[i]->cost();
    });
    if (stopped()) return false;
    for (std::size_t i = 0; i < results.size(); ++i) sink(first + i, *results[i]);
  }
  return true;
}

bool Evaluator::evaluate_all(std::size_t count, const std::function<Request(std::size_t)>& request,
                             const std::function<void(std::size_t, const Evaluated&)>& sink,
                             Parallel& parallel) {
  const auto window = static_cast<std::size_t>(study_.parallel_evaluations);
  if (threaded() && window == 1) return evaluate_in_blocks(count, request, sink, parallel);
  std::deque<std::unique_ptr<Ticket>> in_flight;
  std::size_t next = 0;
  for (std::size_t i = 0; i < count; ++i) {
    while (next < count && in_flight.size() < window) in_flight.push_back(submit(request(next++)));
    const std::optional<Evaluated> evaluated = in_flight.front()->wait();
    if (!evaluated) return false;
    in_flight.pop_front();
    sink(i, *evaluated);
    progress_.evaluations += evaluated->cost();
  }
  return true;
}

StudyLog::Time Evaluator::now() const {
  return log_ == nullptr ? StudyLog::Time() : std::chrono::system_clock::now();
}

std::optional<Evaluated> Evaluator::recall(const Request& request) const {
  if (log_ == nullptr) return std::nullopt;
  std::optional<Outcome> known = log_->find(request.key, *request.point);
  if (!known) return std::nullopt;
  // A study that ended with this failure tries again.
  if (!known->failure.empty() && study_.on_failure.kind == FailurePolicy::Kind::kAbort) {
    return std::nullopt;
  }
  return rate(request, *std::move(known));
}

std::optional<Evaluated> Evaluator::settle(const Request& request, Outcome outcome,
                                           StudyLog::Time start) {
  if (!outcome.failure.empty() && stopped()) return std::nullopt;
  keep([&] { log_->append(request, outcome, start, now()); });
  ++carried_out_;
  if (!outcome.failure.empty()) check_failures(request, outcome);
  return rate(request, std::move(outcome));
}

void Evaluator::check_failures(const Request& request, const Outcome& outcome) {
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
  if (study_.on_failure.kind == FailurePolicy::Kind::kAbort) end(text);
  const double rate = static_cast<double>(failed) / static_cast<double>(carried_out);
  if (carried_out < kEnough || rate <= study_.on_failure.max_rate) return;
  end(fmt::format("{} of {} evaluations failed, max_failure_rate is {}; the last: {}", failed,
                  carried_out, study_.on_failure.max_rate, text));
}

void Evaluator::end_study(const std::exception_ptr& cause) {
  {
    const std::lock_guard lock(failure_mutex_);
    if (!end_) end_ = cause;
  }
  progress_.stop = true;
  std::rethrow_exception(cause);
}

void Evaluator::check() const {
  const std::lock_guard lock(failure_mutex_);
  if (end_) std::rethrow_exception(end_);
}

std::string Evaluator::last_failure() const {
  const std::lock_guard lock(failure_mutex_);
  return last_failure_;
}

Evaluated Evaluator::rate(const Request& request, Outcome outcome) const {
  if (outcome.failure.empty()) {
    return {.payoff = outcome.payoff, .observations = std::move(outcome.observations)};
  }
  Evaluated evaluated{.failed = true};
  evaluated.skipped = study_.on_failure.kind != FailurePolicy::Kind::kValue;
  if (!evaluated.skipped) {
    evaluated.payoff = request.objective->unit().payoff_of(study_.on_failure.value);
  }
  return evaluated;
}

std::optional<Evaluated> LocalEvaluator::evaluate(const Request& request) {
  if (auto known = recall(request)) return known;
  const StudyLog::Time start = now();
  return settle(request, perform(request), start);
}

std::unique_ptr<Evaluator::Ticket> LocalEvaluator::submit(const Request& request) {
  if (auto known = recall(request)) return ready_ticket(std::move(known));
  const auto task = std::make_shared<std::packaged_task<std::optional<Evaluated>()>>(
      [this, request, point = *request.point]() -> std::optional<Evaluated> {
        if (stopped()) return std::nullopt;
        Request own = request;
        own.point = &point;
        own.view = nullptr;
        const StudyLog::Time start = now();
        return settle(own, perform(own), start);
      });
  auto ticket = std::make_unique<FutureTicket>(task->get_future());
  pool().submit([task] { (*task)(); });
  return ticket;
}

Outcome LocalEvaluator::perform(const Request& request) {
  const EvaluationId id{.repeat = request.key.repeat,
                        .run = request.key.run,
                        .evaluation = request.key.index,
                        .stop = &progress().stop};
  return carry_out(*request.objective, *request.point, request.stream, id);
}

TaskPool& LocalEvaluator::pool() {
  const std::lock_guard lock(mutex_);
  if (!pool_) pool_ = std::make_unique<TaskPool>(Parallel::resolve(threads()));
  return *pool_;
}

}  // namespace ntune
