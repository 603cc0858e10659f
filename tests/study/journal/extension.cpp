// A study that is given more goes on from what its journal holds.

#include "ntune/study/journal/extension.h"

#include <filesystem>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/journal/recorded_study.h"
#include "ntune/study/results/result_files.h"
#include "study/counted.h"
#include "study/make.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using test::content_of;
using test::study_of;

namespace {

/// Goes on with the study in the folder, as `ntune run --resume` does, and returns its results.
std::string go_on(const fs::path& folder, Study& study) {
  go_on_from(folder, study);
  Journal journal(folder, study, Journal::Open::kResume);
  return test::outputs(study, test::run(study, &journal));
}

std::string go_on(const fs::path& folder, const std::string& yaml,
                  const std::shared_ptr<const Objective>& objective = nullptr) {
  Study study = study_of(yaml, objective);
  return go_on(folder, study);
}

/// The same study from its configuration alone.
std::string from_nothing(const Study& study) {
  Study again = study_of(to_yaml(study.config));
  again.execution.threads = study.execution.threads;
  return test::outputs(again);
}

std::shared_ptr<const Objective> extension_coins() {
  return test::coins({0.2, 0.4, 0.5, 0.7, 0.3});
}

/// A study on a function, with the rest of its keys.
std::string on_function(const std::string& rest) {
  return "{objective: {function: hartmann3, noise: win_loss}, " + rest + "}";
}

}  // namespace

TEST_CASE("a study that is given more is the same from its journal and from nothing") {
  for (const char* record : {"evaluations", "runs"}) {
    for (const char* common :
         {"threads: 1", "threads: 3", "parallel_evaluations: 3, threads: 2", "optimiser: auto",
          "optimiser: {algorithm: multi_start, optimiser: ntbea}", "optimiser: pooled_starts",
          "optimiser: spsa", "optimiser: racing", "optimiser: compact_ga", "optimiser: grid",
          "re_evaluation: {method: repeats, common_random_numbers: false}"}) {
      CAPTURE(record, common);
      const std::string less =
          fmt::format("runs: 3, iterations: 12, hold_out: 5, {}, record: {}", common, record);
      const std::string more =
          fmt::format("runs: 4, iterations: 30, hold_out: 9, {}, record: {}", common, record);
      const test::TemporaryFolder folder;
      (void)go_on(folder.path(), on_function(less));
      Study study = study_of(on_function(more));
      const std::string extended = go_on(folder.path(), study);
      REQUIRE(study.earlier.size() == 1);
      CHECK(study.earlier[0].plans[0].iterations == 12);
      CHECK(extended == from_nothing(study));
      CHECK(extended == go_on(folder.path(), on_function(more)));
    }
  }
}

TEST_CASE("a budget whose hold-out was smaller in an earlier version goes on with that") {
  const std::string common = "default: {arm: 1}, runs: 1, optimiser: random, record: evaluations";
  const test::TemporaryFolder folder;
  const std::string first =
      go_on(folder.path(), "{iterations: 320, hold_out: 40, " + common + "}", extension_coins());
  Study same = study_of("{budget: 400, " + common + "}", extension_coins());
  REQUIRE(same.plans[0].iterations == 240);
  CHECK(go_on(folder.path(), same) == first);
  Study more = study_of("{budget: 420, " + common + "}", extension_coins());
  (void)go_on(folder.path(), more);
  CHECK(more.plans[0].iterations == 340);
  CHECK(more.plans[0].hold_out == 40);
}

TEST_CASE("a budget that grows by one evaluation, or by one of the hold-out, is carried out") {
  const auto text = [](int budget, int hold_out) {
    return fmt::format(
        "{{budget: {}, hold_out: {}, default: {{arm: 1}}, runs: 1, optimiser: random}}", budget,
        hold_out);
  };
  for (const auto& [budget, hold_out, search] :
       {std::tuple(240, 40, 160), {241, 40, 161}, {242, 40, 162}, {242, 41, 160}}) {
    CAPTURE(budget, hold_out);
    const test::TemporaryFolder folder;
    (void)go_on(folder.path(), text(240, 40), extension_coins());
    Study more = study_of(text(budget, hold_out), extension_coins());
    (void)go_on(folder.path(), more);
    CHECK(more.plans[0].iterations == search);
    CHECK(more.plans[0].hold_out == hold_out);
    CHECK(more.earlier.size() == (budget == 240 ? 0U : 1U));
  }
}

TEST_CASE("a budget that the program's own study divides by simulation may grow") {
  const test::TemporaryFolder folder;
  (void)go_on(folder.path(), "{budget: 120, optimiser: random}", extension_coins());
  Study more = study_of("{budget: 180, optimiser: random}", extension_coins());
  (void)go_on(folder.path(), more);
  CHECK(total_evaluations(more) == 180);
}

TEST_CASE(
    "a study with instances that is given more is the same from its journal and from nothing") {
  for (const char* record : {"evaluations", "runs"}) {
    for (const char* common :
         {"threads: 1", "threads: 4", "parallel_evaluations: 3, threads: 2", "optimiser: auto",
          "optimiser: pooled_starts", "optimiser: racing",
          "optimiser: racing, parallel_evaluations: 3", "aggregate: {quantile: 0.3}"}) {
      CAPTURE(record, common);
      const auto study = [&](int runs, int iterations, int hold_out) {
        return fmt::format(
            "{{objective: {{function: nk, dimensions: 4, k: 1, noise: {{gaussian: 0.2}}}}, "
            "instances: [{{seed: 1}}, {{seed: 2}}, {{seed: 3, weight: 2}}], runs: {}, iterations: "
            "{}, hold_out: {}, {}, record: {}}}",
            runs, iterations, hold_out, common, record);
      };
      const test::TemporaryFolder folder;
      (void)go_on(folder.path(), study(2, 14, 6));
      Study more = study_of(study(3, 34, 10));
      const std::string extended = go_on(folder.path(), more);
      REQUIRE(more.earlier.size() == 1);
      CHECK(extended == from_nothing(more));
      CHECK(extended == go_on(folder.path(), study(3, 34, 10)));
    }
  }
}

TEST_CASE("what is known is not carried out again when a study is given more") {
  const test::Counted counted(extension_coins());
  const test::TemporaryFolder folder;
  const auto study = [](int runs, int iterations, int hold_out) {
    return fmt::format(
        "{{runs: {}, iterations: {}, re_evaluation: none, hold_out: {}, record: evaluations}}",
        runs, iterations, hold_out);
  };
  (void)go_on(folder.path(), study(2, 20, 0), counted.objective);
  CHECK(*counted.calls == 40);
  (void)go_on(folder.path(), study(2, 50, 0), counted.objective);
  CHECK(*counted.calls == 100);
  (void)go_on(folder.path(), study(3, 50, 0), counted.objective);
  CHECK(*counted.calls == 150);
  (void)go_on(folder.path(), study(3, 50, 10), counted.objective);
  CHECK(*counted.calls == 160);
  (void)go_on(folder.path(), study(3, 50, 25), counted.objective);
  CHECK(*counted.calls == 175);
  (void)go_on(folder.path(), study(3, 50, 25), counted.objective);
  CHECK(*counted.calls == 175);
}

TEST_CASE("a study that is given more goes on from any part of its journal") {
  for (const char* common :
       {"record: evaluations, threads: 1", "record: runs, threads: 1",
        "record: evaluations, parallel_evaluations: 3, threads: 2, re_evaluation: 12"}) {
    CAPTURE(common);
    const auto study = [&](int iterations) {
      return fmt::format("{{runs: 3, iterations: {}, hold_out: 4, {}}}", iterations, common);
    };
    const test::TemporaryFolder folder;
    (void)go_on(folder / "whole", study(6), extension_coins());
    const auto begin = fs::file_size(folder / "whole" / kJournalName);
    const std::string expected = go_on(folder / "whole", study(15), extension_coins());
    const std::string whole = content_of(folder / "whole" / kJournalName);
    for (std::size_t cut = begin; cut < whole.size(); cut += 1 + cut % 197) {
      CAPTURE(cut);
      (void)folder.file(kJournalName, whole.substr(0, cut));
      REQUIRE((go_on(folder.path(), study(15), extension_coins()) == expected));
    }
  }
}

TEST_CASE("a study that was interrupted before it is given more ends the same") {
  const test::TemporaryFolder folder;
  const std::string less =
      "{runs: 2, iterations: 10, hold_out: 3, record: evaluations, threads: 1}";
  const std::string more =
      "{runs: 2, iterations: 25, hold_out: 3, record: evaluations, threads: 1}";
  (void)go_on(folder / "whole", less, extension_coins());
  const std::string whole = content_of(folder / "whole" / kJournalName);
  const std::string expected = go_on(folder / "whole", more, extension_coins());
  std::size_t cut = whole.find('\n') + 1;
  for (int lines = 0; lines < 16; ++lines) cut = whole.find('\n', cut) + 1;
  (void)folder.file(kJournalName, whole.substr(0, cut));
  CHECK(go_on(folder.path(), more, extension_coins()) == expected);
}

TEST_CASE("a study may be given more again and again") {
  for (const char* record : {"evaluations", "runs"}) {
    const test::TemporaryFolder folder;
    const auto of = [&](int repeats, int runs, int iterations) {
      return on_function(
          fmt::format("repeats: {}, runs: {}, iterations: {}, hold_out: 2, record: {}", repeats,
                      runs, iterations, record));
    };
    (void)go_on(folder.path(), of(2, 2, 10));
    (void)go_on(folder.path(), of(3, 2, 10));
    (void)go_on(folder.path(), of(3, 3, 25));
    Study study = study_of(of(3, 3, 40));
    const std::string last = go_on(folder.path(), study);
    CHECK(study.earlier.size() == 3);
    CHECK(last == from_nothing(study));
  }
}

TEST_CASE("runs that a study had stay as they were when it gets more of them") {
  for (const char* optimiser : {"auto", "spsa", "racing", "gaussian_process"}) {
    CAPTURE(optimiser);
    const std::string common = fmt::format("iterations: 20, hold_out: 2, optimiser: {}", optimiser);
    const test::TemporaryFolder folder;
    const std::string five = go_on(folder.path(), "{runs: 5, " + common + "}", extension_coins());
    CHECK(go_on(folder / "at_once", "{runs: 5, " + common + "}", extension_coins()) == five);
    Study more = study_of("{runs: 8, " + common + "}", extension_coins());
    Study at_once = study_of("{runs: 8, " + common + "}", extension_coins());
    (void)go_on(folder.path(), more);
    const StudyResult extended = test::run(more);
    const StudyResult whole = test::run(at_once);
    for (std::size_t run = 0; run < 8; ++run) {
      CHECK(extended.cells[0].runs[run].estimate == whole.cells[0].runs[run].estimate);
      CHECK(extended.cells[0].runs[run].point == whole.cells[0].runs[run].point);
    }
  }
}

TEST_CASE("a space that has become wider keeps what was observed") {
  const auto of = [](const std::string& space, int iterations, const char* record) {
    return fmt::format(
        "{{objective: {{function: hartmann3, noise: win_loss}}, space: {{{}}}, runs: 2, "
        "iterations: {}, hold_out: 3, optimiser: ntbea, record: {}}}",
        space, iterations, record);
  };
  const std::string narrow = "x1: [0, 0.5, 1], x2: {choices: [0.25, 0.75]}, x3: 0.5";
  const std::string wide =
      "x1: [0, 0.25, 0.5, 1], x2: {choices: [0.25, 0.5, 0.75]}, x3: {choices: [0, 0.5, 1], "
      "default: 0.5}";
  for (const char* record : {"evaluations", "runs"}) {
    CAPTURE(record);
    const test::TemporaryFolder folder;
    (void)go_on(folder.path(), of(narrow, 15, record));
    Study study = study_of(of(wide, 40, record));
    const std::string extended = go_on(folder.path(), study);
    REQUIRE(study.earlier.size() == 1);
    CHECK(study.earlier[0].space != nullptr);
    CHECK(extended == from_nothing(study));
    CHECK(extended == go_on(folder.path(), of(wide, 40, record)));
    // All that was recorded is read in the space of today.
    const RecordedStudy recorded(folder.path());
    StudyProgress progress;
    const StudyResult again = replay_study(recorded, false, progress);
    CHECK(test::outputs(recorded.study(), again) == extended);
    // And once more.
    Study third = study_of(of(wide, 60, record));
    const std::string last = go_on(folder.path(), third);
    CHECK(last == from_nothing(third));
  }
}

TEST_CASE("a space becomes wider where that takes its default off the grid, or onto it") {
  const auto of = [](int points, int iterations, const char* optimiser) {
    return fmt::format(
        "{{objective: {{function: hartmann3, noise: win_loss}}, space: {{x1: {{range: [0, 1], "
        "points: {0}, default: 0.5}}, x2: {{range: [0, 1], points: {0}, default: 0.5}}, x3: [0, "
        "0.5, 1]}}, default: {{x1: 0.5, x2: 0.5, x3: 0.5}}, runs: 2, iterations: {1}, hold_out: "
        "3, optimiser: {2}, record: evaluations}}",
        points, iterations, optimiser);
  };
  for (const char* optimiser : {"ntbea", "gaussian_process"}) {
    for (const auto& [before, after] : {std::pair(3, 4), std::pair(2, 3)}) {
      CAPTURE(optimiser, before, after);
      const test::TemporaryFolder folder;
      (void)go_on(folder.path(), of(before, 10, optimiser));
      Study study = study_of(of(after, 25, optimiser));
      const std::string extended = go_on(folder.path(), study);
      REQUIRE(study.earlier.size() == 1);
      CHECK(extended == go_on(folder.path(), of(after, 25, optimiser)));
      const RecordedStudy recorded(folder.path());
      StudyProgress progress;
      CHECK(test::outputs(recorded.study(), replay_study(recorded, false, progress)) == extended);
    }
  }
}

TEST_CASE("a study that went on before its space became wider goes on") {
  const auto of = [](const char* space, int iterations) {
    return on_function(
        fmt::format("space: {{{}}}, runs: 1, iterations: {}, hold_out: 3, optimiser: ntbea", space,
                    iterations));
  };
  const char* narrow = "x1: [0, 0.5, 1], x2: {choices: [0.25, 0.75]}, x3: 0.5";
  const char* wide =
      "x1: [0, 0.5, 1], x2: {choices: [0.25, 0.75]}, x3: {choices: [0, 0.5, 1], default: 0.5}";
  const test::TemporaryFolder folder;
  (void)go_on(folder.path(), of(narrow, 8));
  (void)go_on(folder.path(), of(narrow, 15));
  Study study = study_of(of(wide, 30));
  const std::string extended = go_on(folder.path(), study);
  REQUIRE(study.earlier.size() == 2);
  for (const EarlierStage& stage : study.earlier) {
    REQUIRE(stage.space != nullptr);
    CHECK((*stage.space)[2].cardinality() == 1);
  }
  CHECK(extended == from_nothing(study));
  CHECK(extended == go_on(folder.path(), of(wide, 30)));
}

TEST_CASE("a study that holds more, or another space, is refused") {
  const test::TemporaryFolder folder;
  const std::string name = (folder / kJournalName).string();
  (void)go_on(folder.path(), on_function("runs: 3, iterations: 20, hold_out: 5"));
  const auto error = [&](const std::string& yaml) {
    return test::input_error([&] { (void)go_on(folder.path(), yaml); });
  };
  CHECK(error(on_function("runs: 3, iterations: 10, hold_out: 5")) ==
        name +
            ": holds a study with iterations 20, this one has 10; a study goes on with as many "
            "or more");
  const test::TemporaryFolder divided;
  (void)go_on(divided.path(), on_function("budget: 200"));
  CHECK_THAT(
      test::input_error([&] { (void)go_on(divided.path(), on_function("budget: 150")); }),
      EndsWith("holds a study of 200 evaluations, 'budget' is 150; a study goes on with as many or "
               "more"));
  CHECK_THAT(error(on_function("runs: 2, iterations: 20, hold_out: 5")),
             ContainsSubstring("runs 3, this one has 2"));
  CHECK_THAT(error(on_function("runs: 3, iterations: 30, hold_out: 5, optimiser: ntbea")),
             EndsWith("is the journal of another study: 'optimiser.algorithm' is \"auto\" there, "
                      "\"ntbea\" here"));
  CHECK_THAT(error(on_function("runs: 3, iterations: 30, hold_out: 5, space: {x1: [0, 1]}")),
             ContainsSubstring("space.x1: has lost the value"));
}

TEST_CASE("a chosen split keeps its runs when its budget grows") {
  const test::TemporaryFolder folder;
  const auto of = [](int budget) {
    return on_function(fmt::format(
        "optimiser: {{algorithm: multi_start, optimiser: ntbea}}, runs: 3, budget: {}", budget));
  };
  (void)go_on(folder.path(), of(200));
  Study more = study_of(of(500));
  (void)go_on(folder.path(), more);
  CHECK(more.plans[0].runs == 3);
  CHECK(more.plans[0].iterations > more.earlier[0].plans[0].iterations);
  CHECK(total_evaluations(more) <= 500);
}

TEST_CASE("the result of an earlier stage is set aside") {
  const test::TemporaryFolder folder;
  Study less = study_of(on_function("runs: 2, iterations: 10, hold_out: 2"));
  (void)go_on(folder.path(), less);
  const StudyResult result = test::run(less);
  write_result(folder.path(), less, result, summarise(less, result));
  Study more = study_of(on_function("runs: 2, iterations: 30, hold_out: 2"));
  CHECK_THAT(test::input_error([&] { check_result_folder(folder.path(), more); }),
             ContainsSubstring("'iterations' is 10 there, 30 here; add --resume to go on"));
  go_on_from(folder.path(), more);
  check_result_folder(folder.path(), more);
  set_aside_earlier_result(folder.path(), more);
  CHECK(fs::exists(folder / "result-1.json"));
  CHECK(fs::exists(folder / "runs-1.csv"));
  // It can be read until there is another.
  CHECK(test::content_of(folder / "result.json") == test::content_of(folder / "result-1.json"));
  CHECK(test::content_of(folder / "runs.csv") == test::content_of(folder / "runs-1.csv"));
  StudyResult cut = result;
  cut.interrupted = true;
  CHECK_FALSE(write_result(folder.path(), more, cut, summarise(more, cut)));
  const StudyResult grown = test::run(more);
  CHECK(write_result(folder.path(), more, grown, summarise(more, grown)));
  set_aside_earlier_result(folder.path(), more);
  CHECK(test::content_of(folder / "result.json") != test::content_of(folder / "result-1.json"));
}

}  // namespace ntune
