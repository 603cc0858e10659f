// Optuna reads the journals of studies, goes on with them, and does not disturb ours.

#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/process.h"
#include "catch.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/lambda_objective.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/keys/study_yaml.h"
#include "ntune/study/run_study.h"
#include "study/memory_log.h"

namespace ntune {

namespace fs = std::filesystem;
using test::content_of;
using test::MemoryLog;

namespace {

std::string name_of(const EvaluationKey& key) {
  return fmt::format("{} {} {} {} {}", stage_name(key.stage), key.cell, key.repeat, key.run,
                     key.index);
}

Json active_parameters(const SearchSpace& space, const Point& point) {
  Json all = point_json(point, space);
  Json active = Json::object();
  for (int i = 0; i < space.dimensions(); ++i) {
    if (space.is_active(point, i)) active[space[i].name] = all[space[i].name];
  }
  return active;
}

/// What Optuna should say of a study's evaluations.
Json expectation(const Study& study, const std::vector<MemoryLog::Entry>& entries) {
  Json studies = Json::array();
  for (std::size_t i = 0; i < study.objectives.size(); ++i) {
    const StudyObjective& objective = study.objectives[i];
    const bool cost = objective.objective->unit().is_cost();
    const std::string name = study.name.empty() ? objective.label
                             : i == 0           ? study.name
                                                : study.name + ": " + objective.label;
    Json trials = Json::object();
    for (const auto& [key, point, outcome] : entries) {
      if (study.objective_of(key.cell) != i) continue;
      const bool failed = !outcome.failure.empty();
      trials[name_of(key)] = {
          {"state", failed ? "FAIL" : "COMPLETE"},
          {"value", failed ? Json() : Json(objective.objective->unit().value_of(outcome.payoff))},
          {"params", active_parameters(objective.objective->space(), point)}};
    }
    studies.push_back(
        {{"name", name}, {"direction", cost ? "MINIMIZE" : "MAXIMIZE"}, {"trials", trials}});
  }
  return studies;
}

std::string in_quotes(const fs::path& path) { return "'" + path.string() + "'"; }

std::string read_by_optuna(const fs::path& folder, const fs::path& expected,
                           const std::string& command = "") {
  const test::CommandOutcome outcome = test::shell(
      fmt::format("/usr/bin/python3 -B -W ignore '{}/tests/apps/read_journal.py' {} {} {}",
                  NTUNE_SOURCE_DIR, in_quotes(folder), in_quotes(expected), command));
  CAPTURE(outcome.err, outcome.out);
  REQUIRE(outcome.code == 0);
  return outcome.out.substr(outcome.out.rfind("ok"));
}

}  // namespace

TEST_CASE("Optuna reads the journal of a run, goes on with it, and ntune goes on after that") {
  if (!test::has_python_module("optuna")) return;
  const test::TemporaryFolder folder;
  const std::string yaml = folder.file("study.yaml", R"yaml(
name: "a \"study\""
objective:
  command: 'set -- {params:pairs}; test "$2" != 3 || exit 1; echo $(( $2 * 3 + {seed} % 5 )).5'
  shell: true
  direction: minimise
space:
  depth: {integers: [1, 9], step: 2}
  c: {range: [0, 1], step: 0.25}
  rate: {log_range: [0.001, 1], points: 4}
  book: {boolean: }
  style: [calm, "wild \"one\"", 3, 4.5, true]
  odd name: [1, 10, 100]
  only: 7
  width: {integers: [2, 4], when: {book: true}}
optimiser: {algorithm: random}
runs: 2
iterations: 12
re_evaluation: 6
hold_out: 5
fail: skip
max_failure_rate: 1
)yaml");
  const std::string out = (folder / "out").string();
  REQUIRE(test::command({"run", yaml, "--out", out, "--quiet"}).code == cli::kDone);
  const std::string result = content_of(folder / "out" / "result.json");
  const std::string runs = content_of(folder / "out" / "runs.csv");

  const Study study = read_study(read_yaml(yaml));
  CHECK(study.execution.record == Recording::kEvaluations);
  MemoryLog log;
  StudyProgress progress;
  run_study(study, progress, &log);
  const std::string expected = folder.file("expected.json", expectation(study, log.entries).dump());

  // Half of the journal: Optuna goes on with it, then ntune.
  const std::string journal = content_of(folder / "out" / "journal.log");
  std::size_t cut = 0;
  while (cut < journal.size() / 2) cut = journal.find('\n', cut) + 1;
  (void)folder.file("out/journal.log", journal.substr(0, cut));
  CHECK(read_by_optuna(folder / "out", expected,
                       fmt::format("'{}' run {} --out {} --quiet --resume", NTUNE_EXECUTABLE,
                                   in_quotes(yaml), in_quotes(out))) ==
        fmt::format("ok {}\n", log.entries.size() + 4));
  CHECK(content_of(folder / "out" / "result.json") == result);
  CHECK(content_of(folder / "out" / "runs.csv") == runs);
}

TEST_CASE("Optuna reads journals of several objectives, odd names and evaluations under way") {
  if (!test::has_python_module("optuna")) return;
  const test::TemporaryFolder folder;
  const SearchSpace odd(
      {make_choices("a \"quoted\" \\ name", {std::string("x\ny"), std::string("\t\"z\""), true}),
       make_choices("\u00fc\u65e5\U0001f600", {std::string(), std::string("\u00e9"), -1e300}),
       make_integers("from -5", -5, 9, 7), make_range("reals", -0.75, 1e-3, 4),
       make_log_range("logs", 1e-7, 1e9, 5), make_fixed("fixed", std::string("line"))});
  const auto objective = std::make_shared<LambdaObjective>(
      odd, [](const Point&, Rng& rng) { return rng.normal(); }, "odd");
  const Study study = read_study(
      parse_yaml("{optimisers: [ntbea, random], record: evaluations, name: \"n\\\"a\\nm\"}"),
      objective);
  const std::vector<double> payoffs = {0.0, -0.0, 1e-300, 5e-324, 0.1, 1e22, -1e308, 123456789.0};
  Rng rng(1);
  Json expected;
  {
    Journal journal(folder.path(), study, Journal::Open::kNew);
    std::vector<MemoryLog::Entry> told;
    std::vector<MemoryLog::Entry> waiting;
    for (std::int64_t i = 0; i < 60; ++i) {
      MemoryLog::Entry entry{{.cell = static_cast<std::uint32_t>(i % 2),
                              .stage = static_cast<Stage>(i % 3),
                              .repeat = i / 7,
                              .run = i % 5 - 1,
                              .index = i},
                             odd.sample(rng),
                             {.payoff = payoffs[static_cast<std::size_t>(i) % payoffs.size()]}};
      if (i % 6 == 0) entry.outcome = {.failure = "crashed\n\"at\" \x01\xff\u00e9", .attempts = 2};
      if (i % 6 == 1) entry.outcome.observations = {1.0, 2.0, 3.0};
      const Request request{
          .key = entry.key, .objective = objective.get(), .point = &entry.point, .stream = Rng(0)};
      const auto now = std::chrono::system_clock::now();
      if (i % 3 == 0) journal.append_asked(request, now);
      if (i % 9 == 0) {
        waiting.push_back(entry);
      } else {
        journal.append(request, entry.outcome, now, now);
        told.push_back(entry);
      }
    }
    expected = expectation(study, told);
    for (const auto& entry : waiting) {
      expected[0]["trials"][name_of(entry.key)] = {{"state", "RUNNING"},
                                                   {"value", nullptr},
                                                   {"params", active_parameters(odd, entry.point)}};
    }
  }
  CHECK(read_by_optuna(folder.path(), folder.file("expected.json", expected.dump())) == "ok 60\n");
}

}  // namespace ntune
