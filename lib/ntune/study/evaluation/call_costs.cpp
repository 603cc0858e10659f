#include "ntune/study/evaluation/call_costs.h"

#include <utility>

namespace ntune {

void CallCosts::recall(double cost) {
  const std::lock_guard lock(mutex_);
  costs_.add(cost);
}

double CallCosts::cost_of(const Outcome& outcome, double seconds) {
  const std::lock_guard lock(mutex_);
  if (outcome.failure.empty()) {
    if (outcome.cost) costs_.add(*outcome.cost);
    reporting_ = outcome.cost.has_value() || reporting_.value_or(false);
  }
  if (outcome.cost) return *outcome.cost;
  // After a resume the first failure may come before any success shows whether these report.
  const bool mean = reporting_.value_or(!outcome.failure.empty()) && costs_.count() > 0;
  if (mean) return costs_.mean();
  // Until a success shows whether costs are reported, the unit of the budget is not known.
  waiting_ += seconds;
  return reporting_ ? std::exchange(waiting_, 0.0) : 0.0;
}

}  // namespace ntune
