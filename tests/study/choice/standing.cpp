#include "ntune/study/choice/standing.h"

#include <cmath>
#include <vector>

#include "catch.h"

namespace ntune {

namespace {

std::vector<StreamPayoff> payoffs_of(const std::vector<double>& values) {
  std::vector<StreamPayoff> payoffs;
  for (const double value : values) {
    payoffs.push_back({.stream = static_cast<std::int64_t>(payoffs.size()), .payoff = value});
  }
  return payoffs;
}

/// A sample of n values with this mean and sd.
RunningStats sample(std::int64_t n, double mean, double sd) {
  return RunningStats(RunningStats::State{.count = n,
                                          .mean = mean,
                                          .squares = sd * sd * static_cast<double>(n - 1),
                                          .min = mean - sd,
                                          .max = mean + sd});
}

}  // namespace

TEST_CASE("The probability of being best agrees with a known posterior") {
  // The difference is normal with mean 1 and variance 2 * 4 / 200 = 0.04: Phi(1 / 0.2).
  const std::vector<MeasuredPoint> points = {{.alone = sample(200, 0.2, 2.0)},
                                             {.alone = sample(200, 0.0, 2.0)}};
  const auto found = standings(points, {}, Rng(1));
  CHECK(found[0]->best_probability == Approx(0.8413).margin(0.011));
  CHECK(found[0]->best_probability + found[1]->best_probability == Approx(1.0));
  // E max(0, -d) of d normal with mean 0.2, sd 0.2: 0.2 (phi(1) - Phi(-1)).
  CHECK(found[0]->regret == Approx(0.2 * (0.24197 - 0.15866)).margin(0.002));
  CHECK(found[1]->regret - found[0]->regret == Approx(0.2).margin(0.005));
}

TEST_CASE("A known mean has no error of its own") {
  // The other is normal with mean 0.2 and variance 4 / 100: Phi(0.2 / 0.2).
  const std::vector<MeasuredPoint> points = {{.known = 0.0}, {.alone = sample(100, 0.2, 2.0)}, {}};
  const auto found = standings(points, {}, Rng(1));
  CHECK(found[1]->best_probability == Approx(0.8413).margin(0.011));
  CHECK(found[0]->best_probability + found[1]->best_probability == Approx(1.0));
  CHECK_FALSE(found[2]);
  // Without noise equals share the probability.
  const std::vector<MeasuredPoint> equal = {{.known = 2.0}, {.alone = sample(1, 2.0, 0.0)}};
  CHECK(standings(equal, {}, Rng(1))[0]->best_probability == 0.5);
}

TEST_CASE("Streams that shift all points alike leave no doubt, whatever their size") {
  for (const double size : {1.0, 1e3, 1e8}) {
    for (const double lead : {0.1, 1e-3}) {
      CAPTURE(size, lead);
      std::vector<double> first;
      std::vector<double> second;
      for (int i = 0; i < 12; ++i) {
        const double shift = size * std::sin(i);
        first.push_back(shift + lead * size);
        if (i < 9) second.push_back(shift);
      }
      const auto a = payoffs_of(first);
      const auto b = payoffs_of(second);
      const auto found = standings(
          std::vector<MeasuredPoint>{{.common = a, .alone = sample(20, lead * size, 0.01 * size)},
                                     {.common = b}},
          {}, Rng(1));
      CHECK(found[0]->best_probability > 0.999);
      CHECK(found[0]->regret < 1e-6 * size);
      CHECK(found[1]->regret == Approx(lead * size).epsilon(0.01));
    }
  }
}

TEST_CASE("Nobody can lose more than there is to a cost") {
  // Of two costs with means of 1 and 2, known to within 10.
  const std::vector<MeasuredPoint> points = {{.alone = sample(4, -1.0, 1.0)},
                                             {.alone = sample(4, -21.0, 20.0)}};
  const auto found = standings(points, {.negated_costs = true}, Rng(1));
  CHECK(found[0]->regret < 5.0);
  CHECK(found[0]->regret < standings(points, {}, Rng(1))[0]->regret);
  CHECK(found[0]->best_probability == standings(points, {}, Rng(1))[0]->best_probability);
}

TEST_CASE("Common random numbers decide what separate ones leave open") {
  Rng rng(7);
  std::vector<double> first;
  std::vector<double> second;
  RunningStats alone_first;
  RunningStats alone_second;
  for (int i = 0; i < 60; ++i) {
    const double stream = 3.0 * rng.normal();
    first.push_back(stream + 0.1 * rng.normal() + 0.1);
    second.push_back(stream + 0.1 * rng.normal());
    alone_first.add(first.back());
    alone_second.add(second.back());
  }
  const auto a = payoffs_of(first);
  const auto b = payoffs_of(second);
  const std::vector<MeasuredPoint> paired = {{.common = a}, {.common = b}};
  CHECK(standings(paired, {}, Rng(1))[0]->best_probability > 0.99);
  const std::vector<MeasuredPoint> separate = {{.alone = alone_first}, {.alone = alone_second}};
  CHECK(standings(separate, {}, Rng(1))[0]->best_probability < 0.7);
}

TEST_CASE("A point that left the comparison is judged by the streams that it shared") {
  // The second point met only the first ten streams, which were hard ones.
  Rng rng(3);
  std::vector<double> first;
  std::vector<double> second;
  for (int i = 0; i < 100; ++i) {
    const double stream = i < 10 ? -5.0 + rng.normal() : rng.normal();
    first.push_back(stream);
    if (i < 10) second.push_back(stream + 1.0 + 0.05 * rng.normal());
  }
  const auto a = payoffs_of(first);
  const auto b = payoffs_of(second);
  const auto found =
      standings(std::vector<MeasuredPoint>{{.common = a}, {.common = b}}, {}, Rng(1));
  CHECK(found[1]->best_probability > 0.99);
}

TEST_CASE("Points that always won are not certain to be best") {
  RunningStats wins;
  for (int i = 0; i < 30; ++i) wins.add(1.0);
  RunningStats nearly = wins;
  nearly.add(0.0);
  const auto found = standings(std::vector<MeasuredPoint>{{.alone = wins}, {.alone = nearly}},
                               {.low = 0.0, .high = 1.0}, Rng(1));
  CHECK(found[0]->best_probability > 0.6);
  CHECK(found[0]->best_probability < 0.95);
  CHECK(found[0]->regret > 0.0);
}

TEST_CASE("Without noise the best is certain and equals share the probability") {
  const auto one = payoffs_of({3.0});
  const auto two = payoffs_of({3.0});
  const auto three = payoffs_of({1.0});
  const std::vector<MeasuredPoint> points = {
      {.common = one}, {.common = two}, {.common = three}, {}};
  const auto found = standings(points, {}, Rng(1));
  CHECK(found[0]->best_probability == 0.5);
  CHECK(found[1]->best_probability == 0.5);
  CHECK(found[2]->best_probability == 0.0);
  CHECK(found[2]->regret == 2.0);
  CHECK_FALSE(found[3].has_value());
}

TEST_CASE("Probabilities of being best are right as often as they say", "[statistical]") {
  // Flat priors: of points drawn at random the probability of the leader is that of being right.
  Rng rng(11);
  double said = 0.0;
  int right = 0;
  constexpr int kRepeats = 600;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    std::vector<double> values(4);
    for (double& value : values) value = 0.3 * rng.normal();
    std::vector<std::vector<StreamPayoff>> payoffs(4);
    for (std::int64_t s = 0; s < 20; ++s) {
      const double stream = rng.normal();
      for (std::size_t i = 0; i < 4; ++i) {
        payoffs[i].push_back({s, values[i] + stream + 0.7 * rng.normal()});
      }
    }
    std::vector<MeasuredPoint> points;
    for (const auto& one : payoffs) points.push_back({.common = one});
    const auto found =
        standings(points, {}, rng.stream("standings", static_cast<std::uint64_t>(repeat)));
    std::size_t leader = 0;
    std::size_t best = 0;
    for (std::size_t i = 1; i < 4; ++i) {
      if (found[i]->best_probability > found[leader]->best_probability) leader = i;
      if (values[i] > values[best]) best = i;
    }
    said += found[leader]->best_probability / kRepeats;
    right += leader == best ? 1 : 0;
  }
  // The standard error is 1.7 points; the prior of the values is narrow, so it errs a little high.
  CHECK(std::abs(said - static_cast<double>(right) / kRepeats) < 0.07);
}

}  // namespace ntune
