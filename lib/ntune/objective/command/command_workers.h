#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "ntune/core/object_pool.h"
#include "ntune/core/process.h"
#include "ntune/objective/command/result_parser.h"
#include "ntune/objective/command/run_time.h"
#include "ntune/objective/ending.h"

namespace ntune {

/// What one attempt at an evaluation gave.
struct CommandAttempt {
  ParsedResult result = {};
  bool retry = false;              ///< the failure is temporary
  bool late = false;               ///< no result within the timeout
  Ending ending = Ending::kWhole;  ///< of what was ended on purpose, which is no problem
  std::string out = {};            ///< what the program wrote; of a worker, the answer
  std::string err = {};
  std::string status = {};  ///< "exit status 0"; empty: it runs on, or never started
};

/// The problem of an attempt that ended by this event, which is not kOutput; empty for kEnded.
std::string problem_of(Process::Event event, double seconds, std::size_t output);

/// Processes that stay for many evaluations. Each takes a request (a JSON object with `id`) as a
/// line on standard input. It gives its answer, with the same `id`, as a line on standard output.
/// There are as many as there are requests at the same time. What is wrong with a worker ends it,
/// and the next request starts a new one.
class WorkerPool {
 public:
  /// `time` and `output` limit each request.
  WorkerPool(Program program, const RunTime& time, std::size_t output);
  /// Closes their input, waits for 2 s altogether and kills what is left.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Any number of threads; `cap` as in EvaluationId. Throws ProcessError if no worker starts.
  CommandAttempt ask(std::int64_t id, const std::string& request, const std::atomic<bool>* stop,
                     double cap);

 private:
  std::unique_ptr<Process> take();
  Program program_;
  RunTime time_;
  std::size_t output_;
  ObjectPool<Process> idle_;
};

}  // namespace ntune
