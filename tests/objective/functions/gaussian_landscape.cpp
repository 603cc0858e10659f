#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/normal.h"
#include "ntune/core/rng.h"
#include "ntune/objective/functions/functions.h"

namespace ntune {

namespace {

using Vector = std::vector<double>;

Vector random_values(const GaussianLandscapeOptions& options, Rng& rng) {
  Vector x;
  for (int i = 0; i < options.dimensions; ++i) {
    x.push_back(rng.below(static_cast<std::uint32_t>(options.values)));
  }
  return x;
}

/// The Gaussian process itself, of variance 1, behind the normal distribution function.
double height(const GaussianLandscapeOptions& options, const BenchmarkFunction& landscape,
              const Vector& x) {
  return normal_quantile(landscape.value(x)) / options.amplitude;
}
double height(const GaussianLandscapeOptions& options, const Vector& x) {
  return height(options, make_gaussian_landscape(options), x);
}

/// Signed sum over the corners of a cube along the first `order` parameters: 0 where no function
/// depends on all of them.
double interaction(const GaussianLandscapeOptions& options, int order) {
  double sum = 0.0;
  for (unsigned corner = 0; corner < 1U << order; ++corner) {
    Vector x(static_cast<std::size_t>(options.dimensions), 1.0);
    double sign = 1.0;
    for (int i = 0; i < order; ++i) {
      if ((corner >> i & 1U) == 0) continue;
      x[static_cast<std::size_t>(i)] = options.values - 1.0;
      sign = -sign;
    }
    sum += sign * height(options, x);
  }
  return sum;
}

double kernel(LandscapeKernel form, double r) {
  if (form == LandscapeKernel::kGaussian) return std::exp(-r * r / 2.0);
  const double a = std::sqrt(5.0) * r;
  return (1.0 + a + a * a / 3.0) * std::exp(-a);
}

/// The covariance of the header.
double covariance(const GaussianLandscapeOptions& options, const Vector& x, const Vector& y) {
  const auto d = static_cast<std::size_t>(options.dimensions);
  const auto along = [&](std::size_t i, std::size_t of) {
    const double distance = std::abs(x[i] - y[i]) / (options.values - 1);
    const double length = options.length_scale * std::sqrt(static_cast<double>(of));
    return kernel(options.kernel, distance / length);
  };
  double singles = 0.0;
  double pairs = 0.0;
  double all = 1.0;
  for (std::size_t i = 0; i < d; ++i) {
    singles += along(i, 1) / static_cast<double>(d);
    all *= along(i, d);
    for (std::size_t j = 0; j < i; ++j) {
      pairs += along(i, 2) * along(j, 2) / (static_cast<double>(d * (d - 1)) / 2.0);
    }
  }
  return options.main_effects * singles + options.pairs * pairs +
         (1.0 - options.main_effects - options.pairs) * all;
}

}  // namespace

TEST_CASE("gaussian landscape: the covariance over 2,000 seeds is the kernel's", "[statistical]") {
  constexpr int kSeeds = 2000;
  for (const auto form : {LandscapeKernel::kMatern52, LandscapeKernel::kGaussian}) {
    GaussianLandscapeOptions options = {
        .dimensions = 4, .values = 7, .length_scale = 0.3, .main_effects = 0.3, .pairs = 0.4};
    options.kernel = form;
    Rng rng(5);
    const Vector x = random_values(options, rng);
    Vector near = x;
    near[2] = x[2] > 2.0 ? x[2] - 1.0 : x[2] + 1.0;
    const Vector far = random_values(options, rng);
    const std::vector<Vector> others = {x, near, far};
    double sum = 0.0;
    Vector products(others.size());
    for (options.seed = 1; options.seed <= kSeeds; ++options.seed) {
      const auto landscape = make_gaussian_landscape(options);
      const double g = height(options, landscape, x);
      sum += g;
      for (std::size_t i = 0; i < others.size(); ++i) {
        products[i] += g * height(options, landscape, others[i]);
      }
    }
    CHECK(std::abs(sum / kSeeds) < 4.5 * std::sqrt(1.0 / kSeeds));
    for (std::size_t i = 0; i < others.size(); ++i) {
      const double expected = covariance(options, x, others[i]);
      CAPTURE(expected);
      CHECK(std::abs(products[i] / kSeeds - expected) <
            4.5 * std::sqrt((1.0 + expected * expected) / kSeeds));
    }
  }
}

TEST_CASE("gaussian landscape: main effects and pairs have no more parameters than they say") {
  GaussianLandscapeOptions options = {.dimensions = 5, .main_effects = 1.0};
  CHECK(std::abs(interaction(options, 2)) < 1e-9);
  options = {.dimensions = 5, .main_effects = 0.5, .pairs = 0.5};
  CHECK(std::abs(interaction(options, 2)) > 1e-3);
  CHECK(std::abs(interaction(options, 3)) < 1e-9);
  options = {.dimensions = 5};
  CHECK(std::abs(interaction(options, 3)) > 1e-3);
}

TEST_CASE("gaussian landscape: a longer length scale makes neighbours more alike") {
  double before = 10.0;
  for (const double length_scale : {0.02, 0.1, 0.5, 2.5}) {
    double sum = 0.0;
    for (std::int64_t seed = 1; seed <= 50; ++seed) {
      const GaussianLandscapeOptions options = {.length_scale = length_scale, .seed = seed};
      const double step = height(options, Vector{4, 4, 4, 4}) - height(options, Vector{4, 4, 5, 4});
      sum += step * step / 50.0;
    }
    CHECK(sum < before);
    before = sum;
  }
}

// The definition in the header, read literally, for a function of all parameters.
TEST_CASE("gaussian landscape equals its twin") {
  const GaussianLandscapeOptions options = {.dimensions = 3,
                                            .values = 5,
                                            .length_scale = 0.3,
                                            .length_spread = 0.8,
                                            .kernel = LandscapeKernel::kGaussian,
                                            .amplitude = 0.7,
                                            .seed = 21};
  Rng spread = Rng(21).stream("landscape lengths");
  Vector lengths;
  for (int i = 0; i < 3; ++i) {
    lengths.push_back(0.3 * std::sqrt(3.0) * std::exp(0.8 * spread.normal()));
  }
  Rng points(3);
  for (int n = 0; n < 50; ++n) {
    const Vector x = random_values(options, points);
    Rng draw = Rng(21).stream("landscape of all");
    double g = 0.0;
    for (int feature = 0; feature < 512; ++feature) {
      double angle = 0.0;
      for (std::size_t i = 0; i < 3; ++i) angle += draw.normal() / lengths[i] * (x[i] / 4.0);
      const double height = std::sqrt(-2.0 * std::log(1.0 - draw.uniform()));
      const double phase = 2.0 * std::numbers::pi * draw.uniform();
      g += height * std::cos(angle + phase) / std::sqrt(512.0);
    }
    const double p = 1.0 - 0.5 * std::erfc(0.7 * g / std::sqrt(2.0));
    REQUIRE(make_gaussian_landscape(options).value(x) == Approx(p).epsilon(1e-12));
  }
}

TEST_CASE("gaussian landscape: a shift below 0 moves every point down by so much") {
  const GaussianLandscapeOptions plain = {.dimensions = 3, .values = 5, .amplitude = 0.7};
  GaussianLandscapeOptions lost = plain;
  lost.shift = -1.5;
  Rng points(4);
  for (int n = 0; n < 20; ++n) {
    const Vector x = random_values(plain, points);
    const double p = make_gaussian_landscape(lost).value(x);
    CHECK(normal_quantile(p) ==
          Approx(normal_quantile(make_gaussian_landscape(plain).value(x)) - 1.5));
  }
}

TEST_CASE("gaussian landscape: a function of its seed, the same for good") {
  const auto value = [](std::int64_t seed) {
    const GaussianLandscapeOptions options = {
        .dimensions = 40, .main_effects = 0.25, .pairs = 0.25, .seed = seed};
    Rng rng(11);
    return make_gaussian_landscape(options).value(random_values(options, rng));
  };
  CHECK(value(1) == value(1));
  CHECK(value(1) != value(2));
  CHECK(value(1) == Approx(0.39833626308908743).epsilon(1e-12));
  CHECK_THROWS_AS(make_gaussian_landscape({.main_effects = 0.6, .pairs = 0.5}), InputError);
  CHECK_THROWS_AS(make_gaussian_landscape({.dimensions = 1, .pairs = 0.5}), InputError);
  CHECK_NOTHROW(make_gaussian_landscape({.dimensions = 1, .main_effects = 1.0}));
}

}  // namespace ntune
