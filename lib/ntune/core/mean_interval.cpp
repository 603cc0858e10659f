#include "ntune/core/mean_interval.h"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/tools/toms748_solve.hpp>

#include "ntune/core/normal.h"

namespace ntune {

namespace {

/// How many values at the ends of the range f is drawn by, and the weight in the tails of the
/// result that was seen. With them no cell of wins, draws and losses covers less than 93 %.
constexpr double kPseudoValues = 1.5;
constexpr double kTie = 0.6;
/// For samples that are no games: 0.2 (V / distance to the near end squared)^2, at most 20.
constexpr double kSkewWeight = 0.2;
constexpr double kMostPseudoValues = 20.0;
/// Below this f the range is so wide that Student's interval is the same.
constexpr double kSmallestFactor = 1e-7;
/// A value of more games is a mean.
constexpr double kGamesOfPair = 2.0;
/// Steps into which the results of games divide their range: eighths are differences of pairs.
constexpr double kStepsOfGames = 8.0;

bool is_whole(double number) { return std::abs(number - std::round(number)) < 1e-4; }

/// True if all values seem to be low + k * step with whole k: their extremes, their sum and the sum
/// of their squares are. Where the values were seen one by one, steps of powers of two are sure.
bool are_multiples(const RunningStats& values, double low, double step) {
  if (values.step() < common_step(common_step(1.0, step), low)) return false;
  const auto n = static_cast<double>(values.count());
  const double mean = (values.mean() - low) / step;
  const double deviations = values.state().squares / (step * step);
  // One value that is a step apart from the others brings (n - 1) / n.
  if (deviations > 0.0 && deviations < 0.4) return false;
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
  const double ratio = variance / (near * near);
  const double least = games > 0.0 ? kPseudoValues / (games * games) : 0.0;
  return std::clamp(kSkewWeight * ratio * ratio, least, kMostPseudoValues);
}

double students_quantile(double degrees, double p) {
  return boost::math::quantile(boost::math::students_t(degrees), p);
}

double students_cdf(double degrees, double t) {
  return boost::math::cdf(boost::math::students_t(degrees), t);
}

/// Where a rising function is 0, between an end at which it is below 0 and one at which it is not.
template <class Function>
double crossing(const Function& function, double low, double high) {
  std::uintmax_t most = 100;
  const auto [below, above] = boost::math::tools::toms748_solve(
      function, low, high, boost::math::tools::eps_tolerance<double>(48), most);
  return 0.5 * (below + above);
}

double normal_cdf(double z) { return boost::math::cdf(boost::math::normal(), z); }

}  // namespace

PossibleValues evident_range(const RunningStats& values) {
  if (!(values.min() < values.max())) return {};
  if (are_within(values, 0.0, 1.0) && are_multiples(values, 0.0, 0.25)) return {0.0, 1.0};
  const bool has_both = values.min() < 0.0 && values.max() > 0.0;
  if (has_both && are_within(values, -1.0, 1.0) && are_multiples(values, -1.0, 0.5)) {
    return {-1.0, 1.0};
  }
  return {};
}

PossibleValues difference_range(const RunningStats& differences, const PossibleValues& range) {
  if (range.is_known()) {
    // Of more games than a pair, a difference is of the games of both. Where none differs, it is as
    // sure as those of single games.
    const bool varies = differences.state().squares > 0.0;
    const double games = range.games > kGamesOfPair && varies ? 2.0 * range.games : range.games;
    return {.low = *range.low - *range.high, .high = *range.high - *range.low, .games = games};
  }
  if (are_within(differences, -1.0, 1.0) && are_multiples(differences, -1.0, 0.25))
    return {-1.0, 1.0};
  if (are_within(differences, -2.0, 2.0) && are_multiples(differences, -2.0, 0.5))
    return {-2.0, 2.0};
  return {};
}

MeanConfidence::MeanConfidence(const MeanSample& measured, const PossibleValues& range)
    : sample_(measured.mean), range_(range) {
  const RunningStats& sample = sample_;
  if (sample.count() < 2) return;
  const auto n = static_cast<double>(sample.count());
  kind_ = sample.state().squares > 0.0 ? Kind::kStudent : Kind::kConstant;
  range_.high = range.highest_mean(sample.max());
  degrees_ = n - 1.0;
  if (!range.is_known()) return;
  const double size = *range.high - *range.low;
  const double mean = std::clamp((sample.mean() - *range.low) / size, 0.0, 1.0);
  const bool games = range.games > 0.0
                         ? range.games <= kGamesOfPair
                         : are_multiples(measured.values, *range.low, size / kStepsOfGames);
  const double variance = sample.state().squares / (games ? n : n - 1.0) / (size * size);
  const double most = mean * (1.0 - mean);
  double factor = 1.0;
  if (most > 0.0) {
    const double pseudo = games ? kPseudoValues : pseudo_values(mean, variance, range.games);
    factor = std::min(1.0, (variance / most + pseudo / n) / (1.0 + pseudo / n));
  }
  if (factor < kSmallestFactor) return;
  kind_ = Kind::kShare;
  factor_ = factor;
  results_ = n / factor;
  wins_ = mean * results_;
  degrees_ = games || factor == 1.0 ? 0.0 : (n - 1.0) / (1.0 - factor);
}

double MeanConfidence::below(double share, double tie) const {
  const double losses = results_ - wins_;
  if (share <= 0.0) return wins_ <= 0.0 ? tie : 0.0;
  if (share >= 1.0) return losses <= 0.0 ? 1.0 - tie : 1.0;
  const double as_many = wins_ <= 0.0 ? 1.0 : boost::math::ibeta(wins_, losses + 1.0, share);
  const double more = losses <= 0.0 ? 0.0 : boost::math::ibeta(wins_ + 1.0, losses, share);
  return tie * as_many + (1.0 - tie) * more;
}

double MeanConfidence::lower_end(double tail) const {
  if (wins_ <= 0.0) return 0.0;
  return crossing([&](double share) { return below(share, kTie) - tail; }, 0.0, wins_ / results_);
}

double MeanConfidence::upper_end(double tail) const {
  if (wins_ >= results_) return 1.0;
  return crossing([&](double share) { return below(share, 1.0 - kTie) - (1.0 - tail); },
                  wins_ / results_, 1.0);
}

std::optional<Interval> MeanConfidence::interval(double confidence) const {
  if (kind_ == Kind::kNothing || kind_ == Kind::kConstant) return std::nullopt;
  if (kind_ == Kind::kStudent) {
    const Interval interval = student_interval(sample_, confidence);
    return Interval{range_.low ? std::max(interval.low, *range_.low) : interval.low,
                    range_.high ? std::min(interval.high, *range_.high) : interval.high};
  }
  double tail = 0.5 * (1.0 - confidence);
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
  if (kind_ == Kind::kStudent) return students_cdf(degrees_, lead / sample_.standard_error());
  const double size = *range_.high - *range_.low;
  const double above = 1.0 - below((value - *range_.low) / size, 0.5);
  if (degrees_ == 0.0 || above <= 0.0 || above >= 1.0) return above;
  return students_cdf(degrees_, normal_quantile(above));
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

}  // namespace ntune
