// What a caller leaves behind does no harm: closed standard streams, ignored signals, open files.
// And what goes wrong inside ends a program in one line.

#include <sys/file.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "apps/common/program.h"
#include "apps/process.h"
#include "catch.h"
#include "ntune/core/json.h"

namespace ntune {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using test::CommandOutcome;
using test::content_of;
using test::shell;

namespace {

const std::string kNtune = std::string("'") + NTUNE_EXECUTABLE + "'";

std::string program_study(const test::TemporaryFolder& folder) {
  return folder.file("given.yaml",
                     "objective: {command: 'echo {x}', shell: true}\n"
                     "space: {x: {integers: [0, 4]}}\nruns: 1\niterations: 12\nhold_out: 4\n");
}

std::string rows_of(const fs::path& folder) {
  const CommandOutcome outcome = test::command({"export", folder.string(), "--per", "point"});
  CHECK(outcome.code == 0);
  return outcome.out;
}

}  // namespace

TEST_CASE("with any of its standard streams closed a study writes the same files") {
  const test::TemporaryFolder folder;
  const std::string study = program_study(folder);
  const fs::path whole = folder / "whole";
  REQUIRE(shell(fmt::format("{} run {} --out {}", kNtune, study, whole.string())).code == 0);
  const std::string result = content_of(whole / "result.json");
  const auto lines = [](const fs::path& out) {
    const std::string journal = content_of(out / "journal.log");
    return std::ranges::count(journal, '\n');
  };
  for (int closed = 1; closed < 8; ++closed) {
    CAPTURE(closed);
    const fs::path out = folder / fmt::format("closed {}", closed);
    const std::string streams =
        fmt::format("{} {} {}", closed & 1 ? "<&-" : "</dev/null",
                    closed & 2 ? ">&-" : ">/dev/null", closed & 4 ? "2>&-" : "2>/dev/null");
    CHECK(
        shell(fmt::format("{} run {} --out '{}' {}", kNtune, study, out.string(), streams)).code ==
        0);
    CHECK(content_of(out / "result.json") == result);
    CHECK(lines(out) == lines(whole));
    CHECK(content_of(out / "lock").starts_with("process "));
    CHECK(content_of(out / "lock").find('\n') == std::string::npos);
    CHECK(std::ranges::count(rows_of(out), '\n') == std::ranges::count(rows_of(whole), '\n'));
    CHECK(
        shell(fmt::format("{} run {} --out '{}' --resume {}", kNtune, study, out.string(), streams))
            .code == 0);
    CHECK(content_of(out / "result.json") == result);
    const fs::path table = folder / fmt::format("table {}.csv", closed);
    CHECK(shell(fmt::format("{} tabulate {} --times 2 --out '{}' {}", kNtune, study, table.string(),
                            streams))
              .code == 0);
    CHECK_THAT(content_of(table), ContainsSubstring("\n4,4*2\n"));
  }
}

TEST_CASE("programs are evaluated where the caller has ignored the end of children") {
  const test::TemporaryFolder folder;
  const std::string out = (folder / "out").string();
  const CommandOutcome outcome = shell(
      "/usr/bin/python3 -c 'import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); "
      "os.execv(sys.argv[1], sys.argv[1:])' " +
      kNtune + " run " + program_study(folder) + " --quiet --out " + out);
  CAPTURE(outcome.err);
  CHECK(outcome.code == 0);
  CHECK(Json::parse(content_of(fs::path(out) / "result.json"))["recommendation"]["value"] == 4);
}

TEST_CASE("every exception of a command ends in one line and exit code 2") {
  const auto outcome = [](cli::Program::Act act) {
    cli::Program program("ntune", "1", "a program", "");
    program.add_command("break", "breaks", std::move(act));
    std::ostringstream out;
    std::ostringstream err;
    const int code = program.execute({"break"}, cli::Terminal{.out = out, .err = err});
    return CommandOutcome{code, out.str(), err.str()};
  };
  const std::vector<cli::Program::Act> acts = {
      [](const cli::Terminal&) -> int { throw fs::filesystem_error("no\nfolder", {}); },
      [](const cli::Terminal&) -> int { throw std::length_error("too long"); },
      [](const cli::Terminal&) -> int { throw std::system_error(EAGAIN, std::generic_category()); },
      [](const cli::Terminal&) -> int { throw std::bad_alloc(); },
      [](const cli::Terminal&) -> int {
        (void)Json("caf\xe9").dump();
        return 0;
      },
      [](const cli::Terminal&) -> int {
        (void)Json::object().at("key");
        return 0;
      }};
  for (const auto& act : acts) {
    const CommandOutcome ended = outcome(act);
    CAPTURE(ended.err);
    CHECK(ended.code == cli::kWrongInput);
    CHECK(test::is_one_line(ended.err));
    CHECK(ended.err.starts_with("ntune: "));
  }
}

TEST_CASE("a file at its limit is an error of writing, of ntune and of its programs as usual") {
  const test::TemporaryFolder folder;
  const std::string out = (folder / "out").string();
  const std::string study = folder.file(
      "study.yaml",
      "objective: {command: 'grep SigIgn /proc/self/status >&2; echo {x}', shell: true}\n"
      "space: {x: {integers: [0, 99]}}\nruns: 1\niterations: 60\nhold_out: 4\n");
  const CommandOutcome full =
      shell(fmt::format("ulimit -f 1; {} run {} --quiet --out '{}'", kNtune, study, out));
  CHECK((full.code == 2 || full.code == 3));
  CHECK_THAT(full.err, ContainsSubstring("File too large"));
  CHECK(shell(fmt::format("{} run {} --quiet --out '{}' --resume", kNtune, study, out)).code == 0);
  const std::string tried = shell(fmt::format("{} check {} --dry-run", kNtune, study)).out;
  const std::size_t mask = tried.find("SigIgn:\\t");
  REQUIRE(mask != std::string::npos);
  CHECK((std::stoull(tried.substr(mask + 9, 16), nullptr, 16) >> (SIGXFSZ - 1) & 1U) == 0);
}

TEST_CASE("where TMPDIR names no folder, scratch folders are made in /tmp") {
  const test::TemporaryFolder folder;
  const std::string study =
      folder.file("study.yaml",
                  "objective: {command: [sh, -c, 'ls -d $1 >&2; echo $2', sh, '{scratch}', "
                  "'{x}']}\nspace: {x: [1, 2]}\niterations: 4\n");
  for (const char* root : {"/nonexistent", "/dev/null"}) {
    const auto outcome = shell(fmt::format("TMPDIR={} {} check {} --dry-run", root, kNtune, study));
    CAPTURE(root, outcome.out, outcome.err);
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.out, ContainsSubstring("stderr      /tmp/"));
  }
}

TEST_CASE("a dry run judges a program on a machine that stops ntune again and again") {
  const test::TemporaryFolder folder;
  const std::string calls = (folder / "calls").string();
  // ntune itself stands still for longer than a cutoff, at the first call or at every one.
  const auto checked = [&](const std::string& stops) {
    const std::string study = folder.file(
        "study.yaml",
        "objective:\n  result: {cost: number}\n  cutoff: 0.1 s\n  penalty: 99\n  command: [sh, -c, "
        "'echo >> " +
            calls + "; if " + stops +
            "; then (sleep 0.8; kill -CONT $PPID) & kill -STOP $PPID; fi; echo 7', sh, '{x}']\n"
            "space: {x: [1, 2]}\nbudget: 20\n");
    return shell(fmt::format("{} check --dry-run {}", kNtune, study));
  };
  const CommandOutcome once = checked("test $(wc -l < " + calls + ") -eq 1");
  CAPTURE(once.out, once.err);
  CHECK(once.code == 0);
  CHECK_THAT(once.out, ContainsSubstring("value       7\n"));
  CHECK_THAT(once.out, !ContainsSubstring("ntune itself was stopped"));
  const CommandOutcome always = checked("true");
  CAPTURE(always.out, always.err);
  CHECK(always.code == 0);
  CHECK_THAT(always.out, ContainsSubstring("value       7\n"));
  CHECK_THAT(always.out, ContainsSubstring("note        ntune itself was stopped for 0."));
}

TEST_CASE("a table never takes the place of another file") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml", "{objective: {command: [echo, '{x}']}, space: {x: [1, 2]}, iterations: 4}");
  for (const char* text : {"my notes", "my notes\n", "# ntune"}) {
    const std::string notes = folder.file("notes.csv", text);
    const auto outcome =
        shell(fmt::format("{} tabulate {} --times 1 --out '{}'", kNtune, study, notes));
    CAPTURE(text, outcome.err);
    CHECK(outcome.code == 2);
    CHECK(test::content_of(notes) == text);
  }
  const std::string out = (folder / "out").string();
  REQUIRE(shell(fmt::format("{} run {} --quiet --out '{}'", kNtune, study, out)).code == 0);
  CHECK(shell(fmt::format("{} tabulate {} --times 1 --out '{}/lock'", kNtune, study, out)).code ==
        2);
}

}  // namespace ntune
