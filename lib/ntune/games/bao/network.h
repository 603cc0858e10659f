#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace ntune {

constexpr std::size_t kBaoFeatures = 54;
using BaoFeatures = std::array<double, kBaoFeatures>;

/// A normalised Gaussian network (Yoshioka, Ishii and Ito 1999) on 54 numbers. Its value is the sum
/// of value_i g_i over the sum of g_i, with g_i = exp(-|x - centre_i|^2 / (2 width_i^2)).
class BaoNetwork {
 public:
  /// `parameters`: as below, a multiple of kParametersPerNucleus; at least one nucleus; widths > 0.
  explicit BaoNetwork(std::vector<double> parameters);

  static constexpr std::size_t kParametersPerNucleus = kBaoFeatures + 2;
  static constexpr std::size_t kMostNuclei = 256;

  [[nodiscard]] std::size_t nuclei() const { return parameters_.size() / kParametersPerNucleus; }
  /// All centres one after the other (54 numbers each), then all widths, then all values.
  [[nodiscard]] std::span<const double> parameters() const { return parameters_; }
  [[nodiscard]] std::span<const double> centre(std::size_t nucleus) const {
    return parameters().subspan(nucleus * kBaoFeatures, kBaoFeatures);
  }
  [[nodiscard]] double width(std::size_t nucleus) const {
    return parameters_[nuclei() * kBaoFeatures + nucleus];
  }
  [[nodiscard]] double value_of(std::size_t nucleus) const {
    return parameters_[nuclei() * (kBaoFeatures + 1) + nucleus];
  }

  /// The value by exponents of single precision, about 1e-5 off.
  [[nodiscard]] double value(const BaoFeatures& at) const;
  /// The value in double precision, and its derivatives by the parameters, in their order.
  double value(const BaoFeatures& at, std::span<double> gradient) const;

  friend bool operator==(const BaoNetwork& a, const BaoNetwork& b) {
    return a.parameters_ == b.parameters_;
  }

 private:
  std::vector<double> parameters_;
  BaoFeatures origin_{};  ///< mean of the centres; x and they are taken from here, for the rounding
  // Factors of x, 1 and |x|^2 in the exponents of g_i: a column each, a row for every nucleus.
  std::vector<float> exponents_;
};

}  // namespace ntune
