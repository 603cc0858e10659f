// Studies whose evaluations are matches.

#include <sstream>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/facts/result_text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/space/import/import_space.h"
#include "ntune/study/export/export.h"
#include "ntune/study/journal/journal.h"
#include "ntune/study/journal/recorded_study.h"
#include "study/make.h"
#include "support/temporary_folder.h"
#include "support/unwrapped.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::study_of;

namespace {

const std::string kGame = "{objective: {match: {game: simulated, dimensions: 3, draws: 0.5}}, ";

std::string error_of(const std::string& yaml) {
  try {
    study_of(yaml);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string text_of(const Study& study, const StudyResult& result) {
  return test::unwrapped(result_text(study, result, summarise(study, result)));
}

}  // namespace

TEST_CASE("a study of matches is the same for any number of threads") {
  for (const int in_flight : {1, 5}) {
    std::string expected;
    for (const int threads : {1, 3}) {
      const Study study =
          study_of(kGame + fmt::format("runs: 2, iterations: 60, re_evaluation: 40, hold_out: 30, "
                                       "parallel_evaluations: {}, threads: {}}}",
                                       in_flight, threads));
      std::string outputs = test::full_outputs(study);
      // The number of threads stands in the written-back study.
      const std::string key = fmt::format("\"threads\": {}", threads);
      const std::size_t at = outputs.find(key);
      if (at != std::string::npos) outputs.erase(at, key.size());
      if (expected.empty()) expected = outputs;
      CHECK(outputs == expected);
    }
  }
}

TEST_CASE("a study of matches takes duels, whose result speaks Elo against the default") {
  const Study study = study_of(kGame + "budget: 1200, seed: 3}");
  CHECK(study.algorithm(0, 0, 0) == "duels");
  CHECK(study.execution.record == Recording::kEvaluations);
  const StudyResult result = test::run(study);
  const std::string text = text_of(study, result);
  CHECK_THAT(text, ContainsSubstring("  Elo          "));
  CHECK_THAT(text, ContainsSubstring("  pairs        "));
  CHECK_THAT(text, ContainsSubstring("  LOS          "));
  CHECK_THAT(text, ContainsSubstring("  model        Elo "));
  CHECK_THAT(text, ContainsSubstring("today"));
  CHECK_THAT(text, ContainsSubstring("by definition: every match is against it"));
  CHECK_THAT(text, !ContainsSubstring("with probability"));
  const Json json = result_json(study, result, summarise(study, result));
  CHECK(json["algorithm"] == "duels");
  CHECK(json["elo"]["pentanomial"].size() == 5);
  CHECK(json["default"]["value"] == 0.5);
  CHECK(json["recommendation"]["best_probability"].is_null());
  const Json& duels = json["duels"];
  CHECK(duels["los"] > 0.5);
  CHECK(duels["model_elo"]["value"] > 0.0);
  CHECK(duels["model_elo"]["interval"][0] < duels["model_elo"]["value"]);
  CHECK_FALSE(duels["moved"].empty());
  for (const auto& [name, values] : duels["moved"].items()) {
    CHECK(values[1] == json["recommendation"]["parameters"][name]);
    CHECK(values[0] != values[1]);
  }
}

TEST_CASE("matches: games of this process are compared with the defaults that they play") {
  for (const char* game : {"bao", "planet_wars"}) {
    CAPTURE(game);
    const Study study =
        study_of(fmt::format("{{objective: {{match: {{game: {}}}}}, budget: 20}}", game));
    REQUIRE(study.beginning.incumbent);
    CHECK(is_opponent(*study.objectives[0].objective, *study.beginning.incumbent));
    CHECK_FALSE(
        study_of(
            fmt::format("{{objective: {{match: {{game: {}}}}}, default: none, budget: 20}}", game))
            .beginning.incumbent);
  }
}

TEST_CASE("matches can be searched by optimisers that know one player too") {
  for (const char* optimiser : {"ntbea", "gaussian_process", "random", "spsa_duels", "clop"}) {
    CAPTURE(optimiser);
    const Study study = study_of(
        kGame + fmt::format("optimiser: {}, runs: 1, iterations: 100, hold_out: 50}}", optimiser));
    const StudyResult result = test::run(study);
    CHECK_FALSE(result.interrupted);
    CHECK(result.cells[0].picks[0].hold_out.games.games.games() <= 100);
  }
}

TEST_CASE("matches: the opponent stands in the journal, and a journal of another one is refused") {
  const test::TemporaryFolder folder;
  const Study study = study_of(kGame + "runs: 1, iterations: 12, hold_out: 0, threads: 1}");
  {
    Journal journal(folder.path() / "out", study, Journal::Open::kNew);
    (void)test::run(study, &journal);
  }
  std::istringstream journal(test::content_of((folder.path() / "out" / kJournalName).string()));
  // The first match is against the default, as it is evaluated first; the others have opponents.
  std::size_t count = 0;
  for (std::string line; std::getline(journal, line);) {
    std::string key;
    std::string players;  // POINT:OPPONENT
    std::istringstream(line) >> key >> players;
    if (key.front() == 's' && players.find(':') != std::string::npos) ++count;
  }
  CHECK(count >= 10);
}

TEST_CASE("matches: exported rows have the values of both players") {
  const test::TemporaryFolder folder;
  const Study study = study_of(kGame + "runs: 1, iterations: 12, hold_out: 3, threads: 1}");
  {
    Journal journal(folder.path() / "out", study, Journal::Open::kNew);
    (void)test::run(study, &journal);
  }
  const RecordedStudy recorded(folder.path() / "out");
  std::string text;
  const ExportSummary summary =
      export_csv(recorded, {}, [&](std::string_view piece) { text += piece; });
  CHECK(summary.rows >= 15);
  const std::string header = text.substr(0, text.find('\n'));
  CHECK_THAT(header, ContainsSubstring(",p1,p2,p3,opponent.p1,opponent.p2,opponent.p3"));
  std::size_t without = 0;
  for (std::size_t at = text.find('\n') + 1; at < text.size(); at = text.find('\n', at) + 1) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    if (line.ends_with(",,,")) ++without;
  }
  // The first match is a start, and fresh games are against the default: that is the opponent.
  CHECK(without == 0);
}

TEST_CASE("matches: an import of OpenBench's lines has SPSA's gains, which a study takes") {
  const ImportedSpace imported =
      import_space_text("p1, float, 0.5, 0, 1, 0.05, 0.002\np 2, int, 4, 0, 9, 2, 0.01\n", "lines");
  const Study study = study_of("objective: {match: {ask_tell: engine}}\niterations: 10\n" +
                               imported.yaml + "optimiser: spsa_duels\n");
  CHECK(study.objectives[0].objective->space()[1].gains == std::pair(2.0, 0.01));
  CHECK(study.algorithm(0, 0, 0) == "spsa_duels");
}

TEST_CASE("matches: what cannot be compared or searched is refused in one line") {
  CHECK(error_of("{objective: {match: {game: simulated}, opponents: [{p1: 0.5}]}, budget: 100}") ==
        "study.yaml:1: objective.opponents: the default, with which the recommendation is "
        "compared, is none of the opponents; add it to 'opponents:', or write 'default: none'");
  CHECK(error_of("{objective: {match: {game: simulated}, opponents: [{p1: 0.5}]}, default: none, "
                 "budget: 100}") == "no error");
  CHECK_THAT(error_of("{objective: hartmann6, optimiser: duels}"),
             ContainsSubstring("'duels' chooses both players of matches, and 'hartmann6' has none; "
                               "write 'objective: {match: …}'"));
}

TEST_CASE("matches: where none could be played nothing is recommended, whatever searches") {
  const auto with = [](const std::string& script, const std::string& more) {
    return study_of("{objective: {match: {command: [/bin/sh, -c, '" + script +
                    "', sh, '{x}', '{opponent.x}'], result: letters}" + more +
                    ", fail: skip, seed: 3}");
  };
  const std::string space =
      "}, space: {x: {integers: [1, 9], default: 4}}, runs: 2, iterations: 12";
  for (const char* optimiser :
       {"auto", "duels", "ntbea", "gaussian_process", "racing", "random", "clop", "spsa_duels"}) {
    CAPTURE(optimiser);
    const Study broken = with("exit 1", space + ", optimiser: " + optimiser);
    CHECK_THROWS_WITH(test::run(broken), ContainsSubstring("evaluations of 2 runs failed: ") &&
                                             ContainsSubstring("most often: exit status 1"));
  }
  // The default meets itself among its opponents, and nobody else.
  const Study anchors = with("exit 1", ", opponents: [{x: 4}, {x: 7}]" + space);
  CHECK_THROWS_AS(test::run(anchors), EvaluationError);

  // Some were played, and the default is better than all others.
  const Study played =
      with("test $1 -gt 2 || exit 1; if test $1 = 4; then echo W; else echo L; fi", space);
  CHECK_THAT(text_of(played, test::run(played)),
             ContainsSubstring("finding      keep the default"));
}

TEST_CASE("a study whose every evaluation failed has no result, also where failures have a value") {
  for (const char* rule : {"skip", "{value: 0}"}) {
    const Study broken =
        study_of(fmt::format("{{objective: {{command: [/bin/sh, -c, 'exit 1', sh, '{{x}}']}}, "
                             "space: {{x: {{integers: [1, 9], default: 4}}}}, "
                             "fail: {}, runs: 2, iterations: 20, hold_out: 5}}",
                             rule));
    CHECK_THROWS_WITH(test::run(broken), StartsWith("all 40 evaluations of 2 runs failed: "));
  }
}

}  // namespace ntune
