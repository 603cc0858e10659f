// Studies whose programs are told to end together with ntune, or whose time stands still.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "apps/process.h"
#include "catch.h"
#include "support/temporary_folder.h"

namespace ntune {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

/// A program that answers with its depth. Once, where the folder has the file "die", it ends by
/// SIGTERM, 0.3 s before or behind the moment in which ntune gets that signal.
std::string program(bool ntune_first) {
  const std::string kill = ntune_first
                               ? "kill -TERM $PPID; sleep 0.3; kill -TERM $$"
                               : "setsid sh -c \"sleep 0.3; kill -TERM $PPID\" & kill -TERM $$";
  return "if [ $NTUNE_EVALUATION = 6 ] && rm die 2>/dev/null; then " + kill + "; fi; ";
}

std::string worker(bool ntune_first) {
  return fmt::format(R"(import json, os, subprocess, sys, time
for line in sys.stdin:
    request = json.loads(line)
    if request["evaluation"] == 6 and os.path.exists("die"):
        os.remove("die")
        ntune = os.getppid()
        if {}:
            os.kill(ntune, 15)
            time.sleep(0.3)
        else:
            subprocess.Popen(["setsid", "sh", "-c", f"sleep 0.3; kill -TERM {{ntune}}"])
        os.kill(os.getpid(), 15)
    print(json.dumps({{"id": request["id"], "value": request["params"]["depth"]}}), flush=True)
)",
                     ntune_first ? "True" : "False");
}

const std::string kRest =
    "space: {depth: {integers: [1, 9], default: 4}}\nruns: 1\niterations: 12\nhold_out: 4\n"
    "fail: skip\nseed: 3\n";

/// The rows of all evaluations of a folder: what was recorded.
std::string rows(const fs::path& out) {
  return test::command({"export", out.string(), "--to", "csv"}).out;
}

std::int64_t lines_in(const std::string& text) { return std::ranges::count(text, '\n'); }

}  // namespace

TEST_CASE("a program that is terminated together with ntune is evaluated again, not failed") {
  for (const std::string door : {"command", "worker", "match"}) {
    for (const bool ntune_first : {false, true}) {
      CAPTURE(door, ntune_first);
      const test::TemporaryFolder folder;
      std::string objective =
          "objective: {command: [/usr/bin/python3, -S, worker.py], protocol: worker}\n";
      if (door == "command") {
        objective =
            "objective:\n  command: '" + program(ntune_first) + "echo {depth}'\n  shell: true\n";
      } else if (door == "match") {
        objective = "objective:\n  match:\n    command: '" + program(ntune_first) +
                    "[ {depth} -gt {opponent.depth} ] && echo W W || echo L L'\n    shell: true\n"
                    "    result: letters\n";
      }
      (void)folder.file("worker.py", worker(ntune_first));
      const std::string study = folder.file("study.yaml", objective + kRest);
      const fs::path whole = folder / "whole";
      const fs::path cut = folder / "cut";
      CHECK(test::command({"run", study, "--out", whole.string(), "--quiet"}).code == 0);
      (void)folder.file("die", "");
      test::Process process({"run", study, "--out", cut.string(), "--quiet"});
      const int code = process.wait(20s);
      // A new worker may have answered the rest before ntune is told.
      CHECK((code == 130 || (code == 0 && door == "worker" && !ntune_first)));
      CHECK_FALSE(fs::exists(folder / "die"));
      CHECK(rows(cut).find("ended") == std::string::npos);
      CHECK(test::command({"run", study, "--out", cut.string(), "--quiet", "--resume"}).code == 0);
      CHECK(test::content_of(cut / "runs.csv") == test::content_of(whole / "runs.csv"));
      CHECK(lines_in(rows(cut)) == lines_in(rows(whole)));
      CHECK(test::content_of(cut / "journal.log").find("signal 15") == std::string::npos);
    }
  }
}

TEST_CASE("time in which ntune itself is stopped counts for no program") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "objective: {command: [sh, -c, 'echo x >>calls; sleep 0.2', sh, '{depth}'], result: time, "
      "cutoff: 2 s}\nspace: {depth: [1, 2]}\nruns: 1\niterations: 6\nhold_out: 1\nseed: 1\n");
  const fs::path out = folder / "out";
  test::Process process({"run", study, "--out", out.string(), "--quiet"});
  for (int i = 0; i < 1000 && test::content_of(folder / "calls").empty(); ++i) {
    std::this_thread::sleep_for(5ms);
  }
  process.signal(SIGSTOP);
  std::this_thread::sleep_for(2500ms);
  process.signal(SIGCONT);
  REQUIRE(process.wait(30s) == 0);
  CHECK(test::content_of(out / "journal.log").find(" x\n") == std::string::npos);
  // Of the first call nobody knows how long it took: it was made again.
  CHECK(lines_in(test::content_of(folder / "calls")) == lines_in(rows(out)));
}

TEST_CASE("a machine that gives too few files at a time fails no point") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "objective: {command: [sh, -c, 'sleep 0.02; echo $1', sh, '{depth}']}\nspace: {depth: "
      "{integers: [1, 9], default: 4}}\nruns: 1\niterations: 60\nhold_out: 4\nfail: skip\n"
      "parallel_evaluations: 24\nthreads: 24\nseed: 1\n");
  const std::string out = (folder / "out").string();
  const test::CommandOutcome outcome = test::shell(
      fmt::format("ulimit -n 40; '{}' run {} --quiet --out {}", NTUNE_EXECUTABLE, study, out));
  CAPTURE(outcome.err);
  CHECK(outcome.code == 0);
  CHECK(outcome.out.find("failed") == std::string::npos);
  CHECK(test::content_of(fs::path(out) / "journal.log").find("Too many open files") ==
        std::string::npos);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("a study whose threads cannot be made ends with that") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "objective: {command: [echo, '{depth}']}\nspace: {depth: [1, 2, 3]}\nruns: 1\niterations: "
      "6\nhold_out: 1\nparallel_evaluations: 1000\nthreads: 1000\n");
  const test::CommandOutcome outcome = test::shell(fmt::format(
      "ulimit -v 2000000; timeout -s KILL 30 '{}' run {} --quiet", NTUNE_EXECUTABLE, study));
  CHECK(outcome.code == 2);
  CHECK_THAT(outcome.err, Catch::Matchers::ContainsSubstring(
                              " tasks at a time need as many threads; the system gives"));
  // oneTBB's threads too.
  for (const char* command : {"run", "eval --set depth=1 --times 9"}) {
    const test::CommandOutcome loop = test::shell(fmt::format(
        "ulimit -v 1500000; timeout -s KILL 30 '{}' {} {} --threads 900", NTUNE_EXECUTABLE, command,
        folder.file("loop.yaml",
                    "{objective: {command: [echo, '{depth}']}, space: {depth: [1, 2]}, "
                    "runs: 4, iterations: 10}")));
    CAPTURE(command, loop.err);
    CHECK(loop.code == 2);
    CHECK_THAT(loop.err, Catch::Matchers::ContainsSubstring("threads; the system gives"));
  }
}
#endif

TEST_CASE("a launcher that ignores the ends of children loses no evaluation") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "objective: {command: [echo, '{depth}']}\nspace: {depth: [1, 2, 3]}\nruns: 1\niterations: "
      "6\nhold_out: 1\n");
  const test::CommandOutcome outcome = test::shell(
      fmt::format("/usr/bin/python3 -S -c 'import os, signal, sys; signal.signal(signal.SIGCHLD, "
                  "signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])' '{}' run {} --quiet",
                  NTUNE_EXECUTABLE, study));
  CAPTURE(outcome.err);
  CHECK(outcome.code == 0);
}

TEST_CASE("scratch folders go with ntune, however it ends") {
  const test::TemporaryFolder folder;
  fs::create_directory(folder / "tmp");
  // The program fills its folder, and says that it is there.
  const std::string study = folder.file(
      "study.yaml",
      "objective: {command: [sh, -c, 'mkdir $1/a; echo 1 > $1/a/b; echo > there; sleep 100', sh, "
      "'{scratch}', '{params:file}'], parameters: file}\nspace: {depth: {integers: [1, 9], "
      "default: 4}}\n"
      "runs: 1\niterations: 10\nhold_out: 1\n");
  const auto empty = [&] { return fs::is_empty(folder / "tmp"); };
  const auto wait_for = [](const auto& condition) {
    for (int i = 0; i < 500 && !condition(); ++i) std::this_thread::sleep_for(20ms);
    return condition();
  };
  const std::vector<std::vector<std::string>> commands = {
      {"run", study, "--quiet", "--out", (folder / "out").string()},
      {"eval", study, "--set", "depth=3"},
      {"check", study, "--dry-run"}};
  for (const std::vector<std::string>& command : commands) {
    for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGKILL}) {
      CAPTURE(command.front(), signal);
      fs::remove(folder / "there");
      std::vector<std::string> words = {"TMPDIR=" + (folder / "tmp").string(), NTUNE_EXECUTABLE};
      words.insert(words.end(), command.begin(), command.end());
      if (command.front() == "run") words.push_back("--resume");
      test::Process process(words, "/usr/bin/env");
      CHECK(wait_for([&] { return fs::exists(folder / "there"); }));
      CHECK_FALSE(empty());
      process.signal(signal);
      (void)process.wait(10s);
      CHECK(wait_for(empty));
    }
  }
}

}  // namespace ntune
