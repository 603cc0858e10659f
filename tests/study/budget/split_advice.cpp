#include "ntune/study/budget/split_advice.h"

#include <atomic>
#include <string>

#include "catch.h"
#include "ntune/objective/capabilities.h"
#include "study/make.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using test::study_of;

namespace {

SplitAdvice advice_for(Study& study) {
  StudyProgress progress;
  return advise_split(study, progress);
}

std::int64_t spent(const RunPlan& plan) {
  return plan.search() + plan.re_evaluation + plan.hold_out;
}

}  // namespace

TEST_CASE("advice on splits keeps to the budget, the same for every number of threads") {
  std::string expected;
  for (const int threads : {1, 2, 8}) {
    Study study = study_of("{objective: hartmann3, budget: 200, split: auto, optimiser: random}");
    study.execution.threads = threads;
    const SplitAdvice advice = advice_for(study);
    REQUIRE(study.plans.size() == 1);
    CHECK(study.plans[0].label() == advice.candidates[advice.best].plan.label());
    CHECK(spent(study.plans[0]) <= 200);
    CHECK(spent(study.plans[0]) > 180);
    CHECK(advice.candidates.size() > 1);
    for (const SplitCandidate& candidate : advice.candidates) {
      CHECK(spent(candidate.plan) <= 200);
      CHECK(candidate.plan.iterations >= 20);
      CHECK(candidate.plan.hold_out == 30);
      if (candidate.score.count() == advice.landscapes) CHECK(candidate.behind.mean() <= 0.0);
      CHECK(candidate.behind.count() == candidate.score.count());
      CHECK(candidate.score.count() <= advice.landscapes);
    }
    const std::string text = advice_text(advice);
    if (threads == 1) expected = text;
    CHECK(text == expected);
    CHECK_THAT(text, ContainsSubstring("<- chosen"));
  }
}

TEST_CASE("advice costs no evaluation of the objective") {
  auto calls = std::make_shared<std::atomic<int>>(0);
  const auto objective = test::arms(20, [calls](const Point&, Rng& rng) {
    ++*calls;
    return rng.uniform();
  });
  Study study = study_of("{budget: 60, split: auto, optimiser: random}", objective);
  const SplitAdvice advice = advice_for(study);
  CHECK(*calls == 0);
  CHECK(advice.simulated_budget <= 60);
  const StudyResult result = test::run(study);
  CHECK(*calls <= 60);
  CHECK(result.evaluations() == *calls);
}

TEST_CASE("the smallest budgets get one run") {
  Study study = study_of("{objective: hartmann3, budget: 2, split: auto, optimiser: random}");
  CHECK(advice_text(advice_for(study)) == "The budget is too small for several runs: 1 x 2.\n");
  CHECK(study.plans[0].runs == 1);
  CHECK(spent(study.plans[0]) == 2);
}

TEST_CASE("stopped advice returns soon and a plan all the same") {
  Study study = study_of("{objective: hartmann3, budget: 1000000, split: auto}");
  StudyProgress progress;
  progress.stop = true;
  advise_split(study, progress);
  CHECK(study.plans.size() == 1);
  CHECK(spent(study.plans[0]) <= 1'000'000);
}

TEST_CASE("synthetic landscapes are functions of point and stream within [0, 1]") {
  const Study study = study_of(
      "{objective: branin, space: {x1: {range: [-5, 10], points: 7}, x2: {choices: [0, 5, 15], "
      "ordered: false}}}");
  const SearchSpace& space = study.objectives[0].objective->space();
  double best = 0.0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const SyntheticLandscape noisy(space, true, Rng(i));
    const SyntheticLandscape same(space, true, Rng(i));
    const SyntheticLandscape exact(space, false, Rng(i));
    CHECK(noisy.payoffs().two_valued);
    CHECK_FALSE(exact.payoffs().noisy);
    double largest = 0.0;
    space.for_each_point([&](const Point& point) {
      const double value = *true_value_of(noisy, point);
      CHECK(value >= 0.0);
      CHECK(value <= 1.0);
      CHECK(*true_value_of(same, point) == value);
      Rng a(1);
      Rng b(1);
      const double payoff = noisy.evaluate(point, a);
      CHECK((payoff == 1.0 || payoff == -1.0));
      CHECK(same.evaluate(point, b) == payoff);
      CHECK(exact.evaluate(point, b) == value);
      largest = std::max(largest, value);
      return true;
    });
    CHECK(largest >= 0.79);
    best += largest / 20;
  }
  CHECK(best < 0.9);
  CHECK(SyntheticLandscape(space, true, Rng(1)).unit().value_of(0.0) == 0.5);
}

}  // namespace ntune
