// arcade play with its replay, arcade agents, help and manners as a program.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "apps/process.h"
#include "catch.h"
#include "laboratories/arcade/arcade.h"
#include "ntune/agents/forward_model/rolling_horizon_options.h"
#include "ntune/core/option_json.h"
#include "support/temporary_folder.h"
#include "support/times_in.h"

namespace ntune {

using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using test::arcade_json;
using test::CommandOutcome;
using test::joined;
using test::run_arcade;

namespace {

const std::vector<std::string> kShortWar = {
    "play",    "planet_wars", "--agent",    "mcts:tick_budget=60",
    "--rules", "ticks=40",    "--opponent", "random"};
const std::vector<std::string> kShortFlight = {"play",    "asteroids",
                                               "--agent", "rhea:sequence_length=20,tick_budget=200",
                                               "--rules", "ticks=150"};

}  // namespace

TEST_CASE("arcade play draws the end of a game and says how it went") {
  const CommandOutcome war = run_arcade(kShortWar);
  CHECK(war.code == 0);
  CHECK(war.err == "");
  CHECK_THAT(war.out, StartsWith("Planet Wars: mcts:tick_budget=60 against random, rules ticks=40, "
                                 "seed 1\n\ntick 40 of 40   score "));
  CHECK_THAT(war.out, ContainsSubstring(" after 40 ticks"));
  CHECK(run_arcade(kShortWar).out == war.out);
  CHECK(run_arcade(joined(kShortWar, {"--seed", "2"})).out != war.out);

  const CommandOutcome flight = run_arcade(joined(kShortFlight, {"--every", "50"}));
  CHECK(test::times_in(flight.out, "┌") == 4);  // ticks 0, 50, 100 and the last
  CHECK_THAT(flight.out, ContainsSubstring("\ntick 0 of 150   score 0   lives 3   level 1   "
                                           "waiting to start\n"));
  CHECK_THAT(flight.out, ContainsSubstring("\nScore "));
  const Json json = arcade_json(joined(kShortFlight, {"--every", "50"}));
  CHECK(json["ticks"] == 150);
  CHECK(json["agent"]["options"]["sequence_length"] == 20);
  CHECK(json["course"].size() == 4);
  CHECK(json["course"][3]["score"] == json["score"]);
}

TEST_CASE("arcade play is animated on a terminal alone") {
  const std::vector<std::string> fast = joined(kShortWar, {"--fps", "1000"});
  const CommandOutcome live = run_arcade(fast, true);
  CHECK(live.out == run_arcade(kShortWar).out);
  CHECK(test::times_in(live.err, "tick ") == 41);
  CHECK_THAT(live.err, EndsWith("\x1b[J"));
  CHECK(run_arcade(joined(fast, {"--quiet"}), true).err == "");
  CHECK(run_arcade(joined(kShortWar, {"--fps", "0"}), true).err == "");
}

TEST_CASE("arcade play records a page that needs nothing else") {
  const test::TemporaryFolder folder;
  const auto record = [&](const std::vector<std::string>& command) {
    const std::string file = (folder / "new folder" / "game.html").string();
    const CommandOutcome outcome = run_arcade(joined(command, {"--replay", file}));
    CHECK(outcome.code == 0);
    CHECK(outcome.err == "Replay in " + file + "\n");
    return test::replay_data(file);
  };
  const Json war = record(kShortWar);
  CHECK((war["scores"].size() == 41 && war["ships"].size() == 41 && war["actions"].size() == 40));
  CHECK(war["ships"][0][1] == -10);
  CHECK(war["scores"][40] == arcade_json(kShortWar)["score"]);
  const Json flight = record(kShortFlight);
  CHECK((flight["scores"].size() == 151 && flight["worlds"].size() == 151));
  CHECK(flight["worlds"][0][3].size() == 15);
  CHECK(flight["scores"][150] == arcade_json(kShortFlight)["score"]);
}

TEST_CASE("arcade play draws what the players mean to do") {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "game.html").string();
  const auto page_of = [&](std::vector<std::string> command) {
    CHECK(run_arcade(joined(command, {"--replay", file, "--plans"})).code == 0);
    return test::replay_data(file);
  };
  const Json war =
      page_of({"play", "planet_wars", "--agent", "rhea:sequence_length=7,tick_budget=100",
               "--opponent", "random", "--rules", "ticks=30"});
  REQUIRE(war["plans"].size() == 30);
  REQUIRE(war["ahead"].size() == 30);
  for (std::size_t tick = 0; tick < 30; ++tick) {
    const std::string plan = war["plans"][tick][0];
    CHECK(plan.size() == 7);
    CHECK(plan[0] - '0' == war["actions"][tick][0]);  // what it does now is what it meant
    CHECK(war["plans"][tick][1] == "");
    CHECK(war["ahead"][tick].size() == std::min<std::size_t>(7, 30 - tick));
  }
  const Json data =
      page_of({"play", "asteroids", "--agent", "rhea:tick_budget=300", "--rules", "ticks=60"});
  REQUIRE(data["courses"].size() == 60);
  CHECK_THAT(test::content_of(file), ContainsSubstring("<kbd>P</kbd> plans"));
}

TEST_CASE("arcade plays what a study recommends, against its opponent and by its rules") {
  const test::TemporaryFolder folder;
  const std::string study = folder.file(
      "study.yaml",
      "{objective: {game: planet_wars, opponent: {tick_budget: 20}, rules: {ticks: 30}}, space: "
      "{sequence_length: [3, 4], mutated_points: [1]}, optimiser: random, runs: 1, iterations: 4, "
      "hold_out: 2, seed: 1}");
  const std::string out = (folder / "out").string();
  REQUIRE(test::command({"run", study, "--out", out, "--quiet"}).code == 0);
  const Json played = arcade_json({"play", "planet_wars", "--from", out});
  const Json result = Json::parse(test::content_of(out + "/result.json"));
  CHECK(played["agent"]["options"]["sequence_length"] ==
        result["recommendation"]["parameters"]["sequence_length"]);
  CHECK(played["opponent"]["options"]["tick_budget"] == 20);
  CHECK(played["ticks"] == 30);
  for (const auto& [arguments, reason] :
       {std::pair<std::vector<std::string>, std::string>({"play", "asteroids", "--from", out},
                                                         "is no study of asteroids"),
        {{"play", "planet_wars", "--from", folder.path().string()}, "holds no result.json"},
        {{"play", "planet_wars", "--from", out, "--agent", "random"}, "--agent"}}) {
    const CommandOutcome outcome = run_arcade(arguments);
    CHECK(outcome.code == 2);
    CHECK(test::is_one_line(outcome.err));
    CHECK_THAT(outcome.err, ContainsSubstring(reason));
  }
}

TEST_CASE("arcade play names in a page are text") {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "game.html").string();
  CHECK(run_arcade({"play", "asteroids", "--agent", "idle", "--rules", "ticks=5", "--replay", file})
            .code == 0);
  CHECK(test::content_of(file).size() < 20'000);
  CHECK(run_arcade({"play", "asteroids", "--agent", "idle<b>", "--replay", file}).code == 2);
}

TEST_CASE("arcade play refuses a replay that cannot be written before it plays") {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("file", "mine");
  const std::vector<std::string> long_game = {
      "play",    "asteroids",    "--agent", "rhea:tick_budget=10000000",
      "--rules", "ticks=100000", "--replay"};
  for (const std::string& wrong :
       {std::string(), folder.path().string(), file + "/game.html", std::string("/proc/x.html")}) {
    const CommandOutcome outcome = run_arcade(joined(long_game, {wrong}));
    INFO(wrong);
    CHECK(outcome.code == 2);
    CHECK(outcome.out == "");
    CHECK(test::is_one_line(outcome.err));
  }
  CHECK(test::content_of(file) == "mine");
}

TEST_CASE("arcade agents lists every agent with the options of its declaration") {
  const Json agents = Json::parse(run_arcade({"agents", "--format", "json"}).out);
  REQUIRE(agents.size() == 10);  // eight agents, two games' rules
  CHECK(agents[0]["name"] == "rhea");
  CHECK(agents[0]["options"].size() == options_json(RollingHorizonOptions()).size());
  CHECK(agents[0]["options"][1]["option"] == "sequence_length");
  CHECK(agents[0]["options"][1]["default"] == 15);
  CHECK(agents[0]["options"][1]["default_asteroids"] == 100);
  CHECK(agents[0]["options"][1]["allowed"] == "whole, from 1 to 1000");
  const std::string text = run_arcade({"agents"}).out;
  CHECK_THAT(text, ContainsSubstring("  rhea with variant 2019, sequence_length 5 and "
                                     "mutated_points 1\n"));
  CHECK_THAT(text, ContainsSubstring("rules of Asteroids (--rules)\n"));
  CHECK_THAT(run_arcade({"agents", "mcts"}).out,
             StartsWith("mcts: Monte Carlo Tree Search, open loop, UCB1\n  option "));
  CHECK_THAT(run_arcade({"agents", "--format", "csv"}).out,
             StartsWith("of,name,option,default,default_asteroids,allowed,meaning\nagent,rhea,"));
}

TEST_CASE("arcade names its commands") {
  const CommandOutcome help = run_arcade({"--help"});
  CHECK(help.code == 0);
  for (const char* command : {"play", "match", "score", "agents", "reproduce"}) {
    CHECK_THAT(help.out, ContainsSubstring(std::string("  ") + command + " "));
    CHECK(run_arcade({command, "--help"}).code == 0);
  }
  CHECK_THAT(run_arcade({"scores"}).err,
             StartsWith("arcade: 'scores' is not a command, did you mean 'score'?; allowed: "));
  CHECK(run_arcade({}).code == 2);
}

TEST_CASE("arcade ends soon when it is interrupted") {
  const std::vector<std::vector<std::string>> commands = {
      {"score", "asteroids", "--games", "100000", "--quiet"},
      {"match", "--games", "100000", "--quiet"},
      {"play", "asteroids", "--agent", "rhea:tick_budget=100000", "--rules", "ticks=100000",
       "--quiet"}};
  for (const auto& command : commands) {
    test::Process process(command, NTUNE_ARCADE);
    CHECK(process.wait(500ms) == -1);
    process.signal(SIGINT);
    CHECK(process.wait(20s) == 130);
    CHECK(process.out() == "");
  }
}

}  // namespace ntune
