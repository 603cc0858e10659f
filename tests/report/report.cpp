#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/folder_lock.h"
#include "ntune/core/text.h"
#include "ntune/objective/lambda_objective.h"
#include "ntune/report/data/runs_file.h"
#include "ntune/report/data/study_watch.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/page/page.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/results/result_files.h"
#include "ntune/study/results/result_text.h"
#include "ntune/study/results/summary.h"
#include "ntune/study/run_study.h"
#include "ntune/study/study_yaml.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace {

/// Runs a study with its journal in the folder.
StudyResult run_in(const std::filesystem::path& folder, const std::string& yaml) {
  const Study study = read_study(parse_yaml(yaml));
  std::unique_ptr<Journal> journal;
  if (study.execution.record != Recording::kNone) {
    journal = std::make_unique<Journal>(folder, study, Journal::Open::kNew);
  }
  StudyProgress progress;
  StudyResult result = run_study(study, progress, journal.get());
  write_result(folder, study, result, summarise(study, result));
  return result;
}

constexpr const char* kEvaluations =
    "{objective: {function: hartmann6, noise: win_loss}, runs: 4, iterations: 200, hold_out: 100, "
    "seed: 1, record: evaluations}";
constexpr const char* kRuns =
    "{objective: {function: hartmann6, noise: win_loss}, runs: 4, iterations: 200, hold_out: 100, "
    "seed: 1}";

}  // namespace

TEST_CASE("Runs of a journal that keeps runs are made again as they were") {
  const test::TemporaryFolder kept;
  const test::TemporaryFolder again;
  const StudyResult result = run_in(kept.path(), kEvaluations);
  run_in(again.path(), kRuns);
  const ReportData a = read_report(kept.path(), {});
  const ReportData b = read_report(again.path(), {.trace = {.patience = 60.0}});
  CHECK_FALSE(a.traces.made_again);
  CHECK(b.traces.made_again);
  CHECK(a.traces.evaluations == 800);
  CHECK(b.traces.evaluations == 800);
  REQUIRE(a.traces.runs.size() == 4);
  REQUIRE(b.traces.runs.size() == 4);
  for (std::size_t run = 0; run < 4; ++run) {
    const RunTrace& x = a.traces.runs[run];
    const RunTrace& y = b.traces.runs[run];
    REQUIRE(x.checkpoints.size() == y.checkpoints.size());
    for (std::size_t i = 0; i < x.checkpoints.size(); ++i) {
      CHECK(x.checkpoints[i].evaluations == y.checkpoints[i].evaluations);
      CHECK(x.checkpoints[i].estimate == y.checkpoints[i].estimate);
    }
    CHECK(x.checkpoints.back().estimate == result.cells[0].runs[run].estimate);
    CHECK(x.checkpoints.back().point == result.cells[0].runs[run].point);
  }
  CHECK(a.searches[0].all().sum == b.searches[0].all().sum);
}

TEST_CASE("The page of a study limited by time or cost replays what the study recorded") {
  const std::string function = "objective: {function: hartmann6, noise: win_loss}, ";
  const std::string program =
      "objective: {command: [sh, -c, 'echo \"{{\\\"value\\\": {x}, \\\"cost\\\": {y}}}\"'], "
      "result: "
      "json}, space: {x: {integers: [1, 5]}, y: {integers: [1, 3]}}, ";
  for (const std::string& study :
       {function + "time: 0.5 s", function + "time: 0.5 s, runs: 2",
        function + "time: 0.4 s, parallel_evaluations: 3", function + "time: 1 h, budget: 400",
        program + "budget: {cost: 60}", program + "budget: {cost: 80}, runs: 2"}) {
    CAPTURE(study);
    const test::TemporaryFolder folder;
    const StudyResult result =
        run_in(folder.path(), "{" + study + ", seed: 1, record: evaluations}");
    const auto& runs = result.cells[0].runs;
    std::vector<ReportData> pages;
    pages.push_back(read_report(folder.path(), {}));
    const ReportData& data = pages[0];
    CHECK_FALSE(data.traces.made_again);
    CHECK(data.traces.evaluations == result.search_evaluations);
    REQUIRE(data.traces.runs.size() == runs.size());
    for (std::size_t run = 0; run < runs.size(); ++run) {
      const auto& checkpoints = data.traces.runs[run].checkpoints;
      REQUIRE_FALSE(checkpoints.empty());
      CHECK(checkpoints.back().evaluations == runs[run].evaluations);
      CHECK(checkpoints.back().estimate == runs[run].estimate);
      CHECK(checkpoints.back().point == runs[run].point);
    }
    CHECK_THAT(report_page(pages), Catch::Matchers::ContainsSubstring("</html>"));
  }
}

TEST_CASE("Search statistics equal sums over all evaluations, one by one") {
  const test::TemporaryFolder folder;
  run_in(folder.path(), kEvaluations);
  const StudyFolder study(folder.path());
  std::map<std::tuple<int, int, int, int>, PayoffSum> pairs;
  std::map<std::pair<int, int>, PayoffSum> ones;
  SearchStatistics search(study.objective(0));
  trace_runs(study, {}, [&](const SearchEvaluation& evaluation) {
    search.add(evaluation.point, evaluation.payoff, evaluation.progress);
    for (int a = 0; a < 6; ++a) {
      ones[{a, evaluation.point[a]}].add(evaluation.payoff);
      for (int b = a + 1; b < 6; ++b) {
        pairs[{a, b, evaluation.point[a], evaluation.point[b]}].add(evaluation.payoff);
      }
    }
  });
  for (int a = 0; a < 6; ++a) {
    for (int g = 0; g < 5; ++g) {
      const PayoffSum& one = search.one(a, static_cast<std::size_t>(g));
      CHECK(one.n == (ones[{a, g}]).n);
      CHECK(one.sum == (ones[{a, g}]).sum);
      for (int b = a + 1; b < 6; ++b) {
        for (int h = 0; h < 5; ++h) {
          const PayoffSum& two =
              search.two(a, b, static_cast<std::size_t>(g), static_cast<std::size_t>(h));
          CHECK(two.n == (pairs[{a, b, g, h}]).n);
          CHECK(two.squares == (pairs[{a, b, g, h}]).squares);
        }
      }
    }
  }
}

TEST_CASE("Importance finds what a function is made of") {
  const LambdaObjective objective(
      SearchSpace({make_integers("a", 0, 3), make_integers("b", 0, 3), make_integers("c", 0, 3),
                   make_integers("idle", 0, 3)}),
      [](const Settings&, Rng&) { return 0.0; }, "sum");
  SearchStatistics search(objective);
  Rng rng(1);
  for (int i = 0; i < 20'000; ++i) {
    const Point point = objective.space().sample(rng);
    const double pair = (point[1] < 2) == (point[2] < 2) ? 1.0 : -1.0;
    search.add(point, point[0] + pair + rng.normal(), 0.0);
  }
  // Variances: a 1.25, b x c 1, noise 1.
  const Importance importance = importance_of(search);
  CHECK(importance.mains[0] == Approx(1.25 / 3.25).margin(0.02));
  CHECK(importance.mains[1] == Approx(0.0).margin(0.003));
  CHECK(importance.mains[3] == Approx(0.0).margin(0.003));
  CHECK(importance.pairs[0].a == 1);
  CHECK(importance.pairs[0].b == 2);
  CHECK(importance.pairs[0].share == Approx(1.0 / 3.25).margin(0.02));
  CHECK(importance.pairs[1].share == Approx(0.0).margin(0.003));
  REQUIRE(importance.noise.has_value());
  CHECK(*importance.noise == Approx(1.0 / 3.25).margin(0.02));
}

TEST_CASE("Terminal, result and page give one probability of being best") {
  const test::TemporaryFolder folder;
  const Study study = read_study(parse_yaml(kRuns));
  const StudyResult result = run_in(folder.path(), kRuns);
  const Pick& pick = result.cells[0].picks[0];
  REQUIRE(pick.comparison.candidates.size() > 1);
  REQUIRE(pick.comparison.standing.has_value());
  const double probability = pick.comparison.standing->best_probability;
  const ReportData data = read_report(folder.path(), {});
  const Json& best = data.study.result["recommendation"];
  CHECK(best["best_probability"] == probability);
  CHECK(best["regret"] == 0.5 * pick.comparison.standing->regret);  // in probabilities of a win
  CHECK(best["best_among"] == pick.comparison.candidates.size());
  CHECK_THAT(result_text(study, result, summarise(study, result)),
             Catch::Matchers::ContainsSubstring(
                 fmt::format("best         with probability {:.3f}, of the {} points", probability,
                             pick.comparison.candidates.size())));
  CHECK(data.rivals[0].recommended);
  CHECK(data.rivals[0].best_probability == probability);
  double sum = 0.0;
  for (const Rival& rival : data.rivals) sum += rival.best_probability.value_or(0.0);
  CHECK(sum == Approx(1.0));
}

TEST_CASE("Every figure of a study has panels, a text and no empty name") {
  const test::TemporaryFolder folder;
  run_in(folder.path(), kEvaluations);
  const ReportData data = read_report(folder.path(), {});
  std::vector<std::string> made;
  for (const FigureEntry& entry : figure_table()) {
    for (const Figure& figure : entry.make(data)) {
      made.push_back(entry.name);
      CHECK(figure.name == entry.name);
      CHECK_FALSE(figure.panels.empty());
      CHECK_FALSE(figure.title.empty());
      CHECK_FALSE(figure.description.empty());
    }
  }
  CHECK(made == std::vector<std::string>{"candidates", "convergence", "main_effects", "pairs",
                                         "importance", "agreement", "parallel", "sampling"});
}

TEST_CASE("A page shows the numbers of the result") {
  const test::TemporaryFolder folder;
  run_in(folder.path(), kRuns);
  std::vector<ReportData> studies;
  studies.push_back(read_report(folder.path(), {.defaults = {"x1=0.4"}}));
  const std::string page = report_page(studies);
  const Json& best = studies[0].study.result["recommendation"];
  for (const char* key : {"value", "estimate", "true_value"}) {
    CHECK(page.find(fmt::format("<data value=\"{}\">", best[key].get<double>())) !=
          std::string::npos);
  }
  CHECK(page.find("<script src") == std::string::npos);
}

TEST_CASE("A comparison's report pairs its cells") {
  const test::TemporaryFolder folder;
  const StudyResult result = run_in(
      folder.path(),
      "{objective: {function: hartmann6, noise: win_loss}, optimisers: [ntbea, random], runs: 6, "
      "iterations: 60, seed: 1}");
  const ReportData data = read_report(folder.path(), {});
  REQUIRE(data.cells.size() == 2);
  CHECK(data.cells[0].differences.empty());
  REQUIRE(data.cells[1].differences.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(data.cells[1].differences[i] ==
          *result.cells[1].runs[i].score - *result.cells[0].runs[i].score);
  }
}

TEST_CASE("runs.csv is read back, whatever the values are") {
  const test::TemporaryFolder folder;
  run_in(folder.path(), kRuns);
  const StudyFolder study(folder.path());
  REQUIRE(study.runs.size() == 4);
  CHECK_THROWS_AS(
      read_runs("run,evaluations,estimate,true_value,x1,x2,x3,x4,x5,x6\n0,1,2,3,9,9,9,9,9,9\n",
                "runs.csv", study.study),
      InputError);
}

TEST_CASE("A study is watched while its journal grows") {
  const test::TemporaryFolder whole;
  const test::TemporaryFolder growing;
  const StudyResult result = run_in(whole.path(), kEvaluations);
  const std::string journal = read_file(whole / "journal.log", 100'000'000);
  const std::filesystem::path path = growing / "journal.log";
  std::ofstream file(path, std::ios::binary);
  // Half of the lines, and half of the next one.
  std::size_t half = journal.find('\n', journal.size() / 2) + 40;
  file << journal.substr(0, half) << std::flush;
  StudyWatch watch(growing.path());
  CHECK(watch.look().state == StudyStatus::State::kStopped);
  const FolderLock lock(growing.path());
  StudyStatus status = watch.look();
  CHECK(status.state == StudyStatus::State::kRunning);
  CHECK(status.evaluations > 0);
  CHECK(status.evaluations < 800);
  CHECK_FALSE(status.recommendation.empty());
  file << journal.substr(half) << std::flush;
  status = watch.look();
  CHECK(status.evaluations == result.evaluations());
  CHECK(status.runs == 4);
  StudyWatch done(whole.path());
  CHECK(done.look().state == StudyStatus::State::kDone);
}

TEST_CASE("What is no study is refused in one line") {
  const test::TemporaryFolder folder;
  CHECK_THROWS_AS(read_report(folder / "nowhere", {}), InputError);
  CHECK_THROWS_AS(read_report(folder.path(), {}), InputError);
  CHECK_THROWS_AS(StudyWatch(folder.path()), InputError);
  CHECK_THROWS_WITH(find_figure("paralel"), Catch::Matchers::ContainsSubstring("'parallel'"));
  std::ofstream(folder / "result.json") << "{}";
  CHECK_THROWS_AS(read_report(folder.path(), {}), InputError);
}

TEST_CASE("Failures stand on the page by cause and by value") {
  const test::TemporaryFolder folder;
  const StudyResult result = run_in(
      folder.path(),
      "{objective: {command: 'if test {x} = 2; then echo lost at move {seed} \"<x>\" >&2; exit 3; "
      "fi; "
      "echo {x}.5', shell: true}, space: {x: [1, 2, 3], y: [1, 2]}, runs: 2, iterations: 20, "
      "optimiser: random, hold_out: 2, fail: skip, seed: 1}");
  REQUIRE(result.failures > 0);
  for (const bool with_result : {true, false}) {
    if (!with_result) std::filesystem::remove(folder / "result.json");
    std::vector<ReportData> studies;
    studies.push_back(read_report(folder.path(), {}));
    const ReportData& data = studies[0];
    CHECK(data.failed == result.failures);
    REQUIRE(data.failures.size() == 1);
    CHECK(data.failures[0].cause == "exit status 3: lost at move N <x>");
    CHECK(data.failures[0].count == result.failures);
    CHECK_THAT(data.failures[0].example, Catch::Matchers::ContainsSubstring("command: cd "));
    REQUIRE_FALSE(data.value_failures.empty());
    CHECK(data.value_failures[0].parameter == "x");
    CHECK(data.value_failures[0].value == "2");
    CHECK(data.value_failures[0].evaluations == data.value_failures[0].failures);
    const std::string page = report_page(studies);
    CHECK_THAT(page, Catch::Matchers::ContainsSubstring("exit status 3: lost at move N &lt;x&gt;"));
    CHECK_THAT(page, Catch::Matchers::ContainsSubstring("<summary>one of them</summary>"));
    CHECK_THAT(page, Catch::Matchers::ContainsSubstring("Failures by value"));
  }
}

TEST_CASE("The page sets settings beside instances, and says which instances disagree") {
  const test::TemporaryFolder folder;
  const std::string study =
      "{objective: {function: nk, dimensions: 3, k: 1, noise: {gaussian: 0.05}}, instances: "
      "[{seed: 1}, {seed: 2}, {seed: 3}], test_instances: [{seed: 8, name: last}], optimiser: "
      "racing, runs: 2, iterations: 60, re_evaluation: 24, hold_out: 12, record: ";
  const StudyResult result = run_in(folder / "evaluations", study + "evaluations}");
  std::vector<ReportData> studies;
  studies.push_back(read_report(folder / "evaluations", {}));
  const InstanceMap& map = studies[0].instances;
  CHECK(map.instances == std::vector<std::string>{"seed=1", "seed=2", "seed=3", "last"});
  REQUIRE(map.rows.size() >= 2);
  CHECK(map.rows[0].name == "recommended");
  CHECK(map.rows[0].point == result.cells[0].picks[0].point);
  CHECK(map.rows[0].by_instance[3].count() == 12);
  std::int64_t count = 0;
  for (const InstanceMap::Row& row : map.rows) {
    for (const RunningStats& stats : row.by_instance) count += stats.count();
  }
  CHECK(count <= 120 + 24 + 12);
  const std::string page = report_page(studies);
  CHECK(page.find("Settings by instances") != std::string::npos);
  CHECK(page.find("three standard errors") != std::string::npos);
  // A journal of runs does not know it.
  run_in(folder / "runs", study + "runs}");
  CHECK(read_report(folder / "runs", {}).instances.rows.empty());

  const auto row = [](std::vector<RunningStats> by_instance) {
    return InstanceMap::Row{.name = {}, .point = {}, .by_instance = std::move(by_instance)};
  };
  const std::vector<double> low = {0.9, 1.0, 1.1};
  const std::vector<double> high = {1.9, 2.0, 2.1};
  const InstanceMap made{.instances = {"a", "b", "c"},
                         .rows = {row({stats_of(low), stats_of(high), stats_of(low)}),
                                  row({stats_of(high), stats_of(low), {}})}};
  CHECK(made.disagreeing(Unit()) == std::vector<std::size_t>{0});
}

}  // namespace ntune
