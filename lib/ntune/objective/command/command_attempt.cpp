#include "ntune/objective/command/command_attempt.h"

#include <fmt/format.h>

#include "ntune/core/text.h"

namespace ntune {

namespace {

std::string problem_of(Process::Event event, double seconds, std::size_t output) {
  switch (event) {
    case Process::Event::kTimedOut:
      return fmt::format("no result within {} s, killed", number_text(seconds));
    case Process::Event::kStopped:
      return "stopped";
    case Process::Event::kTooMuchOutput:
      return fmt::format("more than {} bytes of output, killed", output);
    case Process::Event::kEnded:
    case Process::Event::kOutput:
      break;
  }
  return {};
}

}  // namespace

ProcessLimits AnswerLimits::process(double cap, const std::atomic<bool>* stop) const {
  ProcessLimits limits = time.limits(cap);
  limits.output = output;
  limits.stop = stop;
  return limits;
}

void AnswerLimits::end(CommandAttempt& attempt, Process::Event event, double cap,
                       double processor) const {
  attempt.late = event == Process::Event::kTimedOut;
  if (attempt.late) attempt.ending = time.ending(cap, processor);
  if (attempt.ending == Ending::kWhole) {
    attempt.result.problem = problem_of(event, time.timeout(), output);
  } else {
    attempt.result = time.result_of(attempt.ending, cap);
  }
}

}  // namespace ntune
