#pragma once

#include <atomic>
#include <cstddef>
#include <string>

#include "ntune/core/process.h"
#include "ntune/objective/command/result_parser.h"
#include "ntune/objective/command/run_time.h"
#include "ntune/objective/ending.h"

namespace ntune {

/// The exit status with which a program asks for another try, EX_TEMPFAIL of sysexits.h.
inline constexpr int kTemporaryStatus = 75;

inline bool is_temporary(const ProcessStatus& status) {
  return !status.signalled && status.code == kTemporaryStatus;
}

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

/// Limits within which a program answers.
struct AnswerLimits {
  RunTime time;
  std::size_t output = 0;  ///< bytes

  /// For an attempt that begins now; `cap` as in EvaluationId.
  [[nodiscard]] ProcessLimits process(double cap, const std::atomic<bool>* stop) const;
  /// Says in the attempt what a program counts for that was ended at these limits by the event,
  /// which is neither kOutput nor kEnded, after so much processor time.
  void end(CommandAttempt& attempt, Process::Event event, double cap, double processor = 0.0) const;
};

}  // namespace ntune
