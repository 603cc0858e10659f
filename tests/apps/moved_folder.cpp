// The folder of a study is of use wherever it is moved with the files that the study names, and
// notices when these have been edited.

#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "apps/command.h"
#include "catch.h"
#include "ntune/core/json.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using test::command;
using test::CommandOutcome;
using test::content_of;
using test::TemporaryFolder;

namespace {

/// Payoffs of x and y, the most at x = 2, y = 1.
const std::string kMovedTable =
    "x,y,observations\n0,0,1 2 1\n1,0,2 2 3\n2,0,4 5 4\n0,1,1 1 1\n1,1,3 3 2\n2,1,6 5 6\n";

/// What a study came to; the rest of its result names files as its folder sees them.
std::string moved_results(const fs::path& folder) {
  const Json result = Json::parse(content_of(folder / "result.json"));
  return result["recommendation"].dump() + content_of(folder / "runs.csv");
}

CommandOutcome run(const fs::path& study, const fs::path& out, const std::string& more = "") {
  std::vector<std::string> words = {"run", study.string(), "--out", out.string(), "--quiet"};
  if (!more.empty()) words.push_back(more);
  return command(words);
}

/// What every command that reads a folder makes of it.
void check_of_use(const fs::path& out) {
  CAPTURE(out);
  const std::string folder = out.string();
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"report", folder, "-o", folder + "/page.html"},
        {"export", folder, "--to", "csv", "-o", folder + "/all.csv"},
        {"plot", folder, "--figure", "convergence", "-o", folder + "/figure.svg"},
        {"merge", folder, "--out", folder + "/merged", "--quiet"},
        {"top", folder, "--once"},
        {"status", folder},
        {"recommend", folder},
        {"verify", folder, "--against", folder + "/other.yaml", "--evaluations", "60", "--quiet"},
        {"deviations", folder, "--evaluations", "60", "--quiet"}}) {
    const CommandOutcome outcome = command(words);
    CAPTURE(words[0], outcome.out, outcome.err);
    CHECK(outcome.code == 0);
  }
  // The study of the folder is the study.
  CHECK(run(out / "study.yaml", out / "again").code == 0);
  CHECK(moved_results(out / "again") == moved_results(out));
  const CommandOutcome resumed = run(out / "study.yaml", out, "--resume");
  CAPTURE(resumed.err);
  CHECK(resumed.code == 0);
}

/// Runs the study of the folder `first`, whose files stand in it, and moves it all elsewhere.
void check_moved(const TemporaryFolder& folder, const std::string& yaml) {
  (void)folder.file("first/study.yaml", yaml);
  const CommandOutcome first = run(folder / "first/study.yaml", folder / "first/out");
  CAPTURE(first.err);
  REQUIRE(first.code == 0);
  (void)folder.file("first/out/other.yaml", "{x: 0, y: 0}\n");
  check_of_use(folder / "first/out");
  fs::create_directory(folder / "elsewhere");
  fs::rename(folder / "first", folder / "elsewhere/second");
  fs::remove_all(folder / "elsewhere/second/out/again");
  fs::remove_all(folder / "elsewhere/second/out/merged");
  check_of_use(folder / "elsewhere/second/out");
}

}  // namespace

TEST_CASE("the folder of a study of a table is of use wherever it is moved with the table") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "first");
  (void)folder.file("first/payoffs.csv", kMovedTable);
  check_moved(folder,
              "{objective: {table: payoffs.csv}, optimiser: ntbea, runs: 2, iterations: 20, "
              "hold_out: 5, record: evaluations}");
}

TEST_CASE("a table that was edited is noticed") {
  const TemporaryFolder folder;
  (void)folder.file("payoffs.csv", kMovedTable);
  const std::string study = folder.file(
      "study.yaml", "{objective: {table: payoffs.csv}, optimiser: ntbea, runs: 2, iterations: 20}");
  REQUIRE(run(study, folder / "out").code == 0);
  (void)folder.file("payoffs.csv", kMovedTable + "1,2,9 9 9\n0,2,1 1 1\n2,2,1 1 1\n");
  for (const char* file : {"study.yaml", "out/study.yaml"}) {
    const CommandOutcome resumed = run(folder / file, folder / "out", "--resume");
    CAPTURE(file, resumed.err);
    CHECK(resumed.code == cli::kWrongInput);
    CHECK_THAT(resumed.err, ContainsSubstring("digest"));
  }
  const CommandOutcome verified = command({"verify", (folder / "out").string(), "--quiet"});
  CHECK(verified.code == cli::kWrongInput);
  CHECK_THAT(verified.err, ContainsSubstring("it was edited since"));
}

TEST_CASE("the working directory of a command moves with the study") {
  const TemporaryFolder folder;
  fs::create_directories(folder / "first/programs");
  const std::string program = folder.file("first/programs/agent.sh",
                                          "#!/bin/sh\n. ./weights\necho $((weight * $1 - $2))\n");
  fs::permissions(program, fs::perms::owner_all);
  (void)folder.file("first/programs/weights", "weight=3\n");
  check_moved(folder,
              "objective:\n  command: [./agent.sh, '{x}', '{y}']\n  directory: programs\n"
              "  noisy: false\n"
              "space: {x: [0, 1, 2], y: [0, 1]}\nruns: 1\niterations: 5\n");
  const std::string copied = content_of(folder / "elsewhere/second/out/study.yaml");
  CHECK_THAT(copied, ContainsSubstring("../programs"));
}

TEST_CASE("prior observations move with the study, and edited ones are noticed") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "first");
  (void)folder.file("first/payoffs.csv", kMovedTable);
  (void)folder.file("first/known.csv", "x,y,value\n2,1,6\n2,1,5\n0,0,1\n0,1,1\n");
  check_moved(folder,
              "{objective: {table: payoffs.csv}, optimiser: ntbea, runs: 2, iterations: 20, "
              "hold_out: 5, record: evaluations, prior: {data: known.csv, weight: 1}}");
  const fs::path out = folder / "elsewhere/second/out";
  CHECK_THAT(content_of(out / "study.yaml"), ContainsSubstring("../known.csv"));
  (void)folder.file("elsewhere/second/known.csv", "x,y,value\n0,1,6\n");
  const CommandOutcome resumed = run(out / "study.yaml", out, "--resume");
  CHECK(resumed.code == cli::kWrongInput);
  CHECK_THAT(resumed.err, ContainsSubstring("is not what it was when the study began"));
}

}  // namespace ntune
