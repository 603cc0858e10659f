#include "ntune/core/lognormal_mean.h"

#include <cmath>
#include <stdexcept>

#include <boost/math/distributions/chi_squared.hpp>

#include "ntune/core/crossing.h"

namespace ntune {

/// A part for each of the places of w at equal steps of its logarithm, where the trapezoidal rule
/// converges fast.
LognormalMean::LognormalMean(const RunningStats& logarithms) : centre_(logarithms.mean()) {
  if (logarithms.count() < 2 || !(logarithms.sd() > 0.0)) {
    throw std::invalid_argument("LognormalMean: needs two different numbers");
  }
  constexpr int kParts = 240;
  constexpr double kTail = 1e-12;
  const double sd = logarithms.sd();
  const auto count = static_cast<double>(logarithms.count());
  const boost::math::chi_squared squares(count - 1.0);
  const double first = std::log(quantile(squares, kTail));
  const double last = std::log(quantile(complement(squares, kTail)));
  double sum = 0.0;
  for (int i = 0; i < kParts; ++i) {
    const double square = std::exp(first + (last - first) * i / (kParts - 1));
    const double w = square / (count - 1.0);
    logarithm_.parts.push_back({.weight = square * pdf(squares, square),
                                .mean = centre_ + sd * sd / (2.0 * w),
                                .sd = sd / std::sqrt(count * w)});
    sum += logarithm_.parts.back().weight;
  }
  for (NormalMixture::Part& part : logarithm_.parts) part.weight /= sum;
}

double LognormalMean::probability_below(double mean) const {
  return logarithm_.probability_below(std::log(mean));
}

/// Between two ends that are moved apart until they hold it: few parts lie very far out, so that
/// halving all of the mixture would find it less exactly.
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
