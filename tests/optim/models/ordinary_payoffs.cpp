#include "ntune/optim/models/ordinary_payoffs.h"

#include <cmath>
#include <span>
#include <vector>

#include "catch.h"
#include "ntune/core/rng.h"
#include "support/spaces.h"

namespace ntune {

namespace {

/// What payoffs count as in the end.
class Ledger {
 public:
  explicit Ledger(OrdinaryPayoffs payoffs) : payoffs_(std::move(payoffs)) {}

  void add(double payoff) {
    const Point point = test::make_point({static_cast<int>(counts_as_.size())});
    const auto amend = [this](const Point& earlier, double before, double now) {
      REQUIRE(counts_as_[earlier[0]] == before);
      counts_as_[earlier[0]] = now;
    };
    const auto relearn = [this](std::span<const OrdinaryPayoffs::Counted> all) {
      REQUIRE(all.size() == counts_as_.size());
      for (const auto& [earlier, now] : all) counts_as_[earlier[0]] = now;
    };
    const double counts_as = payoffs_.add(point, payoff, {amend, relearn});
    counts_as_.push_back(counts_as);
  }
  [[nodiscard]] const OrdinaryPayoffs& payoffs() const { return payoffs_; }
  [[nodiscard]] const std::vector<double>& counts_as() const { return counts_as_; }

 private:
  OrdinaryPayoffs payoffs_;
  std::vector<double> counts_as_;
};

}  // namespace

TEST_CASE("clean payoffs count as themselves") {
  const std::vector<double (*)(Rng&)> kinds = {
      [](Rng& rng) { return rng.normal(); },
      [](Rng& rng) { return rng.bernoulli(0.05) ? 1.0 : 0.0; },
      [](Rng& rng) { return rng.bernoulli(0.7) ? 0.0 : rng.uniform(); },
      [](Rng& rng) { return std::exp(0.7 * rng.normal()); },
      [](Rng& rng) { return -std::exp(0.7 * rng.normal()); },
      [](Rng& rng) { return 1e9 + rng.uniform(); },
      [](Rng&) { return 3.0; }};
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      Rng rng(seed);
      Ledger ledger(OrdinaryPayoffs({}, {}));
      std::vector<double> payoffs;
      for (int i = 0; i < 300; ++i) {
        payoffs.push_back(kinds[kind](rng));
        ledger.add(payoffs.back());
      }
      CAPTURE(kind, seed);
      CHECK(ledger.counts_as() == payoffs);
      CHECK(ledger.payoffs().set_aside() == 0);
      CHECK(ledger.payoffs().lowest() == *std::ranges::min_element(payoffs));
      CHECK(ledger.payoffs().highest() == *std::ranges::max_element(payoffs));
    }
  }
}

TEST_CASE("a wild payoff counts as the most extreme ordinary one, whenever it comes") {
  for (const double wild : {1e9, -1e9, 1e300, 40.0}) {
    for (const int place : {0, 3, 15, 16, 50, 250}) {
      Rng rng(7);
      Ledger ledger(OrdinaryPayoffs({}, {}));
      for (int i = 0; i < 300; ++i) ledger.add(i == place ? wild : rng.uniform());
      CAPTURE(wild, place);
      CHECK(ledger.payoffs().set_aside() == 1);
      CHECK(ledger.payoffs().lowest() >= 0.0);
      CHECK(ledger.payoffs().highest() <= 1.0);
      CHECK(std::abs(ledger.counts_as()[static_cast<std::size_t>(place)]) <= 1.0);
    }
  }
}

TEST_CASE("a value that stands for failures is set aside as long as most evaluations succeed") {
  Rng rng(3);
  Ledger ledger(OrdinaryPayoffs({}, {}));
  for (int i = 0; i < 500; ++i) ledger.add(rng.bernoulli(0.3) ? -1e9 : rng.uniform());
  CHECK(ledger.payoffs().set_aside() > 100);
  CHECK(ledger.payoffs().lowest() >= 0.0);
}

TEST_CASE("high payoffs that are more than a tenth are no accident") {
  Rng rng(3);
  Ledger ledger(OrdinaryPayoffs({}, {}));
  for (int i = 0; i < 400; ++i) ledger.add(i > 100 && i % 4 == 0 ? 100.0 : rng.uniform());
  CHECK(ledger.payoffs().set_aside() == 0);
  CHECK(ledger.payoffs().highest() == 100.0);
  CHECK(std::ranges::count(ledger.counts_as(), 100.0) > 60);
}

TEST_CASE("payoffs outside a declared range count as its ends") {
  Ledger ledger(OrdinaryPayoffs(-1.0, 1.0));
  for (const double payoff : {1.0, -1.0, 5.0, 0.5, -1e9}) ledger.add(payoff);
  CHECK(ledger.counts_as() == std::vector<double>{1.0, -1.0, 1.0, 0.5, -1.0});
  CHECK(ledger.payoffs().set_aside() == 2);
}

}  // namespace ntune
