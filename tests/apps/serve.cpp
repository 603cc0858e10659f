// `ntune serve`, `ask` and `tell` as programs of other languages use them.

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "apps/process.h"
#include "catch.h"
#include "ntune/core/json.h"

namespace ntune {

namespace {

using Catch::Matchers::ContainsSubstring;

const std::string kServer = std::string("'") + NTUNE_EXECUTABLE + "'";
const std::string kExamples = NTUNE_SOURCE_DIR "/apps/examples/";
const std::string kServedStudy = NTUNE_SOURCE_DIR "/configs/ask_tell.yaml";

}  // namespace

TEST_CASE("the Python client drives a study to its end") {
  const test::TemporaryFolder folder;
  const test::CommandOutcome outcome =
      test::shell("/usr/bin/python3 " + kExamples + "ask_tell.py " + kServer + " serve " +
                  kServedStudy + " --out '" + (folder / "out").string() + "'");
  CAPTURE(outcome.err);
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out, ContainsSubstring("'final': True"));
  const Json result = Json::parse(test::content_of(folder / "out" / "result.json"));
  CHECK(result["status"] == "done");
  CHECK(result["budget"]["search"] == 600);
  CHECK(result["budget"]["hold_out"] == 100);
}

TEST_CASE("programs in Python play on the instances of a study") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "{objective: {ask_tell: my agent, payoffs: [0, 1], two_valued: true}, space: {depth: "
      "{integers: [1, 8]}, c: {range: [0.2, 2], step: 0.2}}, instances: [0, 2, 20], runs: 1, "
      "iterations: 40, hold_out: 60}");
  for (const std::string client : {"ask_tell.py", "tuned_agent.py"}) {
    CAPTURE(client);
    const std::filesystem::path out = folder / client;
    const test::CommandOutcome outcome =
        test::shell("/usr/bin/python3 -B " + kExamples + client + " " + kServer + " serve " +
                    study + " --out '" + out.string() + "'");
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == 0);
    const Json rows = Json::parse(test::content_of(out / "result.json"))["instances"];
    REQUIRE(rows.size() == 3);
    for (const Json& row : rows) {
      CHECK(row["n"] == 20);
      // Nobody wins against 20.
      CHECK((row["value"] == 0.0) == (row["name"] == "20"));
    }
  }
}

TEST_CASE("the Python client stops where a value is none") {
  const test::TemporaryFolder folder;
  std::string client = test::content_of(kExamples + "ask_tell.py");
  const std::string line = "return 1 if random.Random(seed).random() < strength else 0";
  REQUIRE(client.find(line) != std::string::npos);
  client.replace(client.find(line), line.size(), "return float('nan')");
  const test::CommandOutcome outcome =
      test::shell("/usr/bin/python3 " + folder.file("client.py", client) + " " + kServer +
                  " serve " + kServedStudy);
  CHECK(outcome.code == 1);
  CHECK(outcome.out.empty());
  CHECK_THAT(outcome.err,
             ContainsSubstring("RuntimeError: evaluation 0: the line is not valid JSON"));
}

TEST_CASE("tell takes what nobody asked for, and recommend knows it") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "{objective: {ask_tell: bot}, space: {a: {integers: [1, 9]}, b: [x, y]}, runs: 1, "
      "iterations: 30, optimiser: ntbea}");
  const std::string out = (folder / "out").string();
  const std::string tell = kServer + " tell " + out;
  REQUIRE(test::shell(kServer + " ask " + out + " --study " + study).code == 0);
  CHECK_THAT(test::shell(kServer + " recommend " + out).err,
             ContainsSubstring("no value has been told yet"));
  const test::CommandOutcome told =
      test::shell(tell + " --params '{\"a\": 3, \"b\": \"y\"}' --value 0.4");
  CAPTURE(told.err);
  CHECK(told.code == 0);
  CHECK(told.out == "{\"told\":null}\n");
  const Json now = Json::parse(test::shell(kServer + " recommend " + out).out);
  CHECK(now["params"] == Json{{"a", 3}, {"b", "y"}});
  CHECK(now["estimate"] == 0.4);
  // YAML, and several values of one point; it is not counted.
  CHECK(test::shell(tell + " --params '{a: 5, b: x}' --value 0.5 0.7").code == 0);
  CHECK(Json::parse(test::shell(kServer + " recommend " + out).out)["params"]["a"] == 5);
  CHECK(Json::parse(test::shell(kServer + " status --format json " + out).out)["evaluations"] == 0);
  // No export loses what was told.
  const std::string table = test::shell(kServer + " export " + out).out;
  CAPTURE(table);
  CHECK_THAT(table, ContainsSubstring("\noffered,,,0.4,,,1,"));
  CHECK_THAT(table, ContainsSubstring("\noffered,,,0.5,,,1,"));
  CHECK_THAT(table, ContainsSubstring("\noffered,,,0.7,,,1,"));
  CHECK(std::ranges::count(table, '\n') == 4);
  CHECK_THAT(test::shell(kServer + " export " + out + " --per point").out,
             ContainsSubstring("\n2,0.6,"));
  CHECK_THAT(test::shell(kServer + " export " + out + " --to optuna-journal").out,
             ContainsSubstring(R"("value":0.4,)") && ContainsSubstring(R"("stage":"offered")"));
  const auto refused = [&](const std::string& words, const std::string& text) {
    const test::CommandOutcome outcome = test::shell(tell + words);
    CAPTURE(words, outcome.err);
    CHECK(outcome.code == 2);
    CHECK(test::is_one_line(outcome.err));
    CHECK_THAT(outcome.err, ContainsSubstring(text));
  };
  refused(" --value 1", "--id: is missing, what ask printed; or --params");
  refused(" --id 0", "--value: is missing");
  refused(" --fail 'no licence'", "--fail: needs --id");
  refused(" --params '{a: 5, b: x}'", "--value: is missing");
  refused(" --params '[5]' --value 1", "--params:1: is a list");
  refused(" --params '{a: 50, b: x}' --value 1", "a: is 50");
  refused(" --id 0 --params '{a: 5, b: x}' --value 1", "excludes");
  refused(" --cost 1 --params '{a: 5, b: x}' --value 1", "excludes");
  refused(" --id 0 --value 1 --instance lake", "'instance': the study has no instances");
  refused(" --id 0 --value 1 --cost -1", "--cost: is -1, a number of at least 0 is allowed");
  CHECK(test::shell(tell + " --id 0 --value 0.1").code == 0);
}

TEST_CASE("tell takes an instance by its name, and says which there are") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "{objective: {ask_tell: bot}, space: {a: {integers: [1, 9]}}, instances: [lake, hill], runs: "
      "1, iterations: 9, optimiser: ntbea}");
  const std::string out = (folder / "out").string();
  const test::CommandOutcome asked = test::shell(kServer + " ask " + out + " --study " + study);
  REQUIRE(asked.code == 0);
  const std::string tell = kServer + " tell " + out + " --value 1";
  const std::string first = Json::parse(asked.out)["instance"];
  const std::string other = first == "lake" ? "hill" : "lake";
  const test::CommandOutcome wrong = test::shell(tell + " --params '{a: 2}' --instance lak");
  CHECK(wrong.code == 2);
  CHECK(test::is_one_line(wrong.err));
  CHECK_THAT(wrong.err,
             ContainsSubstring("'instance': there is no instance 'lak'; allowed: lake, hill"));
  CHECK(test::shell(tell + " --params '{a: 2}' --instance hill").code == 0);
  CHECK(test::shell(tell + " --params '{a: 3}'").code == 0);  // of no single one
  const std::string table = test::shell(kServer + " export " + out).out;
  CHECK_THAT(table, ContainsSubstring("\noffered,,,hill,1,,,1,"));
  CHECK_THAT(table, ContainsSubstring("\noffered,,,,1,,,1,"));
  const test::CommandOutcome mixed = test::shell(tell + " --id 0 --instance " + other);
  CHECK(mixed.code == 2);
  CHECK_THAT(mixed.err, ContainsSubstring(
                            fmt::format("the evaluation is of '{}', not of '{}'", first, other)));
  CHECK(test::shell(tell + " --id 0 --instance " + first).code == 0);
}

TEST_CASE(
    "tell takes the values of several goals by their names, and numbers as texts of studies") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml",
                                        "{objective: {ask_tell: bot}, goals: {win: maximise, ms: "
                                        "minimise}, space: {a: {integers: [1, "
                                        "9]}}, budget: 30}");
  const std::string out = (folder / "out").string();
  REQUIRE(test::shell(kServer + " ask " + out + " --study " + study).code == 0);
  const std::string tell = kServer + " tell " + out + " --id 0 --value ";
  for (const auto& [value, text] :
       {std::pair("'{ms: 12}'", "'value': has no number 'win', one of its goals"),
        {"0x10 2", "--value: is 0x10, a finite number is allowed, or a map such as '{a: 1, b: 2}'"},
        {"1 2,5", "--value: is 2,5, a finite number is allowed"},
        {"1", "'value': 1 number told, the study has 2 goals: win and ms"}}) {
    const test::CommandOutcome outcome = test::shell(tell + value);
    CAPTURE(value, outcome.err);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, ContainsSubstring(text));
  }
  CHECK(test::shell(tell + "'{ms: 12, win: -0.5}'").code == 0);
  CHECK_THAT(test::shell(kServer + " export " + out).out,
             ContainsSubstring("\nsearch,0,0,-0.5,-0.5,12,"));
}

TEST_CASE("tell takes what an evaluation cost, and status says what is left") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "{objective: {ask_tell: bot}, space: {a: {integers: [1, 9]}}, budget: {cost: 100}, time: 1h, "
      "fail: skip}");
  const std::string out = (folder / "out").string();
  REQUIRE(test::shell(kServer + " ask " + out + " --study " + study).code == 0);
  CHECK(test::shell(kServer + " tell " + out + " --id 0 --value 1 --cost 7.5").code == 0);
  REQUIRE(test::shell(kServer + " ask " + out).code == 0);
  CHECK(test::shell(kServer + " tell " + out + " --id 1 --fail crash --cost 2").code == 0);
  REQUIRE(test::shell(kServer + " ask " + out).code == 0);
  const Json status = Json::parse(test::shell(kServer + " status --format json " + out).out);
  CAPTURE(status.dump());
  CHECK(status["cost_left"] == 90.5);
  CHECK(status["seconds_left"] > 3000.0);
}

TEST_CASE("status and top count what was cut off") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "{objective: {command: [sh, -c, 'sleep {x}'], result: time, cutoff: 0.1 s}, space: {x: [0, "
      "5]}, optimiser: grid, runs: 1, iterations: 4, hold_out: 0}");
  const std::string out = (folder / "out").string();
  REQUIRE(test::shell(kServer + " run " + study + " --out " + out + " --quiet").code == 0);
  const Json status = Json::parse(test::shell(kServer + " status --format json " + out).out);
  CAPTURE(status.dump());
  CHECK(status["cut_off"] == 2);
  const std::string top = test::shell(kServer + " top " + out + " --once").out;
  CAPTURE(top);
  CHECK_THAT(top, ContainsSubstring("failed  cut off"));
}

TEST_CASE("what is acknowledged is on the disk") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  WARN("a sanitizer must be loaded before all others");
  return;
#endif
  const test::TemporaryFolder folder;
  const std::string study =
      folder.file("study.yaml",
                  "{objective: {ask_tell: bot}, space: {a: {integers: [1, 9]}}, optimiser: ntbea, "
                  "runs: 1, iterations: 50}");
  const std::string out = (folder / "out").string();
  const test::CommandOutcome outcome =
      test::shell("/usr/bin/python3 -B " NTUNE_SOURCE_DIR
                  "/tests/apps/synced_tells.py " NTUNE_MOCK_SYNC_LOG " " +
                  out + "/journal.log " + NTUNE_EXECUTABLE + " serve " + study + " --out " + out);
  CAPTURE(outcome.err);
  CHECK(outcome.code == 0);
  CHECK(outcome.out == "ok 20\n");
  // The same command goes on.
  CHECK(Json::parse(test::shell(kServer + " status --format json " + out).out)["evaluations"] ==
        20);
}

TEST_CASE("single steps on a folder, under its lock") {
  const test::TemporaryFolder folder;
  const std::string out = (folder / "out").string();
  const std::string study = folder.file(
      "study.yaml",
      "{objective: {ask_tell: bot, direction: minimise}, space: {a: [1, 2, 3], b: [x, y]}, runs: 1,"
      " iterations: 6, hold_out: 2, parallel_evaluations: 3}");
  CHECK_THAT(test::shell(kServer + " ask " + out).err, ContainsSubstring("holds no study yet"));
  const test::CommandOutcome first = test::shell(kServer + " ask " + out + " --study " + study);
  CAPTURE(first.err);
  REQUIRE(first.code == 0);
  CHECK(Json::parse(first.out)["id"] == 0);
  // Three at once: each gets another evaluation.
  const test::CommandOutcome both =
      test::shell(kServer + " ask " + out + " & " + kServer + " ask " + out + " & wait");
  CHECK_THAT(both.out, ContainsSubstring("\"id\":1,"));
  CHECK_THAT(both.out, ContainsSubstring("\"id\":2,"));
  CHECK(Json::parse(test::shell(kServer + " ask " + out).out)["wait"] == Json::array({0, 1, 2}));
  CHECK(test::shell(kServer + " tell " + out + " --id 2 --value 2.5").code == 0);
  CHECK(test::shell(kServer + " tell " + out + " --id 0 --value 0.5").code == 0);
  CHECK(test::shell(kServer + " tell " + out + " --id 0 --value 0.5").code == 2);
  const Json now = Json::parse(test::shell(kServer + " recommend " + out).out);
  CHECK(now["estimate"] == 0.5);
  CHECK(now["final"] == false);
  CHECK(test::shell(kServer + " tell " + out + " --id 1 --fail 'no licence'").code == 3);
  CHECK(Json::parse(test::shell(kServer + " status --format json " + out).out)["evaluations"] == 1);
  // To the end.
  const test::CommandOutcome rest =
      test::shell("for i in $(seq 20); do work=$(" + kServer + " ask " + out +
                  " --again); case $work in *done*) "
                  "break;; esac; id=${work#*:}; " +
                  kServer + " tell " + out + " --id ${id%%,*} --value 1; done");
  CAPTURE(rest.out, rest.err);
  CHECK(Json::parse(test::shell(kServer + " recommend " + out).out)["final"] == true);
  CHECK(std::filesystem::exists(folder / "out" / "result.json"));
}

}  // namespace ntune
