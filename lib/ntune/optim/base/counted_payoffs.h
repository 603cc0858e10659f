#pragma once

#include "ntune/core/statistics.h"
#include "ntune/optim/base/failures.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/optim/models/ordinary_payoffs.h"
#include "ntune/optim/models/sampled_points.h"

namespace ntune {

/// What payoffs count as in a search that compares means: with noise as OrdinaryPayoffs says, so
/// that one wild payoff does not decide; without noise as themselves.
class CountedPayoffs {
 public:
  explicit CountedPayoffs(const OptimiserContext& context)
      : noisy_(context.noisy),
        ordinary_(context.payoff_low, context.payoff_high, context.payoff_slack) {}

  /// Adds a payoff to the points, and returns what it counts as for now. Later payoffs may change
  /// that: then the points are amended.
  double add(SampledPoints& points, const Point& point, double payoff) {
    bool amended = false;
    if (noisy_) {
      payoff = ordinary_.add(point, payoff, [&](const Point& earlier, double before, double now) {
        points.amend(earlier, before, now);
        amended = true;
      });
    }
    points.add(point, payoff);
    payoffs_.add(payoff);
    if (amended) payoffs_ = payoffs_of(points);
    return payoff;
  }
  /// What all payoffs count as; without their range.
  [[nodiscard]] const RunningStats& payoffs() const { return payoffs_; }
  /// What an optimiser was told that keeps its payoffs here.
  [[nodiscard]] PayoffsByPoint told(const SampledPoints& points) const {
    return {.points = &points, .set_aside = ordinary_.set_aside()};
  }

 private:
  bool noisy_;
  OrdinaryPayoffs ordinary_;
  RunningStats payoffs_;
};

/// Counts the payoffs of a report, or its failure. For optimisers that learn nothing else of it.
inline void count_report(const Point& point, const Report& report, SampledPoints& points,
                         CountedPayoffs& counted, Failures& failures) {
  for (const double payoff : report.payoffs) {
    counted.add(points, point, payoff);
    failures.succeed(point);
  }
  if (report.failed) failures.fail(point, points);
}

}  // namespace ntune
