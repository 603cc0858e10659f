#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/rng.h"
#include "ntune/objective/functions/functions.h"

namespace ntune {

namespace {

using Vector = std::vector<double>;

Vector random_values(int dimensions, int values, Rng& rng) {
  Vector x;
  for (int i = 0; i < dimensions; ++i) x.push_back(rng.below(static_cast<std::uint32_t>(values)));
  return x;
}

/// Effect of a change of locus a on the effect of a change of locus b: not 0 only where some
/// contribution depends on both.
double interaction(const BenchmarkFunction& nk, Vector x, std::size_t a, std::size_t b) {
  const auto at = [&](double va, double vb) {
    x[a] = va;
    x[b] = vb;
    return nk.value(x);
  };
  return at(1, 1) - at(1, 0) - at(0, 1) + at(0, 0);
}

}  // namespace

TEST_CASE("nk: adjacent loci interact up to a distance of k around the ring") {
  constexpr int kDimensions = 50;
  for (const int k : {0, 1, 3, 24, 49}) {
    const auto nk = make_nk({.dimensions = kDimensions, .k = k, .values = 3, .seed = 5});
    Rng rng(3);
    const Vector x = random_values(kDimensions, 3, rng);
    for (std::size_t b = 1; b < kDimensions; ++b) {
      const auto distance = static_cast<int>(std::min(b, kDimensions - b));
      const bool together = std::abs(interaction(nk, x, 0, b)) > 1e-9;
      CHECK(together == (distance <= k));
    }
  }
}

TEST_CASE("nk: random neighbours are k distinct others") {
  constexpr int kDimensions = 40;
  constexpr int kK = 5;
  const auto nk =
      make_nk({.dimensions = kDimensions, .k = kK, .neighbours = NkNeighbours::kRandom, .seed = 2});
  Rng rng(3);
  const Vector x = random_values(kDimensions, 2, rng);
  int pairs = 0;
  for (std::size_t a = 0; a < kDimensions; ++a) {
    for (std::size_t b = 0; b < a; ++b) pairs += std::abs(interaction(nk, x, a, b)) > 1e-9;
  }
  // Every locus lays an edge to each of its k neighbours, and joins them in pairs.
  CHECK(pairs > kDimensions * kK / 2);
  CHECK(pairs <= kDimensions * (kK + kK * (kK - 1) / 2));
  CHECK(nk.value(x) != make_nk({.dimensions = kDimensions, .k = kK, .seed = 2}).value(x));
}

TEST_CASE("nk: without neighbours the optimum is the mean of the maxima of the loci") {
  const auto nk = make_nk({.dimensions = 50, .k = 0, .values = 9, .seed = 4});
  Vector best(50, 0.0);
  for (double& locus : best) {
    double top = -1.0;
    double choice = 0.0;
    for (int v = 0; v < 9; ++v) {
      locus = v;
      if (nk.value(best) > top) {
        top = nk.value(best);
        choice = v;
      }
    }
    locus = choice;
  }
  CHECK(nk.optimum() == nk.value(best));
  // Expected maximum of 9 uniform numbers: 9 / 10, with deviation 0.0905 / sqrt(50).
  CHECK(nk.optimum().value() == Approx(0.9).margin(4.5 * 0.0905 / std::sqrt(50.0)));
}

TEST_CASE("nk: the optimum around the ring is that of an enumeration") {
  struct Case {
    int dimensions;
    int k;
    int values;
  };
  for (const auto& [dimensions, k, values] : {Case{1, 0, 5},
                                              {7, 1, 3},
                                              {5, 2, 4},
                                              {12, 2, 2},
                                              {13, 3, 2},
                                              {9, 4, 2},
                                              {4, 2, 3},
                                              {5, 4, 2}}) {
    for (const std::int64_t seed : {1, 2, 3}) {
      const auto nk = make_nk({.dimensions = dimensions, .k = k, .values = values, .seed = seed});
      double best = 0.0;
      Vector x(static_cast<std::size_t>(dimensions), 0.0);
      for (std::size_t i = 0; i < x.size();) {
        best = std::max(best, nk.value(x));
        for (i = 0; i < x.size() && ++x[i] == values; ++i) x[i] = 0.0;
      }
      CAPTURE(dimensions, k, values, seed);
      CHECK(nk.optimum().value() == Approx(best).epsilon(1e-13));
    }
  }
  CHECK(make_nk({.dimensions = 50, .k = 3}).optimum());
  CHECK_FALSE(make_nk({.dimensions = 50, .k = 12}).optimum());
  CHECK_FALSE(make_nk({.dimensions = 50, .k = 1, .neighbours = NkNeighbours::kRandom}).optimum());
}

TEST_CASE("nk: contributions are uniform and independent") {
  constexpr int kDimensions = 20;
  constexpr int kCount = 20'000;
  for (const int k : {1, 3, 19}) {
    const auto nk = make_nk({.dimensions = kDimensions, .k = k, .values = 1000, .seed = 8});
    Rng rng(6);
    double sum = 0.0;
    double squares = 0.0;
    for (int n = 0; n < kCount; ++n) {
      const double centred = nk.value(random_values(kDimensions, 1000, rng)) - 0.5;
      sum += centred;
      squares += centred * centred;
    }
    const double variance = 1.0 / (12.0 * kDimensions);
    CHECK(std::abs(sum / kCount) < 4.5 * std::sqrt(variance / kCount));
    CHECK(squares / kCount == Approx(variance).epsilon(4.5 * std::sqrt(2.0 / kCount)));
  }
  // One locus alone shows the distribution itself: ten equal bins, chi-square with 9 degrees.
  const auto locus = make_nk({.dimensions = 1, .k = 0, .values = 1000, .seed = 8});
  std::array<int, 10> bins = {};
  for (int v = 0; v < 1000; ++v) {
    ++bins.at(static_cast<std::size_t>(10.0 * locus.value(Vector{static_cast<double>(v)})));
  }
  double chi_square = 0.0;
  for (const int bin : bins) chi_square += (bin - 100.0) * (bin - 100.0) / 100.0;
  CHECK(chi_square < 27.9);  // 0.1 %
}

TEST_CASE("nk: every combination of values has a contribution of its own") {
  // All 4^3 combinations, by the order of the values too.
  const auto nk = make_nk({.dimensions = 3, .k = 2, .values = 4, .seed = 1});
  std::map<double, int> seen;
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) {
      for (int c = 0; c < 4; ++c) {
        ++seen[nk.value(
            Vector{static_cast<double>(a), static_cast<double>(b), static_cast<double>(c)})];
      }
    }
  }
  CHECK(seen.size() == 64);
}

TEST_CASE("nk: the landscape is a function of its seed, the same for good") {
  const auto value = [](std::int64_t seed, NkNeighbours neighbours) {
    const auto nk =
        make_nk({.dimensions = 50, .k = 7, .values = 5, .neighbours = neighbours, .seed = seed});
    Rng rng(11);
    return nk.value(random_values(50, 5, rng));
  };
  constexpr auto kAdjacent = NkNeighbours::kAdjacent;
  constexpr auto kRandom = NkNeighbours::kRandom;
  CHECK(value(1, kAdjacent) == value(1, kAdjacent));
  CHECK(value(1, kAdjacent) != value(2, kAdjacent));
  CHECK(value(1, kRandom) == value(1, kRandom));
  CHECK(value(1, kRandom) != value(2, kRandom));
  CHECK(value(1, kAdjacent) == Approx(0.48452902434425354).epsilon(1e-14));
  CHECK(value(1, kRandom) == Approx(0.49309444104530553).epsilon(1e-14));
  const auto nk = make_nk({.dimensions = 2, .k = 1});
  CHECK(nk.value(Vector{0.0, 1.0}) == nk.value(Vector{-0.0, 1.0}));
  CHECK(nk.value(Vector{0.0, 1.0}) != nk.value(Vector{1.0, 0.0}));
  CHECK_THROWS_AS(make_nk({.dimensions = 4, .k = 4}), InputError);
}

// The definition in the header, read literally: a draw per locus from streams of the seed.
TEST_CASE("nk equals its twin") {
  const auto mix = [](std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  };
  constexpr int kDimensions = 23;
  constexpr int kK = 4;
  const auto nk = make_nk({.dimensions = kDimensions, .k = kK, .values = 6, .seed = 99});
  Rng rng(12);
  for (int n = 0; n < 200; ++n) {
    const Vector x = random_values(kDimensions, 6, rng);
    double sum = 0.0;
    for (int locus = 0; locus < kDimensions; ++locus) {
      Rng draw = Rng(99).stream("nk contributions", locus);
      std::uint64_t key = draw();
      for (int j = 0; j <= kK; ++j) {
        const double v = x[static_cast<std::size_t>((locus + j) % kDimensions)];
        key += (draw() | 1U) * mix(std::bit_cast<std::uint64_t>(v));
      }
      sum += std::ldexp(static_cast<double>(mix(key) >> 11), -53);
    }
    REQUIRE(nk.value(x) == Approx(sum / kDimensions).epsilon(1e-14));
  }
}

}  // namespace ntune
