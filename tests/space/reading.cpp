// Search spaces from YAML.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/yaml.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

namespace {

namespace fs = std::filesystem;

SearchSpace space_of(const std::string& yaml) { return read_space(parse_yaml(yaml)); }

SearchSpace laid_over(const SearchSpace& defaults, const std::string& yaml) {
  return read_space(parse_yaml(yaml), &defaults);
}

std::string error_of(const SearchSpace& defaults, const std::string& yaml) {
  try {
    laid_over(defaults, yaml);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// A folder that is gone at the end.
class Folder {
 public:
  Folder() {
    static int number = 0;
    path_ = fs::temp_directory_path() /
            ("ntune-space-" + std::to_string(::getpid()) + "-" + std::to_string(++number));
    fs::create_directories(path_ / "inner");
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }

  [[nodiscard]] fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

TEST_CASE("a list is a choice") {
  CHECK(space_of("x: [1, 2.5, true, word, 'true']")[0] ==
        make_choices("x", {std::int64_t{1}, 2.5, true, std::string("word"), std::string("true")}));
  CHECK(space_of("x: [5]")[0].kind == ParameterKind::kChoices);
  CHECK(space_of("x: [3, 2, 1]")[0].ordered);
  CHECK_FALSE(space_of("x: [3, 1, 2]")[0].ordered);
}

TEST_CASE("a scalar is fixed") {
  CHECK(space_of("x: 3")[0] == make_fixed("x", std::int64_t{3}));
  CHECK(space_of("x: 3.0")[0] == make_fixed("x", 3.0));
  CHECK(space_of("x: word")[0] == make_fixed("x", std::string("word")));
  CHECK(space_of("x: ''")[0] == make_fixed("x", std::string()));
  CHECK(space_of("x: 'boolean'")[0] == make_fixed("x", std::string("boolean")));
  CHECK(space_of("x: booleans")[0] == make_fixed("x", std::string("booleans")));
}

TEST_CASE("scalars have the types of YAML's core schema") {
  const auto value = [](const std::string& text) { return space_of("x: " + text)[0].values[0]; };
  CHECK(value("17") == Value(std::int64_t{17}));
  CHECK(value("+17") == Value(std::int64_t{17}));
  CHECK(value("9223372036854775807") == Value(std::int64_t{9223372036854775807}));
  CHECK(value("9223372036854775808.0") == Value(0x1p63));
  // A whole number that a double would round is refused.
  for (const char* large :
       {"9223372036854775808", "18446744073709551615", "-9223372036854775809"}) {
    CHECK_THROWS_WITH(value(large), Catch::Matchers::ContainsSubstring(large) &&
                                        Catch::Matchers::ContainsSubstring("2^63 - 1"));
    CHECK(value("'" + std::string(large) + "'") == Value(std::string(large)));
  }
  CHECK(value("17.0") == Value(17.0));
  CHECK(value("1e3") == Value(1000.0));
  CHECK(value("1E3") == Value(1000.0));
  CHECK(value("-0.0") == Value(0.0));
  CHECK(value_text(value("-0.0")) == "0");
  CHECK(value("True") == Value(true));
  CHECK(value("yes") == Value(std::string("yes")));
  CHECK(value("'17'") == Value(std::string("17")));
  CHECK(value("\"true\"") == Value(std::string("true")));
  CHECK(value("1.2.3") == Value(std::string("1.2.3")));
}

TEST_CASE("every kind has a map form") {
  CHECK(space_of("x: {choices: [a, b]}")[0] ==
        make_choices("x", {std::string("a"), std::string("b")}));
  CHECK(space_of("x: {boolean: }")[0] == make_boolean("x"));
  CHECK(space_of("x: {boolean: true}")[0] == make_boolean("x"));
  CHECK(space_of("x: {integers: [1, 9]}")[0] == make_integers("x", 1, 9));
  CHECK(space_of("x: {integers: [1, 9], step: 2}")[0] == make_integers("x", 1, 9, 2));
  CHECK(space_of("x: {range: [0, 1], step: 0.1}")[0] == make_range_by_step("x", 0, 1, 0.1));
  CHECK(space_of("x: {range: [0, 1], points: 11}")[0] == make_range("x", 0, 1, 11));
  CHECK(space_of("x: {log_range: [1e-4, 1], points: 5}")[0] == make_log_range("x", 1e-4, 1, 5));
  CHECK(space_of("x: {fixed: boolean}")[0] == make_fixed("x", std::string("boolean")));
}

TEST_CASE("the ends of ranges are chosen by name") {
  const auto of = [](const std::string& rest) { return space_of("x: {" + rest + "}")[0]; };
  CHECK(of("range: [0, 1], points: 4, ends: both") == make_range("x", 0, 1, 4, {true, true}));
  CHECK(of("range: [0, 1], points: 4, ends: low") == make_range("x", 0, 1, 4, {true, false}));
  CHECK(of("range: [0, 1], points: 4, ends: high") == make_range("x", 0, 1, 4, {false, true}));
  CHECK(of("range: [0, 1], points: 4, ends: none") == make_range("x", 0, 1, 4, {false, false}));
  CHECK(of("range: [0, 1], step: 0.25, ends: none") ==
        make_range_by_step("x", 0, 1, 0.25, {false, false}));
  CHECK(of("log_range: [1, 8], points: 3, ends: low") ==
        make_log_range("x", 1, 8, 3, {true, false}));
}

TEST_CASE("choices may be put on a scale and taken out of order") {
  const Parameter range = space_of("x: {choices: [1, 2, 5], kind: range}")[0];
  CHECK(range.kind == ParameterKind::kRange);
  CHECK(range.values == std::vector<Value>{1.0, 2.0, 5.0});
  CHECK(space_of("x: {choices: [1, 10.0], kind: log_range}")[0].kind == ParameterKind::kLogRange);
  CHECK_FALSE(space_of("x: {choices: [1, 2], ordered: false}")[0].ordered);
  CHECK(space_of("x: {choices: [1, 2], ordered: true}")[0].ordered);
  CHECK_FALSE(space_of("x: {choices: [b, a], ordered: false}")[0].ordered);
}

TEST_CASE("conditions and forbidden combinations name values") {
  const SearchSpace space = space_of(
      "policy: [greedy, ucb, random]\n"
      "c: {range: [0, 1], points: 5, when: {policy: ucb}}\n"
      "d: {choices: [1, 2], when: {policy: [random, ucb], c: [1, 0.5]}}\n"
      "e: {boolean: , when: {}}\n"
      "forbid:\n"
      "  - {policy: greedy, e: true}\n"
      "  - c: [0, 0.25]\n");
  CHECK(space.names() == std::vector<std::string>{"policy", "c", "d", "e"});
  CHECK(space[1].when == std::vector<Term>{{.parameter = 0, .values = {1}}});
  CHECK(space[2].when ==
        std::vector<Term>{{.parameter = 0, .values = {1, 2}}, {.parameter = 1, .values = {2, 4}}});
  CHECK(space[3].when.empty());
  CHECK(space.forbidden() ==
        std::vector<Clause>{{{.parameter = 0, .values = {0}}, {.parameter = 3, .values = {1}}},
                            {{.parameter = 1, .values = {0, 1}}}});
}

TEST_CASE("a list of conditions needs one that holds") {
  const SearchSpace space = space_of(
      "a: [1, 2, 3]\nb: [x, y]\n"
      "c: {integers: [1, 5], when: [{a: 1}, {b: y, a: [2, 3]}]}\nd: {boolean: , when: [{c: 5}]}\n");
  CHECK(space[2].when == std::vector<Term>{{.parameter = 0, .values = {0}}});
  CHECK(space[2].or_when == std::vector<std::vector<Term>>{{{.parameter = 1, .values = {1}},
                                                            {.parameter = 0, .values = {1, 2}}}});
  CHECK(space[3].or_when.empty());
  // a: 1, b: x or y, and a: 2 or 3, b: y have the five values of c, of which one has two of d.
  CHECK(space.size().points == 4 * 6 + 2);
  CHECK(read_space(parse_yaml(to_yaml(space_json(space)))) == space);
}

TEST_CASE("forbid may stand anywhere and be empty") {
  CHECK(space_of("forbid: [{b: 1}]\na: [1, 2]\nb: [1, 2]").forbidden().size() == 1);
  CHECK(space_of("a: [1, 2]\nforbid:").forbidden().empty());
  CHECK(space_of("a: [1, 2]\nforbid: []").forbidden().empty());
}

TEST_CASE("terms on many values of a large parameter are read in one pass") {
  std::string list;
  for (int i = 1; i < 40'000; ++i) list += std::to_string(i) + ", ";
  const SearchSpace space =
      space_of("a: {integers: [1, 60000]}\nforbid: [{a: [" + list + "40000]}]");
  CHECK(space.size().points == 20'000);
}

TEST_CASE("a space is read from a file that the study names") {
  const Folder folder;
  const fs::path study = folder.write("study.yaml", "space: inner/space.yaml\n");
  const fs::path inner = folder.write("inner/space.yaml", "x: [1, 2]\ny: {boolean: }\n");
  CHECK(read_space(*read_yaml(study).find("space")).names() == std::vector<std::string>{"x", "y"});
  const fs::path absolute = folder.write("absolute.yaml", "space: '" + inner.string() + "'\n");
  CHECK(read_space(*read_yaml(absolute).find("space")).dimensions() == 2);
}

TEST_CASE("errors in a file of a space name that file") {
  const Folder folder;
  const fs::path study = folder.write("study.yaml", "a: 1\nspace: space.yaml\n");
  const auto error = [&] {
    try {
      read_space(*read_yaml(study).find("space"));
    } catch (const InputError& input_error) {
      return std::string(input_error.what());
    }
    return std::string("no error");
  };
  CHECK(error() == study.string() +
                       ":2: space: is 'space.yaml', a map of parameters or the path of a file that "
                       "holds one is allowed; there is no file " +
                       (folder.path() / "space.yaml").string());
  const fs::path inner = folder.write("space.yaml", "x: 1\ny: []\n");
  CHECK(error() == inner.string() + ":2: y: has no values, at least one is needed");
  const fs::path scalar = folder.write("space.yaml", "study.yaml\n");
  CHECK(error() == scalar.string() + ":1: is 'study.yaml', a map of parameters is allowed");
  fs::remove(inner);
  fs::create_directories(inner);
  CHECK_THAT(error(), Catch::Matchers::ContainsSubstring("there is no file"));
}

namespace {

/// policy (greedy, ucb, rave); c of ucb and rave; k of rave; greedy with depth 3 is forbidden.
SearchSpace default_space() {
  return space_of(
      "policy: [greedy, ucb, rave]\n"
      "c: {range: [0, 1], points: 5, when: {policy: [ucb, rave]}}\n"
      "k: {integers: [1, 3], when: {policy: rave}}\n"
      "depth: {integers: [1, 3]}\n"
      "forbid: [{policy: greedy, depth: 3}]\n");
}

}  // namespace

TEST_CASE("an overlay of nothing is the default space") {
  const SearchSpace defaults = default_space();
  CHECK(laid_over(defaults, "") == defaults);
  CHECK(laid_over(defaults, "{}") == defaults);
  CHECK(laid_over(defaults, "forbid: []") == defaults);
}

TEST_CASE("an overlay replaces definitions and keeps the order of the defaults") {
  const SearchSpace space = laid_over(default_space(), "depth: [2, 3, 5]\nc: 0.5");
  CHECK(space.names() == std::vector<std::string>{"policy", "c", "k", "depth"});
  CHECK(space[3] == make_choices("depth", {std::int64_t{2}, std::int64_t{3}, std::int64_t{5}}));
  CHECK(space[1].kind == ParameterKind::kFixed);
}

TEST_CASE("an overlay keeps a default condition unless it brings its own") {
  const SearchSpace defaults = default_space();
  CHECK(laid_over(defaults, "c: [0.1, 0.2]")[1].when == defaults[1].when);
  CHECK(laid_over(defaults, "c: {choices: [0.1, 0.2], when: {}}")[1].when.empty());
  CHECK(laid_over(defaults, "c: {choices: [0.1, 0.2], when: {policy: greedy}}")[1].when ==
        std::vector<Term>{{.parameter = 0, .values = {0}}});
}

TEST_CASE("values that an overlay takes away drop out of the constraints") {
  const SearchSpace space = laid_over(default_space(), "policy: [rave, other, greedy]");
  CHECK(space[1].when == std::vector<Term>{{.parameter = 0, .values = {0}}});
  CHECK(space[2].when == std::vector<Term>{{.parameter = 0, .values = {0}}});
  CHECK(space.forbidden() ==
        std::vector<Clause>{{{.parameter = 0, .values = {2}}, {.parameter = 3, .values = {2}}}});
  CHECK(laid_over(default_space(), "depth: [1, 2]").forbidden().empty());
  CHECK(laid_over(default_space(), "depth: [3.0, 1]").forbidden() ==
        std::vector<Clause>{{{.parameter = 0, .values = {0}}, {.parameter = 3, .values = {0}}}});
}

TEST_CASE("a default condition that can never hold any more is an error") {
  CHECK(
      error_of(default_space(), "depth: 1\npolicy: [greedy, ucb]") ==
      "(text):2: policy: leaves out 'rave', without which the parameter 'k' is never active; give "
      "'k' a `when` of its own ({}: always active)");
  CHECK(
      error_of(default_space(), "policy: greedy") ==
      "(text):1: policy: leaves out 'ucb' or 'rave', without which the parameter 'c' is never "
      "active; give 'c' a `when` of its own ({}: always active)\n"
      "(text):1: policy: leaves out 'rave', without which the parameter 'k' is never active; give "
      "'k' a `when` of its own ({}: always active)");
  CHECK(error_of(default_space(),
                 "policy: greedy\nc: {fixed: 0, when: {}}\nk: {fixed: 1, when: {}}") == "no error");
}

TEST_CASE("clauses of an overlay stand beside those of the defaults") {
  const SearchSpace space = laid_over(default_space(), "forbid: [{k: 3, depth: [1, 2]}]");
  CHECK(space.forbidden().size() == 2);
  CHECK(space.forbidden()[1] ==
        Clause{{.parameter = 2, .values = {2}}, {.parameter = 3, .values = {0, 1}}});
}

TEST_CASE("an overlay names parameters of the defaults alone") {
  CHECK(error_of(default_space(), "polici: [greedy]") ==
        "(text):1: polici: there is no such parameter, did you mean 'policy'?; allowed: 'policy', "
        "'c', 'k' or 'depth'");
  CHECK(error_of(default_space(), "zzz: [greedy]") ==
        "(text):1: zzz: there is no such parameter; allowed: 'policy', 'c', 'k' or 'depth'");
  CHECK(error_of(default_space(), "c: {fixed: 1, when: {depth: 1}}") ==
        "(text):1: c.when.depth: does not stand before 'c', which cannot depend on it");
  CHECK(error_of(default_space(),
                 "policy: [greedy, ucb, rave]\ndepth: 3\nforbid: [{policy: [ucb, "
                 "rave]}]") == "(text):3: forbid: every point is forbidden");
  CHECK(error_of(default_space(), "7") ==
        "(text):1: is '7', a map of parameters or the path of a file that holds one is allowed; "
        "there is no file 7");
}

}  // namespace ntune
