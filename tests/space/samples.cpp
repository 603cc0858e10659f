// Random points.

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "ntune/core/rng.h"
#include "ntune/space/search_space.h"
#include "space/allocations.h"
#include "space/twin.h"

namespace ntune {

namespace {

std::vector<Parameter> of_cardinalities(const std::vector<int>& values) {
  std::vector<Parameter> parameters;
  for (std::size_t i = 0; i < values.size(); ++i) {
    parameters.push_back(make_integers("p" + std::to_string(i), 1, values[i]));
  }
  return parameters;
}

Term term(int parameter, std::vector<std::uint16_t> values) {
  return {.parameter = parameter, .values = std::move(values)};
}

/// Only the values 0 of all parameters are allowed, or 1 of all: one point in 2^(d - 1).
SearchSpace two_points(int d) {
  std::vector<Clause> clauses;
  for (int i = 0; i + 1 < d; ++i) {
    clauses.push_back({term(i, {0}), term(i + 1, {1})});
    clauses.push_back({term(i, {1}), term(i + 1, {0})});
  }
  return SearchSpace(of_cardinalities(std::vector<int>(static_cast<std::size_t>(d), 2)), clauses);
}

/// Sum of (observed - expected)^2 / expected.
double chi_square(const std::vector<int>& counts) {
  double total = 0.0;
  for (const int count : counts) total += count;
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0.0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

}  // namespace

TEST_CASE("without constraints one number is drawn per parameter with more than one value") {
  const SearchSpace space(of_cardinalities({3, 1, 60'000, 2}));
  Rng rng(9);
  Rng twin(9);
  for (int i = 0; i < 1000; ++i) {
    const Point point = space.sample(rng);
    CHECK(point[0] == twin.below(3));
    CHECK(point[1] == 0);
    CHECK(point[2] == twin.below(60'000));
    CHECK(point[3] == twin.below(2));
  }
}

TEST_CASE("sampling is uniform") {
  const SearchSpace space(of_cardinalities({2, 5, 3}));
  Rng rng(11);
  std::vector<int> counts(30);
  for (int i = 0; i < 30'000; ++i) {
    const Point point = space.sample(rng);
    ++counts[static_cast<std::size_t>((point[0] * 5 + point[1]) * 3 + point[2])];
  }
  CHECK(chi_square(counts) < 66.2);  // 29 degrees of freedom: exceeded with probability 0.0001
}

TEST_CASE("sampling by rejection is uniform over what is allowed") {
  const SearchSpace space(of_cardinalities({4, 4, 2, 2}),
                          {{term(0, {0, 1}), term(1, {1, 2})}, {term(2, {1}), term(3, {1})}});
  Rng rng(12);
  std::map<Point, int> seen;
  for (int i = 0; i < 36'000; ++i) ++seen[space.sample(rng)];
  std::vector<int> counts;
  for (const auto& [point, count] : seen) counts.push_back(count);
  REQUIRE(counts.size() == 36);
  CHECK(space.size().points == 36);
  CHECK(chi_square(counts) < 74.9);  // 35 degrees of freedom: exceeded with probability 0.0001
}

TEST_CASE("samples are allowed, and every allowed point is sampled") {
  Rng rng(2025);
  int spaces = 0;
  while (spaces < 200) {
    const SpaceParts parts = random_parts(rng);
    const std::vector<Point> expected = slow_allowed_points(parts);
    constexpr std::size_t kSmall = 60;
    if (expected.empty() || expected.size() > kSmall) continue;
    ++spaces;
    const SearchSpace space(parts.parameters, parts.forbidden);
    std::set<Point> seen;
    for (int i = 0; i < 8000; ++i) seen.insert(space.sample(rng));
    CHECK(std::vector<Point>(seen.begin(), seen.end()) == expected);
  }
}

TEST_CASE("where almost everything is forbidden samples come from backtracking") {
  const SearchSpace space = two_points(40);
  CHECK(space.size().points == 2);
  Rng rng(13);
  std::set<Point> seen;
  for (int i = 0; i < 40; ++i) seen.insert(space.sample(rng));
  CHECK(seen.size() == 2);
  for (const Point& point : seen) CHECK(space.is_allowed(point));
}

TEST_CASE("where backtracking fails too a known point is returned") {
  // The first parameter has one good value of 60,000, which shows only behind 40 free parameters.
  std::vector<int> cardinalities(42, 10);
  cardinalities.front() = 60'000;
  std::vector<std::uint16_t> bad;
  for (std::uint16_t v = 0; v < 60'000; ++v) {
    if (v != 41'234) bad.push_back(v);
  }
  const std::vector<std::uint16_t> all = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::vector<Clause> clauses = {{term(0, bad), term(41, all)}};
  for (int i = 1; i < 41; ++i) clauses.push_back({term(0, {41'234}), term(i, {9}), term(41, {9})});
  const SearchSpace space(of_cardinalities(cardinalities), clauses);
  CHECK(space.size().without_forbidden);
  Rng rng(14);
  for (int i = 0; i < 3; ++i) {
    const Point point = space.sample(rng);
    CHECK(space.is_allowed(point));
    CHECK(point[0] == 41'234);
  }
}

TEST_CASE("sampling allocates no memory, with rejections neither") {
  const SearchSpace free(of_cardinalities({3, 60'000, 2}));
  const SearchSpace constrained(of_cardinalities({3, 5, 2}), {{term(0, {0}), term(1, {1, 2})}});
  Rng rng(17);
  const long before = allocation_count();
  int forbidden = 0;
  for (int i = 0; i < 1000; ++i) {
    Point point = free.sample(rng);
    const Point other = constrained.sample(rng);
    point = other;
    constrained.settle(point, other, rng);
    constrained.canonicalise(point);
    if (!constrained.is_allowed(point)) ++forbidden;
  }
  const long after = allocation_count();
  CHECK(after == before);
  CHECK(forbidden == 0);
}

TEST_CASE("equal streams give equal samples") {
  Rng parts_rng(15);
  for (int trial = 0; trial < 50; ++trial) {
    SpaceParts parts = random_parts(parts_rng);
    if (slow_allowed_points(parts).empty()) continue;
    const SearchSpace space(parts.parameters, parts.forbidden);
    const SearchSpace twin(parts.parameters, parts.forbidden);
    Rng a(16);
    Rng b(16);
    for (int i = 0; i < 20; ++i) CHECK(space.sample(a) == twin.sample(b));
    CHECK(a() == b());
  }
}

}  // namespace ntune
