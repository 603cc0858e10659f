#pragma once

#include <cstdint>
#include <optional>

#include "ntune/core/skewed_mean.h"
#include "ntune/core/statistics.h"

namespace ntune {

/// Smallest and largest possible value of what is averaged, where they are known; low < high.
struct PossibleValues {
  std::optional<double> low = {};
  std::optional<double> high = {};

  /// The values are costs with the sign turned: where none is above 0, no mean is.
  bool negated_costs = false;
  /// How many games a value is the mean of; 0: not known. Of a difference of two such values it is
  /// those of either up to a pair, else those of both where any differs (difference_range).
  double games = 0.0;
  /// The values may be skewed, as run times are (SkewedMean).
  bool skewed = false;

  [[nodiscard]] bool is_known() const { return low && high; }
  /// The upper bound of a mean, where this is the highest value seen.
  [[nodiscard]] std::optional<double> highest_mean(double highest) const {
    return !high && negated_costs && highest <= 0.0 ? 0.0 : high;
  }
};

/// The range of results of games and of pairs, if all values of a sample seem to be such, and are
/// not the same: multiples of 1/4 from 0 to 1, or of 1/2 from -1 to 1 on both sides of 0. Else
/// none.
PossibleValues evident_range(const RunningStats& values);

/// What a sample says of the mean of independent values, as a confidence distribution: its
/// quantiles are the ends of intervals.
///
/// Within a known range the mean is treated as a share of wins. Let n values in a range from 0 to 1
/// have the variance V and the mean m. They are worth n / f wins and losses, f = V / (m (1 - m)),
/// and these give Clopper and Pearson's tails. Wins and losses have f = 1, draws lower it. As V is
/// an estimate, f is drawn to 1. In games and pairs, or where all values are alike, it is drawn as
/// by 1.5 values at the ends of the range. In other samples it is drawn more, the more the variance
/// is that of few values far from the near end. Means of g > 2 games have at least 1.5 / g^2 such
/// values, as one game moves a mean by 1 / g. Where g is not known, a sample is one of games if all
/// values are multiples of an eighth of the range. benchmarks/results/intervals.md has the
/// coverage.
///
/// Without a range Student's distribution is used. It makes the end of a skewed sample that lies
/// away from 0 too near: SkewedMean moves that end outwards where it says so. It leaves the other
/// end, which is safe.
///
/// Where values come from strata, the sample is that of their mean. The single values tell whether
/// they are results of games.
class MeanConfidence {
 public:
  /// `range` holds all values of the sample.
  MeanConfidence(const MeanSample& sample, const PossibleValues& range);

  /// Central interval of the mean, within the range. Nothing below two values, nor where all are
  /// alike and the range is not known.
  [[nodiscard]] std::optional<Interval> interval(double confidence = 0.95) const;
  /// Probability that the mean is above `value`; 1/2 where the sample tells too little.
  [[nodiscard]] double probability_above(double value) const;
  /// By how much the square of the distance from mean to end is more than Student's.
  [[nodiscard]] Interval squares_beyond_students(double confidence) const;
  /// f: variance of a value as a share of that of wins and losses with the same mean; 1 without a
  /// range.
  [[nodiscard]] double variance_factor() const { return factor_; }

 private:
  enum class Kind { kNothing, kConstant, kStudent, kShare };

  /// Probability that the share is below `share`; a result equal to the one that was seen counts
  /// with the weight `tie`.
  [[nodiscard]] double below(double share, double tie) const;
  [[nodiscard]] Interval students(double confidence) const;
  [[nodiscard]] double students_above(double value) const;
  [[nodiscard]] double lower_end(double tail) const;
  [[nodiscard]] double upper_end(double tail) const;

  Kind kind_ = Kind::kNothing;
  RunningStats sample_;
  std::optional<SkewedMean> skewed_ = {};
  PossibleValues range_;
  double factor_ = 1.0;   ///< f
  double results_ = 0.0;  ///< wins and losses that the sample is worth
  double wins_ = 0.0;
  double degrees_ = 0.0;  ///< degrees of freedom of the variance; 0: it is known
};

/// MeanConfidence's interval.
std::optional<Interval> mean_interval(const MeanSample& sample, const PossibleValues& range,
                                      double confidence = 0.95);

/// First less second, of pairs that belong together.
struct PairedDifference {
  std::int64_t pairs = 0;
  double mean = 0.0;
  std::optional<Interval> interval = {};  ///< 95 %; nothing where the pairs tell too little
  double probability_positive = 0.5;      ///< probability that the mean difference is above 0
};

/// What the differences of pairs of values say, each of the two within `range`.
PairedDifference paired_difference(const MeanSample& differences, const PossibleValues& range,
                                   double confidence = 0.95);

/// Allows for skewed values in what Student's distribution says of a difference: of `first` less
/// `second`, samples of which the differences are. To the square of half the width come those that
/// are beyond Student's at the two means, as by the method of variance estimates recovery (Zou and
/// Donner 2008). What both have in common takes off the square of their correlation.
void allow_for_skew(const RunningStats& differences, const RunningStats& first,
                    const RunningStats& second, double confidence, PairedDifference& difference);

/// The range of differences of two values within `range`; none where that is not known.
PossibleValues difference_range(const RunningStats& differences, const PossibleValues& range);

}  // namespace ntune
