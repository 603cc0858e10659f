// `ntune run --executor mpi` on three processes of this machine.

#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "apps/process.h"
#include "catch.h"

namespace ntune {

namespace {

const std::string kRankProgram = std::string("'") + NTUNE_EXECUTABLE + "'";

/// Open MPI asks to be told when it runs as root, or with more processes than cores.
const std::string kMpirun =
    "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 3 ";

std::string results_in(const std::filesystem::path& folder) {
  return test::content_of(folder / "result.json") + test::content_of(folder / "runs.csv");
}

/// A study on three ranks and on threads: what they print and write must be the same.
void check_same(const std::string& yaml) {
  CAPTURE(yaml);
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", yaml);
  const std::string run = " run '" + study + "' --quiet --out '";
  const test::CommandOutcome threads =
      test::shell(kRankProgram + run + (folder / "tbb").string() + "'");
  const test::CommandOutcome ranks =
      test::shell(kMpirun + kRankProgram + run + (folder / "mpi").string() + "' --executor mpi");
  REQUIRE(threads.code == 0);
  CHECK(ranks.err == "");
  REQUIRE(ranks.code == 0);
  CHECK(ranks.out == threads.out);
  CHECK(results_in(folder / "mpi") == results_in(folder / "tbb"));
}

}  // namespace

TEST_CASE("ranks give the result of threads, whole runs dealt") {
  check_same("{objective: hartmann6, runs: 7, iterations: 200, hold_out: 50}");
  check_same("{objective: branin, optimisers: [ntbea, random], iterations: [50, 80], runs: 3}");
}

TEST_CASE("ranks give the result of threads, single evaluations dealt") {
  check_same(
      "{objective: {function: hartmann3, noise: {gaussian: 0.2}}, runs: 3, iterations: 60, "
      "hold_out: 20, record: evaluations, parallel_evaluations: 2}");
}

TEST_CASE("ranks give the result of threads on instances") {
  for (const char* rest :
       {"ntbea, record: runs", "gaussian_process, record: evaluations",
        "racing, record: evaluations, parallel_evaluations: 2",
        "ntbea, record: evaluations, parallel_evaluations: 3, aggregate: worst"}) {
    check_same(fmt::format(
        "{{objective: {{function: nk, dimensions: 4, k: 1, noise: {{gaussian: 0.2}}}}, instances: "
        "[{{seed: 1}}, {{seed: 2}}, {{seed: 3, weight: 2}}], test_instances: [{{seed: 8}}, "
        "{{seed: 9}}], runs: 3, iterations: 60, hold_out: 20, optimiser: {}}}",
        rest));
  }
}

TEST_CASE("ranks give the result of threads in matches, whose players both travel") {
  const std::string study =
      "{objective: {match: {game: simulated, dimensions: 3}, opponents: [default, {p1: 1}]}, "
      "iterations: 60, hold_out: 20, ";
  check_same(study + "runs: 2, parallel_evaluations: 3}");
  check_same(study + "runs: 3, record: runs}");
}

TEST_CASE("a rank that dies ends the job, and --resume goes on to the same result") {
  const test::TemporaryFolder folder;
  // Runs from the fourth on wait for a file, so that no job ends before a rank is killed.
  const std::string go = (folder / "go").string();
  const std::string study = folder.file(
      "study.yaml",
      fmt::format("{{objective: {{command: [sh, -c, 'test $1 -lt 3 -o -e {} || sleep 60; echo "
                  "$(($2 * 3 % 7))', x, '{{run}}', '{{x}}']}}, space: {{x: {{integers: [0, 7]}}}}, "
                  "runs: 8, iterations: 10, record: runs, re_evaluation: none, hold_out: 10}}",
                  go));
  static_cast<void>(folder.file("go", ""));
  const std::string run = " run '" + study + "' --quiet --resume --out '";
  REQUIRE(test::shell(kRankProgram + run + (folder / "whole").string() + "'").code == 0);
  const std::string ranks =
      kMpirun + kRankProgram + run + (folder / "mpi").string() + "' --executor mpi";
  // A rank dies as soon as the first run is in the journal.
  const std::string kill = "(while [ \"$(wc -l < '" + (folder / "mpi" / "journal.log").string() +
                           "')\" -lt 2 ]; do sleep 0.02; done; pkill -9 -n -f -- '" + study +
                           ".*executor') 2>/dev/null &";
  std::filesystem::remove(go);
  const test::CommandOutcome killed = test::shell(kill + "\n" + ranks);
  CHECK(killed.code != 0);
  static_cast<void>(folder.file("go", ""));
  const test::CommandOutcome resumed = test::shell(ranks);
  CHECK(resumed.code == 0);
  CHECK(results_in(folder / "mpi") == results_in(folder / "whole"));
}

TEST_CASE("a study that is given more goes on alike on ranks and on threads") {
  const test::TemporaryFolder folder;
  const std::string threads = (folder / "tbb").string();
  const std::string ranks = (folder / "mpi").string();
  for (const char* record : {"evaluations", "runs"}) {
    for (const char* sizes :
         {"runs: 2, iterations: 40, hold_out: 5", "runs: 3, iterations: 90, hold_out: 20"}) {
      CAPTURE(record, sizes);
      const std::string study = folder.file(
          "study.yaml", fmt::format("{{objective: {{function: hartmann3, noise: win_loss}}, "
                                    "optimiser: ntbea, record: {}, {}}}",
                                    record, sizes));
      const std::string run = kRankProgram + " run '" + study + "' --quiet --resume --out '";
      REQUIRE(test::shell(run + threads + record + "'").code == 0);
      const test::CommandOutcome outcome =
          test::shell(kMpirun + run + ranks + record + "' --executor mpi");
      CHECK(outcome.err == "");
      REQUIRE(outcome.code == 0);
      CHECK(results_in(ranks + record) == results_in(threads + record));
    }
    // What ranks have begun, threads go on with.
    CHECK(std::filesystem::exists(std::filesystem::path(ranks + record) / "result-1.json"));
    const std::string more = folder.file(
        "more.yaml", fmt::format("{{objective: {{function: hartmann3, noise: win_loss}}, "
                                 "optimiser: ntbea, record: {}, runs: 3, iterations: 120, "
                                 "hold_out: 20}}",
                                 record));
    const std::string run = " run '" + more + "' --quiet --resume --out '";
    REQUIRE(test::shell(kRankProgram + run + ranks + record + "'").code == 0);
    REQUIRE(test::shell(kRankProgram + run + threads + record + "'").code == 0);
    CHECK(results_in(ranks + record) == results_in(threads + record));
  }
}

TEST_CASE("a split that is chosen by simulation is the same on all ranks, also when resumed") {
  const test::TemporaryFolder folder;
  const std::string study =
      folder.file("study.yaml",
                  "{objective: {function: hartmann3, noise: win_loss}, optimiser: ntbea, budget: "
                  "120}");
  const std::string run = kRankProgram + " run '" + study + "' --quiet --resume --out '";
  const std::string out = (folder / "mpi").string();
  REQUIRE(test::shell(run + (folder / "tbb").string() + "'").code == 0);
  for (int i = 0; i < 2; ++i) {
    REQUIRE(test::shell(kMpirun + run + out + "' --executor mpi").code == 0);
    CHECK(results_in(folder / "mpi") == results_in(folder / "tbb"));
  }
}

TEST_CASE("one process alone, and a wrong study, are wrong input") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", "{objective: hartmann6}");
  const test::CommandOutcome alone = test::shell(
      "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
      "mpirun -n 1 " +
      kRankProgram + " run '" + study + "' --executor mpi");
  CHECK(alone.code == 2);
  CHECK_THAT(alone.err, Catch::Matchers::ContainsSubstring("--executor mpi: needs two processes"));
  const test::CommandOutcome wrong =
      test::shell(kMpirun + kRankProgram + " run nowhere.yaml --executor mpi");
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err, Catch::Matchers::StartsWith("nowhere.yaml: cannot read it"));
  const std::string run = "'" NTUNE_EXECUTABLE "' run '" + study + "' --executor dask";
  for (const auto& [options, said] :
       {std::pair("", "--executor dask: needs --scheduler"),
        {" --scheduler nonsense", "--scheduler: is 'nonsense', an address with a port"},
        {" --scheduler tcp://127.0.0.1:1", "--executor dask: needs --out"}}) {
    const test::CommandOutcome refused = test::shell(run + options);
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, Catch::Matchers::StartsWith(said));
  }
}

}  // namespace ntune
