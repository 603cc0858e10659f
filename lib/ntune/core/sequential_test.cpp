#include "ntune/core/sequential_test.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "ntune/core/mean_interval.h"

namespace ntune {

namespace {

/// The count of a score that was never seen, as in fishtest: the likelihood ratio stays finite.
constexpr double kNeverSeen = 1e-3;

/// What the logarithm of a ratio of skewed payoffs is less: an interval of skewed payoffs is exact
/// at one look at best, and jumps from look to look (benchmarks/results/skewed_tests.csv).
constexpr double kOfManyLooks = std::numbers::ln2;

using Vector = std::vector<double>;

/// The share of each score in what was seen, and the total count as `total`.
Vector probabilities(const ScoreFrequencies& seen, double& total) {
  Vector p;
  total = 0.0;
  for (const std::int64_t count : seen.counts) {
    p.push_back(count == 0 ? kNeverSeen : static_cast<double>(count));
    total += p.back();
  }
  for (double& x : p) x /= total;
  return p;
}

/// The distribution nearest to `p` (by likelihood) with mean 0 of `values`, which must have both
/// signs. It is p / (1 + x * value), where x makes the mean 0 and all probabilities stay positive.
Vector tilt(const Vector& p, const Vector& values) {
  const auto [least, most] = std::ranges::minmax_element(values);
  // All factors 1 + x * value stay positive between these two poles.
  double low = -1.0 / *most;
  double high = -1.0 / *least;
  // This mean falls from +infinity at `low` to -infinity at `high`, so bisection finds its zero.
  const auto mean = [&](double x) {
    double sum = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) sum += p[i] * values[i] / (1.0 + x * values[i]);
    return sum;
  };
  constexpr int kSteps = 80;
  for (int i = 0; i < kSteps; ++i) {
    const double middle = 0.5 * (low + high);
    (mean(middle) > 0.0 ? low : high) = middle;
  }
  const double x = 0.5 * (low + high);
  Vector tilted(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) tilted[i] = p[i] / (1.0 + x * values[i]);
  return tilted;
}

/// The log-likelihood ratio of p1 to p0, where `total` observations have the shares `p`.
double log_ratio(const Vector& p, double total, const Vector& p0, const Vector& p1) {
  double sum = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += p[i] * std::log(p1[i] / p0[i]);
  return total * sum;
}

/// The most likely distribution on the scores that has this mean.
Vector with_mean(const Vector& p, std::span<const double> scores, double mean) {
  Vector values;
  for (const double score : scores) values.push_back(score - mean);
  return tilt(p, values);
}

struct MeanAndSd {
  double mean = 0.0;
  double sd = 0.0;
};

/// Mean and standard deviation of a distribution on the scores.
MeanAndSd moments(const Vector& p, std::span<const double> scores) {
  double mean = 0.0;
  double variance = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i) mean += p[i] * scores[i];
  for (std::size_t i = 0; i < p.size(); ++i) {
    variance += p[i] * (scores[i] - mean) * (scores[i] - mean);
  }
  return {mean, std::sqrt(variance)};
}

/// The most likely distribution with (mean - reference) / sd = t. The stationary point makes the
/// mean 0 of score - reference - t * sd * (1 + ((mean - score) / sd)^2) / 2 at the mean and sd of
/// that point (Van den Bergh, "Normalized Elo", section 4.1). It is found by fixed-point iteration
/// from `p`. Nothing where these have one sign.
std::optional<Vector> with_t(const Vector& p, std::span<const double> scores, double reference,
                             double t) {
  constexpr int kSteps = 50;
  constexpr double kEnough = 1e-10;
  Vector best = p;
  for (int step = 0; step < kSteps; ++step) {
    const auto [mean, sd] = moments(best, scores);
    Vector values;
    for (const double score : scores) {
      const double deviation = (mean - score) / sd;
      // The constraint is linearised at the present mean and sd (section 4.1).
      values.push_back(score - reference - 0.5 * t * sd * (1.0 + deviation * deviation));
    }
    const auto [least, most] = std::ranges::minmax_element(values);
    // Without both signs no distribution on these scores has the mean 0 of these values.
    if (*least >= 0.0 || *most <= 0.0) return std::nullopt;
    const Vector next = tilt(p, values);
    double change = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i)
      change = std::max(change, std::abs(next[i] - best[i]));
    best = next;
    if (change < kEnough) break;
  }
  return best;
}

/// log of the integral over y > 0 of y^power exp(-(y - x)^2 / 2), by the trapezoidal rule about the
/// peak of the integrand, whose logarithm is concave.
double log_moment(double power, double x) {
  // The derivative power / y - (y - x) of the logarithm is 0 at the peak.
  const double peak = 0.5 * (x + std::sqrt(x * x + 4.0 * power));
  const auto log_at = [&](double y) { return power * std::log(y) - 0.5 * (y - x) * (y - x); };
  // The second derivative -(power / y^2 + 1) gives the width of a normal density with this peak.
  const double width = 1.0 / std::sqrt(power / (peak * peak) + 1.0);
  const double top = log_at(peak);
  // Ten widths to each side hold nearly all of the integral, and steps of an eighth of a width
  // make the rule accurate.
  constexpr int kHalf = 80;
  constexpr double kReach = 10.0;
  const double step = kReach * width / kHalf;
  double sum = 0.0;
  // The logarithm of the peak is taken out, so that no term overflows.
  for (int i = -kHalf; i <= kHalf; ++i) {
    const double y = peak + i * step;
    if (y > 0.0) sum += std::exp(log_at(y) - top);
  }
  return top + std::log(sum * step);
}

}  // namespace

double expected_observations(double effect, double effect1, double error) {
  // Wald: the ratio ends at one of two bounds of this size and drifts by `drift` with each
  // observation.
  const double bound = std::log((1.0 - error) / error);
  const double drift = std::abs(effect1 * (effect - 0.5 * effect1));
  // Half way between the hypotheses the ratio is a random walk.
  const double most = bound * bound / (effect1 * effect1);
  return drift * most > bound ? bound / drift : most;
}

SprtBounds sprt_bounds(double alpha, double beta) {
  assert(alpha > 0.0 && alpha < 0.5 && beta > 0.0 && beta < 0.5);
  return {std::log(beta / (1.0 - alpha)), std::log((1.0 - beta) / alpha)};
}

double gsprt_of_mean(const ScoreFrequencies& seen, double mean0, double mean1) {
  double total = 0.0;
  const Vector p = probabilities(seen, total);
  return log_ratio(p, total, with_mean(p, seen.scores, mean0), with_mean(p, seen.scores, mean1));
}

double gsprt_of_t(const ScoreFrequencies& seen, double reference, double t0, double t1) {
  double total = 0.0;
  const Vector p = probabilities(seen, total);
  const auto p0 = with_t(p, seen.scores, reference, t0);
  const auto p1 = with_t(p, seen.scores, reference, t1);
  if (p0 && p1) return log_ratio(p, total, *p0, *p1);
  const auto [mean, sd] = moments(p, seen.scores);
  // The normal form is the likelihood ratio of a normal sample with free sd (see the header).
  const double t = (mean - reference) / sd;
  return normal_t_ratio(total, t, t0, t1);
}

double normal_t_ratio(double n, double t, double t0, double t1) {
  return 0.5 * n * std::log((1.0 + (t - t0) * (t - t0)) / (1.0 + (t - t1) * (t - t1)));
}

double sequential_t_ratio(std::int64_t n, double mean, double sd, double effect0, double effect1) {
  assert(n >= 2);
  const auto count = static_cast<double>(n);
  const double freedom = count - 1.0;
  // Values that are all 0 have no t statistic. The limit of the ratio for small sd with the mean 0
  // is taken.
  if (mean == 0.0 && sd == 0.0) return -0.5 * count * (effect1 * effect1 - effect0 * effect0);
  // t / sqrt(freedom + t^2) without the division by an sd of 0
  const double scaled = mean * std::sqrt(count);
  const double share = scaled / std::sqrt(freedom * sd * sd + scaled * scaled);
  const double rest = 1.0 - share * share;  // freedom / (freedom + t^2)
  // Both densities share the factors that do not depend on the effect, and these cancel in the
  // ratio.
  const auto log_density = [&](double effect) {
    const double noncentrality = effect * std::sqrt(count);
    return -0.5 * rest * noncentrality * noncentrality + log_moment(freedom, noncentrality * share);
  };
  return log_density(effect1) - log_density(effect0);
}

double skewed_t_ratio(const RunningStats& differences, const RunningStats& first,
                      const RunningStats& second, double effect0, double effect1) {
  const double mean = differences.mean();
  const auto ratio = [&](double wider) {
    return sequential_t_ratio(differences.count(), mean, wider * differences.sd(), effect0,
                              effect1);
  };
  const double plain = ratio(1.0);
  if (!(differences.sd() > 0.0)) return plain;
  constexpr double kConfidence = 0.95;
  const Interval ends = student_interval(differences, kConfidence);
  PairedDifference allowed{.mean = mean, .interval = ends};
  allow_for_skew(differences, first, second, kConfidence, allowed);
  if (allowed.interval->low == ends.low && allowed.interval->high == ends.high) return plain;
  const double half = ends.high - mean;
  const double wider =
      (plain < 0.0 ? allowed.interval->high - mean : mean - allowed.interval->low) / half;
  if (plain < 0.0) return plain / wider;
  // An end beyond all numbers says nothing.
  return std::isfinite(wider) ? std::max(0.0, ratio(wider * wider) - kOfManyLooks) : 0.0;
}

}  // namespace ntune
