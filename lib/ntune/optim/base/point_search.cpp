#include "ntune/optim/base/point_search.h"

namespace ntune {

double PointSearch::count(const Point& point, double payoff) {
  bool amended = false;
  if (!as_told_) {
    payoff = ordinary_.add(point, payoff, [&](const Point& earlier, double before, double now) {
      points_.amend(earlier, before, now);
      amended = true;
    });
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
