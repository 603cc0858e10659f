#include "ntune/optim/models/sampled_points.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "catch.h"
#include "support/reference_model.h"
#include "support/spaces.h"

namespace ntune {

using test::grid_space;
using Statistics = test::ReferenceModel::Statistics;

namespace {

/// Adds `steps` payoffs at points among `pool` and compares with a map, all the time.
void mirror(const SearchSpace& space, std::int64_t expected, int steps, std::size_t pool) {
  CAPTURE(space.grid_size(), expected, steps, pool);
  Rng rng(5);
  std::vector<Point> candidates;
  for (std::size_t i = 0; i < pool; ++i) candidates.push_back(space.sample(rng));
  SampledPoints points(space, expected);
  std::map<Point, Statistics> reference;
  std::vector<Point> order;
  for (int i = 0; i < steps; ++i) {
    const Point& point = candidates[rng.below(static_cast<std::uint32_t>(pool))];
    const double payoff = rng.normal();
    if (reference.count(point) == 0) order.push_back(point);
    reference[point].add(payoff);
    points.add(point, payoff);
    const Point& other = candidates[rng.below(static_cast<std::uint32_t>(pool))];
    const auto found = reference.find(other);
    const std::int64_t count = found == reference.end() ? 0 : found->second.count;
    REQUIRE(points.find(points.key(other)).count == count);
    REQUIRE(points.size() == order.size());
  }
  bool same = true;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Statistics& wanted = reference[order[i]];
    for (const Cell& cell : {points.cell(i), points.find(points.key(order[i]))}) {
      same = same && points.point(i) == order[i] && cell.count == wanted.count &&
             cell.sum == Approx(static_cast<double>(wanted.sum)).margin(1e-12) &&
             cell.deviations == Approx(wanted.deviations()).margin(1e-9);
    }
  }
  CHECK(same);
}

}  // namespace

TEST_CASE("sampled points mirror a map") {
  mirror(grid_space({1}), 1, 20, 1);
  mirror(grid_space({1, 1, 1}), 100, 20, 3);
  mirror(grid_space({2}), 1, 50, 4);
  mirror(grid_space({7, 3}), 1000, 500, 30);
  mirror(grid_space({4, 1, 5, 3}), 50, 500, 100);
  mirror(grid_space({16, 16, 16}), 5000, 20'000, 20'000);  // every point of a power of two
  mirror(grid_space({16, 16, 17}), 5000, 20'000, 20'000);
  mirror(grid_space({20, 20, 20, 20}), 3000, 3000, 2000);
  mirror(grid_space({65'535, 65'535, 65'535}), 10, 3000, 1000);
}

TEST_CASE("sampled points grow beyond what they reserved") {
  mirror(grid_space(std::vector<int>(6, 10)), 1, 30'000, 100'000);
  mirror(grid_space(std::vector<int>(6, 10)), 1000, 30'000, 100'000);
  mirror(grid_space(std::vector<int>(8, 10)), 200'000, 100'000, 200'000);  // over 65,536 points
}

TEST_CASE("sampled points of spaces with more than 2^63 points") {
  mirror(grid_space(std::vector<int>(64, 2)), 2000, 2000, 1000);
  mirror(grid_space(std::vector<int>(64, 10)), 100, 20'000, 10'000);
  mirror(grid_space(std::vector<int>(10, 1000)), 100, 2000, 1000);
  mirror(grid_space(std::vector<int>(16, 256)), 2000, 5000, 3000);
}

TEST_CASE("sampled points: neighbours of a huge space are told apart") {
  // 2^256 points: keys by powers of 256 would lose all but 8 parameters.
  const SearchSpace space = grid_space(std::vector<int>(32, 256));
  SampledPoints points(space, 10);
  const Point origin(32);
  points.add(origin, 1.0);
  for (int i = 0; i < 32; ++i) {
    for (int value = 1; value < 256; ++value) {
      Point neighbour = origin;
      neighbour[i] = static_cast<std::uint16_t>(value);
      REQUIRE(points.find(points.key(neighbour)).count == 0);
    }
  }
}

TEST_CASE("sampled points: the key of a neighbour follows from the strides") {
  Rng rng(8);
  for (const auto& cardinalities :
       {std::vector<int>{5, 7, 1, 3}, std::vector<int>(63, 2), std::vector<int>(40, 500)}) {
    const SearchSpace space = grid_space(cardinalities);
    const SampledPoints points(space, 1);
    for (int i = 0; i < 200; ++i) {
      const Point point = space.sample(rng);
      const Point other = space.sample(rng);
      std::uint64_t key = points.key(point);
      for (int p = 0; p < space.dimensions(); ++p) {
        key += (std::uint64_t{other[p]} - point[p]) * points.stride(p);
      }
      REQUIRE(key == points.key(other));
    }
  }
}

TEST_CASE("sampled points hold marked points without payoffs") {
  const SearchSpace space = grid_space({20, 20, 20, 20});
  SampledPoints points(space, 2);
  Rng rng(9);
  std::vector<Point> marked;
  for (int i = 0; i < 100; ++i) {
    marked.push_back(space.sample(rng));
    const std::uint32_t rank = points.mark(marked.back(), 1);
    REQUIRE(points.point(rank - 1) == marked.back());
  }
  for (int i = 0; i < 100; ++i) {
    const Point& point = marked[static_cast<std::size_t>(i)];
    const Cell before = points.find(points.key(point));
    const std::uint32_t rank = points.mark(point, -1);
    CHECK(points.cell(rank - 1).pending + 1 == before.pending);
    if (i % 2 == 0) CHECK(points.add(point, 3.0) == rank);
    CHECK(points.cell(rank - 1).count == before.count + (i % 2 == 0 ? 1U : 0U));
  }
  for (std::size_t i = 0; i < points.size(); ++i) CHECK(points.cell(i).pending == 0);
}

TEST_CASE("sampled points: a value off the grid is no other point") {
  const SearchSpace space = test::yaml_space(
      "{a: {integers: [0, 4], step: 2, default: 1}, b: {integers: [0, 4], default: 3}}");
  SampledPoints points(space, 10);
  space.for_each_point([&](const Point& point) {
    points.add(point, 1.0);
    return true;
  });
  CHECK(points.size() == 15);
  for (std::uint16_t value = 0; value < 5; ++value)
    CHECK(points.at(test::make_point({3, value})).count == 0);
}

TEST_CASE("sampled points: what payoffs deviate by is exact wherever they lie") {
  const SearchSpace space = grid_space({3});
  for (const double origin : {0.0, 1e9, -1e10, 1e12}) {
    CAPTURE(origin);
    SampledPoints points(space, 10);
    Rng rng(1);
    RunningStats wanted;
    for (int i = 0; i < 60; ++i) {
      const double payoff = std::round(1024.0 * rng.normal()) / 1024.0;  // exact beside the origin
      wanted.add(payoff);
      points.add(test::make_point({i % 3}), origin + payoff);
    }
    const RunningStats all = payoffs_of(points);
    CHECK(all.count() == 60);
    CHECK(all.mean() - origin == Approx(wanted.mean()).margin(1e-3));
    CHECK(all.sd() == Approx(wanted.sd()).epsilon(1e-3));
    CHECK(points.mean() - origin == Approx(wanted.mean()).margin(1e-3));
  }
}

TEST_CASE("sampled points know a few distinct payoffs, and those amended") {
  const SearchSpace space = grid_space({3});
  SampledPoints points(space, 10);
  points.add(test::make_point({0}), 1.0);
  points.add(test::make_point({0}), 0.0);
  points.add(test::make_point({1}), 1.0);
  CHECK(std::ranges::equal(points.few_values(), std::vector{1.0, 0.0}));
  points.add(test::make_point({1}), 1e6);
  points.amend(test::make_point({1}), 1e6, 1.0);
  CHECK(std::ranges::equal(points.few_values(), std::vector{1.0, 0.0}));
  CHECK(points.at(test::make_point({1})).deviations == 0.0);
  points.add(test::make_point({2}), 0.25);
  points.add(test::make_point({2}), 0.75);
  CHECK(points.few_values().empty());
}

TEST_CASE("sampled points know a value as long as any payoff has it") {
  const SearchSpace space = grid_space({6});
  SampledPoints points(space, 10);
  points.add(test::make_point({0}), 0.0);
  points.add(test::make_point({1}), 9.0);
  points.add(test::make_point({2}), 9.0);
  points.amend(test::make_point({1}), 9.0, 0.0);
  CHECK(std::ranges::equal(points.few_values(), std::vector{0.0, 9.0}));
  points.amend(test::make_point({2}), 9.0, 0.0);
  CHECK(std::ranges::equal(points.few_values(), std::vector{0.0}));
  // Of five values one less are still many, whichever it is.
  for (int i = 1; i < 5; ++i) points.add(test::make_point({i}), 1.0 * i);
  points.amend(test::make_point({1}), 1.0, 0.0);
  CHECK(points.few_values().empty());
  points.amend(test::make_point({4}), 4.0, 0.0);
  CHECK(std::ranges::equal(points.few_values(), std::vector{0.0, 2.0, 3.0}));
}

TEST_CASE("sampled points: payoffs that are shifted have a mean that is shifted as far") {
  const SearchSpace space = grid_space({3});
  SampledPoints points(space, 10);
  for (int i = 0; i < 8; ++i) points.add(test::make_point({i % 2}), i);
  CHECK(points.mean() == 3.5);
  points.shift(-2.0);
  CHECK(points.mean() == 5.5);
  CHECK(points.at(test::make_point({0})).mean() == 5.0);
  CHECK(points.at(test::make_point({1})).mean() == 6.0);
}

}  // namespace ntune
