#include "ntune/games/bao/network.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/Core>

namespace ntune {
namespace {

/// Columns of the matrix of exponents: the features, a constant, and the square of the distance to
/// the origin.
constexpr int kColumns = static_cast<int>(kBaoFeatures) + 2;
using Columns = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, kColumns>>;
/// A number for each nucleus, without heap.
using PerNucleus = Eigen::Matrix<float, Eigen::Dynamic, 1, 0, BaoNetwork::kMostNuclei, 1>;

}  // namespace

BaoNetwork::BaoNetwork(std::vector<double> parameters) : parameters_(std::move(parameters)) {
  assert(nuclei() >= 1 && nuclei() <= kMostNuclei);
  assert(parameters_.size() % kParametersPerNucleus == 0);
  // Features are taken from the mean of the centres, so that single precision loses less.
  for (std::size_t i = 0; i < nuclei(); ++i) {
    for (std::size_t k = 0; k < kBaoFeatures; ++k) origin_[k] += centre(i)[k];
  }
  for (double& number : origin_) number /= static_cast<double>(nuclei());
  exponents_.resize(nuclei() * kColumns);
  for (std::size_t i = 0; i < nuclei(); ++i) {
    assert(width(i) > 0.0);
    // The exponent -|x - c|^2 / (2 w^2) is linear in x, 1 and |x|^2, so all nuclei are one product
    // of a matrix.
    const double steepness = 0.5 / (width(i) * width(i));
    double square = 0.0;
    const auto put = [&](std::size_t column, double factor) {
      exponents_[column * nuclei() + i] = static_cast<float>(factor);
    };
    for (std::size_t k = 0; k < kBaoFeatures; ++k) {
      const double number = centre(i)[k] - origin_[k];
      put(k, 2.0 * steepness * number);
      square += number * number;
    }
    put(kBaoFeatures, -square * steepness);
    put(kBaoFeatures + 1, -steepness);
  }
}

double BaoNetwork::value(const BaoFeatures& at) const {
  Eigen::Matrix<float, kColumns, 1> x;
  float square = 0.0F;
  for (std::size_t k = 0; k < kBaoFeatures; ++k) {
    const auto number = static_cast<float>(at[k] - origin_[k]);
    x[static_cast<Eigen::Index>(k)] = number;
    square += number * number;
  }
  x[kColumns - 2] = 1.0F;
  x[kColumns - 1] = square;
  const auto count = static_cast<Eigen::Index>(nuclei());
  PerNucleus exponents(count);
  exponents.noalias() = Columns(exponents_.data(), count, kColumns) * x;
  exponents = (exponents.array() - exponents.maxCoeff()).exp();
  const Eigen::Map<const Eigen::VectorXd> values(parameters_.data() + nuclei() * (kBaoFeatures + 1),
                                                 count);
  return exponents.cast<double>().dot(values) / exponents.cast<double>().sum();
}

double BaoNetwork::value(const BaoFeatures& at, std::span<double> gradient) const {
  assert(gradient.size() == parameters_.size());
  const std::size_t count = nuclei();
  std::array<double, kMostNuclei> distance;
  std::array<double, kMostNuclei> share;
  double highest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < count; ++i) {
    distance[i] = 0.0;
    for (std::size_t k = 0; k < kBaoFeatures; ++k) {
      distance[i] += (at[k] - centre(i)[k]) * (at[k] - centre(i)[k]);
    }
    share[i] = -0.5 * distance[i] / (width(i) * width(i));
    highest = std::max(highest, share[i]);
  }
  // The largest exponent is taken off, so that no exponential overflows and one of them is 1.
  double sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) sum += share[i] = std::exp(share[i] - highest);
  double value = 0.0;
  for (std::size_t i = 0; i < count; ++i) value += (share[i] /= sum) * value_of(i);
  // The value is a mean weighted by shares: its derivatives are those of a softmax.
  for (std::size_t i = 0; i < count; ++i) {
    const double pull = share[i] * (value_of(i) - value) / (width(i) * width(i));
    for (std::size_t k = 0; k < kBaoFeatures; ++k) {
      gradient[i * kBaoFeatures + k] = pull * (at[k] - centre(i)[k]);
    }
    gradient[count * kBaoFeatures + i] = pull * distance[i] / width(i);
    gradient[count * (kBaoFeatures + 1) + i] = share[i];
  }
  return value;
}

}  // namespace ntune
