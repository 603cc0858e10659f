#include "ntune/objective/command/command_attempt.h"

#include <signal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "ntune/core/clock.h"
#include "ntune/core/text.h"

namespace ntune {

namespace {

/// Why an attempt ended that way, as one line; empty for ends that are no failure.
std::string problem_of(Process::Event event, double seconds, std::size_t output) {
  switch (event) {
    case Process::Event::kTimedOut:
      return fmt::format("no result within {} s, killed", number_text(seconds));
    case Process::Event::kStopped:
      return "stopped";
    case Process::Event::kStoodStill:
      return "ntune itself was stopped meanwhile, so that the time is not known";
    case Process::Event::kTooMuchOutput:
      return fmt::format("more than {} bytes of output, killed", output);
    case Process::Event::kEnded:
    case Process::Event::kOutput:
      break;
  }
  return {};
}

/// True for the ends that come from being told to end: by the signal, or as a shell, a JVM and
/// others report it, by 128 and its number.
bool is_told_to_end(const ProcessStatus& status) {
  constexpr std::array kSignals = {SIGHUP, SIGINT, SIGQUIT, SIGKILL, SIGTERM};
  const int signal = status.signalled ? status.code : status.code - 128;
  return std::ranges::find(kSignals, signal) != kSignals.end();
}

}  // namespace

bool pause(double seconds, const std::atomic<bool>* stop) {
  constexpr auto kSlice = std::chrono::milliseconds(20);
  // A stop is noticed within a slice, because the sleep itself cannot be broken off.
  const auto end = seconds_from_now(seconds);
  while (Clock::now() < end) {
    if (stop != nullptr && stop->load()) return false;
    std::this_thread::sleep_for(std::min<Clock::duration>(kSlice, end - Clock::now()));
  }
  return stop == nullptr || !stop->load();
}

bool ended_with_us(const ProcessStatus& status, const std::atomic<bool>* stop) {
  // A program that was told to end needs some time to do so, and this process may be told a moment
  // later.
  constexpr double kTold = 1.0;
  constexpr double kOther = 0.04;  // it may have caught the signal; a signal is seen here in 20 ms
  return stop != nullptr && !pause(is_told_to_end(status) ? kTold : kOther, stop);
}

ProcessLimits AnswerLimits::process(double cap, const std::atomic<bool>* stop) const {
  ProcessLimits limits = time.limits(cap);
  limits.output = output;
  limits.stop = stop;
  return limits;
}

void AnswerLimits::end(CommandAttempt& attempt, Process::Event event, double cap,
                       double processor) const {
  attempt.late = event == Process::Event::kTimedOut;
  // A standstill of this process is nobody's fault, so the attempt is blamed on the machine and
  // repeated.
  attempt.in_vain = event == Process::Event::kStoodStill;
  if (attempt.in_vain) attempt.blame = Blame::kMachine;
  if (event == Process::Event::kStopped) attempt.blame = Blame::kInterruption;
  // A limit that was a cutoff or a cap gives a result; any other one means that the program is
  // late.
  if (attempt.late) attempt.ending = time.ending(cap, processor);
  if (attempt.ending == Ending::kWhole) {
    attempt.result.problem = problem_of(event, time.timeout(), output);
  } else {
    attempt.result = time.result_of(attempt.ending, cap);
  }
}

}  // namespace ntune
