#include "ntune/objective/command/run_time.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ntune {

RunTime::RunTime(const CommandOptions& options)
    : is_result_(options.measures_time()),
      processor_(options.result.processor),
      timeout_(options.timeout),
      cutoff_(options.cutoff.value_or(std::numeric_limits<double>::infinity())),
      penalty_(options.penalty_value()) {}

ProcessLimits RunTime::limits(double cap) const {
  // Where time is the result, a cap may end the run before the cutoff.
  const double most = is_result_ ? std::min(cutoff_, cap) : cutoff_;
  // Processor time has its own limit, and the wall time keeps the timeout.
  if (processor_) return {.deadline = seconds_from_now(timeout_), .processor = most};
  return {.deadline = seconds_from_now(std::min(timeout_, most)),
          .by_the_clock = is_result_ || std::isfinite(cutoff_)};
}

Ending RunTime::ending(double cap, double processor) const {
  // The wall time ran out before the processor time: the program waited too long and is late.
  if (processor_ && processor < (is_result_ ? std::min(cutoff_, cap) : cutoff_)) {
    return Ending::kWhole;
  }
  // A cap below both limits ends the evaluation early, with the cap as a bound of its cost.
  if (is_result_ && cap < std::min(cutoff_, timeout_)) return Ending::kCapped;
  return cutoff_ <= timeout_ ? Ending::kCutOff : Ending::kWhole;
}

ParsedResult RunTime::result_of(Ending ending, double cap) const {
  if (ending == Ending::kCapped) return {.values = {cap}, .form = "ended, it can no longer win"};
  return {.values = {penalty_.value()}, .form = "cut off"};
}

ParsedResult RunTime::result_of_unsolved() const {
  if (penalty_) return {.values = {*penalty_}, .form = "not solved"};
  return {.problem = "not solved; with a 'cutoff' or a 'penalty' this counts as what is cut off"};
}

ParsedResult RunTime::result_of(const ProcessSeconds& seconds, Ending& ending) const {
  const double value = processor_ ? seconds.processor : seconds.wall;
  // The program may have ended between the limit and the moment at which it was looked at.
  if (value > cutoff_) {
    ending = Ending::kCutOff;
    return result_of(ending, 0.0);
  }
  return {.values = {value}, .form = processor_ ? "processor time" : "wall time"};
}

}  // namespace ntune
