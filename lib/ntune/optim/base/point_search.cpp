#include "ntune/optim/base/point_search.h"

#include <span>

namespace ntune {

double PointSearch::count(const Point& point, double payoff) {
  bool amended = false;
  if (!as_told_) {
    const auto amend = [&](const Point& earlier, double before, double now) {
      points_.amend(earlier, before, now);
      amended = true;
    };
    const auto relearn = [&](std::span<const OrdinaryPayoffs::Counted> all) {
      points_.clear_payoffs();
      for (const auto& [earlier, counts_as] : all) points_.add(earlier, counts_as);
      amended = true;
    };
    payoff = ordinary_.add(point, payoff, {amend, relearn});
  }
  points_.add(point, payoff);
  payoffs_.add(payoff);
  if (amended) payoffs_ = payoffs_of(points_);
  failures_.succeed(point);
  return payoff;
}

void PointSearch::tell(const Proposal& asked, const Report& report) {
  for (const double payoff : report.payoffs) count(asked.point, payoff);
  if (report.failed) failures_.fail(asked.point);
}

}  // namespace ntune
