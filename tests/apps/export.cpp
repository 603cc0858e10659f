// `ntune export` as a user meets it, and its files as Optuna reads them.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/process.h"
#include "catch.h"
#include "ntune/core/json.h"

namespace ntune {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using test::command;
using test::CommandOutcome;
using test::content_of;

namespace {

/// A study of a program with every kind of parameter, in the folder `out`.
std::string run_program_study(const test::TemporaryFolder& folder) {
  const std::string yaml = folder.file("study.yaml", R"yaml(
name: "a \"study\""
objective:
  command: 'set -- {params:pairs}; test "$2" != 3 || exit 1; echo $(( $2 * 3 + {seed} % 5 )).5'
  shell: true
  direction: minimise
  directory: .
space:
  depth: {integers: [1, 9], step: 2}
  rate: {log_range: [0.001, 1], points: 4}
  book: {boolean: }
  style: [calm, "wild \"one\"", 3, 4.5, true]
  "odd,\nname": [1, 10, 100]
  only: 7
  c: {range: [0, 1], step: 0.25, when: {book: true}}
optimiser: {algorithm: random}
runs: 2
iterations: 12
re_evaluation: 6
hold_out: 5
fail: skip
max_failure_rate: 1
)yaml");
  const std::string out = (folder / "out").string();
  REQUIRE(command({"run", yaml, "--out", out, "--quiet"}).code == cli::kDone);
  return out;
}

std::string run_study(const test::TemporaryFolder& folder, const std::string& yaml,
                      const std::string& name = "out") {
  const std::string out = (folder / name).string();
  const std::string study = folder.file(name + ".yaml", yaml);
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == cli::kDone);
  return out;
}

/// Exports four ways and returns the words for read_export.py.
std::string exported(const test::TemporaryFolder& folder, const std::string& out) {
  std::string words = "'" + out + "'";
  for (const char* per : {"evaluation", "point"}) {
    for (const char* suffix : {".log", ".db"}) {
      const std::string file =
          (folder / (fs::path(out).filename().string() + per + suffix)).string();
      std::vector<std::string> arguments = {"export", out, "--per", per, "-o", file, "--to"};
      if (std::string(suffix) == ".db") {
        arguments.insert(arguments.end(), {"optuna-sqlite", "--optuna-schema", "3.1"});
      } else {
        arguments.emplace_back("optuna-journal");
      }
      const CommandOutcome outcome = command(arguments);
      CAPTURE(outcome.err);
      REQUIRE(outcome.code == cli::kDone);
      CHECK_THAT(outcome.err, ContainsSubstring(" trials in " + file + "\n"));
      words += " '" + file + "'";
    }
  }
  return words;
}

void check_refused(const std::vector<std::string>& arguments, const std::string& text) {
  const CommandOutcome outcome = command(arguments);
  CAPTURE(outcome.err, text);
  CHECK(outcome.code == cli::kWrongInput);
  CHECK(outcome.out.empty());
  CHECK(test::is_one_line(outcome.err));
  CHECK_THAT(outcome.err, ContainsSubstring(text));
}

}  // namespace

TEST_CASE("Optuna reads what export writes") {
  if (!test::has_python_module("optuna")) return;
  const test::TemporaryFolder folder;
  std::string words = exported(folder, run_program_study(folder));
  words += " " + exported(folder, run_study(folder,
                                            "{objectives: [hartmann3, branin], optimisers: [ntbea, "
                                            "random], runs: 2, iterations: 40, hold_out: 3, "
                                            "record: evaluations, name: two}",
                                            "table"));
  const CommandOutcome outcome = test::shell(fmt::format(
      "/usr/bin/python3 -B -W ignore '{}/tests/apps/read_export.py' {}", NTUNE_SOURCE_DIR, words));
  CAPTURE(outcome.err, outcome.out);
  REQUIRE(outcome.code == 0);
  CHECK_THAT(outcome.out, ContainsSubstring("ok "));
}

TEST_CASE("export writes CSV to standard output") {
  const test::TemporaryFolder folder;
  const std::string out = run_program_study(folder);
  fs::remove(folder / "study.yaml");
  const CommandOutcome outcome = command({"export", out});
  CHECK(outcome.code == cli::kDone);
  CHECK(outcome.err.empty());
  CHECK_THAT(outcome.out, StartsWith("stage,run,evaluation,value,failure,seconds,attempts,start,"
                                     "complete,depth,rate,book,style,\"odd,\nname\",only,c\n"));
  CHECK_THAT(outcome.out, ContainsSubstring("search,1,11,"));
  const std::string file = (folder / "file.csv").string();
  CHECK(command({"export", out, "--to", "csv", "-o", file}).code == cli::kDone);
  CHECK(content_of(file) == outcome.out);
  const CommandOutcome points = command({"export", out, "--per", "point"});
  CHECK_THAT(points.out, StartsWith("n,mean,sd,standard_error,low,high,failures,search,"));
  CHECK(points.err.empty());
}

TEST_CASE("recommend takes an export of evaluations with instances and failures") {
  const test::TemporaryFolder folder;
  const std::string out = run_study(folder, R"yaml(
objective:
  command: [sh, -c, 'test {a} != 3 || exit 1; echo $(( 10 * ({a} - 4) * ({a} - 4) + {b} + {instance} ))']
  direction: minimise
instances: [0, 100, 200]
space: {a: {integers: [0, 5]}, b: {integers: [0, 2]}}
optimiser: {algorithm: random}
runs: 1
iterations: 40
hold_out: 3
fail: skip
)yaml");
  const std::string file = (folder / "file.csv").string();
  REQUIRE(command({"export", out, "-o", file}).code == cli::kDone);
  const CommandOutcome outcome = command({"recommend", file, "--minimise", "--format", "json"});
  REQUIRE(outcome.code == cli::kDone);
  CHECK_THAT(outcome.err, ContainsSubstring(" failed and brought no value\n"));
  CHECK_THAT(outcome.err, ContainsSubstring("the effects of 3 instances, from "));
  const Json recommended = Json::parse(outcome.out)["recommendation"];
  CHECK(recommended["parameters"]["a"] == 4);
}

TEST_CASE("export warns of means that owe much to luck") {
  const test::TemporaryFolder folder;
  const std::string out =
      run_study(folder, "{objective: hartmann3, runs: 2, iterations: 100, record: evaluations}");
  const CommandOutcome points = command({"export", out, "--per", "point"});
  CHECK_THAT(points.err, StartsWith("note: the best mean is of ") &&
                             ContainsSubstring(" and owes much to luck; --at-least 30 leaves out"));
  const CommandOutcome enough = command({"export", out, "--per", "point", "--at-least", "10"});
  CHECK(enough.err.empty());
  CHECK_THAT(enough.out, StartsWith("n,mean,sd,"));
  CHECK(enough.out.size() < points.out.size());
}

TEST_CASE("the SQLite export is for Optuna 3.2 unless asked otherwise") {
  const test::TemporaryFolder folder;
  const std::string out =
      run_study(folder, "{objective: branin, runs: 1, iterations: 5, record: evaluations}");
  const std::string file = (folder / "it's.db").string();
  for (const auto& [schema, revision] : std::vector<std::pair<std::string, std::string>>{
           {"", "v3.2.0.a"}, {"3.2", "v3.2.0.a"}, {"3.1", "v3.0.0.d"}}) {
    std::vector<std::string> arguments = {"export", out, "--to", "optuna-sqlite", "-o", file};
    if (!schema.empty()) arguments.insert(arguments.end(), {"--optuna-schema", schema});
    REQUIRE(command(arguments).code == cli::kDone);
    const CommandOutcome outcome = test::shell(
        "/usr/bin/python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); "
        "print(*d.execute(\"select version_num, (select count(*) from sqlite_master where "
        "name = \\\"trials_study_id_key\\\") from alembic_version\").fetchone(), "
        "*d.execute(\"pragma integrity_check\").fetchone(), "
        "*d.execute(\"pragma foreign_key_check\"))' \"" +
        file + "\"");
    CAPTURE(outcome.err);
    CHECK(outcome.out == revision + (schema == "3.1" ? " 0" : " 1") + " ok\n");
  }
}

TEST_CASE("export of a study that records runs says so") {
  const test::TemporaryFolder folder;
  const std::string out = run_study(folder, "{objective: branin, runs: 3, iterations: 10}");
  const CommandOutcome outcome = command({"export", out});
  CHECK(outcome.code == cli::kDone);
  CHECK_THAT(outcome.out, StartsWith("run,evaluations,failures,"));
  CHECK_THAT(outcome.err, StartsWith("note: the journal holds runs"));
  const CommandOutcome trials = command({"export", out, "--to", "optuna-journal"});
  CHECK(std::ranges::count(trials.out, '\n') == 1 + 2 + 3);
  check_refused({"export", out, "--per", "point"}, "out: the journal holds runs, not their");
}

TEST_CASE("wrong exports are one line") {
  const test::TemporaryFolder folder;
  const std::string out =
      run_study(folder, "{objective: branin, runs: 1, iterations: 5, record: evaluations}");
  const std::string other =
      run_study(folder, "{objective: branin, runs: 1, iterations: 5, record: none}", "unrecorded");
  check_refused({"export"}, "folder");
  check_refused({"export", out, "--to", "xml"}, "--to");
  check_refused({"export", out, "--per", "run"}, "--per");
  check_refused({"export", out, "--to", "optuna-sqlite"}, "--to optuna-sqlite: needs -o FILE");
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"--to", "csv", "-o", "x"},
        {"--to", "optuna-journal"},
        {"--to", "optuna-journal", "-o", "x", "--per", "point"}}) {
    std::vector<std::string> words = {"export", out, "--follow"};
    words.insert(words.end(), wrong.begin(), wrong.end());
    check_refused(words, "--follow: goes with --to optuna-journal or optuna-sqlite");
  }
  check_refused({"export", out, "--optuna-schema", "3.1"}, "goes with --to optuna-sqlite");
  check_refused({"export", out, "--to", "optuna-sqlite", "-o", "x", "--optuna-schema", "2"},
                "--optuna-schema");
  check_refused({"export", out, "--at-least", "3"}, "--at-least: goes with --per point");
  check_refused({"export", out, "--per", "point", "--to", "irace"}, "--per point: goes with ");
  check_refused({"export", out, "--at-least", "0"}, "--at-least");
  check_refused({"export", other}, "unrecorded: holds no journal.log; studies with `record:");
  check_refused({"export", folder.path().string()}, "holds no study itself; name one of");
  check_refused({"export", (folder / "nowhere").string()}, "nowhere: is not a folder");
  check_refused({"export", out, "-o", out + "/journal.log"}, "belongs to the study");
  check_refused({"export", out, "-o", out + "/no/file"}, "no/file: cannot write it: ");
  check_refused({"export", out, "--to", "optuna-sqlite", "-o", out + "/no/file"},
                "no/file: cannot write it: ");
}

TEST_CASE("what irace needs is written to a folder, again where it has been before") {
  const test::TemporaryFolder folder;
  const std::string program = "{command: 'echo {x}', shell: true, direction: minimise}";
  const std::string out = run_study(
      folder, "{objective: " + program + ", space: {x: [1, 2]}, runs: 1, iterations: 4}", "down");
  const std::string there = (folder / "irace").string();
  for (int i = 0; i < 2; ++i) {
    CHECK(command({"export", out, "--to", "irace", "-o", there}).code == cli::kDone);
    CHECK_THAT(content_of(there + "/scenario.txt"),
               ContainsSubstring("parameterFile") && !ContainsSubstring("negative"));
  }
  // irace minimises whatever it is told.
  const std::string gains = run_study(folder, "{objective: branin, runs: 1, iterations: 9}", "up");
  REQUIRE(command({"export", gains, "--to", "irace", "-o", there}).code == cli::kDone);
  CHECK_THAT(content_of(there + "/scenario.txt"),
             ContainsSubstring("irace minimises: let it print the negative of what"));
}

TEST_CASE("a study that is still running is exported as far as it is") {
  using namespace std::chrono_literals;
  const test::TemporaryFolder folder;
  const std::string yaml =
      folder.file("study.yaml",
                  "objective: {command: 'sleep 0.01; echo {x}', shell: true, direction: maximise}\n"
                  "space: {x: [1, 2, 3]}\nruns: 1\niterations: 100000\n");
  const std::string out = (folder / "out").string();
  const test::Process process({"run", yaml, "--out", out, "--quiet"});
  CommandOutcome outcome;
  for (int i = 0; i < 200 && std::ranges::count(outcome.out, '\n') < 5; ++i) {
    std::this_thread::sleep_for(50ms);
    outcome = command({"export", out});
  }
  CHECK(std::ranges::count(outcome.out, '\n') >= 5);
  CHECK_THAT(outcome.out, StartsWith("stage,run,evaluation,value,"));
}

TEST_CASE("what is exported for use is the setting of the verdict") {
  // Today's setting is the best, on the grid or off it; every other one is shown to lose.
  for (const char* today : {"5", "0"}) {
    const test::TemporaryFolder folder;
    const std::string study = folder.file(
        "study.yaml", fmt::format("{{objective: {{command: [sh, -c, 'echo $((($1 - {0}) * ($1 - "
                                  "{0})))', x, '{{x}}'], direction: minimise, noisy: false}}, "
                                  "space: {{x: {{integers: [1, 9], default: {0}}}}}, "
                                  "iterations: 9, runs: 1, optimiser: random}}",
                                  today));
    const std::string out = (folder / "out").string();
    REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == 0);
    const test::CommandOutcome settings = command({"export", out, "--to", "uci"});
    CHECK(settings.code == 0);
    CHECK(settings.out == fmt::format("setoption name x value {}\n", today));
    const test::CommandOutcome lines = command({"export", out, "--to", "openbench"});
    CHECK_THAT(lines.out, StartsWith(fmt::format("x, int, {}, ", today)));
    const auto says_so = [](const test::CommandOutcome& outcome) {
      return outcome.err.find("note: nothing is shown to be better than today's") !=
             std::string::npos;
    };
    CHECK(says_so(lines) == says_so(settings));
    const Json answer = Json::parse(command({"recommend", out}).out);
    CHECK(answer["setting"]["x"] == std::stoi(today));
    CHECK(answer["verdict"] == "keep");
    CHECK_THAT(command({"status", out}).out, EndsWith("  verdict keep\n"));
  }
}

TEST_CASE("constraints that a format cannot hold are named") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "{objective: {command: [sh, -c, 'echo $((0 - ($1 - 3) * ($1 - 3)))', x, '{x}'], noisy: "
      "false}, space: {x: {integers: "
      "[1, 4], default: 3}, y: {integers: [1, 4], default: 1, when: {x: [2, 3]}}, forbid: [{x: 2, "
      "y: 2}, {x: 3, y: 4}]}, iterations: 3, runs: 1, optimiser: random}");
  const std::string out = (folder / "out").string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == 0);
  const auto notes = [&](const char* target) {
    return command({"export", out, "--to", target}).err;
  };
  CHECK_THAT(
      notes("openbench"),
      ContainsSubstring("note: left out, as a line of OpenBench cannot hold it: `when:` of y "
                        "and 2 clauses of `forbid:`\n"));
  CHECK_THAT(notes("optuna-journal"),
             ContainsSubstring("a study of Optuna cannot hold it: 2 clauses of `forbid:`\n"));
  for (const char* target : {"irace", "pcs"}) {
    CHECK_THAT(notes(target), !ContainsSubstring("left out"));
  }
}

}  // namespace ntune
