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
      penalty_(options.penalty()) {}

ProcessLimits RunTime::limits(double cap) const {
  const double most = is_result_ ? std::min(cutoff_, cap) : cutoff_;
  if (processor_) return {.deadline = seconds_from_now(timeout_), .processor = most};
  return {.deadline = seconds_from_now(std::min(timeout_, most)),
          .by_the_clock = is_result_ || std::isfinite(cutoff_)};
}

Ending RunTime::ending(double cap, double processor) const {
  if (processor_ && processor < (is_result_ ? std::min(cutoff_, cap) : cutoff_)) {
    return Ending::kWhole;
  }
  if (is_result_ && cap < std::min(cutoff_, timeout_)) return Ending::kCapped;
  return cutoff_ <= timeout_ ? Ending::kCutOff : Ending::kWhole;
}

ParsedResult RunTime::result_of(Ending ending, double cap) const {
  if (ending == Ending::kCapped) return {.values = {cap}, .form = "ended, it can no longer win"};
  return {.values = {penalty_}, .form = "cut off"};
}

ParsedResult RunTime::result_of(const ProcessSeconds& seconds, Ending& ending) const {
  const double value = processor_ ? seconds.processor : seconds.wall;
  if (value > cutoff_) {
    ending = Ending::kCutOff;
    return result_of(ending, 0.0);
  }
  return {.values = {value}, .form = processor_ ? "processor time" : "wall time"};
}

}  // namespace ntune
