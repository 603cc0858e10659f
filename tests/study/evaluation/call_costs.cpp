// What calls cost that report a cost, and those that do not.

#include <chrono>
#include <memory>
#include <thread>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/study/evaluation/evaluator.h"
#include "study/make.h"
#include "study/scripted.h"

namespace ntune {

namespace {

Outcome success(std::optional<double> cost = {}) { return {.payoff = 1.0, .cost = cost}; }
Outcome failure(std::optional<double> cost = {}) { return {.failure = "broken", .cost = cost}; }

}  // namespace

TEST_CASE("once costs are reported, a call without one counts their mean") {
  CallCosts costs;
  // In which unit a failure before any success counts is not known yet.
  CHECK(costs.cost_of(failure(), 60.0) == 0.0);
  CHECK(costs.cost_of(failure(7.0), 60.0) == 7.0);
  CHECK(costs.cost_of(failure(), 60.0) == 0.0);
  CHECK(costs.cost_of(success(0.01), 5.0) == 0.01);
  CHECK(costs.cost_of(failure(), 5.0) == Approx(0.01));
  CHECK(costs.cost_of(success(0.03), 5.0) == 0.03);
  CHECK(costs.cost_of(success(), 5.0) == Approx(0.02));
  CHECK(costs.cost_of(failure(7.0), 5.0) == 7.0);
  CHECK(costs.cost_of(failure(), 5.0) == Approx(0.02));
}

TEST_CASE("a program that reports no cost costs its seconds, after a resume too") {
  CallCosts costs;
  CHECK(costs.cost_of(success(), 3.0) == 3.0);
  CHECK(costs.cost_of(failure(), 5.0) == 5.0);
  CallCosts resumed;
  for (const double cost : {3.0, 5.0}) resumed.recall(cost);
  CHECK(resumed.cost_of(success(), 7.0) == 7.0);
  CHECK(resumed.cost_of(failure(), 9.0) == 9.0);
}

TEST_CASE(
    "seconds of failures before the first success are counted with it, unless it has a cost") {
  CallCosts seconds;
  CHECK(seconds.cost_of(failure(), 40.0) == 0.0);
  CHECK(seconds.cost_of(failure(), 2.0) == 0.0);
  CHECK(seconds.cost_of(success(), 3.0) == 45.0);
  CHECK(seconds.cost_of(failure(), 5.0) == 5.0);
  CHECK(seconds.cost_of(success(), 3.0) == 3.0);
}

TEST_CASE("failures before the first cost use up nothing of a budget in another unit") {
  // Calls that take 0.1 s and fail would be all of a budget of 0.05 gigabytes.
  const auto calls = std::make_shared<int>(0);
  const auto objective = test::scripted(3, [calls](const Point&, Rng&) {
    if (++*calls > 2) return success(0.001);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return failure();
  });
  const Study study =
      test::study_of("{budget: {cost: 0.05}, runs: 1, fail: skip, threads: 1, seed: 1}", objective);
  test::run(study);
  CHECK(*calls >= 40);
  CHECK(*calls <= 52);
}

TEST_CASE("the cost that is shown is that of all evaluations, of the hold-out too") {
  const auto calls = std::make_shared<int>(0);
  const auto objective = test::scripted(3, [calls](const Point&, Rng&) {
    ++*calls;
    return success(1.0);
  });
  const Study study =
      test::study_of("{budget: {cost: 50}, runs: 2, threads: 1, seed: 1}", objective);
  StudyProgress progress;
  const StudyResult result = run_study(study, progress);
  CHECK(result.hold_out_evaluations > 0);
  CHECK(progress.cost_used == static_cast<double>(*calls));
}

TEST_CASE("after a resume a failure counts the mean of what was recorded") {
  CallCosts costs;
  for (const double cost : {1000.0, 3000.0}) costs.recall(cost);
  CHECK(costs.cost_of(failure(), 0.2) == Approx(2000.0));
  CHECK(costs.cost_of(success(5000.0), 0.2) == 5000.0);
  CHECK(costs.cost_of(failure(), 0.2) == Approx(3000.0));
}

TEST_CASE("failures without a cost leave a budget in the program's own unit") {
  // Tokens: seconds would be free. Every third call fails.
  const auto calls = std::make_shared<int>(0);
  const auto objective = test::scripted(
      3, [calls](const Point&, Rng&) { return ++*calls % 3 == 0 ? failure() : success(1000.0); });
  const Study study = test::study_of(
      "{budget: {cost: 60000}, runs: 1, fail: skip, threads: 1, seed: 1}", objective);
  test::run(study);
  CHECK(*calls >= 45);
  CHECK(*calls <= 60);
}

TEST_CASE("what is short on this machine ends a study, and nothing is recorded of it") {
  const auto calls = std::make_shared<int>(0);
  const auto objective = test::scripted(3, [calls](const Point&, Rng&) {
    Outcome outcome{.payoff = 1.0};
    if (++*calls == 5) outcome = {.failure = "no more files", .blame = Blame::kMachine};
    return outcome;
  });
  const Study study =
      test::study_of("{runs: 1, iterations: 20, fail: skip, threads: 1, seed: 1}", objective);
  test::MemoryLog log;
  CHECK_THROWS_WITH(
      test::run(study, &log),
      "evaluations cannot go on: no more files; nothing is held against the point, and the study "
      "can go on from its folder");
  CHECK(log.entries.size() == 4);
}

TEST_CASE("an interrupted evaluation stops the study and is not recorded") {
  const auto calls = std::make_shared<int>(0);
  const auto objective = test::scripted(3, [calls](const Point&, Rng&) {
    Outcome outcome{.payoff = 1.0};
    if (++*calls == 5) outcome = {.failure = "stopped", .blame = Blame::kInterruption};
    return outcome;
  });
  const Study study = test::study_of("{runs: 1, iterations: 20, threads: 1, seed: 1}", objective);
  test::MemoryLog log;
  CHECK(test::run(study, &log).interrupted);
  CHECK(log.entries.size() == 4);
}

}  // namespace ntune
