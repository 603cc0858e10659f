#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/hash.h"
#include "ntune/core/rng.h"
#include "ntune/objective/functions/functions.h"
#include "ntune/space/point.h"

namespace ntune {

namespace {

/// Contributions that the search for an optimum computes, at most.
constexpr double kLargestWork = 0x1p22;

/// Equal numbers have equal hashes: 0.0 + -0.0 is 0.0.
std::uint64_t hash(double value) { return mix64(std::bit_cast<std::uint64_t>(value + 0.0)); }

/// The landscape of functions.h; contributions are hashes, so that none is stored.
class Nk {
 public:
  explicit Nk(const NkOptions& options)
      : options_(options), width_(static_cast<std::size_t>(options.k) + 1) {
    const Rng seed(static_cast<std::uint64_t>(options.seed));
    for (int locus = 0; locus < options.dimensions; ++locus) {
      // One stream for each locus keeps its numbers the same, whatever the other loci need.
      add_neighbours(locus, seed.stream("nk neighbours", locus));
      Rng draw = seed.stream("nk contributions", locus);
      constants_.push_back(draw());
      // Odd multipliers are bijections modulo 2^64, so that each neighbour changes the key.
      for (std::size_t j = 0; j < width_; ++j) multipliers_.push_back(draw() | 1U);
    }
  }

  [[nodiscard]] double value(std::span<const double> x) const {
    assert(x.size() == constants_.size());
    // Each value is hashed once, and used by all loci that depend on it.
    std::array<std::uint64_t, kMaxDimensions> hashes;
    std::ranges::transform(x, hashes.begin(), hash);
    double sum = 0.0;
    for (std::size_t locus = 0; locus < x.size(); ++locus) {
      std::uint64_t key = constants_[locus];
      for (std::size_t j = locus * width_; j < (locus + 1) * width_; ++j) {
        key += multipliers_[j] * hashes[inputs_[j]];
      }
      sum += uniform(key);
    }
    return sum / options_.dimensions;
  }

  [[nodiscard]] std::optional<double> optimum() const {
    // Without neighbours each locus is alone, and the ring has one window.
    const bool random = options_.neighbours == NkNeighbours::kRandom && options_.k > 0;
    const double work = options_.dimensions * std::pow(options_.values, 2 * options_.k + 1);
    if (random || work > kLargestWork) return std::nullopt;
    double best = 0.0;
    // The loci of the ring wrap round, so the values of the first k loci are fixed in turn.
    for (std::size_t first = 0; first < windows(); ++first) best = std::max(best, ring(first));
    return best / options_.dimensions;
  }

 private:
  static double uniform(std::uint64_t key) {
    return static_cast<double>(mix64(key) >> 11) * 0x1p-53;
  }

  /// Combinations of the values of k loci: digits to the base of `values`, the first locus highest.
  [[nodiscard]] std::size_t windows() const {
    std::size_t count = 1;
    for (int i = 0; i < options_.k; ++i) count *= static_cast<std::size_t>(options_.values);
    return count;
  }

  /// The contribution of a locus whose own value and those of the next k are the digits.
  [[nodiscard]] double contribution(std::size_t locus, std::size_t digits) const {
    std::uint64_t key = constants_[locus];
    // The digits are taken from the lowest, which belongs to the last neighbour.
    for (std::size_t j = (locus + 1) * width_; j-- > locus * width_;) {
      key += multipliers_[j] * hash(static_cast<double>(digits % values()));
      digits /= values();
    }
    return uniform(key);
  }
  [[nodiscard]] std::size_t values() const { return static_cast<std::size_t>(options_.values); }

  /// The largest sum of contributions where the first k loci have the values of `first`, by dynamic
  /// programming around the ring of adjacent neighbours. best[w] is the largest sum of the loci so
  /// far, if the next k loci have the values of w.
  [[nodiscard]] double ring(std::size_t first) const {
    constexpr double kNone = -1.0;
    const std::size_t count = windows();
    std::vector<double> best(count, kNone);
    // Contributions are at least 0, so -1 marks windows that cannot be reached.
    best[first] = 0.0;
    for (std::size_t locus = 0; locus < constants_.size(); ++locus) {
      std::vector<double> next(count, kNone);
      for (std::size_t w = 0; w < count; ++w) {
        if (best[w] == kNone) continue;
        for (std::size_t v = 0; v < values(); ++v) {
          // The window moves on: the oldest value drops out and v comes in.
          const std::size_t digits = w * values() + v;
          double& sum = next[digits % count];
          sum = std::max(sum, best[w] + contribution(locus, digits));
        }
      }
      best = std::move(next);
    }
    // After the whole ring the first k loci must have the values that were assumed.
    return best[first];
  }

  void add_neighbours(int locus, Rng draw) {
    std::vector<std::size_t> loci(static_cast<std::size_t>(options_.dimensions));
    std::iota(loci.begin(), loci.end(), std::size_t{0});
    // The locus itself comes first, then the following loci around the ring.
    std::rotate(loci.begin(), loci.begin() + locus, loci.end());
    if (options_.neighbours == NkNeighbours::kRandom) {
      // The first k places of a random permutation (Fisher and Yates), which leaves the locus in
      // its place.
      for (std::size_t j = 1; j < width_; ++j) {
        const std::size_t left = loci.size() - j;
        std::swap(loci[j], loci[j + draw.below(static_cast<std::uint32_t>(left))]);
      }
    }
    inputs_.insert(inputs_.end(), loci.begin(), loci.begin() + static_cast<std::ptrdiff_t>(width_));
  }

  NkOptions options_;
  std::size_t width_;                       ///< k + 1
  std::vector<std::uint64_t> constants_;    ///< c, one per locus
  std::vector<std::uint64_t> multipliers_;  ///< m, width_ per locus, odd
  std::vector<std::size_t> inputs_;         ///< the locus and its neighbours, width_ per locus
};

}  // namespace

void NkOptions::visit(Options& options) {
  options.integer("dimensions", dimensions, between(1, kMaxDimensions),
                  "number of parameters (loci)");
  options.integer("k", k, between(0, kMaxDimensions - 1),
                  "neighbours that the contribution of a locus depends on; below dimensions");
  options.integer("values", values, between(2, 1000), "values per parameter");
  options.choice("neighbours", neighbours,
                 {{"adjacent", NkNeighbours::kAdjacent}, {"random", NkNeighbours::kRandom}},
                 "the k loci that follow (the first after the last), or k drawn from the seed");
  options.integer("seed", seed, at_least(0), "seed of the landscape, not of the noise");
}

std::optional<OptionProblem> NkOptions::problem() const {
  if (k < dimensions) return std::nullopt;
  return OptionProblem{"k", fmt::format("is {}, a whole number from 0 to {} is allowed with {} "
                                        "dimensions",
                                        k, dimensions - 1, dimensions)};
}

BenchmarkFunction make_nk(const NkOptions& options) {
  refuse(options.problem());
  const auto nk = std::make_shared<const Nk>(options);
  return {.description = fmt::format(
              "nk (d = {}, k = {} {}, {} values, seed {})", options.dimensions, options.k,
              options.neighbours == NkNeighbours::kRandom ? "random" : "adjacent", options.values,
              options.seed),
          .parameters = integer_parameters(options.dimensions, options.values),
          .domains = domains_of(options.dimensions, {}),
          .value = [nk](std::span<const double> x) { return nk->value(x); },
          .optimum = [nk] { return nk->optimum(); }};
}

}  // namespace ntune
