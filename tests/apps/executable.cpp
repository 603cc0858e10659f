// The installed command as a user meets it: exit codes, signals, completion, full disks.

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include <nlohmann/json.hpp>

#include "apps/ntune/command_line.h"
#include "apps/process.h"
#include "catch.h"
#include "ntune/core/json.h"

namespace ntune {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::CommandOutcome;
using test::shell;

namespace {

const std::string kExecutable = std::string("'") + NTUNE_EXECUTABLE + "'";

const char* const kLong = "objective: hartmann6\noptimiser: ntbea\nruns: 20000\niterations: 1000\n";

/// Waits until the journal of a study has the line of a run; false if none comes in a minute.
bool has_finished_run(const fs::path& journal) {
  for (int i = 0; i < 600; ++i) {
    if (fs::exists(journal)) {
      const std::string content = test::content_of(journal);
      if (std::ranges::count(content, '\n') >= 2) return true;
    }
    std::this_thread::sleep_for(100ms);
  }
  return false;
}

std::size_t rows_of(const fs::path& csv) {
  const std::string content = test::content_of(csv);
  return static_cast<std::size_t>(std::ranges::count(content, '\n')) - 1;
}

std::string complete(const std::string& words) {
  const std::string folder = fs::path(NTUNE_EXECUTABLE).parent_path().string();
  const CommandOutcome outcome = shell("PATH='" + folder +
                                       ":'\"$PATH\" bash -c '"
                                       "source <(ntune completion bash); COMP_WORDS=(ntune " +
                                       words +
                                       "); "
                                       "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _ntune; "
                                       "printf \"%s \" \"${COMPREPLY[@]}\"'");
  CHECK(outcome.err == "");
  return outcome.out;
}

}  // namespace

TEST_CASE("a signal ends a dry run whose program takes its time") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "objective: {command: [sh, -c, sleep 50, sh, '{a}']}\nspace: {a: [1, 2]}\nbudget: 9\n");
  const CommandOutcome outcome =
      shell("timeout --preserve-status -s TERM 2 " + kExecutable + " check --dry-run " + study);
  CHECK(outcome.code == 130);
  CHECK_THAT(outcome.out, ContainsSubstring("2 points"));
}

TEST_CASE("exit codes of the executable") {
  const test::TemporaryFolder folder;
  const std::string study =
      folder.file("study.yaml", "objective: hartmann3\nruns: 2\niterations: 20\n");
  CHECK(shell(kExecutable + " run " + study).code == 0);
  CHECK(shell(kExecutable + " check " + study).code == 0);
  CHECK(shell(kExecutable + " run " + study + " --sed 5").code == 2);
  CHECK(shell(kExecutable).code == 2);
  CHECK(shell(kExecutable + " --help").code == 0);
}

TEST_CASE("output that cannot be written is wrong input") {
  const test::TemporaryFolder folder;
  const std::string study =
      folder.file("study.yaml", "objective: hartmann3\nruns: 2\niterations: 20\n");
  for (const char* command : {" list", " schema"}) {
    const CommandOutcome outcome = shell(kExecutable + command + " > /dev/full");
    CHECK(outcome.code == 2);
    CHECK(outcome.err == "standard output: cannot be written\n");
  }
  const CommandOutcome outcome = shell(kExecutable + " run --quiet " + study + " > /dev/full");
  CHECK(outcome.code == 2);
  CHECK(outcome.err == "standard output: cannot be written\n");
}

TEST_CASE("a reader that leaves ends a command quietly, and what it had to do is done") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml", "{objective: hartmann3, runs: 2, iterations: 3000, record: evaluations}");
  const std::string out = (folder / "out").string();
  // The reader of `run` has left before anything is written.
  const CommandOutcome run = shell("( " + kExecutable + " run --quiet " + study + " --out " + out +
                                   "; echo $? >" + (folder / "code").string() + " ) | true");
  CHECK(run.err.empty());
  CHECK(test::content_of(folder / "code") == "141\n");
  CHECK(std::filesystem::exists(folder / "out" / "result.json"));
  const CommandOutcome exported = shell("( " + kExecutable + " export " + out + "; echo $? >" +
                                        (folder / "code").string() + " ) | head -n 1");
  CHECK(exported.err.find("written") == std::string::npos);
  CHECK(std::count(exported.out.begin(), exported.out.end(), '\n') == 1);
  CHECK(test::content_of(folder / "code") == "141\n");
}

TEST_CASE("a reader that goes away does not kill the study") {
  const test::TemporaryFolder folder;
  const std::string study =
      folder.file("study.yaml", "objective: hartmann3\nruns: 2\niterations: 20\n");
  const std::string out = (folder / "out").string();
  shell(kExecutable + " run " + study + " --out " + out + " | true");
  CHECK(fs::exists(fs::path(out) / "result.json"));
}

TEST_CASE("interrupt and termination end a study soon and keep its finished runs") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kLong);
  for (const int signal : {SIGINT, SIGTERM}) {
    const fs::path out = folder / std::to_string(signal);
    test::Process process({"run", study, "--out", out.string(), "--threads", "2"});
    CHECK(has_finished_run(out / "journal.log"));
    CHECK(process.wait(0s) == -1);
    process.signal(signal);
    const auto start = std::chrono::steady_clock::now();
    const int code = process.wait(20s);
    // About a tenth of a second, and room for a busy machine.
    CHECK(std::chrono::steady_clock::now() - start < 5s);
    REQUIRE(code == 130);
    CHECK_THAT(process.out(), ContainsSubstring("Interrupted: only what had finished is counted."));
    const Json json = Json::parse(test::content_of(out / "result.json"));
    CHECK(json["status"] == "interrupted");
    const std::size_t runs = rows_of(out / "runs.csv");
    CHECK(runs > 0);
    CHECK(runs < 20000);
    CHECK(json["budget"]["search"] == 1000 * runs);
    CHECK(json["recommendation"]["parameters"].size() == 6);
  }
}

TEST_CASE("a second interrupt ends the program at once") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kLong);
  test::Process process({"run", study, "--quiet"});
  CHECK(process.wait(500ms) == -1);
  process.signal(SIGINT);
  process.signal(SIGINT);
  CHECK(process.wait(20s) == 130);
}

TEST_CASE("progress draws nothing where standard error is no terminal") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", kLong);
  test::Process process({"run", study, "--threads", "1"});
  CHECK(process.wait(1500ms) == -1);
  process.signal(SIGINT);
  REQUIRE(process.wait(20s) == 130);
  CHECK(process.err().find('\r') == std::string::npos);
  CHECK(process.err().find('\x1b') == std::string::npos);
}

TEST_CASE("bash completes commands, options, names and files") {
  CHECK(complete("ru") == "run ");
  CHECK(complete("\"\"") ==
        "init tune describe list check run eval import-space tabulate serve work ask tell status "
        "recommend verify "
        "deviations merge export watch top report plot schema completion --help --version ");
  CHECK(complete("run --f") == "--format ");
  CHECK(complete("run --format j") == "json ");
  CHECK(complete("list o") == "objectives optimisers ");
  CHECK(complete("describe hart") == "hartmann3 hartmann6 hartmann6_tag ");
  CHECK(complete("describe ntb") == "ntbea ");
  CHECK(complete("plot --figure di") == "distribution differences ");
  CHECK(complete("completion b") == "bash ");
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", "");
  const std::string other = folder.file("other.txt", "");
  CHECK(complete("run " + folder.path().string() + "/") == study + " ");
}

TEST_CASE("completion knows every command and option of the help") {
  const std::string script = shell(kExecutable + " completion bash").out;
  const std::string commands = " " + complete("\"\"");
  for (const cli::CommandHelp& entry : cli::command_help()) {
    const std::string command = entry.command;
    CHECK_THAT(commands, ContainsSubstring(" " + command + " "));
    // Behind "--" stand the options of another program.
    std::string help = shell(kExecutable + " " + command + " --help").out;
    help = help.substr(help.find("Options:"), help.find(" -- ") - help.find("Options:"));
    const std::string words = complete(command + " --");
    for (std::size_t at = help.find("--"); at != std::string::npos; at = help.find("--", at + 2)) {
      const std::size_t end = help.find_first_not_of("abcdefghijklmnopqrstuvwxyz-0123456789", at);
      CAPTURE(command, help.substr(at, end - at));
      CHECK_THAT(" " + words, ContainsSubstring(" " + help.substr(at, end - at) + " "));
    }
  }
}

}  // namespace ntune
