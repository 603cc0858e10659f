#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "ntune/core/clock.h"
#include "ntune/study/model/evaluation.h"
#include "ntune/study/model/run_record.h"

namespace ntune {

struct RunTask;
class TaskPool;

/// Where the evaluations of a study are carried out. Knows nothing of what is recorded, nor of what
/// becomes of an evaluation that fails.
class Backend {
 public:
  /// When an evaluation began: by the calendar, which may be set, and by the clock of durations, as
  /// far as this process has seen it begin.
  struct Begin {
    std::chrono::system_clock::time_point time = {};
    std::optional<Clock::time_point> clock = {};

    static Begin now() { return {std::chrono::system_clock::now(), Clock::now()}; }
    /// Seconds since then; >= 0.
    [[nodiscard]] double seconds() const;
  };

  /// Takes what an evaluation brought, and when it began; nothing if it was not carried out, as
  /// when the study is stopped. May throw, which ends the study.
  using Finish = std::function<void(std::optional<Outcome> outcome, const Begin& begin)>;

  /// An evaluation under way. None outlives its ticket.
  class Ticket {
   public:
    virtual ~Ticket() = default;
    /// Returns when `finish` has been called; throws what it has thrown.
    virtual void wait() = 0;
  };

  virtual ~Backend() = default;

  /// Carries out an evaluation and waits for it; nothing as in Finish.
  virtual std::optional<Outcome> evaluate(const Request& request);

  /// Starts an evaluation, and calls `finish` once when it is over, on any thread. The request must
  /// outlive the ticket. Returns nullptr where the evaluation is over already.
  virtual std::unique_ptr<Ticket> submit(const Request& request, Finish finish) = 0;

  /// A whole run, where the backend deals out runs; nothing where it deals out evaluations. A run
  /// that `stop` has ended is unfinished. Throws EvaluationError.
  virtual std::optional<RunRecord> run(const RunTask& /*task*/, const std::atomic<bool>& /*stop*/) {
    return std::nullopt;
  }

  /// True if `evaluate` may be called from several threads at once. Else evaluations are submitted
  /// on one thread, in the order of the study.
  [[nodiscard]] virtual bool threaded() const = 0;
  /// Threads that the study runs on, 0: one per core.
  [[nodiscard]] virtual int threads() const = 0;
};

/// Has a pool of threads, which call `evaluate` for the evaluations in flight.
class ThreadedBackend : public Backend {
 public:
  ThreadedBackend();
  ~ThreadedBackend() override;
  ThreadedBackend(const ThreadedBackend&) = delete;
  ThreadedBackend& operator=(const ThreadedBackend&) = delete;

  std::unique_ptr<Ticket> submit(const Request& request, Finish finish) override;
  [[nodiscard]] bool threaded() const override { return true; }

 private:
  TaskPool& pool();

  std::mutex mutex_;
  std::unique_ptr<TaskPool> pool_;  ///< made when first needed
};

/// Calls the objective in this process.
class LocalBackend : public ThreadedBackend {
 public:
  /// `threads` >= 1, or 0 for one per core.
  explicit LocalBackend(int threads) : threads_(threads) {}

  std::optional<Outcome> evaluate(const Request& request) override;
  [[nodiscard]] int threads() const override { return threads_; }

 private:
  int threads_;
};

}  // namespace ntune
