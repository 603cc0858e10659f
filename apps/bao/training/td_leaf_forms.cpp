#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "apps/bao/training/td_leaf.h"
#include "ntune/core/statistics.h"

namespace ntune {
namespace {

/// Numbers that vary little, as captures do, would learn so fast that a network diverges: with 0.02
/// in place of 1 it did.
constexpr double kLeastVariance = 1.0;

BaoFeatures weights_of(const BaoLinearEvaluation& linear) {
  BaoFeatures weights;
  for (std::size_t k = 0; k < kBaoWeights; ++k) {
    weights[k] = linear.own()[k];
    weights[kBaoWeights + k] = -linear.opponent()[k];
  }
  return weights;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

double scale_of(const BaoFeatures& weights, std::span<const BaoFeatures> sample) {
  RunningStats values;
  for (const BaoFeatures& at : sample) values.add(dot(weights, at));
  return values.sd() > 0.0 ? 1.0 / values.sd() : 1.0;
}

BaoFeatures variances_of(std::span<const BaoFeatures> sample) {
  BaoFeatures variances;
  for (std::size_t k = 0; k < kBaoFeatures; ++k) {
    RunningStats numbers;
    for (const BaoFeatures& at : sample) numbers.add(at[k]);
    variances[k] = std::max(kLeastVariance, numbers.variance());
  }
  return variances;
}

double squared_distance(const BaoFeatures& a, const BaoFeatures& b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < kBaoFeatures; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

double median_distance(std::span<const BaoFeatures> points) {
  std::vector<double> distances;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      distances.push_back(std::sqrt(squared_distance(points[i], points[j])));
    }
  }
  if (distances.empty()) return 1.0;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle > 0.0 ? *middle : 1.0;
}

}  // namespace

BaoLinearPredictor::BaoLinearPredictor(const BaoLinearEvaluation& initial,
                                       std::span<const BaoFeatures> sample) {
  const BaoFeatures weights = weights_of(initial);
  scale_ = scale_of(weights, sample);
  parameters_.assign(weights.begin(), weights.end());
  for (const double variance : variances_of(sample)) {
    rates_.push_back(1.0 / (scale_ * scale_ * variance));
  }
}

double BaoLinearPredictor::predict(const BaoFeatures& at, std::span<double> gradient) const {
  const double prediction = std::tanh(scale_ * dot(parameters_, at));
  const double slope = scale_ * (1.0 - prediction * prediction);
  for (std::size_t k = 0; k < kBaoFeatures; ++k) gradient[k] = slope * at[k];
  return prediction;
}

BaoEvaluation BaoLinearPredictor::evaluation() const {
  BaoWeights own, opponent;
  for (std::size_t k = 0; k < kBaoWeights; ++k) {
    own[k] = parameters_[k];
    opponent[k] = -parameters_[kBaoWeights + k];
  }
  return BaoLinearEvaluation(own, opponent);
}

void BaoLinearPredictor::set_parameters(std::span<const double> parameters) {
  parameters_.assign(parameters.begin(), parameters.end());
}

BaoNetworkPredictor::BaoNetworkPredictor(BaoNetwork initial, std::span<const BaoFeatures> sample)
    : network_(std::move(initial)) {
  const BaoFeatures variances = variances_of(sample);
  for (std::size_t i = 0; i < network_.nuclei(); ++i) {
    const double square = network_.width(i) * network_.width(i);
    for (const double variance : variances) rates_.push_back(square * square / variance);
  }
  rates_.insert(rates_.end(), network_.nuclei(), 0.0);
  rates_.insert(rates_.end(), network_.nuclei(), 1.0);
}

BaoEvaluation BaoNetworkPredictor::evaluation() const { return BaoNetworkEvaluation(network_); }

void BaoNetworkPredictor::set_parameters(std::span<const double> parameters) {
  network_ = BaoNetwork(std::vector<double>(parameters.begin(), parameters.end()));
}

BaoNetwork bao_network_like(const BaoLinearEvaluation& linear, std::span<const BaoFeatures> sample,
                            int nuclei, double width, Rng rng) {
  assert(nuclei >= 2 && nuclei % 2 == 0 && !sample.empty());
  const BaoFeatures weights = weights_of(linear);
  const double scale = scale_of(weights, sample);
  const double square = dot(weights, weights);
  std::vector<BaoFeatures> middles;
  for (int i = 0; i < nuclei / 2; ++i) {
    BaoFeatures middle = sample[rng.below(static_cast<std::uint32_t>(sample.size()))];
    const double shift = square > 0.0 ? dot(weights, middle) / square : 0.0;
    for (std::size_t k = 0; k < kBaoFeatures; ++k) middle[k] -= shift * weights[k];
    middles.push_back(middle);
  }
  const double sigma = width * median_distance(middles);
  std::vector<double> parameters;
  for (const double sign : {1.0, -1.0}) {
    for (const BaoFeatures& middle : middles) {
      for (std::size_t k = 0; k < kBaoFeatures; ++k) {
        parameters.push_back(middle[k] + sign * sigma * sigma * scale * weights[k]);
      }
    }
  }
  parameters.insert(parameters.end(), 2 * middles.size(), sigma);
  parameters.insert(parameters.end(), middles.size(), 1.0);
  parameters.insert(parameters.end(), middles.size(), -1.0);
  return BaoNetwork(std::move(parameters));
}

}  // namespace ntune
