#pragma once

#include <cstdint>

#include "ntune/core/statistics.h"
#include "ntune/optim/base/failures.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/optim/models/ordinary_payoffs.h"
#include "ntune/optim/models/sampled_points.h"

namespace ntune {

/// The frame of a search that keeps its payoffs by point, and what is known of failures. With noise
/// a payoff counts as OrdinaryPayoffs says, so that one wild payoff does not decide a comparison of
/// means. Without noise it counts as itself.
class PointSearch : public Optimiser {
 public:
  void pending(const Point& /*point*/, bool is_in_flight) override {
    in_flight_ += is_in_flight ? 1 : -1;
  }
  using Optimiser::tell;
  /// Counts payoffs and failures.
  void tell(const Proposal& asked, const Report& report) override;
  [[nodiscard]] PayoffsByPoint told() const override {
    return {.points = &points_, .set_aside = ordinary_.set_aside()};
  }

 protected:
  /// `as_told`: payoffs count as themselves, with noise too.
  explicit PointSearch(const OptimiserContext& context, bool as_told = false)
      : space_(context.space),
        noisy_(context.noisy),
        points_(*context.space, context.budget),
        failures_(context, points_),
        as_told_(as_told || !noisy_),
        ordinary_(context.payoff_low, context.payoff_high, context.payoff_slack) {}

  /// Counts a payoff, and returns what it counts as for now. Later payoffs may change that: then
  /// the points are amended.
  double count(const Point& point, double payoff);
  /// What all payoffs count as; without their range.
  [[nodiscard]] const RunningStats& payoffs() const { return payoffs_; }
  /// The first allowed point of up to 100 that `draw()` gives, inactive parameters held; a random
  /// point of the space where none is. For searches that draw every parameter by itself.
  template <class Draw>
  Point draw_allowed(Rng& rng, const Draw& draw) const {
    constexpr int kTries = 100;
    for (int i = 0; i < kTries; ++i) {
      Point point = draw();
      if (!space_->constrained()) return point;
      space_->canonicalise(point);
      if (space_->is_allowed(point)) return point;
    }
    return space_->sample(rng);
  }
  /// Asks whose evaluations have come back: reports come in the order of the asks.
  [[nodiscard]] std::int64_t returned() const { return asked_ - in_flight_; }
  /// Whether without noise every point has a payoff or has failed.
  [[nodiscard]] bool all_known() const {
    const auto known = static_cast<double>(points_.size() + failures_.failed_points());
    return !noisy_ && known >= space_->size().points;
  }
  /// Whether a point may be asked for and recommended.
  [[nodiscard]] bool usable(const Point& point) const {
    return space_->is_allowed(point) && failures_.reliable(point);
  }

  const SearchSpace* space_;
  bool noisy_;
  SampledPoints points_;
  Failures failures_;
  std::int64_t asked_ = 0;  ///< counted by the search

 private:
  std::int64_t in_flight_ = 0;
  bool as_told_;
  OrdinaryPayoffs ordinary_;
  RunningStats payoffs_;
};

}  // namespace ntune
