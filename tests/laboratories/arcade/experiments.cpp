// arcade match, score, reproduce.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "laboratories/arcade/arcade.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using test::arcade_json;
using test::CommandOutcome;
using test::joined;
using test::run_arcade;

namespace {

const std::string kConfigs = std::string(NTUNE_SOURCE_DIR) + "/configs";
const std::vector<std::string> kWar = {"score",      "planet_wars",
                                       "--agent",    "rhea:tick_budget=60",
                                       "--opponent", "2019:tick_budget=60",
                                       "--rules",    "ticks=40",
                                       "--games",    "30"};
const std::vector<std::string> kFlight = {
    "score",   "asteroids", "--agent", "rhea:sequence_length=20,tick_budget=200",
    "--rules", "ticks=150", "--games", "12"};

}  // namespace

TEST_CASE("arcade score plays the games of ntune eval") {
  const test::TemporaryFolder folder;
  const auto eval = [&](const std::string& study, const char* times) {
    const std::string file = folder.file("study.yaml", study + "\nspace: {resample: [1, 2]}\n");
    return Json::parse(test::command({"eval", file, "--set", "resample=1", "--times", times,
                                      "--seed", "1", "--format", "json"})
                           .out);
  };
  const Json war = arcade_json(kWar);
  const Json same_war = eval(
      "objective: {game: planet_wars, agent: {tick_budget: 60}, opponent: {variant: 2019, "
      "gene_probability: auto, tick_budget: 60}, rules: {ticks: 40}}",
      "30");
  CHECK(war["payoff"]["n"] == 30);
  CHECK((war["payoff"]["mean"].get<double>() + 1.0) / 2.0 ==
        Approx(same_war["value"].get<double>()));
  CHECK((war["payoff"]["low"].get<double>() + 1.0) / 2.0 ==
        Approx(same_war["interval"][0].get<double>()));
  CHECK(war["lead"]["min"] <= war["lead"]["median"]);
  CHECK(war["lead"]["median"] <= war["lead"]["max"]);

  const Json flight = arcade_json(kFlight);
  const Json same_flight = eval(
      "objective: {game: asteroids, agent: {sequence_length: 20, tick_budget: 200}, rules: {ticks: "
      "150}}",
      "12");
  CHECK(flight["score"]["mean"].get<double>() == Approx(same_flight["value"].get<double>()));
  CHECK(flight["score"]["sd"].get<double>() == Approx(same_flight["sd"].get<double>()));
  CHECK(flight["score"]["high"].get<double>() == Approx(same_flight["interval"][1].get<double>()));
}

TEST_CASE("arcade score and match print the same for any number of threads") {
  const std::vector<std::string> match = {"match",   "--agent",  "one_step", "--opponent", "random",
                                          "--rules", "ticks=60", "--games",  "20"};
  for (const auto& command : {kWar, kFlight, match}) {
    for (const char* format : {"text", "json", "csv"}) {
      const auto with = [&](const char* threads) {
        return run_arcade(joined(command, {"--quiet", "--format", format, "--threads", threads}));
      };
      const CommandOutcome one = with("1");
      CHECK(one.code == 0);
      CHECK(one.err == "");
      CHECK(with("3").out == one.out);
    }
  }
  CHECK_THAT(run_arcade(joined(kFlight, {"--quiet"})).out,
             StartsWith("Asteroids: rhea:sequence_length=20,tick_budget=200, rules ticks=150, seed "
                        "1\n\n        n "));
  CHECK_THAT(run_arcade({"score", "asteroids", "--agent", "idle", "--games", "1", "--quiet"}).out,
             EndsWith("score  1   0.0  0.0              -    0       0    0\n"));
}

TEST_CASE("arcade match plays every map from both sides") {
  const auto match = [](const std::string& agent, const std::string& opponent,
                        const std::vector<std::string>& more) {
    return arcade_json(joined(
        {"match", "--agent", agent, "--opponent", opponent, "--rules", "ticks=60", "--games", "20"},
        more));
  };
  // Deterministic players: what one wins on a map, the other wins there in the same seat.
  const Json itself = match("idle", "idle", {});
  CHECK(itself["result"]["mean"].get<double>() == Approx(0.0).margin(1e-12));
  CHECK(itself["as_player_1"]["wins"] == itself["as_player_2"]["losses"]);
  CHECK(itself["lead"]["mean"].get<double>() == Approx(0.0).margin(1e-12));

  const std::string strong = "rhea:tick_budget=200";
  const Json won = match(strong, "random", {});
  CHECK(won["result"]["low"] > 0.0);
  CHECK(won["lead"]["low"] > 0.0);
  const Json lost = match("random", strong, {});
  CHECK(lost["result"]["high"] < 0.0);
  const Json aside = match(strong, "random", {"--one-side"});
  CHECK(aside["wins"].get<int>() + aside["draws"].get<int>() + aside["losses"].get<int>() == 20);
  CHECK_FALSE(aside.contains("as_player_2"));
}

TEST_CASE("arcade reproduce puts Table 2 beside ours") {
  const std::vector<std::string> command = {"reproduce", "2", "--configs", kConfigs, "--runs", "4"};
  const Json both = arcade_json(command);
  REQUIRE(both.size() == 2);
  REQUIRE(both[0]["rows"].size() == 5);
  CHECK(both[0]["rows"][0]["weighting"] == "vanilla");
  CHECK(both[0]["rows"][0]["published_mean"] == 0.655);
  CHECK(both[0]["rows"][0]["runs"] == 4);
  CHECK(both[0]["rows"][0]["difference"].is_null());
  CHECK(both[0]["rows"][1]["difference"].is_number());
  CHECK(both[1]["rows"][4]["published_top_six"] == 0.87);
  CHECK(both[1]["summary"]["sixth_best_point"] <= both[1]["summary"]["best_point"]);
  const std::vector<std::string> one = joined(command, {"--game", "asteroids", "--quiet"});
  CHECK(run_arcade(joined(one, {"--threads", "1"})).out ==
        run_arcade(joined(one, {"--threads", "3"})).out);
  CHECK_THAT(run_arcade(one).out, StartsWith("Table 2 of Goodman and Lucas (2020), Asteroids: 4 "
                                             "runs of 336 games each, seed 2020\n"));
}

TEST_CASE("arcade reproduce shows the figures of the paper as numbers and pictures") {
  const test::TemporaryFolder folder;
  const std::string picture = (folder / "figure.svg").string();
  const Json weights = arcade_json({"reproduce", "fig1", "--plot", picture})[0]["rows"];
  CHECK(weights.size() == 4 * 13);
  CHECK(weights[0]["weight"] == 0.0);
  CHECK(std::filesystem::exists(picture));
  const Json boxes = arcade_json({"reproduce", "fig4", "--configs", kConfigs, "--runs", "3",
                                  "--quiet", "--plot", picture})[0]["rows"];
  REQUIRE(boxes.size() == 10);
  for (const Json& box : boxes) {
    CHECK(box["runs"] == 3);
    CHECK(box["low"] <= box["median"]);
    CHECK(box["median"] <= box["high"]);
  }
}

TEST_CASE("arcade reproduce reads Table 3 from the folder of a study") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "objective: {game: planet_wars, legacy_inert: true, agent: {tick_budget: 20}, opponent: "
      "{tick_budget: 20}, rules: {ticks: 20}}\n"
      "optimisers:\n  - {algorithm: ntbea, label: vanilla}\n"
      "  - {algorithm: ntbea, weighting: linear, label: linear}\n"
      "splits:\n  - {runs: 7, iterations: 20, re_evaluation: 70}\n"
      "  - {runs: 1, iterations: 140, re_evaluation: 0}\n"
      "re_evaluation: {method: repeats}\nhold_out: 40\nrepeats: 3\n");
  const std::string out = (folder / "out").string();
  REQUIRE(test::command({"run", study, "--out", out, "--quiet"}).code == 0);
  const std::vector<std::string> command = {"reproduce", "3", "--from", out};
  const Json part = arcade_json(command)[0];
  REQUIRE(part["rows"].size() == 4);
  CHECK(part["rows"][0]["published_mean"] == 0.709);
  CHECK(part["rows"][0]["mean"] <= part["rows"][0]["best"]);
  CHECK(part["rows"][3]["published_best"] == 0.64);
  CHECK(part["rows"][3]["best_anew_low"] <= part["rows"][3]["best_anew"]);
  const Json& finding = part["summary"]["several_short_runs_against_one"];
  REQUIRE(finding.size() == 1);
  const auto anew = [&](std::size_t row) { return part["rows"][row]["best_anew"].get<double>(); };
  CHECK(finding[0]["gain"].get<double>() ==
        Approx((anew(0) - anew(2) + anew(1) - anew(3)) / 2.0).margin(1e-12));
  CHECK(finding[0]["gain_low"] <= finding[0]["gain"]);
  // The same hold-out as `ntune run` reports, as mean of +1 and -1.
  const Json result = Json::parse(test::content_of(folder / "out" / "result.json"));
  CHECK((part["rows"][0]["best_anew"].get<double>() + 1.0) / 2.0 ==
        Approx(result["cells"][0]["score"]["mean"].get<double>()));
  CHECK(run_arcade(joined(command, {"--game", "asteroids"})).code == 2);
  CHECK(run_arcade(joined(command, {"--scale", "0.1"})).err ==
        "--scale: does not go with --from, where the study is finished\n");
}

TEST_CASE("arcade names wrong options in one line") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"play", "planet_war"},
       "arcade: game: is 'planet_war', did you mean 'planet_wars'?; allowed"},
      {{"play"}, "arcade: game is required"},
      {{"score", "asteroids", "--games", "0"}, "arcade: --games: "},
      {{"match", "--games", "7"}, "--games: is 7, an even number is allowed, as each map"},
      {{"score", "asteroids", "--agent", "rhae"},
       "--agent: 'rhae' is not an agent, did you mean "
       "'rhea'?; allowed: rhea, mcts, one_step"},
      {{"score", "asteroids", "--agent", ""}, "arcade: --agent is empty, which is not allowed"},
      {{"score", "asteroids", "--opponent", "2020"}, "--opponent: goes with planet_wars"},
      {{"match", "--opponent", "mcts:horizon=0"},
       "--opponent mcts: horizon: is '0', a whole number from 1 to 10000 is allowed\n"},
      {{"match", "--agent", "rhea:sequence_lenght=5"},
       "--agent rhea: sequence_lenght: unknown key, did you mean 'sequence_length'?; allowed: "},
      {{"match", "--agent", "rhea:discount=nan"},
       "--agent rhea: discount: is 'nan', a number above"},
      {{"match", "--agent", "rhea:variant=2021"}, "--agent rhea: variant: is '2021', did you mean"},
      {{"match", "--agent", "rhea:resample=1,resample=2"},
       "--agent rhea: resample: this key stands twice"},
      {{"match", "--agent", "rhea:resample"}, "--agent rhea: is 'resample', name=value is allowed"},
      {{"match", "--agent", "rhea:"}, "--agent rhea: is '', name=value is allowed"},
      {{"match", "--agent", "random:seed=1"}, "--agent: random has no options"},
      {{"match", "--rules", "planets=99"},
       "--rules: planets: is '99', a whole number from 2 to 24"},
      {{"match", "--rules", "growth_low=0.3"},
       "--rules: growth_low: is 0.3, more than growth_high, 0.15"},
      {{"match", "--rules", "lives=3"}, "--rules: lives: unknown key"},
      {{"play", "asteroids", "--every", "0"}, "arcade: --every: "},
      {{"play", "asteroids", "--fps", "-1"}, "arcade: --fps: "},
      {{"score", "asteroids", "--seed", "-1"}, "arcade: --seed: "},
      {{"score", "asteroids", "--threads", "-1"}, "arcade: --threads: "},
      {{"agents", "mtcs"}, "arcade: agent: is 'mtcs', did you mean 'mcts'?; allowed: "},
      {{"reproduce", "4"}, "arcade: experiment: is '4'"},
      {{"reproduce", "2", "--configs", "/nowhere"},
       "--configs: '/nowhere/papers/ntbea_table_2_planet_wars.yaml' does not exist; name the "
       "folder"},
      {{"reproduce", "2", "--scale", "0.1"}, "--scale: does not go with 2; it goes with 3\n"},
      {{"reproduce", "2", "--repeats", "3"}, "--repeats: does not go with 2; it goes with 3\n"},
      {{"reproduce", "3", "--runs", "5"}, "--runs: does not go with 3; it goes with 2, fig3 and"},
      {{"reproduce", "3", "--scale", "2"}, "arcade: --scale: is '2', a number from 0.002 to 1"},
      {{"reproduce", "fig3", "--game", "asteroids"},
       "--game: does not go with fig3; it goes with 2 and 3\n"},
      {{"reproduce", "fig1", "--runs", "5"}, "--runs: does not go with fig1; it goes with 2, "},
      {{"reproduce", "3", "--from", "/nowhere"}, "/nowhere: is not a folder"}};
  for (const auto& [arguments, text] : cases) {
    const CommandOutcome outcome = run_arcade(arguments);
    INFO(arguments[0] << " " << arguments.back());
    CHECK(outcome.code == 2);
    CHECK(outcome.out == "");
    CHECK(test::is_one_line(outcome.err));
    CHECK_THAT(outcome.err, StartsWith(text));
  }
}

}  // namespace ntune
