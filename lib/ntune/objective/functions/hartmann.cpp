#include "ntune/objective/functions/hartmann.h"

#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>

namespace ntune {

namespace {

/// Four rows, one for each term of the sum, with a column for each parameter.
template <std::size_t kDimensions>
using Matrix = std::array<std::array<double, kDimensions>, 4>;

template <std::size_t kDimensions>
struct Constants {
  Matrix<kDimensions> a;
  Matrix<kDimensions> p;
};

/// The constants alpha, A and P of Dixon and Szegö 1978.
constexpr std::array<double, 4> kAlpha = {1.0, 1.2, 3.0, 3.2};

constexpr Constants<3> kHartmann3 = {
    .a = {{{3.0, 10.0, 30.0}, {0.1, 10.0, 35.0}, {3.0, 10.0, 30.0}, {0.1, 10.0, 35.0}}},
    .p = {{{0.3689, 0.1170, 0.2673},
           {0.4699, 0.4387, 0.7470},
           {0.1091, 0.8732, 0.5547},
           {0.0381, 0.5743, 0.8828}}}};

constexpr Constants<6> kHartmann6 = {.a = {{{10.0, 3.0, 17.0, 3.5, 1.7, 8.0},
                                            {0.05, 10.0, 17.0, 0.1, 8.0, 14.0},
                                            {3.0, 3.5, 1.7, 10.0, 17.0, 8.0},
                                            {17.0, 8.0, 0.05, 10.0, 0.1, 14.0}}},
                                     .p = {{{0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
                                            {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
                                            {0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
                                            {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}}}};

/// The constants with the one that TAG changed.
constexpr Constants<6> with_tag_constant(Constants<6> constants) {
  constants.p[2][0] = 0.2548;
  return constants;
}

/// A sum of four Gaussian peaks, over 4 so that it is a probability.
template <std::size_t kDimensions>
class Hartmann final : public BenchmarkFunction {
 public:
  Hartmann(const Constants<kDimensions>& constants, int points, std::string description)
      : constants_(constants), points_(points), description_(std::move(description)) {}

  [[nodiscard]] double value(std::span<const double> x) const override {
    assert(x.size() == kDimensions);
    double sum = 0.0;
    for (std::size_t i = 0; i < kAlpha.size(); ++i) {
      double exponent = 0.0;
      for (std::size_t j = 0; j < kDimensions; ++j) {
        const double distance = x[j] - constants_.p[i][j];
        exponent += constants_.a[i][j] * distance * distance;
      }
      sum += kAlpha[i] * std::exp(-exponent);
    }
    return sum / 4.0;
  }

  [[nodiscard]] std::vector<Parameter> parameters() const override {
    return half_open_parameters(static_cast<int>(kDimensions), 0.0, 1.0, points_);
  }
  [[nodiscard]] Bounds domain(int) const override { return between(0.0, 1.0); }
  [[nodiscard]] std::string description() const override { return description_; }

 private:
  Constants<kDimensions> constants_;
  int points_;
  std::string description_;
};

}  // namespace

std::unique_ptr<BenchmarkFunction> make_hartmann3(const NoOptions&) {
  return std::make_unique<Hartmann<3>>(kHartmann3, 10, "hartmann3");
}

std::unique_ptr<BenchmarkFunction> make_hartmann6(const NoOptions&) {
  return std::make_unique<Hartmann<6>>(kHartmann6, 5, "hartmann6 (constants of the literature)");
}

std::unique_ptr<BenchmarkFunction> make_hartmann6_tag(const NoOptions&) {
  return std::make_unique<Hartmann<6>>(with_tag_constant(kHartmann6), 5,
                                       "hartmann6_tag (constants of TAG: P[2][0] = 0.2548)");
}

}  // namespace ntune
