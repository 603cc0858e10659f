// Programs that answer late, never, garbage, half lines, far too much, NaN, under a wrong id, or
// crash.

#include <map>
#include <sstream>
#include <string>

#include "apps/process.h"
#include "catch.h"
#include "ntune/core/json.h"

namespace ntune {

namespace {

const std::string kQuotedNtune = std::string("'") + NTUNE_EXECUTABLE + "'";

std::string study_of(int runs, int iterations, const std::string& fail) {
  return "objective:\n  command: ['" + std::string(NTUNE_MOCK_WORKER) +
         "', '0.2']\n  protocol: worker\n  timeout: 0.2\n  retries: 0\n  max_output: 100000\n"
         "space: {a: {integers: [1, 8]}, b: {boolean: }}\n"
         "runs: " +
         std::to_string(runs) + "\niterations: " + std::to_string(iterations) +
         "\nre_evaluation: 100\nhold_out: 100\nparallel_evaluations: 8\nthreads: 8\n"
         "max_failure_rate: 1\nfail: " +
         fail + "\n";
}

/// Runs a study of misbehaving programs to its end, and finds every evaluation accounted for once.
void check_accounts(int runs, int iterations, const std::string& fail) {
  const test::TemporaryFolder folder;
  const std::string study = folder.file("study.yaml", study_of(runs, iterations, fail));
  const auto out = folder / "out";
  const test::CommandOutcome outcome =
      test::shell(kQuotedNtune + " run '" + study + "' --quiet --out '" + out.string() + "'");
  CAPTURE(outcome.out, outcome.err);
  REQUIRE(outcome.code == 0);
  const Json result = Json::parse(test::content_of(out / "result.json"));
  CHECK(result["budget"]["search"] == runs * iterations);
  CHECK(result["budget"]["hold_out"] == 100);
  std::map<std::string, int> seen;
  std::int64_t failures = 0;
  std::istringstream journal(test::content_of(out / "journal.log"));
  std::string line;
  std::getline(journal, line);
  while (std::getline(journal, line)) {
    ++seen[line.substr(0, line.find(' '))];
    if (line.find(" ! ") == std::string::npos) continue;
    ++failures;
    CHECK_THAT(line, Catch::Matchers::EndsWith("\""));
  }
  CHECK(static_cast<std::int64_t>(seen.size()) == result["evaluations"]);
  for (const auto& [key, times] : seen) {
    CAPTURE(key);
    REQUIRE(times == 1);
  }
  CHECK(failures == result["failures"]["count"]);
  // A fifth misbehave; what a busy machine makes late comes on top.
  const double evaluations = result["evaluations"];
  CHECK(static_cast<double>(failures) > 0.15 * evaluations);
  // No worker is left.
  CHECK(test::shell("pgrep -f -- '" + std::string(NTUNE_MOCK_WORKER) + " 0.2$'").out == "");
}

}  // namespace

TEST_CASE("misbehaving programs: the study ends and every evaluation is accounted for") {
  check_accounts(2, 250, "skip");
}

TEST_CASE("5,000 evaluations of misbehaving programs, 8 in flight", "[slow]") {
  check_accounts(5, 1000, "skip");
  check_accounts(1, 1000, "{value: 0}");
}

}  // namespace ntune
