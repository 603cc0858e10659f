#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "ntune/core/clock.h"
#include "ntune/core/descriptor.h"
#include "ntune/core/program.h"

namespace ntune {

/// How long to wait for a program, and how much of its output to hold.
struct ProcessLimits {
  Clock::time_point deadline = Clock::time_point::max();
  std::size_t output = std::numeric_limits<std::size_t>::max();  ///< bytes, both streams together
  /// Only so many last bytes of the error output are kept; `output` does not count the others.
  std::size_t error_tail = std::numeric_limits<std::size_t>::max();
  const std::atomic<bool>* stop = nullptr;  ///< looked at every 20 ms
  /// Processor time of the program, seconds; without that of programs it has started and not yet
  /// waited for.
  double processor = std::numeric_limits<double>::infinity();
  /// The program's wall time counts: what a standstill of this process has touched is of no use.
  bool by_the_clock = false;
};

/// How a program ended.
struct ProcessStatus {
  bool signalled = false;
  int code = 0;  ///< exit status, or number of the signal

  /// "exit status 3", "signal 11 (Segmentation fault)".
  [[nodiscard]] std::string text() const;
};

/// What a program took, in seconds.
struct ProcessSeconds {
  double wall = 0.0;
  double processor = 0.0;  ///< user and system, with the programs that it has waited for
};

/// A running program in a new process group, used by one thread at a time. The whole group is
/// killed when the program has ended, and at the latest by the destructor.
class Process {
 public:
  /// kTimedOut: the deadline has come, or the processor time is used up. kStoodStill: this process
  /// was stopped for a while (SIGSTOP, Ctrl-Z), where limits are by the clock.
  enum class Event { kOutput, kEnded, kTimedOut, kStopped, kTooMuchOutput, kStoodStill };

  /// Starts it; safe in programs of several threads. Its standard input is `input`, or a pipe for
  /// `send` where there is none. Throws ProcessError.
  explicit Process(const Program& program, std::optional<std::string_view> input = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Writes text to the pipe. The part that does not fit is written during `wait`.
  void send(std::string_view text);
  void close_input() { in_.close(); }
  /// Whether some of what was sent has not been read yet.
  [[nodiscard]] bool has_unread_input() const;

  /// Waits for the next output or the end (then everything written before it has been read), or
  /// until a limit is met. Kills nothing before the end, and then only children left behind.
  Event wait(const ProcessLimits& limits);

  /// Ends the whole group at once and waits for the program; its status.
  ProcessStatus kill();

  /// What has been read so far; the caller may take from it.
  std::string& out() { return out_text_; }
  std::string& err() { return err_text_; }
  /// Once the program has ended.
  [[nodiscard]] const std::optional<ProcessStatus>& status() const { return status_; }
  /// Once the program has ended: what it took.
  [[nodiscard]] const ProcessSeconds& seconds() const { return seconds_; }
  /// Seconds since the last `send` in which this process was stopped, as far as `wait` has seen it.
  /// Deadlines come so much later.
  [[nodiscard]] double stood_still() const { return stood_still_; }

 private:
  [[nodiscard]] bool has_ended() const;
  [[nodiscard]] double processor_seconds() const;
  [[nodiscard]] int longest_wait(const ProcessLimits& limits) const;
  bool poll_once(int milliseconds);
  void write_pending();
  bool drain(const ProcessLimits& limits);
  bool drain_rest(const ProcessLimits& limits);
  [[nodiscard]] std::size_t held() const { return out_text_.size() + err_text_.size(); }

  std::shared_ptr<ProgramGuard> guard_;
  pid_t id_ = -1;
  Descriptor handle_;  ///< pidfd; closed where the system has none
  Descriptor in_;
  Descriptor out_;
  Descriptor err_;
  std::string pending_;  ///< input that did not fit into the pipe
  std::string out_text_;
  std::string err_text_;
  std::optional<ProcessStatus> status_;
  Clock::time_point begin_;
  Clock::time_point look_;  ///< when it was last known that this process goes on
  ProcessSeconds seconds_;
  double stood_still_ = 0.0;
};

/// Output and status of a program that ran to its end, or was killed with its group at a limit.
struct ProcessResult {
  Process::Event event = Process::Event::kEnded;
  ProcessStatus status;
  std::string out;
  std::string err;
  ProcessSeconds seconds;
  double stood_still = 0.0;  ///< as Process::stood_still
};

/// Runs a program with this standard input. Throws ProcessError if it does not start.
ProcessResult run_program(Program program, std::string_view input, const ProcessLimits& limits);

}  // namespace ntune
