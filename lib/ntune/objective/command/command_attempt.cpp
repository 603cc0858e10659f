#include "ntune/objective/command/command_attempt.h"

#include <signal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
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

AttemptLimits::AttemptLimits(const CommandOptions& options)
    : is_result_(options.measures_time()),
      processor_(options.result.processor),
      timeout_(options.timeout),
      cutoff_(options.cutoff.value_or(std::numeric_limits<double>::infinity())),
      penalty_(options.penalty_value()),
      output_(static_cast<std::size_t>(options.max_output)) {}

ProcessLimits AttemptLimits::start(const std::atomic<bool>* stop) const {
  return {.deadline = seconds_from_now(timeout_),
          .output = output_,
          .stop = stop,
          .by_the_clock = true};
}

ProcessLimits AttemptLimits::process(double cap, const std::atomic<bool>* stop) const {
  // Where time is the result, a cap may end the run before the cutoff.
  const double most = is_result_ ? std::min(cutoff_, cap) : cutoff_;
  ProcessLimits limits{.output = output_, .stop = stop};
  // Processor time has its own limit, and the wall time keeps the timeout.
  limits.deadline = seconds_from_now(processor_ ? timeout_ : std::min(timeout_, most));
  if (processor_) limits.processor = most;
  limits.by_the_clock = are_by_the_clock();
  return limits;
}

void AttemptLimits::end(CommandAttempt& attempt, Process::Event event, double cap,
                        double processor) const {
  attempt.late = event == Process::Event::kTimedOut;
  // A standstill of this process is nobody's fault, so the attempt is blamed on the machine and
  // repeated.
  attempt.in_vain = event == Process::Event::kStoodStill;
  if (attempt.in_vain) attempt.blame = Blame::kMachine;
  if (event == Process::Event::kStopped) attempt.blame = Blame::kInterruption;
  // A limit that was a cutoff or a cap gives a result; any other one means that the program is
  // late.
  if (attempt.late) attempt.ending = ending(cap, processor);
  if (attempt.ending == Ending::kWhole) {
    attempt.result.problem = problem_of(event, timeout_, output_);
  } else if (attempt.ending == Ending::kCapped) {
    attempt.result = {.values = {cap}, .form = "ended, it can no longer win"};
  } else {
    attempt.result = cut_off();
  }
}

/// What a program counts for that was ended after so much processor time; kWhole: it was late.
Ending AttemptLimits::ending(double cap, double processor) const {
  // The wall time ran out before the processor time: the program waited too long and is late.
  if (processor_ && processor < (is_result_ ? std::min(cutoff_, cap) : cutoff_)) {
    return Ending::kWhole;
  }
  // A cap below both limits ends the evaluation early, with the cap as a bound of its cost.
  if (is_result_ && cap < std::min(cutoff_, timeout_)) return Ending::kCapped;
  return cutoff_ <= timeout_ ? Ending::kCutOff : Ending::kWhole;
}

ParsedResult AttemptLimits::cut_off() const {
  return {.values = {penalty_.value()}, .form = "cut off"};
}

ParsedResult AttemptLimits::result_of_unsolved() const {
  if (penalty_) return {.values = {*penalty_}, .form = "not solved"};
  return {.problem = "not solved; with a 'cutoff' or a 'penalty' this counts as what is cut off"};
}

ParsedResult AttemptLimits::result_of(const ProcessSeconds& seconds, Ending& ending) const {
  const double value = processor_ ? seconds.processor : seconds.wall;
  // The program may have ended between the limit and the moment at which it was looked at.
  if (value > cutoff_) {
    ending = Ending::kCutOff;
    return cut_off();
  }
  return {.values = {value}, .form = processor_ ? "processor time" : "wall time"};
}

}  // namespace ntune
