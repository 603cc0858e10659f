// ntune run --out DIR --resume: what goes on, and what is refused.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/process.h"
#include "catch.h"
#include "ntune/core/json.h"

namespace ntune {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using test::command;
using test::CommandOutcome;
using test::content_of;

namespace {

const std::string kSmallStudy = "objective: hartmann3\nruns: 3\niterations: 40\n";

std::string resumed_results(const fs::path& folder) {
  return content_of(folder / "result.json") + content_of(folder / "runs.csv");
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

void check_resume_refused(const CommandOutcome& outcome, const std::string& error) {
  CHECK(outcome.code == cli::kWrongInput);
  CHECK(outcome.out == "");
  CHECK(outcome.err == error + "\n");
}

}  // namespace

TEST_CASE("the option --resume needs a folder") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kSmallStudy);
  check_resume_refused(command({"run", study, "--resume"}),
                       "--resume: needs --out, the folder that holds the journal");
}

TEST_CASE("the option --resume begins a study whose folder holds none") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kSmallStudy);
  REQUIRE(command({"run", study, "--out", (folder / "a").string()}).code == cli::kDone);
  REQUIRE(command({"run", study, "--out", (folder / "b").string(), "--resume"}).code == cli::kDone);
  CHECK(resumed_results(folder / "a") == resumed_results(folder / "b"));
  CHECK(names_in(folder / "b") ==
        std::vector<std::string>{"journal.log", "lock", "result.json", "runs.csv", "study.yaml"});
}

TEST_CASE("a finished study is resumed to the same files") {
  const test::TemporaryFolder folder;
  for (const char* record : {"evaluations", "runs"}) {
    const std::string study =
        folder.file("study.yaml", kSmallStudy + "record: " + std::string(record) + "\n");
    const std::string out = (folder / record).string();
    const CommandOutcome first = command({"run", study, "--out", out, "--format", "json"});
    REQUIRE(first.code == cli::kDone);
    const std::string results = resumed_results(out);
    const std::string journal = content_of(fs::path(out) / "journal.log");
    const CommandOutcome second =
        command({"run", study, "--out", out, "--resume", "--format", "json"});
    CHECK(second.code == cli::kDone);
    CHECK(second.out == first.out);
    const auto known = record == std::string("runs")
                           ? std::size_t{3}
                           : Json::parse(first.out)["evaluations"].get<std::size_t>();
    CHECK_THAT(second.err, StartsWith(fmt::format("{} {} from the journal\n", known, record)));
    CHECK(resumed_results(out) == results);
    CHECK(content_of(fs::path(out) / "journal.log") == journal);
    // The study that the folder holds is the study.
    const CommandOutcome held = command({"run", (fs::path(out) / "study.yaml").string(), "--out",
                                         out, "--resume", "--quiet", "--format", "json"});
    CHECK(held.out == first.out);
    // Without --resume nobody's work is thrown away.
    check_resume_refused(
        command({"run", study, "--out", out}),
        fmt::format("{}: holds {} {} of this study; add --resume to go on with them, or "
                    "name another folder",
                    out, known, record));
    CHECK(resumed_results(out) == results);
  }
}

TEST_CASE("a study is not resumed with another seed") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kSmallStudy);
  const std::string out = (folder / "out").string();
  REQUIRE(command({"run", study, "--out", out, "--seed", "5", "--quiet"}).code == cli::kDone);
  check_resume_refused(
      command({"run", study, "--out", out, "--resume"}),
      out +
          ": holds the result of another study: 'seed' is 5 there, 1 here; name another "
          "folder");
  const std::string results = resumed_results(out);
  fs::remove(fs::path(out) / "result.json");
  const std::string journal = (fs::path(out) / "journal.log").string();
  check_resume_refused(command({"run", study, "--out", out, "--resume"}),
                       journal + ":1: is the journal of another study: 'seed' is 5 there, 1 here");
  check_resume_refused(command({"run", study, "--out", out, "--resume", "--seed", "6"}),
                       journal + ":1: is the journal of another study: 'seed' is 5 there, 6 here");
  REQUIRE(command({"run", study, "--out", out, "--resume", "--seed", "5", "--quiet"}).code ==
          cli::kDone);
  CHECK(resumed_results(out) == results);
}

TEST_CASE("a study is resumed with another name and patience, and says so") {
  const test::TemporaryFolder folder;
  const auto study = [&](const std::string& patience, const std::string& name) {
    return folder.file("study.yaml",
                       "objective: {command: [/bin/sh, -c, 'echo 0.$0', '{x}']" + patience +
                           "}\nspace: {x: {integers: [1, 9]}}\nbudget: 12\nruns: 1\nname: " + name +
                           "\n");
  };
  const std::string out = (folder / "out").string();
  REQUIRE(command({"run", study(", timeout: 9 s", "one"), "--out", out, "--quiet"}).code ==
          cli::kDone);
  fs::remove(fs::path(out) / "result.json");
  const auto again = command(
      {"run",
       study(", timeout: 8 s, retries: 5, timeout_retries: 1, backoff: 3 s, memory: 4000", "two"),
       "--out", out, "--resume"});
  CHECK(again.code == cli::kDone);
  CHECK_THAT(again.err,
             Catch::Matchers::ContainsSubstring("note: goes on although 'name' is \"one\" there, "
                                                "\"two\" here; 'objective.timeout' is 9.0 there, "
                                                "8.0 here; "));
  CHECK_THAT(again.err, Catch::Matchers::ContainsSubstring("'objective.memory' is "));
  CHECK_THAT(again.err, Catch::Matchers::ContainsSubstring(": finished evaluations stay as"));
  CHECK_THAT(again.err, Catch::Matchers::ContainsSubstring("12 evaluations from the journal"));
  const auto third = command({"run", study(", timeout: 7 s", "two"), "--out", out, "--resume"});
  CHECK(third.code == cli::kDone);
  CHECK_THAT(third.err,
             Catch::Matchers::ContainsSubstring("'objective.timeout' is 8.0 there, 7.0 here"));
}

TEST_CASE("a journal that is wrong is refused before anything runs") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kSmallStudy);
  const std::string out = (folder / "out").string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == cli::kDone);
  const fs::path journal = fs::path(out) / "journal.log";
  std::string text = content_of(journal);
  const std::size_t second = text.find('\n') + 1;
  text.replace(second, 3, "???");
  (void)folder.file("out/journal.log", text);
  check_resume_refused(command({"run", study, "--out", out, "--resume"}),
                       journal.string() +
                           ":2: is not a line of a journal: it is torn or was "
                           "edited; delete it and all lines behind it, and --resume "
                           "makes their evaluations again");
  CHECK(content_of(journal) == text);
}

TEST_CASE("a study without a journal has nothing to resume") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kSmallStudy + "record: none\n");
  const std::string out = (folder / "out").string();
  check_resume_refused(command({"run", study, "--out", out, "--resume"}),
                       "--resume: the study has `record: none`, no journal");
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == cli::kDone);
  CHECK(names_in(out) == std::vector<std::string>{"lock", "result.json", "runs.csv"});
  CHECK(command({"run", study, "--out", out, "--quiet"}).code == cli::kDone);
}

TEST_CASE("without a folder nothing is kept") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kSmallStudy + "record: evaluations\n");
  REQUIRE(command({"run", study, "--quiet"}).code == cli::kDone);
  CHECK(folder.names() == std::vector<std::string>{"study.yaml"});
}

TEST_CASE("two processes do not work on one folder") {
  const test::TemporaryFolder folder;
  const std::string study =
      folder.file("study.yaml", "objective: hartmann6\nruns: 20000\niterations: 1000\n");
  const std::string out = (folder / "out").string();
  test::Process process({"run", study, "--out", out, "--quiet", "--threads", "1"});
  const auto start = std::chrono::steady_clock::now();
  while (!fs::exists(fs::path(out) / "study.yaml") &&
         std::chrono::steady_clock::now() - start < 20s) {
    std::this_thread::sleep_for(5ms);
  }
  for (const char* resume : {"--quiet", "--resume"}) {
    const CommandOutcome outcome = command({"run", study, "--out", out, resume});
    CHECK(outcome.code == cli::kWrongInput);
    CHECK_THAT(outcome.err, StartsWith(fmt::format("{}: process {} on ", out, process.id())) &&
                                EndsWith(" works on this folder; wait for it or end it\n"));
  }
}

TEST_CASE("an interrupted study keeps its journal and says how to go on") {
  const test::TemporaryFolder folder;
  for (const char* record : {"evaluations", "runs"}) {
    // Half a second of work, most of it in the optimiser.
    const std::string study = folder.file(
        "study.yaml", fmt::format("objective: hartmann6\nruns: 60\niterations: 100\nhold_out: 100\n"
                                  "optimiser: {{neighbours: 2000}}\nrecord: {}\n",
                                  record));
    const std::string out = (folder / record).string();
    test::Process process({"run", study, "--out", out, "--threads", "2", "--seed", "3"});
    const auto start = std::chrono::steady_clock::now();
    const fs::path journal = fs::path(out) / "journal.log";
    while ((!fs::exists(journal) || fs::file_size(journal) < 8000) &&
           std::chrono::steady_clock::now() - start < 20s) {
      std::this_thread::sleep_for(1ms);
    }
    process.signal(SIGINT);
    const int code = process.wait(20s);
    if (code == cli::kDone) {
      WARN("the study ended before it could be interrupted");
      continue;
    }
    CHECK(code == cli::kInterrupted);
    CHECK_THAT(process.err(),
               ContainsSubstring(
                   fmt::format("To go on: ntune run {} --out {} --seed 3 --resume\n", study, out)));
    CHECK(Json::parse(content_of(fs::path(out) / "result.json"))["status"] == "interrupted");
    const CommandOutcome resumed =
        command({"run", study, "--out", out, "--seed", "3", "--resume", "--format", "csv"});
    CHECK(resumed.code == cli::kDone);
    CHECK_THAT(resumed.err, ContainsSubstring(fmt::format(" {} from the journal\n", record)));
    const std::string whole = (folder / (std::string("whole-") + record)).string();
    REQUIRE(command({"run", study, "--out", whole, "--seed", "3", "--quiet"}).code == cli::kDone);
    CHECK((resumed_results(out) == resumed_results(whole)));
  }
}

TEST_CASE("an interrupted study of a program says what is recorded and who makes something of it") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml",
                                        "objective: {command: [sh, -c, 'sleep 0.01; echo {x}']}\n"
                                        "space: {x: [1, 2, 3]}\nbudget: 5000\n");
  const std::string out = (folder / "out").string();
  test::Process process({"run", study, "--out", out});
  const fs::path journal = fs::path(out) / "journal.log";
  for (int i = 0; i < 20'000 && (!fs::exists(journal) || fs::file_size(journal) < 2500); ++i) {
    std::this_thread::sleep_for(1ms);
  }
  process.signal(SIGINT);
  CHECK(process.wait(20s) == cli::kInterrupted);
  CHECK_THAT(process.err(),
             ContainsSubstring(" evaluations are recorded. What they suggest: x = ") &&
                 ContainsSubstring(fmt::format("; ntune recommend {}\n", out)));
  CHECK(command({"recommend", out}).code == cli::kDone);
  // Terminal, table and page count the calls that the journal has.
  const std::string told = " of 5,000 calls: no search has ended, nothing is measured.";
  const std::string file = (folder / "page.html").string();
  REQUIRE(command({"report", out, "-o", file, "--quiet"}).code == cli::kDone);
  for (const std::string& text :
       {process.out(), command({"top", out, "--once"}).out, test::content_of(file)}) {
    CHECK_THAT(text, ContainsSubstring("Stopped after ") && ContainsSubstring(told) &&
                         !ContainsSubstring("after 0 of"));
  }
}

TEST_CASE("a program that fails ends the study, and is tried again") {
  const test::TemporaryFolder folder;
  const std::string switched = (folder / "repaired").string();
  const std::string study = folder.file(
      "study.yaml",
      fmt::format("objective:\n  command: 'set -- {{params:pairs}}; if [ $2 = 3 ] && [ ! -e {} ]; "
                  "then echo \"out of order\" >&2; exit 1; fi; echo $2'\n  shell: true\n"
                  "space: {{x: {{integers: [1, 4]}}}}\nruns: 2\niterations: 12\nhold_out: 3\n",
                  switched));
  const std::string out = (folder / "out").string();
  const CommandOutcome failed = command({"run", study, "--out", out, "--quiet"});
  CHECK(failed.code == cli::kEvaluationFailed);
  CHECK(test::is_one_line(failed.err));
  CHECK_THAT(failed.err, StartsWith("evaluation failed: ") && ContainsSubstring("out of order") &&
                             EndsWith(" at x = 3\n"));
  CHECK_FALSE(fs::exists(fs::path(out) / "result.json"));
  (void)folder.file("repaired", "");
  CHECK(command({"run", study, "--out", out, "--quiet", "--resume"}).code == cli::kDone);
  const std::string whole = (folder / "whole").string();
  REQUIRE(command({"run", study, "--out", whole, "--quiet"}).code == cli::kDone);
  CHECK(resumed_results(out) == resumed_results(whole));
}

TEST_CASE("a study that a failure has ended goes on once it may pass over failures") {
  const test::TemporaryFolder folder;
  const std::string base =
      "objective: {command: 'set -- {params:pairs}; [ $2 != 3 ] && echo $2', shell: true}\n"
      "space: {x: {integers: [1, 4]}}\nruns: 2\niterations: 30\nhold_out: 3\n";
  const std::string strict = folder.file("strict.yaml", base);
  const std::string lenient = folder.file("lenient.yaml", base + "fail: skip\n");
  const std::string out = (folder / "out").string();
  const CommandOutcome failed = command({"run", strict, "--out", out});
  CHECK(failed.code == cli::kEvaluationFailed);
  const std::string block =
      "Call [0-9]+ of [0-9]+ failed, which ends the study; with `fail: skip` it goes on[.]\n"
      "  setting     x 3\n"
      "  exit        status 1 after [0-9.]+ s\n"
      "  last words  none\n"
      "  go on       ";
  const std::string alone = "\nThe call alone: cd (.|\n)*";
  const auto one_space = [](std::string text) {  // a long path may stand on a line of its own
    for (std::size_t at = text.find("\n              "); at != std::string::npos;
         at = text.find("\n              ")) {
      text.replace(at, 15, " ");
    }
    return text;
  };
  CHECK_THAT(one_space(failed.err),
             Catch::Matchers::Matches(
                 block + fmt::format("ntune run {} --out {} --resume", strict, out) + alone));
  CHECK_THAT(
      one_space(command({"run", strict}).err),
      Catch::Matchers::Matches(
          block + fmt::format("ntune run {} --out DIR, which keeps what is done", strict) + alone));
  CHECK(command({"run", lenient, "--out", out, "--quiet", "--resume"}).code == cli::kDone);
  const std::string whole = (folder / "whole").string();
  REQUIRE(command({"run", lenient, "--out", whole, "--quiet"}).code == cli::kDone);
  CHECK(resumed_results(out) == resumed_results(whole));
  CHECK(command({"report", out, "-o", (folder / "page.html").string()}).code == cli::kDone);
}

TEST_CASE("a program that fails is passed over where the study says so") {
  const test::TemporaryFolder folder;
  const std::string base =
      "objective: {command: 'set -- {params:pairs}; [ $2 != 3 ] && echo $2', shell: true}\n"
      "space: {x: {integers: [1, 4]}}\nruns: 2\niterations: 30\nhold_out: 3\n";
  for (const char* fail : {"skip", "{value: 0}"}) {
    const std::string study = folder.file("study.yaml", base + "fail: " + fail + "\n");
    const CommandOutcome outcome = command({"run", study, "--format", "json", "--quiet"});
    CAPTURE(outcome.err);
    REQUIRE(outcome.code == cli::kDone);
    const Json json = Json::parse(outcome.out);
    CHECK(json["recommendation"]["parameters"]["x"] == 4);
    CHECK(json["budget"]["search"] == 60);
  }
  const std::string study = folder.file("study.yaml", base + "fail: skip\nmax_failure_rate: 0\n");
  const CommandOutcome outcome = command({"run", study, "--quiet", "--threads", "1"});
  CHECK(outcome.code == cli::kEvaluationFailed);
  CHECK_THAT(outcome.err, StartsWith("1 of the last ") &&
                              ContainsSubstring(
                                  " failed, max_failure_rate is 0; the last: evaluation failed: "));
  const std::string out = (folder / "out").string();
  CHECK_THAT(command({"run", study, "--out", out}).err,
             ContainsSubstring(" failed, and ends the study: 1 of the last ") &&
                 ContainsSubstring("--resume --retry-failed\n"));
}

TEST_CASE("what has failed is carried out again on demand") {
  const test::TemporaryFolder folder;
  const std::string switched = (folder / "repaired").string();
  const std::string study = folder.file(
      "study.yaml",
      fmt::format(
          "objective:\n  command: 'if [ {{x}} = 3 ] && [ ! -e {} ]; then echo \"out of order\" "
          ">&2; exit 1; fi; echo {{x}}'\n  shell: true\n"
          "space: {{x: {{integers: [1, 4]}}}}\nruns: 2\niterations: 12\nhold_out: 3\n"
          "fail: skip\n",
          switched));
  const std::string out = (folder / "out").string();
  const CommandOutcome first = command({"run", study, "--out", out});
  REQUIRE(first.code == cli::kDone);
  CHECK_THAT(first.out, ContainsSubstring("  exit status 1: out of order\n"));
  const Json failures = Json::parse(content_of(fs::path(out) / "result.json"))["failures"];
  CHECK(failures["count"] > 0);
  CHECK(failures["causes"] ==
        Json::array({{{"cause", "exit status 1: out of order"}, {"count", failures["count"]}}}));
  (void)folder.file("repaired", "");
  CHECK(command({"run", study, "--out", out, "--quiet", "--resume"}).code == cli::kDone);
  CHECK(Json::parse(content_of(fs::path(out) / "result.json"))["failures"] == failures);
  CHECK(command({"run", study, "--out", out, "--quiet", "--resume", "--retry-failed"}).code ==
        cli::kDone);
  const std::string whole = (folder / "whole").string();
  REQUIRE(command({"run", study, "--out", whole, "--quiet"}).code == cli::kDone);
  CHECK(resumed_results(out) == resumed_results(whole));
  // The folder is of use as any other.
  CHECK(command({"report", out, "-o", (folder / "page.html").string()}).code == cli::kDone);
  CHECK(command({"export", out, "--to", "csv"}).code == cli::kDone);
  // A run that has ended again is one run.
  const Json status = Json::parse(command({"status", out, "--format", "json"}).out);
  CHECK(status["runs"] == 2);
  CHECK(status["total_runs"] == 2);
  const CommandOutcome alone = command({"run", study, "--retry-failed"});
  CHECK(alone.code == cli::kWrongInput);
  CHECK_THAT(alone.err, StartsWith("--retry-failed: goes with --resume"));
}

}  // namespace ntune
