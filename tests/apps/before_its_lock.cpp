// Nothing changes in a folder that another process holds, whatever command comes.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "apps/process.h"
#include "catch.h"
#include "ntune/core/folder_lock.h"

namespace ntune {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using test::command;
using test::CommandOutcome;
using test::content_of;

namespace {

/// All files below a folder with what they hold.
std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    files[entry.path().string()] = entry.is_regular_file() ? content_of(entry.path()) : "";
  }
  return files;
}

void check_is_held(const CommandOutcome& outcome) {
  CAPTURE(outcome.err);
  CHECK(outcome.code == cli::kWrongInput);
  CHECK(test::is_one_line(outcome.err));
  CHECK_THAT(outcome.err, ContainsSubstring(" works on this f"));
}

const std::string kRest =
    "space: {x: {integers: [0, 4]}, y: {integers: [0, 4]}}\nruns: 1\nhold_out: 8\nfail: skip\n"
    "default: {x: 0, y: 0}\n";
const std::string kProgram =
    "objective: {command: 'echo $(({x} + {y} + {seed} % 3))', shell: true}\n";

}  // namespace

TEST_CASE("no command changes a folder that another process holds") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("given.yaml", kProgram + kRest + "iterations: 20\n");
  const std::string more = folder.file("more.yaml", kProgram + kRest + "iterations: 40\n");
  const std::string seed = folder.file("seed.yaml", kProgram + kRest + "iterations: 20\nseed: 2\n");
  const std::string none =
      folder.file("none.yaml", kProgram + kRest + "iterations: 20\nrecord: none\n");
  const std::string asked =
      folder.file("asked.yaml", "objective: {ask_tell: bot}\n" + kRest + "iterations: 20\n");
  const std::string out = (folder / "out").string();
  const std::string other = (folder / "other").string();
  const std::string merged = (folder / "merged").string();
  const std::string quiet = (folder / "quiet").string();
  const std::string served = (folder / "served").string();
  REQUIRE(command({"run", study, "--out", out, "--quiet"}).code == 0);
  REQUIRE(command({"run", seed, "--out", other, "--quiet"}).code == 0);
  REQUIRE(command({"merge", out, other, "--out", merged}).code == 0);
  REQUIRE(command({"run", none, "--out", quiet, "--quiet"}).code == 0);
  REQUIRE(test::shell(std::string("'") + NTUNE_EXECUTABLE + "' ask " + served + " --study " + asked)
              .code == 0);
  REQUIRE(command({"verify", out, "--evaluations", "40"}).code == 0);
  REQUIRE(command({"deviations", out, "--evaluations", "40"}).code == 0);

  std::vector<FolderLock> locks;
  locks.reserve(20);
  for (const std::string& held : {out, merged, quiet, served}) locks.emplace_back(fs::path(held));
  for (const auto& entry : fs::directory_iterator(out)) {
    if (entry.is_directory()) locks.emplace_back(entry.path());
  }
  REQUIRE(locks.size() == 6);
  const auto before = files_in(folder.path());
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"run", study, "--out", out},
        {"run", study, "--out", out, "--resume"},
        {"run", study, "--out", out, "--resume", "--retry-failed"},
        {"run", more, "--out", out, "--resume"},
        {"run", none, "--out", quiet},
        {"merge", out, other, "--out", merged},
        {"verify", out, "--evaluations", "40"},
        {"verify", out, "--evaluations", "80", "--resume"},
        {"deviations", out, "--evaluations", "40"}}) {
    CAPTURE(words);
    check_is_held(command(words));
    CHECK(files_in(folder.path()) == before);
  }
  test::Process serve({"serve", asked, "--out", served, "--resume"});
  CHECK(serve.wait(20s) == cli::kWrongInput);
  CHECK(files_in(folder.path()) == before);
  // These wait for their turn.
  test::Process ask({"ask", served});
  test::Process tell({"tell", served, "--id", "0", "--value", "1"});
  test::Process begin({"ask", served, "--study", asked, "--again"});
  CHECK(ask.wait(700ms) == -1);
  CHECK(tell.wait(10ms) == -1);
  CHECK(begin.wait(10ms) == -1);
  CHECK(files_in(folder.path()) == before);
}

TEST_CASE("an interrupted tell records nothing, and ends at once") {
  const test::TemporaryFolder folder;
  const std::string asked =
      folder.file("asked.yaml", "objective: {ask_tell: bot}\n" + kRest + "iterations: 20\n");
  const std::string out = (folder / "out").string();
  REQUIRE(test::shell(std::string("'") + NTUNE_EXECUTABLE + "' ask " + out + " --study " + asked)
              .code == 0);
  const auto offered = [&] {
    const std::string journal = content_of(fs::path(out) / "journal.log");
    std::size_t count = 0;
    for (std::size_t at = 0; (at = journal.find("\no0.", at)) != std::string::npos; ++at) {
      ++count;
    }
    return count;
  };
  const auto tell_interrupted = [&] {
    test::Process tell({"tell", out, "--params", "{x: 1, y: 2}", "--value", "0.5"});
    CHECK(tell.wait(300ms) == -1);
    tell.signal(SIGINT);
    CHECK(tell.wait(5s) == cli::kInterrupted);
  };
  {
    const FolderLock lock{fs::path(out)};
    tell_interrupted();
  }
  CHECK(offered() == 0);
  REQUIRE(command({"tell", out, "--params", "{x: 1, y: 2}", "--value", "0.5"}).code == 0);
  CHECK(offered() == 1);
}

}  // namespace ntune
