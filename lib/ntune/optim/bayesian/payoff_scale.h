#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/optim/models/sampled_points.h"

namespace ntune {

/// Payoffs that all have one sign on the scale of logarithms, by point: log p, or -log(-p) of
/// negative costs. Where noise grows with the cost, as that of run times, it is equal on this
/// scale. Standardised logarithms have the mean 0 and the deviation 1, as they were at the last
/// fit.
class PayoffLogarithms {
 public:
  /// Takes note of a payoff as it was reported, before any is set aside.
  void note(double payoff);
  /// The ranks of points count from 1, as those of SampledPoints.
  void add(std::uint32_t rank, double payoff);
  void amend(std::uint32_t rank, double before, double now);
  /// Forgets all payoffs, and keeps the scale, by which the model speaks until the next fit.
  void clear() {
    cells_.clear();
    positive_ = negative_ = zeros_ = 0;
  }
  /// Whether all payoffs have one sign, none is 0, and the worst is no penalty. The rest below is
  /// for these alone. Where several payoffs are the very same worst one, as those of runs that were
  /// cut off, their share decides the mean, and logarithms make little of it.
  [[nodiscard]] bool usable() const {
    return (positive_ > 0) != (negative_ > 0) && zeros_ == 0 && times_worst_ < kPenalties;
  }

  /// Takes mean and deviation of all logarithms as origin and unit.
  void fit();
  [[nodiscard]] double unit() const { return unit_; }
  /// A payoff of another sign, which came after the last fit, counts as one of hardly any size.
  [[nodiscard]] double standard(double payoff) const {
    constexpr double kUnits = 10.0;
    const double size = std::max(sign_ * payoff, std::exp(centre_ - kUnits * unit_));
    return sign_ * (std::log(size) - centre_) / unit_;
  }
  /// The mean of a point's logarithms, standardised, by its index from 0.
  [[nodiscard]] double mean(std::size_t index) const {
    return sign_ * (cells_[index].mean() - centre_) / unit_;
  }
  /// The same as it follows from the mean of the payoffs, if n logarithms have this variance: a
  /// point that is now and then far worse has a mean that says so, and its logarithms do not.
  [[nodiscard]] double mean_behind(double payoff, double n, double variance) const {
    return standard(payoff) - sign_ * 0.5 * variance * unit_ * (1.0 - 1.0 / n);
  }
  /// Sum of squared deviations of a point's logarithms from their mean, in squares of the unit.
  [[nodiscard]] double within(std::size_t index) const {
    return cells_[index].deviations / (unit_ * unit_);
  }
  /// Sum of log |p| over a point's payoffs p.
  [[nodiscard]] double sum(std::size_t index) const { return cells_[index].sum; }
  /// The mean of payoffs whose standardised logarithms have this mean and this variance.
  [[nodiscard]] double payoff(double standard, double variance) const {
    return sign_ * std::exp(centre_ + unit_ * (sign_ * standard + 0.5 * variance * unit_));
  }

 private:
  /// Counts a payoff by its sign (1), or no longer (-1).
  void count(double payoff, int change);

  static constexpr std::int64_t kPenalties = 2;

  std::vector<Cell> cells_;  ///< of log |p|, by index
  std::int64_t positive_ = 0;
  std::int64_t negative_ = 0;
  std::int64_t zeros_ = 0;
  double worst_ = 0.0;            ///< the lowest payoff, where `times_worst_` is not 0
  std::int64_t times_worst_ = 0;  ///< how many payoffs are that
  double sign_ = 1.0;             ///< of all payoffs at the last fit
  double centre_ = 0.0;           ///< of log |p|
  double unit_ = 1.0;
};

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
