// Instances within which nothing varies: objectives without noise, and such as only seem so.

#include <memory>
#include <string>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/study/results/saved_result.h"
#include "study/make.h"

namespace ntune {

namespace {

/// Arms that pay their index and 10.25 times the instance: all sums are exact.
Pick pick_of(int hold_out, bool noisy, const std::string& instances) {
  const auto objective = std::make_shared<LambdaObjective>(
      SearchSpace({make_integers("arm", 0, 4)}),
      [](const Settings& settings, Rng&, const Instance& instance) {
        return settings.number("arm") + 10.25 * value_number(instance.value);
      },
      "arms", Payoffs{.noisy = noisy});
  const Study study = test::study_of(
      fmt::format("{{runs: 2, iterations: 40, hold_out: {}, default: {{arm: 0}}, instances: {}}}",
                  hold_out, instances),
      objective);
  const StudyResult result = test::run(study);
  const Pick pick = result.cells[0].picks[0];
  CHECK(pick.point == test::arm(4));
  for (const InstanceRow& row : instance_rows(study, pick)) {
    CHECK(row.interval.has_value() == !noisy);
  }
  return pick;
}

}  // namespace

TEST_CASE("an objective without noise is known exactly once each instance was evaluated") {
  for (const int hold_out : {3, 4, 6}) {
    CAPTURE(hold_out);
    const Pick pick = pick_of(hold_out, false, "[1, 2, 3]");
    const double value = 4.0 + 10.25 * 2.0;
    CHECK(pick.hold_out.value({}) == Approx(value));
    CHECK(pick.hold_out.interval->low == Approx(value));
    CHECK(pick.hold_out.interval->high == Approx(value));
    CHECK(pick.incumbent->difference.value() == Approx(4.0));
    CHECK(pick.incumbent->interval->high == Approx(4.0));
    CHECK(pick.incumbent->probability_better == 1.0);
    CHECK(pick.incumbent->finding == IncumbentFinding::kBetter);
  }
  // Of an instance that was not evaluated nothing is known.
  CHECK(pick_of(2, false, "[1, 2, 3]").incumbent->probability_better < 1.0);
}

TEST_CASE("evaluations of a program without noise differ from instance to instance") {
  const auto payoffs_on = [](const char* instances) {
    return test::study_of(
               fmt::format("{{objective: {{command: [solve, '{{a}}', '{{instance}}'], noisy: "
                           "false}}, space: {{a: [1, 2]}}, runs: 1, instances: {}}}",
                           instances))
        .objectives[0]
        .objective->payoffs();
  };
  CHECK(payoffs_on("[0, 1]").noisy);
  CHECK(payoffs_on("[0, 1]").exact_on_instances);
  CHECK_FALSE(payoffs_on("[0]").noisy);
}

TEST_CASE("where nothing varies within instances, finding and probability agree") {
  for (const int hold_out : {4, 6, 8, 12}) {
    CAPTURE(hold_out);
    const Pick pick = pick_of(hold_out, true, "[1, 2]");
    const IncumbentComparison& compared = *pick.incumbent;
    REQUIRE(compared.interval.has_value());
    CHECK(compared.interval->low <= 4.0);
    CHECK(compared.interval->high >= 4.0);
    const bool better = hold_out > 4;  // 1/2^5 is below 2.5 %, as in a sign test
    CHECK((compared.finding == IncumbentFinding::kBetter) == better);
    CHECK((compared.probability_better.value() > 0.975) == better);
    // The value lies between those of the instances.
    CHECK(pick.hold_out.interval->low > 14.25);
    CHECK(pick.hold_out.interval->high < 24.5);
  }
}

TEST_CASE("what rounding leaves of differences that are equal on each instance is no scatter") {
  // The luck of a call is the same for both points: a multiple of a power of two leaves nothing.
  const auto difference_of = [](double luck) {
    const auto objective = std::make_shared<LambdaObjective>(
        SearchSpace({make_integers("arm", 0, 4)}),
        [luck](const Settings& settings, Rng& rng, const Instance& instance) {
          return settings.number("arm") * value_number(instance.value) +
                 luck * static_cast<double>(rng() % 64);
        },
        "arms");
    const Study study = test::study_of(
        "{runs: 2, iterations: 40, hold_out: 24, default: {arm: 0}, instances: [1, 2, 9]}",
        objective);
    const Pick pick = test::run(study).cells[0].picks[0];
    CHECK(pick.point == test::arm(4));
    return pick.incumbent->interval.value();
  };
  const Interval exact = difference_of(1.0 / 64.0);
  const Interval rounded = difference_of(1.0 / 63.0);
  CHECK(exact.low < 16.0);
  CHECK(exact.high > 16.0);
  CHECK(rounded.low == Approx(exact.low));
  CHECK(rounded.high == Approx(exact.high));
}

}  // namespace ntune
