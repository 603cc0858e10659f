// Options of engines and the files of their tuners, and agents of TAG.

#include <filesystem>
#include <string>
#include <vector>

#include "catch.h"
#include "space/import/import.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using test::import_error;
using test::imported;
using test::native;

namespace {

const std::string kAnswer =
    "Engine 7 by somebody\nid name Engine 7\n"
    "option name Hash type spin default 16 min 1 max 1024\n"
    "option name King Safety type spin default 3 min -2 max 5\r\n"
    "option name Ponder type check default false\n"
    "option name Analysis Type type combo default Both Sides var Off var Both Sides var White\n"
    "option name Clear Hash type button\n"
    "option name Book File type string default <empty>\nuciok\n";

}  // namespace

TEST_CASE("UCI: options are parameters with types, ranges and defaults") {
  CHECK(
      imported(kAnswer) ==
      native("Hash: {choices: [1, 16, 115, 228, 342, 456, 569, 683, 797, 910, 1024], default: 16}\n"
             "King Safety: {integers: [-2, 5], default: 3}\n"
             "Ponder: {choices: [false, true], default: false}\n"
             "Analysis Type: {choices: [Off, Both Sides, White], ordered: false, default: Both "
             "Sides}\n"));
  CHECK(imported(kAnswer, "file", {.only = {"King*", "Ponder"}}) ==
        native("King Safety: {integers: [-2, 5], default: 3}\n"
               "Ponder: {choices: [false, true], default: false}\n"));
  CHECK(test::input_error([] { (void)imported(kAnswer, "file", {.only = {"Hosh"}}); }) ==
        "--only: 'Hosh' fits no parameter, did you mean 'Hash'?");
  CHECK(import_error("option name A type spin default x min 1 max 2\nuciok\n") ==
        "file:1: A: default is 'x', a whole number is allowed");
  CHECK(import_error("option name A type rope\nuciok\n") ==
        "file:1: A: the type is 'rope'; allowed: spin, check, combo, button or string");
}

TEST_CASE("UCI: a number that no space can have spoils no other option") {
  const std::string answer =
      "option name Big type spin default 7 min 0 max 18446744073709551615\n" + kAnswer;
  const ImportedSpace all = import_space_text(answer, "file", {});
  REQUIRE(all.warnings.size() == 1);
  CHECK_THAT(all.warnings[0], ContainsSubstring("file:1: Big: max is '18446744073709551615'"));
  CHECK(imported(answer) == imported(kAnswer));
  CHECK(imported(answer, "file", {.only = {"King*"}}) ==
        native("King Safety: {integers: [-2, 5], default: 3}\n"));
  CHECK_THAT(test::input_error([&] { (void)imported(answer, "file", {.only = {"B*"}}); }),
             ContainsSubstring("Big: max is"));
}

TEST_CASE("OpenBench: a line without its last field says which is missing") {
  CHECK(import_error("A, int, 100, 10, 200, 9.5\n", "file", SpaceFormat::kOpenBench) ==
        "file:1: A: the seventh field, R_end, is missing");
}

TEST_CASE("SPSA: brackets in names are no other format") {
  const SearchSpace space = imported("Map[2][0],10,0,20,1,0.002\n");
  CHECK(space == native("'Map[2][0]': {integers: [0, 20], default: 10, gains: [1, 0.002]}\n"));
}

TEST_CASE("JSON of other tuners of engines is read") {
  CHECK(imported("{\"A\": {\"value\": 100, \"min_value\": 50, \"max_value\": 150, \"step\": 25},\n"
                 " \"B b\": {\"value\": 1.5, \"min_value\": 0, \"max_value\": 4, \"step\": 1}}") ==
        native("A: {integers: [50, 150], step: 25, default: 100}\n"
               "B b: {integers: [0, 4], default: 2}\n"));
  CHECK(imported(
            "{\"engines\": [], \"parameter_ranges\": {\"CPuct\": \"(1.0, 3.0)\", \"Depth\": \"(1, "
            "8)\", \"K\": \"Real(0.1, 10, prior='log-uniform')\", \"Mode\": \"['a', 'b']\", "
            "\"Flag\": \"Categorical([true, false])\"}}") ==
        native("CPuct: {range: [1, 3], points: 10}\n"
               "Depth: {integers: [1, 8]}\n"
               "K: {log_range: [0.1, 10], points: 10}\n"
               "Mode: {choices: [a, b], ordered: false}\n"
               "Flag: {choices: [true, false], ordered: false}\n"));
  const auto ranges = [](const std::string& all) {
    return "{\"parameter_ranges\": {" + all + "}}";
  };
  CHECK(
      imported(ranges("\"A\": \"Integer(low=1, high=8)\", \"B\": \"Integer( 1, high = 8)\", \"C\": "
                      "\"Real(high=10, prior='log-uniform', base=10, low=0.1)\"")) ==
      native("A: {integers: [1, 8]}\nB: {integers: [1, 8]}\n"
             "C: {log_range: [0.1, 10], points: 10}\n"));
  for (const std::string range :
       {"Integer(low=1)", "Integer(high=8, 1)", "Real(low=a, high=2)", "1 to 3"}) {
    CHECK_THAT(import_error(ranges("\"A\": \"" + range + "\"")),
               ContainsSubstring("parameter_ranges.A: is '" + range + "', a text such as"));
  }
}

TEST_CASE("TAG: objects are choices, files are followed, agents give defaults") {
  const test::TemporaryFolder folder;
  const std::string text =
      "{\"class\": \"M\", \"K\": [0.1, 1, 10], \"h\": [{\"w\": 1, \"class\": \"Win\"}, {\"class\": "
      "\"Score\"}],\n \"inner\": \"parts/inner.json\", \"gone\": \"no.json\", \"args\": [1, 2]}";
  std::filesystem::create_directories(folder.path() / "parts");
  std::filesystem::create_directories(folder.path() / "a/b");
  (void)folder.file("parts/inner.json", "{\"class\": \"I\", \"z\": [1, 2, 3]}");
  (void)folder.file("a/b/space.json", text);
  (void)folder.file(
      "agent.json",
      "{\"class\": \"M\", \"K\": 1.0, \"h\": {\"class\": \"Win\", \"w\": 1}, \"inner\": "
      "{\"z\": 5}, \"budget\": 9}");
  const ImportedSpace result =
      import_space(folder.path() / "a/b/space.json", {.defaults = folder.path() / "agent.json"});
  CHECK(test::space_in(result.yaml) ==
        native("class: {fixed: M}\nK: {choices: [0.1, 1, 10], default: 1}\n"
               "h: {choices: ['{\"class\":\"Win\",\"w\":1}', '{\"class\":\"Score\"}'], default: "
               "'{\"class\":\"Win\",\"w\":1}'}\n"
               "inner.class: {fixed: I}\ninner.z: [1, 2, 3]\ngone: {fixed: no.json}\n"
               "args: {fixed: '[1,2]'}\n"));
  REQUIRE(result.warnings.size() == 3);
  CHECK_THAT(result.warnings[0],
             ContainsSubstring("there is no file 'no.json' here or in a folder"));
  CHECK_THAT(result.warnings[1],
             ContainsSubstring("inner.z: 5 is no value of 'inner.z'; allowed: 1, 2 or 3"));
  CHECK_THAT(result.warnings[2], ContainsSubstring("agent.json:1: budget: is passed over"));
  (void)folder.file("a/b/loop.json", "{\"class\": \"M\", \"x\": \"loop.json\"}");
  CHECK_THAT(test::input_error([&] { (void)import_space(folder.path() / "a/b/loop.json"); }),
             ContainsSubstring("is nested too deeply: a file may name itself"));
}

TEST_CASE("TAG: in what an agent is not the default is said") {
  const test::TemporaryFolder folder;
  const std::string agent = folder.file(
      "agent.json",
      "{\"class\": \"players.B\", \"K\": 1,\n\"M\": 7, \"FPU\": 100, \"h\": {\"x\": 1, \"y\": 2}}");
  const std::string text =
      R"({"class": "players.A", "K": [1, 10], "L": [1, 2], "M": 5, "N": [3], "h": {"x": [1, 2]},)"
      R"( "O": [0.5, 1]})";
  const ImportedSpace result = import_space_text(text, "file", {.defaults = agent});
  CHECK(test::space_in(result.yaml) ==
        native(
            "class: {fixed: players.A}\nK: {choices: [1, 10], default: 1}\nL: [1, 2]\n"
            "M: {fixed: 5}\nN: {choices: [3]}\nh.x: {choices: [1, 2], default: 1}\nO: [0.5, 1]\n"));
  CHECK(result.warnings ==
        std::vector<std::string>{
            agent + ":1: class: 'players.B' is no value of 'class'; it is fixed: 'players.A'",
            agent + ":2: M: 7 is no value of 'M'; it is fixed: 5",
            agent + ":2: FPU: is passed over, as the space does not have it",
            agent + ":2: h.y: is passed over, as the space does not have it",
            agent +
                ":1: has no value for L and O, so that there is no whole default to compare with"});
  // What is not to be tuned is not missed.
  CHECK(import_space_text(text, "file", {.only = {"K", "M"}, .defaults = agent}).warnings.size() ==
        3);
}

TEST_CASE("TAG: a list is of choices, or data and fixed as a whole") {
  const auto read = [](const std::string& list) {
    return import_space_text("{\"class\": \"M\", \"h\": {\"class\": \"H\", \"x\": " + list + "}}",
                             "file");
  };
  const auto fixed = [&](const std::string& list, const std::string& text) {
    INFO(list);
    CHECK(test::space_in(read(list).yaml) ==
          native("class: {fixed: M}\nh.class: {fixed: H}\nh.x: {fixed: '" + text + "'}\n"));
  };
  fixed(R"([{"name": "x"}, {"name": "y"}])", R"([{"name":"x"},{"name":"y"}])");
  fixed(R"([{"class": "A"}, {"name": "y"}, 3])", R"([{"class":"A"},{"name":"y"},3])");
  fixed("[[1, 2], [3, 4]]", "[[1,2],[3,4]]");
  fixed("[1, [2]]", "[1,[2]]");
  fixed("[0, 0, 1]", "[0,0,1]");
  fixed(R"([{"class": "A"}, {"class": "A"}])", R"([{"class":"A"},{"class":"A"}])");
  CHECK(read("[[1, 2], [3, 4]]").warnings.empty());
  CHECK(read("[0, 2, 0]").warnings ==
        std::vector<std::string>{
            "file:1: h.x: has the value 0 twice, so that the list is fixed as a whole"});
  CHECK(test::space_in(
            read(R"([{"class": "A", "p": [0, 0]}, {"enum": "B", "value": "C"}, "d", 1])").yaml) ==
        native("class: {fixed: M}\nh.class: {fixed: H}\n"
               R"(h.x: ['{"class":"A","p":[0,0]}', '{"enum":"B","value":"C"}', d, 1])"));
}

TEST_CASE("TAG: numbers within objects and lists stay as they are spelled") {
  const test::TemporaryFolder folder;
  const std::string text =
      R"({"class": "M", "args": [1000.0, 1e3, 5, -0.50, 12345678901234567890, "1.0", true, null],)"
      R"( "h": [{"class": "A", "z": 1, "k": [2.0]}, {"class": "A", "k": [2], "z": 1}]})";
  const std::string expected =
      "class: {fixed: M}\n"
      "args: {fixed: '[1000.0,1e3,5,-0.50,12345678901234567890,\"1.0\",true,null]'}\n"
      R"(h: {choices: ['{"class":"A","k":[2.0],"z":1}', '{"class":"A","k":[2],"z":1}'])";
  CHECK(test::space_in(import_space_text(text, "file").yaml) == native(expected + "}"));
  // Another spelling of the same real number is found; a whole number is another value.
  const auto with = [&](const std::string& number) {
    const std::string agent =
        folder.file("agent.json", R"({"h": {"k": [)" + number + R"(], "class": "A", "z": 1}})");
    return test::space_in(import_space_text(text, "file", {.defaults = agent}).yaml);
  };
  for (const char* real : {"2.0", "2.00", "20e-1"}) {
    INFO(real);
    CHECK(with(real) == native(expected + R"(, default: '{"class":"A","k":[2.0],"z":1}'})"));
  }
  CHECK(with("2") == native(expected + R"(, default: '{"class":"A","k":[2],"z":1}'})"));
}

TEST_CASE("normal distributions without bounds end at so many standard deviations") {
  const std::string text = test::configspace(
      "{name: a, type: normal_float, mu: 1, sigma: 2, default: 1}, {name: b, type: normal_int, mu: "
      "10, sigma: 1.2}, {name: c, type: normal_float, mu: 0, sigma: 1, log: true}");
  CHECK(imported(text, "file", {.points = 3, .sigmas = 2.0}) ==
        native("a: {range: [-3, 5], points: 3, default: 1}\nb: {integers: [8, 12]}\n"
               "c: {log_range: [0.1353352832366127, 7.38905609893065], points: 3}\n"));
  CHECK_THAT(import_space_text(text, "file").yaml,
             ContainsSubstring("bounded at 3 standard deviations (--sigmas)"));
}

}  // namespace ntune
