// Observations that were made before a study.

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/json.h"
#include "ntune/facts/result_text.h"
#include "study/make.h"
#include "study/recorded.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using test::coins;
using test::run;
using test::TemporaryFolder;

namespace {

/// A CSV file in which arm 5 of ten has won ten times and the others have lost twice each.
std::string wins_of_five() {
  std::string csv = "arm,value\n";
  for (int arm = 0; arm < 10; ++arm) {
    for (int i = 0; i < (arm == 5 ? 10 : 2); ++i)
      csv += fmt::format("{},{}\n", arm, arm == 5 ? 1 : 0);
  }
  return csv;
}

Study prior_study(const TemporaryFolder& folder, const std::string& keys) {
  const std::string file = (folder.path() / "study.yaml").string();
  return read_study(parse_yaml("{" + keys + "}", file), coins(std::vector<double>(10, 0.5)));
}

std::string refusal(const TemporaryFolder& folder, const std::string& keys) {
  try {
    (void)prior_study(folder, keys);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("prior observations are known before the first question, and not counted") {
  const TemporaryFolder folder;
  (void)folder.file("wins.csv", wins_of_five());
  for (const char* optimiser :
       {"ntbea", "gaussian_process", "tpe", "auto", "multi_start", "pooled_starts"}) {
    CAPTURE(optimiser);
    const std::string keys =
        fmt::format("optimiser: {}, runs: 1, iterations: 5, hold_out: 0, prior: ", optimiser);
    const Study study = prior_study(folder, keys + "{data: wins.csv, weight: 1}");
    CHECK(study.beginning.prior.observed == 28);
    CHECK(study.beginning.prior.told->size() == 28);
    const StudyResult result = run(study);
    CHECK(result.evaluations() == 5);
    CHECK(result.cells[0].picks[0].point == test::arm(5));
    const Json json = result_json(study, result, summarise(study, result));
    CHECK(json["prior"]["source"] == "wins.csv");
    CHECK(json["prior"]["observations"] == 28);
    CHECK(json["prior"]["told"] == 28);
    CHECK(json["prior"]["weight"] == 1.0);
  }
}

TEST_CASE("the weight is the share that is told, evenly over the points") {
  const TemporaryFolder folder;
  (void)folder.file("wins.csv", wins_of_five());
  const Study half = prior_study(folder, "optimiser: ntbea, prior: {data: wins.csv, weight: 0.5}");
  REQUIRE(half.beginning.prior.told->size() == 14);
  std::map<std::uint16_t, int> counts;
  for (const PriorPayoff& known : *half.beginning.prior.told) ++counts[known.point[0]];
  for (std::uint16_t arm = 0; arm < 10; ++arm) CHECK(counts[arm] == (arm == 5 ? 5 : 1));

  // By itself no more than a run's evaluations.
  const Study short_runs =
      prior_study(folder, "optimiser: ntbea, runs: 1, iterations: 7, prior: wins.csv");
  CHECK(short_runs.beginning.prior.weight == 0.25);
  CHECK(short_runs.beginning.prior.told->size() == 7);
  const Study long_runs = prior_study(folder, "optimiser: ntbea, iterations: 100, prior: wins.csv");
  CHECK(long_runs.beginning.prior.weight == 1.0);
}

TEST_CASE("a folder of ntune is a prior, and an edited one is noticed") {
  const TemporaryFolder folder;
  const Study earlier = test::study_of(
      "{optimiser: random, runs: 1, iterations: 50, hold_out: 10, record: evaluations}",
      coins({0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95}));
  test::record(folder.path() / "earlier", earlier);
  const std::string keys = "optimiser: ntbea, runs: 1, iterations: 80, prior: earlier";
  const Study study = prior_study(folder, keys);
  CHECK(study.beginning.prior.observed == 60);
  const Json& written = study.config["prior"];
  CHECK(written["digest"].get<std::string>().size() == 16);

  const auto resumed = [&] {
    Json config = study.config;
    config.erase("objective");
    return read_study(parse_yaml(to_yaml(config), "copy/study.yaml"),
                      coins(std::vector<double>(10, 0.5)));
  };
  CHECK(test::outputs(resumed()) == test::outputs(study));
  test::keep_lines(folder.path() / "earlier", 40);
  CHECK_THROWS_WITH(resumed(), ContainsSubstring("is not what it was when the study began"));
}

TEST_CASE("wrong priors are refused") {
  const TemporaryFolder folder;
  (void)folder.file("wins.csv", wins_of_five());
  (void)folder.file("percent.csv", "arm,value\n3,55\n");
  (void)folder.file("other.csv", "leg,value\n3,1\n");
  CHECK_THAT(refusal(folder, "optimiser: spsa, prior: wins.csv"),
             ContainsSubstring("prior: the optimiser 'spsa' learns only from what it asked for"));
  CHECK_THAT(refusal(folder, "prior: none.csv"), ContainsSubstring("prior: there is no file"));
  CHECK_THAT(refusal(folder, "prior: {data: wins.csv, weight: 0}"),
             ContainsSubstring("prior.weight: is "));
  CHECK_THAT(refusal(folder, "prior: percent.csv"),
             ContainsSubstring("the value 55 is none that the objective can have"));
  CHECK_THAT(refusal(folder, "prior: other.csv"), ContainsSubstring("has no values of 'arm'"));
  (void)folder.file("matches.csv", "arm,opponent.arm,value\n3,1,1\n4,2,1\n");
  CHECK_THAT(refusal(folder, "prior: matches.csv"),
             ContainsSubstring("matches.csv:3: is a match against another opponent than line 2"));
  (void)folder.file("beyond.csv", "arm,value\n30,1\n-4,1\n");
  CHECK_THAT(refusal(folder, "prior: beyond.csv"),
             ContainsSubstring("beyond.csv: holds no observation within the space"));
  const Study runs = test::study_of("{optimiser: random, runs: 2, iterations: 10, record: runs}",
                                    coins({0.1, 0.9}));
  test::record(folder.path() / "runs", runs);
  CHECK_THAT(refusal(folder, "prior: runs"),
             ContainsSubstring("holds finished runs, not evaluations"));
  (void)folder.file("goals.log", R"({"ntune":{"study":{"goals":{"win":{},"ms":{}}}}})"
                                 "\n");
  CHECK_THAT(refusal(folder, "prior: goals.log"), ContainsSubstring("holds several goals"));
}

TEST_CASE("a prior counts within the space alone, and the plan says what was left out or moved") {
  const TemporaryFolder folder;
  // Of arms from 0 to 9: what is nearer to a tenth arm is of none.
  (void)folder.file("wide.csv", "arm,note,value\n0,1,1\n9.4,2,1\n9.6,3,0\n12,4,0\n-0.4,5,1\n");
  const Study study = prior_study(folder, "optimiser: ntbea, prior: {data: wide.csv, weight: 1}");
  CHECK(study.beginning.prior.observed == 3);
  for (const PriorPayoff& known : *study.beginning.prior.told) CHECK(known.payoff == 1.0);
  const std::string plan = plan_text(study);
  CAPTURE(plan);
  CHECK_THAT(plan, ContainsSubstring("begins with 3 of 3 observations of wide.csv, weight 1\n"));
  CHECK_THAT(plan, ContainsSubstring(
                       "prior: arm: 2 observations beyond the values of the space are left out\n"));
  CHECK_THAT(plan,
             ContainsSubstring(
                 "prior: arm: 2 of 3 observations count at the nearest value of the space\n"));
  CHECK_THAT(plan,
             ContainsSubstring("prior: note: is no parameter of the space and is left out\n"));
}

TEST_CASE("a prior is refused where duels would pass over it, whatever names them") {
  const TemporaryFolder folder;
  (void)folder.file("wins.csv", wins_of_five());
  const std::string file = (folder.path() / "study.yaml").string();
  for (const char* optimiser : {"auto", "duels"}) {
    CAPTURE(optimiser);
    const std::string yaml = fmt::format(
        "{{objective: {{match: {{game: simulated}}}}, budget: 60, optimiser: {}, "
        "prior: wins.csv}}",
        optimiser);
    CHECK_THAT(test::input_error([&] { (void)read_study(parse_yaml(yaml, file)); }),
               ContainsSubstring("learns only from what it asked for; allowed: ntbea, "));
  }
}

}  // namespace ntune
