// Journals of version 0.1.0, written before searches were told of failures that are skipped, and
// before races had blocks of instances, and of version 0.2.0, which were files of Optuna, for the
// studies below.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <regex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "catch.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/recorded/foreign_observations.h"
#include "ntune/study/journal/extension.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/journal/journal_reader.h"
#include "ntune/study/journal/recorded_study.h"
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

/// Without what a record of a run of version 0.2 has not kept.
std::string without_importance(const std::string& text) {
  static const std::regex kImportance(R"re(\n +"importance": (\[[^\]]*\]|null),?)re");
  return std::regex_replace(text, kImportance, "");
}

/// With twelve digits of every number: what was estimated on another machine, whose mathematical
/// library differs, may differ in the last ones.
std::string rounded(const std::string& text) {
  static const std::regex kLong(R"(-?\d+\.\d{12,}(e-?\d+)?)");
  std::string short_text;
  auto last = text.cbegin();
  for (std::sregex_iterator it(text.begin(), text.end(), kLong), end; it != end; ++it) {
    short_text.append(last, (*it)[0].first);
    short_text += fmt::format("{:.12g}", std::stod(it->str()));
    last = (*it)[0].second;
  }
  return short_text.append(last, text.cend());
}

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
  (void)scan_journal(content_of(file), file.string(), [&](const JournalLine& line) {
    if (!line.has_outcome()) return;
    const EvaluationKey& key = line.key;
    // Behind the reason stands the command, with the folder that it ran in.
    const std::string reason = line.failure.substr(0, line.failure.find(';'));
    evaluations.push_back(fmt::format(
        "{} {} {} {}: {} {} {} {} {}", key.cell, stage_name(key.stage), key.run, key.index,
        line.point, line.payoffs, reason, line.block.value_or(-1), line.cost.value_or(-1.0)));
  });
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
  for (const char* optimiser : {"gaussian_process", "pooled_starts"}) {
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

TEST_CASE("a search by a Gaussian process goes on with the k and the scale of its journal") {
  const auto text = [](const std::string& optimiser) {
    return "{objective: {function: gaussian_landscape, dimensions: 3, values: 8, noise: {gaussian: "
           "0.1}}, optimiser: " +
           optimiser + ", runs: 1, iterations: 40, hold_out: 0, threads: 1, record: evaluations}";
  };
  const auto erase = [](std::string& whole, const std::string& part) {
    REQUIRE(whole.find(part) != std::string::npos);
    whole.erase(whole.find(part), part.size());
  };
  struct Case {
    std::string name;
    std::string with_k;
  };
  for (const Case& one :
       {Case{"gaussian_process",
             "{algorithm: gaussian_process, k: 3, scale: linear, label: gaussian_process}"},
        Case{"auto", "{algorithm: auto, k: 3, scale: linear, label: auto}"},
        Case{"pooled_starts",
             "{algorithm: pooled_starts, label: pooled_starts, optimiser: {algorithm: "
             "gaussian_process, k: 3, scale: linear, label: gaussian_process}}"}}) {
    CAPTURE(one.name);
    const test::TemporaryFolder folder;
    (void)resume_text(folder.path(), text(one.with_k));
    const std::string file = (folder / kJournalName).string();
    const std::vector<std::string> expected = evaluations_of(file);
    std::string older = content_of(file);
    // `auto` had no k.
    if (one.name == "auto") erase(older, R"(,"k":3.0)");
    erase(older, R"(,"scale":"linear")");
    for (const std::size_t lines : {1U, 12U, 30U}) {
      CAPTURE(lines);
      (void)folder.file(kJournalName, first_lines(older, lines));
      const Resumed resumed = resume_text(folder.path(), text(one.name));
      CHECK(evaluations_of(file) == expected);
      CHECK(resumed.study.config.dump().find(R"("k":3.0)") != std::string::npos);
      CHECK(resumed.study.config.dump().find(R"("scale":"linear")") != std::string::npos);
    }
    StudyProgress progress;
    const RecordedStudy recorded(folder.path());
    CHECK_NOTHROW(replay_study(recorded, false, progress));
    // One that begins now follows the payoffs.
    const test::TemporaryFolder fresh;
    const Resumed begun = resume_text(fresh.path(), text(one.name));
    CHECK(begun.study.config.dump().find(R"("k":"auto")") != std::string::npos);
    CHECK(begun.study.config.dump().find(R"("scale":"auto")") != std::string::npos);
    CHECK_NOTHROW(resume_text(fresh.path(), text(one.name)));
  }
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

TEST_CASE("journals of version 0.2 go on from any line, which stay as they are") {
  const std::vector<std::pair<std::string, std::string>> studies = {
      {"costs", R"yaml({objective: {command: [awk, -v, 'x={x}', -v, 'y={y}', -v, 'k={instance.k}',
         'BEGIN {{ if (x == 6) exit 1; printf "{{\"value\": %g, \"cost\": %d}}", x / 10 + y / 20 + k, 1 + x }}'],
         result: json, retries: 1}, space: {x: {integers: [0, 8]}, y: {integers: [0, 8]}},
         instances: [{k: 0}, {k: 1}], optimiser: racing, budget: {cost: 90}, runs: 1, hold_out: 4,
         seed: 7, fail: skip, max_failure_rate: 1, threads: 1})yaml"},
      {"duels",
       "{objective: {match: {game: simulated, dimensions: 2}}, optimiser: duels, runs: 1, "
       "iterations: 8, hold_out: 2, seed: 3, record: evaluations, threads: 1}"},
      {"runs",
       "{objective: hartmann3, optimiser: ntbea, runs: 3, iterations: 12, hold_out: 0, "
       "re_evaluation: none, seed: 5, record: runs, threads: 1}"}};
  for (const auto& [name, text] : studies) {
    const std::string whole = journal_of("version_0_2_" + name + ".log");
    const auto all = static_cast<std::size_t>(std::ranges::count(whole, '\n'));
    const test::TemporaryFolder folder;
    const Resumed anew = resume_text(folder / "anew", text);
    const std::string expected =
        without_importance(rounded(test::outputs(anew.study, anew.result)));
    for (std::size_t lines = 1; lines <= all; ++lines) {
      CAPTURE(name, lines);
      const std::string begin = first_lines(whole, lines);
      const std::string file = folder.file(kJournalName, begin);
      const Resumed resumed = resume_text(folder.path(), text);
      CHECK(without_importance(rounded(test::outputs(resumed.study, resumed.result))) == expected);
      CHECK(evaluations_of(file) == evaluations_of(folder / "anew" / kJournalName));
      const std::string now = content_of(file);
      CHECK(now.starts_with(begin + R"({"ntune":{"format":2,)"));
      (void)resume_text(folder.path(), text);
      CHECK(content_of(file) == now);
      if (name == "runs") continue;
      // It is a prior of other studies, too.
      const ForeignObservations data = read_foreign_observations(file, {});
      CHECK(data.observations.size() == (name == "costs" ? 12 : 10));
      for (const ForeignObservation& one : data.observations) {
        CHECK(one.instance.has_value() == (name == "costs"));
      }
    }
    StudyProgress progress;
    const RecordedStudy recorded(folder.path());
    if (name != "runs") {
      const StudyResult replayed = replay_study(recorded, false, progress);
      CHECK(without_importance(rounded(test::outputs(recorded.study(), replayed))) == expected);
    }
    std::int64_t rows = 0;
    recorded.scan([&](const JournalLine& line) {
      if (line.kind != JournalLine::Kind::kRun && !line.has_outcome()) return;
      ++rows;
      CHECK(line.start.has_value());
      CHECK(line.end.has_value());
      if (line.kind == JournalLine::Kind::kRun) CHECK_FALSE(line.run.trace.empty());
    });
    CHECK(rows == (name == "costs" ? 13 : name == "duels" ? 10 : 3));
  }
}

TEST_CASE("what version 0.2 has handed out is told, and what it was told is known") {
  const test::TemporaryFolder folder;
  const std::string older = journal_of("version_0_2_served.log");
  const std::string file = folder.file(kJournalName, older);
  const std::string text =
      "{objective: {ask_tell: bot}, space: {a: {integers: [1, 9]}}, optimiser: ntbea, runs: 1, "
      "iterations: 8, parallel_evaluations: 3, hold_out: 2, fail: skip, max_failure_rate: 1, "
      "seed: 3}";
  const Study study = test::study_of(text);
  const std::vector<EvaluationKey> keys = {{.index = 0}, {.index = 1}, {.index = 2}};
  const std::vector<std::uint16_t> given = {3};
  const Point point{std::span<const std::uint16_t>(given)};
  {
    Journal journal(folder.path(), study, Journal::Open::kResume);
    CHECK(journal.asked_trial(keys[0]) == -1);
    CHECK(journal.asked_trial(keys[2]) == 2);
    CHECK(journal.has_request(11));
    CHECK(journal.has_request(12));
    CHECK(journal.has_request(13));
    REQUIRE(journal.offered().size() == 1);
    CHECK(journal.offered()[0].payoffs == std::vector<double>{0.25});
    const auto asked = journal.asked_at(keys[2]);
    REQUIRE(asked.has_value());
    journal.append({.key = keys[2],
                    .objective = study.objectives[0].objective.get(),
                    .point = &point,
                    .stream = Rng(0)},
                   {.payoff = 0.75}, *asked, *asked + std::chrono::seconds(2));
  }
  CHECK(content_of(file).starts_with(older));
  CHECK(content_of(file).find("\ns0.2 3 0.75 ") != std::string::npos);
  std::vector<std::string> failures;
  (void)scan_journal(content_of(file), file, [&](const JournalLine& line) {
    if (line.kind == JournalLine::Kind::kFailure) failures.push_back(line.failure);
    if (line.key.index != 2 || !line.has_outcome()) return;
    CHECK(line.trial == 2);
    CHECK(*line.end - *line.start == std::chrono::seconds(2));
  });
  CHECK(failures == std::vector<std::string>{"it is \"odd\""});
  const Journal journal(folder.path(), study, Journal::Open::kResume);
  CHECK(journal.find(keys[2], point, nullptr)->payoff == 0.75);
}

}  // namespace ntune
