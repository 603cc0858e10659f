#pragma once

#include <mutex>
#include <optional>

#include "ntune/core/statistics.h"
#include "ntune/objective/objective.h"

namespace ntune {

/// What calls cost where a budget is of costs: what they report, and else their seconds. Once a
/// program has reported a cost, a call without one, as a failure often is, counts the mean of those
/// that successes have reported: seconds would be in another unit. A failure before any success
/// costs nothing yet: the first success counts its seconds too, if it reports no cost either. All
/// members may be called from several threads at once.
class CallCosts {
 public:
  /// Takes the cost of a success that was recorded earlier, reported or not.
  void recall(double cost);
  /// The cost of a call that took so many seconds.
  double cost_of(const Outcome& outcome, double seconds);

 private:
  std::mutex mutex_;
  RunningStats costs_;             ///< of successes
  double waiting_ = 0.0;           ///< seconds of failures before the first success
  std::optional<bool> reporting_;  ///< whether successes report; nothing: none was seen yet
};

}  // namespace ntune
