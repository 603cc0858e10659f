#include "ntune/core/lognormal_mean.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "ntune/core/chi_squared_places.h"
#include "ntune/core/crossing.h"

namespace ntune {

LognormalMean::LognormalMean(const RunningStats& logarithms) : centre_(logarithms.mean()) {
  if (logarithms.count() < 2 || !(logarithms.sd() > 0.0)) {
    throw std::invalid_argument("LognormalMean: needs two different numbers");
  }
  constexpr int kParts = 240;
  const double sd = logarithms.sd();
  const auto count = static_cast<double>(logarithms.count());
  for (const auto& [square, weight] : chi_squared_places(count - 1.0, kParts)) {
    const double w = square / (count - 1.0);
    logarithm_.parts.push_back(
        {.weight = weight, .mean = centre_ + sd * sd / (2.0 * w), .sd = sd / std::sqrt(count * w)});
  }
}

/// The logarithm of the ratio is the mean of the differences d plus half the covariance of d and
/// the sums s. That is the variance of d times the slope of s on d. Of these the mean and the slope
/// are normal, the variance of d and that of the rest of s are chi-squared.
LognormalMean LognormalMean::ratio(std::span<const double> first, std::span<const double> second) {
  RunningStats differences;
  RunningStats sums;
  const std::size_t pairs = std::min(first.size(), second.size());
  for (std::size_t i = 0; i < pairs; ++i) {
    differences.add(first[i] - second[i]);
    sums.add(first[i] + second[i]);
  }
  if (pairs < 3 || !(differences.sd() > 0.0)) {
    throw std::invalid_argument("LognormalMean: needs three pairs that differ differently");
  }
  double products = 0.0;
  for (std::size_t i = 0; i < pairs; ++i) {
    products += (first[i] - second[i] - differences.mean()) * (first[i] + second[i] - sums.mean());
  }
  const double squares = differences.state().squares;
  const double rest = std::max(0.0, sums.state().squares - products * products / squares);
  constexpr int kParts = 48;  // of each of two
  const auto count = static_cast<double>(pairs);
  const std::vector<ChiSquaredPlace> of_rest = chi_squared_places(count - 2.0, kParts);
  LognormalMean ratio;
  ratio.centre_ = differences.mean();
  for (const auto& [w, weight] : chi_squared_places(count - 1.0, kParts)) {
    for (const auto& [v, weight_of_rest] : of_rest) {
      const double variance = squares / (count * w) + squares * rest / (4.0 * w * w * v);
      ratio.logarithm_.parts.push_back({.weight = weight * weight_of_rest,
                                        .mean = ratio.centre_ + products / (2.0 * w),
                                        .sd = std::sqrt(variance)});
    }
  }
  return ratio;
}

double LognormalMean::probability_below(double mean) const {
  return logarithm_.probability_below(std::log(mean));
}

/// Between two ends that are moved apart until they hold it. NormalMixture::quantile halves the
/// range of all parts so many times; here a few parts lie so far out that this is not enough.
double LognormalMean::quantile_of_logarithm(double probability) const {
  const auto above = [&](double value) {
    return logarithm_.probability_below(value) - probability;
  };
  double low = centre_;
  double high = centre_;
  for (double step = 1.0; above(low) >= 0.0; step *= 2.0) low -= step;
  for (double step = 1.0; above(high) < 0.0; step *= 2.0) high += step;
  return crossing(above, low, high);
}

Interval LognormalMean::interval(double confidence) const {
  const double tail = (1.0 - confidence) / 2.0;
  return {std::exp(quantile_of_logarithm(tail)), std::exp(quantile_of_logarithm(1.0 - tail))};
}

}  // namespace ntune
