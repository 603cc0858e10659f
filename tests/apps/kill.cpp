// kill -9 at any moment: the study goes on, and ends as if nothing had been.

#include <chrono>
#include <filesystem>
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
};

/// About a third of a second of work each, most of it in the optimiser: what a journal knows
/// already costs as much as it did the first time.
const std::vector<KilledStudy>& killed_studies() {
  static const std::vector<KilledStudy> kStudies = {
      {"evaluations", "record: evaluations\nruns: 12\n"},
      {"runs", "record: runs\nruns: 12\n"},
      {"in flight", "record: evaluations\nparallel_evaluations: 4\nruns: 6\n"},
  };
  return kStudies;
}

std::string results_of(const fs::path& folder) {
  return content_of(folder / "result.json") + content_of(folder / "runs.csv");
}

/// Kills a study `times` times before it may finish.
void check_killed(const KilledStudy& killed, int times, Rng rng) {
  const test::TemporaryFolder folder;
  const std::string study =
      folder.file("study.yaml", std::string("objective: hartmann6\niterations: 250\nhold_out: 200\n"
                                            "optimiser: {neighbours: 2000}\n") +
                                    killed.keys);
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

}  // namespace

TEST_CASE("a study that is killed again and again ends as if nothing had been") {
  std::uint64_t seed = 1;
  for (const KilledStudy& killed : killed_studies()) check_killed(killed, 3, Rng(seed++));
}

TEST_CASE("a study that is killed two hundred times ends as if nothing had been", "[slow]") {
  std::uint64_t seed = 100;
  for (const KilledStudy& killed : killed_studies()) check_killed(killed, 67, Rng(seed++));
}

}  // namespace ntune
