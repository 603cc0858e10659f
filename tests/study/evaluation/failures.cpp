// What becomes of evaluations that fail, and of those that bring several payoffs.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/facts/result_text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/model/failure_statistics.h"
#include "study/make.h"
#include "study/scripted.h"
#include "support/unwrapped.h"

namespace ntune {

using Catch::Matchers::StartsWith;
using test::arms;
using test::study_of;

namespace {

/// What ends a study; "no error" if nothing does.
std::string failure_of(const Study& study, StudyLog* log = nullptr) {
  try {
    test::run(study, log);
  } catch (const EvaluationError& error) {
    return error.what();
  }
  return "no error";
}

/// Arms of 0.3 each whose evaluations fail with a probability, by their random streams.
std::shared_ptr<const Objective> shaky(double probability, double in_place = 0.0) {
  return test::scripted(6, [=](const Point& point, Rng& rng) {
    const bool fails = rng.bernoulli(probability);
    const double payoff = 0.3 * point[0] + rng.normal();
    if (fails && in_place != 0.0) return Outcome{.payoff = in_place};
    if (fails) return Outcome{.failure = "engine crashed"};
    return Outcome{.payoff = payoff};
  });
}

/// An objective whose calls fail by their number, from 1.
struct ByNumber {
  std::shared_ptr<std::atomic<int>> calls = std::make_shared<std::atomic<int>>(0);
  std::shared_ptr<const Objective> objective;

  explicit ByNumber(std::function<bool(int)> fails) {
    objective = arms(2, [calls = calls, fails = std::move(fails)](const Point&, Rng& rng) {
      if (fails(++*calls)) throw std::runtime_error("broken");
      return rng.uniform();
    });
  }
};

std::int64_t failures_in(const test::MemoryLog& log) {
  return std::ranges::count_if(log.entries,
                               [](const auto& entry) { return !entry.outcome.failure.empty(); });
}

constexpr const char* kSmall = "runs: 3, iterations: 60, re_evaluation: 30, hold_out: 40";

}  // namespace

TEST_CASE("a failed evaluation ends the study by default") {
  for (const char* in_flight : {"1", "4"}) {
    const ByNumber objective([](int call) { return call == 30; });
    const Study study = study_of(
        fmt::format("{{runs: 3, iterations: 60, threads: 1, parallel_evaluations: {}}}", in_flight),
        objective.objective);
    StudyProgress progress;
    test::MemoryLog log;
    std::string error;
    try {
      run_study(study, progress, &log);
    } catch (const EvaluationError& failure) {
      error = failure.what();
    }
    CHECK_THAT(error, StartsWith("evaluation failed: arms: broken at arm = "));
    CHECK(progress.stop);
    CHECK(*objective.calls == 30);
    CHECK(log.entries.size() == 30);
    CHECK(failures_in(log) == 1);
  }
}

TEST_CASE("a failure ends the study though the run waits for another evaluation") {
  // The second evaluation fails while the first, which the run waits for, goes on.
  for (const char* stage : {"runs: 1, iterations: 8", "runs: 1, iterations: 1, hold_out: 50"}) {
    auto calls = std::make_shared<std::atomic<int>>(0);
    const Study study =
        study_of(fmt::format("{{{}, threads: 4, parallel_evaluations: 4}}", stage),
                 arms(2, [calls, hold_out = std::string(stage).find("hold_out") !=
                                            std::string::npos](const Point&, Rng& rng) {
                   const int call = ++*calls - (hold_out ? 1 : 0);
                   if (call == 2) throw std::runtime_error("broken");
                   if (call >= 1) std::this_thread::sleep_for(std::chrono::milliseconds(30));
                   return rng.uniform();
                 }));
    CHECK_THAT(failure_of(study), StartsWith("evaluation failed: arms: broken at arm = "));
  }
}

TEST_CASE("skipped failures use the budget, are counted, and the search goes on") {
  for (const char* algorithm : {"ntbea", "random", "rmhc"}) {
    const Study study =
        study_of(fmt::format("{{{}, optimiser: {{algorithm: {}}}, fail: skip}}", kSmall, algorithm),
                 shaky(0.2));
    test::MemoryLog log;
    const StudyResult result = test::run(study, &log);
    const std::int64_t failed = failures_in(log);
    CHECK(failed > 20);
    CHECK(result.failures == failed);
    CHECK(result.search_evaluations == 180);
    CHECK(result.hold_out_evaluations == 40);
    CHECK(static_cast<std::int64_t>(log.entries.size()) == result.evaluations());
    const Pick& pick = result.cells[0].picks[0];
    CHECK(pick.hold_out.payoffs.count() + pick.failures <= 40 + result.re_evaluations);
    CHECK(pick.hold_out.payoffs.count() < 40);
    std::int64_t failed_in_runs = 0;
    for (const RunRecord& run : result.cells[0].runs) {
      CHECK(run.finished);
      CHECK(run.failures > 0);
      failed_in_runs += run.failures;
    }
    CHECK(failed_in_runs + pick.failures == result.failures);
  }
}

TEST_CASE("NTBEA finds the best arm though a third of its evaluations fail") {
  const Study study = study_of("{runs: 5, iterations: 400, fail: skip}", shaky(0.33));
  CHECK(test::run(study).cells[0].picks[0].point == test::arm(5));
}

TEST_CASE("a value in place of failures counts as any other, in the user's unit") {
  // The twin never fails, but pays by itself what the other is given for its failures.
  const std::string yaml =
      fmt::format("{{{}, fail: {{value: 4.5}}, learn_from_penalties: false}}", kSmall);
  const auto in_unit = [](std::shared_ptr<const Objective> inner) {
    return test::scripted(
        6, [inner](const Point& point, Rng& rng) { return observe(*inner, point, rng, {}); }, {},
        -2.0, 0.5);
  };
  const Study failing = study_of(yaml, in_unit(shaky(0.2)));
  const Study twin = study_of(yaml, in_unit(shaky(0.2, -2.0)));
  const StudyResult result = test::run(failing);
  CHECK(result.failures > 20);
  StudyResult without = test::run(twin);
  CHECK(without.failures == 0);
  without.failures = result.failures;
  without.failure_statistics = result.failure_statistics;
  without.cells[0].picks[0].hold_out.failures = result.cells[0].picks[0].hold_out.failures;
  CHECK((test::outputs(failing, result) == test::outputs(twin, without)));
  CHECK(result.cells[0].picks[0].hold_out.payoffs.count() == 40);
}

TEST_CASE("too many failures among a hundred evaluations end a study") {
  const auto error_of = [](const ByNumber& objective, const std::string& more) {
    return failure_of(
        study_of("{runs: 1, iterations: 300, hold_out: 0, threads: 1, fail: skip" + more + "}",
                 objective.objective));
  };
  const ByNumber always([](int) { return true; });
  CHECK_THAT(error_of(always, ""),
             StartsWith("100 of the last 100 evaluations of run 0 failed, max_failure_rate is "
                        "0.99; the last: evaluation failed: arms: broken at arm = "));
  CHECK(*always.calls == 100);

  const ByNumber nearly([](int call) { return call % 100 != 0; });
  CHECK(error_of(nearly, "") == "no error");
  CHECK(*nearly.calls == 300);

  const ByNumber half([](int call) { return call > 10 && call <= 60; });
  CHECK(error_of(half, ", max_failure_rate: 0.5") == "no error");
  const ByNumber more([](int call) { return call > 10 && call <= 61; });
  CHECK_THAT(error_of(more, ", max_failure_rate: 0.5"),
             StartsWith("51 of the last 61 evaluations of run 0 failed, "));

  const ByNumber late([](int call) { return call >= 260; });
  CHECK_THAT(
      error_of(late, ", max_failure_rate: 0.1"),
      StartsWith("11 of the last 100 evaluations of run 0 failed, max_failure_rate is 0.1; "));
  CHECK(*late.calls == 270);

  const ByNumber one([](int call) { return call == 50; });
  CHECK_THAT(error_of(one, ", max_failure_rate: 0"),
             StartsWith("1 of the last 50 evaluations of run 0 failed, "));

  const ByNumber valued([](int) { return true; });
  CHECK_THAT(failure_of(study_of("{runs: 1, iterations: 100, threads: 1, fail: {value: 1}}",
                                 valued.objective)),
             StartsWith("100 of the last 100 evaluations of run 0 failed, "));
}

TEST_CASE("too many failures of a hold-out end a study, but not those of a comparison") {
  // Arms of the same worth that fail once they are looked at again.
  const auto failing_after = [](int searched) {
    auto calls = std::make_shared<std::atomic<int>>(0);
    return test::scripted(6, [=](const Point&, Rng& rng) {
      if (++*calls > searched) return Outcome{.failure = "engine crashed"};
      return Outcome{.payoff = rng.normal()};
    });
  };
  CHECK_THAT(failure_of(study_of("{runs: 1, iterations: 30, hold_out: 500, threads: 1, fail: skip}",
                                 failing_after(30))),
             StartsWith("100 of the last 100 fresh evaluations failed, "));
  const std::string compared =
      "{runs: 6, iterations: 2, re_evaluation: 10000, hold_out: 0, optimiser: random, threads: 1, "
      "fail: skip}";
  CHECK(failure_of(study_of(compared, failing_after(12))) == "no error");
}

TEST_CASE("whether failures end a study depends on what is recorded alone") {
  // A share of failures near the limit, so that some seeds end and others do not.
  int ended = 0;
  constexpr int kSeeds = 12;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    for (const int in_flight : {1, 4}) {
      Study study = study_of(
          fmt::format("{{runs: 3, iterations: 150, hold_out: 0, re_evaluation: none, seed: {}, "
                      "parallel_evaluations: {}, fail: skip, max_failure_rate: 0.24}}",
                      seed, in_flight),
          shaky(0.2));
      study.execution.threads = 1;
      test::MemoryLog log;
      const std::string expected = failure_of(study, &log);
      if (expected != "no error") ++ended;
      CAPTURE(seed, in_flight);
      // Resumed from the whole record, and from a half of it.
      test::MemoryLog again;
      again.teach(log.entries);
      CHECK(failure_of(study, &again) == expected);
      // What was in flight when the study ended may not have been recorded.
      CHECK(std::ssize(again.entries) < in_flight);
      std::vector<test::MemoryLog::Entry> half;
      for (std::size_t i = 0; i < log.entries.size(); i += 2) half.push_back(log.entries[i]);
      test::MemoryLog partly;
      partly.teach(half);
      CHECK(failure_of(study, &partly) == expected);
      for (const int threads : {2, 8}) {
        study.execution.threads = threads;
        CHECK((failure_of(study) == "no error") == (expected == "no error"));
      }
    }
  }
  CHECK(ended > 0);
  CHECK(ended < 2 * kSeeds);
}

TEST_CASE("where a tenth of the space works no study is ended") {
  // The default limit, an optimiser that learns nothing, and sixty studies.
  for (int seed = 1; seed <= 60; ++seed) {
    const Study study = study_of(
        fmt::format("{{runs: 4, iterations: 75, optimiser: random, fail: skip, seed: {}}}", seed),
        test::scripted(10, [](const Point& point, Rng& rng) {
          if (point[0] != 7) return Outcome{.failure = "engine crashed"};
          return Outcome{.payoff = rng.normal()};
        }));
    const StudyResult result = test::run(study);
    CHECK(result.cells[0].picks[0].point == test::arm(7));
  }
}

TEST_CASE("a run whose evaluations have all failed recommends nothing") {
  // The first 20 evaluations, which are all of run 0.
  const ByNumber begin([](int call) { return call <= 20; });
  const Study study =
      study_of("{runs: 3, iterations: 20, threads: 1, fail: skip}", begin.objective);
  const StudyResult result = test::run(study);
  CHECK_FALSE(result.cells[0].runs[0].finished);
  CHECK(result.cells[0].runs[0].evaluations == 20);
  CHECK(result.cells[0].runs[1].finished);
  CHECK(result.search_evaluations == 60);
  CHECK(result.failures == 20);
  CHECK(result.cells[0].picks[0].finished);
  CHECK_FALSE(result.interrupted);
}

TEST_CASE("runs whose evaluations have all failed end the study") {
  const ByNumber always([](int) { return true; });
  const auto study = [&](const char* fail) {
    return study_of(
        fmt::format("{{runs: 2, iterations: 30, threads: 1, max_failure_rate: 1, fail: {}}}", fail),
        always.objective);
  };
  CHECK(failure_of(study("skip")) ==
        "all 60 evaluations of 2 runs failed: arms; most often: broken");
  CHECK(*always.calls == 60);
  // A value in their place is a price, and measures nothing.
  CHECK(failure_of(study("{value: 1}")) ==
        "all 60 evaluations of 2 runs failed: arms; most often: broken");
}

TEST_CASE("failures are grouped by cause and counted by value") {
  const Study study = study_of(
      fmt::format("{{{}, optimiser: random, fail: {{value: 0}}}}", kSmall),
      test::scripted(6, [](const Point& point, Rng& rng) {
        if (point[0] == 4) {
          return Outcome{.failure = fmt::format("no move after {} nodes", rng.below(1000))};
        }
        if (rng.bernoulli(0.05)) return Outcome{.failure = "exit status 3"};
        return Outcome{.payoff = point[0] + rng.normal()};
      }));
  const StudyResult result = test::run(study);
  const Json failures = result_json(study, result, summarise(study, result))["failures"];
  CHECK(failures["count"] == result.failures);
  REQUIRE(failures["causes"].size() == 2);
  std::vector<std::string> causes;
  std::int64_t sum = 0;
  for (const Json& cause : failures["causes"]) {
    causes.push_back(cause["cause"]);
    sum += cause["count"].get<std::int64_t>();
  }
  CHECK(failures["causes"][0]["count"] >= failures["causes"][1]["count"]);
  std::ranges::sort(causes);
  CHECK(causes == std::vector<std::string>{"exit status 3", "no move after N nodes"});
  CHECK(sum == result.failures);
  const auto& values = failures["values"];
  const auto at_four =
      std::ranges::find_if(values, [](const Json& row) { return row["value"] == 4; });
  REQUIRE(at_four != values.end());
  CHECK((*at_four)["parameter"] == "arm");
  CHECK((*at_four)["failures"] == (*at_four)["evaluations"]);
  CHECK((*at_four)["rate"] == 1.0);
  const std::string text = test::unwrapped(result_text(study, result, summarise(study, result)));
  CHECK_THAT(text, Catch::Matchers::ContainsSubstring(
                       fmt::format("{} of them failed\n", result.failures)));
  CHECK_THAT(text, Catch::Matchers::ContainsSubstring("  no move after N nodes\n"));
  CHECK_THAT(text, Catch::Matchers::ContainsSubstring("  arm = 4: "));
  CHECK_THAT(text, Catch::Matchers::ContainsSubstring(" search evaluations failed (100 %)\n"));
}

TEST_CASE("a match that failed counts for the values of both players") {
  const SearchSpace space({make_integers("a", 0, 2), make_integers("b", 0, 2)});
  const std::vector<std::uint16_t> low = {0, 1}, high = {2, 1};
  const Point crashing(low), sound(high);
  FailuresByValue by_value;
  by_value.add(space, sound, true, &crashing);
  by_value.add(space, sound, false);
  const auto is = [&](int parameter, int value, std::int64_t evaluations, std::int64_t failures) {
    const auto& count = by_value.counts()
                            .at(static_cast<std::size_t>(parameter))
                            .at(static_cast<std::size_t>(value));
    return count.evaluations == evaluations && count.failures == failures;
  };
  CHECK(is(0, 0, 1, 1));
  CHECK(is(0, 1, 0, 0));
  CHECK(is(0, 2, 2, 1));
  CHECK(is(1, 1, 2, 1));  // both had it: it is one evaluation
}

TEST_CASE("a hold-out whose evaluations have all failed has no value") {
  const ByNumber late([](int call) { return call > 100; });
  const Study study = study_of(
      "{runs: 1, iterations: 100, hold_out: 50, threads: 1, max_failure_rate: 1, fail: skip}",
      late.objective);
  const StudyResult result = test::run(study);
  const Pick& pick = result.cells[0].picks[0];
  CHECK(pick.finished);
  CHECK(pick.hold_out.payoffs.count() == 0);
  CHECK(pick.hold_out.evaluations == 50);
  CHECK(pick.failures == 50);
  CHECK_FALSE(pick.hold_out.interval.has_value());
  CHECK_FALSE(pick.score.has_value());
  const Json json = result_json(study, result, summarise(study, result));
  CHECK(json["recommendation"]["value"].is_null());
  CHECK(json["status"] == "done");
}

TEST_CASE("failures are the same for every number of threads and evaluations in flight") {
  for (const char* fail : {"skip", "{value: -1}"}) {
    for (const int in_flight : {1, 4}) {
      Study study = study_of(
          fmt::format("{{{}, parallel_evaluations: {}, fail: {}}}", kSmall, in_flight, fail),
          shaky(0.2));
      study.execution.threads = 1;
      const std::string expected = test::full_outputs(study);
      for (const int threads : {2, 8}) {
        study.execution.threads = threads;
        CHECK((test::full_outputs(study) == expected));
      }
    }
  }
}

TEST_CASE("recorded failures are not tried again where they do not end the study") {
  for (const char* fail : {"skip", "{value: -1}"}) {
    auto calls = std::make_shared<std::atomic<int>>(0);
    const auto inner = shaky(0.2);
    const Study study = study_of(fmt::format("{{{}, fail: {}}}", kSmall, fail),
                                 test::scripted(6, [=](const Point& point, Rng& rng) {
                                   ++*calls;
                                   return observe(*inner, point, rng, {});
                                 }));
    test::MemoryLog log;
    const StudyResult first = test::run(study, &log);
    CHECK(*calls == first.evaluations());
    test::MemoryLog again;
    again.teach(log.entries);
    const StudyResult second = test::run(study, &again);
    CHECK(*calls == first.evaluations());
    CHECK(again.entries.empty());
    CHECK((test::outputs(study, second) == test::outputs(study, first)));
    CHECK(second.failures == first.failures);
    // Half of it, wherever it was: the rest is made up for.
    std::vector<test::MemoryLog::Entry> half;
    for (std::size_t i = 0; i < log.entries.size(); i += 2) half.push_back(log.entries[i]);
    test::MemoryLog partly;
    partly.teach(half);
    CHECK((test::outputs(study, test::run(study, &partly)) == test::outputs(study, first)));
    CHECK(partly.entries.size() + half.size() == log.entries.size());
  }
}

TEST_CASE("the failure that ended a study is tried again") {
  auto broken = std::make_shared<std::atomic<bool>>(true);
  auto calls = std::make_shared<std::atomic<int>>(0);
  const Study study = study_of(fmt::format("{{{}, threads: 1}}", kSmall),
                               arms(4, [=](const Point& point, Rng& rng) {
                                 if (++*calls == 100 && *broken) throw std::runtime_error("broken");
                                 return 0.3 * point[0] + rng.normal();
                               }));
  test::MemoryLog log;
  CHECK_THAT(failure_of(study, &log), StartsWith("evaluation failed: arms: broken"));
  *broken = false;
  test::MemoryLog again;
  again.teach(log.entries);
  const StudyResult result = test::run(study, &again);
  CHECK(again.entries.front().key == log.entries.back().key);
  CHECK(log.entries.size() - 1 + again.entries.size() ==
        static_cast<std::size_t>(result.evaluations()));
  CHECK((test::outputs(study, result) == test::outputs(study, test::run(study))));
}

TEST_CASE("a finished run from the log is not made again") {
  auto calls = std::make_shared<std::atomic<int>>(0);
  const Study study = study_of(fmt::format("{{{}, repeats: 2}}", kSmall),
                               arms(4, [=](const Point& point, Rng& rng) {
                                 ++*calls;
                                 return 0.3 * point[0] + rng.normal();
                               }));
  test::MemoryLog log;
  const StudyResult first = test::run(study, &log);
  CHECK(log.runs.size() == 6);
  test::MemoryLog again;
  again.teach({log.runs[0], log.runs[3], log.runs[5]});
  *calls = 0;
  StudyProgress progress;
  const StudyResult second = run_study(study, progress, &again);
  CHECK(again.runs.size() == 3);
  CHECK(*calls == first.evaluations() - 3 * 60);
  CHECK(progress.evaluations == first.evaluations());
  CHECK(progress.runs == 6);
  CHECK((test::outputs(study, second) == test::outputs(study, first)));
}

TEST_CASE("several payoffs of a call count one by one, to the last") {
  for (const int in_flight : {1, 3}) {
    for (const std::int64_t iterations : {1, 2, 59, 60}) {
      const Study study =
          study_of(fmt::format("{{runs: 4, iterations: {}, re_evaluation: 37, hold_out: 23, "
                               "parallel_evaluations: {}}}",
                               iterations, in_flight),
                   test::several(5));
      test::MemoryLog log;
      const StudyResult result = test::run(study, &log);
      CHECK(result.search_evaluations == 4 * iterations);
      CHECK(result.hold_out_evaluations == 23);
      const Pick& pick = result.cells[0].picks[0];
      CHECK(pick.hold_out.payoffs.count() == 23);
      CHECK(pick.comparison.evaluations <= 37);
      CHECK(result.evaluations() <= total_evaluations(study));
      // The first 23 payoffs in the order of the calls, no more and no less.
      std::vector<double> expected;
      for (const auto& entry : log.sorted(Stage::kHoldOut)) {
        const std::vector<double>& several = entry.outcome.observations;
        if (several.empty()) expected.push_back(entry.outcome.payoff);
        expected.insert(expected.end(), several.begin(), several.end());
      }
      REQUIRE(expected.size() >= 23);
      expected.resize(23);
      CHECK(stats_of(expected).mean() == pick.hold_out.payoffs.mean());
      // A search makes no call that it has no use for, but for those that were under way.
      for (std::int64_t run = 0; run < 4; ++run) {
        std::int64_t payoffs = 0;
        std::int64_t useless = 0;
        for (const auto& entry : log.sorted(Stage::kSearch)) {
          if (entry.key.run != run) continue;
          if (payoffs >= iterations) ++useless;
          payoffs += std::max<std::int64_t>(1, std::ssize(entry.outcome.observations));
        }
        CHECK(payoffs >= iterations);
        CHECK(useless < in_flight);
      }
    }
  }
}

TEST_CASE("several payoffs of a call that brings more than all before it keep to the budget") {
  // The hold-out's second call brings one payoff more than its first, the third is not needed.
  Payoffs payoffs;
  payoffs.several = true;
  auto calls = std::make_shared<std::atomic<int>>(0);
  const Study study = study_of("{runs: 1, iterations: 1, hold_out: 5, threads: 1, fail: skip}",
                               test::scripted(
                                   2,
                                   [calls](const Point&, Rng&) {
                                     switch (++*calls) {
                                       case 2:
                                         return Outcome{.payoff = 1, .observations = {1, 1}};
                                       case 3:
                                         return Outcome{.payoff = 2, .observations = {2, 2, 2}};
                                       default:
                                         return Outcome{.payoff = 100};
                                     }
                                   },
                                   payoffs));
  const StudyResult result = test::run(study);
  const Pick& pick = result.cells[0].picks[0];
  CHECK(*calls == 4);
  CHECK(pick.hold_out.payoffs.count() == 5);
  CHECK(pick.hold_out.payoffs.mean() == Approx(8.0 / 5));
  CHECK(pick.hold_out.evaluations == 5);
}

TEST_CASE("several payoffs are the same for every number of threads") {
  for (const int in_flight : {1, 4}) {
    Study study = study_of(
        fmt::format("{{runs: 5, iterations: 50, parallel_evaluations: {}, optimisers: [ntbea, "
                    "{{label: b, k: 2}}], repeats: 2}}",
                    in_flight),
        test::several(5));
    study.execution.threads = 1;
    const std::string expected = test::full_outputs(study);
    for (const int threads : {2, 8}) {
      study.execution.threads = threads;
      CHECK((test::full_outputs(study) == expected));
    }
  }
}

TEST_CASE("an outcome with an observation that is not finite has failed") {
  const Study study =
      study_of("{runs: 1, iterations: 10}", test::scripted(2, [](auto&, auto&) {
                 return Outcome{.payoff = 1.0,
                                .observations = {1.0, std::numeric_limits<double>::infinity()}};
               }));
  CHECK_THAT(failure_of(study),
             StartsWith("evaluation failed: arms: the payoff is inf, a finite number is allowed"));
}

TEST_CASE("payoffs whose squares would overflow are refused") {
  const auto paying = [](double payoff, double unit) {
    return test::scripted(
        2, [=](auto&, auto&) { return Outcome{.payoff = payoff}; }, {}, unit);
  };
  const char* yaml = "{runs: 1, iterations: 10}";
  CHECK_THAT(failure_of(study_of(yaml, paying(1e200, 1.0))),
             StartsWith("evaluation failed: arms: the payoff is 1e+200, numbers from -1e+100 to "
                        "1e+100 are allowed at arm = "));
  CHECK_THAT(failure_of(study_of(yaml, paying(1e200, -1.0))),
             StartsWith("evaluation failed: arms: the payoff is -1e+200, numbers from "));
  CHECK(failure_of(study_of(yaml, paying(1e100, 1.0))) == "no error");
  const auto observing = test::scripted(2, [](auto&, auto&) {
    return Outcome{.payoff = 0.0, .observations = {1e101, -1e101}};
  });
  CHECK_THAT(failure_of(study_of(yaml, observing)),
             StartsWith("evaluation failed: arms: the payoff is 1e+101, numbers from "));
}

TEST_CASE("calls that are not needed are not made, however many are in flight") {
  Payoffs payoffs;
  payoffs.several = true;
  for (const int in_flight : {1, 3, 8}) {
    for (const std::int64_t iterations : {1, 10, 11, 45}) {
      auto calls = std::make_shared<std::atomic<int>>(0);
      const Study study =
          study_of(fmt::format("{{runs: 1, iterations: {}, hold_out: 0, parallel_evaluations: {}}}",
                               iterations, in_flight),
                   test::scripted(
                       6,
                       [calls](const Point& point, Rng& rng) {
                         ++*calls;
                         Outcome outcome;
                         for (int i = 0; i < 10; ++i) {
                           outcome.observations.push_back(point[0] + rng.normal());
                           outcome.payoff += outcome.observations.back() / 10;
                         }
                         return outcome;
                       },
                       payoffs));
      const StudyResult result = test::run(study);
      CHECK(result.search_evaluations == iterations);
      CHECK(*calls == (iterations + 9) / 10);
    }
  }
}

TEST_CASE("where the unit is a cost, the cheapest is best") {
  // Costs of 5, 3, 1 and 4, and noise.
  const auto costs = test::scripted(
      4,
      [](const Point& point, Rng& rng) {
        const std::vector<double> cost = {5, 3, 1, 4};
        return Outcome{.payoff = -cost[point[0]] + rng.normal()};
      },
      {}, -1.0);
  const Study study =
      study_of("{runs: 6, iterations: 100, re_evaluation: 60, hold_out: 200}", costs);
  const StudyResult result = test::run(study);
  const Pick& pick = result.cells[0].picks[0];
  CHECK(pick.point == test::arm(2));
  CHECK(pick.estimate == Approx(1.0).margin(0.5));
  REQUIRE(pick.hold_out.interval.has_value());
  CHECK(pick.hold_out.interval->low < pick.hold_out.interval->high);
  CHECK(pick.hold_out.interval->low < 1.3);
  CHECK(pick.hold_out.interval->high > 0.7);
  const Json json = result_json(study, result, summarise(study, result))["recommendation"];
  CHECK(json["value"].get<double>() == Approx(1.0).margin(0.4));
  CHECK(json["hold_out"]["sd"].get<double>() == Approx(1.0).margin(0.3));
}

TEST_CASE("candidates of a cost are left out by the highest estimates") {
  // Each run knows one arm only, and believes exactly what it costs; nothing is compared.
  const auto costs = test::scripted(
      4,
      [](const Point& point, Rng&) {
        const std::vector<double> cost = {5, 3, 1, 4};
        return Outcome{.payoff = -cost[point[0]]};
      },
      {}, -1.0);
  const Study study = study_of(
      "{runs: 40, iterations: 1, optimiser: random, re_evaluation: none, hold_out: 2}", costs);
  const StudyResult result = test::run(study);
  CHECK(result.cells[0].picks[0].point == test::arm(2));
  CHECK(result.cells[0].picks[0].estimate == 1.0);
}

TEST_CASE("a cause whose failures are all alike has their text, others a masked one") {
  FailureStatistics statistics;
  FailureCauses& causes = statistics.causes;
  for (const char* command : {"a 1", "a 2"}) {
    causes.add_failure(fmt::format("no result within 5 s, killed; command: {}", command));
  }
  CHECK(causes.sorted()[0].text == "no result within 5 s, killed");
  FailureCauses others;
  others.add_failure("no result within 5 s, killed");
  others.add_failure("lost on move 12");
  others.add_failure("lost on move 31");
  causes.merge(others);
  const auto both = failure_statistics_of(failure_statistics_json(statistics)).causes;
  for (const FailureCauses& known : {causes, both}) {
    const auto sorted = known.sorted();
    REQUIRE(sorted.size() == 2);
    CHECK(sorted[0].text == "no result within 5 s, killed");
    CHECK(sorted[0].masked == "no result within N s, killed");
    CHECK(sorted[0].count == 3);
    CHECK(sorted[1].text == "lost on move N");
  }
  causes.add_failure("no result within 6 s, killed");
  CHECK(causes.sorted()[0].text == "no result within N s, killed");
  // As journals of older versions have it.
  const auto older = failure_statistics_of(
      Json::parse(R"({"causes": [["no result within N s, killed", 4]], "values": []})"));
  CHECK(older.causes.sorted()[0].text == "no result within N s, killed");
}

TEST_CASE("failing values are those of every objective, by its name") {
  const Study study = study_of("{objectives: [branin, goldstein_price]}");
  std::vector<FailureStatistics> statistics(2);
  const SearchSpace& space = study.objectives[0].objective->space();
  const Point low(space.dimensions());
  Point high = low;
  high[0] = 1;
  statistics[0].by_value.add(space, low, true);
  statistics[1].by_value.add(space, low, false);
  statistics[1].by_value.add(space, high, true);
  std::vector<std::string> found;
  for (const FailingValue& value : failing_values(study, statistics)) {
    found.push_back(fmt::format("{} {} {}/{}", value.objective, value.parameter,
                                value.count.failures, value.count.evaluations));
  }
  const std::string& x = space[0].name;
  const std::string& y = space[1].name;
  CHECK(found == std::vector<std::string>{"branin " + x + " 1/1", "branin " + y + " 1/1",
                                          "goldstein_price " + x + " 1/1",
                                          "goldstein_price " + y + " 1/2"});
}

}  // namespace ntune
