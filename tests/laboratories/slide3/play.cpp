// slide3 play, its help and its manners as a program.

#include <chrono>
#include <string>
#include <vector>

#include "apps/process.h"
#include "catch.h"
#include "laboratories/slide3/slide3.h"

namespace ntune {

using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using test::CommandOutcome;
using test::run_slide3;

TEST_CASE("slide3 play makes the moves that are typed or asked for") {
  const CommandOutcome outcome = run_slide3({"play"}, "h\nR9>\nu\nr1>\nR1>\n\nu\n?\nq\n");
  CHECK(outcome.code == 0);
  CHECK(outcome.err == "");
  CHECK_THAT(outcome.out, StartsWith("Eu, table all, Win -1000\nEnter: the agent's move;"));
  CHECK_THAT(outcome.out,
             ContainsSubstring("After 0 moves: 115/987654321, DTW 24, search depth 5"));
  CHECK_THAT(outcome.out, ContainsSubstring("begins a shortest way of 24 moves\n"));
  CHECK_THAT(outcome.out, ContainsSubstring("move 'R9>': not possible; allowed here: "));
  CHECK_THAT(outcome.out, ContainsSubstring("Nothing to undo\n"));
}

TEST_CASE("slide3 play lets the agent win from nearby, and ends where the input does") {
  const test::TemporaryFolder folder;
  const std::string database = (folder / "db").string();
  REQUIRE(run_slide3({"database", "--out", database}).code == 0);
  const auto play = [&](const std::string& position, const std::string& input) {
    return run_slide3({"play", position, "--database", database}, input);
  };
  const CommandOutcome won = play("215/125463789", "\n\n\n\n\n\n");
  CHECK(won.code == 0);
  CHECK_THAT(won.out, EndsWith("\nWin after 5 moves\n"));
  const std::string two = play("215/125463789", "\n\n").out;
  CHECK(two == won.out.substr(0, two.size() - 1) + "\n");
  CHECK(play("win", "").code == 0);
  CHECK(play("115/987654312", "").code == 2);
}

TEST_CASE("slide3 play records a page of a game with the values that it prints") {
  const test::TemporaryFolder folder;
  const std::string database = (folder / "db").string();
  REQUIRE(run_slide3({"database", "--out", database}).code == 0);
  const std::string file = (folder / "game.html").string();
  const auto play = [&](const std::vector<std::string>& more, const std::string& input) {
    std::vector<std::string> words = {"play", "215/125463789", "--database", database};
    words.insert(words.end(), more.begin(), more.end());
    return run_slide3(words, input);
  };
  const CommandOutcome won = play({"--moves", "10", "--replay", file}, "");
  CHECK(won.err == "Replay in " + file + "\n");
  CHECK_THAT(won.out, EndsWith("\nWin after 5 moves\n"));
  const Json data = test::replay_data(file);
  CHECK(data["scores"] == Json({5, 4, 3, 2, 1, 0}));  // the database's distances
  CHECK(data["squares"].back() == Json({1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 0, 0, 0, 0}));
  REQUIRE(data["moves"].size() == 6);
  for (std::size_t t = 0; t < 5; ++t) {
    int made = 0;
    for (const Json& move : data["moves"][t]) {
      CHECK_THAT(won.out, ContainsSubstring(" " + move[2].get<std::string>() + " "));
      if (move[0] == data["lines"][t]) ++made;
    }
    CHECK(made == 1);
    const std::string text = data["texts"][t + 1];
    CHECK_THAT(won.out, ContainsSubstring(text.substr(3, 3) + "\n"));
  }
  // A person's game is recorded too, without what was taken back; a game may end without a win.
  CHECK(play({"--replay", file}, "\nu\n\nq\n").code == 0);
  CHECK(test::replay_data(file)["scores"] == Json({5, 4}));
  CHECK_THAT(play({"--moves", "2", "--replay", file}, "").out, ContainsSubstring("After 2 moves"));
  CHECK_THAT(test::content_of(file), ContainsSubstring("No win after 2 moves"));
}

TEST_CASE("slide3 names its commands") {
  const CommandOutcome help = run_slide3({"--help"});
  CHECK(help.code == 0);
  for (const char* command : {"database", "sample", "solve", "verify", "moves", "autoplay", "play",
                              "four", "reproduce"}) {
    CHECK_THAT(help.out, ContainsSubstring(std::string("  ") + command + " "));
    CHECK(run_slide3({command, "--help"}).code == 0);
  }
  CHECK_THAT(
      run_slide3({"autopaly"}).err,
      StartsWith("slide3: 'autopaly' is not a command, did you mean 'autoplay'?; allowed: "));
  CHECK(run_slide3({}).code == 2);
  CHECK_THAT(
      run_slide3({"reproduce", "a4"}).err,
      StartsWith("slide3: experiment: is 'a4'; allowed: 3.4, 4.2, 4.3, 6.1, 6.2, 6.4, 7, a1-a3, "
                 "b, c, d, e1, f, intensities, moves, ranking or reasons"));
}

TEST_CASE("slide3 ends soon when it is interrupted") {
  for (const int signal : {SIGINT, SIGTERM}) {
    test::Process process({"autoplay", "--count", "100000", "--depth", "6", "--quiet"},
                          NTUNE_SLIDE3);
    CHECK(process.wait(1s) == -1);
    process.signal(signal);
    CHECK(process.wait(20s) == 130);
    CHECK(process.out() == "");
  }
  CHECK(test::shell(std::string("'") + NTUNE_SLIDE3 + "' database --k 2 > /dev/full").err ==
        "standard output: cannot be written\n");
}

}  // namespace ntune
