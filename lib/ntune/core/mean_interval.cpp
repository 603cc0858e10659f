#include "ntune/core/mean_interval.h"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>

#include "ntune/core/crossing.h"
#include "ntune/core/normal.h"

namespace ntune {

namespace {

/// How many values at the ends of the range f is drawn by, and the weight in the tails of the
/// result that was seen. With them no cell of wins, draws and losses covers less than 93 %.
constexpr double kPseudoValues = 1.5;
constexpr double kTie = 0.6;
/// Samples that are no games have 0.2 (V / distance to the near end squared)^2 such values, at most
/// 20.
constexpr double kSkewWeight = 0.2;
constexpr double kMostPseudoValues = 20.0;
/// Below this f the range is so wide that Student's interval is the same.
constexpr double kSmallestFactor = 1e-7;
/// A value of more games is a mean.
constexpr double kGamesOfPair = 2.0;
/// Steps into which the results of games divide their range: eighths are differences of pairs.
constexpr double kStepsOfGames = 8.0;

/// Moments carry rounding errors, so a number counts as whole if it is nearer than 1e-4.
bool is_whole(double number) { return std::abs(number - std::round(number)) < 1e-4; }

/// True if all values seem to be low + k * step with whole k: their extremes, their sum and the sum
/// of their squares are. Where the values were seen one by one, steps of powers of two are sure.
bool are_multiples(const RunningStats& values, double low, double step) {
  // The step of all values, if it was followed one by one, is exact and refuses at once.
  if (values.step() < common_step(common_step(1.0, step), low)) return false;
  const auto n = static_cast<double>(values.count());
  const double mean = (values.mean() - low) / step;
  const double deviations = values.state().squares / (step * step);
  // One value that is a step apart from the others brings (n - 1) / n.
  if (deviations > 0.0 && deviations < 0.4) return false;
  // The sum and the sum of squares of whole numbers are whole. Above 1e9 a double's rounding hides
  // the fraction.
  const double squares = deviations + n * mean * mean;
  return squares < 1e9 && is_whole(n * mean) && is_whole(squares) &&
         is_whole((values.min() - low) / step) && is_whole((values.max() - low) / step);
}

bool are_within(const RunningStats& values, double low, double high) {
  return values.count() > 0 && values.min() >= low && values.max() <= high;
}

/// How many values at the ends of a range from 0 to 1 f is drawn by, in a sample of `games` games a
/// value (0: not known) that is not of single games or pairs.
double pseudo_values(double mean, double variance, double games) {
  if (variance == 0.0 && games == 0.0) return kPseudoValues;
  const double near = std::min(mean, 1.0 - mean);
  // V / near^2 is the squared coefficient of variation, seen from the nearer end: large for few
  // values far from that end.
  const double ratio = variance / (near * near);
  const double least = games > 0.0 ? kPseudoValues / (games * games) : 0.0;
  return std::clamp(kSkewWeight * ratio * ratio, least, kMostPseudoValues);
}

/// Quantile of Student's distribution with these degrees of freedom.
double students_quantile(double degrees, double p) {
  return boost::math::quantile(boost::math::students_t(degrees), p);
}

/// Probability that a Student variable with these degrees of freedom is below t.
double students_cdf(double degrees, double t) {
  return boost::math::cdf(boost::math::students_t(degrees), t);
}

double normal_cdf(double z) { return boost::math::cdf(boost::math::normal(), z); }

}  // namespace

PossibleValues evident_range(const RunningStats& values) {
  // Equal values show no step, so they tell nothing of their range.
  if (!(values.min() < values.max())) return {};
  if (are_within(values, 0.0, 1.0) && are_multiples(values, 0.0, 0.25)) return {0.0, 1.0};
  // Differences must have both signs, because values of one sign may be other quantities, such as
  // costs.
  const bool has_both = values.min() < 0.0 && values.max() > 0.0;
  if (has_both && are_within(values, -1.0, 1.0) && are_multiples(values, -1.0, 0.5)) {
    return {-1.0, 1.0};
  }
  return {};
}

PossibleValues difference_range(const RunningStats& differences, const PossibleValues& range) {
  if (!range.is_known()) return {};
  // Of more games than a pair, a difference is of the games of both. Where none differs, it is as
  // sure as those of single games.
  const bool varies = differences.state().squares > 0.0;
  const double games = range.games > kGamesOfPair && varies ? 2.0 * range.games : range.games;
  return {.low = *range.low - *range.high, .high = *range.high - *range.low, .games = games};
}

MeanConfidence::MeanConfidence(const MeanSample& measured, const PossibleValues& range)
    : sample_(measured.mean), range_(range) {
  const RunningStats& sample = sample_;
  if (sample.count() < 2) return;
  const auto n = static_cast<double>(sample.count());
  if (range.skewed) skewed_ = SkewedMean::of(sample);
  // The least that can be said needs no range: Student's interval, or nothing of equal values.
  kind_ = sample.state().squares > 0.0 ? Kind::kStudent : Kind::kConstant;
  range_.high = range.highest_mean(sample.max());
  degrees_ = n - 1.0;
  // Costs that were turned round have 0 as an upper bound.
  if (!range.is_known()) return;
  const double size = *range.high - *range.low;
  const double mean = std::clamp((sample.mean() - *range.low) / size, 0.0, 1.0);
  const bool games = range.games > 0.0
                         ? range.games <= kGamesOfPair
                         : are_multiples(measured.values, *range.low, size / kStepsOfGames);
  // Games have the variance of a multinomial sample, with n in the denominator; other samples have
  // the unbiased one.
  const double variance = sample.state().squares / (games ? n : n - 1.0) / (size * size);
  // No distribution on a range from 0 to 1 with this mean has a larger variance: that of wins and
  // losses.
  const double most = mean * (1.0 - mean);
  double factor = 1.0;
  if (most > 0.0) {
    const double pseudo = games ? kPseudoValues : pseudo_values(mean, variance, range.games);
    // f is the ratio of the variances, drawn to 1 by `pseudo` values whose ratio is 1.
    factor = std::min(1.0, (variance / most + pseudo / n) / (1.0 + pseudo / n));
  }
  if (factor < kSmallestFactor) return;
  kind_ = Kind::kShare;
  factor_ = factor;
  // n values with the factor f are worth n / f wins and losses, shared out by the mean.
  results_ = n / factor;
  wins_ = mean * results_;
  // The further f is below 1, the more depends on the estimated variance, and the fewer are the
  // degrees of freedom. At f = 1 the variance is that of wins and losses, which is known.
  degrees_ = games || factor == 1.0 ? 0.0 : (n - 1.0) / (1.0 - factor);
}

double MeanConfidence::below(double share, double tie) const {
  const double losses = results_ - wins_;
  if (share <= 0.0) return wins_ <= 0.0 ? tie : 0.0;
  // Without wins, or without losses, the beta distribution degenerates to a point at an end of the
  // range.
  if (share >= 1.0) return losses <= 0.0 ? 1.0 - tie : 1.0;
  // P(at least as many wins) and P(more wins) of a binomial distribution, as regularised incomplete
  // beta functions, which also take fractional counts.
  const double as_many = wins_ <= 0.0 ? 1.0 : boost::math::ibeta(wins_, losses + 1.0, share);
  const double more = losses <= 0.0 ? 0.0 : boost::math::ibeta(wins_ + 1.0, losses, share);
  return tie * as_many + (1.0 - tie) * more;
}

double MeanConfidence::lower_end(double tail) const {
  if (wins_ <= 0.0) return 0.0;
  return crossing([&](double share) { return below(share, kTie) - tail; }, 0.0, wins_ / results_);
}

/// The lower end of the share of losses: of a tail below 1e-16 the rest is 1 to a double.
double MeanConfidence::upper_end(double tail) const {
  MeanConfidence losses = *this;
  losses.wins_ = results_ - wins_;
  return 1.0 - losses.lower_end(tail);
}

/// Student's interval, and where the sample is skewed the end away from 0 further out.
Interval MeanConfidence::students(double confidence) const {
  Interval interval = student_interval(sample_, confidence);
  if (!skewed_) return interval;
  const double size = skewed_->quantile(0.5 * (1.0 + confidence));
  if (sample_.mean() > 0.0) {
    interval.high = std::max(interval.high, size);
  } else {
    interval.low = std::min(interval.low, -size);
  }
  return interval;
}

/// The probability that goes with these ends.
double MeanConfidence::students_above(double value) const {
  const double lead = sample_.mean() - value;
  const double above = students_cdf(degrees_, lead / sample_.standard_error());
  const bool outside = sample_.mean() > 0.0 ? lead < 0.0 : lead > 0.0;
  if (!skewed_ || !outside) return above;
  const double nearer = std::max(0.5, skewed_->probability_below(std::abs(value)));
  return lead < 0.0 ? std::max(above, 1.0 - nearer) : std::min(above, nearer);
}

std::optional<Interval> MeanConfidence::interval(double confidence) const {
  if (kind_ == Kind::kNothing || kind_ == Kind::kConstant) return std::nullopt;
  if (kind_ == Kind::kStudent) {
    const Interval interval = students(confidence);
    return Interval{range_.low ? std::max(interval.low, *range_.low) : interval.low,
                    range_.high ? std::min(interval.high, *range_.high) : interval.high};
  }
  double tail = 0.5 * (1.0 - confidence);
  // The tail is replaced by the normal tail beyond Student's quantile. It is smaller, so the
  // interval widens for few degrees of freedom.
  if (degrees_ > 0.0) tail = normal_cdf(students_quantile(degrees_, tail));
  const double size = *range_.high - *range_.low;
  return Interval{std::max(*range_.low, *range_.low + size * lower_end(tail)),
                  std::min(*range_.high, *range_.low + size * upper_end(tail))};
}

double MeanConfidence::probability_above(double value) const {
  if (kind_ == Kind::kNothing) return 0.5;
  const double lead = sample_.mean() - value;
  if (kind_ == Kind::kConstant) {
    // Laplace's rule for another value on the same side.
    const auto n = static_cast<double>(sample_.count());
    return lead > 0.0 ? (n + 1.0) / (n + 2.0) : lead < 0.0 ? 1.0 / (n + 2.0) : 0.5;
  }
  if (kind_ == Kind::kStudent) return students_above(value);
  const double size = *range_.high - *range_.low;
  const double above = 1.0 - below((value - *range_.low) / size, 0.5);
  // The reverse of the step in `interval`: Student's distribution judges the normal quantile, which
  // draws the probability to 1/2.
  if (degrees_ == 0.0 || above <= 0.0 || above >= 1.0) return above;
  return students_cdf(degrees_, normal_quantile(above));
}

Interval MeanConfidence::squares_beyond_students(double confidence) const {
  if (kind_ != Kind::kStudent || !skewed_) return {};
  const auto squares = [this](const Interval& interval) {
    const double mean = sample_.mean();
    return Interval{std::pow(mean - interval.low, 2.0), std::pow(interval.high - mean, 2.0)};
  };
  const Interval plain = squares(student_interval(sample_, confidence));
  const Interval ours = squares(students(confidence));
  return {ours.low - plain.low, ours.high - plain.high};
}

std::optional<Interval> mean_interval(const MeanSample& sample, const PossibleValues& range,
                                      double confidence) {
  return MeanConfidence(sample, range).interval(confidence);
}

PairedDifference paired_difference(const MeanSample& differences, const PossibleValues& range,
                                   double confidence) {
  const MeanConfidence mean(differences, difference_range(differences.values, range));
  return {.pairs = differences.values.count(),
          .mean = differences.mean.mean(),
          .interval = mean.interval(confidence),
          .probability_positive = mean.probability_above(0.0)};
}

void allow_for_skew(const RunningStats& differences, const RunningStats& first,
                    const RunningStats& second, double confidence, PairedDifference& difference) {
  const auto beyond = [confidence](const RunningStats& sample) {
    return MeanConfidence(sample, {.skewed = true}).squares_beyond_students(confidence);
  };
  const Interval ours = beyond(first);
  const Interval theirs = beyond(second);
  const Interval own{ours.low + theirs.high, ours.high + theirs.low};
  if (!difference.interval || (own.low == 0.0 && own.high == 0.0)) return;
  const double mean = difference.mean;
  const double half = difference.interval->high - mean;
  if (!(half > 0.0)) return;  // the differences are all one, but for rounding
  const double product = first.sd() * second.sd();
  const double covariance = 0.5 * (first.variance() + second.variance() - differences.variance());
  const double correlation = product > 0.0 ? std::clamp(covariance / product, 0.0, 1.0) : 0.0;
  const double common = correlation * correlation;
  // Of an end that is infinite nothing is common.
  const auto squares = [common](double here, double there) {
    return std::isfinite(here) ? std::max(0.0, here - common * there) : here;
  };
  const double low = std::hypot(half, std::sqrt(squares(own.low, own.high)));
  const double high = std::hypot(half, std::sqrt(squares(own.high, own.low)));
  difference.interval = Interval{mean - low, mean + high};
  // The ends at this confidence stay those of a distribution that is as much wider.
  const double wider = (mean > 0.0 ? low : high) / half;
  difference.probability_positive = students_cdf(static_cast<double>(differences.count() - 1),
                                                 mean / (differences.standard_error() * wider));
}

}  // namespace ntune
