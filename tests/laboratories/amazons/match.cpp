// amazons match, play, compare, reproduce 3 and 4.

#include <algorithm>
#include <string>
#include <vector>

#include "apps/command.h"
#include "catch.h"
#include "laboratories/amazons/amazons.h"
#include "ntune/core/json.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using test::CommandOutcome;
using test::run_amazons;

namespace {

std::vector<std::string> with_options(std::vector<std::string> words,
                                      const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Json json_of(std::vector<std::string> arguments) {
  const CommandOutcome outcome =
      run_amazons(with_options(std::move(arguments), {"--format", "json", "--quiet"}));
  REQUIRE(outcome.code == 0);
  return Json::parse(outcome.out);
}

}  // namespace

TEST_CASE("amazons match plays every sum with both colours and says how sure the share is") {
  const std::vector<std::string> command = {
      "match", "hotstrat-TDS+", "arrow:depth=2", "--sums", "6", "--nodes", "400"};
  const Json json = json_of(command);
  CHECK(json["games"] == 12);
  CHECK(json["boards"] == 2);
  CHECK(json["share"].get<double>() == Approx(json["wins"].get<double>() / 12));
  CHECK(json["share_low"] <= json["share"]);
  CHECK(json["score_low"] < json["score"]);
  CHECK(json["player"]["options"]["nodes"] == 400);
  CHECK(json["opponent"]["options"]["depth"] == 2);
  CHECK(json["player_nodes"] <= 400 * json["player_moves"].get<std::int64_t>());

  const CommandOutcome one =
      run_amazons(with_options(command, {"--quiet", "--threads", "1", "--format", "csv"}));
  CHECK(one.err == "");
  CHECK(run_amazons(with_options(command, {"--quiet", "--threads", "3", "--format", "csv"})).out ==
        one.out);
  CHECK(run_amazons(with_options(command, {"--quiet", "--seed", "2", "--format", "csv"})).out !=
        one.out);
  CHECK_THAT(one.out, StartsWith("player,opponent,boards,size,seed,games,wins,share,"));
  CHECK_THAT(run_amazons(with_options(command, {"--quiet"})).out,
             ContainsSubstring("of 12 games won: ") && ContainsSubstring("nodes a move"));
}

TEST_CASE("amazons match: a player against himself wins half of the games of every sum") {
  const Json json = json_of(
      {"match", "sentestrat-database", "sentestrat-database", "--sums", "8", "--boards", "3"});
  CHECK(json["share"] == 0.5);
  CHECK(json["score"] == 0.0);
  CHECK(json["share_low"] == 0.5);
}

TEST_CASE("amazons match: exact temperatures beat random moves") {
  const Json json = json_of({"match", "hotstrat-database", "random", "--sums", "20"});
  CHECK(json["share"] > 0.8);
  CHECK(json["score_low"] > 0.0);
}

TEST_CASE("amazons reproduce 3 and 4 print the published matches beside ours") {
  const std::vector<std::string> command = {"reproduce", "3",   "--games",  "2",   "--nodes", "50",
                                            "--sizes",   "4,5", "--boards", "2,4", "--quiet"};
  const CommandOutcome text = run_amazons(command);
  REQUIRE(text.code == 0);
  CHECK_THAT(text.out, ContainsSubstring("Table 3 of Zhang and Müller (2015): hotstrat-TDS+ "
                                         "against arrow\n50 nodes a move; 2 games a cell"));
  CHECK_THAT(text.out, ContainsSubstring("44.0 % ± 4.9"));
  const Json json = json_of({"reproduce", "4", "--games", "2", "--time-scale", "0.0001", "--sizes",
                             "4", "--boards", "6"});
  CHECK(json["time_scale"] == 0.0001);
  REQUIRE(json["rows"].size() == 1);
  CHECK(json["rows"][0]["published_share"] == Approx(0.933));
  CHECK(json["rows"][0]["published_score"] == 29.9);
  CHECK(json["rows"][0]["games"] == 2);
}

TEST_CASE("amazons compare: errors of two settings on the same positions") {
  const test::TemporaryFolder folder;
  const std::string database = (folder.path() / "database").string();
  REQUIRE(run_amazons({"database", "--out", database, "--quiet"}).code == 0);
  const std::vector<std::string> end = {"--database", database};
  const std::vector<std::string> command = with_options(
      {"compare", "all", "--baseline", "TDS_13", "--positions", "60", "--nodes", "300"}, end);
  const Json json = json_of(command);
  CHECK(json["positions"] == 60);
  REQUIRE(json["rows"].size() == 2);
  const double first = json["rows"][0]["temperature_error"];
  const double second = json["rows"][1]["temperature_error"];
  CHECK(json["less_temperature_error"]["mean"].get<double>() == Approx(second - first));
  CHECK(json["settings"]["e6"] == true);
  CHECK(json["baseline"]["e6"] == false);
  CHECK(run_amazons(with_options(command, {"--quiet", "--threads", "1"})).out ==
        run_amazons(with_options(command, {"--quiet", "--threads", "3"})).out);
  const Json same = json_of(with_options(
      {"compare", "TDS+:nodes=200", "--baseline", "TDS+:nodes=200", "--positions", "10"}, end));
  CHECK(same["less_mean_error"]["high"] == 0.0);
}

TEST_CASE("amazons play draws the boards, lists moves and handles what is wrong") {
  const std::vector<std::string> boards = {"--position", "####/#.##/.#B#/W.##", "--position",
                                           "..#/.B#/##W"};
  const CommandOutcome game =
      run_amazons(with_options({"play", "--white", "random"}, boards),
                  "hello\n3:A1-A2xA3\n1:A1-A2xA3\n2:b2-b3xb2\nm 1\nu\np\n?\nq\n");
  CHECK(game.code == 0);
  CHECK(game.err == "");
  CHECK_THAT(game.out, ContainsSubstring("   Board 1"));
  CHECK_THAT(game.out, ContainsSubstring("   mean 3/4        mean 3\n   temp 5/4        temp -1"));
  CHECK_THAT(game.out, ContainsSubstring(
                           "After 0 moves: Black to move; the means add up to 15/4, board 1 is the "
                           "hottest\nMoves by what they gain while others are worth 5/4:\n"
                           "      +5/4  1:C2-"));
  CHECK_THAT(game.out, ContainsSubstring("move 'hello': on which board?"));
  CHECK_THAT(game.out, ContainsSubstring("move '3:A1-A2xA3': there are boards 1 to 2"));
  CHECK_THAT(game.out, ContainsSubstring("move 'A1-A2xA3': Black has no queen on A1"));
  CHECK_THAT(game.out, ContainsSubstring("White: "));
  CHECK_THAT(game.out, ContainsSubstring("Undone"));
  CHECK_THAT(game.out, ContainsSubstring("####/#.##/.#B#/W.##\n"));

  const CommandOutcome watched =
      run_amazons({"play", "--black", "hotstrat-all", "--white", "arrow", "--nodes", "200"});
  CHECK(watched.code == 0);
  CHECK_THAT(watched.out, ContainsSubstring(" has won; the score is "));
}

TEST_CASE("amazons play records a page of a sum with the values that it prints") {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "sum.html").string();
  const CommandOutcome played = run_amazons(
      {"play", "--position", "..#./.B../..#W/.#..", "--position", "####/#.##/.#B#/W.##", "--black",
       "hotstrat-all", "--white", "arrow", "--nodes", "200", "--replay", file});
  REQUIRE(played.code == 0);
  CHECK(played.err == "Replay in " + file + "\n");
  const Json data = test::replay_data(file);
  REQUIRE(data["boards"].size() > 3);
  for (std::size_t t = 0; t < data["boards"].size(); ++t) {
    const Json& boards = data["boards"][t];
    REQUIRE(boards.size() == 2);
    // Every position is drawn with the means and temperatures that the terminal shows.
    const auto line = [&](const char* name, const char* key) {
      const std::string first = std::string("   ") + name + boards[0][key].get<std::string>();
      return first + std::string(16 - first.size(), ' ') + "   " + name +
             boards[1][key].get<std::string>() + "\n";
    };
    CHECK_THAT(played.out, ContainsSubstring(line("mean ", "mean") + line("temp ", "temperature")));
    for (const Json& board : boards) {
      // The same as of `amazons value`, and the walls meet at the foot of the mast.
      const Json value =
          Json::parse(run_amazons({"value", board["squares"], "--format", "json"}).out);
      CHECK(value["mean"] == board["mean"]);
      CHECK(value["temperature"] == board["temperature"]);
      for (const Json& wall : board["walls"]) CHECK(wall.back() == board["mast"]);
    }
    if (t == 0) continue;
    const std::string text = data["texts"][t];
    const std::size_t board = data["played"][t];
    CHECK_THAT(text, ContainsSubstring(": " + std::to_string(board + 1) + ":"));
    CHECK_THAT(played.out,
               ContainsSubstring(
                   text.substr(text.find(". ") + 2, text.find(',') - text.find(". ") - 2) + "\n"));
    // Only the board that was played has changed.
    CHECK(data["boards"][t - 1][board]["squares"] != boards[board]["squares"]);
    CHECK(data["boards"][t - 1][1 - board]["squares"] == boards[1 - board]["squares"]);
  }
  // What is not exact has no thermograph.
  const CommandOutcome large = run_amazons(
      {"play", "--size", "5", "--boards", "1", "--nodes", "50", "--replay", file}, "\n\nq\n");
  CHECK(large.code == 0);
  const Json rough = test::replay_data(file)["boards"];
  REQUIRE(rough.size() >= 3);
  for (const Json& sum : rough) {
    CHECK_THAT(large.out,
               ContainsSubstring("   mean " + sum[0]["mean"].get<std::string>() + "\n   temp " +
                                 sum[0]["temperature"].get<std::string>() + "\n"));
  }
  CHECK(rough[0][0]["mean"].get<std::string>().starts_with("~"));
  CHECK_FALSE(rough[0][0].contains("walls"));
}

TEST_CASE("amazons: wrong input of the players of sums is one line and exit 2") {
  struct Wrong {
    std::vector<std::string> command;
    std::string text;
  };
  const std::vector<Wrong> wrong = {
      {{"match", "hotstat", "arrow"}, "player: is 'hotstat', hotstrat-SOURCE"},
      {{"match", "arrow", "hotstrat-database", "--size", "5"},
       "--size: is 5, the database has boards of 4x4 only"},
      {{"match", "arrow", "arrow", "--burnt", "15"},
       "--burnt: is 15, at most 14 squares of a board of 4x4 can be"},
      {{"match", "arrow", "arrow", "--nodes", "0"}, "--nodes"},
      {{"match", "arrow", "arrow", "--seconds", "0"}, "--seconds"},
      {{"match", "arrow:dept=2", "arrow"}, "player: dept: unknown key, did you mean 'depth'?"},
      {{"match", "hotstrat-TDS:e4=true", "arrow"}, "e4 needs e1"},
      {{"match", "arrow"}, "opponent"},
      {{"play", "--position", "..../.W../..../...."}, "has 0 black and 1 white queens"},
      {{"play", "--position", "B......W"}, "has a board of side 8, at most 6 is allowed"},
      {{"reproduce", "3", "--sizes", "7"}, "table 3 has 2, 4 and 6 boards"},
      {{"compare", "TDS+:delta_exponent=99"}, "delta_exponent: is '99'"},
      {{"compare", "TDS+", "--least-empties", "9", "--most-empties", "8"}, "--least-empties"}};
  for (const Wrong& one : wrong) {
    CAPTURE(one.command);
    const CommandOutcome outcome = run_amazons(one.command, "q\n");
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, ContainsSubstring(one.text));
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
  }
}

}  // namespace ntune
