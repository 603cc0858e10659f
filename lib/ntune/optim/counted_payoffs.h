#pragma once

#include <cstdint>

#include "ntune/optim/models/ordinary_payoffs.h"
#include "ntune/optim/models/sampled_points.h"
#include "ntune/optim/optimiser.h"

namespace ntune {

/// What payoffs count as in a search that compares means: with noise as OrdinaryPayoffs says, so
/// that one wild payoff does not decide; without noise as themselves.
class CountedPayoffs {
 public:
  explicit CountedPayoffs(const OptimiserContext& context)
      : noisy_(context.noisy), ordinary_(context.payoff_low, context.payoff_high) {}

  /// Adds a payoff to the points, and returns what it counts as for now. Later payoffs may change
  /// that: then the points are amended.
  double add(SampledPoints& points, const Point& point, double payoff) {
    if (noisy_) {
      payoff =
          ordinary_.add(point, payoff, [&points](const Point& earlier, double before, double now) {
            points.amend(earlier, before, now);
          });
    }
    points.add(point, payoff);
    return payoff;
  }
  [[nodiscard]] std::int64_t set_aside() const { return ordinary_.set_aside(); }

 private:
  bool noisy_;
  OrdinaryPayoffs ordinary_;
};

}  // namespace ntune
