// A study that goes on from any part of its journal ends as if it had never stopped.

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/journal/journal.h"
#include "study/counted.h"
#include "study/make.h"
#include "study/scripted.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace fs = std::filesystem;
using test::content_of;
using test::study_of;

namespace {

std::string resume_in(const fs::path& folder, const Study& study, Journal::Open open) {
  Journal journal(folder, study, open);
  return test::outputs(study, test::run(study, &journal));
}

std::shared_ptr<const Objective> shaky_arms() {
  return test::scripted(5, [](const Point& point, Rng& rng) {
    if (rng.bernoulli(0.2)) return Outcome{.failure = "engine crashed\n\"at\" move 3"};
    return Outcome{.payoff = 0.3 * point[0] + rng.normal()};
  });
}

/// Cuts the journal of a study at the end of every line and at a few other places. Each part must
/// lead to the same result, and to a journal that knows as much as the whole one.
void check_every_cut(const Study& study) {
  const test::TemporaryFolder folder;
  const std::string expected = resume_in(folder / "whole", study, Journal::Open::kNew);
  const std::string whole = content_of(folder / "whole" / kJournalName);
  std::size_t known = 0;
  {
    const Journal journal(folder / "whole", study, Journal::Open::kResume);
    known = journal.known();
  }
  REQUIRE(known > 1);
  std::vector<std::size_t> cuts = {0, 1};
  for (std::size_t end = whole.find('\n'); end != std::string::npos;
       end = whole.find('\n', end + 1)) {
    cuts.push_back(end + 1);
  }
  Rng rng(study.seed);
  for (int i = 0; i < 10; ++i) cuts.push_back(rng.below(static_cast<std::uint32_t>(whole.size())));
  cuts.push_back(whole.size() - 1);
  for (const std::size_t cut : cuts) {
    CAPTURE(cut);
    (void)folder.file(kJournalName, whole.substr(0, cut));
    REQUIRE((resume_in(folder.path(), study, Journal::Open::kResume) == expected));
    const Journal journal(folder.path(), study, Journal::Open::kResume);
    REQUIRE(journal.known() == known);
    REQUIRE(fs::file_size(folder / kJournalName) > 0);
  }
}

}  // namespace

TEST_CASE("a study goes on from any part of its journal of evaluations") {
  check_every_cut(study_of(
      "{runs: 3, iterations: 8, re_evaluation: 12, hold_out: 5, record: evaluations, threads: 1}",
      test::coins({0.2, 0.5, 0.7})));
}

TEST_CASE("a study of matches goes on from any part of its journal") {
  for (const char* optimiser : {"duels", "spsa_duels"}) {
    check_every_cut(study_of(
        fmt::format("{{objective: {{match: {{game: simulated, dimensions: 2}}}}, optimiser: {}, "
                    "runs: 1, iterations: 16, hold_out: 4, parallel_evaluations: 3, threads: 2}}",
                    optimiser)));
  }
}

TEST_CASE("a study goes on from any part of its journal of runs") {
  check_every_cut(study_of(
      "{runs: 12, iterations: 20, re_evaluation: 12, hold_out: 5, record: runs, threads: 1}",
      test::coins({0.2, 0.5, 0.7})));
}

TEST_CASE("a journal of runs keeps all that a run has found") {
  // The points that lead a run are compared after it, on instances of a program.
  const Study led = study_of(
      "{objective: {command: [sh, -c, 'echo $(( ($1 - 3) * ($1 - 3) + $2 % 5 + 20 )) $3', x, "
      "'{x}', '{seed}', '{instance}'], result: {regex: '(.*) .'}, direction: minimise}, "
      "space: {x: {integers: [0, 7]}}, instances: [a, b, c], budget: 60, runs: 1, record: runs}");
  REQUIRE(led.plans[0].re_evaluation > 0);
  const test::TemporaryFolder folder;
  const std::string whole = resume_in(folder / "led", led, Journal::Open::kNew);
  CHECK(resume_in(folder / "led", led, Journal::Open::kResume) == whole);

  // Solvers that contradict each other.
  const Study solved = study_of(
      "{objective: {command: [sh, -c, 'test $1 = 3 && exit 20; exit 10', x, '{x}', '{instance}'], "
      "result: time, exit: [10, 20], cutoff: 9}, space: {x: {integers: [2, 3]}}, "
      "instances: [a, b], iterations: 12, runs: 2, hold_out: 2, record: runs}");
  const auto contradictions = [&](Journal::Open open) {
    Journal journal(folder / "solved", solved, open);
    return test::run(solved, &journal).contradictions.size();
  };
  CHECK(contradictions(Journal::Open::kNew) == 2);
  CHECK(contradictions(Journal::Open::kResume) == 2);
}

TEST_CASE("a study of several threads goes on from any part of its journal") {
  check_every_cut(study_of(
      "{runs: 4, iterations: 6, re_evaluation: 8, hold_out: 4, record: evaluations, threads: 3}",
      test::coins({0.2, 0.5, 0.7})));
}

TEST_CASE("a study with evaluations in flight goes on from any part of its journal") {
  check_every_cut(
      study_of("{runs: 2, iterations: 15, re_evaluation: 12, hold_out: 9, record: evaluations, "
               "parallel_evaluations: 4, threads: 2}",
               test::coins({0.2, 0.5, 0.7})));
}

TEST_CASE("a comparison whose runs are held out goes on from any part of its journal") {
  for (const char* record : {"evaluations", "runs"}) {
    check_every_cut(study_of(fmt::format("{{runs: 2, iterations: [4, 6], optimisers: [ntbea, "
                                         "random], hold_out: 3, record: {}, threads: 1}}",
                                         record),
                             test::coins({0.2, 0.5, 0.7})));
  }
}

TEST_CASE("a comparison of splits goes on from any part of its journal") {
  for (const char* record : {"evaluations", "runs"}) {
    check_every_cut(
        study_of(fmt::format("{{objective: hartmann3, budget: 24, splits: [1 x 16, {{runs: 3}}], "
                             "repeats: 2, record: {}, threads: 1}}",
                             record)));
  }
}

TEST_CASE("a comparison of objectives goes on from any part of its journal") {
  for (const char* record : {"evaluations", "runs"}) {
    check_every_cut(study_of(
        fmt::format("{{objectives: [hartmann3, {{function: branin, noise: {{gaussian: 0.1}}}}], "
                    "optimisers: [ntbea, {{label: b, k: 2}}], runs: 2, iterations: 6, "
                    "record: {}, threads: 1}}",
                    record)));
  }
}

TEST_CASE("a study with failures goes on from any part of its journal") {
  for (const char* fail : {"skip", "{value: -2}"}) {
    check_every_cut(
        study_of(fmt::format("{{runs: 2, iterations: 12, re_evaluation: 8, hold_out: 8, fail: {}, "
                             "record: evaluations, threads: 1}}",
                             fail),
                 shaky_arms()));
  }
}

TEST_CASE("a study with several payoffs a call goes on from any part of its journal") {
  for (const int in_flight : {1, 3}) {
    check_every_cut(
        study_of(fmt::format("{{runs: 3, iterations: 20, re_evaluation: 20, hold_out: 20, "
                             "parallel_evaluations: {}, record: evaluations, threads: 1}}",
                             in_flight),
                 test::several(4)));
  }
}

TEST_CASE("a study with instances goes on from any part of its journal") {
  for (const char* rest :
       {"ntbea, record: evaluations, threads: 1", "ntbea, record: evaluations, threads: 4",
        "pooled_starts, record: evaluations, threads: 2, parallel_evaluations: 3",
        "gaussian_process, record: evaluations, threads: 1, aggregate: worst",
        "racing, record: evaluations, threads: 2, parallel_evaluations: 3",
        "ntbea, record: runs, threads: 1",
        "ntbea, record: runs, threads: 4, test_instances: [{seed: 8}, {seed: 9}]"}) {
    CAPTURE(rest);
    check_every_cut(study_of(fmt::format(
        "{{objective: {{function: nk, dimensions: 3, k: 1, noise: {{gaussian: 0.2}}}}, instances: "
        "[{{seed: 1}}, {{seed: 2}}, {{seed: 3, weight: 2}}], runs: 2, iterations: 12, "
        "re_evaluation: 12, hold_out: 6, default: {{x1: 0, x2: 0, x3: 0}}, optimiser: {}}}",
        rest)));
  }
}

TEST_CASE("a long study goes on from the states of its search that the journal holds") {
  const char* yaml =
      "{runs: 2, iterations: 8500, hold_out: 5, record: evaluations, threads: 1, fail: skip, "
      "max_failure_rate: 0.5, optimiser: {algorithm: ntbea, neighbours: 5}}";
  const test::TemporaryFolder folder;
  const Study study = study_of(yaml, shaky_arms());
  const std::string expected = resume_in(folder / "whole", study, Journal::Open::kNew);
  const std::string whole = content_of(folder / "whole" / kJournalName);
  const std::string name = "{\"search_state\":";
  std::vector<std::size_t> states;
  for (std::size_t at = whole.find(name); at != std::string::npos; at = whole.find(name, at + 1)) {
    states.push_back(at);
  }
  REQUIRE(states.size() == 4);  // after 4,096 and 8,192 evaluations of each run
  const auto resumed = [&](const std::string& journal) {
    (void)folder.file(kJournalName, journal);
    return resume_in(folder.path(), study, Journal::Open::kResume);
  };
  SECTION("from every cut around a state the result is the same") {
    std::vector<std::size_t> cuts = {whole.size(), whole.size() / 3};
    for (const std::size_t state : states) {
      const std::size_t end = whole.find('\n', state) + 1;
      cuts.insert(cuts.end(), {state, end - 5, end, whole.find('\n', end) + 1});
    }
    for (const std::size_t cut : cuts) {
      CAPTURE(cut);
      CHECK((resumed(whole.substr(0, cut)) == expected));
    }
  }
  SECTION("a state of zeros is damage, and the line is named") {
    std::string tampered = whole;
    for (const std::size_t state : states) {
      std::size_t end = tampered.find("]", state);
      for (int words = 0; words < 4; ++words) {
        const std::size_t comma = tampered.rfind(',', end - 1);
        tampered.replace(comma + 1, end - comma - 1, end - comma - 1, ' ');
        tampered[comma + 1] = '0';
        end = comma;
      }
    }
    CHECK_THROWS_WITH(resumed(tampered), Catch::Matchers::ContainsSubstring(
                                             "journal.log:4098: is not a line of a journal"));
  }
  SECTION("without states, as journals of older versions, it is asked again") {
    std::string older = whole;
    for (std::size_t i = states.size(); i-- > 0;) {
      older.erase(states[i], older.find('\n', states[i]) + 1 - states[i]);
    }
    CHECK((resumed(older) == expected));
  }
  SECTION("where evaluations are missing, it is asked again") {
    std::string damaged = whole;
    const std::size_t line = damaged.find('\n', damaged.size() / 4) + 1;
    damaged.erase(line, damaged.find('\n', line) + 1 - line);
    CHECK((resumed(damaged) == expected));
  }
  SECTION("failures that are tried again change what was asked for after them") {
    (void)folder.file(kJournalName, whole);
    const std::string again = resume_in(folder.path(), study, Journal::Open::kRetryFailed);
    CHECK((resume_in(folder.path(), study, Journal::Open::kResume) == again));
  }
  SECTION("a state is what the search goes on from") {
    std::string other = whole.substr(0, whole.find('\n', states[0]) + 1);
    const std::size_t digit = other.find("]", states[0]) - 5;
    other[digit] = other[digit] == '1' ? '2' : '1';
    CHECK((resumed(other) != expected));
  }
}

TEST_CASE("a long comparison of spaces with different numbers of parameters goes on") {
  const test::TemporaryFolder folder;
  const Study study = study_of(
      "{objectives: [hartmann3, branin, hartmann6], optimisers: [ntbea], runs: 1, "
      "iterations: 4200, hold_out: 0, record: evaluations, threads: 1}");
  const std::string expected = resume_in(folder.path(), study, Journal::Open::kNew);
  CHECK(content_of(folder / kJournalName).find("search_state") != std::string::npos);
  CHECK((resume_in(folder.path(), study, Journal::Open::kResume) == expected));
}

TEST_CASE("what a journal knows is not evaluated again") {
  for (const char* record : {"evaluations", "runs"}) {
    const test::TemporaryFolder folder;
    const test::Counted counted(test::coins({0.2, 0.5, 0.7}));
    const Study study = study_of(fmt::format("{{runs: 6, iterations: 30, re_evaluation: 24, "
                                             "hold_out: 20, record: {}, threads: 1}}",
                                             record),
                                 counted.objective);
    resume_in(folder.path(), study, Journal::Open::kNew);
    const std::int64_t all = *counted.calls;
    *counted.calls = 0;
    resume_in(folder.path(), study, Journal::Open::kResume);
    // A journal of runs does not hold what compares them.
    CHECK(*counted.calls == (std::string(record) == "runs" ? all - 6 * 30 : 0));
    const std::string whole = content_of(folder / kJournalName);
    std::size_t half = 0;
    std::int64_t lines = 0;
    while (half < whole.size() / 2) {
      half = whole.find('\n', half) + 1;
      ++lines;
    }
    (void)folder.file(kJournalName, whole.substr(0, half));
    *counted.calls = 0;
    resume_in(folder.path(), study, Journal::Open::kResume);
    CHECK(*counted.calls ==
          all - (lines - 1) * (std::string(record) == "runs" ? std::int64_t{30} : 1));
  }
}

TEST_CASE("a journal that ends with the failure that ended the study goes on with it") {
  const test::TemporaryFolder folder;
  auto broken = std::make_shared<std::atomic<bool>>(true);
  auto calls = std::make_shared<std::atomic<int>>(0);
  const Study study = study_of(
      "{runs: 3, iterations: 20, re_evaluation: 12, hold_out: 9, record: evaluations, threads: 1}",
      test::scripted(3, [=](const Point& point, Rng& rng) {
        if (++*calls == 30 && *broken) return Outcome{.failure = "no space left"};
        return Outcome{.payoff = 0.5 * point[0] + rng.normal()};
      }));
  CHECK_THROWS_AS(resume_in(folder.path(), study, Journal::Open::kNew), EvaluationError);
  *broken = false;
  const std::string resumed = resume_in(folder.path(), study, Journal::Open::kResume);
  CHECK((resumed == resume_in(folder / "whole", study, Journal::Open::kNew)));
  // The failure stays on record, and the outcome that counts stands behind it.
  CHECK((resume_in(folder.path(), study, Journal::Open::kResume) == resumed));
}

TEST_CASE("a study that is stopped again and again comes to the same end") {
  for (const char* more : {"record: evaluations", "record: runs",
                           "record: evaluations, parallel_evaluations: 3, threads: 2"}) {
    const test::TemporaryFolder folder;
    StudyProgress* current = nullptr;
    auto calls = std::make_shared<std::atomic<int>>(0);
    const Study study = study_of(
        fmt::format("{{runs: 6, iterations: 20, re_evaluation: 30, hold_out: 30, {}}}", more),
        test::scripted(4, [&current, calls](const Point& point, Rng& rng) {
          if (++*calls % 67 == 0 && current != nullptr) current->stop = true;
          return Outcome{.payoff = 0.3 * point[0] + rng.normal()};
        }));
    const std::string expected = resume_in(folder / "whole", study, Journal::Open::kNew);
    int rounds = 0;
    StudyResult result;
    do {
      StudyProgress progress;
      current = &progress;
      Journal journal(folder.path(), study, Journal::Open::kResume);
      result = run_study(study, progress, &journal);
      current = nullptr;
    } while (result.interrupted && ++rounds < 100);
    CHECK(rounds > 0);
    CHECK((test::outputs(study, result) == expected));
  }
}

TEST_CASE("failures are named as before when a study goes on") {
  // Runs are recorded whole, with the causes of their failures.
  for (const char* record : {"evaluations", "runs"}) {
    check_every_cut(
        study_of(fmt::format("{{runs: 3, iterations: 12, re_evaluation: 8, hold_out: 5, "
                             "fail: skip, record: {}, threads: 1}}",
                             record),
                 shaky_arms()));
  }
}

TEST_CASE("a study that too many failures have ended goes on with a larger rate") {
  const auto with_rate = [](const char* rate) {
    return study_of(
        fmt::format("{{runs: 2, iterations: 30, re_evaluation: 8, hold_out: 4, fail: skip, "
                    "threads: 1, record: evaluations, max_failure_rate: {}}}",
                    rate),
        shaky_arms());
  };
  const test::TemporaryFolder folder;
  CHECK_THROWS_AS(resume_in(folder / "a", with_rate("0.02"), Journal::Open::kNew), EvaluationError);
  CHECK_THROWS_AS(resume_in(folder / "a", with_rate("0.02"), Journal::Open::kResume),
                  EvaluationError);
  const Study larger = with_rate("0.9");
  const std::string whole = resume_in(folder / "b", larger, Journal::Open::kNew);
  CHECK((resume_in(folder / "a", larger, Journal::Open::kResume) == whole));
}

namespace {

/// Arms that fail by their streams as long as they are broken.
struct Repairable {
  std::shared_ptr<std::atomic<bool>> broken = std::make_shared<std::atomic<bool>>(true);
  std::shared_ptr<std::atomic<std::int64_t>> calls = std::make_shared<std::atomic<std::int64_t>>(0);
  std::shared_ptr<const Objective> objective;

  explicit Repairable(double probability) {
    objective = test::scripted(
        5, [broken = broken, calls = calls, probability](const Point& point, Rng& rng) {
          ++*calls;
          const bool fails = rng.bernoulli(probability);
          const double payoff = 0.3 * point[0] + rng.normal();
          if (fails && *broken) return Outcome{.failure = "engine crashed"};
          return Outcome{.payoff = payoff};
        });
  }
};

}  // namespace

TEST_CASE("failures that are tried again leave what a study without them finds") {
  for (const char* keys :
       {"record: evaluations", "record: runs", "record: evaluations, parallel_evaluations: 3"}) {
    CAPTURE(keys);
    const Repairable arms(0.1);
    const Study study = study_of(
        fmt::format("{{runs: 3, iterations: 20, re_evaluation: 12, hold_out: 6, fail: skip, "
                    "threads: 1, {}}}",
                    keys),
        arms.objective);
    const test::TemporaryFolder folder;
    const std::string failed = resume_in(folder / "a", study, Journal::Open::kNew);
    // While it is broken, trying again changes nothing.
    CHECK((resume_in(folder / "a", study, Journal::Open::kRetryFailed) == failed));
    CHECK((resume_in(folder / "a", study, Journal::Open::kResume) == failed));
    *arms.broken = false;
    CHECK((resume_in(folder / "a", study, Journal::Open::kResume) == failed));
    const std::string whole = resume_in(folder / "b", study, Journal::Open::kNew);
    REQUIRE(whole != failed);
    *arms.calls = 0;
    CHECK((resume_in(folder / "a", study, Journal::Open::kRetryFailed) == whole));
    CHECK(*arms.calls > 0);
    CHECK(*arms.calls < 100);
    *arms.calls = 0;
    CHECK((resume_in(folder / "a", study, Journal::Open::kResume) == whole));
    CHECK((resume_in(folder / "a", study, Journal::Open::kRetryFailed) == whole));
    if (study.execution.record == Recording::kEvaluations) CHECK(*arms.calls == 0);
  }
}

TEST_CASE("a study that was interrupted while it tried failures again goes on") {
  const Repairable arms(0.15);
  const Study study = study_of(
      "{runs: 2, iterations: 15, re_evaluation: 8, hold_out: 4, fail: skip, threads: 1, "
      "record: evaluations}",
      arms.objective);
  const test::TemporaryFolder folder;
  resume_in(folder / "a", study, Journal::Open::kNew);
  const std::size_t before = content_of(folder / "a" / kJournalName).size();
  *arms.broken = false;
  const std::string whole = resume_in(folder / "b", study, Journal::Open::kNew);
  REQUIRE((resume_in(folder / "a", study, Journal::Open::kRetryFailed) == whole));
  const std::string journal = content_of(folder / "a" / kJournalName);
  REQUIRE(journal.size() > before);
  for (std::size_t end = journal.find('\n', before); end != std::string::npos;
       end = journal.find('\n', end + 1)) {
    CAPTURE(end);
    const test::TemporaryFolder part;
    (void)part.file(kJournalName, journal.substr(0, end + 1));
    CHECK((resume_in(part.path(), study, Journal::Open::kResume) == whole));
  }
}

}  // namespace ntune
