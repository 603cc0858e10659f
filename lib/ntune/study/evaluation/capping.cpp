#include "ntune/study/evaluation/capping.h"

#include <algorithm>
#include <limits>

#include "ntune/objective/capabilities.h"

namespace ntune {

bool can_be_capped(const Objective& objective) {
  const OutsideProgram* program = objective.outside_program();
  return program != nullptr && program->costs_time() && !objective.payoffs().several;
}

void CapBound::add_whole(double mean) {
  means_.insert(std::ranges::upper_bound(means_, mean), mean);
  if (means_.size() > stay_) means_.pop_back();
}

double CapBound::left(double sum, std::int64_t lost) const {
  if (means_.size() < stay_ || evaluations_ <= lost) {
    return std::numeric_limits<double>::infinity();
  }
  // A candidate that is level may still win: it comes to be worse by more than rounding errors.
  constexpr double kMargin = 1e-9;
  const auto most = static_cast<double>(evaluations_ - lost);
  return (means_.back() * most - sum) * (1.0 + kMargin) + kMargin * most;
}

}  // namespace ntune
