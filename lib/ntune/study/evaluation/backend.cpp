#include "ntune/study/evaluation/backend.h"

#include <algorithm>
#include <future>
#include <utility>

#include "ntune/core/parallel.h"
#include "ntune/core/task_pool.h"
#include "ntune/study/evaluation/carry_out.h"

namespace ntune {

namespace {

class FutureTicket final : public Backend::Ticket {
 public:
  explicit FutureTicket(std::future<void> future) : future_(std::move(future)) {}
  /// Waits where nobody has: no evaluation outlives its run, whose result thus never depends on
  /// whether it fails in time.
  ~FutureTicket() override {
    if (future_.valid()) future_.wait();
  }
  FutureTicket(const FutureTicket&) = delete;
  FutureTicket& operator=(const FutureTicket&) = delete;
  void wait() override { future_.get(); }

 private:
  std::future<void> future_;
};

}  // namespace

double Backend::Begin::seconds() const {
  if (clock) return seconds_since(*clock);
  const std::chrono::duration<double> passed = std::chrono::system_clock::now() - time;
  return std::max(0.0, passed.count());
}

std::optional<Outcome> Backend::evaluate(const Request& request) {
  std::optional<Outcome> result;
  const auto ticket = submit(request, [&result](std::optional<Outcome> outcome, const Begin&) {
    result = std::move(outcome);
  });
  if (ticket) ticket->wait();
  return result;
}

ThreadedBackend::ThreadedBackend() = default;
ThreadedBackend::~ThreadedBackend() = default;

std::unique_ptr<Backend::Ticket> ThreadedBackend::submit(const Request& request, Finish finish) {
  TaskPool& tasks = pool();  // first: it may throw, and a ticket waits for its task
  const auto task =
      std::make_shared<std::packaged_task<void()>>([this, &request, finish = std::move(finish)] {
        if (*request.stop) return finish(std::nullopt, {});
        const Begin begin = Begin::now();
        finish(evaluate(request), begin);
      });
  auto ticket = std::make_unique<FutureTicket>(task->get_future());
  tasks.submit([task] { (*task)(); });
  return ticket;
}

TaskPool& ThreadedBackend::pool() {
  const std::lock_guard lock(mutex_);
  if (!pool_) pool_ = std::make_unique<TaskPool>(Parallel::resolve(threads()));
  return *pool_;
}

std::optional<Outcome> LocalBackend::evaluate(const Request& request) {
  const EvaluationId id{.repeat = request.key.repeat,
                        .run = request.key.run,
                        .evaluation = request.key.index,
                        .instance = request.instance,
                        .stop = request.stop,
                        .cap = request.cap};
  return carry_out(*request.objective, *request.point, request.stream, id, request.opponent);
}

}  // namespace ntune
