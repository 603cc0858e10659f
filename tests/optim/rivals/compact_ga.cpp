#include "ntune/optim/rivals/compact_ga.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "catch.h"
#include "support/optimisers.h"
#include "support/spaces.h"

namespace ntune {

using test::grid_space;
using test::make_context;
using test::make_point;

namespace {

/// The binary algorithm of the paper, one probability of a one per bit, with limits.
struct BinaryTwin {
  std::vector<double> p;
  std::vector<Point> points = {};
  std::vector<double> payoffs = {};
  std::size_t window;
  double step;

  void tell(const Point& point, double payoff) {
    const std::size_t n = points.size();
    for (std::size_t other = n > window ? n - window : 0; other < n; ++other) {
      if (payoffs[other] == payoff) continue;
      const Point& winner = payoffs[other] > payoff ? points[other] : point;
      const Point& loser = payoffs[other] > payoff ? point : points[other];
      const double margin = std::min(0.25, 1.0 / static_cast<double>(p.size()));
      for (std::size_t i = 0; i < p.size(); ++i) {
        const int w = winner[static_cast<int>(i)];
        const int l = loser[static_cast<int>(i)];
        p[i] = std::clamp(p[i] + (w - l) * step, margin, 1.0 - margin);
      }
    }
    points.push_back(point);
    payoffs.push_back(payoff);
  }
};

}  // namespace

TEST_CASE("compact_ga: its probabilities are those of a plain binary twin") {
  const SearchSpace space = grid_space(std::vector<int>(7, 2));
  CompactGaOptions options;
  options.window = 5;
  options.population = {.automatic = false, .value = 30.0};
  CompactGa search(options, make_context(space, 200));
  BinaryTwin twin{.p = std::vector<double>(7, 0.5), .window = 5, .step = 1.0 / 30.0};
  Rng rng(1);
  Rng noise(2);
  for (int n = 0; n < 200; ++n) {
    const Point point = search.ask(rng).point;
    const double payoff = test::height(space, point) + 0.25 * noise.below(3);  // ties too
    search.tell(point, payoff);
    twin.tell(point, payoff);
    for (int i = 0; i < 7; ++i) {
      const double expected = twin.p[static_cast<std::size_t>(i)];
      REQUIRE(search.probability(i, 1) == Approx(expected).margin(1e-12));
      REQUIRE(search.probability(i, 0) == Approx(1.0 - expected).margin(1e-12));
    }
  }
}

TEST_CASE("compact_ga: a comparison moves 1 / population from the loser's value to the winner's") {
  const SearchSpace space = grid_space({4, 4, 1});
  CompactGaOptions options;
  options.population = {.automatic = false, .value = 20.0};
  CompactGa search(options, make_context(space, 10));
  search.tell(make_point({1, 2, 0}), 5.0);
  search.tell(make_point({3, 2, 0}), 7.0);
  CHECK(search.probability(0, 0) == 0.25);
  CHECK(search.probability(0, 1) == Approx(0.20));
  CHECK(search.probability(0, 3) == Approx(0.30));
  for (int value = 0; value < 4; ++value) CHECK(search.probability(1, value) == 0.25);
  CHECK(search.recommend().point == make_point({3, 2, 0}));
  search.tell(make_point({0, 0, 0}), 7.0);  // level with the second, better than the first
  CHECK(search.probability(0, 0) == Approx(0.30));
  CHECK(search.probability(0, 1) == Approx(0.15));
  CHECK(search.probability(0, 3) == Approx(0.30));
  CHECK(search.probability(1, 2) == Approx(0.20));
}

TEST_CASE("compact_ga: no value is lost for good") {
  const SearchSpace space = grid_space({3, 5});
  CompactGaOptions options;
  options.population = {.automatic = false, .value = 2.0};
  CompactGa search(options, make_context(space, 1000));
  Rng rng(3);
  for (int n = 0; n < 1000; ++n) {
    const Point point = search.ask(rng).point;
    search.tell(point, test::height(space, point));
  }
  for (int value = 0; value < 3; ++value) CHECK(search.probability(0, value) >= 0.5 / 3 - 1e-12);
  for (int value = 0; value < 5; ++value) CHECK(search.probability(1, value) >= 0.1 - 1e-12);
}

}  // namespace ntune
