// Studies that end when a time or a cost is used up.

#include "ntune/study/model/limits.h"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "catch.h"
#include "ntune/core/clock.h"
#include "ntune/core/json.h"
#include "ntune/facts/result_text.h"
#include "ntune/study/budget/workload.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/journal/recorded_study.h"
#include "study/counted.h"
#include "study/make.h"
#include "study/scripted.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"
#include "support/unwrapped.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using test::study_of;

namespace {

/// Arms whose evaluations cost the more the better they are.
std::shared_ptr<const Objective> dear_arms() {
  return test::scripted(6, [](const Point& point, Rng& rng) {
    return Outcome{.payoff = 0.3 * point[0] + rng.normal(), .cost = 0.5 + 0.2 * point[0]};
  });
}

/// Arms that take some milliseconds.
std::shared_ptr<const Objective> slow_arms(int milliseconds) {
  return test::scripted(6, [milliseconds](const Point& point, Rng& rng) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    return Outcome{.payoff = 0.3 * point[0] + rng.normal()};
  });
}

std::string run_in(const std::filesystem::path& folder, const Study& study,
                   Journal::Open open = Journal::Open::kResume) {
  Journal journal(folder, study, open);
  return test::outputs(study, test::run(study, &journal));
}

/// Arms on instances that cost the more the higher their number, whatever they are worth.
std::shared_ptr<const Objective> noisy_arms() {
  return test::scripted(40, [](const Point& point, Rng& rng) {
    return Outcome{.payoff = rng.normal(), .cost = std::exp(0.1 * point[0] + 0.3 * rng.normal())};
  });
}

double cost_of(const StudyResult& result) { return result.spending.value().cost; }

}  // namespace

TEST_CASE("a budget of costs is used up and hardly exceeded") {
  for (const char* more :
       {"", ", runs: 3", ", default: {arm: 2}", ", hold_out: 20", ", parallel_evaluations: 4",
        ", optimiser: ntbea", ", runs: 2, optimiser: random, parallel_evaluations: 3"}) {
    CAPTURE(more);
    const Study study =
        study_of(std::string("{budget: {cost: 200}, threads: 1") + more + "}", dear_arms());
    const StudyResult result = test::run(study);
    CHECK(cost_of(result) <= 205.0);
    CHECK(cost_of(result) >= 150.0);
    CHECK(result.search_evaluations > 50);
    CHECK(result.hold_out_evaluations >= 15);
    CHECK(result.spending->plan.hold_out > 0);
    if (study.limited->whole.runs > 1) CHECK(result.spending->plan.re_evaluation > 0);
    const Json json = result_json(study, result, summarise(study, result));
    CHECK(json["limits"]["cost"]["limit"] == 200.0);
    CHECK(json["limits"]["cost"]["used"] == cost_of(result));
    CHECK(json["plans"][0]["iterations"] == result.spending->plan.iterations);
  }
}

TEST_CASE("what a study does with a budget of costs depends on the costs alone") {
  for (const char* more : {"", ", runs: 3", ", parallel_evaluations: 3"}) {
    CAPTURE(more);
    const std::string text = std::string("{budget: {cost: 60}, seed: 4") + more;
    const std::string expected = test::full_outputs(study_of(text + ", threads: 1}", dear_arms()));
    for (const char* threads : {"2", "7"}) {
      CHECK((test::full_outputs(study_of(text + ", threads: " + threads + "}", dear_arms())) ==
             expected));
    }
  }
}

TEST_CASE("a study with a budget of costs goes on from any part of its journal") {
  for (const char* more : {"", ", runs: 2", ", parallel_evaluations: 3"}) {
    CAPTURE(more);
    const Study study =
        study_of(std::string("{budget: {cost: 40}, threads: 1, seed: 2") + more + "}", dear_arms());
    const test::TemporaryFolder folder;
    const std::string expected = run_in(folder / "whole", study, Journal::Open::kNew);
    const std::string text = test::content_of(folder / "whole" / kJournalName);
    for (std::size_t end = text.find('\n'); end != std::string::npos;
         end = text.find('\n', end + 1)) {
      CAPTURE(end);
      (void)folder.file(kJournalName, text.substr(0, end + 1));
      REQUIRE((run_in(folder.path(), study) == expected));
    }
    const RecordedStudy recorded(folder / "whole", study.objectives[0].objective);
    StudyProgress progress;
    const StudyResult replayed = replay_study(recorded, false, progress);
    CHECK((test::outputs(recorded.study(), replayed) == expected));
  }
}

TEST_CASE("a budget of costs buys more evaluations where costs guide the search") {
  for (const char* more : {"", ", parallel_evaluations: 3", ", runs: 2"}) {
    CAPTURE(more);
    const auto run = [&](const char* exponent) {
      return test::run(study_of(std::string("{budget: {cost: 1500, cost_exponent: ") + exponent +
                                    "}, threads: 1" + more + "}",
                                noisy_arms()));
    };
    const StudyResult plain = run("0");
    const StudyResult guided = run("0.5");
    CHECK(cost_of(plain) <= 1600.0);
    CHECK(cost_of(guided) <= 1600.0);
    CHECK(cost_of(guided) >= 1100.0);
    CHECK(guided.search_evaluations > plain.search_evaluations);
  }
}

TEST_CASE("a study goes on with the same weight of costs") {
  const auto objective = noisy_arms();
  const test::TemporaryFolder folder;
  run_in(folder.path(), study_of("{budget: {cost: 90}}", objective), Journal::Open::kNew);
  const Study other = study_of("{budget: {cost: 90, cost_exponent: 0}}", objective);
  CHECK_THAT(test::input_error([&] { run_in(folder.path(), other); }),
             ContainsSubstring("'budget.cost_exponent' is 0.5 there, 0.0 here"));
}

TEST_CASE("an evaluation that reports no cost costs its seconds") {
  const Study study = study_of("{budget: {cost: 0.4}, threads: 1}", slow_arms(5));
  const auto begin = Clock::now();
  const StudyResult result = test::run(study);
  CHECK(cost_of(result) >= 0.2);
  CHECK(cost_of(result) <= seconds_since(begin));
  CHECK(result.evaluations() <= 80);
}

TEST_CASE("a study with a time ends in time and keeps some for the hold-out") {
  for (const char* more : {"", ", runs: 2", ", parallel_evaluations: 4", ", default: {arm: 2}"}) {
    CAPTURE(more);
    const Study study =
        study_of(std::string("{time: 0.6 s, threads: 2") + more + "}", slow_arms(4));
    const auto begin = Clock::now();
    const StudyResult result = test::run(study);
    // An evaluation takes 4 ms; the rest is for a machine that is busy.
    CHECK(seconds_since(begin) < 1.5);
    CHECK(result.search_evaluations >= 10);
    CHECK(result.cells[0].picks[0].finished);
    CHECK(result.hold_out_evaluations > 0);
    CHECK(result.spending->seconds.value() > 0.2);
    CHECK_THAT(test::unwrapped(result_text(study, result, summarise(study, result))),
               ContainsSubstring(" of 0.6 s\nanother machine makes another number"));
  }
}

TEST_CASE("a study with a time that is done stays as it is; interrupted, it has what is left") {
  const test::Counted counted(slow_arms(4));
  const Study study = study_of("{time: 600 ms, threads: 1, seed: 5}", counted.objective);
  const test::TemporaryFolder folder;
  const std::string expected = run_in(folder / "whole", study, Journal::Open::kNew);
  const std::int64_t calls = *counted.calls;
  CHECK((run_in(folder / "whole", study) == expected));
  CHECK(*counted.calls == calls);

  const std::string text = test::content_of(folder / "whole" / kJournalName);
  std::vector<std::size_t> ends;
  for (std::size_t end = text.find('\n'); end != std::string::npos;
       end = text.find('\n', end + 1)) {
    ends.push_back(end + 1);
  }
  for (const std::size_t part : {std::size_t{1}, std::size_t{3}}) {
    (void)folder.file(kJournalName, text.substr(0, ends[part * ends.size() / 4]));
    const auto begin = Clock::now();
    Journal journal(folder.path(), study, Journal::Open::kResume);
    const double used = journal.recorded_seconds().value();
    CHECK(used > 0.0);
    const StudyResult result = test::run(study, &journal);
    CHECK(result.cells[0].picks[0].finished);
    CHECK(seconds_since(begin) < 0.6 - used + 0.9);
  }
}

TEST_CASE("a study may be given more time or cost") {
  const test::TemporaryFolder folder;
  const auto objective = dear_arms();
  const Study less = study_of("{budget: {cost: 40}, threads: 1}", objective);
  const Study more = study_of("{budget: {cost: 120}, threads: 1}", objective);
  run_in(folder.path(), less, Journal::Open::kNew);
  const std::string first = test::content_of(folder / kJournalName);
  StudyResult result;
  {
    Journal journal(folder.path(), more, Journal::Open::kResume);
    result = test::run(more, &journal);
  }
  CHECK(cost_of(result) > 80.0);
  CHECK(cost_of(result) <= 124.0);
  CHECK(test::content_of(folder / kJournalName).starts_with(first));
  CHECK_THAT(test::input_error([&] {
               const Study other = study_of("{iterations: 40, threads: 1}", objective);
               const Journal journal_of_other(folder.path(), other, Journal::Open::kResume);
             }),
             ContainsSubstring("is the journal of another study"));
}

TEST_CASE("plans within limits are those of as many evaluations") {
  const Study open = study_of("{time: 1h}", test::coins({0.2, 0.5}));
  CHECK(open.limited->open);
  CHECK(total_evaluations(open) == 0);
  const RunPlan plan = plan_within(open, 1000);
  CHECK((plan.runs == 1 && plan.iterations == 900 && plan.hold_out == 100));
  CHECK(plan_within(open, 3).iterations == 3);
  CHECK(plan_within(open, 0).iterations == 0);
  const Study closed = study_of("{time: 1h, budget: 500}", test::coins({0.2, 0.5}));
  CHECK_FALSE(closed.limited->open);
  CHECK(total_evaluations(closed) == 500);
  CHECK(plan_within(closed, 500).search() == closed.plans[0].search());
  CHECK(evaluations_of(closed, plan_within(closed, 200)) <= 200);
  for (std::int64_t n = 1; n < 2000; n += 7) {
    CHECK(evaluations_of(open, plan_within(open, n)) <= n);
    CHECK(evaluations_of(closed, plan_within(closed, n)) <= std::max<std::int64_t>(n, 500));
  }
}

TEST_CASE("limits are written back and read again") {
  for (const char* text :
       {"{time: 2h30m}", "{time: 90, iterations: 40, runs: 2}", "{budget: {cost: 12.5}, runs: 3}",
        "{time: 1 h, budget: 300}", "{budget: {cost: 5, evaluations: 100, cost_exponent: 1}}"}) {
    CAPTURE(text);
    const Study study = study_of(text, test::coins({0.2, 0.5}));
    Json config = study.config;
    config.erase("objective");
    const Study again = study_of(config.dump(), test::coins({0.2, 0.5}));
    CHECK(again.config == study.config);
    CHECK(again.limits == study.limits);
    for (const std::int64_t n : {10, 100, 1000}) {
      CHECK(plan_within(again, n).label() == plan_within(study, n).label());
      CHECK(plan_within(again, n).hold_out == plan_within(study, n).hold_out);
    }
  }
  CHECK(study_of("{time: 2h30m}", test::coins({0.5})).config["time"] == 9000.0);
  CHECK_FALSE(study_of("{}", test::coins({0.5})).config.contains("time"));
}

TEST_CASE("a dry run says what fits into a time") {
  const Study study = study_of("{time: 10 min}", test::coins({0.2, 0.5}));
  const double second[] = {1.0};
  const std::string text = workload_text(study, second, 1);
  CAPTURE(text);
  CHECK_THAT(text, ContainsSubstring("in 10 min at 1 s: about 600 evaluations (1 x 540 and 60 "
                                     "hold-out), optimisers not counted"));
  const double hour[] = {3600.0};
  CHECK_THAT(workload_text(study, hour, 1), ContainsSubstring("one alone takes longer"));
  const Study dear = study_of("{budget: {cost: 40}}", test::coins({0.2, 0.5}));
  CHECK(workload_text(dear, second, 1) ==
        "as many evaluations as a cost of 40 allows; one takes 1 s");
  CHECK(workload_text(dear, second, 1, 0.086) ==
        "as many evaluations as a cost of 40 allows; one costs 0.086 and takes 1 s");
  CHECK_THAT(plan_text(study),
             ContainsSubstring(": 1 run in 10 min of wall clock, hold-out included"));
}

TEST_CASE("evaluations that cost nothing do not go on for ever") {
  const auto objective = test::scripted(
      6, [](const Point& point, Rng&) { return Outcome{.payoff = 1.0 * point[0], .cost = 0.0}; });
  CHECK_THAT(test::input_error(
                 [&] { test::run(study_of("{budget: {cost: 5}, optimiser: random}", objective)); }),
             ContainsSubstring("budget: 10 evaluations have cost nothing"));
}

TEST_CASE("limits that cannot be are refused with place and rule") {
  const std::vector<std::pair<std::string, std::string>> messages = {
      {"{time: soon}", "study.yaml:1: time: is 'soon', a duration such as 5 s, 10 min or 2h30m"},
      {"{time: 0}", "time: is '0', a duration such as 5 s, 10 min or 2h30m is allowed, above 0"},
      {"{time: 1e300 s}", "above 0 and at most 1000000000 seconds"},
      {"{budget: {cost: 0}}", "budget.cost: is '0', a number above 0"},
      {"{budget: {costs: 9}}", "budget.costs: unknown key, did you mean 'cost'?"},
      {"{budget: {cost: 9, evaluations: none}}", "budget.evaluations: is 'none'"},
      {"{budget: {cost: 9, cost_exponent: -1}}",
       "budget.cost_exponent: is '-1', a number from 0 to 2"},
      {"{budget: {evaluations: 9, cost_exponent: 1}}", "budget.cost: is missing"},
      {"{budget: many}", "budget: is 'many', 'auto' or a whole number"},
      {"{budget: 9223372036854775807}", "'auto' or a whole number at most 1"},
      {"{budget: {cost: 1e300}}", "budget.cost: is '1e300', a number at most 1"},
      {"{time: 1h, repeats: 5}",
       "time: is of a study with one recommendation; a comparison says its `iterations`"},
      {"{time: 1h, split: auto}", "split: stands beside a limit of time"},
      {"{budget: {cost: 3}, splits: ['1 x 10']}", "splits: stands beside a limit of cost"},
      {"{time: 1h, record: runs}", "record: must be evaluations or none"},
  };
  for (const auto& [text, message] : messages) {
    CAPTURE(text);
    CHECK_THAT(test::input_error([&, &study = text] {
                 study_of(study, test::coins({0.2, 0.5}));
               }),
               ContainsSubstring(message));
  }
  CHECK_THAT(test::input_error([] {
               study_of(
                   "{objective: {command: [a, '{x}'], result: time, cutoff: 50 s}, space: {x: "
                   "[1, 2]}, time: 30 s}");
             }),
             ContainsSubstring("objective.cutoff: is 50 s, the study has 30 s (`time`)"));
  // A program need not have a cutoff; study.yaml of a result then says null.
  for (const char* cutoff : {"", ", cutoff: null"}) {
    CHECK(
        study_of(fmt::format(
                     "{{objective: {{command: [a, '{{x}}']{}}}, space: {{x: [1, 2]}}, time: 30 s}}",
                     cutoff))
            .limits.seconds == 30.0);
  }
}

}  // namespace ntune
