// kill -9 at any moment: the study goes on, and ends as if nothing had been. Its programs end with
// it.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/process.h"
#include "catch.h"
#include "ntune/core/rng.h"

namespace ntune {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::content_of;

namespace {

struct KilledStudy {
  const char* name;
  const char* keys;
  const char* objective = "hartmann6";
};

/// Each takes about a third of a second, most of it in the optimiser. So evaluations that a journal
/// knows cost as much as they did the first time.
const std::vector<KilledStudy>& killed_studies() {
  static const std::vector<KilledStudy> kStudies = {
      {"evaluations", "record: evaluations\nruns: 12\n"},
      {"runs", "record: runs\nruns: 12\n"},
      {"in flight", "record: evaluations\nparallel_evaluations: 4\nruns: 6\n"},
      {"instances",
       "record: evaluations\nruns: 6\ninstances: [{seed: 1}, {seed: 2}, {seed: 3, weight: 2}]\n",
       "{function: nk, dimensions: 6, noise: {gaussian: 0.2}}"},
  };
  return kStudies;
}

std::string results_of(const fs::path& folder) {
  return content_of(folder / "result.json") + content_of(folder / "runs.csv");
}

/// Kills a study `times` times before it may finish.
void check_killed(const KilledStudy& killed, int times, Rng rng) {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      fmt::format("objective: {}\niterations: 250\nhold_out: 200\noptimiser: {{neighbours: "
                  "2000}}\n{}",
                  killed.objective, killed.keys));
  const auto arguments = [&](const std::string& out) {
    return std::vector<std::string>{"run",       study, "--out",   (folder / out).string(),
                                    "--threads", "2",   "--quiet", "--resume"};
  };
  const auto start = std::chrono::steady_clock::now();
  test::Process whole(arguments("whole"));
  REQUIRE(whole.wait(60s) == 0);
  const auto duration = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - start);
  const std::string expected = results_of(folder / "whole");

  std::size_t journal = 0;
  for (int kills = 0; kills < times; ++kills) {
    test::Process process(arguments("killed"));
    std::this_thread::sleep_for(duration * rng.uniform() * 0.9);
    process.signal(SIGKILL);
    process.wait(20s);
    // The first result is whole or not there.
    const std::string result = content_of(folder / "killed" / "result.json");
    CHECK((result.empty() || result == content_of(folder / "whole" / "result.json")));
    // What has been written is never lost again, but for a torn end.
    const std::string text = content_of(folder / "killed" / "journal.log");
    const std::size_t lines = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
    CHECK(lines >= journal);
    journal = lines;
  }
  test::Process last(arguments("killed"));
  REQUIRE(last.wait(60s) == 0);
  CAPTURE(killed.name, last.err());
  CHECK((results_of(folder / "killed") == expected));
  CHECK(content_of(folder / "killed" / "study.yaml") ==
        content_of(folder / "whole" / "study.yaml"));
}

/// Processes that programs have written into a file, at least `count`; waits for them.
std::vector<pid_t> written_processes(const fs::path& file, std::size_t count) {
  std::vector<pid_t> processes;
  for (int i = 0; i < 1000 && processes.size() < count; ++i) {
    std::this_thread::sleep_for(10ms);
    processes.clear();
    std::istringstream words(content_of(file));
    for (pid_t process = 0; words >> process;) processes.push_back(process);
  }
  return processes;
}

bool is_running(pid_t process) {
  const std::string stat = content_of(fmt::format("/proc/{}/stat", process));
  return !stat.empty() && stat.find(") Z ") == std::string::npos;
}

/// True once none of the processes runs, at the latest after 10 s.
bool all_end(const std::vector<pid_t>& processes) {
  for (int i = 0; i < 1000; ++i) {
    if (std::ranges::none_of(processes, is_running)) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

}  // namespace

TEST_CASE("programs and their children end with a study that is killed") {
  // They ignore signals, the end of their input and broken pipes.
  const std::string stubborn =
      "trap \"\" HUP INT TERM PIPE; sleep 1000 & echo $$ $! >>{}; while :; do sleep 1000; done";
  for (const bool by_name : {false, true}) {
    for (const char* kind : {"protocol: worker", "protocol: once\n  parameters: stdin"}) {
      const test::TemporaryFolder folder;
      const fs::path pids = folder / "pids";
      const std::string script =
          folder.file("program.sh", fmt::format(fmt::runtime(stubborn), pids.string()) + "\n");
      const std::string study = folder.file(
          "study.yaml", fmt::format("objective:\n  command: [sh, {}]\n  timeout: 600\n  {}\n"
                                    "space: {{x: {{integers: [1, 4]}}}}\nruns: 2\niterations: 20\n",
                                    script, kind));
      test::Process process({"run", study, "--threads", "2", "--quiet"});
      constexpr std::size_t kProcesses = 4;  // two programs, each with a child
      const std::vector<pid_t> started = written_processes(pids, kProcesses);
      CAPTURE(kind, by_name, process.err());
      REQUIRE(started.size() == kProcesses);
      REQUIRE(std::ranges::all_of(started, is_running));
      if (by_name) {
        test::shell(fmt::format("pkill -KILL -f -- 'ru[n] {}'", study));
      } else {
        process.signal(SIGKILL);
      }
      process.wait(10s);
      CHECK(all_end(started));
    }
  }
}

TEST_CASE("a study that is killed again and again ends as if nothing had been") {
  std::uint64_t seed = 1;
  for (const KilledStudy& killed : killed_studies()) check_killed(killed, 2, Rng(seed++));
}

TEST_CASE("a study that is killed two hundred times ends as if nothing had been", "[slow]") {
  std::uint64_t seed = 100;
  for (const KilledStudy& killed : killed_studies()) check_killed(killed, 67, Rng(seed++));
}

}  // namespace ntune
