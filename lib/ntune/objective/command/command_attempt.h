#pragma once

#include <atomic>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

#include "ntune/core/process.h"
#include "ntune/objective/command/command_options.h"
#include "ntune/objective/command/result_parser.h"
#include "ntune/objective/objective.h"

namespace ntune {

/// The exit status with which a program asks for another try, EX_TEMPFAIL of sysexits.h.
inline constexpr int kTemporaryStatus = 75;

inline bool is_temporary(const ProcessStatus& status) {
  return !status.signalled && status.code == kTemporaryStatus;
}

/// What one attempt at an evaluation gave.
struct CommandAttempt {
  ParsedResult result = {};
  bool retry = false;           ///< the failure is temporary
  bool late = false;            ///< no result within the timeout
  bool unheard = false;         ///< a worker ended without a word to the request
  Blame blame = Blame::kPoint;  ///< of a problem
  /// Seconds in which this process was stopped; `in_vain`: the attempt tells nothing for that.
  double stood_still = 0.0;
  bool in_vain = false;
  SolverAnswer answer = SolverAnswer::kNone;
  Ending ending = Ending::kWhole;  ///< of what was ended on purpose, which is no problem
  std::string out = {};            ///< what the program wrote; of a worker, the answer
  std::string err = {};
  std::string passed_over = {};  ///< a line of a worker that begins with a brace and is no answer
  std::string sent = {};         ///< on standard input or in the file of parameters
  std::string shown = {};        ///< the command line that repeats it, where that is asked for
  bool started = true;
  std::optional<ProcessStatus> status = {};  ///< nothing: it runs on, or never started

  [[nodiscard]] std::string status_text() const { return status ? status->text() : ""; }
};

/// Whether a program that has ended so was told to end together with this process, as batch systems
/// and service managers do it: in any order, the two a moment apart. Waits for that moment.
bool ended_with_us(const ProcessStatus& status, const std::atomic<bool>* stop);

/// Sleeps unless the switch turns; false if it did. The switch may be nullptr.
bool pause(double seconds, const std::atomic<bool>* stop);

/// How long one attempt at an evaluation may take and how much it may write, and what its time
/// counts as: the options `result: time`, `cutoff`, `par`, `timeout` and `max_output`.
class AttemptLimits {
 public:
  explicit AttemptLimits(const CommandOptions& options);

  /// The program's times are its result.
  [[nodiscard]] bool are_of_result() const { return is_result_; }
  /// A time by the clock is the result, or has a cutoff.
  [[nodiscard]] bool are_by_the_clock() const {
    return !processor_ && (is_result_ || std::isfinite(cutoff_));
  }
  /// The limits of a start that begins now, which neither cutoff nor cap ends.
  [[nodiscard]] ProcessLimits start(const std::atomic<bool>* stop) const;
  /// The limits of an attempt that begins now. `cap` is that of EvaluationId, in seconds; it ends
  /// the attempt early where the time is the result.
  [[nodiscard]] ProcessLimits process(double cap, const std::atomic<bool>* stop) const;
  /// Says in the attempt what a program counts for that was ended at these limits by the event,
  /// which is neither kOutput nor kEnded, after so much processor time.
  void end(CommandAttempt& attempt, Process::Event event, double cap, double processor = 0.0) const;
  /// The result of what has ended without a solution: the penalty, or a failure where none is
  /// known.
  [[nodiscard]] ParsedResult result_of_unsolved() const;
  /// The result of a program that has ended by itself, where its time is the result. One that has
  /// outrun the cutoff is cut off.
  [[nodiscard]] ParsedResult result_of(const ProcessSeconds& seconds, Ending& ending) const;

 private:
  [[nodiscard]] Ending ending(double cap, double processor) const;
  [[nodiscard]] ParsedResult cut_off() const;

  bool is_result_;
  bool processor_;
  double timeout_;
  double cutoff_;  ///< infinite: none
  std::optional<double> penalty_;
  std::size_t output_;  ///< bytes
};

}  // namespace ntune
