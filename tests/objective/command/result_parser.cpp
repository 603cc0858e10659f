// What programs print, in every form, right and wrong.

#include "ntune/objective/command/result_parser.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "catch.h"
#include "ntune/core/error.h"

namespace ntune {

namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using Kind = ResultFormat::Kind;
using Meaning = ParsedResult::Meaning;

ParsedResult parse(Kind kind, const std::string& output) {
  return ResultParser({.kind = kind}).parse(output);
}

ParsedResult parse_regex(const std::string& pattern, const std::string& output) {
  return ResultParser({.kind = Kind::kRegex, .pattern = pattern}).parse(output);
}

struct Case {
  Kind kind;
  std::string output;
  std::vector<double> values;
};

struct Wrong {
  Kind kind;
  std::string output;
  std::string problem;
};

}  // namespace

TEST_CASE("of several numbers it is told which one is taken, and how another one is") {
  const auto choice = [](const std::string& output, Kind kind = Kind::kAuto) {
    const std::string pattern = kind == Kind::kRegex ? "(.*)" : "";
    return ResultParser({.kind = kind, .pattern = pattern}).choice_text(output);
  };
  CHECK(choice("0.5").empty());
  CHECK(choice("reading\n0.5\n").empty());
  CHECK(choice("W\nL\n").empty());
  CHECK(choice("{\"value\": 1}").empty());
  CHECK(choice("0.3\n0.7", Kind::kRegex).empty());
  CHECK_THAT(choice("0.3 0.7"), StartsWith("the last line has two numbers: the first, 0.3, is "
                                           "the value, and the second the time it took"));
  CHECK(choice("0.3\n0.7", Kind::kNumber) ==
        "another line ends also with a number: the last line counts, with 0.7; for another, print "
        "a label in front of it: result: {regex: 'score: (.*)'}\n");
  CHECK(choice("step 1 loss=0.4\nstep 2 loss=0.3\n0.7") ==
        "2 other lines end also with a number: the last line counts, with 0.7; for another line: "
        "result: {regex: 'loss=(.*)'}\n");
  // What is proposed takes the other number.
  CHECK(parse_regex(R"((\S+)$)", "0.3 0.7").values == std::vector<double>{0.7});
  CHECK(parse_regex("loss=(.*)", "step 2 loss=0.3\n0.7").values == std::vector<double>{0.3});
}

TEST_CASE("results are read in the form that is named") {
  const std::vector<Case> cases = {
      {Kind::kJson, R"({"value": 0.5})", {0.5}},
      {Kind::kJson, "banner\n{\"values\": [1, 0, -2.5]}\n\n", {1, 0, -2.5}},
      {Kind::kJson, "{\"value\": 1, \"status\": \"SUCCESS\", \"error\": null}\r\n", {1}},
      {Kind::kJson, R"({"value": 3e2, "extra": {"a": [1]}, "status": "ok"})", {300}},
      {Kind::kSmac, "cost=0.5; runtime=0.01; status=SUCCESS; additional_info=x", {0.5}},
      {Kind::kSmac, "cost = 1e-3 ;status=success\nbye", {1e-3}},
      {Kind::kSmac, "cost=1\ncost=2", {2}},
      {Kind::kNumber, "trying\n-3.25\n", {-3.25}},
      {Kind::kNumber, "+4", {4}},
      {Kind::kNumber, "0.5 12.3", {0.5}},
      {Kind::kNumber, "0.5\tInf", {0.5}},
      {Kind::kLetters, "W", {1}},
      {Kind::kLetters, "W\nL\nD\n", {1, 0, 0.5}},
      {Kind::kLetters, "game 1\nWD, L\ngame 2\nW\nLots of text", {1, 0.5, 0, 1}},
      {Kind::kCutechess,
       "Score of A vs B: 0 - 1 - 0  [0.000] 1\nScore of A vs B: 2 - 1 - 1  [0.625] 4\nElo "
       "difference: 89\nFinished match\n",
       {1, 1, 0.5, 0}},
      {Kind::kCutechess, "Score of a: 1 vs b - 2: 1 - 0 - 0", {1}},
      {Kind::kFastchess,
       "Results of A vs B (10+0.1):\nGames: 3, Wins: 1, Losses: 1, Draws: 1, Points: 1.5 (50 "
       "%)\nPtnml(0-2): [0, 1, 0, 0, 0]\n",
       {1, 0.5, 0}},
      {Kind::kFastchess, "Score of A vs B: 1 - 0 - 0  [1.000] 1", {1}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.output);
    const ParsedResult result = parse(c.kind, c.output);
    CHECK(result.problem.empty());
    CHECK(result.values == c.values);
    CHECK_FALSE(result.form.empty());
  }
}

TEST_CASE("the time beside a number is what the evaluation costs") {
  CHECK(parse(Kind::kNumber, "0.5 12.3").cost == 12.3);
  CHECK(parse(Kind::kAuto, "0.5 0").cost == 0.0);
  for (const char* without : {"0.5", "0.5 Inf", "0.5 -1"}) {
    CHECK_FALSE(parse(Kind::kNumber, without).cost.has_value());
  }
}

namespace {

/// As fastchess 1.8 prints it, with the interval that it prints after every few games before.
constexpr const char* kFastchess = R"(Started game 1 of 12 (A vs B: 1 vs two)
Finished game 1 (A vs B: 1 vs two): 1-0 {White mates}
--------------------------------------------------
Results of A vs B: 1 vs two (2 plies - 1 plies, NULL, 128MB):
Elo: nan +/- nan, nElo: nan +/- nan
LOS: nan %, DrawRatio: nan %, PairsRatio: nan
Games: 3, Wins: 2, Losses: 0, Draws: 1, Points: 2.5 (83.33 %)
Ptnml(0-2): [0, 0, 0, 1, 0], WL/DD Ratio: -nan
--------------------------------------------------
Finished game 12 (two vs A vs B: 1): 1/2-1/2 {Draw by adjudication}
--------------------------------------------------
Results of A vs B: 1 vs two (2 plies - 1 plies, NULL, 128MB):
Elo: 190.85 +/- 0.00, nElo: inf +/- -nan
LOS: 100.00 %, DrawRatio: 0.00 %, PairsRatio: inf
Games: 12, Wins: 6, Losses: 1, Draws: 5, Points: 8.5 (70.83 %)
Ptnml(0-2): [0, 1, 0, 4, 1], WL/DD Ratio: -nan
LLR: 0.74 (25.2%) (-2.94, 2.94) [0.00, 50.00]
--------------------------------------------------
Finished match
Total Time: 00:00:38 (hours:minutes:seconds)
)";

/// As cutechess-cli 1.5.1 prints it (`enginematch.cpp`, `tournament.cpp` there) with two games at a
/// time, ratings after every two games, a test and an engine that crashes.
constexpr const char* kCutechess = R"(Indexing opening suite...
Started game 1 of 4 (tuned vs opponent 2: d=3)
Started game 2 of 4 (opponent 2: d=3 vs tuned)
Finished game 2 (opponent 2: d=3 vs tuned): 0-1 {White loses on time}
Score of tuned vs opponent 2: d=3: 1 - 0 - 0  [1.000] 1
Started game 3 of 4 (tuned vs opponent 2: d=3)
Finished game 1 (tuned vs opponent 2: d=3): 1/2-1/2 {Draw by adjudication}
Score of tuned vs opponent 2: d=3: 1 - 0 - 1  [0.750] 2
...      tuned playing White: 0 - 0 - 1  [0.500] 1
...      tuned playing Black: 1 - 0 - 0  [1.000] 1
...      White vs Black: 0 - 1 - 1  [0.250] 2
Elo difference: 190.8 +/- nan, LOS: 84.1 %, DrawRatio: 50.0 %
SPRT: llr 0.0211 (0.7%), lbound -2.94, ubound 2.94
Player: tuned
   "Draw by adjudication": 1
   "Win: White loses on time": 1
Player: opponent 2: d=3
   "Draw by adjudication": 1
   "Loss: White loses on time": 1
Started game 4 of 4 (opponent 2: d=3 vs tuned)
Finished game 3 (tuned vs opponent 2: d=3): 0-1 {White disconnects}
Score of tuned vs opponent 2: d=3: 1 - 1 - 1  [0.500] 3
Finished game 4 (opponent 2: d=3 vs tuned): * {No result}
Score of tuned vs opponent 2: d=3: 1 - 1 - 1  [0.500] 3
...      tuned playing White: 0 - 1 - 1  [0.250] 2
...      tuned playing Black: 1 - 0 - 0  [1.000] 1
...      White vs Black: 0 - 2 - 1  [0.167] 3
Elo difference: 0.0 +/- nan, LOS: 50.0 %, DrawRatio: 33.3 %
SPRT: llr 0 (0.0%), lbound -2.94, ubound 2.94
Player: tuned
   "Draw by adjudication": 1
   "Loss: White disconnects": 1
   "No result": 1
   "Win: White loses on time": 1
Finished match
)";

/// Printed by cutechess-cli 1.5.1 where an engine crashes: with -recover to the end of two games,
/// and without it, where the match ends at once and the score comes last.
constexpr const char* kCutechessRecovers = R"(Indexing opening suite...
Started game 1 of 2 (tuned vs opponent)
Terminating process of engine tuned(0)
Finished game 1 (tuned vs opponent): 0-1 {White disconnects}
Score of tuned vs opponent: 0 - 1 - 0  [0.000] 1
Started game 2 of 2 (opponent vs tuned)
Terminating process of engine tuned(2)
Finished game 2 (opponent vs tuned): 1-0 {Black disconnects}
Score of tuned vs opponent: 0 - 2 - 0  [0.000] 2
...      tuned playing White: 0 - 1 - 0  [0.000] 1
...      tuned playing Black: 0 - 1 - 0  [0.000] 1
...      White vs Black: 1 - 1 - 0  [0.500] 2
Elo difference: -inf +/- nan, LOS: 7.9 %, DrawRatio: 0.0 %
SPRT: llr 0 (0.0%), lbound -inf, ubound inf

Player: tuned
   "Loss: Black disconnects": 1
   "Loss: White disconnects": 1
Player: opponent
   "Win: Black disconnects": 1
   "Win: White disconnects": 1
Finished match
)";
constexpr const char* kCutechessEnds = R"(Indexing opening suite...
Started game 1 of 4 (tuned vs opponent)
Terminating process of engine tuned(0)
...      tuned playing White: 0 - 1 - 0  [0.000] 1
...      White vs Black: 0 - 1 - 0  [0.000] 1
Elo difference: -inf +/- nan, LOS: 15.9 %, DrawRatio: 0.0 %
SPRT: llr 0 (0.0%), lbound -inf, ubound inf

Player: tuned
   "Loss: White disconnects": 1
Player: opponent
   "Win: White disconnects": 1
Finished match
Finished game 1 (tuned vs opponent): 0-1 {White disconnects}
Score of tuned vs opponent: 0 - 1 - 0  [0.000] 1
)";

}  // namespace

TEST_CASE("games lost by a fault are counted by cause and player") {
  using Faults = std::array<std::int64_t, 4>;  // time, illegal move, disconnect, stall
  // The first player is named first in the score line, whatever its colour.
  const Forfeits recovers = parse(Kind::kCutechess, kCutechessRecovers).games.forfeits;
  CHECK(recovers.first == Faults{0, 0, 2, 0});
  CHECK(recovers.second == Faults{});
  const Forfeits both = parse(Kind::kCutechess, kCutechess).games.forfeits;
  CHECK(both.first == Faults{0, 0, 1, 0});
  CHECK(both.second == Faults{1, 0, 0, 0});
  CHECK(parse(Kind::kFastchess, kFastchess).games.forfeits.games() == 0);

  const char* fastchess =
      "Finished game 1 (new vs a vs b): 0-1 {White makes an illegal move}\n"
      "Finished game 2 (a vs b vs new): 1-0 {Black loses on time}\n"
      "Finished game 3 (new vs a vs b): 1-0 {Black's connection stalls}\n"
      "Finished game 4 (a vs b vs new): 0-1 {White disconnects}\n"
      "Finished game 5 (new vs a vs b): 0-1 {Black mates}\n"
      "Finished game 6 (a vs b vs new): 0-1 {White makes an illegal move: e2e5}\n"
      "Results of new vs a vs b (8+0.1, 1t, 16MB):\n"
      "Games: 6, Wins: 3, Losses: 3, Draws: 0, Points: 3.0 (50.00 %)\n"
      "Ptnml(0-2): [1, 0, 1, 0, 1]\n";
  for (const Kind kind : {Kind::kFastchess, Kind::kAuto}) {
    const GameCounts counts = parse(kind, fastchess).games;
    CHECK(counts.forfeits.first == Faults{1, 1, 0, 0});
    CHECK(counts.forfeits.second == Faults{0, 1, 1, 1});
    CHECK(from_the_other_side(counts).forfeits.first == counts.forfeits.second);
  }
  // More faults than lost games are of other games than the score.
  CHECK(parse(Kind::kCutechess,
              "Finished game 1 (a vs b): 0-1 {White loses on time}\nScore of a vs b: 1 - 0 - 0")
            .games.forfeits.games() == 0);
}

TEST_CASE("a crash is a loss to cutechess, with -recover in each game") {
  const ParsedResult recovers = parse(Kind::kCutechess, kCutechessRecovers);
  CHECK(recovers.games.games == WinDrawLoss{.wins = 0, .draws = 0, .losses = 2});
  CHECK(recovers.games.pairs == Pentanomial{{1, 0, 0, 0, 0}});
  const ParsedResult ends = parse(Kind::kCutechess, kCutechessEnds);
  CHECK(ends.games.games == WinDrawLoss{.wins = 0, .draws = 0, .losses = 1});
}

TEST_CASE("the last score of cutechess counts, whatever is printed between") {
  for (const Kind kind : {Kind::kCutechess, Kind::kAuto}) {
    const ParsedResult all = parse(kind, kCutechess);
    REQUIRE(all.problem.empty());
    CHECK(all.games.games == WinDrawLoss{.wins = 1, .draws = 1, .losses = 1});
    CHECK_FALSE(all.games.are_paired());
    CHECK(all.values == std::vector<double>{1, 0.5, 0});
  }
  // A match of a thousand games, without the games.
  const char* long_match =
      "Score of E73 vs E67: 297 - 197 - 590  [0.546] 1084\n"
      "...      E73 playing White: 192 - 60 - 290  [0.622] 542\n"
      "...      E73 playing Black: 105 - 137 - 300  [0.470] 542\n"
      "...      White vs Black: 329 - 165 - 590  [0.576] 1084\n"
      "Elo difference: 32.1 +/- 13.9, LOS: 100.0 %, DrawRatio: 54.4 %\n"
      "SPRT: llr 2.96 (100.4%), lbound -2.94, ubound 2.94 - H1 was accepted\nFinished match\n";
  CHECK(parse(Kind::kCutechess, long_match).games.games ==
        WinDrawLoss{.wins = 297, .draws = 590, .losses = 197});
  // No game has ended: 0/0 as C++ prints it.
  CHECK_THAT(parse(Kind::kCutechess, "Score of A vs B: 0 - 0 - 0  [-nan] 0").problem,
             ContainsSubstring("counts no game"));
}

TEST_CASE("games are counted, and pairs where they are known") {
  const ParsedResult fastchess = parse(Kind::kFastchess, kFastchess);
  REQUIRE(fastchess.problem.empty());
  CHECK(fastchess.games.games == WinDrawLoss{.wins = 6, .draws = 5, .losses = 1});
  CHECK(fastchess.games.pairs == Pentanomial{{0, 1, 0, 4, 1}});
  CHECK(fastchess.games.are_paired());
  CHECK(fastchess.values.size() == 12);
  // A pair that is half played: the pairs are not all, and games count one by one.
  const std::string first = std::string(kFastchess).substr(0, 480);
  const ParsedResult part = parse(Kind::kFastchess, first);
  CHECK(part.games.games.games() == 3);
  CHECK_FALSE(part.games.are_paired());
  // cutechess knows no pairs, but two games of one call are one.
  const ParsedResult pair = parse(Kind::kCutechess, "Score of A vs B: 1 - 0 - 1  [0.750] 2");
  CHECK(pair.games.pairs == Pentanomial{{0, 0, 0, 1, 0}});
  const ParsedResult three = parse(Kind::kCutechess, "Score of A vs B: 1 - 1 - 1  [0.500] 3");
  CHECK(three.games.pairs.pairs() == 0);
  CHECK(parse(Kind::kLetters, "WL").games.pairs == Pentanomial{{0, 0, 1, 0, 0}});
  CHECK(parse(Kind::kLetters, "D").games == single_game(0.5));
  const ParsedResult json =
      parse(Kind::kJson, R"({"wins": 2, "losses": 2, "pentanomial": [1, 0, 0, 0, 1]})");
  CHECK(json.values == std::vector<double>{1, 1, 0, 0});
  CHECK(json.games.pairs == Pentanomial{{1, 0, 0, 0, 1}});
  CHECK(json.meaning == Meaning::kScore);
  CHECK(parse(Kind::kNumber, "0.5").games.empty());
}

TEST_CASE("auto takes the first form that fits") {
  const std::vector<Case> cases = {
      {Kind::kJson, "0.1\n{\"value\": 0.5}", {0.5}},
      {Kind::kSmac, "{\"value\": 1}\ncost=0.5; status=SUCCESS", {0.5}},
      {Kind::kNumber, "cost=0.5\n0.25", {0.25}},
      {Kind::kNumber, "W\n3", {3}},
      {Kind::kLetters, "3\nW\nL", {1, 0}},
      {Kind::kCutechess, "Score of A vs B: 1 - 0 - 1  [0.75] 2\nFinished match", {1, 0.5}},
  };
  for (const Case& c : cases) {
    CAPTURE(c.output);
    const ParsedResult result = parse(Kind::kAuto, c.output);
    CHECK(result.problem.empty());
    CHECK(result.values == c.values);
  }
  CHECK(parse(Kind::kAuto, "cost=1").meaning == Meaning::kCost);
  CHECK(parse(Kind::kAuto, "W").meaning == Meaning::kScore);
  CHECK(parse(Kind::kAuto, "Score of A vs B: 1 - 0 - 1").meaning == Meaning::kScore);
  CHECK(parse(Kind::kAuto, "1").meaning == Meaning::kAny);
}

TEST_CASE("lines of wrappers of AClib, SMAC and ParamILS are read") {
  struct Run {
    std::string output;
    double cost;
    double seconds;
    bool cut_off;
  };
  const std::vector<Run> runs = {
      {"Result of this algorithm run: {\"status\": \"SUCCESS\", \"cost\": 0.3, \"runtime\": 1.5}",
       0.3, 1.5, false},
      {"noise\nResult of this algorithm run:  {\"misc\": \"\", \"runtime\": 164.14, \"status\": "
       "\"TIMEOUT\", \"cost\": \"0.12\"}\nbye",
       0.12, 164.14, true},
      {"Result of this algorithm run: {\"status\": \"SUCCESS\", \"runtime\": 2}", 2.0, 2.0, false},
      {"Result for SMAC: SUCCESS, 1.5, 0, 0.3, 42", 0.3, 1.5, false},
      {"Result for ParamILS: SAT,0.25,-1,7,1,more", 7.0, 0.25, false},
      {"Result for SMAC: TIMEOUT, 10, 0, 3, 1", 3.0, 10.0, true},
  };
  for (const Run& run : runs) {
    CAPTURE(run.output);
    const ParsedResult result = parse(Kind::kSmac, run.output);
    CHECK(result.problem.empty());
    CHECK(result.values == std::vector<double>{run.cost});
    CHECK(result.cost == run.seconds);
    CHECK(result.cut_off == run.cut_off);
  }
  CHECK(parse(Kind::kAuto, "Result for SMAC: SUCCESS, 1.5, 0, 0.3, 42").values ==
        std::vector<double>{0.3});
}

TEST_CASE("JSON over several lines and colours of terminals are read") {
  for (const char* const output :
       {"{\n  \"value\": 0.5,\n  \"more\": {\n    \"a\": [1, {\n      \"b\": 2 } ]\n  }\n}\n",
        "log {\n{ not json\n{\"value\":\n0.5}", "\x1b[32m{\"value\": \x1b[1;31m0.5}\x1b[0m",
        "\x1b]0;title\a\x1b[K{\"value\": 0.5}"}) {
    CAPTURE(output);
    CHECK(parse(Kind::kJson, output).values == std::vector<double>{0.5});
    CHECK(parse(Kind::kAuto, output).values == std::vector<double>{0.5});
  }
  CHECK(parse(Kind::kNumber, "\x1b[1m0.25\x1b[0m\n").values == std::vector<double>{0.25});
}

TEST_CASE("what is wrong is said, with the text") {
  const std::vector<Wrong> cases = {
      {Kind::kAuto, "", "the program printed nothing"},
      {Kind::kAuto, " \n\n", "the program printed nothing"},
      {Kind::kAuto, "hello\nworld", "the output has no result, a last line with a JSON object"},
      {Kind::kAuto, "hello\nworld", "its last line is 'world'"},
      {Kind::kAuto, "nan", "the value is 'nan', a finite number is allowed"},
      {Kind::kAuto, "-Inf", "the value is '-Inf'"},
      {Kind::kAuto, "Inf 3.5", "the value is 'Inf 3.5'"},
      {Kind::kAuto, "1e999", "the value is '1e999', a finite number is allowed"},
      {Kind::kAuto, "0,5", "its last line is '0,5'"},
      {Kind::kAuto, "1 2 3", "its last line is '1 2 3'"},
      {Kind::kAuto, "0x10", "its last line is '0x10'"},
      {Kind::kAuto, "\x1b[31mred", "its last line is 'red'"},
      {Kind::kJson, "{\"value\": NaN}", "'value' must be a number: NaN"},
      {Kind::kJson, "{\"value\": 1", "not valid JSON"},
      {Kind::kAuto, R"({"value": )" + std::string(400'000, '[') + std::string(400'000, ']') + '}',
       "the last line is JSON that nests deeper than 64 levels: '{\"value\": [[["},
      {Kind::kJson, "[1]", "a JSON object {\"value\": …} is needed"},
      {Kind::kJson, "{}",
       "must have either 'value', 'values' or 'wins', 'draws' and 'losses', or by seat 'ranks', "
       "'scores' or 'winner': {}"},
      {Kind::kJson, "{\"value\": 1, \"values\": [1]}", "must have either 'value', 'values'"},
      {Kind::kJson, "{\"value\": 1, \"wins\": 1}", "must have either 'value', 'values'"},
      {Kind::kJson, "{\"wins\": -1, \"losses\": 2}", "'wins' is -1, a count of games is allowed"},
      {Kind::kJson, "{\"draws\": 1.5}", "'draws' is 1.5, a count"},
      {Kind::kJson, "{\"wins\": 0, \"losses\": 0}", "a JSON object with games counts no game"},
      {Kind::kJson, "{\"wins\": 1}",
       "counts of games lack 'losses': 'wins' and 'losses' are needed"},
      {Kind::kJson, "{\"wins\": 1, \"loss\": 9}", "counts of games lack 'losses'"},
      {Kind::kJson, "{\"draws\": 1, \"losses\": 9}", "counts of games lack 'wins'"},
      {Kind::kJson, "{\"pentanomial\": [0, 0, 1, 0, 0]}", "counts of games lack 'wins'"},
      {Kind::kJson, "{\"wins\": 2, \"losses\": 0, \"pentanomial\": [0, 0, 1]}",
       "'pentanomial' is [0,0,1], a list of five counts of pairs is allowed"},
      {Kind::kJson, "{\"wins\": 2, \"losses\": 0, \"pentanomial\": [0, 0, 1, 0, 0]}",
       "+2 -0 =0, pairs 0 0 1 0 0: pairs and games have different points"},
      {Kind::kFastchess,
       "Games: 2, Wins: 1, Losses: 0, Draws: 1, Points: 1.5 (75.00 %)\nPtnml(0-2): [0, 0, 0, 2, 0]",
       "there are more pairs than games"},
      {Kind::kJson, "{\"value\": \"1\"}", "'value' must be a number: 1"},
      {Kind::kJson, "{\"value\": null}", "'value' must be a number: null"},
      {Kind::kJson, "{\"value\": true}", "'value' must be a number: true"},
      {Kind::kJson, "{\"values\": []}", "'values' must be a list of numbers: []"},
      {Kind::kJson, "{\"values\": 1}", "'values' must be a list of numbers: 1"},
      {Kind::kJson, "{\"values\": [1, \"a\"]}", "'values' must be a list of numbers"},
      {Kind::kJson, "{\"value\": 1e999}", "not valid JSON"},
      {Kind::kJson, "{\"error\": \"lost\\nit\", \"value\": 1}", "reports the error 'lost\\nit'"},
      {Kind::kJson, "{\"value\": 1, \"status\": \"CRASHED\"}", "reports the status 'CRASHED'"},
      {Kind::kJson, "{\"value\": 1, \"status\": 3}", "reports the status '3'"},
      {Kind::kSmac, "cost=0.5; status=CRASHED", "the program reports status=CRASHED"},
      {Kind::kSmac, "runtime=3; status=TIMEOUT", "there is no number cost=… in 'runtime=3"},
      {Kind::kSmac, "status=SUCCESS", "there is no number cost=… in 'status=SUCCESS'"},
      {Kind::kSmac, "cost=0.5, 0.4", "there is no number cost=…"},
      {Kind::kSmac, "cost=inf", "the value is 'inf'"},
      {Kind::kSmac, "0.5", "a line cost=…; status=SUCCESS, or one of a wrapper's"},
      {Kind::kSmac, "Result for SMAC: SUCCESS, 1.5, 0.3",
       "has 3 fields, status, runtime, runlength"},
      {Kind::kSmac, "Result for ParamILS: CRASHED, 1.5, 0, 0.3, 42", "reports status=CRASHED"},
      {Kind::kSmac, "Result of this algorithm run: {\"status\": \"ABORT\", \"cost\": 1}",
       "the program reports status=ABORT"},
      {Kind::kSmac, "Result of this algorithm run: {\"status\": \"SUCCESS\", \"cost\": NaN}",
       "the value is 'NaN'"},
      {Kind::kAuto, "{\n \"value\": -Infinity\n}", "'value' must be a number: -Infinity"},
      {Kind::kNumber, "{\"value\": 1}", "a last line with a number is needed"},
      {Kind::kLetters, "win", "lines of the letters W, D and L is needed"},
      {Kind::kCutechess, "Score of A vs B: 0 - 0 - 0  [0] 0", "a score line counts no game"},
      {Kind::kCutechess, "Score of A vs B: 9999999 - 0 - 0", "more than 1000000 games"},
      {Kind::kCutechess, "Score of A vs B: x - 0 - 0", "is needed"},
      {Kind::kFastchess, "Games: 3", "is needed; its last line is 'Games: 3'"},
  };
  for (const Wrong& c : cases) {
    CAPTURE(c.output);
    const ParsedResult result = parse(c.kind, c.output);
    CHECK_THAT(result.problem, ContainsSubstring(c.problem));
    CHECK(result.problem.find('\n') == std::string::npos);
    CHECK(result.values.empty());
  }
}

TEST_CASE("a JSON object may ask for another try") {
  CHECK(parse(Kind::kJson, R"({"error": "no licence", "retry": true})").retry);
  CHECK_FALSE(parse(Kind::kJson, R"({"error": "no licence", "retry": "yes"})").retry);
  CHECK_FALSE(parse(Kind::kJson, R"({"error": "no licence"})").retry);
}

TEST_CASE("a pattern's first group is the number, and its last match counts") {
  CHECK(parse_regex("score: (.*)", "score: 1\nscore:  2.5 \nend").values == std::vector{2.5});
  CHECK(parse_regex(R"(fps=(\d+))", "fps=30 fps=60").values == std::vector{60.0});
  CHECK(parse_regex("^(-?[0-9.]+) points", "-3.5 points").values == std::vector{-3.5});
  CHECK_THAT(parse_regex("score: (.*)", "score: many").problem,
             ContainsSubstring("the pattern's group is 'many', a number is allowed"));
  CHECK_THAT(parse_regex("score: (.*)", "none").problem,
             ContainsSubstring("a line that matches the pattern is needed; its last line is"));
  CHECK_THROWS_WITH(parse_regex("score: .*", ""),
                    "'score: .*' has no group in brackets: (.*) where the number stands");
  CHECK_THROWS_WITH(parse_regex("(", ""), StartsWith("'(' is not a regular expression: "));
  CHECK_THROWS_WITH(parse_regex("(?<=a)(b)", ""),
                    EndsWith("; back references and look-around are not allowed"));
  // Long lines do not exhaust the stack.
  CHECK_FALSE(parse_regex("x(.*)y", "x" + std::string(1'000'000, '1')).problem.empty());
}

TEST_CASE("a last line that lacks its value is a failure, never the value of an earlier line") {
  const std::string earlier = "score: 7\n";
  for (const char* pattern :
       {"score: (.*)", "score: ([0-9.]+)", "score:\\s*(\\S*)", "score: *(\\d+)$"}) {
    for (const char* last : {"score: ", "score:", "score: \r\n", "score:\t", "  score:  \n\n"}) {
      CAPTURE(pattern, last);
      const ParsedResult result = parse_regex(pattern, earlier + last);
      CHECK(result.values.empty());
      CHECK_FALSE(result.problem.empty());
      CHECK(parse_regex(pattern, std::string(last) + "\n" + earlier).values == std::vector{7.0});
      CHECK(parse_regex(pattern, earlier + "the score is known").values == std::vector{7.0});
    }
  }
  CHECK_THAT(parse_regex("score: ([0-9.]+)", earlier + "score: ").problem,
             ContainsSubstring("there is no value in the line 'score:', a number is allowed"));
  CHECK_FALSE(parse_regex("fps=(\\d+)", "fps=30\nfps=").problem.empty());
  const std::string score = "Score of A vs B: 3 - 1 - 0\n";
  for (const Wrong& wrong : std::vector<Wrong>{
           {Kind::kNumber, "7\nscore: ", "the output has no result"},
           {Kind::kJson, "{\"value\": 7}\n{\"value\": }", "not valid JSON"},
           {Kind::kJson, "{\"value\": 7}\n{\"value\": null}", "'value' must be a number"},
           {Kind::kSmac, "cost=7; status=SUCCESS\ncost=; status=SUCCESS", "no number cost="},
           {Kind::kCutechess, score + "Score of A vs B: ", "there is no score in the line"},
           {Kind::kFastchess, score + "Score of A vs B:", "there is no score in the line"},
           {Kind::kAuto, "7\nscore: ", "the output has no result"}}) {
    CAPTURE(wrong.output);
    const ParsedResult result = parse(wrong.kind, wrong.output);
    CHECK(result.values.empty());
    CHECK_THAT(result.problem, ContainsSubstring(wrong.problem));
  }
}

TEST_CASE("a line is searched whole, however long, and in linear time") {
  for (const std::size_t length : {4080UL, 4090UL, 4096UL, 5000UL, 900'000UL}) {
    CAPTURE(length);
    const std::string line = "rate: 7.5 " + std::string(length, '.') + " rate: 43.21";
    CHECK(parse_regex(R"(rate: ([\d.]+))", "rate: 1\n" + line).values == std::vector{43.21});
    CHECK(parse_regex(R"(rate: ([\d.]+)$)", "rate: 1\n" + line).values == std::vector{43.21});
    const std::string engine(length, 'e');
    CHECK(parse(Kind::kCutechess, "Score of A vs " + engine + ": 1 - 0 - 1  [0.750] 2").values ==
          std::vector{1.0, 0.5});
  }
  CHECK_FALSE(parse_regex("(x+x+)+y", std::string(100'000, 'x')).problem.empty());
}

TEST_CASE("what is too small for a double is 0") {
  CHECK(parse(Kind::kNumber, "1e-400").values == std::vector{0.0});
  CHECK(parse(Kind::kJson, R"({"value": 1e-400})").values == std::vector{0.0});
  CHECK(parse(Kind::kSmac, "cost=-4.5e-999; status=SUCCESS").values == std::vector{0.0});
  CHECK(parse_regex("p = (.*)", "p = 1e-400").values == std::vector{0.0});
}

}  // namespace ntune
