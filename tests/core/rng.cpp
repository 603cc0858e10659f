// The random streams are part of the results: none of these numbers may ever change.

#include "ntune/core/rng.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

#include "catch.h"
#include "ntune/core/statistics.h"

namespace ntune {

namespace {

std::array<std::uint64_t, 3> first_three(Rng rng) { return {rng(), rng(), rng()}; }

using Words = std::array<std::uint64_t, 3>;

}  // namespace

TEST_CASE("random numbers of a seed are pinned") {
  // From a second implementation, itself checked against the authors' SplitMix64 and xoshiro256++.
  CHECK(first_three(Rng(0)) == Words{0x84f09bf307c1073a, 0xc82ffb597ceee51b, 0xadf96905c5df4417});
  CHECK(first_three(Rng(1)) == Words{0x704560ced7cc0501, 0x4eef90036c89c53a, 0xdce05af2ba1364d7});
  CHECK(first_three(Rng(2020)) ==
        Words{0x7f0ce07012b7eb43, 0x125f537fb23612eb, 0x9b33135727e692ae});
  CHECK(first_three(Rng(~std::uint64_t{0})) ==
        Words{0x1beed10d2847f8eb, 0x9838887998fb93bd, 0xbb46d7e8c125f454});
}

TEST_CASE("random streams are pinned") {
  CHECK(first_three(Rng(1).stream("run", 3, 7)) ==
        Words{0x46ce1d9ecdb25179, 0x78b7a7c87862fd4d, 0x0b646543291ac117});
  CHECK(first_three(Rng(1).stream("evaluation")) ==
        Words{0x6139699ad001a07d, 0x432e97cf0085f2e4, 0x345337edb16c824f});
}

TEST_CASE("reals, integers and normal deviates are pinned") {
  Rng uniform(1);
  CHECK(uniform.uniform() == 0.43855862665058964);
  CHECK(uniform.uniform() == 0.3083429344519919);
  CHECK(uniform.uniform() == 0.8627983896822804);
  Rng normal(1);
  CHECK(normal.normal() == Approx(-0.3851178010247618).epsilon(1e-14));
  CHECK(normal.normal() == Approx(1.4128422627272381).epsilon(1e-14));
  CHECK(normal.normal() == Approx(0.17058127495800404).epsilon(1e-14));
  Rng below(1);
  for (const std::uint32_t expected : {4U, 3U, 8U, 8U, 4U, 2U, 7U, 1U}) {
    CHECK(below.below(10) == expected);
  }
}

TEST_CASE("a stream does not depend on what has been drawn") {
  const Rng fresh(42);
  Rng used(42);
  for (int i = 0; i < 100; ++i) used();
  Rng sibling = used.stream("sibling", 5);
  sibling();
  CHECK(first_three(used.stream("run", 2)) == first_three(fresh.stream("run", 2)));
  CHECK(first_three(used.stream("run", 2).stream("evaluation", 9)) ==
        first_three(fresh.stream("run", 2).stream("evaluation", 9)));
}

TEST_CASE("streams of different names, indices or parents differ") {
  const Rng rng(7);
  std::set<std::uint64_t> firsts;
  std::size_t streams = 0;
  const auto add = [&](Rng stream) {
    firsts.insert(stream());
    ++streams;
  };
  add(rng);
  for (const char* name : {"", "a", "b", "ab", "ba", "run", "runs"}) {
    add(rng.stream(name));
    for (std::uint64_t i = 0; i < 100; ++i) {
      add(rng.stream(name, i));
      for (std::uint64_t j = 0; j < 20; ++j) add(rng.stream(name, i, j));
    }
  }
  add(Rng(8).stream("a", 0));
  add(rng.stream("a").stream("a"));
  add(rng.stream("a", 0).stream("a", 0));
  CHECK(firsts.size() == streams);
}

TEST_CASE("streams are made at compile time too") {
  constexpr std::uint64_t kFirst = [] {
    Rng stream = Rng(1).stream("evaluation");
    return stream();
  }();
  STATIC_REQUIRE(kFirst == 0x6139699ad001a07d);
}

TEST_CASE("neighbouring streams are not correlated") {
  // 99.99 % of a standard normal lie within 3.9.
  constexpr int kPairs = 100'000;
  const Rng rng(3);
  double sum = 0.0;
  for (std::uint64_t i = 0; i < kPairs; ++i) {
    Rng a = rng.stream("evaluation", i);
    Rng b = rng.stream("evaluation", i + 1);
    sum += (a.uniform() - 0.5) * (b.uniform() - 0.5) * 12.0;
  }
  CHECK(std::abs(sum / std::sqrt(kPairs)) < 3.9);
}

TEST_CASE("below() is uniform and in range") {
  Rng rng(11);
  for (const std::uint32_t n : {1U, 2U, 3U, 6U, 7U, 1000U}) {
    constexpr int kDraws = 60'000;
    std::vector<int> counts(n);
    for (int i = 0; i < kDraws; ++i) {
      const std::uint32_t value = rng.below(n);
      REQUIRE(value < n);
      ++counts[value];
    }
    const double expected = static_cast<double>(kDraws) / n;
    double chi_square = 0.0;
    for (const int count : counts) chi_square += (count - expected) * (count - expected) / expected;
    // Wilson and Hilferty's cube root of a chi-square, at 3.9 standard deviations.
    const double freedom = std::max(1.0, n - 1.0);
    const double spread = 2.0 / (9.0 * freedom);
    CHECK(chi_square <= freedom * std::pow(1.0 - spread + 3.9 * std::sqrt(spread), 3.0));
  }
}

TEST_CASE("below() takes the largest ranges without bias") {
  // Three quarters of 2^32: taking 32 bits modulo n would give the lower third half the draws.
  constexpr std::uint32_t kRange = 0xC0000000;
  constexpr int kDraws = 30'000;
  Rng rng(12);
  int low = 0;
  for (int i = 0; i < kDraws; ++i) {
    if (rng.below(kRange) < kRange / 3) ++low;
  }
  const double sd = std::sqrt(kDraws * (1.0 / 3.0) * (2.0 / 3.0));
  CHECK(std::abs(low - kDraws / 3.0) < 3.9 * sd);
  CHECK(rng.below(~0U) < ~0U);
}

TEST_CASE("uniform reals lie in [0, 1) with the moments of a uniform variable") {
  constexpr int kDraws = 200'000;
  Rng rng(13);
  RunningStats stats;
  int below_tenth = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double value = rng.uniform();
    stats.add(value);
    if (value < 0.1) ++below_tenth;
  }
  CHECK(stats.min() >= 0.0);
  CHECK(stats.max() < 1.0);
  CHECK(std::abs(stats.mean() - 0.5) < 3.9 * std::sqrt(1.0 / 12.0 / kDraws));
  CHECK(std::abs(stats.variance() - 1.0 / 12.0) < 3.9 * std::sqrt(1.0 / 180.0 / kDraws));
  CHECK(std::abs(below_tenth - 0.1 * kDraws) < 3.9 * std::sqrt(0.09 * kDraws));
}

TEST_CASE("normal deviates have the moments of a standard normal variable") {
  constexpr int kDraws = 200'000;
  Rng rng(14);
  RunningStats stats;
  double cubes = 0.0;
  double fourths = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const double value = rng.normal();
    REQUIRE(std::isfinite(value));
    stats.add(value);
    cubes += value * value * value;
    fourths += value * value * value * value;
  }
  CHECK(std::abs(stats.mean()) < 3.9 * std::sqrt(1.0 / kDraws));
  CHECK(std::abs(stats.variance() - 1.0) < 3.9 * std::sqrt(2.0 / kDraws));
  CHECK(std::abs(cubes / kDraws) < 3.9 * std::sqrt(15.0 / kDraws));
  CHECK(std::abs(fourths / kDraws - 3.0) < 3.9 * std::sqrt(96.0 / kDraws));
}

TEST_CASE("bernoulli draws have their probability") {
  constexpr int kDraws = 100'000;
  Rng rng(15);
  for (const double p : {0.0, 0.05, 0.5, 1.0}) {
    int hits = 0;
    for (int i = 0; i < kDraws; ++i) hits += rng.bernoulli(p) ? 1 : 0;
    CHECK(std::abs(hits - p * kDraws) <= 3.9 * std::sqrt(p * (1.0 - p) * kDraws));
  }
}

}  // namespace ntune
