#include "ntune/core/lognormal_mean.h"

#include <cmath>
#include <stdexcept>

#include <boost/math/distributions/chi_squared.hpp>

#include "ntune/core/normal.h"

namespace ntune {

/// Places of w at equal steps of its logarithm, where the trapezoidal rule converges fast.
LognormalMean::LognormalMean(const RunningStats& logarithms) : logarithms_(logarithms) {
  if (logarithms.count() < 2 || !(logarithms.sd() > 0.0)) {
    throw std::invalid_argument("LognormalMean: needs two different numbers");
  }
  constexpr int kNodes = 240;
  constexpr double kTail = 1e-12;
  const double freedom = static_cast<double>(logarithms.count() - 1);
  const boost::math::chi_squared squares(freedom);
  const double first = std::log(quantile(squares, kTail));
  const double last = std::log(quantile(complement(squares, kTail)));
  double sum = 0.0;
  for (int i = 0; i < kNodes; ++i) {
    const double square = std::exp(first + (last - first) * i / (kNodes - 1));
    nodes_.push_back({square / freedom, square * pdf(squares, square)});
    sum += nodes_.back().weight;
  }
  for (Node& node : nodes_) node.weight /= sum;
}

double LognormalMean::probability_below_log(double log_mean) const {
  const double sd = logarithms_.sd();
  const auto count = static_cast<double>(logarithms_.count());
  double below = 0.0;
  for (const Node& node : nodes_) {
    const double centre = logarithms_.mean() + sd * sd / (2.0 * node.w);
    below += node.weight * normal_below((log_mean - centre) * std::sqrt(count * node.w) / sd);
  }
  return below;
}

double LognormalMean::probability_below(double mean) const {
  return probability_below_log(std::log(mean));
}

/// By bisection, after the ends have been moved apart until they hold it.
double LognormalMean::log_quantile(double probability) const {
  double step = logarithms_.sd();
  double low = logarithms_.mean();
  double high = low;
  while (probability_below_log(low) > probability) low -= step *= 2.0;
  step = logarithms_.sd();
  while (probability_below_log(high) < probability) high += step *= 2.0;
  constexpr int kHalvings = 60;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = low + (high - low) / 2.0;
    (probability_below_log(middle) < probability ? low : high) = middle;
  }
  return low + (high - low) / 2.0;
}

Interval LognormalMean::interval(double confidence) const {
  const double tail = (1.0 - confidence) / 2.0;
  return {std::exp(log_quantile(tail)), std::exp(log_quantile(1.0 - tail))};
}

}  // namespace ntune
