// What is said of wrong search spaces.

#include <string>
#include <vector>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/yaml.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

namespace {

struct Message {
  std::string yaml;
  std::string expected;  ///< after "s.yaml:"
};

void check(const std::vector<Message>& table) {
  for (const auto& [yaml, expected] : table) {
    INFO(yaml);
    std::string message = "no error";
    try {
      read_space(parse_yaml(yaml, "s.yaml"));
    } catch (const InputError& error) {
      message = error.what();
    }
    CHECK(message == "s.yaml:" + expected);
  }
}

constexpr const char* kKinds = "choices, boolean, integers, range, log_range or fixed";

}  // namespace

TEST_CASE("a space that is no map is refused") {
  check({
      {"", "1: is nothing, a map of parameters is allowed"},
      {"[1]", "1: is a list, a map of parameters is allowed"},
      {"{}", "1: a search space needs at least one parameter"},
      {"# nothing\nforbid: []", "2: forbid: a search space needs at least one parameter"},
      {"no_file",
       "1: is 'no_file', a map of parameters or the path of a file that holds one is "
       "allowed; there is no file no_file"},
  });
}

TEST_CASE("a definition that is none is refused") {
  check({
      {"x:",
       std::string("1: x: is nothing; a list of values, one value or a map is allowed, with ") +
           kKinds},
      {"x: {}", std::string("1: x: is a map without a kind of parameter; allowed: ") + kKinds},
      {"x: {points: 3}",
       std::string("1: x: is a map without a kind of parameter; allowed: ") + kKinds},
      {"a: 1\nx:\n  points: 3\n  rang: [0, 1]",
       std::string("4: x.rang: unknown kind of parameter, did you mean 'range'?; allowed: ") +
           kKinds},
      {"x: {range: [0, 1], choices: [1]}",
       "1: x: is both 'choices' and 'range', one kind is allowed"},
      {"'': [1]", "1: a parameter needs a name"},
  });
}

TEST_CASE("a bare word that is the name of a kind is refused") {
  check({
      {"x: boolean",
       "1: x: is 'boolean', a kind of parameter: write it like {boolean: }, or quote it "
       "for a text"},
      {"x: choices",
       "1: x: is 'choices', a kind of parameter: write it like {choices: [a, b]}, or "
       "quote it for a text"},
      {"x: integers",
       "1: x: is 'integers', a kind of parameter: write it like {integers: [1, 9]}, or "
       "quote it for a text"},
      {"x: range",
       "1: x: is 'range', a kind of parameter: write it like {range: [0, 1], points: 11}, "
       "or quote it for a text"},
      {"x: log_range",
       "1: x: is 'log_range', a kind of parameter: write it like {log_range: [0.01, "
       "1], points: 3}, or quote it for a text"},
      {"x: fixed",
       "1: x: is 'fixed', a kind of parameter: write it like {fixed: 1}, or quote it for "
       "a text"},
  });
}

TEST_CASE("wrong values are refused") {
  check({
      {"x: []", "1: x: has no values, at least one is needed"},
      {"x: {choices: []}", "1: x.choices: has no values, at least one is needed"},
      {"x: {choices: 3}", "1: x.choices: is '3', a list of values is allowed"},
      {"x:\n  - 1\n  - [2]", "3: x[2]: is a list, a number, true, false or a text is allowed"},
      {"x: [{a: 1}]", "1: x[1]: is a map, a number, true, false or a text is allowed"},
      {"x: [1, null]", "1: x[2]: is nothing, a number, true, false or a text is allowed"},
      {"x: {fixed: [1]}", "1: x.fixed: is a list, a number, true, false or a text is allowed"},
      {"x: [.inf]", "1: x[1]: is '.inf', a finite number is allowed (or a text, in quotes)"},
      {"x: [1, -.inf]", "1: x[2]: is '-.inf', a finite number is allowed (or a text, in quotes)"},
      {"x: .nan", "1: x: is '.nan', a finite number is allowed (or a text, in quotes)"},
      {"x: 1e999", "1: x: is '1e999', a finite number is allowed (or a text, in quotes)"},
      {"x: [1, 2, 1.0]", "1: x: has the value 1 twice, at places 1 and 3; values must differ"},
      {"x: [a, 'a']", "1: x: has the value 'a' twice, at places 1 and 2; values must differ"},
      {"x: {choices: [true, True]}",
       "1: x.choices: has the value true twice, at places 1 and 2; values must differ"},
      {"x: {choices: [null, a, null]}",
       "1: x.choices: has the value null twice, at places 1 and 3; values must differ"},
  });
}

TEST_CASE("more than 65,535 values are refused") {
  std::string list = "x: [0";
  for (int i = 1; i < 65'536; ++i) list += "," + std::to_string(i);
  check({
      {list + "]", "1: x: has 65,536 values, at most 65,535 are allowed"},
      {"x: {integers: [0, 70000]}",
       "1: x.integers: gives 70,001 values, at most 65,535 are allowed"},
      {"x: {range: [0, 1], step: 1e-6}",
       "1: x.range: gives 1,000,001 values, at most 65,535 are allowed"},
      {"x: {range: [0, 1], points: 65536}",
       "1: x.points: is '65536', a whole number from 1 to 65535 is allowed"},
  });
}

TEST_CASE("keys without a value are refused") {
  check({
      {"x: {range: }", "1: x.range: is nothing; give the key a value or leave it out"},
      {"x: {range: [0, 1], points: }",
       "1: x.points: is nothing; give the key a value or leave it out"},
      {"x: {boolean: , when: }", "1: x.when: is nothing; give the key a value or leave it out"},
  });
}

TEST_CASE("keys that a kind does not have are refused") {
  check({
      {"x: {boolean: , step: 1}",
       "1: x.step: unknown key; allowed: boolean, when, default and gains"},
      {"x: {range: [0, 1], pointss: 11}",
       "1: x.pointss: unknown key, did you mean 'points'?; "
       "allowed: range, step, points, ends, when, default and gains"},
      {"x: {log_range: [1, 2], step: 1}",
       "1: x.step: unknown key; allowed: log_range, points, ends, when, default and gains"},
      {"x: {integers: [1, 2], points: 1}",
       "1: x.points: unknown key; allowed: integers, step, when, default and gains"},
      {"x: {fixed: 1, kind: range}",
       "1: x.kind: unknown key; allowed: fixed, when, default and gains"},
      {"x: {choices: [1], orderd: false}",
       "1: x.orderd: unknown key, did you mean 'ordered'?; allowed: "
       "choices, kind, ordered, when, default and gains"},
  });
}

TEST_CASE("wrong booleans, integers and choices are refused") {
  check({
      {"x: {boolean: false}", "1: x.boolean: is 'false', nothing or true is allowed"},
      {"x: {boolean: [false, true]}", "1: x.boolean: is a list, nothing or true is allowed"},
      {"x: {integers: [1, 2.5]}",
       "1: x.integers[2]: is '2.5', one of two whole numbers is allowed"},
      {"x: {integers: 3}",
       "1: x.integers: is '3', a list [low, high] of two whole numbers is allowed"},
      {"x: {integers: [9, 1]}",
       "1: x.integers: is from 9 to 1, the low end may not be above the high end"},
      {"x: {integers: [1, 9], step: 0}", "1: x.step: is '0', a whole number at least 1 is allowed"},
      {"x: {choices: [1, 2], kind: rage}",
       "1: x.kind: is 'rage', did you mean 'range'?; allowed: choices, range or log_range"},
      {"x: {choices: [1, a], kind: range}",
       "1: x.choices: is a range, which means ascending real numbers"},
      {"x: {choices: [0, 1], kind: log_range}",
       "1: x.choices: is a log_range, which means ascending real numbers above 0"},
      {"x: {choices: [1, a], ordered: true}",
       "1: x.ordered: is true, which only ascending or descending numbers allow"},
      {"x: {choices: [1, 2], ordered: maybe}",
       "1: x.ordered: is 'maybe', true or false is allowed"},
  });
}

TEST_CASE("wrong ranges are refused") {
  check({
      {"x: {range: [0, 1]}", "1: x.range: needs 'step' or 'points'"},
      {"x: {range: [0, 1], step: 0.1, points: 11}",
       "1: x.range: has both 'step' and 'points', one of them is allowed"},
      {"x: {range: [0, 1], points: 0}",
       "1: x.points: is '0', a whole number from 1 to 65535 is allowed"},
      {"x: {range: [0, 1], points: 2.5}",
       "1: x.points: is '2.5', a whole number from 1 to 65535 is allowed"},
      {"x: {range: [0, 1], points: 1}",
       "1: x.range: has 1 point, at least 2 are needed to include both ends"},
      {"x: {range: [1, 1], points: 2}",
       "1: x.range: is from 1 to 1, which leaves room for one point"},
      {"x: {range: [0, 1], step: 0}", "1: x.step: is '0', a number above 0 is allowed"},
      {"x: {range: [0, 1], step: -1}", "1: x.step: is '-1', a number above 0 is allowed"},
      {"x: {range: [0, 1], step: .inf}", "1: x.step: is '.inf', a number above 0 is allowed"},
      {"x: {range: [0, 1], step: 1, ends: none}",
       "1: x.range: from 0 to 1 by 1 holds no value: its ends are left out"},
      {"x: {range: [1, 0], points: 3}",
       "1: x.range: is from 1 to 0, the low end may not be above the high end"},
      {"x: {range: [0, .inf], points: 3}",
       "1: x.range: is from 0 to inf, finite numbers are allowed"},
      {"x: {range: [0], points: 3}",
       "1: x.range: is a list of 1, a list [low, high] of two numbers is allowed"},
      {"x: {range: {low: 0, high: 1}, points: 3}",
       "1: x.range: is a map, a list [low, high] of two numbers is allowed"},
      {"x: {range: [0, a], points: 3}", "1: x.range[2]: is 'a', one of two numbers is allowed"},
      {"x: {range: ['0', 1], points: 3}", "1: x.range[1]: is '0', one of two numbers is allowed"},
      {"x: {range: [0, 1], points: 3, ends: lower}",
       "1: x.ends: is 'lower'; allowed: both, low, high or none"},
      {"x: {log_range: [0, 1], points: 3}",
       "1: x.log_range: has the low end 0, a number above 0 is needed"},
      {"x: {log_range: [-2, -1], points: 3}",
       "1: x.log_range: has the low end -2, a number above 0 is needed"},
      {"x: {log_range: [1, 2]}", "1: x.log_range: needs 'points'"},
  });
}

TEST_CASE("wrong forbidden combinations are refused") {
  const std::string ab = "alpha: [1, 2]\nbeta: [yes, no, perhaps]\n";
  const std::string list =
      "is a map, a list of forbidden combinations is allowed (no parameter may be called 'forbid')";
  check({
      {ab + "forbid: {alpha: 1}", "3: forbid: " + list},
      {"forbid: {boolean: }", "1: forbid: " + list},
      {"forbid: [1]", "1: forbid[1]: is '1', a map from parameters to their values is allowed"},
      {ab + "forbid:\n  - alpha: 1\n  - {}",
       "5: forbid[2]: forbids nothing; name at least one parameter"},
      {ab + "forbid: [{alpa: 1}]",
       "3: forbid[1].alpa: there is no such parameter, did you mean "
       "'alpha'?; allowed: 'alpha' or 'beta'"},
      {ab + "forbid: [{alpha: 3}]",
       "3: forbid[1].alpha: is 3, which is no value of 'alpha'; allowed: 1 or 2"},
      {ab + "forbid: [{alpha: '1'}]",
       "3: forbid[1].alpha: is '1', which is no value of 'alpha'; allowed: 1 or 2"},
      {ab + "forbid: [{alpha: true}]",
       "3: forbid[1].alpha: is true, which is no value of 'alpha'; allowed: 1 or 2"},
      {ab + "forbid: [{beta: [yes, perhap]}]",
       "3: forbid[1].beta[2]: is 'perhap', which is no value of 'beta', did you mean 'perhaps'?; "
       "allowed: 'yes', 'no' or 'perhaps'"},
      {ab + "forbid: [{alpha: [1, 1.0]}]", "3: forbid[1].alpha: has the value 1 twice"},
      {ab + "forbid: [{alpha: []}]",
       "3: forbid[1].alpha: is an empty list, at least one value is needed"},
      {ab + "forbid: [{alpha: }]",
       "3: forbid[1].alpha: is nothing, a number, true, false or a text is allowed"},
      {ab + "forbid: [{alpha: {beta: 1}}]",
       "3: forbid[1].alpha: is a map, a number, true, false or a text is allowed"},
      {ab + "forbid: [{alpha: [1, 2]}]", "3: forbid: every point is forbidden"},
      {"x: {integers: [1, 60000]}\nforbid: [{x: 0}]",
       "2: forbid[1].x: is 0, which is no value of 'x'; allowed: 1, 2, 3, 4, 5, 6, 7, 8, …, 60000 "
       "(60,000 values)"},
  });
}

TEST_CASE("wrong conditions are refused") {
  check({
      {"a: [1, 2]\nb: {boolean: , when: {c: 1}}\nc: [1, 2]",
       "2: b.when.c: does not stand before 'b', which cannot depend on it"},
      {"a: [1, 2]\nb: {boolean: , when: {b: true}}",
       "2: b.when.b: does not stand before 'b', which cannot depend on it"},
      {"policy: [1, 2]\nb: {boolean: , when: {polcy: 1}}",
       "2: b.when.polcy: there is no such parameter, did you mean 'policy'?; allowed: 'policy'"},
      {"b: {boolean: , when: {x: 1}}", "1: b.when.x: there is no such parameter; allowed: none"},
      {"a: [1, 2]\nb: {boolean: , when: {a: 3}}",
       "2: b.when.a: is 3, which is no value of 'a'; allowed: 1 or 2"},
      {"a: [1, 2]\nb: {boolean: , when: a}",
       "2: b.when: is 'a', a map from parameters to their values is allowed"},
      {"a: [1, 2]\nb: {boolean: , when: []}",
       "2: b.when: is an empty list, at least one map is needed"},
      {"a: [1, 2]\nb: {boolean: , when: [{a: 1}, {}]}",
       "2: b.when[2]: names no parameter, so that the others say nothing"},
      {"a: [1, 2]\nb: {boolean: , when: [{a: 1}, {a: 3}]}",
       "2: b.when[2].a: is 3, which is no value of 'a'; allowed: 1 or 2"},
      {"a: {choices: [1, 2], gains: [1, 0]}", "1: a.gains: must be two numbers above 0"},
      {"a: {choices: [p, q], gains: [1, 1]}",
       "1: a.gains: is of SPSA, which moves along ordered numbers alone"},
  });
}

TEST_CASE("too many parameters are refused") {
  std::string yaml;
  for (int i = 0; i < 1025; ++i) yaml += "p" + std::to_string(i) + ": [1, 2]\n";
  check({{yaml, "1: the space has 1025 parameters, at most 1024 are allowed"}});
}

}  // namespace ntune
