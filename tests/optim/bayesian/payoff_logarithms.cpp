#include <cmath>
#include <cstdint>
#include <vector>

#include "catch.h"
#include "ntune/optim/bayesian/bayesian_search.h"
#include "ntune/optim/bayesian/payoff_scale.h"
#include "support/spaces.h"

namespace ntune {

using test::grid_space;

TEST_CASE("logarithms of payoffs keep their order, by point") {
  const double sign = GENERATE(1.0, -1.0);
  CAPTURE(sign);
  PayoffLogarithms logarithms;
  CHECK_FALSE(logarithms.usable());
  logarithms.add(1, sign * 2.0);
  logarithms.add(1, sign * 8.0);
  logarithms.add(2, sign * 1.0);
  logarithms.amend(2, sign * 1.0, sign * 16.0);
  REQUIRE(logarithms.usable());
  logarithms.fit();
  // Two at log 4, one at log 16.
  CHECK(logarithms.mean(0) == Approx(logarithms.standard(sign * 4.0)));
  CHECK(logarithms.mean(1) == Approx(logarithms.standard(sign * 16.0)));
  CHECK((logarithms.mean(0) < logarithms.mean(1)) == (sign > 0.0));
  CHECK(logarithms.within(1) == Approx(0.0).margin(1e-12));
  CHECK(logarithms.sum(0) == Approx(std::log(16.0)));
  const double unit = logarithms.unit();
  CHECK(logarithms.within(0) * unit * unit == Approx(2.0 * std::log(2.0) * std::log(2.0)));
  // The mean of lognormal numbers is above the exponential of the mean of their logarithms.
  CHECK(logarithms.payoff(logarithms.standard(sign * 5.0), 0.0) == Approx(sign * 5.0));
  CHECK(logarithms.payoff(logarithms.standard(sign * 5.0), 1.0) ==
        Approx(sign * 5.0 * std::exp(0.5 * unit * unit)));
}

TEST_CASE("payoffs of both signs, or of none, have no logarithms") {
  const double other = GENERATE(0.0, -1.0);
  PayoffLogarithms logarithms;
  logarithms.add(1, 3.0);
  CHECK(logarithms.usable());
  logarithms.add(2, other);
  CHECK_FALSE(logarithms.usable());
  logarithms.amend(2, other, 5.0);  // it was set aside
  CHECK(logarithms.usable());
  logarithms.clear();
  logarithms.add(1, -3.0);
  CHECK(logarithms.usable());
}

TEST_CASE("where the worst payoff comes again and again it is a penalty") {
  PayoffLogarithms logarithms;
  const auto tell = [&](double cost) {
    logarithms.note(-cost);
    logarithms.add(1, -cost);
  };
  // The best one may come again.
  for (const double cost : {3.0, 2000.0, 7.0, 3.0, 3.0}) tell(cost);
  CHECK(logarithms.usable());
  tell(2000.0);
  CHECK_FALSE(logarithms.usable());
}

namespace {

/// What a search asks for and recommends at last, of costs of a bowl with this noise.
struct Searched {
  std::vector<Point> asked;
  Recommendation best;
};

template <class Seen>
Searched search_bowl(std::uint64_t seed, int budget, PayoffScaling scale, const Seen& seen) {
  const SearchSpace space = grid_space({10, 10, 10, 10});
  BayesianSearchOptions options;
  options.scale = scale;
  BayesianSearch search(options, {.space = &space, .budget = budget});
  Rng asks = Rng(seed).stream("asks");
  Rng noise = Rng(seed).stream("noise");
  Searched searched;
  for (int i = 0; i < budget; ++i) {
    searched.asked.push_back(search.ask(asks).point);
    search.tell(searched.asked.back(), -seen(searched.asked.back(), noise));
  }
  searched.best = search.recommend();
  return searched;
}

double cost_of(const Point& point) {
  double sum = 0.0;
  for (int i = 0; i < point.size(); ++i) {
    const double x = (point[i] - 3 - i) / 9.0;
    sum += x * x;
  }
  return std::exp(3.0 * sum);
}

double lognormal_cost(const Point& point, Rng& noise) {
  constexpr double kSd = 1.0;
  return cost_of(point) * std::exp(kSd * noise.normal() - 0.5 * kSd * kSd);
}

}  // namespace

TEST_CASE("where noise grows with the cost, a search finds lower costs, and says what they are") {
  constexpr int kRuns = 12;
  constexpr int kBudget = 150;
  double by_logarithms = 0.0;
  double linear = 0.0;
  double estimates = 0.0;
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    const Searched free = search_bowl(run, kBudget, PayoffScaling::kAuto, lognormal_cost);
    const Searched plain = search_bowl(run, kBudget, PayoffScaling::kLinear, lognormal_cost);
    by_logarithms += cost_of(free.best.point) / kRuns;
    linear += cost_of(plain.best.point) / kRuns;
    estimates += -free.best.estimate / cost_of(free.best.point) / kRuns;
  }
  // The least cost is 1. At 200 evaluations 1.12 for 2.14 were found on such landscapes, with
  // estimates 12 % and 83 % too low (benchmarks/scripts/cost_scales.py).
  CHECK(by_logarithms < 1.35);
  CHECK(by_logarithms < linear - 0.1);
  CHECK(estimates == Approx(1.0).margin(0.3));
}

TEST_CASE("what a search believes of costs does not depend on their unit") {
  const SearchSpace space = grid_space({10, 10, 10, 10});
  const auto believed = [&](double unit) {
    BayesianSearch search({}, {.space = &space, .budget = 100});
    Rng rng(11);
    for (int i = 0; i < 60; ++i) {
      const Point point = space.sample(rng);
      search.tell(point, -unit * lognormal_cost(point, rng));
    }
    return search.belief(space.sample(rng)).value();
  };
  const Belief one = believed(1.0);
  const Belief many = believed(1000.0);
  CHECK(one.mean < 0.0);
  CHECK(many.mean == Approx(1000.0 * one.mean));
  CHECK(many.sd.value() == Approx(1000.0 * one.sd.value()));
}

TEST_CASE("a payoff of another sign ends the model of logarithms") {
  const SearchSpace space = grid_space({10, 10, 10, 10});
  const double odd = GENERATE(0.0, 0.5, 1e6);
  CAPTURE(odd);
  BayesianSearch search({}, {.space = &space, .budget = 200});
  Rng rng(12);
  for (int i = 0; i < 150; ++i) {
    const Point point = search.ask(rng).point;
    search.tell(point, i == 100 ? odd : -lognormal_cost(point, rng));
    if (i < 20) continue;
    const Belief belief = search.belief(space.sample(rng)).value();
    REQUIRE(std::isfinite(belief.mean));
    REQUIRE(std::isfinite(belief.sd.value()));
  }
  CHECK(std::isfinite(search.recommend().estimate));
}

TEST_CASE("payoffs on both sides of 0 are searched as they are") {
  const auto seen = [](const Point& point, Rng& noise) {
    return cost_of(point) - 2.0 + noise.normal();
  };
  const Searched free = search_bowl(3, 80, PayoffScaling::kAuto, seen);
  const Searched plain = search_bowl(3, 80, PayoffScaling::kLinear, seen);
  CHECK(free.asked == plain.asked);
  CHECK(free.best.estimate == plain.best.estimate);
}

}  // namespace ntune
