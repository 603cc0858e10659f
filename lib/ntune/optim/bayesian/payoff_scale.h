#pragma once

#include <cstdint>
#include <optional>

#include "ntune/core/statistics.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/optim/models/sampled_points.h"

namespace ntune {

/// The unit in which a model has the payoffs, and their mean, as they were at the last fit.
/// Payoffs are held less the origin, at first the first payoff, so that a large common
/// part costs no digits.
class PayoffScale {
 public:
  explicit PayoffScale(const OptimiserContext& context);

  void add(double payoff);
  /// Payoffs are held less another origin from now on.
  void move_origin(double origin);
  /// Takes all payoffs anew, from those of the points, shifted, and the ends of their range.
  void recount(const SampledPoints& all, double low, double high);
  /// Takes the mean of the payoffs so far, and their spread as the unit, or half of the range.
  void fit();
  /// The same with their spread as the unit, whatever range is declared.
  void fit_spread();

  /// The number that is subtracted from all payoffs before they are held.
  [[nodiscard]] double origin() const { return origin_; }
  /// A payoff less the origin.
  [[nodiscard]] double shifted(double payoff) const { return payoff - origin_; }
  /// A shifted payoff in units of the model, and back to a payoff.
  [[nodiscard]] double standard(double shifted) const { return (shifted - centre_) / unit_; }
  [[nodiscard]] double raw(double standard) const { return origin_ + centre_ + unit_ * standard; }
  [[nodiscard]] double unit() const { return unit_; }

  [[nodiscard]] std::int64_t count() const { return payoffs_.count(); }
  [[nodiscard]] double lowest() const { return origin_ + payoffs_.min(); }
  [[nodiscard]] double highest() const { return origin_ + payoffs_.max(); }

 private:
  std::optional<double> half_range_;  ///< of the payoffs, where the objective declares it
  RunningStats payoffs_;              ///< shifted
  double origin_ = 0.0;
  double centre_ = 0.0;
  double unit_ = 1.0;
};

}  // namespace ntune
