// bao perft, replay, play.

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "apps/process.h"
#include "catch.h"
#include "laboratories/bao/bao.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using test::bao_json;
using test::CommandOutcome;
using test::run_bao;

namespace {

const char* const kStart =
    "1 1 0 0 1 1 1 1/0 0 0 0 1 2 10 0/0 3 9 1 2 4 0 0/0 0 0 0 0 0 1 1 st 12,12 h -- South tk -";
/// South has one move.
const char* const kLost =
    "0 0 0 0 0 0 0 0/0 9 9 9 9 9 9 8/0 0 0 0 0 0 0 1/0 0 0 0 0 0 0 1 st 0,0 h -- South tk -";

std::string transcript() { return test::bao_folder() + "/figure_5.txt"; }

}  // namespace

TEST_CASE("bao perft counts lines as the reference does") {
  CHECK(run_bao({"perft", "--depth", "6", "--format", "json"}).out == "{\n  \"nodes\": 1430\n}\n");
  CHECK(bao_json({"perft", "--depth", "9"})["nodes"] == 105704);
  CHECK(run_bao({"perft", "--depth", "3", "--format", "csv"}).out == "nodes\n38\n");
  CHECK(run_bao({"perft", "--depth", "9", "--threads", "3"}).out == "105,704\n");
  const Json divided = bao_json({"perft", "--depth", "2", "--divide"});
  CHECK(divided["nodes"] == 14);
  CHECK(divided["moves"].size() == 4);
  CHECK(bao_json({"perft", "--position", kStart})["nodes"].get<int>() > 0);
}

TEST_CASE("bao replay checks the transcript of the paper and draws where it ends") {
  const CommandOutcome outcome = run_bao({"replay", transcript()});
  CHECK(outcome.code == 0);
  CHECK(outcome.err == "");
  CHECK_THAT(outcome.out,
             StartsWith("52 moves, all legal\n"
                        "values by default, alpha-beta, depth 6, to the player who moves\n\n"
                        "North: a6L, value +193; best a1R, wins in 3 moves\n"
                        "  3 from a6 to a5 … a3\n"
                        "  8 captured in A6, to a8 … a1\n"
                        "  2 captured in A8, to a1, a2\n"
                        "  1 captured in A7, to a1\n"));
  CHECK_THAT(outcome.out, ContainsSubstring("\na   0-   8+   0-   5+   5+   7+   7+   1-\n"));
  CHECK_THAT(outcome.out, EndsWith(" st 0,0 h -- South tk -\nSouth to move\n"));
  const Json json = bao_json({"replay", transcript()});
  CHECK(json["plies"] == 52);
  CHECK(json["winner"].is_null());  // South resigned
  CHECK(json["moves"][0]["written"] == "7L*");
  CHECK(json["moves"][51]["move"] == "a6L");
  CHECK(json["last"]["move"] == "a6L");
  CHECK(json["last"]["value"] == 193.0);
  CHECK(json["last"]["best_move"] == "a1R");
  REQUIRE(json["last"]["steps"].size() == 11);
  CHECK(json["last"]["steps"][1]["from"] == "A6");
  CHECK(json["last"]["steps"][1]["stones"] == 8);
  CHECK_THAT(json["last"]["steps"][10]["position"].get<std::string>(),
             StartsWith("3 3 5 1 0 5 5 1/0 8 0 5 5 7 7 1/"));
  CHECK_THAT(run_bao({"replay", transcript(), "--format", "csv"}).out,
             StartsWith("ply,player,written,move,position\n1,South,7L*,A7L*,"));
}

TEST_CASE("bao replay stops after so many moves and draws each step of the last one") {
  const CommandOutcome outcome =
      run_bao({"replay", transcript(), "--until", "20", "--steps", "--judge", "material:depth=1"});
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.out,
             StartsWith("20 moves, all legal\nvalues by material, alpha-beta, depth 1"));
  CHECK_THAT(outcome.out, ContainsSubstring("\n  1 from the store to a5\n     8    7"));
  CHECK_THAT(outcome.out, ContainsSubstring("\na   0   11    1 [10+]   0    0    0    0 \n"));
  CHECK_THAT(outcome.out, ContainsSubstring("\n  1 captured in A4, to a1\n     8    7"));
  CHECK_THAT(run_bao({"replay", transcript(), "--judge", "nobody"}).err, StartsWith("--judge: "));
}

TEST_CASE("bao replay names line, move and the legal ones of a transcript that is wrong") {
  const test::TemporaryFolder folder;
  const std::string file = folder.file("game", "South: A\n1: 7L* 5R;\n2: 6R* 1L;\n");
  const CommandOutcome outcome = run_bao({"replay", file});
  CHECK(outcome.code == 2);
  CHECK(outcome.out == "");
  CHECK(test::is_one_line(outcome.err));
  CHECK_THAT(outcome.err, StartsWith(file + ":3: "));
  CHECK_THAT(outcome.err, ContainsSubstring("1L"));
  CHECK_THAT(outcome.err, ContainsSubstring("a6R*"));
  CHECK_THAT(run_bao({"replay", (folder / "none").string()}).err,
             StartsWith((folder / "none").string() + ": "));
  const CommandOutcome empty = run_bao({"replay", folder.file("head", "South: A\nNorth: B\n")});
  CHECK(empty.code == 2);
  CHECK_THAT(empty.err, ContainsSubstring("there is no move in it"));
}

TEST_CASE("bao refuses positions that are malformed or have the wrong stones") {
  const std::string good = kStart;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "rows"},
      {"hello", "rows"},
      {good.substr(0, good.size() - 5), "malformed"},
      {"2" + good.substr(1), "65 stones"},
      {"0" + good.substr(1), "63 stones"},
      {"x" + good.substr(1), "no number of stones"}};
  for (const auto& [position, text] : cases) {
    for (const std::string command : {"perft", "play"}) {
      INFO(command << " " << position);
      const CommandOutcome outcome =
          run_bao({command, "--position", position.empty() ? " " : position});
      CHECK(outcome.code == 2);
      CHECK(outcome.out == "");
      CHECK(test::is_one_line(outcome.err));
      CHECK_THAT(outcome.err, StartsWith("position '"));
      CHECK_THAT(outcome.err, ContainsSubstring(text));
    }
  }
}

TEST_CASE("bao play makes the moves that are typed and asks again for others") {
  const CommandOutcome outcome =
      run_bao({"play", "--north", "material:depth=2"}, "A9L\nx\nu\ns\n?\np\n7R*\ns\nu\n\nq\n");
  CHECK(outcome.code == 0);
  CHECK(outcome.err == "");
  CHECK_THAT(outcome.out,
             StartsWith("South: you; North: material, alpha-beta, depth 2; values by default, "
                        "alpha-beta, depth 6, to the player who moves\nA5L: a move;"));
  CHECK_THAT(outcome.out,
             ContainsSubstring("After 0 moves: South to move\nMoves: A6L*, A6R*, A7L*, A7R*\n"));
  CHECK_THAT(outcome.out, ContainsSubstring("> move 'A9L'"));
  CHECK_THAT(outcome.out, ContainsSubstring("Nothing to undo\n"));
  CHECK_THAT(outcome.out, ContainsSubstring(" st 22,22 h SN South tk -\n"));
  CHECK_THAT(outcome.out, ContainsSubstring("After 2 moves: South to move"));
  CHECK_THAT(outcome.out, ContainsSubstring("North: a"));
  CHECK_THAT(outcome.out, ContainsSubstring("> Undone\n"));
  CHECK_THAT(outcome.out, ContainsSubstring("> No move yet\n"));
  CHECK_THAT(outcome.out, ContainsSubstring("> South: A7R*, value -4; best\n"
                                            "  1 from the store to A7\n"
                                            "  3 from A7 to A8 … B7\n\n     8    7"));
  CHECK_THAT(outcome.out, ContainsSubstring("> \n  1 from the store to a"));
  CHECK_THAT(outcome.out, ContainsSubstring("> South: A"));
}

TEST_CASE("bao play lets two agents play a game to its end, the same for a seed") {
  const std::vector<std::string> command = {"play", "--south", "default:depth=2", "--north",
                                            "material:depth=2"};
  const CommandOutcome watched = run_bao(command);
  CHECK(watched.code == 0);
  CHECK_THAT(watched.out, EndsWith(" has won\n"));
  CHECK(run_bao(command).out == watched.out);
  std::vector<std::string> other = command;
  other.insert(other.end(), {"--seed", "2"});
  CHECK(run_bao(other).out != watched.out);
  CHECK(run_bao({"play", "--position", kLost}, "q\n").code == 0);
  CHECK(run_bao({"play"}).code == 0);  // the input ends at once
}

TEST_CASE("bao records a page of a game, hand by hand, with the values that it prints") {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "game.html").string();
  const CommandOutcome played =
      run_bao({"play", "--south", "default:depth=2", "--north", "material:depth=2", "--judge",
               "default:depth=2", "--replay", file});
  CHECK(played.err == "Replay in " + file + "\n");
  const Json data = test::replay_data(file);
  CHECK(data["judges"] == Json({"default, alpha-beta, depth 2", "material, alpha-beta, depth 2"}));
  // Every move stands there with its value and its hands, as the command prints them.
  std::string expected;
  std::size_t tick = 1;
  for (std::size_t move = 1; move < data["names"].size(); ++move) {
    const std::string name = data["names"][move];
    expected = name.substr(name.find(". ") + 2) + ", value " +
               data["values"][move][0].get<std::string>() + "\n";
    for (; tick < data["moves"].size() && data["moves"][tick] == move; ++tick) {
      expected += "  " + data["hands"][tick].get<std::string>() + "\n";
    }
    INFO(expected);
    CHECK_THAT(played.out, ContainsSubstring(expected));
  }
  CHECK(tick == data["boards"].size());
  CHECK((data["scores"].size() == tick && data["rival"].size() == tick));
  // The last board is the one that is drawn last.
  const std::string after = "After " + std::to_string(data["names"].size() - 1) + " moves: ";
  CHECK_THAT(played.out, ContainsSubstring(after));
  int stones = 0;
  for (const Json& part :
       {data["boards"].back()[0], data["boards"].back()[1], data["boards"].back()[2]}) {
    for (const Json& count : part) stones += count.get<int>();
  }
  CHECK(stones == 64);
}

TEST_CASE("bao replay records a page of a transcript") {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "game.html").string();
  CHECK(run_bao({"replay", transcript(), "--until", "9", "--replay", file}).code == 0);
  const Json data = test::replay_data(file);
  const Json moves = bao_json({"replay", transcript(), "--until", "9"})["moves"];
  REQUIRE(data["names"].size() == 10);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    CHECK(data["names"][i + 1] == std::to_string(i + 1) + ". " +
                                      moves[i]["player"].get<std::string>() + ": " +
                                      moves[i]["move"].get<std::string>());
  }
  CHECK_FALSE(data.contains("rival"));
  CHECK(run_bao({"play", "--replay", folder.path().string()}).code == 2);
  // Nothing was played: there is nothing to show.
  const std::string none = (folder / "none.html").string();
  CHECK(run_bao({"play", "--replay", none}, "q\n").err ==
        "No move was played, so that there is no replay.\n");
  CHECK_FALSE(std::filesystem::exists(none));
}

TEST_CASE("bao names its commands") {
  const CommandOutcome help = run_bao({"--help"});
  CHECK(help.code == 0);
  for (const char* command : {"perft", "replay", "play", "match", "train", "reproduce"}) {
    CHECK_THAT(help.out, ContainsSubstring(std::string("  ") + command + " "));
    CHECK(run_bao({command, "--help"}).code == 0);
  }
  CHECK_THAT(run_bao({"matsh"}).err,
             StartsWith("bao: 'matsh' is not a command, did you mean 'match'?; allowed: "));
  CHECK(run_bao({}).code == 2);
  CHECK_THAT(run_bao({"reproduce", "11"}).err,
             StartsWith("bao: experiment: is '11', did you mean '1'?; allowed: 1, 2, "));
}

TEST_CASE("bao ends soon when it is interrupted") {
  using namespace std::chrono_literals;
  for (const int signal : {SIGINT, SIGTERM}) {
    test::Process process({"match", "default:depth=9", "material:depth=9", "--repeats", "10000",
                           "--quiet", "--folder", test::bao_folder()},
                          NTUNE_BAO);
    CHECK(process.wait(500ms) == -1);
    process.signal(signal);
    CHECK(process.wait(60s) == 130);
    CHECK(process.out() == "");
  }
  CHECK(test::shell(std::string("'") + NTUNE_BAO + "' perft > /dev/full").err ==
        "standard output: cannot be written\n");
}

}  // namespace ntune
