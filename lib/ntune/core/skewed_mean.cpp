#include "ntune/core/skewed_mean.h"

#include <cmath>

#include "ntune/core/crossing.h"
#include "ntune/core/normal.h"

namespace ntune {

namespace {

constexpr double kFewest = 5.0;
constexpr double kLeastHarm = 0.9;
constexpr double kLikelierRoots = 1.0;       ///< as a logarithm
constexpr double kLeftSkewed = 2.5;          ///< standard errors of the skewness of normal numbers
constexpr double kLargestLogarithm = 700.0;  ///< its exponential is a number

double sd_of(const Moments& moments) { return std::sqrt(moments.squares / (moments.count - 1.0)); }

bool are_left_skewed(const Moments& moments) {
  const double n = moments.count;
  const double skewness = moments.cubes / n / std::pow(moments.squares / n, 1.5);
  return skewness < -kLeftSkewed * std::sqrt(6.0 / n);
}

}  // namespace

std::optional<SkewedMean> SkewedMean::of(const RunningStats& sample) {
  const Moments logarithms = sample.logarithms();
  const Moments roots = sample.cube_roots();
  const double n = logarithms.count;
  if (n < kFewest || !(logarithms.squares > 0.0) || !(roots.squares > 0.0)) return std::nullopt;
  // Likelihoods of normal samples are as sd^-n, times the derivatives of the scales.
  const double by_logarithms = n * (std::log(sample.sd() / sd_of(logarithms)) - logarithms.mean);
  const double by_roots =
      n * (std::log(sample.sd() / (3.0 * sd_of(roots))) - 2.0 / 3.0 * logarithms.mean);
  const bool rooted = by_roots > by_logarithms + kLikelierRoots || are_left_skewed(logarithms);
  // The skewness of a lognormal variable follows from its coefficient of variation.
  const double variation = rooted ? sample.sd() / std::abs(sample.mean())
                                  : std::sqrt(std::expm1(std::pow(sd_of(logarithms), 2.0)));
  const double skewness = 3.0 * variation + (rooted ? 0.0 : std::pow(variation, 3.0));
  const double gain = rooted ? by_roots : by_logarithms;
  if (!((gain + 1.0) * skewness / std::sqrt(n) >= kLeastHarm)) return std::nullopt;
  return rooted ? SkewedMean(Scale::kCubeRoot, roots) : SkewedMean(Scale::kLogarithm, logarithms);
}

SkewedMean::SkewedMean(Scale scale, const Moments& moments)
    : scale_(scale), moments_(moments), places_(chi_squared_places(moments.count - 1.0, 120)) {}

double SkewedMean::size(double on_scale) const {
  return scale_ == Scale::kLogarithm ? std::exp(on_scale) : on_scale * on_scale * on_scale;
}

/// For each variance v, the mean on the scale has a normal distribution with the variance v / n.
double SkewedMean::probability_below(double mean) const {
  double below = 0.0;
  for (const auto& [square, weight] : places_) {
    const double variance = moments_.squares / square;
    const double sd = std::sqrt(variance);
    // The mean on the scale that goes with it: the real root of m^3 + 3 m v = mean is
    // 2 sd sinh(asinh(mean / (2 sd^3)) / 3).
    const double limit = scale_ == Scale::kLogarithm
                             ? std::log(mean) - 0.5 * variance
                             : 2.0 * sd * std::sinh(std::asinh(mean / (2.0 * variance * sd)) / 3.0);
    below += weight * normal_below((limit - moments_.mean) * std::sqrt(moments_.count) / sd);
  }
  return below;
}

double SkewedMean::quantile(double probability) const {
  const auto above = [&](double value) { return probability_below(size(value)) - probability; };
  double high = moments_.mean;
  for (double step = sd_of(moments_); above(high) < 0.0; step *= 2.0) {
    high += step;
    if (scale_ == Scale::kLogarithm && high > kLargestLogarithm) return size(2.0 * high);
  }
  return size(crossing(above, moments_.mean, high));
}

}  // namespace ntune
