#include "ntune/study/model/run_plan.h"

#include <cstdint>
#include <string>
#include <tuple>

#include "catch.h"
#include "ntune/core/rng.h"
#include "ntune/core/yaml.h"
#include "support/error_text.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

RunPlan plan_of(const PlanRequest& request) {
  return make_plan(request, parse_yaml("{}", "study.yaml"));
}

std::string error_of(const PlanRequest& request) {
  return test::input_error([&] { plan_of(request); });
}

std::int64_t spent(const PlanRequest& request, const RunPlan& plan) {
  const std::int64_t points = request.holds_out_runs ? plan.runs : 1;
  return plan.search() + plan.re_evaluation + points * plan.hold_out;
}

void check_plan(const RunPlan& plan, const RunPlan& expected) {
  CHECK(plan.runs == expected.runs);
  CHECK(plan.iterations == expected.iterations);
  CHECK(plan.re_evaluation == expected.re_evaluation);
  CHECK(plan.hold_out == expected.hold_out);
}

}  // namespace

TEST_CASE("defaults of a plan") {
  check_plan(plan_of({}),
             {.runs = 10, .iterations = 1000, .re_evaluation = 2500, .hold_out = 1000});
  check_plan(plan_of({.runs = 1}), {.runs = 1, .iterations = 1000, .hold_out = 100});
  check_plan(plan_of({.runs = 2, .iterations = 20}),
             {.runs = 2, .iterations = 20, .re_evaluation = 10, .hold_out = 30});
  check_plan(plan_of({.compares_runs = false}), {.runs = 10, .iterations = 1000, .hold_out = 1000});
  check_plan(plan_of({.runs = 1, .auto_hold_out = PlanRequest::AutoHoldOut::kNone}),
             {.runs = 1, .iterations = 1000});
  check_plan(plan_of({.runs = 1, .auto_hold_out = PlanRequest::AutoHoldOut::kOne}),
             {.runs = 1, .iterations = 1000, .hold_out = 1});
}

TEST_CASE("a plan from a budget") {
  // Hold-out 1000, a fifth of the rest 1800 for re-evaluation, 7200 for ten runs.
  check_plan(plan_of({.budget = 10'000}),
             {.runs = 10, .iterations = 720, .re_evaluation = 1800, .hold_out = 1000});
  check_plan(plan_of({.runs = 1, .budget = 1000}), {.runs = 1, .iterations = 900, .hold_out = 100});
  check_plan(plan_of({.runs = 1, .budget = 1}), {.runs = 1, .iterations = 1});
  check_plan(plan_of({.runs = 3, .budget = 1000, .re_evaluation = 0, .hold_out = 0}),
             {.runs = 3, .iterations = 333});
}

TEST_CASE("beside a default the hold-out has a fifth each of up to 1,000 evaluations") {
  for (const auto& [budget, iterations, hold_out] : {std::tuple(100, 60, 20),
                                                     {400, 240, 80},
                                                     {1000, 600, 200},
                                                     {1500, 1100, 200},
                                                     {3000, 2400, 300}}) {
    check_plan(plan_of({.runs = 1, .budget = budget, .holds_out_incumbent = true}),
               {.runs = 1, .iterations = iterations, .hold_out = hold_out});
  }
  check_plan(plan_of({.runs = 1, .budget = 400, .hold_out = 40, .holds_out_incumbent = true}),
             {.runs = 1, .iterations = 320, .hold_out = 40});
}

TEST_CASE("a budget is used to the last evaluation") {
  // 30 held out, 54 of 270 compare, 216 do not divide by ten.
  check_plan(plan_of({.budget = 300}),
             {.runs = 10, .iterations = 21, .re_evaluation = 60, .hold_out = 30});
  check_plan(plan_of({.runs = 7, .budget = 600, .re_evaluation = 100}),
             {.runs = 7, .iterations = 62, .re_evaluation = 100, .hold_out = 66});
  // What compares several ways to spend a budget leaves them as they are asked for.
  check_plan(plan_of({.budget = 300, .uses_all = false}),
             {.runs = 10, .iterations = 21, .re_evaluation = 54, .hold_out = 30});
}

TEST_CASE("as many runs as a budget holds") {
  check_plan(plan_of({.fits_runs = true, .iterations = 100, .budget = 1000}),
             {.runs = 7, .iterations = 100, .re_evaluation = 230, .hold_out = 70});
  check_plan(plan_of({.fits_runs = true, .iterations = 100, .budget = 150}),
             {.runs = 1, .iterations = 100, .hold_out = 50});
  check_plan(plan_of({.fits_runs = true, .iterations = 100, .budget = 100}),
             {.runs = 1, .iterations = 100});
  check_plan(
      plan_of({.fits_runs = true, .iterations = 100, .budget = 1000, .compares_runs = false}),
      {.runs = 9, .iterations = 100, .hold_out = 100});
  // Without a budget or iterations there are as many as ever.
  CHECK(plan_of({.fits_runs = true, .budget = 1000}).runs == 10);
  CHECK(plan_of({.fits_runs = true, .iterations = 100}).runs == 10);
}

TEST_CASE("without noise the recommendations are compared by one evaluation each") {
  check_plan(plan_of({.noisy = false}),
             {.runs = 10, .iterations = 1000, .re_evaluation = 10, .hold_out = 1000});
  check_plan(plan_of({.runs = 4, .budget = 1000, .hold_out = 0, .noisy = false}),
             {.runs = 4, .iterations = 249, .re_evaluation = 4});
  check_plan(plan_of({.runs = 2, .iterations = 20, .re_evaluation = 7, .noisy = false}),
             {.runs = 2, .iterations = 20, .re_evaluation = 7, .hold_out = 30});
}

TEST_CASE("a plan from iterations within a budget") {
  check_plan(plan_of({.runs = 10, .iterations = 100, .budget = 1200}),
             {.runs = 10, .iterations = 100, .re_evaluation = 200});
  check_plan(plan_of({.runs = 10, .iterations = 100, .budget = 1300}),
             {.runs = 10, .iterations = 100, .re_evaluation = 250, .hold_out = 50});
  check_plan(plan_of({.runs = 10, .iterations = 100, .budget = 1000}),
             {.runs = 10, .iterations = 100});
}

TEST_CASE("where each run is held out, the budget counts all of them") {
  check_plan(
      plan_of({.runs = 10, .iterations = 1000, .compares_runs = false, .holds_out_runs = true}),
      {.runs = 10, .iterations = 1000, .hold_out = 100});
  check_plan(
      plan_of({.runs = 10, .budget = 10'000, .compares_runs = false, .holds_out_runs = true}),
      {.runs = 10, .iterations = 900, .hold_out = 100});
}

TEST_CASE("labels of plans") {
  CHECK((RunPlan{.runs = 10, .iterations = 2000, .re_evaluation = 500}.label()) ==
        "10 x 2,000 + 500");
  CHECK((RunPlan{.runs = 1, .iterations = 20}.label()) == "1 x 20");
}

TEST_CASE("a budget that cannot hold the plan is refused") {
  CHECK(error_of({.budget = 9}) ==
        "study.yaml:1: a budget of 9 leaves nothing for 10 runs after 1 re-evaluation and 1 "
        "hold-out evaluation");
  CHECK(error_of({.runs = 1, .budget = 50, .hold_out = 100}) ==
        "study.yaml:1: a budget of 50 leaves nothing for 1 run after 0 re-evaluations and 100 "
        "hold-out evaluations");
  CHECK(error_of({.budget = 500, .hold_out = 1000}) ==
        "study.yaml:1: a budget of 500 leaves nothing for 10 runs after 0 re-evaluations and 1,000 "
        "hold-out evaluations");
  CHECK(error_of({.runs = 10, .iterations = 1000, .budget = 9999}) ==
        "study.yaml:1: 10 runs x 1,000 iterations with what is asked for beside them make 10,000 "
        "evaluations, the budget allows 9,999");
  CHECK_THAT(error_of({.runs = 10, .iterations = 10, .budget = 150, .re_evaluation = 60}),
             ContainsSubstring("make 160 evaluations, the budget allows 150"));
  CHECK_THAT(error_of({.runs = 10, .iterations = 10, .budget = 150, .hold_out = 60}),
             ContainsSubstring("make 160 evaluations, the budget allows 150"));
}

TEST_CASE("a hold-out that is not given visits all instances equally often") {
  const auto hold_out = [](PlanRequest request) {
    request.runs = 1;
    const RunPlan plan = plan_of(request);
    const std::int64_t points = request.holds_out_incumbent ? 2 : 1;
    if (request.budget) CHECK(plan.search() + points * plan.hold_out <= *request.budget);
    return plan.hold_out;
  };
  // A fifth of 300 is 60, of 120 it is 24; a tenth of 1,000 is 100.
  CHECK(hold_out({.budget = 300, .holds_out_incumbent = true, .held_out_instances = 20}) == 60);
  CHECK(hold_out({.budget = 120, .holds_out_incumbent = true, .held_out_instances = 8}) == 24);
  CHECK(hold_out({.budget = 120, .holds_out_incumbent = true, .held_out_instances = 7}) == 21);
  CHECK(hold_out({.budget = 1000, .held_out_instances = 30}) == 90);
  CHECK(hold_out({.iterations = 300, .held_out_instances = 20}) == 40);
  // More than two fifths of the budget are too much, and of many instances a part is visited.
  CHECK(hold_out({.budget = 100, .holds_out_incumbent = true, .held_out_instances = 21}) == 20);
  CHECK(hold_out({.budget = 100, .holds_out_incumbent = true, .held_out_instances = 200}) == 20);
  CHECK(hold_out({.budget = 300, .hold_out = 33, .held_out_instances = 20}) == 33);
}

TEST_CASE("a budget leaves a share for the points that lead a single run") {
  const RunPlan plan = plan_of({.runs = 1,
                                .budget = 300,
                                .holds_out_incumbent = true,
                                .held_out_instances = 20,
                                .compares_leaders = true});
  CHECK(plan.re_evaluation == 36);
  CHECK(plan.hold_out == 60);
  CHECK(plan.iterations == 144);
  // Iterations are what was asked for.
  CHECK(plan_of({.runs = 1, .iterations = 300, .compares_leaders = true}).re_evaluation == 0);
  CHECK(plan_of({.runs = 1, .iterations = 300, .re_evaluation = 50, .compares_leaders = true})
            .re_evaluation == 50);
}

TEST_CASE("plans beyond all budgets are refused before they overflow") {
  CHECK(error_of({.runs = 1'000'000, .iterations = kMostEvaluations}) ==
        "study.yaml:1: 1,000,000 runs x 1,000,000,000,000,000 iterations are more than the "
        "1,000,000,000,000,000 evaluations allowed");
}

TEST_CASE("no plan exceeds its budget") {
  Rng rng(1);
  const auto size = [&](std::uint32_t digits) {
    std::int64_t value = 1;
    for (std::uint32_t i = rng.below(digits); i > 0; --i) value *= 10;
    return value + static_cast<std::int64_t>(rng.below(100)) * value / 10;
  };
  int plans = 0;
  for (int i = 0; i < 100'000; ++i) {
    PlanRequest request;
    request.runs = size(4);
    request.budget = size(9);
    if (rng.bernoulli(0.3)) request.iterations = size(6);
    if (rng.bernoulli(0.3)) request.re_evaluation = size(6) - 1;
    if (rng.bernoulli(0.3)) request.hold_out = size(5) - 1;
    request.compares_runs = rng.bernoulli(0.8);
    request.holds_out_runs = rng.bernoulli(0.3);
    request.share = 0.95 * rng.uniform();
    request.auto_hold_out = static_cast<PlanRequest::AutoHoldOut>(rng.below(3));
    RunPlan plan;
    try {
      plan = plan_of(request);
    } catch (const InputError& error) {
      REQUIRE_THAT(error.what(), StartsWith("study.yaml:1: "));
      continue;
    }
    ++plans;
    REQUIRE(spent(request, plan) <= *request.budget);
    REQUIRE(plan.runs == request.runs);
    REQUIRE(plan.iterations >= 1);
    REQUIRE(plan.re_evaluation >= 0);
    REQUIRE(plan.hold_out >= 0);
    if (request.iterations) REQUIRE(plan.iterations == *request.iterations);
    if (request.hold_out) REQUIRE(plan.hold_out == *request.hold_out);
    const bool compares = request.compares_runs && request.runs > 1;
    if (request.re_evaluation) {
      REQUIRE(plan.re_evaluation == (compares ? *request.re_evaluation : 0));
    }
    // A budget without iterations is used up, but for what is smaller than the runs where neither
    // re-evaluation nor hold-out may take it.
    if (!request.iterations) {
      const std::int64_t left = *request.budget - spent(request, plan);
      REQUIRE(left < 2 * request.runs);
      const bool open = compares && request.noisy && !request.re_evaluation;
      if (open) REQUIRE(left == 0);
    }
  }
  CHECK(plans > 20'000);
}

}  // namespace ntune
