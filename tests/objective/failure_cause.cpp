// Failures of one kind have one cause, whatever evaluation they are of.

#include "ntune/objective/failure_cause.h"

#include <string>
#include <utility>
#include <vector>

#include "catch.h"

namespace ntune {

TEST_CASE("a cause has no numbers, seeds and temporary names") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"broken", "broken"},
      {"", ""},
      {"exit status 139", "exit status 139"},
      {"signal 11 (Segmentation fault); 3 attempts", "signal 11 (Segmentation fault); N attempts"},
      {"no result within 60 s, killed", "no result within N s, killed"},
      {"no result within 0.25 s, killed", "no result within N s, killed"},
      {"the value is -1.5e-07, outside of payoffs: [0, 1]",
       "the value is N, outside of payoffs: [N, N]"},
      {"game-17 of seed 1804289383 x2", "game-N of seed N xN"},
      {"at 0x7ffd3a2b and a94a8fe5ccb19ba6", "at N and N"},
      {"a decade of beef", "a decade of beef"},
      {"cannot open /tmp/ntune-Xa81Kq", "cannot open …"},
      {"cannot open /tmp/ntune-Xa81Kq/game12.pgn: no such file",
       "cannot open …/gameN.pgn: no such file"},
      {"File \"/home/u/agents/run_3/agent.py\", line 12.", "File \"…/agent.py\", line N."},
      {"1/2 or and/or", "N/N or and/or"},
      {"é 3 …", "é N …"},
  };
  for (const auto& [text, cause] : cases) {
    CHECK(failure_cause(text) == cause);
    CHECK(failure_cause(cause) == cause);
  }
}

TEST_CASE("a program's cause is what went wrong and the line that says why") {
  const std::string command = "; command: cd /home/u && NTUNE_SEED=12 agent --depth=3";
  CHECK(failure_cause("exit status 1" + command) == "exit status 1");
  CHECK(failure_cause("exit status 1" + command + "; stdout ends: 17 games") == "exit status 1");
  CHECK(failure_cause("exit status 1" + command +
                      "; stderr ends: Traceback | line 3 | KeyError: 'x'; stdout ends: a | b") ==
        "exit status 1: KeyError: 'x'");
  CHECK(failure_cause("exit status 1" + command + "; stderr ends: lost on move 31") ==
        "exit status 1: lost on move N");
  // As fastchess ends where an engine crashes: all on its output.
  const std::string fastchess =
      "; stdout ends: … | Game 1 stalled / disconnected, stopping tournament. | Finished game 1 "
      "(tuned vs "
      "opponent): 0-1 {White disconnects} | Finished match | Total Time: 00:00:01";
  CHECK(failure_cause("exit status 1" + command + fastchess) ==
        "exit status 1: Finished game N (tuned vs opponent): N-N {White disconnects}");
}

TEST_CASE("a cause is one short line") {
  const std::string cause = failure_cause("first\nsecond " + std::string(5000, 'x'));
  CHECK(cause.find('\n') == std::string::npos);
  CHECK(cause.size() <= 210);
}

TEST_CASE("a problem is the cause with nothing masked") {
  const std::string text =
      "exit status 1; command: sh run.sh 17; stderr ends: line 1 | lost on move 31; stdout ends: 5";
  CHECK(failure_problem(text) == "exit status 1: lost on move 31");
  CHECK(failure_cause(failure_problem(text)) == failure_cause(text));
}

TEST_CASE("the parts of a failure are its problem, its command and its last words") {
  const FailureParts all = failure_parts(
      "exit status 3; command: cd / && ./play 1; stderr ends: Traceback | KeyError: 'x'; stdout "
      "ends: 1 | 2");
  CHECK(all.problem == "exit status 3");
  CHECK(all.command == "cd / && ./play 1");
  CHECK(all.last_words == "KeyError: 'x'");
  const FailureParts output = failure_parts("timeout; command: ./play; stdout ends: 1 | 2");
  CHECK(output.command == "./play");
  CHECK(output.last_words == "2");
  CHECK(failure_parts("exit status 3; command: ./play").command == "./play");
  CHECK(failure_parts("out of range").problem == "out of range");
  CHECK(failure_parts("out of range").command.empty());
}

}  // namespace ntune
