#include "ntune/study/export/export.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/json.h"
#include "ntune/core/time_text.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/lambda_objective.h"
#include "ntune/objective/recorded/foreign_observations.h"
#include "ntune/space/import/import_space.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/export/export_follow.h"
#include "ntune/study/export/export_optuna.h"
#include "ntune/study/export/export_records.h"
#include "study/recorded.h"
#include "study/timed.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using test::content_of;
using test::input_error;
using test::study_of;

namespace {

const auto kStart = std::chrono::system_clock::from_time_t(1'700'000'000);

/// Writes a journal by hand.
class Recorder {
 public:
  Recorder(const fs::path& folder, const Study& study)
      : study_(study), journal_(folder, study, Journal::Open::kNew) {}

  /// The next evaluation of run 0 of cell 0, if the key does not say otherwise.
  void add(const Point& point, const Outcome& outcome, EvaluationKey key = {}, bool asked = false) {
    if (key == EvaluationKey()) key.index = index_++;
    const Request request = request_of(key, point);
    const auto start = kStart + std::chrono::seconds(10 * key.index);
    if (asked) journal_.append_asked(request, start);
    journal_.append(request, outcome, start, start + std::chrono::milliseconds(1500));
  }
  void ask(const Point& point, const EvaluationKey& key) {
    journal_.append_asked(request_of(key, point), kStart);
  }

 private:
  Request request_of(const EvaluationKey& key, const Point& point) const {
    return {.key = key,
            .objective = study_.objectives[study_.objective_of(key.cell)].objective.get(),
            .point = &point,
            .stream = Rng(0)};
  }

  const Study& study_;
  Journal journal_;
  std::int64_t index_ = 0;
};

std::string at(int seconds, int millis = 0) {
  return local_time_text(kStart + std::chrono::seconds(seconds) +
                         std::chrono::milliseconds(millis));
}

std::string csv(const fs::path& folder, const ExportOptions& options = {},
                std::shared_ptr<const Objective> objective = nullptr) {
  const RecordedStudy recorded(folder, std::move(objective));
  std::string text;
  export_text(recorded, options, [&](std::string_view piece) { text += piece; });
  return text;
}

std::string per_point(const fs::path& folder, std::shared_ptr<const Objective> objective = nullptr,
                      std::int64_t at_least = 1) {
  return csv(folder, {.per = ExportPer::kPoint, .at_least = at_least}, std::move(objective));
}

std::vector<std::vector<std::string>> fields_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
  for (const char c : text) {
    if (c == '\n') {
      rows.emplace_back(1);
    } else if (c == ',') {
      rows.back().emplace_back();
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

}  // namespace

TEST_CASE("an export has a row for every finished evaluation") {
  const test::TemporaryFolder folder;
  const auto objective = test::arms(3, [](const Point&, Rng&) { return 0.0; });
  const Study study = study_of("{record: evaluations, fail: skip}", objective);
  {
    Recorder recorder(folder.path(), study);
    recorder.add(test::arm(0), {.payoff = -1e-7}, {.stage = Stage::kHoldOut, .run = -1, .index = 5},
                 true);
    recorder.add(test::arm(1), {.failure = "no reason"}, {.run = 4, .index = 7}, true);
    recorder.ask(test::arm(1), {.run = 9});
    recorder.add(test::arm(2), {.payoff = 0.25});
    recorder.add(test::arm(1), {.failure = "crashed, \"badly\"", .attempts = 3});
  }
  const std::string expected = fmt::format(
      "stage,run,evaluation,value,failure,seconds,attempts,start,complete,arm\n"
      "hold_out,-1,5,-1e-07,,,1,{},{},0\n"
      "search,4,7,,no reason,,1,{},{},1\n"
      "search,0,0,0.25,,1.5,1,{},{},2\n"
      "search,0,1,,\"crashed, \"\"badly\"\"\",1.5,3,{},{},1\n",
      at(50), at(51, 500), at(70), at(71, 500), at(0), at(1, 500), at(10), at(11, 500));
  CHECK(csv(folder.path(), {}, objective) == expected);

  // Another process is in the middle of a line.
  std::ofstream(folder / kJournalName, std::ios::app) << "s0.3 0 1";
  CHECK(csv(folder.path(), {}, objective) == expected);
}

TEST_CASE("of an evaluation that was made again, after a failure, the last counts") {
  const test::TemporaryFolder folder;
  const auto objective = test::coins({0.1, 0.9});
  const Study study = study_of("{record: evaluations}", objective);
  {
    Recorder recorder(folder.path(), study);
    recorder.add(test::arm(1), {.failure = "crashed"}, {.index = 3});
    recorder.add(test::arm(1), {.payoff = 1.0}, {.index = 3});
  }
  CHECK(fields_of(csv(folder.path(), {}, objective)).size() == 2);
  CHECK_THAT(csv(folder.path(), {}, objective), ContainsSubstring("search,0,3,1,"));
  CHECK_THAT(per_point(folder.path(), objective), ContainsSubstring("\n1,1,,,,,0,1,0,0,1\n"));
}

TEST_CASE("evaluations of points that the study no longer asks for stay in its exports") {
  const test::TemporaryFolder folder;
  const auto objective = test::coins({0.1, 0.5, 0.9});
  const Study study = study_of("{record: evaluations}", objective);
  {
    Recorder recorder(folder.path(), study);
    recorder.add(test::arm(1), {.payoff = 1.0}, {.index = 3});
    recorder.add(test::arm(0), {.failure = "crashed"}, {.index = 4});
    // The failure was tried again, after which the search went another way, and came back.
    recorder.add(test::arm(2), {.payoff = 0.0}, {.index = 3});
    recorder.add(test::arm(0), {.payoff = 1.0}, {.index = 4});
    recorder.add(test::arm(0), {.payoff = 1.0}, {.index = 3});
  }
  CHECK(fields_of(csv(folder.path(), {}, objective)).size() == 5);
  const std::string points = per_point(folder.path(), objective);
  for (const char* row : {"\n2,1,", "\n1,1,", "\n1,0,"}) CHECK_THAT(points, ContainsSubstring(row));
}

TEST_CASE("every observation of an evaluation is a row and counts in the mean") {
  const test::TemporaryFolder folder;
  const auto objective = test::arms(2, [](const Point&, Rng&) { return 0.0; }, {.several = true});
  const Study study = study_of("{record: evaluations}", objective);
  {
    Recorder recorder(folder.path(), study);
    recorder.add(test::arm(1), {.payoff = 2.0, .observations = {1.0, 2.0, 3.0}});
    recorder.add(test::arm(1), {.payoff = 6.0});
  }
  const auto rows = fields_of(csv(folder.path(), {}, objective));
  REQUIRE(rows.size() == 5);
  CHECK(rows[0][3] == "observation");
  CHECK(rows[0][4] == "value");
  const std::vector<std::vector<std::string>> expected = {
      {"0", "0", "1"}, {"0", "1", "2"}, {"0", "2", "3"}, {"1", "0", "6"}};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(std::vector(rows[i + 1].begin() + 2, rows[i + 1].begin() + 5) == expected[i]);
  }
  const auto points = fields_of(per_point(folder.path(), objective));
  REQUIRE(points.size() == 2);
  CHECK(points[1][0] == "4");
  CHECK(points[1][1] == "3");
}

TEST_CASE("games have columns of their own, where there are any") {
  const test::TemporaryFolder folder;
  const auto objective = test::arms(2, [](const Point&, Rng&) { return 0.0; });
  const Study study = study_of("{record: evaluations}", objective);
  {
    Recorder recorder(folder.path(), study);
    recorder.add(test::arm(1), {.payoff = 0.75, .games = pair_of_games(1.0, 0.5)});
    recorder.add(test::arm(1), {.payoff = 0.0, .games = pair_of_games(0.0, 0.0)});
    recorder.add(test::arm(0), {.payoff = 1.0, .games = single_game(1.0)});
    recorder.add(test::arm(0), {.failure = "crashed"});
  }
  const auto rows = fields_of(csv(folder.path(), {}, objective));
  REQUIRE(rows.size() == 5);
  const auto games = [](const std::vector<std::string>& row, std::size_t first) {
    return std::vector(row.begin() + static_cast<std::ptrdiff_t>(first),
                       row.begin() + static_cast<std::ptrdiff_t>(first) + 4);
  };
  using Words = std::vector<std::string>;
  CHECK(games(rows[0], 3) == Words{"wins", "draws", "losses", "pentanomial"});
  CHECK(games(rows[1], 3) == Words{"1", "1", "0", "0 0 0 1 0"});
  CHECK(games(rows[3], 3) == Words{"1", "0", "0", ""});
  CHECK(games(rows[4], 3) == Words{"", "", "", ""});
  const auto points = fields_of(per_point(folder.path(), objective));
  REQUIRE(points.size() == 3);
  CHECK(games(points[0], 0) == Words{"wins", "draws", "losses", "pentanomial"});
  CHECK(games(points[2], 0) == Words{"1", "1", "2", "1 0 0 1 0"});
}

TEST_CASE("an export per point pools all stages, best first") {
  const test::TemporaryFolder folder;
  const Study study = study_of(
      "{objective: {ask_tell: x, direction: minimise}, space: {arm: [a, b, c, d]}, fail: skip, "
      "iterations: 9}");
  const double unit = study.objectives[0].objective->unit().value_of(1.0);
  REQUIRE(unit == -1.0);
  {
    Recorder recorder(folder.path(), study);
    recorder.add(test::arm(3), {.failure = "never works"});
    for (const double value : {1.0, 2.0, 3.0}) recorder.add(test::arm(0), {.payoff = -value});
    recorder.add(test::arm(1), {.payoff = -2.0});
    recorder.add(test::arm(0), {.payoff = -2.0}, {.stage = Stage::kReEvaluation, .index = 1});
    recorder.add(test::arm(0), {.payoff = -2.0}, {.stage = Stage::kHoldOut, .run = -1, .index = 1});
    recorder.add(test::arm(2), {.payoff = -1.0});
    recorder.add(test::arm(2), {.failure = "sometimes"});
  }
  const auto rows = fields_of(per_point(folder.path()));
  REQUIRE(rows.size() == 5);
  CHECK(rows[0] == std::vector<std::string>{"n", "mean", "sd", "standard_error", "low", "high",
                                            "failures", "search", "re_evaluation", "hold_out",
                                            "arm"});
  CHECK(rows[1] == std::vector<std::string>{"1", "1", "", "", "", "", "1", "2", "0", "0", "c"});
  const RunningStats five = stats_of(std::vector<double>{1, 2, 3, 2, 2});
  CHECK(rows[2][0] == "5");
  CHECK(rows[2][1] == "2");
  CHECK(std::stod(rows[2][2]) == Approx(five.sd()));
  CHECK(std::stod(rows[2][3]) == Approx(five.standard_error()));
  CHECK(std::stod(rows[2][4]) == Approx(student_interval(five).low));
  CHECK(std::stod(rows[2][5]) == Approx(student_interval(five).high));
  CHECK(std::vector(rows[2].begin() + 6, rows[2].end()) ==
        std::vector<std::string>{"0", "3", "1", "1", "a"});
  CHECK(rows[3][10] == "b");
  CHECK(rows[4] == std::vector<std::string>{"0", "", "", "", "", "", "1", "1", "0", "0", "d"});
  const auto enough = fields_of(per_point(folder.path(), nullptr, 2));
  REQUIRE(enough.size() == 2);
  CHECK(enough[1] == rows[2]);
}

TEST_CASE("a failure that counts with a value counts in the mean of its point") {
  const test::TemporaryFolder folder;
  const auto objective = test::coins({0.1, 0.9});
  const Study study = study_of("{record: evaluations, fail: {value: -3}}", objective);
  {
    Recorder recorder(folder.path(), study);
    recorder.add(test::arm(1), {.failure = "crashed"});
    recorder.add(test::arm(1), {.payoff = 1.0});
  }
  const auto rows = fields_of(per_point(folder.path(), objective));
  CHECK(rows[1][0] == "2");
  CHECK(rows[1][1] == "-1");
  CHECK(rows[1][6] == "1");
}

TEST_CASE("an export per point is the export per evaluation, grouped") {
  const test::TemporaryFolder folder;
  const std::string yaml =
      "{objective: hartmann3, runs: 3, iterations: 60, hold_out: 40, record: evaluations}";
  const Study study = study_of(yaml);
  const StudyResult result = test::record(folder.path(), study);
  const auto rows = fields_of(csv(folder.path()));
  REQUIRE(std::ssize(rows) == result.evaluations() + 1);
  std::map<std::vector<std::string>, RunningStats> groups;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    groups[{rows[i].end() - 3, rows[i].end()}].add(std::stod(rows[i][3]));
  }
  const auto points = fields_of(per_point(folder.path()));
  REQUIRE(points.size() == groups.size() + 1);
  double last = 1e9;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const auto& row = points[i];
    const RunningStats& group = groups.at({row.end() - 3, row.end()});
    CHECK(row[0] == std::to_string(group.count()));
    CHECK(std::stod(row[1]) == Approx(group.mean()));
    CHECK(std::stod(row[1]) <= last);
    last = std::stod(row[1]);
  }
}

TEST_CASE("an export of a comparison names the cell") {
  const test::TemporaryFolder folder;
  const Study study = study_of(
      "{objectives: [branin, hartmann3], optimisers: [ntbea, random], runs: 2, iterations: [5, 7], "
      "record: evaluations}");
  test::record(folder.path(), study);
  const auto rows = fields_of(csv(folder.path()));
  CHECK(std::vector(rows[0].begin(), rows[0].begin() + 7) ==
        std::vector<std::string>{"objective", "optimiser", "plan", "repeat", "stage", "run",
                                 "evaluation"});
  CHECK(rows[0].size() == 4 + 9 + 3);  // x1 and x2 are parameters of both
  std::map<std::string, int> cells;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ++cells[rows[i][0] + "|" + rows[i][1] + "|" + rows[i][2]];
    CHECK(rows[i].back().empty() == (rows[i][0] == "branin"));
  }
  CHECK(cells.size() == 8);
  CHECK(cells["hartmann3|random|2 x 7"] == 14);
  CHECK(fields_of(per_point(folder.path()))[0][0] == "objective");
}

TEST_CASE("parameters that are inactive are empty, and names are quoted") {
  const test::TemporaryFolder folder;
  std::vector<Parameter> parameters = {make_boolean("a \"b\", c"), make_integers("depth", 1, 3)};
  parameters[1].when = {{.parameter = 0, .values = {1}}};
  const auto objective = std::make_shared<LambdaObjective>(SearchSpace(parameters),
                                                           [](const Point&, Rng&) { return 0.0; });
  const Study study = study_of("{record: evaluations}", objective);
  {
    Recorder recorder(folder.path(), study);
    Point point(2);
    recorder.add(point, {.payoff = 1.0});
    point[0] = 1;
    point[1] = 2;
    recorder.add(point, {.payoff = 2.0});
  }
  CHECK(per_point(folder.path(), objective) ==
        "n,mean,sd,standard_error,low,high,failures,search,re_evaluation,hold_out,"
        "\"a \"\"b\"\", c\",depth\n"
        "1,2,,,,,0,1,0,0,true,3\n"
        "1,1,,,,,0,1,0,0,false,\n");
}

TEST_CASE("where the journal holds runs, they are exported") {
  const test::TemporaryFolder folder;
  const Study study = study_of("{objective: branin, runs: 3, iterations: 20}");
  REQUIRE(study.execution.record == Recording::kRuns);
  const StudyResult result = test::record(folder.path(), study);
  const auto rows = fields_of(csv(folder.path()));
  REQUIRE(rows.size() == 4);
  CHECK(rows[0] == std::vector<std::string>{"run", "evaluations", "failures", "point_evaluations",
                                            "search_estimate", "true_value", "hold_out", "complete",
                                            "x1", "x2"});
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const RunRecord& run = result.cells[0].runs[std::stoul(rows[i][0])];
    CHECK(rows[i][1] == "20");
    CHECK(std::stod(rows[i][4]) == run.estimate);
    CHECK(std::stod(rows[i][5]) == run.true_value);
  }
  CHECK_THAT(input_error([&] { per_point(folder.path()); }),
             ContainsSubstring("the journal holds runs, not their evaluations; --per point needs"));
}

TEST_CASE("an export to a file appears whole or not at all") {
  const test::TemporaryFolder folder;
  const Study study = study_of("{objective: branin, runs: 1, iterations: 5, record: evaluations}");
  test::record(folder / "study", study);
  const RecordedStudy recorded(folder / "study");
  for (const ExportTarget target :
       {ExportTarget::kCsv, ExportTarget::kOptunaJournal, ExportTarget::kOptunaSqlite}) {
    const ExportOptions options{.target = target};
    const std::string journal = content_of(folder / "study" / kJournalName);
    CHECK_THAT(input_error([&] { export_file(recorded, options, folder / "no" / "where"); }),
               ContainsSubstring(": cannot write it: "));
    CHECK_THAT(input_error([&] { export_file(recorded, options, folder / "study"); }),
               ContainsSubstring("study: is a folder, a file is needed"));
    CHECK_THAT(
        input_error([&] { export_file(recorded, options, folder / "study" / kJournalName); }),
        ContainsSubstring("belongs to the study; name another file"));
    CHECK(content_of(folder / "study" / kJournalName) == journal);
    CHECK(folder.names() == std::vector<std::string>{"study"});
    (void)folder.file("file", "older");
    CHECK(export_file(recorded, options, folder / "file").rows == 35);
    CHECK(content_of(folder / "file").size() > 300);
    fs::remove(folder / "file");
  }
}

TEST_CASE("an export follows a study until it is done, also where it is given more") {
  const test::TemporaryFolder folder;
  const auto study = [](int iterations) {
    return study_of(
        fmt::format("{{objective: branin, runs: 2, iterations: {}, hold_out: 4, "
                    "record: evaluations, threads: 1}}",
                    iterations));
  };
  test::record(folder / "whole", study(10));
  const std::string whole = content_of(folder / "whole" / kJournalName);
  const fs::path journal = folder / "study" / kJournalName;
  const auto write = [&](const std::string& text) {
    std::ofstream(journal, std::ios::binary | std::ios::app) << text;
  };
  fs::create_directory(folder / "study");
  const std::size_t half = whole.find('\n', whole.size() * 3 / 4) + 7;
  write(whole.substr(0, half));

  const ExportOptions options{.target = ExportTarget::kOptunaJournal};
  FollowedExport followed(folder / "study", options, folder / "trials.log");
  FollowedExport tables(folder / "study", {.target = ExportTarget::kOptunaSqlite},
                        folder / "trials.db");
  const auto check = [&](std::int64_t rows, bool done) {
    CHECK(followed.go_on() == !done);
    CHECK(tables.go_on() == !done);
    CHECK((content_of(folder / "trials.log") == csv(folder / "study", options)));
    CHECK(followed.summary().rows == rows);
    CHECK(tables.summary().rows == rows);
  };
  check(std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(half), '\n') - 1,
        false);
  (void)folder.file("study/recorded.jsonl",
                    R"({"at": [0, 0, "hold_out", -1, 0], "names": {"loss": 0.5}})"
                    "\n");
  write(whole.substr(half));
  check(std::count(whole.begin(), whole.end(), '\n') - 1, false);
  CHECK_THAT(content_of(folder / "trials.log"), ContainsSubstring(R"("loss":0.5})"));
  Study more = study(12);
  go_on_from(folder / "study", more);
  std::int64_t rows = 0;
  {
    Journal log(folder / "study", more, Journal::Open::kResume);
    StudyProgress progress;
    rows = std::count(whole.begin(), whole.end(), '\n') - 1 +
           run_study(more, progress, &log).evaluations() - progress.recalled;
  }
  check(rows, false);
  // The result of what the study was before does not end it.
  (void)folder.file("study/result.json",
                    Json{{"status", "done"}, {"study", study(10).config}}.dump());
  check(rows, false);
  (void)folder.file("study/result.json", Json{{"status", "done"}, {"study", more.config}}.dump());
  check(rows, true);
}

TEST_CASE("folders that hold no study are refused by name") {
  const test::TemporaryFolder folder;
  const auto refused = [&](const std::string& name) {
    return input_error([&] { RecordedStudy{folder / name}; });
  };
  fs::create_directory(folder / "empty");
  (void)folder.file("file", "");
  CHECK_THAT(refused("none"), ContainsSubstring("none: is not a folder; name the one of"));
  CHECK_THAT(refused("file"), ContainsSubstring("file: is not a folder"));
  CHECK_THAT(refused("empty"), ContainsSubstring("empty: holds no study; name the folder of"));
  (void)folder.file("empty/result.json", "{}");
  CHECK_THAT(refused("empty"), ContainsSubstring("holds no journal.log; studies with `record:"));
  (void)folder.file("empty/journal.log", "");
  CHECK_THAT(refused("empty"), ContainsSubstring("journal.log: holds nothing yet"));
  for (const char* text : {"hello\n", "{\"op_code\":0,\"worker_id\":\"x\"}\n",
                           "{\"ntune\":{\"format\":1,\"study\":3},\"op_code\":0}\n"}) {
    (void)folder.file("empty/journal.log", text);
    CHECK_THAT(refused("empty"), ContainsSubstring("journal.log:1: is not "));
  }
}

TEST_CASE("points beyond the search space are refused by line") {
  const test::TemporaryFolder folder;
  const auto objective = test::coins({0.1, 0.9, 0.5});
  const Study study = study_of("{record: evaluations}", objective);
  { Recorder(folder.path(), study).add(test::arm(2), {.payoff = 1.0}); }
  CHECK_THAT(input_error([&] {
               RecordedStudy(folder.path(), test::coins({0.1, 0.9}));
             }),
             ContainsSubstring("journal.log:2: its point is not in the search space"));
}

TEST_CASE("an export says what was ended early and what it cost") {
  const test::TemporaryFolder folder;
  const auto objective = std::make_shared<test::Timed>(3, [](const Point&, Rng&) { return 1.0; });
  const Study study = study_of("{iterations: 9, record: evaluations}", objective);
  {
    Recorder recorder(folder.path(), study);
    recorder.add(test::arm(0), {.payoff = -2.0});
    recorder.add(test::arm(1), {.payoff = -50.0, .ending = Ending::kCutOff, .cost = 2.5});
    recorder.add(test::arm(1), {.payoff = -3.0, .ending = Ending::kCapped});
    recorder.add(test::arm(2), {.failure = "crashed", .cost = 0.5});
  }
  const auto rows = fields_of(csv(folder.path(), {}, objective));
  REQUIRE(rows.size() == 5);
  const auto column = [&](const char* name) {
    return std::ranges::find(rows[0], name) - rows[0].begin();
  };
  const auto field = [&](std::size_t row, const char* name) {
    return rows[row][static_cast<std::size_t>(column(name))];
  };
  CHECK((field(1, "ending").empty() && field(1, "cost").empty()));
  CHECK((field(2, "ending") == "cut off" && field(2, "cost") == "2.5"));
  CHECK((field(3, "ending") == "at least" && field(3, "value") == "3"));
  CHECK((field(4, "ending").empty() && field(4, "cost") == "0.5"));
  const auto points = fields_of(per_point(folder.path(), objective));
  REQUIRE(points.size() == 4);
  CHECK((points[1][0] == "1" && points[1][1] == "2"));
  CHECK((points[2][0] == "1" && points[2][1] == "50"));
  const std::string optuna =
      csv(folder.path(), {.target = ExportTarget::kOptunaJournal}, objective);
  CHECK_THAT(optuna, ContainsSubstring("\"state\":2,\"value\":null"));
  CHECK_THAT(optuna, ContainsSubstring("\"at_least\":3"));
}

TEST_CASE("the opponent of every match whose players the search chooses is in every export") {
  const test::TemporaryFolder folder;
  const Study study = study_of(
      "{objective: {match: {game: simulated, dimensions: 2}}, optimiser: duels, budget: 30, "
      "seed: 3, record: evaluations}");
  test::record(folder.path(), study);
  const RecordedStudy recorded(folder.path());
  const Objective& objective = *study.objectives[0].objective;
  const SearchSpace& space = objective.space();

  // Fresh matches are against the default, which the journal does not say.
  std::vector<Json> chosen;
  std::int64_t fresh = 0;
  for_each_trial(recorded, [&](const RecordedTrial& trial) {
    const std::vector<std::uint16_t>& against = trial.line->against;
    const bool held_out = trial.line->key.stage == Stage::kHoldOut;
    fresh += held_out ? 1 : 0;
    CHECK((!held_out || against.empty()));
    chosen.push_back(
        point_json(against.empty() ? *objective.matches()->opponent() : Point(against), space));
  });
  CHECK(fresh > 0);

  std::size_t trial = 0;
  for_each_optuna_trial(recorded, {}, [&](const OptunaTrial& exported) {
    Json opponent;
    for (const auto& [name, value] : exported.attributes) {
      if (name == "opponent") opponent = Json::parse(value);
    }
    CHECK(opponent == chosen.at(trial++));
  });
  CHECK(trial == chosen.size());
  const std::string table = csv(folder.path());
  CHECK_THAT(table, ContainsSubstring(",opponent.p1,opponent.p2\n"));
  CHECK_THAT(table, !ContainsSubstring(",,\n"));
}

TEST_CASE("with several fixed opponents an export names the one of every match") {
  const test::TemporaryFolder folder;
  const Study study = study_of(
      "{objective: {match: {game: simulated, dimensions: 2}, opponents: [default, {p1: 1}]}, "
      "optimiser: duels, budget: 40, seed: 3, record: evaluations}");
  test::record(folder.path(), study);
  const auto anchors = study.objectives[0].objective->matches()->anchors();
  std::array<std::int64_t, 2> fresh{};
  for_each_trial(RecordedStudy(folder.path()), [&](const RecordedTrial& trial) {
    REQUIRE(trial.opponent);
    // A fixed opponent was drawn, and there was no game where the player met itself.
    CHECK(trial.line->games.empty() == (*trial.opponent == trial.point));
    if (trial.line->key.stage != Stage::kHoldOut) return;
    const auto place = std::ranges::find(anchors, *trial.opponent) - anchors.begin();
    REQUIRE(place < 2);
    ++fresh.at(static_cast<std::size_t>(place));
  });
  CHECK(fresh[0] > 0);
  CHECK(fresh[1] > 0);
}

TEST_CASE("names that evaluations have reported are in every export of evaluations") {
  const test::TemporaryFolder folder;
  const auto objective = test::coins({0.1, 0.9});
  const Study study = study_of("{record: evaluations}", objective);
  {
    Recorder recorder(folder.path(), study);
    for (const int arm : {1, 0, 1}) recorder.add(test::arm(arm), {.payoff = 1.0});
  }
  // As Python writes it: NaN is a bare word. The last line was torn, and one is of no evaluation.
  std::ofstream(folder / "recorded.jsonl")
      << R"({"at": [0, 0, "search", 0, 1], "names": {"value": 7, "loss": NaN, "mode": "a, b"}})"
      << "\n"
      << R"({"at": [0, 0, "search", 9, 0], "names": {"loss": 1}})"
      << "\n[]\n"
      << R"({"at": [0, 0, "search", 0, 2], "names": {"a\"b": [1, null], "loss": 0.25}})"
      << "\n"
      << R"({"at": [0, 0, "search", 0, 0], "names": {"loss": 3)";
  const std::string text = csv(folder.path(), {}, objective);
  CHECK_THAT(text, ContainsSubstring(",arm,returned.value,loss,mode,\"a\"\"b\"\n"));
  CHECK_THAT(text, ContainsSubstring(",1,,,,\n"));
  CHECK_THAT(text, ContainsSubstring(",0,7,NaN,\"a, b\",\n"));
  CHECK_THAT(text, ContainsSubstring(",1,,0.25,,\"[1,null]\"\n"));
  CHECK_FALSE(csv(folder.path(), {.reported = false}, objective).find("loss") != text.npos);

  std::string trials;
  export_text(RecordedStudy(folder.path(), objective), {.target = ExportTarget::kOptunaJournal},
              [&](std::string_view piece) { trials += piece; });
  std::vector<Json> attributes;
  std::istringstream lines(trials);
  for (std::string line; std::getline(lines, line);) {
    const Json trial = Json::parse(line);
    if (trial.contains("user_attrs")) attributes.push_back(trial["user_attrs"]);
  }
  REQUIRE(attributes.size() == 3);
  CHECK_FALSE(attributes[0].contains("loss"));
  CHECK(attributes[1]["value"] == 7);
  CHECK(attributes[1]["loss"] == "NaN");
  CHECK(attributes[2]["a\"b"] == Json::parse("[1, null]"));
}

TEST_CASE("a parameter with the name of a column has one of its own, and is read back") {
  const std::vector<std::string> names = {"ending", "cost",   "run",     "value",      "payoff",
                                          "wins",   "losses", "seconds", "opponent.x", "n"};
  std::vector<Parameter> parameters;
  for (const std::string& name : names) parameters.push_back(make_integers(name, 10, 12));
  const SearchSpace space(std::move(parameters));
  const auto objective =
      std::make_shared<LambdaObjective>(space, [](const Point&, Rng&) { return 0.0; });
  const Study study = study_of("{record: evaluations, fail: skip}", objective);
  Point point(space.dimensions());
  for (int i = 0; i < space.dimensions(); ++i) point[i] = static_cast<std::uint16_t>(i % 3);
  const test::TemporaryFolder folder;
  {
    Recorder recorder(folder.path(), study);
    recorder.add(point, {.payoff = 0.5});
    recorder.add(Point(space.dimensions()), {.payoff = 2.5});
    recorder.add(point, {.failure = "no reason"});
  }
  std::ofstream(folder / "recorded.jsonl")
      << R"({"at": [0, 0, "search", 0, 1], "names": {"run": 7, "wins": 8, "loss": 9}})"
      << "\n";
  const std::string text = csv(folder.path(), {}, objective);
  CHECK(text.substr(0, text.find('\n')) ==
        "stage,run,evaluation,value,failure,seconds,attempts,start,complete,parameter.ending,"
        "parameter.cost,parameter.run,parameter.value,payoff,wins,losses,parameter.seconds,"
        "parameter.opponent.x,n,returned.run,returned.wins,loss");
  CHECK_THAT(per_point(folder.path(), objective),
             ContainsSubstring(",hold_out,ending,cost,run,value,payoff,wins,losses,seconds,"
                               "parameter.opponent.x,parameter.n\n"));

  const ForeignObservations data = read_foreign_observations(
      folder.file("data.csv", csv(folder.path(), {.reported = false}, objective)), {});
  CHECK(data.names == names);
  std::vector<std::string> notes;
  const std::vector<Point> points = place_observations(data, space, notes);
  REQUIRE(points.size() == 2);
  CHECK(points[0] == point);
  CHECK(points[1] == Point(space.dimensions()));
  CHECK(data.observations[0].payoff == 0.5);
  CHECK(data.observations[1].payoff == 2.5);
  CHECK(data.failures.size() == 1);
}

TEST_CASE("a space goes back to irace and SMAC with its conditions, defaults and instances") {
  const Study study = test::study_of(
      "{objective: {command: [echo, '{params:gnu}'], result: time, cutoff: 5 s}, space: "
      "{a: {choices: [x, y], default: y}, n: {integers: [1, 5], default: 3, when: {a: [y]}}, "
      "r: {range: [0, 1], step: 0.25, default: 0.5}, o: {choices: [1, 5, 20], default: 5}, "
      "forbid: [{a: x, o: [1, 5]}]}, instances: [p1.cnf, p2.cnf], iterations: 40, runs: 1, seed: "
      "3}");
  CHECK(irace_parameters(study) ==
        "# name  switch  type  values  [| condition]\n"
        "a \"--a=\" c (\"x\", \"y\")\n"
        "n \"--n=\" i (1, 5) | a %in% c(\"y\")\n"
        "r \"--r=\" r (0, 1)\n"
        "o \"--o=\" o (1, 5, 20)\n"
        "\n[forbidden]\n"
        "(a %in% c(\"x\")) & (o %in% c(1, 5))\n");
  CHECK(irace_configurations(study) == "a n r o\n\"y\" 3 0.5 5\n");
  CHECK(instance_lines(study.instances.train) == "p1.cnf\np2.cnf\n");
  const std::string scenario = irace_scenario(study);
  for (const char* line : {"parameterFile = \"parameters.txt\"\n", "maxExperiments = 40\n",
                           "trainInstancesFile = \"instances.txt\"\n", "boundMax = 5\n",
                           "boundPar = 10\n", "seed = 3\n"}) {
    CHECK_THAT(scenario, ContainsSubstring(line));
  }
  CHECK(pcs_text(study) ==
        "a categorical {x, y} [y]\n"
        "n integer [1, 5] [3]\n"
        "r real [0, 1] [0.5]\n"
        "o ordinal {1, 5, 20} [5]\n"
        "\nn | a in {y}\n"
        "\n{a=x, o=1}\n{a=x, o=5}\n");
}

TEST_CASE("a space goes to irace and SMAC whole: alternatives, defaults off the grid and names") {
  const auto of_space = [](const std::string& space) {
    return test::study_of("{objective: {command: [echo, '{params:gnu}']}, space: {" + space +
                          "}, iterations: 40, runs: 1}");
  };
  const Study study = of_space(
      "mode-of: {choices: [a, b, c], default: a}, d: {integers: [1, 9], step: 2, default: 4}, k: "
      "{integers: [1, 4], default: 1, when: [{mode-of: a}, {mode-of: b, d: [1, 3]}]}");
  const std::string irace = irace_parameters(study);
  CHECK(irace ==
        "# name  switch  type  values  [| condition]\n"
        "mode.of \"--mode-of=\" c (\"a\", \"b\", \"c\")\n"
        "d \"--d=\" o (1, 3, 5, 7, 9)\n"
        "k \"--k=\" i (1, 4) | ((mode.of %in% c(\"a\"))) | ((mode.of %in% c(\"b\")) & "
        "(d %in% c(1, 3)))\n");
  CHECK(irace_configurations(study) ==
        "# The default of d is 4, which has no place here: the nearest is 3.\n"
        "mode.of d k\n\"a\" 3 1\n");
  const std::string pcs = pcs_text(study);
  CHECK_THAT(pcs, ContainsSubstring("d ordinal {1, 3, 5, 7, 9} [3]\n"));
  CHECK_THAT(pcs, ContainsSubstring("\nk | mode-of in {a} || mode-of in {b} && d in {1, 3}\n"));
  // What is written is read back as the same conditions.
  const auto points = [](const std::string& text, SpaceFormat format) {
    ImportOptions options;
    options.format = format;
    const ImportedSpace imported = import_space_text(text, "a file", options);
    return read_space(*parse_yaml(imported.yaml).find("space")).size().points;
  };
  CHECK(points(pcs, SpaceFormat::kPcs) == 36.0);
  CHECK(points(irace, SpaceFormat::kIrace) == 36.0);
  // Values of a range that are named are values of a list: nothing between them could be meant.
  const Study named = of_space(
      "x: {range: [0, 1], step: 0.25}, y: {log_range: [1, 100], points: 3}, z: {integers: [1, 2], "
      "when: {y: [10]}}, u: {range: [0, 1], points: 5}, forbid: [{x: [0.25, 0.5], z: 2}]");
  CHECK_THAT(irace_parameters(named), ContainsSubstring("x \"--x=\" o (0, 0.25, 0.5, 0.75, 1)\n") &&
                                          ContainsSubstring("y \"--y=\" o (1, 10, 100)\n") &&
                                          ContainsSubstring("u \"--u=\" r (0, 1)\n"));
  CHECK_THAT(pcs_text(named), ContainsSubstring("x ordinal {0, 0.25, 0.5, 0.75, 1} [0]\n") &&
                                  ContainsSubstring("y ordinal {1, 10, 100} [1]\n"));
  const double all = 2.0 * named.objectives[0].objective->space().size().points;
  CHECK(points(irace_parameters(named), SpaceFormat::kIrace) == all);
  CHECK(points(pcs_text(named), SpaceFormat::kPcs) == all);
  const Study odd = of_space("'2 of x': {choices: [a, b]}, '2-of x': {choices: ['a b', c]}");
  CHECK_THAT(irace_parameters(odd), ContainsSubstring("\nX2.of.x \"--2 of x=\" c "));
  CHECK_THAT(irace_parameters(odd), ContainsSubstring("\nX2.of.x.1 \"--2-of x=\" c "));
  CHECK_THAT(test::input_error([&] { (void)pcs_text(odd); }),
             ContainsSubstring("parameter '2 of x': a PCS file cannot hold '2 of x'"));
  CHECK_THAT(test::input_error([&] { (void)pcs_text(of_space("x: ['a,b', c]")); }),
             ContainsSubstring("parameter 'x': a PCS file cannot hold 'a,b'"));
}

TEST_CASE("a null goes to irace as no argument, and to SMAC not at all") {
  const Study study = test::study_of(
      "{objective: {command: [echo, '{luck}', '--deep={deep}', '{more}']}, space: {luck: {choices: "
      "[null, --luck], default: null}, deep: {choices: [1, null, 2], default: 2}, more: {choices: "
      "[a, b], when: {luck: [null]}}}, iterations: 40, runs: 1}");
  CHECK(irace_parameters(study) ==
        "# name  switch  type  values  [| condition]\n"
        "luck \"\" c (\"\", \"--luck\")\n"
        "deep \"\" c (\"--deep=1\", \"\", \"--deep=2\")\n"
        "more \"--more=\" c (\"a\", \"b\") | luck %in% c(\"\")\n");
  CHECK_THAT(test::input_error([&] { (void)pcs_text(study); }),
             ContainsSubstring("parameter 'luck': a PCS file cannot hold null"));
}

TEST_CASE("irace gets the switches that the command has") {
  const Study study = test::study_of(
      "{objective: {command: [echo, '--del-init={init}', '--{local}', '-k{size:plain}', '{bare}', "
      "'{a}x', 'b={b}-{seed}', '{params[c]:-c {value}}', '{params[e*]:--{name} {value:plain}}', "
      "'{params[f]:{value}={name}}', '--luck={luck}', '{{d}}={d}']}, space: "
      "{init: ['3,500', no], local: [local, no-local], size: {integers: [1, 4]}, bare: [x, y], a: "
      "[1, 2], b: [1, 2], c: [x, y], luck: {choices: [null, 1]}, d: [x, y], e: {choices: [null, "
      "1]}, f: [x, y]}, iterations: 40, runs: "
      "1}");
  CHECK(irace_parameters(study) ==
        "# name  switch  type  values  [| condition]\n"
        "init \"--del-init=\" c (\"3,500\", \"no\")\n"
        "local \"--\" c (\"local\", \"no-local\")\n"
        "size \"-k\" i (1, 4)\n"
        "bare \"--bare=\" c (\"x\", \"y\")\n"
        "a \"--a=\" o (1, 2)\n"
        "b \"--b=\" o (1, 2)\n"
        "c \"-c \" c (\"x\", \"y\")\n"
        "luck \"\" c (\"\", \"--luck=1\")\n"
        "d \"{d}=\" c (\"x\", \"y\")\n"
        "e \"\" c (\"\", \"--e 1\")\n"
        "f \"--f=\" c (\"x\", \"y\")\n");
}

TEST_CASE("irace gets values with quotes, backslashes, commas and letters beyond ASCII") {
  const auto of_values = [](const std::string& values) {
    return test::study_of("{objective: {command: [echo, '{params:gnu}']}, space: {a: {choices: [" +
                          values + "], default: 'd\"e'}, b: {choices: [on, off], default: 'on', " +
                          "when: {a: ['d\"e', 'b\\c', 'x,y']}}, forbid: [{a: 'b\\c', b: 'off'}]}, "
                          "iterations: 40, runs: 1}");
  };
  const Study study = of_values("'d\"e', 'b\\c', 'x,y', é, 'it''s', '(p)', 'a b', \"t\\tb\"");
  const std::string text = irace_parameters(study);
  // irace knows no escapes in a list of values, R knows them in a condition.
  CHECK(text ==
        "# name  switch  type  values  [| condition]\n"
        "a \"--a=\" c (d\"e, \"b\\c\", \"x,y\", \"é\", \"it's\", \"(p)\", \"a b\", \"t\tb\")\n"
        "b \"--b=\" c (\"on\", \"off\") | a %in% c(\"d\\\"e\", \"b\\\\c\", \"x,y\")\n"
        "\n[forbidden]\n"
        "(a %in% c(\"b\\\\c\")) & (b %in% c(\"off\"))\n");
  CHECK(irace_configurations(study) == "a b\n'd\"e' \"on\"\n");
  ImportOptions options;
  options.format = SpaceFormat::kIrace;
  const YamlNode read = parse_yaml(import_space_text(text, "p.txt", options).yaml);
  const SearchSpace space = read_space(*read.find("space"));
  const SearchSpace& own = study.objectives.front().objective->space();
  CHECK(space[0].values == own[0].values);
  CHECK(space[1].when == own[1].when);
  CHECK(space.forbidden() == own.forbidden());
  for (const char* wrong : {"'a#b'", "'a|b'", "'b\\'", "'\"q'", "'a, \"b'", "\"two\\nlines\""}) {
    CAPTURE(wrong);
    const Study odd = of_values(std::string("'d\"e', 'b\\c', 'x,y', ") + wrong);
    CHECK_THAT(test::input_error([&] { (void)irace_parameters(odd); }),
               ContainsSubstring("parameter 'a': a file of irace cannot hold"));
  }
}

TEST_CASE("the default of a parameter that is not active in the default is exported") {
  const Study study = test::study_of(
      "{objective: {command: [echo, '{params:gnu}']}, space: {g: {choices: [off, on], default: "
      "off}, b: {integers: [1, 4], default: 3, when: {g: [on]}}}, iterations: 40, runs: 1}");
  CHECK_THAT(pcs_text(study), ContainsSubstring("b integer [1, 4] [3]\n"));
  CHECK(irace_configurations(study) == "g b\n\"off\" NA\n");
}

}  // namespace ntune
