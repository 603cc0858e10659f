#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/normal.h"
#include "ntune/core/rng.h"
#include "ntune/objective/functions/functions.h"
#include "ntune/space/point.h"

namespace ntune {

namespace {

/// Cosines in each sum; with so many its covariance is near that of the kernel.
constexpr int kFeatures = 512;

using Subset = std::vector<std::size_t>;

/// A frequency from the spectrum of the kernel with length scale 1: Student's t with 5 degrees of
/// freedom for Matérn-5/2 (Rasmussen and Williams 2006, eq. 4.15), normal for Gaussian.
double draw_frequency(LandscapeKernel kernel, Rng& rng) {
  // The spectrum of the Gaussian kernel is normal.
  const double z = rng.normal();
  if (kernel == LandscapeKernel::kGaussian) return z;
  // Student's t is a normal variable over the root of a chi-squared one per degree of freedom.
  constexpr int kDegrees = 5;
  double squares = 0.0;
  for (int i = 0; i < kDegrees; ++i) {
    const double other = rng.normal();
    squares += other * other;
  }
  return z / std::sqrt(squares / kDegrees);
}

/// A factor of the length scale along each parameter.
std::vector<double> draw_stretches(const GaussianLandscapeOptions& options, Rng rng) {
  std::vector<double> stretches;
  for (int i = 0; i < options.dimensions; ++i) {
    stretches.push_back(std::exp(options.length_spread * rng.normal()));
  }
  return stretches;
}

/// All pairs a < b of parameters.
std::vector<Subset> all_pairs(std::size_t dimensions) {
  std::vector<Subset> pairs;
  for (std::size_t b = 1; b < dimensions; ++b) {
    for (std::size_t a = 0; a < b; ++a) pairs.push_back({a, b});
  }
  return pairs;
}

/// Functions of one parameter, of two, or of all: sum_f height_f cos(frequencies_f x + phase_f).
class Part {
 public:
  Part(const GaussianLandscapeOptions& options, std::span<const double> stretches, double share,
       std::vector<Subset> subsets, Rng rng)
      : size_(subsets.front().size()) {
    // The subsets are shuffled, so that those that get a feature are random where they are too
    // many.
    for (std::size_t i = subsets.size(); i > 1; --i) {
      std::swap(subsets[i - 1], subsets[rng.below(static_cast<std::uint32_t>(i))]);
    }
    // Distances grow with the root of the number of parameters, and the length scale with them.
    const double length = options.length_scale * std::sqrt(static_cast<double>(size_));
    for (std::size_t f = 0; f < kFeatures; ++f) {
      const Subset& subset = subsets[f % subsets.size()];
      inputs_.insert(inputs_.end(), subset.begin(), subset.end());
      for (const std::size_t input : subset) {
        frequencies_.push_back(draw_frequency(options.kernel, rng) / (length * stretches[input]));
      }
      // A Rayleigh amplitude with a uniform phase makes each cosine exactly normal at every point,
      // with the variance share / features.
      heights_.push_back(std::sqrt(-2.0 * std::log(1.0 - rng.uniform()) * share / kFeatures));
      phases_.push_back(2.0 * std::numbers::pi * rng.uniform());
    }
  }

  [[nodiscard]] double value(std::span<const double> u) const {
    double sum = 0.0;
    std::size_t at = 0;
    for (std::size_t f = 0; f < kFeatures; ++f) {
      double angle = phases_[f];
      for (std::size_t j = 0; j < size_; ++j, ++at) angle += frequencies_[at] * u[inputs_[at]];
      sum += heights_[f] * std::cos(angle);
    }
    return sum;
  }

 private:
  std::size_t size_;                 ///< parameters of a function
  std::vector<std::size_t> inputs_;  ///< size_ per feature, as the frequencies
  std::vector<double> frequencies_;
  std::vector<double> heights_;
  std::vector<double> phases_;
};

/// The landscape of functions.h: a sum of parts behind the normal distribution function.
class GaussianLandscape {
 public:
  explicit GaussianLandscape(const GaussianLandscapeOptions& options)
      : options_(options), highest_(options.values - 1) {
    const auto d = static_cast<std::size_t>(options.dimensions);
    const Rng seed(static_cast<std::uint64_t>(options.seed));
    const std::vector<double> stretches = draw_stretches(options, seed.stream("landscape lengths"));
    // A part without a share would only cost time.
    const auto add_part = [&](double share, std::vector<Subset> subsets, Rng rng) {
      constexpr double kRounding = 1e-12;
      if (share <= kRounding) return;
      parts_.emplace_back(options, stretches, share, std::move(subsets), rng);
    };
    Subset all(d);
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<Subset> singles;
    for (const std::size_t i : all) singles.push_back({i});
    // Streams by name keep each part as it is when the share of another one changes.
    const double rest = 1.0 - options.main_effects - options.pairs;
    add_part(options.main_effects, std::move(singles), seed.stream("landscape main effects"));
    add_part(options.pairs, all_pairs(d), seed.stream("landscape pairs"));
    add_part(rest, {all}, seed.stream("landscape of all"));
  }

  [[nodiscard]] double value(std::span<const double> x) const {
    assert(x.size() == static_cast<std::size_t>(options_.dimensions));
    // Parameters count from 0 to 1, whatever their number of values is.
    std::array<double, kMaxDimensions> u;
    std::ranges::transform(x, u.begin(), [this](double xi) { return xi / highest_; });
    double g = 0.0;
    for (const Part& part : parts_) g += part.value(std::span(u).first(x.size()));
    return normal_below(options_.shift + options_.amplitude * g);
  }

 private:
  GaussianLandscapeOptions options_;
  double highest_;
  std::vector<Part> parts_;
};

}  // namespace

void GaussianLandscapeOptions::visit(Options& options) {
  options.integer("dimensions", dimensions, between(1, kMaxDimensions), "number of parameters");
  options.integer("values", values, between(2, 1000), "values per parameter");
  options.number("length_scale", length_scale, between(0.001, 1000),
                 "how far values are alike, as a share of the diagonal of the space");
  options.number("length_spread", length_spread, between(0, 3),
                 "standard deviation of the logarithm of each parameter's own length scale; 0: all "
                 "the same, 1: some parameters hardly matter");
  options.number("main_effects", main_effects, between(0, 1),
                 "share of the variance that functions of one parameter have");
  options.number("pairs", pairs, between(0, 1),
                 "share of the variance that functions of two parameters have; one of all "
                 "parameters has the rest");
  options.choice(
      "kernel", kernel,
      {{"matern52", LandscapeKernel::kMatern52}, {"gaussian", LandscapeKernel::kGaussian}},
      "twice differentiable, or smooth");
  options.number("amplitude", amplitude, between(0.001, 1000),
                 "standard deviation before the normal distribution function makes probabilities");
  options.number("shift", shift, between(-10, 10), "added to that; below 0 most settings lose");
  options.integer("seed", seed, at_least(0), "seed of the landscape, not of the noise");
}

std::optional<OptionProblem> GaussianLandscapeOptions::problem() const {
  constexpr double kRounding = 1e-12;
  if (dimensions < 2 && pairs > 0.0) {
    return OptionProblem{"pairs", "needs 2 or more dimensions"};
  }
  // A rounding error of shares that add up to 1 is no mistake of the user.
  if (main_effects + pairs <= 1.0 + kRounding) return std::nullopt;
  return OptionProblem{"pairs",
                       fmt::format("is {}, at most {} is allowed beside main effects of {}", pairs,
                                   1.0 - main_effects, main_effects)};
}

BenchmarkFunction make_gaussian_landscape(const GaussianLandscapeOptions& options) {
  refuse(options.problem());
  const auto landscape = std::make_shared<const GaussianLandscape>(options);
  return {.description =
              fmt::format("gaussian_landscape (d = {}, {} values, length scale {}, seed {})",
                          options.dimensions, options.values, options.length_scale, options.seed),
          .parameters = integer_parameters(options.dimensions, options.values),
          .domains = domains_of(options.dimensions, between(0.0, options.values - 1)),
          .value = [landscape](std::span<const double> x) { return landscape->value(x); }};
}

}  // namespace ntune
