// What evaluations cost, and how a search weighs it.

#include "ntune/optim/bayesian/cost_process.h"

#include <cmath>
#include <memory>
#include <vector>

#include "catch.h"
#include "ntune/core/yaml.h"
#include "ntune/optim/optimisers.h"
#include "support/spaces.h"

namespace ntune {

using test::grid_space;
using test::make_point;

namespace {

std::vector<Query> queries(const std::vector<Point>& points) {
  std::vector<Query> list;
  for (const Point& point : points) list.push_back({.point = point});
  return list;
}

/// What a search asks for whose payoffs are noise alone.
template <class Cost>
std::vector<Point> asks(const char* algorithm, double exponent, const Cost& cost, bool fails,
                        std::uint64_t seed = 4) {
  const SearchSpace space = grid_space({10, 4});
  const std::unique_ptr<Optimiser> search =
      plan_optimiser(parse_yaml(algorithm), space)
          .make({.space = &space, .budget = 100, .cost_exponent = exponent});
  Rng rng(seed);
  Rng noise = rng.stream("noise");
  std::vector<Point> asked;
  for (int i = 0; i < 100; ++i) {
    asked.push_back(search->ask(rng).point);
    const double payoff = noise.normal();
    Report report{.failed = fails && asked.back()[1] == 3};
    if (!report.failed) report.payoffs = std::span(&payoff, 1);
    if (exponent > 0.0) report.cost = cost(asked.back());
    search->tell({.point = asked.back()}, report);
  }
  return asked;
}

double dear_half(const Point& point) { return point[0] < 5 ? 1.0 : 20.0; }

/// How many of 400 asks are in the cheap half.
int cheap_ones(const char* algorithm, double exponent, bool fails) {
  int count = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    for (const Point& point : asks(algorithm, exponent, dear_half, fails, seed)) {
      count += point[0] < 5 ? 1 : 0;
    }
  }
  return count;
}

}  // namespace

TEST_CASE("a process of costs learns their ratios") {
  const SearchSpace space = grid_space({9, 9});
  CostProcess process(space);
  const std::vector<Query> corners = queries({make_point({0, 0}), make_point({8, 8})});
  CHECK(process.logarithms(corners).isZero());
  Rng rng(1);
  for (int i = 0; i < 60; ++i) {
    const Point point = space.sample(rng);
    process.add(point, 3.0 * std::exp(0.3 * point[0] + 0.1 * point[1] + 0.2 * rng.normal()));
  }
  const Eigen::VectorXd found = process.logarithms(corners);
  CHECK(found[1] - found[0] == Approx(8 * 0.4).epsilon(0.2));
}

TEST_CASE("costs that are all alike have equal logarithms, and a cost of 0 has one") {
  const SearchSpace space = grid_space({9, 9});
  const std::vector<Query> corners = queries({make_point({0, 0}), make_point({8, 8})});
  CostProcess alike(space);
  CostProcess free(space);
  Rng rng(1);
  for (int i = 0; i < 30; ++i) {
    const Point point = space.sample(rng);
    alike.add(point, 0.25);
    free.add(point, point[0] < 5 ? 0.0 : 2.0);
  }
  CHECK(alike.logarithms(corners)[0] == alike.logarithms(corners)[1]);
  const Eigen::VectorXd found = free.logarithms(corners);
  CHECK(found.allFinite());
  CHECK(found[1] - found[0] > 2.0);
}

TEST_CASE("where costs are weighed, a cheap region is asked for more often") {
  for (const char* algorithm : {"gaussian_process", "auto", "pooled_starts",
                                "{algorithm: gaussian_process, acquisition: thompson}",
                                "{algorithm: multi_start, optimiser: gaussian_process}",
                                "{algorithm: gaussian_process, acquisition: knowledge_gradient}"}) {
    for (const bool fails : {false, true}) {
      CAPTURE(algorithm, fails);
      CHECK(cheap_ones(algorithm, 0.5, fails) > cheap_ones(algorithm, 0.0, fails) + 40);
    }
  }
}

TEST_CASE("costs that are all alike leave a search as it is") {
  const auto alike = [](const Point&) { return 7.0; };
  for (const char* algorithm : {"gaussian_process", "pooled_starts"}) {
    CHECK(asks(algorithm, 0.5, alike, false) == asks(algorithm, 0.0, alike, false));
  }
}

TEST_CASE("other searches take no notice of costs") {
  for (const char* algorithm : {"ntbea", "random", "racing", "tpe"}) {
    CHECK(asks(algorithm, 1.0, dear_half, false) == asks(algorithm, 0.0, dear_half, false));
  }
}

}  // namespace ntune
