#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ntune/core/parallel.h"
#include "ntune/core/task_pool.h"
#include "ntune/study/evaluation.h"
#include "ntune/study/study.h"
#include "ntune/study/study_log.h"

namespace ntune {

/// Where the evaluations of a study are carried out. Takes what the log already knows from there,
/// records what is new, and applies the study's rule for failures. What ends the study, an
/// EvaluationError or what the log throws, sets `progress.stop`: then nothing more is returned.
class Evaluator {
 public:
  /// A started evaluation.
  class Ticket {
   public:
    virtual ~Ticket() = default;
    /// Waits until it is done.
    virtual std::optional<Evaluated> wait() = 0;
  };

  /// `log` may be nullptr: nothing is kept. Study, progress and log must outlive the evaluator.
  Evaluator(const Study& study, StudyProgress& progress, StudyLog* log)
      : study_(study), progress_(progress), log_(log) {}
  virtual ~Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  virtual std::optional<Evaluated> evaluate(const Request& request) = 0;
  virtual std::unique_ptr<Ticket> submit(const Request& request) = 0;
  /// True if `evaluate` may be called from several threads at once.
  [[nodiscard]] virtual bool threaded() const = 0;
  /// Threads that the study runs on, 0: one per core.
  [[nodiscard]] virtual int threads() const { return study_.threads; }
  /// Run `run` of a repeat of a cell, from the log or carried out now.
  RunRecord run(const RunTask& task, Parallel& parallel);

  /// Why the last evaluation that failed did so; empty: none has.
  [[nodiscard]] std::string last_failure() const;

  [[nodiscard]] const Study& study() const { return study_; }
  [[nodiscard]] StudyProgress& progress() const { return progress_; }
  /// Throws what has ended the study, if anything has: where several evaluations are in flight,
  /// nobody may have waited for the one that failed.
  void check() const;

  /// Carries out `count` evaluations, as many at once as the study allows, and passes what they
  /// brought to `sink` in the order of their indices. False if stopped.
  bool evaluate_all(std::size_t count, const std::function<Request(std::size_t)>& request,
                    const std::function<void(std::size_t, const Evaluated&)>& sink,
                    Parallel& parallel);

 protected:
  /// A run carried out now; elsewhere, where an evaluator can.
  virtual RunRecord perform_run(const RunTask& task, Parallel& parallel);

  [[nodiscard]] std::optional<Evaluated> recall(const Request& request) const;
  std::optional<Evaluated> settle(const Request& request, Outcome outcome, StudyLog::Time start);
  [[nodiscard]] StudyLog::Time now() const;
  [[nodiscard]] bool stopped() const { return progress_.stop.load(std::memory_order_relaxed); }

 private:
  [[nodiscard]] Evaluated rate(const Request& request, Outcome outcome) const;
  bool evaluate_in_blocks(std::size_t count, const std::function<Request(std::size_t)>& request,
                          const std::function<void(std::size_t, const Evaluated&)>& sink,
                          Parallel& parallel);
  void keep(const std::function<void()>& append);
  void check_failures(const Request& request, const Outcome& outcome);
  [[noreturn]] void end_study(const std::exception_ptr& cause);

  const Study& study_;
  StudyProgress& progress_;
  StudyLog* log_;
  std::atomic<std::int64_t> carried_out_{0};
  std::atomic<std::int64_t> failed_{0};
  mutable std::mutex failure_mutex_;
  std::string last_failure_;
  std::exception_ptr end_;  ///< the first that has ended the study
};

/// A ticket for what is already known.
std::unique_ptr<Evaluator::Ticket> ready_ticket(std::optional<Evaluated> evaluated);

/// Calls the objective on the caller's thread, or with several evaluations of a run in flight, on
/// threads of its own.
class LocalEvaluator : public Evaluator {
 public:
  using Evaluator::Evaluator;

  std::optional<Evaluated> evaluate(const Request& request) override;
  std::unique_ptr<Ticket> submit(const Request& request) override;
  [[nodiscard]] bool threaded() const override { return true; }

 protected:
  virtual Outcome perform(const Request& request);

 private:
  TaskPool& pool();

  std::mutex mutex_;
  std::unique_ptr<TaskPool> pool_;
};

}  // namespace ntune
