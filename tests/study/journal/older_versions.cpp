// Journals of version 0.1.0, written before searches were told of failures that are skipped, and
// before races had blocks of instances, for the studies below.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/yaml.h"
#include "ntune/study/journal/extension.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/journal/recorded_study.h"
#include "ntune/study/journal/replay.h"
#include "ntune/study/keys/study_identity.h"
#include "study/make.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using test::content_of;

namespace {

std::string study_text(int iterations) {
  return fmt::format(
      R"({{objective: {{command: [awk, -v, 'x={{x}}', -v, 'y={{y}}',
           'BEGIN {{{{ if (x == 4 || y == 2) exit 1; print x / 10 + y / 20 }}}}'], retries: 2}},
         space: {{x: {{integers: [0, 8]}}, y: {{integers: [0, 8]}}}}, optimiser: ntbea, runs: 1,
         iterations: {}, hold_out: 2, seed: 7, fail: skip, max_failure_rate: 1, threads: 1}})",
      iterations);
}

std::string journal_of(const std::string& name) {
  return content_of(fs::path(NTUNE_SOURCE_DIR) / "tests/data/journals" / name);
}

std::string older_journal() { return journal_of("untold_failures.log"); }

struct Resumed {
  Study study;
  StudyResult result;
};

/// Goes on with a study in a folder, as `ntune run --resume` does.
Resumed resume_text(const fs::path& folder, const std::string& text) {
  Resumed resumed{.study = test::study_of(text), .result = {}};
  go_on_from(folder, resumed.study);
  Journal journal(folder, resumed.study, Journal::Open::kResume);
  resumed.result = test::run(resumed.study, &journal);
  return resumed;
}

Resumed resume(const fs::path& folder, int iterations) {
  return resume_text(folder, study_text(iterations));
}

/// The first lines of a text.
std::string first_lines(const std::string& text, std::size_t lines) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < lines; ++i) end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

/// Names, points and payoffs of all evaluations of a journal.
std::vector<std::string> evaluations_of(const fs::path& file) {
  std::vector<std::string> evaluations;
  const std::string text = content_of(file);
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const Json line = Json::parse(text.substr(at, text.find('\n', at) - at));
    if (line.contains("ntune") && line["ntune"].is_array()) {
      evaluations.push_back(line["ntune"].dump());
    }
  }
  return evaluations;
}

}  // namespace

TEST_CASE("a study with failures that an older version began goes on as it was") {
  const test::TemporaryFolder folder;
  const std::string whole = older_journal();
  const std::vector<std::string> expected = evaluations_of(folder.file("older.log", whole));
  REQUIRE(expected.size() == 22);
  for (const std::size_t lines : {1U, 13U, 18U, 20U, 23U}) {
    CAPTURE(lines);
    const std::string file = folder.file(kJournalName, first_lines(whole, lines));
    const Resumed resumed = resume(folder.path(), 20);
    CHECK(evaluations_of(file) == expected);
    CHECK(resumed.result.failures == 5);
    const Point best = resumed.result.cells[0].picks[0].point;
    CHECK(std::vector(best.indices().begin(), best.indices().end()) ==
          std::vector<std::uint16_t>{8, 7});
    CHECK(resumed.study.config["learn_from_failures"] == false);
  }
  // What reads folders replays it, and a second resume finds all of it.
  StudyProgress progress;
  CHECK(replay_study(RecordedStudy(folder.path()), false, progress).failures == 5);
  CHECK(resume(folder.path(), 20).result.failures == 5);
}

TEST_CASE("a study with failures that an older version began can be given more") {
  const test::TemporaryFolder folder;
  const std::string file = folder.file(kJournalName, older_journal());
  const Resumed resumed = resume(folder.path(), 40);
  CHECK(evaluations_of(file).size() > 40);
  CHECK_FALSE(resumed.study.execution.on_failure.learn);
  const std::string text = content_of(file);
  const Resumed again = resume(folder.path(), 40);
  CHECK(content_of(file) == text);
  CHECK(test::outputs(again.study, again.result) == test::outputs(resumed.study, resumed.result));
}

TEST_CASE("a study that asks for something else than its journal says what to do") {
  const test::TemporaryFolder folder;
  std::string text = older_journal();
  const std::string key = R"("fail":"skip",)";
  text.insert(text.find(key), R"("fail_limit":0.2,)");
  (void)folder.file(kJournalName, text);
  const std::string error = test::input_error([&] { (void)resume(folder.path(), 20); });
  CHECK_THAT(error, ContainsSubstring("was of another point than this program asks for"));
  CHECK_THAT(error, EndsWith("finish it with that one, or begin a study in another folder with "
                             "this one as its `prior:`"));
}

TEST_CASE("a budget of costs from before costs guided searches goes on without that") {
  const auto text = [](const std::string& exponent) {
    return R"({objective: {command: [awk, -v, 'x={x}', -v, 'y={y}', 'BEGIN {{
               printf "{{\"value\": %g, \"cost\": %d}}", -(x - 3)^2 - y, 1 + x }}'], result: json},
             space: {x: {integers: [0, 8]}, y: {integers: [0, 8]}}, budget: {cost: 120)" +
           exponent + "}, runs: 1, hold_out: 2, seed: 5, threads: 1}";
  };
  const test::TemporaryFolder folder;
  const fs::path file = folder / kJournalName;
  (void)resume_text(folder.path(), text(", cost_exponent: 0"));
  const std::vector<std::string> expected = evaluations_of(file);
  REQUIRE(expected.size() > 20);
  std::string older = content_of(file);
  const std::string key = R"(,"cost_exponent":0.0)";
  REQUIRE(older.find(key) != std::string::npos);
  older.erase(older.find(key), key.size());
  for (const std::size_t lines : {1U, 9U, 20U}) {
    CAPTURE(lines);
    (void)folder.file(kJournalName, first_lines(older, lines));
    CHECK(resume_text(folder.path(), text("")).study.cost_exponent == 0.0);
    CHECK(evaluations_of(file) == expected);
  }
  // A journal that names another exponent is of another study.
  (void)folder.file(kJournalName,
                    older.insert(older.find("120.0") + 5, R"(,"cost_exponent":0.25)"));
  CHECK_THAT(test::input_error([&] { (void)resume_text(folder.path(), text("")); }),
             ContainsSubstring("cost_exponent"));
}

TEST_CASE("a search by Gaussian processes goes on from a journal without repeats") {
  for (const char* optimiser : {"gaussian_process", "pooled_starts", "regression_n_tuple"}) {
    CAPTURE(optimiser);
    const std::string text = fmt::format(
        "{{objective: hartmann3, optimiser: {}, runs: 1, iterations: 30, hold_out: 0, threads: 1, "
        "record: evaluations}}",
        optimiser);
    const test::TemporaryFolder folder;
    (void)resume_text(folder.path(), text);
    const std::string file = (folder / kJournalName).string();
    const std::vector<std::string> expected = evaluations_of(file);
    std::string older = test::content_of(file);
    const std::string option = R"("repeats":"auto",)";
    REQUIRE(older.find(option) != std::string::npos);
    older.erase(older.find(option), option.size());
    (void)folder.file(kJournalName, first_lines(older, 20));
    CHECK_NOTHROW(resume_text(folder.path(), text));
    CHECK(evaluations_of(file) == expected);
  }
  const auto config = [](int repeats) {
    return test::study_of(fmt::format("{{objective: hartmann3, iterations: 30, optimiser: "
                                      "{{algorithm: gaussian_process, repeats: {}}}}}",
                                      repeats))
        .config;
  };
  CHECK_FALSE(is_same_study(config(2), config(3)));
}

TEST_CASE("the failure rule of a study is written only where it is the older one") {
  const Study now = test::study_of("{objective: hartmann3, iterations: 5, runs: 1}");
  CHECK(now.execution.on_failure.learn);
  CHECK_FALSE(now.config.contains("learn_from_failures"));
  const Study older =
      test::study_of("{objective: hartmann3, iterations: 5, runs: 1, learn_from_failures: false}");
  CHECK_FALSE(older.execution.on_failure.learn);
  CHECK(older.config["learn_from_failures"] == false);
  // An older journal has no such key: it is the same study, wherever the key stands.
  Json recorded = older.config;
  recorded.erase("learn_from_failures");
  recorded.erase("fail_limit");
  CHECK(is_same_study(recorded, older.config));
  CHECK_FALSE(is_same_study(recorded, now.config));
}

TEST_CASE("a race that an older version began goes on without blocks of instances") {
  const auto text = [](int iterations) {
    return fmt::format(
        "{{objective: {{function: nk, dimensions: 3, k: 1, noise: {{gaussian: 0.2}}}}, instances: "
        "[{{seed: 1}}, {{seed: 2}}, {{seed: 3, weight: 2}}], optimiser: racing, runs: 1, "
        "iterations: {}, hold_out: 3, seed: 7, threads: 1, record: evaluations, re_evaluation: "
        "none}}",
        iterations);
  };
  const test::TemporaryFolder folder;
  const std::string whole = journal_of("separate_instances.log");
  const std::vector<std::string> expected = evaluations_of(folder.file("older.log", whole));
  REQUIRE(expected.size() == 27);
  for (const std::size_t lines : {1U, 9U, 20U, 28U}) {
    CAPTURE(lines);
    const std::string file = folder.file(kJournalName, first_lines(whole, lines));
    const Resumed resumed = resume_text(folder.path(), text(24));
    CHECK(evaluations_of(file) == expected);
    CHECK(resumed.study.config["instance_blocks"] == false);
  }
  StudyProgress progress;
  (void)replay_study(RecordedStudy(folder.path()), false, progress);
  const Resumed more = resume_text(folder.path(), text(40));
  CHECK_FALSE(more.study.instances.blocks);
  CHECK(evaluations_of((folder / kJournalName).string()).size() > 40);
  // A study that begins now has blocks, and says so where something races.
  const Study now = test::study_of(text(24));
  CHECK(now.instances.blocks);
  CHECK(now.config["instance_blocks"] == true);
  CHECK_FALSE(is_same_study(more.study.config, now.config));
  std::string other = text(24);
  other.replace(other.find("racing"), 6, "ntbea");
  CHECK_FALSE(test::study_of(other).config.contains("instance_blocks"));
}

}  // namespace ntune
