#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/folder_lock.h"
#include "ntune/core/text.h"
#include "ntune/facts/result_text.h"
#include "ntune/objective/lambda_objective.h"
#include "ntune/report/data/study_watch.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/page/page.h"
#include "ntune/study/evaluation/study_log.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/results/result_files.h"
#include "ntune/study/results/summary.h"
#include "ntune/study/run_study.h"
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

namespace {

/// The journal as an older version has written it: without the traces of its runs.
void forget_traces(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kJournalName;
  std::string text = read_file(path, 1'000'000'000);
  const std::string begin = R"(,"trace":")";
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin)) {
    text.erase(at, text.find('"', at + begin.size()) + 1 - at);
  }
  write_file_atomically(path, text);
}

void check_same_traces(const Traces& a, const Traces& b) {
  CHECK(a.is_whole());
  CHECK(b.is_whole());
  CHECK(a.evaluations == 800);
  CHECK(b.evaluations == 800);
  REQUIRE(a.runs.size() == 4);
  REQUIRE(b.runs.size() == 4);
  for (std::size_t run = 0; run < 4; ++run) {
    const RunTrace& x = a.runs[run];
    const RunTrace& y = b.runs[run];
    REQUIRE(x.checkpoints.size() == y.checkpoints.size());
    for (std::size_t i = 0; i < x.checkpoints.size(); ++i) {
      CHECK(x.checkpoints[i].evaluations == y.checkpoints[i].evaluations);
      CHECK(x.checkpoints[i].estimate == y.checkpoints[i].estimate);
      CHECK(x.checkpoints[i].true_value == y.checkpoints[i].true_value);
      CHECK(x.checkpoints[i].point == y.checkpoints[i].point);
    }
  }
}

}  // namespace

TEST_CASE("A journal of runs keeps what their searches evaluated; without that figures lack it") {
  const test::TemporaryFolder whole;
  const test::TemporaryFolder kept;
  const test::TemporaryFolder older;
  const StudyResult result = run_in(whole.path(), kEvaluations);
  run_in(kept.path(), kRuns);
  run_in(older.path(), kRuns);
  forget_traces(older.path());
  const ReportData a = read_report(whole.path(), {});
  const ReportData b = read_report(kept.path(), {});
  check_same_traces(a.traces, b.traces);
  for (std::size_t run = 0; run < 4; ++run) {
    const Checkpoint& last = a.traces.runs[run].checkpoints.back();
    CHECK(last.estimate == result.cells[0].runs[run].estimate);
    CHECK(last.point == result.cells[0].runs[run].point);
  }
  CHECK(a.searches[0].all().sum == b.searches[0].all().sum);

  const ReportData none = read_report(older.path(), {});
  CHECK(none.traces.runs.empty());
  CHECK_THAT(none.traces.problem, Catch::Matchers::ContainsSubstring("keeps no evaluations"));
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
    CHECK(data.traces.is_whole());
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
    search.add(point, point[0] + pair + rng.normal(), 0.0, static_cast<std::size_t>(i % 10));
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
  // Without any batch it is what the others say; the jackknife's interval is about the share.
  REQUIRE(importance.main_intervals[0].has_value());
  CHECK(importance.main_intervals[0]->low < importance.mains[0]);
  CHECK(importance.main_intervals[0]->high > importance.mains[0]);
  CHECK(importance.main_intervals[0]->high - importance.main_intervals[0]->low < 0.06);
  REQUIRE(importance.pairs[0].interval.has_value());
  CHECK(importance.pairs[0].interval->low > 0.2);
  CHECK(search.one_without(3, 0, 1).n < search.one(0, 1).n);
  REQUIRE(importance.noise.has_value());
  CHECK(*importance.noise == Approx(1.0 / 3.25).margin(0.02));
}

TEST_CASE("Spreads and importance of payoffs far from 0 are those of the same payoffs near it") {
  const LambdaObjective objective(
      SearchSpace({make_integers("a", 0, 3), make_integers("b", 0, 3)}),
      [](const Settings&, Rng&) { return 0.0; }, "sum");
  // Eighths are exact at both places; a penalty comes first.
  SearchStatistics near(objective);
  SearchStatistics far(objective);
  Rng rng(1);
  for (int i = 0; i < 400; ++i) {
    const Point point = objective.space().sample(rng);
    const double payoff =
        i == 0 ? 1000.0 : point[0] * point[1] + static_cast<double>(rng.below(16)) / 8.0;
    near.add(point, payoff, 0.0, static_cast<std::size_t>(i % 10));
    far.add(point, 1e9 + payoff, 0.0, static_cast<std::size_t>(i % 10));
  }
  CHECK(far.all().stats().variance() == Approx(near.all().stats().variance()));
  CHECK(far.one_without(3, 0, 2).stats().variance() ==
        Approx(near.one_without(3, 0, 2).stats().variance()));
  CHECK(far.noise_share().value() == Approx(near.noise_share().value()));
  const Importance one = importance_of(near);
  const Importance other = importance_of(far);
  CHECK(other.mains[1] == Approx(one.mains[1]));
  CHECK(other.main_intervals[1]->high == Approx(one.main_intervals[1]->high));
  CHECK(other.pairs[0].share == Approx(one.pairs[0].share));
}

TEST_CASE("Intervals of importance hold the share in about 95 of 100 samples") {
  const LambdaObjective objective(
      SearchSpace({make_integers("a", 0, 3), make_integers("b", 0, 3)}),
      [](const Settings&, Rng&) { return 0.0; }, "sum");
  constexpr int kSamples = 60;
  int held = 0;
  for (int s = 0; s < kSamples; ++s) {
    SearchStatistics search(objective);
    Rng rng(static_cast<std::uint64_t>(s));
    for (int i = 0; i < 1000; ++i) {
      const Point point = objective.space().sample(rng);
      search.add(point, point[0] + 2.0 * rng.normal(), 0.0, static_cast<std::size_t>(i % 10));
    }
    const Interval interval = importance_of(search).main_intervals[0].value();
    held += interval.low <= 1.25 / 5.25 && 1.25 / 5.25 <= interval.high ? 1 : 0;
  }
  CHECK(held >= 50);  // of 60 that each hold it with probability 0.95 fewer do once in 10,000 times
}

TEST_CASE("Page and result have one importance, whatever the journal keeps") {
  for (const std::string yaml : {kEvaluations, kRuns}) {
    const test::TemporaryFolder folder;
    const StudyResult made = run_in(folder.path(), yaml);
    const ReportData data = read_report(folder.path(), {});
    REQUIRE(data.study.result->importance);
    const auto& shares = *data.study.result->importance;
    CHECK(std::ranges::is_sorted(shares, std::ranges::greater(), &SavedImportance::share));
    for (const SavedImportance& one : shares) {
      const int i = data.study.objective(0).space().find(one.parameter);
      CHECK(data.importance[0].mains[static_cast<std::size_t>(i)] ==
            Approx(one.share).margin(1e-12));
      CHECK(data.importance_of(0, i) == one.share);
    }
    // Runs that the journal answers for count as those that are made.
    const Study study = read_study(parse_yaml(yaml));
    Journal journal(folder.path(), study, Journal::Open::kResume);
    StudyProgress progress;
    const StudyResult again = run_study(study, progress, &journal);
    CHECK(again.payoffs_by_value.to_json() == made.payoffs_by_value.to_json());
  }
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
  const SavedRecommendation& best = data.study.result->recommendation.value();
  CHECK(best.best_probability == probability);
  CHECK(best.regret == 0.5 * pick.comparison.standing->regret);  // in probabilities of a win
  CHECK(best.best_among == std::ssize(pick.comparison.candidates));
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

TEST_CASE("Every figure of a study or a comparison has panels, a text and no empty name") {
  const auto made_of = [](const char* yaml) {
    const test::TemporaryFolder folder;
    run_in(folder.path(), yaml);
    const ReportData data = read_report(folder.path(), {});
    std::set<std::string> made;
    for (const FigureEntry& entry : figure_table()) {
      for (const Figure& figure : entry.make(data)) {
        made.insert(entry.name);
        CHECK(figure.name.starts_with(entry.name));  // "-2": of the second objective
        CHECK_FALSE(figure.panels.empty());
        CHECK_FALSE(figure.title.empty());
        CHECK_FALSE(figure.description.empty());
        CHECK_FALSE(figure.data.empty());
        for (const auto& row : figure.data.rows) CHECK(row.size() == figure.data.columns.size());
      }
    }
    return made;
  };
  std::set<std::string> made = made_of(kEvaluations);
  CHECK(made == std::set<std::string>{"forest", "course", "candidates", "convergence", "history",
                                      "main_effects", "effects", "pairs", "importance", "agreement",
                                      "sampling", "tried", "timeline"});
  made.merge(
      made_of("{objective: {command: [sh, -c, 'echo $(( $1 + $2 % 3 + $3 ))', sh, '{a}', '{seed}', "
              "'{instance}'], result: {cost: number}}, space: {a: {integers: [1, 6], default: 4}}, "
              "instances: [1, 20], budget: 40, hold_out: 8, seed: 1}"));
  made.merge(made_of(R"(
objective: {command: [sh, -c, 'printf "{{\"size\": %d, \"ms\": %d}}" $1 $(( 9 - $1 + $2 % 2 ))', sh, '{a}', '{seed}']}
goals: {size: minimise, ms: minimise}
space: {a: {integers: [1, 6]}}
budget: 40
)"));
  made.merge(
      made_of("{objectives: [{function: branin}, {function: hartmann3}], optimisers: [random, "
              "ntbea, rmhc], "
              "runs: 6, iterations: 40, seed: 1}"));
  for (const FigureEntry& entry : figure_table()) {
    CAPTURE(entry.name);
    CHECK(made.contains(entry.name));
  }
}

TEST_CASE("A page shows the numbers of the result") {
  const test::TemporaryFolder folder;
  run_in(folder.path(), kRuns);
  std::vector<ReportData> studies;
  studies.push_back(read_report(folder.path(), {.defaults = {"x1=0.4"}}));
  const std::string page = report_page(studies);
  const SavedRecommendation& best = studies[0].study.result->recommendation.value();
  for (const double number : {*best.fresh.value, best.estimate, *best.fresh.true_value}) {
    CHECK_THAT(page,
               Catch::Matchers::ContainsSubstring(fmt::format("<data value=\"{}\">", number)));
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

TEST_CASE("Contestants are ranked by paired runs, and the best is first") {
  const test::TemporaryFolder folder;
  const StudyResult result = run_in(
      folder.path(),
      "{objectives: [{function: hartmann6, noise: win_loss}, {function: branin, noise: win_loss}], "
      "optimisers: [random, ntbea, rmhc], runs: 8, iterations: 80, seed: 1}");
  const ReportData data = read_report(folder.path(), {});
  REQUIRE(data.ranks.contestants.size() == 3);
  CHECK(data.ranks.blocks == 16);
  double sum = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Contestant& one = data.ranks.contestants[i];
    sum += one.mean_rank;
    if (i > 0) CHECK(one.mean_rank >= data.ranks.contestants[i - 1].mean_rank);
    // The obvious way: one plus how many are better, half for those that are alike.
    double ranks = 0.0;
    for (const std::size_t cell : one.cells) {
      for (std::size_t run = 0; run < 8; ++run) {
        double rank = 1.0;
        for (const Contestant& other : data.ranks.contestants) {
          const std::size_t rival = other.cells[cell == one.cells[0] ? 0 : 1];
          const double a = *result.cells[cell].runs[run].score;
          const double b = *result.cells[rival].runs[run].score;
          if (rival != cell) rank += b > a ? 1.0 : b == a ? 0.5 : 0.0;
        }
        ranks += rank;
      }
    }
    CHECK(one.mean_rank == Approx(ranks / 16.0));
  }
  CHECK(sum == Approx(6.0));
  std::vector<ReportData> studies;
  studies.push_back(read_report(folder.path(), {}));
  // The page says what the terminal says.
  const Study& study = studies[0].study.study;
  const std::string verdict =
      winner_sentence(study, ranks_of(study, result), *studies[0].study.result->cells);
  CHECK_THAT(verdict, Catch::Matchers::ContainsSubstring("has the best mean rank"));
  CHECK_THAT(report_page(studies), Catch::Matchers::ContainsSubstring(verdict));
}

TEST_CASE("A sample of evaluations is bounded, and whole where there are few") {
  EvaluationSample sample(100);
  for (std::int64_t i = 0; i < 10'000; ++i) {
    sample.add({.index = i});
    REQUIRE(sample.evaluations().size() <= 100);
    if (i < 100) CHECK(sample.is_whole());
  }
  CHECK(sample.of() == 10'000);
  CHECK_FALSE(sample.is_whole());
  CHECK(sample.evaluations().size() > 20);  // 78 are to be expected
}

TEST_CASE("Studies of one objective stand side by side, in one colour for each optimiser") {
  const test::TemporaryFolder a;
  const test::TemporaryFolder b;
  run_in(a.path(), kRuns);
  run_in(b.path(),
         "{objective: {function: hartmann6, noise: win_loss}, optimiser: random, runs: 3, "
         "iterations: 100, hold_out: 50, seed: 2}");
  std::vector<ReportData> studies;
  studies.push_back(read_report(a.path(), {}));
  studies.push_back(read_report(b.path(), {}));
  share_colours(studies);
  CHECK(studies[0].colours == studies[1].colours);
  CHECK(studies[0].colours.size() == 2);
  const std::string page = report_page(studies);
  CHECK_THAT(page, Catch::Matchers::ContainsSubstring("data-figure=\"shared_convergence\""));
  CHECK_THAT(page, Catch::Matchers::ContainsSubstring("data-figure=\"shared_values\""));
}

TEST_CASE("runs.csv is read back, whatever the values are") {
  const test::TemporaryFolder folder;
  run_in(folder.path(), kRuns);
  const StudyFolder study(folder.path());
  REQUIRE(study.runs.size() == 4);
  CHECK_THROWS_AS(
      read_runs(
          "run,evaluations,search_estimate,true_value,x1,x2,x3,x4,x5,x6\n0,1,2,3,9,9,9,9,9,9\n",
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
  std::size_t half = journal.find('\n', journal.size() / 2) + 12;
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

TEST_CASE("A watch of a study that has ended keeps what it shows, and reads on if it grows") {
  const test::TemporaryFolder folder;
  const StudyResult result = run_in(folder.path(), kEvaluations);
  const std::string journal = read_file(folder / "journal.log", 100'000'000);
  const std::size_t half = journal.find('\n', journal.size() / 2) + 1;
  write_file_atomically(folder / "journal.log", journal.substr(0, half));
  StudyWatch watch(folder.path());
  const StudyStatus first = watch.look();
  const StudyStatus second = watch.look();
  for (const StudyStatus& status : {first, second}) {
    CHECK(status.state == StudyStatus::State::kDone);
    CHECK(status.evaluations == result.evaluations());
    CHECK(status.recommendation == first.recommendation);
    CHECK_FALSE(status.course.empty());
    CHECK(status.course == first.course);
  }
  // Without a result the journal alone counts, and all of it is read once it is longer.
  std::filesystem::remove(folder / "result.json");
  CHECK(watch.look().state == StudyStatus::State::kStopped);
  std::ofstream(folder / "journal.log", std::ios::binary | std::ios::app) << journal.substr(half);
  const StudyStatus grown = watch.look();
  CHECK(grown.evaluations == result.evaluations());
  CHECK(grown.runs == 4);
  CHECK_FALSE(grown.recommendation.empty());
}

TEST_CASE("What is made again counts once, and a pause is no part of the rate") {
  const test::TemporaryFolder whole;
  const test::TemporaryFolder growing;
  (void)run_in(whole.path(), kEvaluations);
  const std::string journal = read_file(whole / "journal.log", 100'000'000);
  std::ofstream file(growing / "journal.log", std::ios::binary);
  const std::size_t half = journal.find('\n', journal.size() / 2) + 1;
  file << journal.substr(0, half) << std::flush;
  StudyWatch watch(growing.path());
  const StudyStatus before = watch.look();
  REQUIRE(before.rate > 0.0);
  // The last evaluation again; it has begun an hour later, and taken 5 microseconds.
  std::istringstream last(journal.substr(journal.rfind('\n', half - 2) + 1));
  std::string key;
  std::string point;
  std::string outcome;
  last >> key >> point >> outcome;
  file << "{\"retry_failed\":true}\n"
       << key << ' ' << point << ' ' << outcome << " 3600000005/5\n"
       << std::flush;
  const StudyStatus after = watch.look();
  CHECK(after.evaluations == before.evaluations);
  CHECK(after.runs == before.runs);
  CHECK(*after.rate > 0.5 * *before.rate);
  CHECK(read_report(growing.path(), {}).evaluations == before.evaluations);
}

TEST_CASE("What is no study is refused in one line") {
  const test::TemporaryFolder folder;
  CHECK_THROWS_AS(read_report(folder / "nowhere", {}), InputError);
  CHECK_THROWS_AS(read_report(folder.path(), {}), InputError);
  CHECK_THROWS_AS(StudyWatch(folder.path()), InputError);
  CHECK_THROWS_WITH(find_figure("timelin"), Catch::Matchers::ContainsSubstring("'timeline'"));
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
    CHECK_THAT(data.failures[0].example, Catch::Matchers::ContainsSubstring("; stderr ends: "));
    REQUIRE_FALSE(data.value_failures.empty());
    CHECK(data.value_failures[0].parameter == "x");
    CHECK(data.value_failures[0].text() == "2");
    CHECK(data.value_failures[0].evaluations == data.value_failures[0].failures);
    const std::string page = report_page(studies);
    CHECK_THAT(page, Catch::Matchers::ContainsSubstring("exit status 3: lost at move N &lt;x&gt;"));
    CHECK_THAT(page, Catch::Matchers::ContainsSubstring("<summary>one of them</summary>"));
    CHECK_THAT(page, Catch::Matchers::ContainsSubstring("Failures by value"));
    // What is copied is the command alone.
    const std::string mark = "data-copy=\"cd ";
    const std::size_t begin = page.find(mark);
    REQUIRE(begin != std::string::npos);
    const std::size_t end = page.find('"', begin + mark.size());
    CHECK_THAT(page.substr(begin, end - begin), !Catch::Matchers::ContainsSubstring("stderr ends"));
  }
}

TEST_CASE("What succeeded before failures were tried again still counts at its values") {
  const test::TemporaryFolder folder;
  const std::string yaml =
      "{objective: {command: 'if test {x} = 2; then exit 3; fi; echo {x}.5', shell: true}, space: "
      "{x: [1, 2, 3], y: [1, 2]}, runs: 1, iterations: 20, optimiser: random, hold_out: 2, fail: "
      "skip, seed: 1}";
  run_in(folder.path(), yaml);
  const Study study = read_study(parse_yaml(yaml));
  Journal journal(folder.path(), study, Journal::Open::kRetryFailed);
  StudyProgress progress;
  const StudyResult result = run_study(study, progress, &journal);
  REQUIRE(result.failures > 0);
  write_result(folder.path(), study, result, summarise(study, result));
  const auto counts = [&] {
    const ReportData data = read_report(folder.path(), {});
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> found;
    for (const auto& value : data.value_failures) {
      found[value.parameter + value.text()] = {value.evaluations, value.failures};
    }
    return found;
  };
  const auto of_result = counts();
  REQUIRE(of_result.size() == 3);
  std::filesystem::remove(folder / "result.json");
  CHECK(counts() == of_result);
}

TEST_CASE(
    "The page of an interrupted study counts what its journal holds, and what that suggests") {
  const test::TemporaryFolder folder;
  const StudyResult result = run_in(folder.path(), kEvaluations);
  // As if no run had ended.
  const std::filesystem::path path = folder / "result.json";
  Json json = Json::parse(read_file(path, 1'000'000));
  json["status"] = "interrupted";
  json["evaluations"] = 0;
  json["recommendation"] = Json();
  write_file_atomically(path, json.dump());
  std::vector<ReportData> studies;
  studies.push_back(read_report(folder.path(), {}));
  CHECK(studies[0].evaluations == result.evaluations());
  CHECK_THAT(report_page(studies), Catch::Matchers::ContainsSubstring("prefers <strong>x1 = "));
}

TEST_CASE("A sample of evaluations takes each with the same chance, whatever the runs' length") {
  // 64 runs of 1,024 evaluations: every k-th of them would be the same ones of each run.
  EvaluationSample sample(3000);
  for (std::int64_t run = 0; run < 64; ++run) {
    for (std::int64_t index = 0; index < 1024; ++index) sample.add({.run = run, .index = index});
  }
  CHECK(sample.of() == 65'536);
  CHECK_FALSE(sample.is_whole());
  // A thirty-second of them, 2,048 with a standard deviation of 45.
  const auto n = std::ssize(sample.evaluations());
  CHECK(n > 2048 - 5 * 45);
  CHECK(n < 2048 + 5 * 45);
  std::map<std::int64_t, int> by_index;
  for (const SearchEvaluation& one : sample.evaluations()) ++by_index[one.index / 64];
  REQUIRE(by_index.size() == 16);
  for (const auto& [part, count] : by_index) {
    CAPTURE(part);
    CHECK(std::abs(count - 128) < 5 * 12);
  }
}

TEST_CASE("The course of a cell's runs has all of their evaluations, a sample or not") {
  const test::TemporaryFolder folder;
  run_in(folder.path(),
         "{objective: {function: branin, noise: win_loss}, optimiser: ntbea, budget: 3000, splits: "
         "[{runs: 1}, {runs: 6}], repeats: 2, seed: 1}");
  const ReportData data = read_report(folder.path(), {});
  REQUIRE(data.courses.size() == 2);
  CHECK_FALSE(data.samples[0].is_whole());
  std::int64_t evaluations = 0;
  for (std::size_t cell = 0; cell < 2; ++cell) {
    double last = -1.0;
    for (const RunCourse::Part& part : data.courses[cell].parts()) {
      REQUIRE(part.n > 0);  // also of the short runs
      CHECK(part.mean_index() > last);
      last = part.mean_index();
      evaluations += part.n;
    }
    CHECK(last > 0.96 * static_cast<double>(data.study.plan(cell).iterations));
    CHECK(last < static_cast<double>(data.study.plan(cell).iterations));
  }
  CHECK(evaluations == data.traces.evaluations);
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

TEST_CASE("A solver's fresh runs stand against today's setting, unsolved ones at the edge") {
  // A setting of a needs a times the instance, and gives up where that is 20 and more.
  const std::string study =
      "{objective: {command: [sh, -c, 'c=$(( $1 * $2 )); [ $c -lt 20 ] || exit 3; echo $c', sh, "
      "'{a}', '{instance}'], result: {cost: number}, unsolved: {exit: 3}, penalty: 100}, space: "
      "{a: {integers: [1, 4], default: 4}}, instances: [1, 2, 3, 4, 5, 6], optimiser: grid, "
      "runs: 2, iterations: 24, hold_out: 6, seed: 1}";
  const test::TemporaryFolder folder;
  run_in(folder.path(), study);
  const ReportData data = read_report(folder.path(), {});
  const std::vector<Figure> scatter = scatter_figure(data);
  REQUIRE(scatter.size() == 1);
  CHECK(scatter[0].data.rows.size() == 6);
  CHECK_THAT(scatter[0].caption,
             Catch::Matchers::ContainsSubstring("needs less: in 6 of 6 runs; more in 0."));
  std::string rings;  // first letters of their instances
  for (const Mark& mark : scatter[0].panels[0].marks) {
    const Dot* dot = std::get_if<Dot>(&mark);
    if (dot == nullptr) continue;
    if (dot->hollow) rings += dot->tip.substr(0, 1);
    CHECK(dot->at.x > dot->at.y);
    CHECK(dot->hollow == (dot->at.x > 16.0));  // the most that was solved
  }
  std::ranges::sort(rings);
  CHECK(rings == "56");
  const std::vector<Figure> cactus = cactus_figure(data);
  REQUIRE(cactus.size() == 1);
  CHECK_THAT(cactus[0].caption, Catch::Matchers::ContainsSubstring(
                                    "Today's setting solved 4 of 6 runs. The new setting solved 6 "
                                    "of 6 runs."));
  CHECK(cactus[0].data.rows.front() == std::vector<std::string>{"Today's", "1", "4"});
  CHECK(cactus[0].data.rows.back() == std::vector<std::string>{"The new", "6", "6"});
}

}  // namespace ntune
