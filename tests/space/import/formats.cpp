// The example files of every format, and how formats are told apart.

#include <string>
#include <vector>

#include "catch.h"
#include "ntune/core/files.h"
#include "space/import/import.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using test::import_data;
using test::import_error;
using test::imported;
using test::native;

namespace {

ImportedSpace import_example(const std::string& name) { return import_space(import_data(name)); }

const std::string kMcts =
    "policy: {choices: [UCB, Greedy], default: UCB}\n"
    "K: {log_range: [0.1, 10], points: 10, default: 1.0, when: {policy: UCB}}\n"
    "depth: {integers: [1, 10], default: 6}\n"
    "rollout: {choices: [0, 10, 30, 100], default: 0}\n"
    "forbid: [{policy: Greedy, rollout: 100}]\n";

}  // namespace

TEST_CASE("ConfigSpace's example is read, as YAML and as the older JSON") {
  for (const char* const name : {"mcts.yaml", "mcts_old.json"}) {
    const ImportedSpace result = import_example(name);
    CHECK(result.format == SpaceFormat::kConfigSpace);
    CHECK(result.warnings.empty());
    CHECK(test::space_in(result.yaml) == native(kMcts));
  }
}

TEST_CASE("the result says what was chosen") {
  CHECK(import_example("mcts.yaml").yaml ==
        R"(# from mcts.yaml (ConfigSpace), 4 parameters, 10 points for wide ranges
space:
  policy: {choices: [UCB, Greedy], default: UCB}  # categorical; default UCB
  K: {log_range: [0.1, 10.0], points: 10, default: 1.0, when: {policy: UCB}}  # uniform_float, log: 10 values from 0.1 to 10, equal ratios, both ends; default 1 lies between two values
  depth: {integers: [1, 10], default: 6}  # uniform_int: every value; default 6
  rollout: {choices: [0, 10, 30, 100], default: 0}  # ordinal; default 0
  forbid:
    - {policy: Greedy, rollout: 100}
)");
}

TEST_CASE("irace's example is read") {
  const ImportedSpace result = import_example("parameters.txt");
  CHECK(result.format == SpaceFormat::kIrace);
  CHECK(result.warnings.empty());
  CHECK(test::space_in(result.yaml) ==
        native("policy: [UCB, Greedy, e-greedy]\n"
               "K: {choices: [0.1, 0.1668, 0.2783, 0.4642, 0.7743, 1.2915, 2.1544, 3.5938, 5.9948, "
               "10], kind: log_range, when: {policy: UCB}}\n"
               "depth: {integers: [1, 10]}\n"
               "rollout: [0, 10, 30, 100]\n"
               "forbid: [{policy: Greedy, rollout: 100}]\n"));
  CHECK(test::line_with(result.yaml, "depth:") ==
        "depth: {integers: [1, 10]}        # i: every value; switch --depth=");
}

TEST_CASE("Optuna's example is read") {
  const ImportedSpace result = import_example("optuna.json");
  CHECK(result.format == SpaceFormat::kOptuna);
  CHECK(test::space_in(result.yaml) == native("policy: [UCB, Greedy]\n"
                                              "K: {log_range: [0.1, 10], points: 10}\n"
                                              "depth: {integers: [1, 10]}\n"));
}

TEST_CASE("TAG's example is read") {
  const ImportedSpace result = import_example("tag.json");
  CHECK(result.format == SpaceFormat::kTag);
  CHECK(test::space_in(result.yaml) == native("class: {fixed: players.mcts.MCTSParams}\n"
                                              "K: [0.01, 1.0, 100.0]\n"
                                              "rolloutLength: [0, 1, 10, 1000]\n"
                                              "treePolicy: [UCB_Tuned, UCB, AlphaGo]\n"
                                              "reuseTree: [false, true]\n"
                                              "budget: -999\n"
                                              "heuristic.class: {fixed: "
                                              "players.heuristics.CoarseTunableHeuristic}\n"
                                              "heuristic.heuristicType: [SCORE_ONLY, LEADER]\n"));
}

TEST_CASE("OpenBench's and fishtest's examples are read") {
  const std::string expected =
      "NmpBase: {integers: [2, 6], default: 4, gains: [0.5, 0.002]}\n"
      "LmrFactor: {range: [0.2, 1.4], points: 13, default: 0.8, gains: [0.1, 0.002]}\n"
      "FutilityMargin: {choices: [50, 58, 68, 78, 88, 98, 108, 118, 128, 138, 148, 158, 168, 178, "
      "188, 198, 208, 218, 228, 238, 248, 250], default: 118, gains: [10, 0.002]}\n";
  for (const char* const name : {"openbench.csv", "fishtest.csv"}) {
    const ImportedSpace result = import_example(name);
    CHECK(result.format == SpaceFormat::kOpenBench);
    CHECK(test::space_in(result.yaml) == native(expected));
  }
}

TEST_CASE("importing the same file twice gives the same text") {
  for (const char* const name :
       {"mcts.yaml", "parameters.txt", "optuna.json", "tag.json", "openbench.csv"}) {
    CHECK(import_example(name).yaml == import_example(name).yaml);
  }
}

TEST_CASE("formats are told apart by what stands in the file") {
  const std::vector<std::pair<std::string, SpaceFormat>> cases = {
      {"{\"hyperparameters\": []}", SpaceFormat::kConfigSpace},
      {"# made by hand\nname: x\nhyperparameters:\n- {}", SpaceFormat::kConfigSpace},
      {"# a comment\n\n  x \"--x \" c (a, b)", SpaceFormat::kIrace},
      {"[forbidden]\n", SpaceFormat::kIrace},
      {"x\t\"\"\tr,log (1, 2)", SpaceFormat::kIrace},
      {"{\"x\": {\"type\": \"int\", \"low\": 1, \"high\": 2}}", SpaceFormat::kOptuna},
      {"{\"class\":\"a.B\",\"x\":[1, 2]}", SpaceFormat::kTag},
      {"x, int, 1, 0, 2, 1, 0.002", SpaceFormat::kOpenBench},
      {"x,1,0,2,1,0.002\r\n", SpaceFormat::kOpenBench},
  };
  for (const auto& [text, format] : cases) {
    INFO(text);
    CHECK(detect_space_format("file", text) == format);
  }
}

TEST_CASE("what is no known format is refused") {
  const std::string unknown =
      "file: is no search space that is known; give its --format: configspace, irace, pcs, optuna, "
      "tag, openbench, uci, chess-tuning-tools or weather-factory; of irace import the scenario or "
      "its parameter file";
  for (const char* const text : {"", "x: [1, 2]", "[1, 2]", "{}", "word", "a, b, c"}) {
    INFO(text);
    CHECK(import_error(text) == unknown);
  }
  CHECK(import_error("{\"class\": 1,\n \"x\": [}") == "file:2: not valid YAML: illegal flow end");
}

TEST_CASE("the table of formats names each one once") {
  std::vector<std::string> names;
  for (const SpaceFormatEntry& entry : space_format_table()) names.push_back(entry.name);
  CHECK(names == std::vector<std::string>{"configspace", "irace", "pcs", "optuna", "tag",
                                          "openbench", "uci", "chess-tuning-tools",
                                          "weather-factory"});
}

TEST_CASE("a format that is given is not detected") {
  CHECK(imported("x: [1, 2]", "file", {.format = SpaceFormat::kTag}) == native("x: [1, 2]"));
  CHECK(import_error("x: [1, 2]", "file", SpaceFormat::kConfigSpace) ==
        "file:1: needs 'hyperparameters'");
  CHECK(import_error("x: [1, 2]", "file", SpaceFormat::kOpenBench) ==
        "file:1: has 2 fields, name, int or float, start, min, max, C_end and R_end are allowed "
        "(the type may be left out)");
}

TEST_CASE("JSON is read as its writers write it") {
  CHECK(imported("{\"class\":\"C\",\"a\":[1,2.5e-1,-3E2],\"b\":[\"\\u00e9\\/\\\"\","
                 "\"\\ud83d\\ude00\",\"\\\\ud83d\"]}") ==
        native("class: {fixed: C}\na: [1, 0.25, -300.0]\nb: [\"é/\\\"\", 😀, '\\ud83d']"));
  CHECK(imported("{\n\t\"class\":\t\"C\",\r\n\t\"a\":\t[\n\t\t1,\n\t\t2\n\t]\n}\n") ==
        native("class: {fixed: C}\na: [1, 2]"));
  CHECK(import_error("{\"class\":\"C\",\n\"a\":[\"\\ud83d\"]}").starts_with("file:2: "));
}

TEST_CASE("the points and the size of a file are checked") {
  for (const int points : {-1, 1, 1001}) {
    CHECK(
        test::input_error([&] { import_space_text("", "f", {.format = {}, .points = points}); }) ==
        "points is " + std::to_string(points) + ", a whole number from 2 to 1000 is allowed");
  }
  CHECK(import_error(std::string(5'000'000, ' ')) ==
        "file: is larger than the 4194304 bytes allowed");
  CHECK(test::input_error([] { import_space("no/such.json"); }) ==
        "no/such.json: cannot read it: No such file or directory");
}

TEST_CASE("irace: numbers and truth values are what R makes of them") {
  CHECK(imported("a \"-a\" i (-10, +5)\n", "file") == native("a: {integers: [-10, 5]}\n"));
  CHECK(imported("a \"-a\" i (0x10, 2**5)\n", "file") == native("a: {integers: [16, 32]}\n"));
  CHECK(imported("a \"-a\" i (+1, 1E+1)\n", "file") == native("a: {integers: [1, 10]}\n"));
  // A truth value beside a comparison is a value of the parameter.
  const std::string flag = "flag \"-f\" c (TRUE, FALSE, 3)\na \"-a\" i (1, 5) | ";
  const SearchSpace expected = imported(flag + "flag == \"TRUE\"\n", "file");
  for (const char* condition : {"flag == TRUE", "TRUE == flag", "flag %in% c(TRUE)",
                                "!(flag != TRUE)", "flag != FALSE & flag != 3"}) {
    CAPTURE(condition);
    CHECK(imported(flag + condition + "\n", "file") == expected);
  }
  CHECK_THAT(import_error("a \"-a\" i (0, 9007199254740993)\n"),
             ContainsSubstring("whole numbers below 2^53"));
}

TEST_CASE("the order of ordinal words is said to be lost") {
  for (const char* text : {"size \"--s \" o (small, medium, large)\n",
                           "size ordinal {small, medium, large} [medium]\n"}) {
    const ImportedSpace space = import_space_text(text, "file", {});
    REQUIRE(space.warnings.size() == 1);
    CHECK_THAT(space.warnings[0], ContainsSubstring("the order of words is not kept"));
  }
  CHECK(import_space_text("size \"--s \" o (1, 2, 4)\n", "file", {}).warnings.empty());
}

}  // namespace ntune
