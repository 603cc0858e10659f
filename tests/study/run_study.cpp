#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/model/evaluation.h"
#include "ntune/study/run/run.h"
#include "study/make.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using test::arms;
using test::study_of;

namespace {

std::string failure_of_run(const Study& study) {
  try {
    test::run(study);
  } catch (const EvaluationError& error) {
    return error.what();
  }
  return "no error";
}

/// Arms that count their evaluations.
struct Counted {
  std::shared_ptr<std::atomic<std::int64_t>> calls = std::make_shared<std::atomic<std::int64_t>>(0);
  std::shared_ptr<const Objective> objective;

  explicit Counted(int count) {
    objective = arms(count, [calls = calls](const Point& point, Rng& rng) {
      ++*calls;
      return 0.1 * point[0] + rng.normal();
    });
  }
};

}  // namespace

TEST_CASE("a study is byte for byte the same for 1, 2, 3 and 8 threads") {
  const std::vector<std::string> studies = {
      "{objective: hartmann6, runs: 6, iterations: 60}",
      "{objective: {function: hartmann3, noise: {gaussian: 0.2}}, budget: 700, repeats: 3, "
      "splits: [1 x 100, {runs: 4}, {runs: 8}]}",
      "{objectives: [hartmann3, branin], optimisers: [ntbea, {weighting: linear, label: linear}, "
      "random, {algorithm: rmhc}], iterations: [20, 50], runs: 5}",
  };
  for (const std::string& yaml : studies) {
    Study study = study_of(yaml);
    study.execution.threads = 1;
    const std::string expected = test::full_outputs(study);
    CHECK(expected.size() > 5000);
    for (const int threads : {2, 3, 8}) {
      study.execution.threads = threads;
      CHECK((test::full_outputs(study) == expected));
    }
  }
}

TEST_CASE("an adaptive split is the same for every number of threads and keeps its budget") {
  Study study = study_of(
      "{objective: hartmann3, budget: 400, splits: [adaptive, 3 x 100], optimisers: [ntbea, rmhc], "
      "repeats: 3, parallel_evaluations: 3, hold_out: 20}");
  study.execution.threads = 1;
  const std::string expected = test::full_outputs(study);
  study.execution.threads = 3;
  CHECK((test::full_outputs(study) == expected));
  const StudyResult result = test::run(study);
  CHECK(study.plans[0].label() == "adaptive 380");
  for (const RunRecord& run : result.cells[0].runs) CHECK(run.evaluations == 380);
  CHECK(result.cells[0].picks[0].comparison.evaluations == 0);
}

TEST_CASE("of many runs the chosen one alone says what it claims, the same as each would") {
  for (const char* more : {"", ", parallel_evaluations: 3", ", re_evaluation: 0"}) {
    CAPTURE(more);
    const std::string text =
        std::string("{objective: branin, iterations: 30, runs: 60, hold_out: 5") + more;
    const Study study = study_of(text + "}");
    const StudyResult result = test::run(study);
    for (const RunRecord& run : result.cells[0].runs) CHECK_FALSE(run.certainty);
    const Pick& pick = result.cells[0].picks[0];
    const Claim claim = pick.certainty.value().claim.value();
    CHECK(pick.estimate == claim.mean);

    StudyProgress progress;
    LocalBackend backend(1);
    Evaluator evaluator(study, backend, progress);
    Parallel parallel(1);
    RunTask task = make_run_task(study, 0, 0, pick.run);
    task.claims = true;
    const RunRecord run = run_once(task, evaluator, parallel);
    CHECK(run.certainty.value().claim.value().low == claim.low);
    CHECK(run.certainty.value().best_probability == pick.certainty->best_probability);
    CHECK(test::outputs(study_of(text + ", threads: 3}")) == test::outputs(study, result));
  }
}

TEST_CASE("an optimiser that would rather stop ends its run") {
  /// Stops after 10 payoffs.
  class Content final : public Optimiser {
   public:
    Proposal ask(Rng&) override { return {.point = Point(1)}; }
    void tell(const Proposal&, const Report&) override { ++told_; }
    [[nodiscard]] Recommendation recommend() const override {
      return {.point = Point(1), .estimate = 0.25, .evaluations = told_};
    }
    [[nodiscard]] std::optional<Certainty> certainty() const override {
      return Certainty{.sd = 0.125, .best_probability = 0.75};
    }
    [[nodiscard]] bool done() const override { return told_ >= 10; }

   private:
    std::int64_t told_ = 0;
  };
  for (const int in_flight : {1, 4}) {
    Study study = study_of(fmt::format("{{runs: 2, iterations: 50, hold_out: 5, "
                                       "parallel_evaluations: {}}}",
                                       in_flight),
                           test::coins({0.2, 0.8}));
    study.optimisers[0].plans[0].make = [](const OptimiserContext&) {
      return std::make_unique<Content>();
    };
    const StudyResult result = test::run(study);
    CHECK(result.cells[0].runs[0].evaluations == 9 + in_flight);
    CHECK(result.search_evaluations == 2 * (9 + in_flight));
    const Json recommendation =
        result_json(study, result, summarise(study, result))["recommendation"];
    CHECK(recommendation["best_probability"] == 0.75);
    CHECK(recommendation["estimate_interval"][0] == 0.25 - 1.96 * 0.125);
    CHECK(recommendation["estimate_interval"][1] == 0.25 + 1.96 * 0.125);
  }
}

TEST_CASE("a study whose runs are held out is the same for every number of threads") {
  Study study = study_of("{runs: 5, iterations: 40, optimisers: [ntbea, random]}",
                         test::coins({0.2, 0.4, 0.6, 0.5}));
  study.execution.threads = 1;
  const std::string expected = test::full_outputs(study);
  for (const int threads : {2, 3, 8}) {
    study.execution.threads = threads;
    CHECK((test::full_outputs(study) == expected));
  }
}

TEST_CASE("another seed gives another study") {
  const auto evaluations = [](const std::string& seed) {
    test::MemoryLog log;
    test::run(study_of("{objective: hartmann6, runs: 3, iterations: 40, seed: " + seed + "}"),
              &log);
    return log.text();
  };
  CHECK(evaluations("1") != evaluations("2"));
}

TEST_CASE("more runs do not change the runs before") {
  const StudyResult few = test::run(study_of("{objective: hartmann6, runs: 2, iterations: 40}"));
  const StudyResult many = test::run(study_of("{objective: hartmann6, runs: 5, iterations: 40}"));
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(few.cells[0].runs[i].point == many.cells[0].runs[i].point);
    CHECK(few.cells[0].runs[i].estimate == many.cells[0].runs[i].estimate);
  }
}

TEST_CASE("the cells of a comparison use the same streams") {
  // Random search asks for the same points whatever the budget, so its runs begin alike.
  const Study study =
      study_of("{objective: hartmann6, optimiser: random, runs: 3, iterations: [10, 20]}");
  test::MemoryLog log;
  test::run(study, &log);
  const auto search = log.sorted(Stage::kSearch);
  REQUIRE(search.size() == 3 * 10 + 3 * 20);
  for (std::size_t run = 0; run < 3; ++run) {
    const auto& first = search[10 * run];
    const auto& second = search[30 + 20 * run];
    CHECK(first.key.cell == 0);
    CHECK(second.key.cell == 1);
    CHECK(first.point == second.point);
    CHECK(first.outcome.payoff == second.outcome.payoff);
  }
}

TEST_CASE("the evaluations reported are the evaluations made") {
  const std::vector<std::string> studies = {
      "{runs: 4, iterations: 50}",
      "{runs: 1, iterations: 50}",
      "{budget: 600, runs: 7}",
      "{budget: 600, runs: 7, re_evaluation: {method: repeats, share: 0.4}}",
      "{runs: 4, iterations: 50, re_evaluation: none, hold_out: 0}",
      "{budget: 500, splits: [1 x 100, {runs: 4}, {runs: 9}], repeats: 3}",
      "{optimisers: [ntbea, random], iterations: [20, 30], runs: 3}",
  };
  for (const std::string& yaml : studies) {
    CAPTURE(yaml);
    const Counted counted(6);
    const Study study = study_of(yaml, counted.objective);
    CHECK(*counted.calls == 0);
    StudyProgress progress;
    const StudyResult result = run_study(study, progress);
    CHECK(result.evaluations() == *counted.calls);
    CHECK(result.evaluations() <= total_evaluations(study));
    CHECK(progress.total_evaluations == total_evaluations(study));
    CHECK(progress.evaluations == *counted.calls);
    CHECK(progress.runs == progress.total_runs);
    CHECK_FALSE(result.interrupted);
    std::int64_t picked = 0;
    for (const CellResult& cell : result.cells) {
      for (const Pick& pick : cell.picks) picked += pick.evaluations;
    }
    CHECK(picked == *counted.calls);
  }
}

TEST_CASE("a study with a budget never exceeds it") {
  Rng rng(4);
  for (int i = 0; i < 60; ++i) {
    const Counted counted(8);
    const int budget = 30 + static_cast<int>(rng.below(300));
    const int runs = 1 + static_cast<int>(rng.below(10));
    const Study study =
        study_of("{budget: " + std::to_string(budget) + ", runs: " + std::to_string(runs) + "}",
                 counted.objective);
    const StudyResult result = test::run(study);
    REQUIRE(*counted.calls <= budget);
    REQUIRE(result.evaluations() == *counted.calls);
  }
}

TEST_CASE("a study finds the best arm") {
  const Study study =
      study_of("{runs: 5, iterations: 200}", test::coins({0.2, 0.3, 0.8, 0.1, 0.25}));
  const StudyResult result = test::run(study);
  const Pick& pick = result.cells[0].picks[0];
  CHECK(pick.finished);
  CHECK(pick.point == test::arm(2));
  REQUIRE(pick.hold_out.interval.has_value());
  CHECK(pick.hold_out.interval->low <= 0.8);
  CHECK(0.8 <= pick.hold_out.interval->high);
  CHECK_FALSE(pick.true_value.has_value());
}

TEST_CASE("the hold-out interval covers the true value as often as it says", "[statistical]") {
  // 95 % intervals of 300 studies: a standard error of 1.3 points, bounds at 3.5 of those. Of
  // wins and losses the interval covers from 93 to 98 % with the probability. How the points were
  // found does not matter: NTBEA is the quickest.
  for (const char* noise : {"win_loss", "{gaussian: 0.3}"}) {
    Study study = study_of(std::string("{objective: {function: hartmann3, noise: ") + noise +
                           "}, optimiser: ntbea, runs: 3, iterations: 30, hold_out: 60}");
    study.execution.threads = 2;
    int covered = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      study.seed = seed;
      const StudyResult result = test::run(study);
      const Pick& pick = result.cells[0].picks[0];
      REQUIRE(pick.hold_out.interval.has_value());
      if (pick.hold_out.interval->low <= *pick.true_value &&
          *pick.true_value <= pick.hold_out.interval->high) {
        ++covered;
      }
    }
    CAPTURE(noise);
    CHECK(covered >= 271);
    CHECK(covered <= 298);
  }
}

TEST_CASE("intervals of payoffs by what is known of them") {
  const auto of = [](const Payoffs& payoffs, const std::vector<double>& values) {
    const auto objective = arms(
        2, [](const Point&, Rng&) { return 0.0; }, payoffs);
    return payoff_interval({*objective}, stats_of(values));
  };
  Payoffs exact_payoffs;
  exact_payoffs.noisy = false;
  const std::vector<double> values = {-1, 1, 1, 1};
  const auto wins = of({.low = -1.0, .high = 1.0, .two_valued = true}, values);
  const Interval share =
      mean_interval(stats_of(std::vector<double>{0, 1, 1, 1}), {0.0, 1.0}).value();
  CHECK(wins->low == Approx(2 * share.low - 1));
  CHECK(wins->high == Approx(2 * share.high - 1));
  // The range of games is evident; others have Student's interval.
  CHECK(of({}, values)->low == Approx(wins->low));
  const std::vector<double> times = {-1.5, 2.5, 7.25, 3.0};
  CHECK(of({}, times)->low == Approx(student_interval(stats_of(times)).low));
  CHECK(of({.low = -1.5}, {-1.5, -1.25, 2.0})->low == -1.5);
  CHECK_FALSE(of({}, {5.0, 5.0, 5.0}).has_value());
  CHECK_FALSE(of({}, {1.0, 1.0, 1.0}).has_value());
  CHECK_FALSE(of({}, {1.0}).has_value());
  CHECK_FALSE(of({}, {}).has_value());
  const auto exact = of(exact_payoffs, {0.7});
  CHECK(exact->low == 0.7);
  CHECK(exact->high == 0.7);
  CHECK_FALSE(of(exact_payoffs, {}).has_value());
}

TEST_CASE("differences are judged alike in any unit, unless the payoffs are results of games") {
  const auto objective = arms(2, [](const Point&, Rng&) { return 0.0; });
  const auto of = [&](const std::vector<double>& ours, const std::vector<double>& theirs) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < ours.size(); ++i) differences.push_back(ours[i] - theirs[i]);
    return payoff_difference({*objective}, stats_of(differences), stats_of(ours), stats_of(theirs))
        .interval;
  };
  // Whole numbers, as of points or bytes: differences of 0 and 1 are no results of games.
  for (const double unit : {1e-6, 0.25, 0.5, 1.0, 1e6}) {
    CAPTURE(unit);
    const double x = 36.0 * unit;
    const double y = 37.0 * unit;
    CHECK_FALSE(of({x, y, y, x}, {x, y, y, x}).has_value());
    const auto varied = of({x, y, y, y}, {x, x, x, y});
    REQUIRE(varied.has_value());
    const Interval student = student_interval(stats_of(std::vector<double>{0, 1, 1, 0}));
    CHECK(varied->low == Approx(unit * student.low));
    CHECK(varied->high == Approx(unit * student.high));
    const auto constant = of({y, y, y, y, y, y}, {x, x, x, x, x, x});
    REQUIRE(constant.has_value());
    CHECK(constant->low > 0.0);
    CHECK(constant->low < unit);
    CHECK(constant->high - unit == Approx(unit - constant->low));
    const auto worse = of({x, x, x, x, x, x}, {y, y, y, y, y, y});
    REQUIRE(worse.has_value());
    CHECK(worse->low == Approx(-constant->high));
    CHECK(worse->high == Approx(-constant->low));
  }
  // Games that were not declared show themselves by the payoffs.
  const auto level = of({0.0, 1.0, 0.5, 1.0}, {0.0, 1.0, 0.5, 1.0});
  REQUIRE(level.has_value());
  CHECK(level->high > 0.1);
  CHECK(level->high < 1.0);
  // Those of one point may look like games by chance; the difference shows that they are none.
  const RunningStats seen = stats_of(std::vector<double>{0.0, 1.0, 0.0});
  const RunningStats differences = stats_of(std::vector<double>{40.0, 36.0, 38.0});
  CHECK(payoff_difference({*objective}, differences, seen, {}).interval->low ==
        Approx(student_interval(differences).low));
}

TEST_CASE("payoffs that are not finite end a study with objective, point and reason") {
  for (const double payoff :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    const Study study =
        study_of("{runs: 2, iterations: 50}",
                 arms(3, [=](const Point& point, Rng&) { return point[0] == 2 ? payoff : 0.0; }));
    CHECK(failure_of_run(study) == "evaluation failed: arms: the payoff is " +
                                       fmt::format("{}", payoff) +
                                       ", a finite number is allowed at arm = 2");
  }
}

TEST_CASE("an objective that throws ends a study with objective, point and reason") {
  const auto failing = [](auto action) {
    return study_of("{runs: 2, iterations: 50}", arms(3, [=](const Point& point, Rng&) {
                      if (point[0] == 1) action();
                      return 0.0;
                    }));
  };
  CHECK(failure_of_run(failing([] { throw std::runtime_error("engine crashed\nat move 3"); })) ==
        "evaluation failed: arms: engine crashed\\nat move 3 at arm = 1");
  CHECK(failure_of_run(failing([] { throw InputError("no such parameter"); })) ==
        "evaluation failed: arms: no such parameter at arm = 1");
  CHECK(failure_of_run(failing([] { throw 5; })) ==
        "evaluation failed: arms: an exception of unknown type at arm = 1");
}

TEST_CASE("a failure while picks are compared or held out ends a study too") {
  // Fails from the 100th evaluation on: after the search.
  for (const char* yaml : {"{runs: 4, iterations: 25, re_evaluation: 50, hold_out: 0}",
                           "{runs: 1, iterations: 100, hold_out: 50}",
                           "{runs: 2, iterations: 50, optimisers: [ntbea], hold_out: 50}"}) {
    auto calls = std::make_shared<std::atomic<int>>(0);
    const Study study = study_of(yaml, arms(50, [calls](const Point&, Rng& rng) {
                                   if (++*calls > 100) throw std::runtime_error("worn out");
                                   return rng.uniform();
                                 }));
    CHECK_THAT(failure_of_run(study),
               ContainsSubstring("evaluation failed: arms: worn out at arm = "));
  }
}

TEST_CASE("a stopped study returns soon with the runs that have finished") {
  auto calls = std::make_shared<std::atomic<int>>(0);
  StudyProgress progress;
  // Two runs of 100, then the flag turns in the third.
  const auto objective = arms(4, [calls, &progress](const Point& point, Rng& rng) {
    if (++*calls == 250) progress.stop = true;
    return 0.5 * point[0] + rng.normal();
  });
  Study study = study_of("{runs: 1000, iterations: 100, threads: 1}", objective);
  const StudyResult result = run_study(study, progress);
  CHECK(result.interrupted);
  CHECK(*calls == 250);
  CHECK(result.search_evaluations == 200);
  CHECK(result.re_evaluations == 0);
  CHECK(result.hold_out_evaluations == 0);
  int finished = 0;
  for (const RunRecord& run : result.cells[0].runs) finished += run.finished ? 1 : 0;
  CHECK(finished == 2);
  const Pick& pick = result.cells[0].picks[0];
  CHECK_FALSE(pick.finished);
  CHECK(pick.point.size() == 1);
  // The finished runs are those of the whole study.
  study = study_of("{runs: 3, iterations: 100, threads: 1}", objective);
  const StudyResult whole = test::run(study);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(result.cells[0].runs[i].point == whole.cells[0].runs[i].point);
    CHECK(result.cells[0].runs[i].estimate == whole.cells[0].runs[i].estimate);
  }
}

TEST_CASE("failures of a run that is stopped are counted no more than its evaluations") {
  auto calls = std::make_shared<std::atomic<int>>(0);
  StudyProgress progress;
  const auto objective = arms(4, [calls, &progress](const Point&, Rng& rng) {
    if (++*calls == 50) progress.stop = true;
    if (*calls % 3 == 0) throw std::runtime_error("worn out");
    return rng.uniform();
  });
  const Study study =
      study_of("{runs: 1, iterations: 100, hold_out: 0, threads: 1, fail: skip}", objective);
  const StudyResult result = run_study(study, progress);
  CHECK(result.interrupted);
  CHECK(result.evaluations() == 0);
  CHECK(result.failures == 0);
  CHECK(result.failure_statistics[0].causes.count() == 0);
}

TEST_CASE("a study that is stopped before it starts makes no evaluation") {
  const Counted counted(4);
  for (const char* yaml : {"{runs: 3, iterations: 50}", "{optimisers: [ntbea, random], runs: 3}"}) {
    StudyProgress progress;
    progress.stop = true;
    const Study study = study_of(yaml, counted.objective);
    const StudyResult result = run_study(study, progress);
    CHECK(result.interrupted);
    CHECK(*counted.calls == 0);
    CHECK(result.evaluations() == 0);
    // Its files can be written all the same.
    CHECK_NOTHROW(test::outputs(study, result));
  }
}

TEST_CASE("a study that is stopped while picks are held out keeps its runs") {
  auto calls = std::make_shared<std::atomic<int>>(0);
  StudyProgress progress;
  const auto objective = arms(4, [calls, &progress](const Point&, Rng& rng) {
    if (++*calls == 120) progress.stop = true;
    return rng.normal();
  });
  const Study study =
      study_of("{runs: 1, iterations: 100, hold_out: 1000000, threads: 1}", objective);
  const StudyResult result = run_study(study, progress);
  CHECK(result.interrupted);
  CHECK(*calls == 120);
  CHECK(result.search_evaluations == 100);
  CHECK(result.hold_out_evaluations == 0);
  CHECK_FALSE(result.cells[0].picks[0].hold_out.interval.has_value());
}

TEST_CASE("a study stops from another thread") {
  StudyProgress progress;
  const Study study =
      study_of("{objective: hartmann6, runs: 8, iterations: 100000000, threads: 4}");
  std::jthread watcher([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    progress.stop = true;
  });
  const StudyResult result = run_study(study, progress);
  CHECK(result.interrupted);
}

TEST_CASE("one run asks, evaluates and tells as often as it should") {
  const Study study = study_of("{objective: hartmann3, optimiser: random, iterations: 500}");
  StudyProgress progress;
  test::MemoryLog log;
  LocalBackend backend(1);
  Evaluator evaluator(study, backend, progress, &log);
  Parallel parallel(1);
  const RunTask task = make_run_task(study, 0, 0, 3);
  const Objective& objective = *task.objective;
  const RunRecord run = run_once(task, evaluator, parallel);
  CHECK(run.finished);
  CHECK(run.run == 3);
  CHECK(run.evaluations == 500);
  CHECK(run.failures == 0);
  CHECK(progress.evaluations == 500);
  CHECK(run.true_value == true_value_of(objective, run.point));
  const auto evaluations = log.sorted();
  REQUIRE(evaluations.size() == 500);
  std::int64_t same = 0;
  for (const auto& evaluation : evaluations) same += evaluation.point == run.point ? 1 : 0;
  CHECK(run.point_evaluations == same);
  // Each evaluation has a stream of its own, named by its index.
  for (const std::size_t i : {0U, 7U, 499U}) {
    Rng stream = task.stream.stream("evaluation", i);
    CHECK(objective.evaluate(evaluations[i].point, stream) == evaluations[i].outcome.payoff);
  }
}

TEST_CASE("an earlier stage that was as long as the whole run is none") {
  Study study = test::study_of("{iterations: 50, runs: 1}", test::coins({0.2, 0.5}));
  const auto left = [&](const std::vector<std::int64_t>& iterations) {
    study.earlier.clear();
    for (const std::int64_t each : iterations) {
      study.earlier.push_back({.plans = {{.iterations = each}}});
    }
    return make_run_task(study, 0, 0, 0).earlier.size();
  };
  CHECK(left({50}) == 0);
  CHECK(left({20}) == 1);
  CHECK(left({20, 20}) == 1);
  CHECK(left({20, 50}) == 1);
}

}  // namespace ntune
