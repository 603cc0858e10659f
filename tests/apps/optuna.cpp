// Optuna reads what is exported of studies, also while they run.

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/command.h"
#include "apps/process.h"
#include "catch.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/lambda_objective.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/export/export.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/journal/recorded_study.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/run_study.h"
#include "study/memory_log.h"

namespace ntune {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using test::command;
using test::content_of;
using test::MemoryLog;

namespace {

std::string name_of(const Study& study, const EvaluationKey& key) {
  const std::string optimiser =
      study.is_comparison() ? study.optimisers[study.optimiser_of(key.cell)].label : "-";
  return fmt::format("{} {} {} {} {}", stage_name(key.stage), optimiser,
                     study.is_comparison() ? key.repeat : 0, key.run, key.index);
}

Json active_parameters(const SearchSpace& space, const Point& point) {
  Json all = point_json(point, space);
  Json active = Json::object();
  for (int i = 0; i < space.dimensions(); ++i) {
    if (space.is_active(point, i)) active[space[i].name] = all[space[i].name];
  }
  return active;
}

/// What Optuna should say of a study's evaluations.
Json expectation(const Study& study, const std::vector<MemoryLog::Entry>& entries) {
  Json studies = Json::array();
  for (std::size_t i = 0; i < study.objectives.size(); ++i) {
    const StudyObjective& objective = study.objectives[i];
    const bool cost = objective.objective->unit().is_cost();
    const std::string name = study.name.empty() ? objective.label
                             : i == 0           ? study.name
                                                : study.name + ": " + objective.label;
    Json trials = Json::object();
    for (const auto& [key, point, outcome] : entries) {
      if (study.objective_of(key.cell) != i) continue;
      const bool failed = !outcome.failure.empty();
      trials[name_of(study, key)] = {
          {"state", failed ? "FAIL" : "COMPLETE"},
          {"value", failed ? Json() : Json(objective.objective->unit().value_of(outcome.payoff))},
          {"params", active_parameters(objective.objective->space(), point)}};
    }
    studies.push_back(
        {{"name", name}, {"direction", cost ? "MINIMIZE" : "MAXIMIZE"}, {"trials", trials}});
  }
  return studies;
}

std::string in_quotes(const fs::path& path) { return "'" + path.string() + "'"; }

std::string read_by_optuna(const fs::path& file, const fs::path& expected) {
  const test::CommandOutcome outcome =
      test::shell(fmt::format("/usr/bin/python3 -B -W ignore '{}/tests/apps/read_journal.py' {} {}",
                              NTUNE_SOURCE_DIR, in_quotes(file), in_quotes(expected)));
  CAPTURE(outcome.err, outcome.out);
  REQUIRE(outcome.code == 0);
  return outcome.out.substr(outcome.out.rfind("ok"));
}

}  // namespace

TEST_CASE("Optuna reads a study that is exported while it runs") {
  if (!test::has_python_module("optuna")) return;
  const test::TemporaryFolder folder;
  const std::string yaml = folder.file("study.yaml", R"yaml(
name: "a \"study\""
objective:
  command: 'set -- {params:pairs}; sleep 0.02; test "$2" != 3 || exit 1; echo $(( $2 * 3 + {seed} % 5 )).5'
  shell: true
  direction: minimise
space:
  depth: {integers: [1, 9], step: 2}
  c: {range: [0, 1], step: 0.25}
  rate: {log_range: [0.001, 1], points: 4}
  book: {boolean: }
  style: [calm, "wild \"one\"", 3, 4.5, true]
  odd name: [1, 10, 100]
  only: 7
  width: {integers: [2, 4], when: {book: true}}
optimiser: {algorithm: random}
runs: 2
iterations: 12
re_evaluation: 6
hold_out: 5
fail: skip
max_failure_rate: 1
)yaml");
  const std::string out = (folder / "out").string();
  test::Process run({"run", yaml, "--out", out, "--quiet"});
  for (int i = 0; i < 1000 && content_of(folder / "out" / "journal.log").empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const auto follow = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"export", out, "--follow", "--to"});
    return std::make_unique<test::Process>(words);
  };
  std::vector<std::unique_ptr<test::Process>> followers;
  followers.push_back(follow({"optuna-journal", "-o", (folder / "trials.log").string()}));
  followers.push_back(
      follow({"optuna-sqlite", "--optuna-schema", "3.1", "-o", (folder / "trials.db").string()}));

  const Study study = read_study(read_yaml(yaml));
  CHECK(study.execution.record == Recording::kEvaluations);
  MemoryLog log;
  StudyProgress progress;
  run_study(study, progress, &log);
  const std::string expected = folder.file("expected.json", expectation(study, log.entries).dump());

  CHECK(run.wait(std::chrono::seconds(60)) == cli::kDone);
  for (const auto& follower : followers) {
    CHECK(follower->wait(std::chrono::seconds(20)) == cli::kDone);
    CHECK(follower->err().starts_with(fmt::format("{} trials in ", log.entries.size())));
  }
  for (const char* file : {"trials.log", "trials.db"}) {
    CHECK(read_by_optuna(folder / file, expected) == fmt::format("ok {}\n", log.entries.size()));
  }
}

TEST_CASE("Optuna reads all goals of a study that has several") {
  const test::TemporaryFolder folder;
  static_cast<void>(folder.file(
      "goals.sh", "test $2 = 3 && exit 1\necho \"{\\\"win\\\": $1, \\\"ms\\\": $2}\"\n"));
  const std::string yaml = folder.file(
      "study.yaml",
      "objective: {command: [sh, goals.sh, '{x}', '{evaluation}']}\n"
      "goals: {win: {direction: maximise, order: 1}, ms: {direction: minimise, order: 2}}\n"
      "space: {x: {integers: [1, 6], default: 2}}\nbudget: 40\nseed: 2\nfail: skip\n");
  const std::string out = (folder / "out").string();
  REQUIRE(command({"run", yaml, "--out", out, "--quiet"}).code == cli::kDone);
  const Json result = Json::parse(content_of(out + "/result.json"));
  CHECK_THAT(command({"export", out, "--to", "uci"}).out,
             ContainsSubstring("name x value " + result["setting"]["x"].dump()));
  CHECK_THAT(command({"export", out, "--to", "optuna-journal", "--per", "point"}).err,
             ContainsSubstring("--per point knows one goal"));
  const std::string rows = (folder / "rows.csv").string();
  REQUIRE(command({"export", out, "-o", rows}).code == cli::kDone);
  for (const char* target : {"optuna-journal", "optuna-sqlite"}) {
    const std::string file = (folder / target).string();
    std::vector<std::string> words = {"export", out, "--to", target, "-o", file};
    if (target == std::string("optuna-sqlite")) {
      words.insert(words.end(), {"--optuna-schema", "3.1"});
    }
    REQUIRE(command(words).code == cli::kDone);
    words[5] += ".followed";
    words.emplace_back("--follow");
    REQUIRE(command(words).code == cli::kDone);
    if (!test::has_python_module("optuna")) continue;
    for (const char* name : {"", ".followed"}) {
      const test::CommandOutcome outcome = test::shell(
          fmt::format("/usr/bin/python3 -B -W ignore '{}/tests/apps/read_goals.py' {} {}",
                      NTUNE_SOURCE_DIR, in_quotes(file + name), in_quotes(rows)));
      CAPTURE(outcome.err);
      CHECK(outcome.out == fmt::format("win MAXIMIZE, ms MINIMIZE: {} trials\n",
                                       result["evaluations"].get<int>()));
    }
  }
}

TEST_CASE("Optuna reads the export of odd names, of several payoffs, and not what is under way") {
  if (!test::has_python_module("optuna")) return;
  const test::TemporaryFolder folder;
  const SearchSpace odd(
      {make_choices("a \"quoted\" \\ name", {std::string("x\ny"), std::string("\t\"z\""), true}),
       make_choices("\u00fc\u65e5\U0001f600", {std::string(), std::string("\u00e9"), -1e300}),
       make_integers("from -5", -5, 9, 7), make_range("reals", -0.75, 1e-3, 4),
       make_log_range("logs", 1e-7, 1e9, 5), make_fixed("fixed", std::string("line"))});
  const auto objective = std::make_shared<LambdaObjective>(
      odd, [](const Point&, Rng& rng) { return rng.normal(); }, "odd");
  const Study study = read_study(
      parse_yaml("{optimisers: [ntbea, random], record: evaluations, name: \"n\\\"a\\nm\"}"),
      objective);
  const std::vector<double> payoffs = {0.0, -0.0, 1e-300, 5e-324, 0.1, 1e22, -1e308, 123456789.0};
  Rng rng(1);
  Json expected;
  {
    Journal journal(folder.path(), study, Journal::Open::kNew);
    std::vector<MemoryLog::Entry> told;
    for (std::int64_t i = 0; i < 60; ++i) {
      MemoryLog::Entry entry{{.cell = static_cast<std::uint32_t>(i % 2),
                              .stage = static_cast<Stage>(i % 3),
                              .repeat = i / 7,
                              .run = i % 5 - 1,
                              .index = i},
                             odd.sample(rng),
                             {.payoff = payoffs[static_cast<std::size_t>(i) % payoffs.size()]}};
      if (i % 6 == 0) entry.outcome = {.failure = "crashed\n\"at\" \x01\xff\u00e9", .attempts = 2};
      if (i % 6 == 1) entry.outcome = {.payoff = 2.0, .observations = {1.0, 2.0, 3.0}};
      const Request request{
          .key = entry.key, .objective = objective.get(), .point = &entry.point, .stream = Rng(0)};
      const auto now = std::chrono::system_clock::now();
      if (i % 3 == 0) journal.append_asked(request, now);
      if (i % 9 == 0) continue;
      journal.append(request, entry.outcome, now, now);
      told.push_back(entry);
    }
    expected = expectation(study, told);
  }
  const std::string expected_file = folder.file("expected.json", expected.dump());
  RecordedStudy recorded(folder.path(), objective);
  recorded.choose_split();
  for (const ExportTarget target : {ExportTarget::kOptunaJournal, ExportTarget::kOptunaSqlite}) {
    const bool sqlite = target == ExportTarget::kOptunaSqlite;
    const fs::path file = folder / (sqlite ? "trials.db" : "trials.log");
    export_file(recorded, {.target = target, .schema = OptunaSchema::k31}, file);
    CHECK(read_by_optuna(file, expected_file) == "ok 53\n");
  }
}

}  // namespace ntune
