#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "ntune/core/clock.h"
#include "ntune/core/object_pool.h"
#include "ntune/core/process.h"
#include "ntune/objective/command/command_attempt.h"

namespace ntune {

/// Processes that stay for many evaluations. Each takes a request (a JSON object with `id`) as a
/// line on standard input. It gives its answer, with the same `id`, as a line on standard output.
/// There are as many as there are requests at the same time. What is wrong with a worker ends it,
/// and the next request starts a new one. One that has answered before and ends without a word to
/// the next request may have been at its end already: a new one is asked in its place.
class WorkerPool {
 public:
  /// The limits are those of each request.
  WorkerPool(Program program, const AttemptLimits& limits);
  /// Closes their input, waits for 2 s altogether and kills what is left.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Answers have a number for each of these from now on; they outlive the workers.
  void set_goals(std::span<const Goal> goals) { goals_ = goals; }

  struct Request {
    std::int64_t id;
    const std::string& line;
    const std::atomic<bool>* stop;
    double cap;  ///< as in EvaluationId
  };
  /// Any number of threads. Throws ProcessError if no worker starts.
  CommandAttempt ask(const Request& request);

 private:
  /// One that has answered before; nullptr if there is none.
  std::unique_ptr<Process> take_idle();
  /// Asks this worker, and takes it back if all is well. `is_new`: it is asked for the first time.
  CommandAttempt ask(std::unique_ptr<Process> worker, const Request& request, bool is_new);
  /// Waits until a new worker reads its request; kOutput: it has. `begin` is set to when it did.
  Process::Event wait_for_start(Process& worker, const Request& request,
                                Clock::time_point& begin) const;
  [[nodiscard]] bool read_result(std::int64_t id, double seconds, CommandAttempt& attempt) const;

  Program program_;
  AttemptLimits limits_;
  std::span<const Goal> goals_ = {};
  ObjectPool<Process> idle_;
};

}  // namespace ntune
