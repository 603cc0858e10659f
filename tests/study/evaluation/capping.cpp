// Adaptive capping: the same winner for less time, whatever threads and interruptions there are.

#include "ntune/study/evaluation/capping.h"

#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/json.h"
#include "ntune/study/evaluation/evaluation_recorder.h"
#include "ntune/study/journal/extension.h"
#include "ntune/study/journal/journal.h"
#include "study/make.h"
#include "study/timed.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace {

/// Times with a heavy tail, twice as long from one end of the arms to the other.
double heavy_tailed(const Point& point, Rng& rng) {
  return std::exp(0.1 * point[0] + 1.5 * rng.normal());
}

double heavy_tailed_with_failures(const Point& point, Rng& rng) {
  return rng.bernoulli(0.15) ? -1.0 : heavy_tailed(point, rng);
}

Study race(const std::shared_ptr<const Objective>& objective, std::uint64_t seed,
           const std::string& comparison, const std::string& more = "") {
  return test::study_of(
      "{runs: 8, iterations: 6, optimiser: random, hold_out: 3, threads: 1, "
      "record: evaluations, fail: skip, re_evaluation: {" +
          comparison + "}, seed: " + std::to_string(seed) + more + "}",
      objective);
}

/// The study ends the same with other numbers of threads, and after every `step`-th line of its
/// journal; once it is whole, nothing is carried out again. Returns its journal.
std::string check_interruptions(const Study& study, const test::Timed& objective,
                                std::initializer_list<int> threads, int step) {
  const std::string expected = test::full_outputs(study);
  for (const int count : threads) {
    Study other = study;
    other.execution.threads = count;
    CHECK((test::full_outputs(other) == expected));
  }
  const test::TemporaryFolder folder;
  const auto run_in = [&](const std::filesystem::path& place, Journal::Open open) {
    Journal journal(place, study, open);
    return test::outputs(study, test::run(study, &journal));
  };
  const std::string whole = run_in(folder / "whole", Journal::Open::kNew);
  std::string text = test::content_of(folder / "whole" / kJournalName);
  int lines = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos;
       end = text.find('\n', end + 1)) {
    if (++lines % step != 0) continue;
    (void)folder.file(kJournalName, text.substr(0, end + 1));
    REQUIRE((run_in(folder.path(), Journal::Open::kResume) == whole));
  }
  const double before = objective.spent();
  CHECK((run_in(folder / "whole", Journal::Open::kResume) == whole));
  CHECK(objective.spent() == before);
  return text;
}

}  // namespace

TEST_CASE("capping chooses what is chosen without it, in less time") {
  for (const char* method : {"sequential_halving", "repeats"}) {
    for (const auto& times : {heavy_tailed, heavy_tailed_with_failures}) {
      double capped_seconds = 0.0;
      double whole_seconds = 0.0;
      std::int64_t capped = 0;
      for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const auto one = std::make_shared<test::Timed>(8, times, 40.0);
        const auto other = std::make_shared<test::Timed>(8, times, 40.0);
        const std::string comparison = std::string("evaluations: 160, method: ") + method;
        const StudyResult with = test::run(race(one, seed, comparison));
        const StudyResult without = test::run(race(other, seed, comparison + ", capping: false"));
        CAPTURE(method, seed);
        REQUIRE(with.cells[0].picks[0].point == without.cells[0].picks[0].point);
        REQUIRE(without.endings.capped == 0);
        REQUIRE(with.re_evaluations <= without.re_evaluations);
        for (const Candidate& candidate : with.cells[0].picks[0].comparison.candidates) {
          if (candidate.endings.capped > 0) CHECK(candidate.stopped);
        }
        capped += with.endings.capped;
        capped_seconds += one->spent();
        whole_seconds += other->spent();
      }
      CHECK(capped > 10);
      CHECK(capped_seconds < whole_seconds);
    }
  }
}

TEST_CASE("a comparison with capping is the same for any threads, and after any interruption") {
  const auto objective = std::make_shared<test::Timed>(8, heavy_tailed_with_failures, 40.0);
  const Study study = race(objective, 3, "evaluations: 160");
  (void)check_interruptions(study, *objective, {2, 7}, 3);
}

namespace {

/// A solver of three parameters that is fastest at {2, 2, 2}, up to 400 times as fast as elsewhere.
std::shared_ptr<const test::Timed> tuned_solver() {
  return std::make_shared<test::Timed>(
      SearchSpace({make_integers("a", 0, 4), make_integers("b", 0, 4), make_integers("c", 0, 4)}),
      [](const Point& point, Rng& rng) {
        double log_time = 0.5 * rng.normal();
        for (const std::uint16_t index : point.indices()) {
          log_time += 0.5 * (index - 2.0) * (index - 2.0);
        }
        return std::exp(log_time);
      });
}

}  // namespace

TEST_CASE("a racing search ends programs of candidates that have lost, and saves time") {
  double capped_seconds = 0.0;
  double whole_seconds = 0.0;
  std::int64_t capped = 0;
  for (const char* more : {"", ", parallel_evaluations: 4", ", instances: [a, b, c]"}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      for (const bool capping : {false, true}) {
        CAPTURE(more, seed, capping);
        const auto solver = tuned_solver();
        const Study study = test::study_of(
            fmt::format("{{optimiser: {{algorithm: racing, capping: {}}}, runs: 1, iterations: "
                        "200, hold_out: 0, threads: 1, seed: {}{}}}",
                        capping, seed, more),
            solver);
        const StudyResult result = test::run(study);
        (capping ? capped_seconds : whole_seconds) += solver->spent();
        if (!capping) CHECK(result.endings.capped == 0);
        capped += result.endings.capped;
      }
    }
  }
  CHECK(capped > 100);
  CHECK(capped_seconds < 0.7 * whole_seconds);
}

TEST_CASE("a search that ends programs is the same for any threads and interruption") {
  for (const std::string optimiser :
       {"racing", "ntbea", "{algorithm: gaussian_process, scale: linear}"}) {
    const bool quick = optimiser == "racing";  // a search in no time
    bool capped = false;
    for (const char* more : {"", ", parallel_evaluations: 3", ", instances: [a, b, c]"}) {
      CAPTURE(optimiser, more);
      const auto solver = tuned_solver();
      const Study study = test::study_of(
          fmt::format("{{optimiser: {}, runs: 2, iterations: {}, hold_out: 3, threads: 1, "
                      "record: evaluations, seed: 3{}}}",
                      optimiser, quick ? 120 : 60, more),
          solver);
      const std::string journal = check_interruptions(study, *solver, {5}, quick ? 5 : 20);
      capped = capped || journal.find(" m\n") != std::string::npos;
    }
    CHECK(capped);
  }
}

TEST_CASE("a search that has ended programs goes on to more evaluations") {
  const std::string optimiser = GENERATE("racing", "gaussian_process");
  CAPTURE(optimiser);
  const auto solver = tuned_solver();
  const test::TemporaryFolder folder;
  const auto go_on = [&](int iterations) {
    Study study = test::study_of(
        fmt::format("{{optimiser: {}, runs: 2, iterations: {}, hold_out: 3, threads: 1, "
                    "record: evaluations, seed: 3}}",
                    optimiser, iterations),
        solver);
    go_on_from(folder / "out", study);
    Journal journal(folder / "out", study, Journal::Open::kResume);
    return test::outputs(study, test::run(study, &journal));
  };
  go_on(70);
  const double first = solver->spent();
  const std::string more = go_on(140);
  const double before = solver->spent();
  CHECK(before > first);
  CHECK((go_on(140) == more));
  CHECK(solver->spent() == before);
}

TEST_CASE("no program is ended where a search compares logarithms of times") {
  // Five times the logarithm of the best time, 1.2 s, is that of 2.5 s.
  const auto program = std::make_shared<test::Timed>(8, [](const Point& point, Rng& rng) {
    return 1.2 * (1.0 + point[0]) * std::exp(0.02 * rng.normal());
  });
  for (const char* optimiser : {"gaussian_process", "ntbea"}) {
    const Study study = test::study_of(
        fmt::format("{{optimiser: {}, instances: [a, b, c], aggregate: geometric_mean, runs: 1, "
                    "iterations: 80, hold_out: 0, threads: 1}}",
                    optimiser),
        program);
    CHECK(test::run(study).endings.capped == 0);
  }
}

TEST_CASE("runs keep how many of their evaluations were capped") {
  const Study study = test::study_of(
      "{optimiser: racing, runs: 2, iterations: 100, hold_out: 0, threads: 1, record: runs}",
      tuned_solver());
  const test::TemporaryFolder folder;
  StudyResult first;
  {
    Journal journal(folder / "out", study, Journal::Open::kNew);
    first = test::run(study, &journal);
  }
  CHECK(first.endings.capped > 0);
  Journal journal(folder / "out", study, Journal::Open::kResume);
  CHECK(test::run(study, &journal).endings.capped == first.endings.capped);
}

TEST_CASE("what was ended early is evaluated again where more of it is needed") {
  const auto objective = std::make_shared<test::Timed>(3, heavy_tailed);
  Study study;
  study.execution.record = Recording::kEvaluations;
  test::MemoryLog log;
  const Point point = test::arm(1);
  const EvaluationKey key{.stage = Stage::kReEvaluation};
  log.teach({{key, point, {.payoff = -2.0, .ending = Ending::kCapped}}});
  std::atomic<bool> stop = false;
  const EvaluationRecorder recorder(study.execution.on_failure, stop, &log);
  Request request{.key = key, .objective = objective.get(), .point = &point, .stream = Rng(1)};
  request.cap = 2.0;
  CHECK(recorder.recall(request).has_value());
  request.cap = 2.5;
  CHECK_FALSE(recorder.recall(request).has_value());
}

TEST_CASE("only times are capped") {
  const auto timed = std::make_shared<test::Timed>(3, heavy_tailed);
  CHECK(can_be_capped(*timed));
  CHECK_FALSE(can_be_capped(*test::coins({0.5})));
}

TEST_CASE("a bound leaves what still may win, ties included") {
  CapBound bound(2, 10);
  CHECK(std::isinf(bound.left(1000.0, 0)));
  bound.add_whole(3.0);
  CHECK(std::isinf(bound.left(1000.0, 0)));
  bound.add_whole(5.0);
  CHECK(bound.left(20.0, 0) == Approx(30.0));
  CHECK(bound.left(50.0, 0) > 0.0);
  CHECK(bound.left(50.1, 0) < 0.0);
  CHECK(bound.left(20.0, 4) == Approx(10.0));
  bound.add_whole(4.0);
  CHECK(bound.left(20.0, 0) == Approx(20.0));
  CHECK(std::isinf(bound.left(20.0, 10)));
}

TEST_CASE("results say what was capped and whose mean is of its first evaluations") {
  const auto objective = std::make_shared<test::Timed>(8, heavy_tailed, 40.0);
  const Study study = race(objective, 3, "evaluations: 160");
  const StudyResult result = test::run(study);
  const Json json = result_json(study, result, summarise(study, result));
  CHECK(json["capped"] == result.endings.capped);
  std::int64_t stopped = 0;
  for (const Json& row : json["recommended_by_runs"]) {
    stopped += row.value("stopped", false) ? 1 : 0;
    if (row.value("stopped", false)) CHECK_FALSE(row["fresh"].contains("interval"));
  }
  CHECK(stopped > 0);
  CHECK_FALSE(json["recommended_by_runs"][0].contains("cut_off"));
}

}  // namespace ntune
