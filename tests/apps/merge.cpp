// `ntune merge` as a user of array jobs meets it.

#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/process.h"
#include "catch.h"
#include "ntune/core/json.h"

namespace ntune {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::command;
using test::CommandOutcome;
using test::content_of;

namespace {

/// Runs the study once for each seed and returns `merge` with the folders.
std::vector<std::string> run_jobs(const test::TemporaryFolder& folder, const std::string& yaml,
                                  std::initializer_list<int> seeds) {
  const std::string study = folder.file("study.yaml", yaml);
  std::vector<std::string> arguments = {"merge"};
  for (const int seed : seeds) {
    arguments.push_back((folder / fmt::format("job{}", seed)).string());
    REQUIRE(command({"run", study, "--seed", std::to_string(seed), "--out", arguments.back(),
                     "--quiet"})
                .code == cli::kDone);
  }
  return arguments;
}

CommandOutcome merged(std::vector<std::string> arguments,
                      const std::vector<std::string>& more = {}) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return command(arguments);
}

void check_refused(const CommandOutcome& outcome, const std::string& text) {
  CAPTURE(outcome.err, text);
  CHECK(outcome.code == cli::kWrongInput);
  CHECK(test::is_one_line(outcome.err));
  CHECK_THAT(outcome.err, ContainsSubstring(text));
}

}  // namespace

TEST_CASE("merge prints one recommendation and writes its files") {
  const test::TemporaryFolder folder;
  const auto jobs = run_jobs(folder, "{objective: hartmann3, runs: 2, iterations: 40}", {1, 2, 3});
  const std::string out = (folder / "merged").string();
  const CommandOutcome text = merged(jobs, {"--out", out});
  CHECK(text.code == cli::kDone);
  CHECK_THAT(text.out, StartsWith("Seeds merged: 1, 2 and 3\n\nUse this setting: "));
  CHECK_THAT(text.err, ContainsSubstring("Results in " + out));
  const Json json = Json::parse(content_of(fs::path(out) / "result.json"));
  CHECK(json["seeds"] == Json{1, 2, 3});
  CHECK(json["status"] == "done");
  CHECK_THAT(content_of(fs::path(out) / "runs.csv"), StartsWith("seed,run,evaluations,"));
  const CommandOutcome again = merged(jobs, {"--format", "json", "--quiet"});
  CHECK(Json::parse(again.out) == json);
  CHECK(again.err.empty());
  CHECK_THAT(merged(jobs, {"--format", "csv"}).out, StartsWith("value,low,high,n,"));
}

TEST_CASE("merge prints one table for comparisons") {
  const test::TemporaryFolder folder;
  const auto jobs =
      run_jobs(folder,
               "{objectives: [hartmann3, branin], optimisers: [ntbea, random], runs: 2, "
               "iterations: 20}",
               {1, 2});
  const CommandOutcome outcome = merged(jobs);
  CHECK(outcome.code == cli::kDone);
  CHECK_THAT(outcome.out, ContainsSubstring("true value of what each run recommends"));
  check_refused(merged(jobs, {"--evaluate", "10"}), "--evaluate: is for studies that recommend");
}

TEST_CASE("merged studies of a program never start it, unless asked to evaluate") {
  const test::TemporaryFolder folder;
  (void)folder.file("agent.sh", "echo x >> calls; echo $(( $1 + $2 % 3 ))\n");
  const std::string yaml =
      "objective: {command: [sh, agent.sh, '{a}', '{seed}']}\n"
      "space: {a: [1, 2, 3, 4]}\noptimiser: random\nruns: 1\niterations: 5\nhold_out: 4\n";
  const auto jobs = run_jobs(folder, yaml, {1, 2, 3});
  const auto calls = [&] { return content_of(folder / "calls").size() / 2; };
  const std::size_t before = calls();
  CHECK(before == 3 * 9);
  const CommandOutcome outcome = merged(jobs, {"--format", "json"});
  CHECK(outcome.code == cli::kDone);
  CHECK(calls() == before);

  check_refused(merged(jobs, {"--evaluate", "40"}), "--evaluate: needs --study STUDY.yaml");
  const std::string study = (folder / "study.yaml").string();
  const CommandOutcome fresh = merged(jobs, {"--evaluate", "40", "--study", study, "--quiet"});
  CAPTURE(fresh.err);
  CHECK(fresh.code == cli::kDone);
  CHECK(calls() == before + 40);
  const std::string other = folder.file("other.yaml", yaml + "fail: {value: 0}\n");
  check_refused(
      merged(jobs, {"--evaluate", "40", "--study", other}),
      "--study: is another study than the merged ones: 'fail' is \"abort or skip\" there");
  check_refused(merged(jobs, {"--study", study}), "--study: goes with --evaluate");
}

TEST_CASE("wrong merges are one line") {
  const test::TemporaryFolder folder;
  const auto jobs =
      run_jobs(folder, "{objective: branin, runs: 2, iterations: 10, record: evaluations}", {1, 2});
  check_refused(command({"merge"}), "folders");
  check_refused(merged(jobs, {"--evaluate", "0"}), "--evaluate");
  check_refused(merged(jobs, {(folder / "none").string()}), "none: is not a folder; name the one");
  check_refused(merged(jobs, {jobs[1]}), "job1: has seed 1, as has ");
  check_refused(merged(jobs, {"--out", jobs[2]}), "job2: is one of the merged folders");
  fs::resize_file(fs::path(jobs[2]) / "journal.log",
                  fs::file_size(fs::path(jobs[2]) / "journal.log") - 20);
  check_refused(merged(jobs), "job2: the study is not finished (");
  const CommandOutcome partial = merged(jobs, {"--partial"});
  CHECK(partial.code == cli::kDone);
  CHECK_THAT(partial.out, ContainsSubstring("Interrupted: only what had finished is counted."));
  const std::string other =
      folder.file("other.yaml", "{objective: branin, runs: 2, iterations: 20, seed: 9}");
  const std::string out = (folder / "other").string();
  REQUIRE(command({"run", other, "--out", out, "--quiet"}).code == cli::kDone);
  check_refused(merged(jobs, {out}), "other: is another study than ");
}

}  // namespace ntune
