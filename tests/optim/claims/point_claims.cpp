#include "ntune/optim/claims/point_claims.h"

#include <cmath>
#include <vector>

#include "catch.h"
#include "ntune/optim/bayesian/bayesian_search.h"
#include "ntune/optim/models/sampled_points.h"
#include "support/optimisers.h"
#include "support/spaces.h"

namespace ntune {

namespace {

using test::grid_space;
using test::make_point;

/// What it was told, and a recommendation.
class Teller final : public Optimiser {
 public:
  Teller(const SearchSpace& space, const Point& best) : points_(space, 100), best_(best) {}

  using Optimiser::tell;
  Proposal ask(Rng&) override { return {.point = best_}; }
  void tell(const Proposal& asked, const Report& report) override {
    for (const double payoff : report.payoffs) points_.add(asked.point, payoff);
  }
  [[nodiscard]] Recommendation recommend() const override { return {.point = best_}; }
  [[nodiscard]] PayoffsByPoint told() const override { return {.points = &points_}; }

 private:
  SampledPoints points_;
  Point best_;
};

/// Payoffs about 1 for the last of five values, about 0 for the others, times `unit`, plus `zero`.
Certainty noisy_claim(double unit, double zero) {
  const SearchSpace space = grid_space({5});
  Teller search(space, make_point({4}));
  Rng rng(1);
  for (int i = 0; i < 50; ++i) {
    const double payoff = (i % 5 == 4 ? 1.0 : 0.0) + 0.3 * rng.normal();
    search.tell(make_point({i % 5}), zero + unit * payoff);
  }
  return certainty_of(search, space, {}).value();
}

}  // namespace

TEST_CASE("claims do not depend on the unit of the payoffs") {
  const Certainty one = noisy_claim(1.0, 0.0);
  const Certainty other = noisy_claim(1000.0, -5000.0);
  REQUIRE(one.claim);
  CHECK(one.claim->mean == Approx(1.0).margin(0.2));
  CHECK(one.claim->low < one.claim->mean);
  CHECK(one.claim->high > one.claim->mean);
  CHECK(one.best_probability > 0.99);
  CHECK(other.claim->mean == Approx(1000.0 * one.claim->mean - 5000.0));
  CHECK(other.claim->low == Approx(1000.0 * one.claim->low - 5000.0));
  CHECK(other.sd == Approx(1000.0 * one.sd));
  CHECK(other.best_probability == one.best_probability);
}

TEST_CASE("a cost is not claimed to be below 0, nor more to be lost than it is") {
  const SearchSpace space = grid_space({40});
  Teller search(space, make_point({4}));
  Rng rng(2);
  for (int i = 0; i < 12; ++i) {
    const int value = i < 2 ? 4 : static_cast<int>(rng.below(40));
    search.tell(make_point({value}), value == 4 ? -0.1 : -std::exp(2.0 * rng.normal()));
  }
  const auto claim = [&](const PossibleValues& range) {
    return certainty_of(search, space, {.range = range}).value().claim.value();
  };
  const Claim free = claim({});
  REQUIRE(free.high > 0.0);
  for (const PossibleValues& range :
       {PossibleValues{.negated_costs = true}, PossibleValues{.high = 0.0}}) {
    const Claim bound = claim(range);
    CHECK(bound.high <= 1e-12);
    CHECK(bound.low == free.low);
    CHECK(bound.regret <= -bound.mean);
    CHECK(bound.regret < free.regret);
  }
}

TEST_CASE("wins, draws and losses give claims within their range") {
  const SearchSpace space = grid_space({5});
  Teller search(space, make_point({4}));
  for (int i = 0; i < 40; ++i) search.tell(make_point({i % 5}), i % 5 == 4 ? 1.0 : i % 3 - 1.0);
  const Claim claim = certainty_of(search, space, {}).value().claim.value();
  CHECK(claim.mean < 1.0);
  CHECK(claim.high <= 1.0);
  CHECK(claim.high > 0.95);
  CHECK(claim.low > 0.0);
  CHECK(claim.low < 0.9);
  // The same games in another unit, whose range is declared.
  Teller scaled(space, make_point({4}));
  for (int i = 0; i < 40; ++i) {
    scaled.tell(make_point({i % 5}), 300.0 + 50.0 * (i % 5 == 4 ? 1.0 : i % 3 - 1.0));
  }
  const Claim same = certainty_of(scaled, space, {.range = {250.0, 350.0}}).value().claim.value();
  CHECK(same.mean == Approx(300.0 + 50.0 * claim.mean));
  CHECK(same.high == Approx(300.0 + 50.0 * claim.high));
}

TEST_CASE("the same payoffs give the same claims, whatever optimiser was told them") {
  const SearchSpace space = grid_space({5, 5});
  const auto claim_by = [&](Optimiser& search) {
    Rng rng(4);
    for (int i = 0; i < 60; ++i) {
      const Point point = space.sample(rng);
      search.tell(point, rng.bernoulli(0.1 + 0.1 * (point[0] + point[1])) ? 1.0 : 0.0);
    }
    return claims_of(search, space, {.range = {0.0, 1.0}},
                     std::vector{make_point({4, 4}), make_point({0, 0})});
  };
  BayesianSearch process(BayesianSearchOptions{}, {.space = &space, .budget = 100});
  Teller teller(space, make_point({4, 4}));
  const std::vector<Claim> one = claim_by(process);
  const std::vector<Claim> other = claim_by(teller);
  REQUIRE(one.size() == 2);
  REQUIRE(other.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(one[i].mean == Approx(other[i].mean));
    CHECK(one[i].low == Approx(other[i].low));
    CHECK(one[i].high == Approx(other[i].high));
  }
  CHECK(one[0].mean > one[1].mean);
}

TEST_CASE("nothing is claimed of a point without payoffs, nor of those after it") {
  const SearchSpace space = grid_space({5});
  Teller search(space, make_point({0}));
  CHECK_FALSE(certainty_of(search, space, {}));
  for (int i = 0; i < 6; ++i) search.tell(make_point({i % 2}), 0.1 * i);
  const std::vector<Point> asked = {make_point({1}), make_point({3}), make_point({0})};
  CHECK(claims_of(search, space, {}, asked).size() == 1);
}

TEST_CASE("many games that were all won may be won for certain, and are not claimed to be") {
  const SearchSpace space = grid_space({5});
  Teller search(space, make_point({4}));
  for (int i = 0; i < 10; ++i) search.tell(make_point({i % 5}), 1.0);
  const Claim won = certainty_of(search, space, {.range = {0.0, 1.0}}).value().claim.value();
  CHECK(won.low > 0.5);
  CHECK(won.low < 0.99);
  CHECK(won.mean < 1.0);
  CHECK(won.high < 1.0);
  for (int i = 0; i < 30; ++i) search.tell(make_point({4}), 1.0);
  CHECK(certainty_of(search, space, {.range = {0.0, 1.0}}).value().claim.value().high == 1.0);
  search.tell(make_point({4}), 0.0);
  CHECK(certainty_of(search, space, {.range = {0.0, 1.0}}).value().claim.value().high < 1.0);
}

TEST_CASE("a point that has lost all its games may be one that never wins") {
  const SearchSpace space = grid_space({5});
  Teller search(space, make_point({4}));
  for (int i = 0; i < 150; ++i) search.tell(make_point({i % 5}), i % 5 == 4 ? 0.0 : 1.0);
  const Claim lost = certainty_of(search, space, {.range = {0.0, 1.0}}).value().claim.value();
  CHECK(lost.low == 0.0);
  CHECK(lost.mean > 0.0);
  CHECK(lost.high < 1.0);
}

TEST_CASE("without noise a point is worth its payoff") {
  const SearchSpace space = grid_space({5});
  Teller search(space, make_point({3}));
  for (int i = 0; i < 5; ++i) search.tell(make_point({i}), 0.25 * i);
  const Certainty certainty = certainty_of(search, space, {.noisy = false}).value();
  CHECK(certainty.sd == 0.0);
  CHECK(certainty.best_probability == 0.0);
  CHECK(certainty.claim->low == 0.75);
  CHECK(certainty.claim->high == 0.75);
  CHECK(certainty.claim->regret == 0.25);
}

TEST_CASE("more points than a claim stands on") {
  const SearchSpace space = grid_space({30, 30});
  Teller search(space, make_point({15, 15}));
  Rng rng(2);
  for (int i = 0; i < 900; ++i) {
    const Point point = make_point({i / 30, i % 30});
    search.tell(point, 0.05 * (point[0] + point[1]) + rng.normal());
  }
  const Claim claim = certainty_of(search, space, {}).value().claim.value();
  CHECK(claim.low < 1.5);
  CHECK(claim.high > 1.5);
  CHECK(claim.high - claim.low < 1.0);
}

namespace {

/// Claims of 60 payoffs of a Teller on five values.
template <class Payoff>
Certainty claim_of(const PayoffFacts& facts, const Payoff& payoff) {
  const SearchSpace space = grid_space({5});
  Teller search(space, make_point({4}));
  Rng rng(3);
  for (int i = 0; i < 60; ++i) search.tell(make_point({i % 5}), payoff(i % 5, rng));
  return certainty_of(search, space, facts).value();
}

void check_scaled(const Certainty& scaled, const Certainty& one, double size, double zero) {
  CHECK((scaled.claim->mean - zero) / size == Approx(one.claim->mean).epsilon(1e-4).margin(1e-5));
  CHECK((scaled.claim->low - zero) / size == Approx(one.claim->low).epsilon(1e-4).margin(1e-5));
  CHECK((scaled.claim->high - zero) / size == Approx(one.claim->high).epsilon(1e-4).margin(1e-5));
  CHECK(scaled.claim->regret / size == Approx(one.claim->regret).epsilon(1e-4).margin(1e-5));
}

}  // namespace

TEST_CASE("claims of any scale and shift are those of one unit") {
  const auto unit = [](int value, Rng& rng) { return value + rng.normal(); };
  const Certainty one = claim_of({}, unit);
  for (const double size : {1e-10, 1e-9, 1e-3, -1e-9, 1e9}) {
    CAPTURE(size);
    const Certainty scaled =
        claim_of({}, [&](int value, Rng& rng) { return size * unit(value, rng); });
    if (size > 0.0) {
      check_scaled(scaled, one, size, 0.0);
    } else {
      CHECK(scaled.claim->low < 0.0);
      CHECK(scaled.claim->low > 20.0 * size);
      CHECK(scaled.claim->high < 0.0);
    }
  }
  for (const double zero : {1.0, -1.0, 1e9, 1e10}) {
    CAPTURE(zero);
    check_scaled(claim_of({}, [&](int value, Rng& rng) { return zero + unit(value, rng); }), one,
                 1.0, zero);
  }
}

TEST_CASE("small numbers are no games, nor is one result alone") {
  const auto is_within = [](const Certainty& certainty, double low, double high) {
    return certainty.claim->low >= low && certainty.claim->high <= high;
  };
  const auto tiny = [](int, Rng& rng) { return 1e-10 * rng.uniform(); };
  CHECK(is_within(claim_of({}, tiny), -1e-9, 1e-9));
  CHECK(is_within(claim_of({.range = {.negated_costs = true}},
                           [&](int value, Rng& rng) { return -tiny(value, rng); }),
                  -1e-9, 0.0));
  CHECK(is_within(claim_of({}, [&](int value, Rng& rng) { return 1.0 + 1e4 * tiny(value, rng); }),
                  1.0 - 1e-5, 1.0 + 1e-5));
  // All that was ever seen lies within.
  for (const double always : {0.0, 1.0, -1.0, 0.5, 7.0, 1e-12}) {
    for (const bool costs : {false, true}) {
      CAPTURE(always, costs);
      const Certainty certainty =
          claim_of({.range = {.negated_costs = costs}}, [&](int, Rng&) { return always; });
      CHECK(certainty.claim->low <= always);
      CHECK(certainty.claim->high >= always);
      CHECK(certainty.claim->mean == always);
    }
  }
  // Costs of 0 and 1 are none below 0, nor half lost.
  const Certainty costs = claim_of({.range = {.negated_costs = true}}, [](int value, Rng& rng) {
    return rng.bernoulli(0.5) && value < 4 ? -1.0 : 0.0;
  });
  CHECK(is_within(costs, -1.0, 0.0));
  const Certainty halves =
      claim_of({}, [](int, Rng& rng) { return rng.bernoulli(0.5) ? -1.0 : 0.0; });
  CHECK(halves.claim->high < 0.3);
}

TEST_CASE("claims of games are never surer than all of them together") {
  // Clopper and Pearson's bounds of 60 games that were all won or all lost.
  const double bound = 1.0 - std::pow(0.025, 1.0 / 60.0);
  const Certainty won = claim_of({.range = {0.0, 1.0}}, [](int, Rng&) { return 1.0; });
  CHECK(won.claim->low <= 1.0 - bound + 1e-9);
  CHECK(won.claim->low > 0.85);
  const Certainty lost = claim_of({.range = {-1.0, 1.0}}, [](int, Rng&) { return -1.0; });
  CHECK(lost.claim->high >= -1.0 + 2.0 * bound - 1e-9);
  CHECK(lost.claim->high < -0.7);
}

TEST_CASE("claims of rates near 0 and 1 hold the truth", "[statistical]") {
  // Four values that are alike; the best by its games is claimed. The bound was fixed before the
  // first run: of 100 claims that hold with 95 %, fewer than 88 do in one of 300 such tests.
  // Without a bound by all games together 74 to 78 of 100 did.
  const SearchSpace space = grid_space({4});
  for (const double rate : {0.01, 0.05, 0.95, 0.98}) {
    for (const int games : {30, 60}) {
      int held = 0;
      for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Rng rng(seed);
        SampledPoints points(space, games);
        for (int i = 0; i < games; ++i) {
          points.add(make_point({i % 4}), rng.bernoulli(rate) ? 1.0 : 0.0);
        }
        int best = 0;
        for (int value = 1; value < 4; ++value) {
          if (points.has_higher_mean(make_point({value}), make_point({best}))) best = value;
        }
        Teller search(space, make_point({best}));
        Rng again(seed);
        for (int i = 0; i < games; ++i) {
          search.tell(make_point({i % 4}), again.bernoulli(rate) ? 1.0 : 0.0);
        }
        const Claim claim = *certainty_of(search, space, {.range = {0.0, 1.0}}).value().claim;
        held += claim.low <= rate && rate <= claim.high ? 1 : 0;
      }
      CAPTURE(rate, games, held);
      CHECK(held >= 88);
    }
  }
}

TEST_CASE("wins and losses are seen to be games where nobody declares it") {
  const auto wins = [](int value, Rng& rng) { return rng.bernoulli(0.2 * value) ? 1.0 : 0.0; };
  for (const bool costs : {false, true}) {
    CAPTURE(costs);
    const auto payoff = [&](int value, Rng& rng) { return wins(value, rng) - (costs ? 1.0 : 0.0); };
    const Certainty seen = claim_of({.range = {.negated_costs = costs}}, payoff);
    const Certainty declared = claim_of({.range = {costs ? -1.0 : 0.0, costs ? 0.0 : 1.0}}, payoff);
    CHECK(seen.claim->mean == declared.claim->mean);
    CHECK(seen.claim->low == declared.claim->low);
    CHECK(seen.claim->high == declared.claim->high);
    CHECK(seen.claim->regret == declared.claim->regret);
  }
}

}  // namespace ntune
