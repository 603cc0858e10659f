#pragma once

#include <cstdint>
#include <span>

#include "ntune/core/rng.h"

namespace ntune {

/// Two ends of a confidence interval.
struct Interval {
  double low = 0.0;
  double high = 0.0;
};

/// Sums of powers of deviations from a mean (Chan, Golub and LeVeque 1983).
struct Moments {
  double count = 0.0;
  double mean = 0.0;
  double squares = 0.0;
  double cubes = 0.0;

  void merge(const Moments& other);
};

/// Count, mean and variance of a sample, one value at a time (Welford 1962).
class RunningStats {
 public:
  void add(double value);
  /// Adds all values of another sample at once (Chan, Golub and LeVeque 1983).
  void merge(const RunningStats& other);

  [[nodiscard]] std::int64_t count() const { return state_.count; }
  /// 0 for an empty sample.
  [[nodiscard]] double mean() const { return state_.mean; }
  /// Unbiased (n - 1); 0 below two values.
  [[nodiscard]] double variance() const;
  [[nodiscard]] double sd() const;
  /// sd / sqrt(n); 0 below two values.
  [[nodiscard]] double standard_error() const;
  [[nodiscard]] double min() const { return state_.min; }
  [[nodiscard]] double max() const { return state_.max; }
  /// The common_step of all values that were added one by one; 1 where there are none, as in a
  /// restored state.
  [[nodiscard]] double step() const { return step_; }
  /// Of log |x| and of the cube root of |x|, where all values x have one sign, none is 0 and all
  /// were added one by one; else empty.
  [[nodiscard]] Moments logarithms() const { return has_sizes() ? logarithms_ : Moments{}; }
  [[nodiscard]] Moments cube_roots() const { return has_sizes() ? cube_roots_ : Moments{}; }

  /// All that it holds, to be stored and restored exactly.
  struct State {
    std::int64_t count = 0;
    double mean = 0.0;
    double squares = 0.0;  ///< sum of squared deviations from the mean
    double min = 0.0;
    double max = 0.0;
  };
  [[nodiscard]] const State& state() const { return state_; }
  RunningStats() = default;
  explicit RunningStats(const State& state) : state_(state) {}

 private:
  friend RunningStats stats_of(std::span<const double> values);
  friend RunningStats without_rounding(const RunningStats& differences);

  void add_size(double value);
  [[nodiscard]] bool has_sizes() const;

  State state_;
  double step_ = 1.0;
  Moments logarithms_;
  Moments cube_roots_;
};

/// The largest of `step` / 2^i of which the value is a multiple too, from 1/8 on; else 0. `step` is
/// 1, 1/2, 1/4, 1/8 or 0.
double common_step(double step, double value);

RunningStats stats_of(std::span<const double> values);

/// The values of two samples as one.
inline RunningStats joined(RunningStats one, const RunningStats& other) {
  one.merge(other);
  return one;
}

/// a - b, or 0 where that is no more than the rounding errors of two computed values.
double rounded_difference(double a, double b);
/// Differences with a mean of 0 where that is no more than the rounding errors of their sum.
RunningStats without_rounding(const RunningStats& differences);
/// Differences that vary by no more than what rounding leaves of them are equal, so that they are
/// judged alike in any unit.
RunningStats without_dust(const RunningStats& differences);

/// Mean ± t(n - 1) * standard error. Needs n >= 2: the mean itself twice otherwise.
Interval student_interval(const RunningStats& sample, double confidence = 0.95);

/// Wilson's score interval of a proportion (Wilson 1927): successes of n, both >= 0, n >= 1.
/// `successes` may be fractional.
Interval wilson_interval(double successes, double n, double confidence = 0.95);

/// Basic bootstrap interval of the mean (Davison and Hinkley 1997, eq. 5.6): 2 * mean minus the
/// quantiles of `resamples` resampled means. Needs at least one value.
Interval bootstrap_interval(std::span<const double> values, Rng rng, int resamples = 2000,
                            double confidence = 0.95);

/// Values, and the mean that is asked for as a sample of its own: its mean, and its variance over
/// its count, are those of the estimate, and its count less one are the degrees of freedom.
struct MeanSample {
  RunningStats values = {};  ///< all of them, as they came
  RunningStats mean = {};

  MeanSample() = default;
  /// Makes a sample of values that count alike.
  MeanSample(const RunningStats& alike) : values(alike), mean(alike) {}  // NOLINT: means itself
};

/// The values of a stratum, and the weight of its mean.
struct Stratum {
  RunningStats values = {};
  double weight = 1.0;
};

/// The weighted mean of the means of strata, whatever their counts: sum(w m) / sum(w), with the
/// variance sum(w^2 s^2 / n) / sum(w)^2 (Cochran 1977, section 5.4) and Satterthwaite's degrees of
/// freedom. The s^2 of few values may be small by chance, and hide how much hangs on them: the
/// degrees of freedom are no more than where every s^2 is at least the pooled one.
///
/// Nobody has seen the noise of strata of one value. They have at least the variance that is pooled
/// within the others, and more the further they lie apart. That is all noise where strata may be
/// `alike`, as differences without an effect are. Else it counts as far as noise of a standard
/// deviation five times the others' would bring it, of m others sqrt(1 + 24 / m) times. Where
/// nothing varies within the others, nothing does.
///
/// Where a stratum is empty, or strata of less than half of the weight have two values, those that
/// have any count as a sample of strata: the variance is that between their means.
MeanSample stratified(std::span<const Stratum> strata, bool alike = false);

}  // namespace ntune
