// Studies whose payoffs are skewed, as run times are: every door has one interval.

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <vector>

#include "catch.h"
#include "ntune/core/mean_interval.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/followup/deviations.h"
#include "ntune/study/followup/verify.h"
#include "ntune/study/run_study.h"
#include "study/make.h"

namespace ntune {

namespace {

/// Arm 0 costs 1, the others lognormal times with the mean 1.
std::shared_ptr<const Objective> times() {
  return test::arms(3,
                    [](const Point& point, Rng& rng) {
                      const double time = std::exp(1.5 * rng.normal() - 1.125);
                      return point[0] == 0 ? -1.0 : -time;
                    },
                    {.negated_costs = true});
}

Study study_of_times() {
  return test::study_of(
      "{runs: 1, iterations: 30, re_evaluation: 0, hold_out: 40, default: {arm: 0}, "
      "optimiser: random, seed: 3}",
      times());
}

}  // namespace

TEST_CASE("value and finding of skewed costs have the interval that allows for it") {
  Study study = study_of_times();
  int compared = 0;
  int wider = 0;
  for (study.seed = 0; study.seed < 10; ++study.seed) {
    const Pick pick = test::run(study).cells[0].picks[0];
    if (pick.point == test::arm(0)) continue;
    ++compared;
    const RunningStats& payoffs = pick.hold_out.payoffs;
    const Interval student = student_interval(payoffs);
    const Interval value = pick.hold_out.interval.value();
    CHECK(value.low <= student.low);
    wider += value.low < student.low ? 1 : 0;
    CHECK(value.high == student.high);
    // Today's setting is steady, so that the difference is as sure as the value.
    const IncumbentComparison& comparison = *pick.incumbent;
    CHECK(comparison.interval->low == Approx(value.low + 1.0));
    CHECK(comparison.interval->high == Approx(value.high + 1.0));
    CHECK(comparison.finding == finding_of({}, comparison.interval));
    CHECK((comparison.interval->low > 0.0) == (*comparison.probability_better > 0.975));
  }
  // It is in 96 of 100 samples.
  CHECK(compared >= 4);
  CHECK(2 * wider > compared);
}

TEST_CASE("verify and deviations allow for skewed costs too") {
  const Study study = study_of_times();
  const Objective& objective = *study.objectives[0].objective;
  StudyProgress progress;
  const Verification verified =
      verify(study, test::arm(1), test::arm(0), {.evaluations = 80}, progress);
  const Interval difference = payoff_difference({objective}, verified.difference_sample,
                                                verified.first.sample, verified.second.sample)
                                  .interval.value();
  CHECK(difference.low <= student_interval(verified.difference).low);
  CHECK(difference.low == Approx(payoff_interval({objective}, verified.first.payoffs)->low + 1.0));
  const Deviations tested = test_deviations(
      study, test::arm(0), one_step_deviations(objective.space(), test::arm(0), nullptr),
      {.evaluations = 200}, progress);
  const Deviation& other = tested.tested.front();
  const double mean = other.difference.mean();
  REQUIRE(other.interval.has_value());
  CHECK(mean - other.interval->low > other.interval->high - mean);
}

TEST_CASE("a test does not say better of a setting because its costs are skewed") {
  // Beside a steady setting with the same mean. The t-test alone says so in 52 % of tests.
  const auto objective = test::arms(2,
                                    [](const Point& point, Rng& rng) {
                                      const double cost = std::exp(2.0 * rng.normal() - 2.0);
                                      return point[0] == 0 ? -cost : -1.0;
                                    },
                                    {.negated_costs = true});
  Study study = test::study_of("{runs: 1, iterations: 10}", objective);
  StudyProgress progress;
  int better = 0;
  for (study.seed = 0; study.seed < 40; ++study.seed) {
    const Verification verified =
        verify(study, test::arm(0), test::arm(1), {.evaluations = 2000}, progress);
    better += verified.decision == VerifyDecision::kBetter ? 1 : 0;
    // What is shown decides.
    const TestEvidence& evidence = verified.evidence;
    CHECK((verified.decision == VerifyDecision::kBetter) ==
          (evidence.ratio >= evidence.bounds.high));
  }
  // Of 5 % it is more than 6 once in 300 times.
  CHECK(better <= 6);
}

TEST_CASE("penalties among costs are a point mass, and have Student's interval") {
  const Study study = test::study_of(
      "{objective: {command: ['true', '{depth}'], result: number, direction: minimise, "
      "cutoff: 1 s, penalty: 10}, "
      "space: {depth: [1, 2]}, runs: 1, iterations: 10}");
  const Objective& objective = *study.objectives[0].objective;
  const auto high = [&](std::vector<double> costs) {
    for (double& cost : costs) cost = objective.unit().payoff_of(cost);
    const RunningStats payoffs = stats_of(costs);
    return payoff_interval({objective}, payoffs)->high + student_interval(payoffs).low;
  };
  CHECK(high({0.01, 0.02, 0.04, 0.1, 0.3, 0.9}) > 0.1);
  CHECK(high({0.01, 0.02, 0.04, 0.1, 0.3, 10.0}) == Approx(0.0).margin(1e-12));
}

TEST_CASE("values of failures among costs are a point mass too, at every door") {
  const auto objective = test::arms(2,
                                    [](const Point&, Rng& rng) {
                                      if (rng.uniform() < 0.1) throw std::runtime_error("no");
                                      return -std::exp(1.5 * rng.normal());
                                    },
                                    {.negated_costs = true});
  Study study = test::study_of(
      "{runs: 1, iterations: 10, re_evaluation: 0, hold_out: 20, default: {arm: 0}, "
      "optimiser: random, seed: 3, fail: {value: -100}}",
      objective);
  int failed = 0;
  for (study.seed = 0; study.seed < 20; ++study.seed) {
    const Pick pick = test::run(study).cells[0].picks[0];
    const RunningStats& payoffs = pick.hold_out.payoffs;
    const Interval student = student_interval(payoffs);
    const Interval value = pick.hold_out.interval.value();
    if (payoffs.min() > -100.0) continue;
    ++failed;
    CHECK(value.low == Approx(student.low));
    CHECK(value.high == Approx(std::min(student.high, 0.0)).margin(1e-12));  // costs
    const IncumbentComparison& comparison = *pick.incumbent;
    if (comparison.recommended) continue;
    CHECK(comparison.interval->low ==
          Approx(student_interval(comparison.differences.values).low).margin(1e-12));
  }
  CHECK(failed >= 10);
  // A study that did not fail, or has no value for it, is judged as before.
  const RunningStats payoffs = stats_of(std::vector{-0.01, -0.02, -0.04, -0.1, -0.3, -9.0});
  const PayoffSource source = source_in(study, *objective);
  CHECK(payoff_interval(source, payoffs)->low < student_interval(payoffs).low);
  CHECK(payoff_interval({*objective, -9.0}, payoffs)->low == Approx(student_interval(payoffs).low));
}

}  // namespace ntune
