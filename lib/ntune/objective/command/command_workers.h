#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "ntune/core/object_pool.h"
#include "ntune/core/process.h"
#include "ntune/objective/command/command_attempt.h"

namespace ntune {

/// Processes that stay for many evaluations. Each takes a request (a JSON object with `id`) as a
/// line on standard input. It gives its answer, with the same `id`, as a line on standard output.
/// There are as many as there are requests at the same time. What is wrong with a worker ends it,
/// and the next request starts a new one.
class WorkerPool {
 public:
  /// The limits are those of each request.
  WorkerPool(Program program, const AnswerLimits& limits);
  /// Closes their input, waits for 2 s altogether and kills what is left.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Any number of threads; `cap` as in EvaluationId. Throws ProcessError if no worker starts.
  CommandAttempt ask(std::int64_t id, const std::string& request, const std::atomic<bool>* stop,
                     double cap);

 private:
  std::unique_ptr<Process> take();
  [[nodiscard]] bool read_result(std::int64_t id, double seconds, CommandAttempt& attempt) const;

  Program program_;
  AnswerLimits limits_;
  ObjectPool<Process> idle_;
};

}  // namespace ntune
