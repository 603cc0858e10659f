#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/csv.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/lambda_objective.h"
#include "ntune/report/data/run_log.h"
#include "ntune/report/data/study_watch.h"
#include "ntune/space/search_space.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/results/result_csv.h"
#include "report/drawn.h"
#include "support/spaces.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("Values of a parameter stand in groups of neighbours, at most 24") {
  struct Case {
    Parameter parameter;
    std::size_t groups;
    std::string first;
    std::string last;
  };
  const std::vector<Case> cases = {
      {make_integers("one", 7, 7), 1, "7", "7"},
      {make_integers("few", 1, 5), 5, "1", "5"},
      {make_integers("full", 1, 24), 24, "1", "24"},
      {make_integers("many", 0, 47), 24, "0 to 1", "46 to 47"},
      {make_integers("uneven", 0, 24), 24, "0 to 1", "24"},
      {make_boolean("flag"), 2, "false", "true"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.parameter.name);
    const ValueGroups groups(one.parameter);
    REQUIRE(groups.size() == one.groups);
    CHECK(groups.labels.front() == one.first);
    CHECK(groups.labels.back() == one.last);
    CHECK(groups.group_of.size() == one.parameter.values.size());
    CHECK(std::ranges::is_sorted(groups.group_of));
    CHECK(groups.group_of.back() == one.groups - 1);
  }
}

TEST_CASE("A course of a run is its last estimates, at most 40, the newest last") {
  struct Step {
    double estimate = 0.0;
  };
  for (const std::size_t n : {0UL, 1UL, 39UL, 40UL, 41UL, 1000UL}) {
    CAPTURE(n);
    std::vector<Step> steps;
    for (std::size_t i = 0; i < n; ++i) steps.push_back({static_cast<double>(i)});
    const std::vector<double> course = course_of(steps);
    CHECK(course.size() <= 40);
    CHECK(course.size() >= std::min<std::size_t>(n, 20));
    CHECK(std::ranges::is_sorted(course));
    if (n > 0) CHECK(course.back() == static_cast<double>(n - 1));
  }
}

TEST_CASE("What is shown of all runs is said in words") {
  CHECK(share_of_runs(1, 1) == "1 run");
  CHECK(share_of_runs(1200, 1200) == "1,200 runs");
  CHECK(share_of_runs(7, 10) == "7 of 10 runs");
}

TEST_CASE("A sample takes each value with the same chance, and never more than it may hold") {
  std::vector<std::uint64_t> sample;
  std::uint64_t every = 1;
  const auto stays = [](std::uint64_t value, std::uint64_t of) { return value % of == 0; };
  for (std::uint64_t value = 0; value < 1000; ++value) {
    add_to_sample(sample, every, 50, value, stays);
    REQUIRE(sample.size() <= 50);
  }
  CHECK(every == 32);
  CHECK(sample.size() == 32);  // of 0 to 999 every 32nd
  for (std::size_t i = 0; i < sample.size(); ++i) CHECK(sample[i] == 32 * i);
}

TEST_CASE("Parts of a run hold its evaluations by how much of it was over") {
  RunCourse course;
  for (int i = 0; i < 40; ++i) {
    course.add({.index = i, .payoff = 2.0 * i, .progress = i / 40.0});
  }
  course.add({.index = 40, .payoff = 80.0, .progress = 1.0});
  const auto& parts = course.parts();
  for (std::size_t part = 0; part + 1 < parts.size(); ++part) {
    CHECK(parts[part].n == 2);
    CHECK(parts[part].mean_index() == 2.0 * static_cast<double>(part) + 0.5);
    CHECK(parts[part].mean_payoff() == 2.0 * parts[part].mean_index());
  }
  CHECK(parts.back().n == 3);  // the end of a run belongs to its last part
}

TEST_CASE("Rivals are the choice of the study, then what was measured, the best first") {
  const ReportData& data = test::drawn(test::kSingle);
  const SavedResult& result = *data.study.result;
  REQUIRE(data.rivals.size() == result.candidates.size());
  CHECK(data.rivals[0].point == result.recommendation->point);
  CHECK(std::ranges::count_if(data.rivals, &Rival::recommended) == 1);
  std::int64_t runs = 0;
  for (std::size_t i = 0; i < data.rivals.size(); ++i) {
    const Rival& rival = data.rivals[i];
    runs += rival.runs;
    CHECK(rival_name(data.study, data.rivals, i) ==
          (i == 0 ? "recommended" : fmt::format("{}#{}", rival.runs == 0 ? "start " : "", i + 1)));
    if (i > 1 && rival.n > 0) CHECK(rival.mean <= data.rivals[i - 1].mean);
  }
  CHECK(runs == 4);
}

TEST_CASE("Runs are the same by the table as by the journal") {
  const test::DrawnStudy made(test::kCells);
  const StudyFolder with_table(made.folder.path());
  std::filesystem::remove(made.folder / "runs.csv");
  const StudyFolder with_journal(made.folder.path());
  REQUIRE(with_table.runs.size() == 36);
  REQUIRE(with_journal.runs.size() == 36);
  for (std::size_t i = 0; i < 36; ++i) {
    const FinishedRun& a = with_table.runs[i];
    const FinishedRun& b = with_journal.runs[i];
    CHECK(a.run == b.run);
    CHECK(a.evaluations == b.evaluations);
    CHECK(a.estimate == b.estimate);
    CHECK(a.true_value == b.true_value);
    CHECK(a.score() == b.score());
    CHECK(a.point == b.point);
  }
}

TEST_CASE("Rows of runs.csv that are none of the study's are refused by their number") {
  const test::DrawnStudy made(test::kCells);
  const Study& study = made.data->study.study;
  const std::string csv = runs_csv(study, made.result);
  CHECK(read_runs(csv, "runs.csv", study).size() == 36);
  CHECK(read_runs(csv.substr(0, csv.size() - 3), "runs.csv", study).size() == 35);  // cut off
  const std::string header = csv.substr(0, csv.find('\n') + 1);
  const std::string first =
      csv.substr(header.size(), csv.find('\n', header.size()) - header.size());
  const std::size_t before_last = csv.rfind('\n', csv.size() - 2);
  const std::string last = csv.substr(before_last + 1, csv.size() - 2 - before_last);
  const std::vector<std::pair<std::string, int>> wrong = {
      {"run,value\n", 1},
      {header + "a,b,c\n", 2},
      {header + first + "\n" + "x" + first + "\n", 3},  // another objective
      {header + last + "9\n", 2},                       // a value that the space has not
  };
  for (const auto& [text, row] : wrong) {
    CAPTURE(text);
    CHECK_THROWS_WITH(read_runs(text, "runs.csv", study),
                      fmt::format("runs.csv: row {} is none of the study's runs", row));
  }
}

TEST_CASE("Rows of runs.csv have no value of a parameter that the setting does not use") {
  const auto objective = std::make_shared<LambdaObjective>(
      test::yaml_space("{mode: [a, b], run: {integers: [1, 5], when: {mode: [a]}}}"),
      [](const Point&, Rng&) { return 0.0; });
  const Study study = read_study(parse_yaml("{runs: 1, iterations: 9}"), objective);
  const auto points = [&](const std::string& rows) {
    std::vector<Point> read;
    for (const FinishedRun& run :
         read_runs("run,evaluations,search_estimate,true_value,mode,parameter.run\n" + rows,
                   "runs.csv", study)) {
      read.push_back(run.point);
    }
    return read;
  };
  // As they were written before, too.
  CHECK(points("0,9,1,,b,\n1,9,1,,a,3\n2,9,1,,b,1\n3,9,1,,b,4\n") ==
        std::vector<Point>{test::make_point({1, 0}), test::make_point({0, 2}),
                           test::make_point({1, 0}), test::make_point({1, 0})});
  CHECK_THROWS_WITH(points("0,9,1,,a,\n"), ContainsSubstring("row 2 is none of the study's runs"));
}

TEST_CASE("A cell is named by what tells it from the others") {
  const StudyFolder& single = test::drawn(test::kSingle).study;
  const StudyFolder& cells = test::drawn(test::kCells).study;
  CHECK(single.cell_label(0, true) == single.study.optimisers[0].label);
  CHECK(cells.cell_label(0, false) == "random");
  CHECK(cells.cell_label(1, true) == cells.study.objectives[0].label + ", ntbea");
  CHECK(cells.cell_label(4, true) == cells.study.objectives[1].label + ", ntbea");
  CHECK(single.title() == single.folder.filename().string());
}

TEST_CASE("What a user names for a page is checked against the study") {
  const std::filesystem::path& folder = test::drawn(test::kToday).study.folder;
  const auto read_with = [&](std::vector<std::string> defaults, std::vector<std::string> names) {
    return read_report(folder, {.defaults = std::move(defaults), .parameters = std::move(names)});
  };
  CHECK(read_with({"a=2"}, {}).knows_today(0));
  CHECK((*read_with({"a=2"}, {}).defaults)[0] == 1);
  CHECK(read_with({}, {"a"}).shown_parameters == std::vector<std::string>{"a"});
  CHECK_THROWS_WITH(read_with({"b=2"}, {}), ContainsSubstring("--default: 'b=2' names no"));
  CHECK_THROWS_WITH(read_with({"a"}, {}), ContainsSubstring("allowed: name=value of a"));
  CHECK_THROWS_WITH(read_with({"a=9"}, {}), ContainsSubstring("has no value '9'; values: 1 to 6"));
  CHECK_THROWS_WITH(read_with({}, {"aa"}), ContainsSubstring("--parameters: 'aa' names no"));
  CHECK_THROWS_WITH(read_report(test::drawn(test::kCells).study.folder, {.defaults = {"x1=1"}}),
                    ContainsSubstring("goes with a study that has one recommendation"));
}

TEST_CASE("Studies of one page have one colour for each optimiser, one study has none") {
  std::vector<ReportData> one;
  one.push_back(read_report(test::drawn(test::kCells).study.folder, {}));
  share_colours(one);
  CHECK(one[0].colours.empty());
  one.push_back(read_report(test::drawn(test::kSingle).study.folder, {}));
  share_colours(one);
  CHECK(one[0].colours.size() == 4);  // random, ntbea, rmhc and auto
  CHECK(one[0].colours == one[1].colours);
}

TEST_CASE("A watch of a study that has ended says what its result says") {
  for (const char* yaml : {test::kSingle, test::kToday, test::kCells}) {
    const StudyFolder& folder = test::drawn(yaml).study;
    StudyWatch watch(folder.folder);
    const StudyStatus status = watch.look();
    CHECK(status.state == StudyStatus::State::kDone);
    CHECK(status.share() == 1.0);
    CHECK_FALSE(status.seconds_left());
    CHECK(status.evaluations == folder.result->evaluations);
    CHECK(status.runs == status.total_runs);
    CHECK(status.failures == 0);
    CHECK(status.comparison.empty() == !folder.study.is_comparison());
    if (!folder.result->recommendation) continue;
    CHECK(status.value == folder.result->recommendation->fresh.value);
    CHECK(status.run == folder.result->recommendation->run);
    CHECK(status.story->sentence.starts_with("Use "));
    CHECK(watch.look().evaluations == status.evaluations);  // nothing new is counted again
  }
}

TEST_CASE("The share of a study is that of the limit which is nearest to its end") {
  StudyStatus status{.state = StudyStatus::State::kRunning,
                     .evaluations = 25,
                     .total_evaluations = 100,
                     .rate = 5.0};
  CHECK(status.share() == 0.25);
  CHECK(status.seconds_left() == 15.0);
  status.limits.seconds = 60.0;
  status.seconds_used = 45.0;
  status.silent = 5.0;
  CHECK(status.share() == 0.75);
  CHECK(status.seconds_left() == 10.0);
  status.limits.cost = 10.0;
  status.cost_used = 20.0;
  CHECK(status.share() == 1.0);
  status.state = StudyStatus::State::kStopped;
  CHECK_FALSE(status.seconds_left());
}

TEST_CASE("A log of a run answers for the points that the run asked for") {
  JournalLine line;
  line.kind = JournalLine::Kind::kEvaluation;
  line.key.index = 2;
  line.point = {1, 0};
  line.payoffs = {0.25, 0.75};
  RunLog log;
  log.add(line);
  CHECK(log.size() == 3);
  CHECK(log.holds({.index = 2}));
  CHECK_FALSE(log.holds({.index = 1}));
  CHECK_FALSE(log.find({.index = 0}, test::point_at({1, 0}), nullptr));
  CHECK(log.find({.index = 2}, test::point_at({1, 0}), nullptr)->payoff == 0.5);
  CHECK(log.find({.index = 2}, test::point_at({1, 0}), nullptr)->observations.size() == 2);
  CHECK_THROWS_AS(log.find({.index = 2}, test::point_at({0, 0}), nullptr), InputError);
  log.forget_failures();  // after that the run may have asked for other points
  CHECK_FALSE(log.find({.index = 2}, test::point_at({0, 0}), nullptr));
}

}  // namespace ntune
