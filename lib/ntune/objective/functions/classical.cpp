// The functions of Dixon and Szegö 1978, as Goodman and Lucas 2020 make probabilities of them.

#include <array>
#include <cassert>
#include <cmath>
#include <numbers>
#include <string>

#include "ntune/objective/functions/functions.h"

namespace ntune {

namespace {

/// Parameters x1, x2, … as `make` gives them for each name.
template <class Make>
std::vector<Parameter> numbered(int dimensions, Make make) {
  std::vector<Parameter> parameters;
  for (int i = 1; i <= dimensions; ++i) parameters.push_back(make("x" + std::to_string(i)));
  return parameters;
}

/// A function whose true value may be floored at 0, of the probability that `p` gives.
template <class Probability>
BenchmarkFunction floored(const std::string& name, const FloorOptions& options, Probability p) {
  BenchmarkFunction function;
  function.description = name + (options.floor ? " (true value floored at 0)"
                                               : " (true value without the floor at 0)");
  function.value = [floor = options.floor, p](std::span<const double> x) {
    assert(x.size() == 2);
    const double value = p(x[0], x[1]);
    return floor && value < 0.0 ? 0.0 : value;
  };
  function.range = options.floor ? between(0.0, 1.0) : Bounds{.high = 1.0};
  return function;
}

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
BenchmarkFunction hartmann(const Constants<kDimensions>& constants, int points,
                           const char* description) {
  const int dimensions = static_cast<int>(kDimensions);
  const auto value = [constants](std::span<const double> x) {
    assert(x.size() == kDimensions);
    double sum = 0.0;
    for (std::size_t i = 0; i < kAlpha.size(); ++i) {
      double exponent = 0.0;
      for (std::size_t j = 0; j < kDimensions; ++j) {
        const double distance = x[j] - constants.p[i][j];
        exponent += constants.a[i][j] * distance * distance;
      }
      sum += kAlpha[i] * std::exp(-exponent);
    }
    return sum / 4.0;
  };
  return {.description = description,
          .parameters = half_open_parameters(dimensions, 0.0, 1.0, points),
          .domains = domains_of(dimensions, between(0.0, 1.0)),
          .value = value};
}

}  // namespace

std::vector<Parameter> half_open_parameters(int dimensions, double low, double high, int points) {
  return numbered(dimensions, [&](const std::string& name) {
    return make_range(name, low, high, points, {.low_included = true, .high_included = false});
  });
}

std::vector<Parameter> integer_parameters(int dimensions, int values) {
  return numbered(dimensions,
                  [&](const std::string& name) { return make_integers(name, 0, values - 1); });
}

void FloorOptions::visit(Options& options) {
  options.flag("floor", floor,
               "floor the true value at 0; false records it as the programs of the paper did");
}

BenchmarkFunction make_branin(const FloorOptions& options) {
  BenchmarkFunction function = floored("branin", options, [](double x1, double x2) {
    // The function is (x2 - 5.1 / (4 pi^2) x1^2 + 5 / pi x1 - 6)^2 + 10 (1 - 1 / (8 pi)) cos x1 +
    // 10 (Dixon and Szegö 1978).
    constexpr double kPi = std::numbers::pi;
    const double valley = x2 - 5.1 / (4.0 * kPi * kPi) * x1 * x1 + 5.0 / kPi * x1 - 6.0;
    const double f = valley * valley + 10.0 * (1.0 - 1.0 / (8.0 * kPi)) * std::cos(x1) + 10.0;
    return (10.0 - f) / 12.0;
  });
  constexpr Ends kEnds = {.low_included = true, .high_included = false};
  function.parameters = {make_range("x1", -5.0, 10.0, 20, kEnds),
                         make_range("x2", 0.0, 15.0, 20, kEnds)};
  function.domains = {between(-5.0, 10.0), between(0.0, 15.0)};
  return function;
}

BenchmarkFunction make_goldstein_price(const FloorOptions& options) {
  BenchmarkFunction function = floored("goldstein_price", options, [](double x1, double x2) {
    // f depends on s = x1 + x2 + 1 and t = 2 x1 - 3 x2 alone; its least value over the plane is 3.
    const double s = x1 + x2 + 1.0;
    const double t = 2.0 * x1 - 3.0 * x2;
    // The long polynomials of the literature, collected in powers of s and t.
    const double first = 1.0 + s * s * (36.0 - 20.0 * s + 3.0 * s * s);
    const double second = 30.0 + t * t * (18.0 - 16.0 * t + 3.0 * t * t);
    return (400.0 - first * second) / 500.0;
  });
  function.parameters = half_open_parameters(2, -2.0, 2.0, 20);
  function.domains = domains_of(2, between(-2.0, 2.0));
  return function;
}

BenchmarkFunction make_hartmann3(const NoOptions&) { return hartmann(kHartmann3, 10, "hartmann3"); }

BenchmarkFunction make_hartmann6(const NoOptions&) {
  return hartmann(kHartmann6, 5, "hartmann6 (constants of the literature)");
}

BenchmarkFunction make_hartmann6_tag(const NoOptions&) {
  return hartmann(with_tag_constant(kHartmann6), 5,
                  "hartmann6_tag (constants of TAG: P[2][0] = 0.2548)");
}

}  // namespace ntune
