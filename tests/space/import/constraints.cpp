// Conditions and forbidden combinations of other systems.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "ntune/core/rng.h"
#include "space/import/import.h"

namespace ntune {

using test::configspace;
using test::import_error;
using test::imported;
using test::line_with;
using test::native;

namespace {

const std::string kAbc =
    "{name: a, type: categorical, choices: [p, q, r]}, {name: b, type: uniform_int, lower: 1, "
    "upper: 4}, {name: c, type: uniform_float, lower: 0, upper: 1}";
const std::string kIrace = "a \"\" c (p, q, r)\nb \"\" i (1, 4)\n";

/// The space of a, b and c where c has this condition in ConfigSpace's words.
SearchSpace with_condition(const std::string& condition) {
  return imported(configspace(kAbc, "conditions: [{child: c, " + condition + "}]"));
}

SearchSpace with_when(const std::string& when) {
  return native(
      "a: [p, q, r]\nb: {integers: [1, 4]}\nc: {range: [0, 1], points: 10, when: " + when + "}");
}

}  // namespace

TEST_CASE("ConfigSpace's conditions become lists of allowed values") {
  CHECK(with_condition("type: EQ, parent: a, value: p") == with_when("{a: p}"));
  CHECK(with_condition("type: NEQ, parent: a, value: p") == with_when("{a: [q, r]}"));
  CHECK(with_condition("type: IN, parent: a, values: [p, r]") == with_when("{a: [p, r]}"));
  CHECK(with_condition("type: GT, parent: b, value: 2") == with_when("{b: [3, 4]}"));
  CHECK(with_condition("type: LT, parent: b, value: 2.5") == with_when("{b: [1, 2]}"));
  CHECK(with_condition("type: AND, conditions: [{type: EQ, parent: a, value: p}, {type: AND, "
                       "conditions: [{type: GT, parent: b, value: 1}, {type: LT, parent: b, value: "
                       "4}]}]") == with_when("{a: p, b: [2, 3]}"));
  CHECK(with_condition("type: OR, conditions: [{type: EQ, parent: a, value: p}, {type: EQ, parent: "
                       "a, value: q}]") == with_when("{a: [p, q]}"));
  CHECK(with_condition("type: GT, parent: b, value: 0") ==
        native("a: [p, q, r]\nb: {integers: [1, 4]}\nc: {range: [0, 1], points: 10}"));
}

TEST_CASE("several conditions on one parameter hold together") {
  CHECK(imported(configspace(kAbc,
                             "conditions:\n- {child: c, type: EQ, parent: a, value: p}\n"
                             "- {child: c, type: EQ, parent: b, value: 2}")) ==
        with_when("{a: p, b: 2}"));
}

TEST_CASE("parents come before their children, the rest stays in order") {
  CHECK(imported("x \"\" c (1, 0) | y == \"b\"\nz \"\" c (u, v)\ny \"\" c (a, b) | z == \"u\"\n") ==
        native("z: [u, v]\ny: {choices: [a, b], when: {z: u}}\n"
               "x: {choices: [1, 0], ordered: false, when: {y: b}}"));
  CHECK(import_error("x \"\" c (a, b) | y == \"a\"\ny \"\" c (a, b) | x == \"a\"") ==
        "file:1:17: x: its condition runs in a circle: it depends on itself by way of its parents");
}

TEST_CASE("an 'or' of different parents becomes alternatives") {
  CHECK(imported(kIrace + "c \"\" r (0, 1) | a == \"p\" | b > 2") ==
        with_when("[{a: p}, {b: [3, 4]}]"));
  CHECK(imported(kIrace + "c \"\" r (0, 1) | !(a == \"p\" & b > 2)") ==
        with_when("[{a: [q, r]}, {b: [1, 2]}]"));
  CHECK(imported(kIrace + "c \"\" r (0, 1) | b < 2 | (a != \"r\" & (a == \"p\" | b >= 3))") ==
        with_when("[{b: 1}, {a: p}, {a: [p, q], b: [3, 4]}]"));
  CHECK(imported(kIrace + "c \"\" r (0, 1) | (a == \"p\") == (b > 2)") ==
        with_when("[{a: p, b: [3, 4]}, {a: [q, r], b: [1, 2]}]"));
  CHECK(imported(kIrace + "c \"\" r (0, 1) | (a == \"p\") != TRUE") == with_when("{a: [q, r]}"));
  for (const char* condition : {"(xor(a == \"p\", (b > 2)))", "xor(FALSE, (a == \"p\") != (b > 2))",
                                "!xor(a != \"p\", b > 2)", "xor(a == \"p\", b > 2) == TRUE"}) {
    INFO(condition);
    CHECK(imported(kIrace + "c \"\" r (0, 1) | " + condition) ==
          imported(kIrace + "c \"\" r (0, 1) | (a == \"p\") != (b > 2)"));
  }
  CHECK(imported(kIrace + "c \"\" r (0, 1) | xor(a == \"p\", b > 2)") ==
        with_when("[{a: p, b: [1, 2]}, {a: [q, r], b: [3, 4]}]"));
  CHECK(with_condition("type: OR, conditions: [{type: EQ, parent: a, value: p}, {type: EQ, parent: "
                       "b, value: 2}]") == with_when("[{a: p}, {b: 2}]"));
}

TEST_CASE("what is never active is left out, and what needs it") {
  const ImportedSpace result = import_space_text(
      "mode \"\" c (fast)\nd \"\" i (1, 3) | c %in% c(1, 2)\nc \"\" i (1, 3) | mode == \"slow\"\n"
      "e \"\" i (1, 3) | mode != \"slow\" & !(d == 1)\nf \"\" i (1, 3) | mode != \"slow\"\n"
      "[forbidden]\nd == 1 & f == 2\n",
      "file");
  CHECK(test::space_in(result.yaml) == native("mode: {choices: [fast], ordered: false}\n"
                                              "f: {integers: [1, 3]}"));
  CHECK(result.never_active == std::vector<std::string>{"d", "c", "e"});
  REQUIRE(result.warnings.size() == 7);
  CHECK(result.warnings[1] ==
        "file:3:1: c: is left out, as its condition never holds: mode == \"slow\"");
  CHECK(result.warnings[4] ==
        "file:3:17: c: 'slow' is no value of 'mode'; allowed: 'fast'; nothing equals it");
  CHECK(import_error("a \"\" c (p) | a == \"q\"") ==
        "file: holds no parameter that is ever active");
}

TEST_CASE("values that constraints name are kept") {
  CHECK(
      imported(configspace("{name: a, type: uniform_int, lower: 0, upper: 1000}, {name: b, type: "
                           "uniform_float, lower: 0, upper: 1}",
                           "forbiddens: [{type: AND, clauses: [{type: EQUALS, name: a, value: 7}, "
                           "{type: IN, name: b, values: [0.25, 1.0]}]}]"),
               "file", {.format = {}, .points = 3}) ==
      native("a: [0, 7, 500, 1000]\nb: {choices: [0, 0.25, 0.5, 1], kind: range}\n"
             "forbid: [{a: 7, b: [0.25, 1]}]"));
}

TEST_CASE("ordinals of texts are compared by their places") {
  CHECK(imported(configspace("{name: a, type: ordinal, sequence: [low, mid, high]}, {name: b, "
                             "type: constant, value: 1}",
                             "conditions: [{child: b, type: GT, parent: a, value: low}]")) ==
        native("a: [low, mid, high]\nb: {fixed: 1, when: {a: [mid, high]}}"));
}

TEST_CASE("forbidden relations are enumerated") {
  const std::string ab =
      "{name: a, type: uniform_int, lower: 1, upper: 3}, {name: b, type: uniform_int, lower: 1, "
      "upper: 3}";
  const SearchSpace expected = native(
      "a: {integers: [1, 3]}\nb: {integers: [1, 3]}\nforbid: [{a: 1, b: [2, 3]}, {a: 2, b: 3}]");
  for (const char* const relation :
       {"type: RELATION, lambda: LESS", "type: RELATION, lambda: LT", "type: RELATION_LT"}) {
    CHECK(imported(configspace(
              ab, "forbiddens: [{left: a, right: b, " + std::string(relation) + "}]")) == expected);
  }
  CHECK(
      import_error(
          configspace(ab, "forbiddens: [{left: a, right: b, type: RELATION, lambda: CALLABLE}]")) ==
      "file:2: forbiddens[1]: what is forbidden cannot be said as lists of values: a function (it "
      "is Python code); write it as tests of parameters against values, or take it out");
}

TEST_CASE("a test of a conditional parameter is about the points where it is active") {
  const std::string text =
      "a \"\" c (p, q)\nb \"\" i (1, 2) | a == \"p\"\nc \"\" c (x, y) | !(b == 1)\n"
      "[forbidden]\nb >= 1 & c == \"x\"";
  CHECK(imported(text) == native("a: [p, q]\nb: {integers: [1, 2], when: {a: p}}\n"
                                 "c: {choices: [x, y], when: {b: 2}}\n"
                                 "forbid: [{b: [1, 2], c: x}]"));
}

TEST_CASE("R that has no counterpart is refused at its column") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"b %in% 1:3", "it calculates"},
      {"b %in% c(b + 1)", "it calculates"},
      {"nchar(b) > 2", "it calls a function"},
      {"sqrt(b, 2) > 2", "it calls a function"},
      {"a + 1 > 2", "it calculates with 'a', whose values are no numbers"},
      {"b + \"p\" > 2", "it calculates with texts"},
      {"b * 2 > \"p\"", "it calculates with texts"},
      {"1 + 1 < 3", "it names no parameter"},
      {"is.na(b)", "it calls a function"},
      {"1 < 2", "it names no parameter"},
      {"a == c(\"p\", \"q\")", "it compares with a vector"},
      {"a > \"p\"", "the values of 'a' have no order"},
      {"o > \"low\"", "the values of 'o' have no order"},
      {"(b > 1) < TRUE", "it compares truth values"},
      {"b == b", "it compares a parameter with itself"},
  };
  for (const auto& [expression, reason] : cases) {
    const std::string why = " cannot be said as lists of values: " + expression + " (" + reason +
                            "); write it as tests of parameters against values, or take it out";
    const std::string space = kIrace + "o \"\" o (low, high)\n";
    CHECK(import_error(space + "[forbidden]\n  " + expression) ==
          "file:5:3: what is forbidden" + why);
    CHECK(import_error(space + "e \"\" c (u, v) | " + expression) ==
          "file:4:17: e: its condition" + why);
  }
  CHECK(
      import_error("a \"\" r (0, 1)\nb \"\" r (0, 1)\nc \"\" r (1, 2)\n"
                   "d \"\" r (\"a*b*c\", \"a+b+c\")\n") ==
      "file:4:1: d: what is forbidden cannot be said as lists of values: what lies outside of its "
      "ends (it takes more than 1000 combinations); write it as tests of parameters against "
      "values, or take it out");
}

TEST_CASE("a forbidden line that nothing satisfies is a note") {
  for (const std::string expression : {"sqrt(b - 9) > 0", "b > 4", "FALSE", "a == \"z\""}) {
    const ImportedSpace result = import_space_text(kIrace + "[forbidden]\n" + expression, "file");
    REQUIRE_FALSE(result.warnings.empty());
    CHECK(result.warnings.front() ==
          "file:4:1: forbids nothing, as no combination of the values satisfies it: " + expression);
  }
}

TEST_CASE("constraints may calculate with parameters") {
  const std::string three = "x \"\" i (1, 4)\ny \"\" i (1, 4)\nz \"\" i (0, 1)\n[forbidden]\n";
  const std::string space = "x: {integers: [1, 4]}\ny: {integers: [1, 4]}\nz: {integers: [0, 1]}\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"x + 1 > 3", "{x: [3, 4]}"},
      {"x %% 2 == 0", "{x: [2, 4]}"},
      {"-x %% 3 == 1", "{x: 2}"},
      {"2 ^ x > 2 * 4", "{x: 4}"},
      {"-x^2 < -8", "{x: [3, 4]}"},
      {"(x + y) > 7", "{x: 4, y: 4}"},
      {"x * 2 == y", "{x: 1, y: 2}, {x: 2, y: 4}"},
      {"(x - y) / 3 >= 1 & (z == 1)", "{x: 4, y: 1, z: 1}"},
      {"!(x + y < 8)", "{x: 4, y: 4}"},
      {"max(x, y, 2) < 3 & z > 0", "{x: [1, 2], y: [1, 2], z: 1}"},
      {"sqrt(x) == floor(sqrt(x)) & abs(y - 3) + 1 > 2", "{x: [1, 4], y: 1}"},
      {"x + y + z > 8", "{x: 4, y: 4, z: 1}"},
      {"1 / z > 5 & x == 1", "{x: 1, z: 0}"},
      {"min(sqrt(x - 3), 9) < 5", "{x: [3, 4]}"},
      {"min(9, sqrt(x - 3)) < 5", "{x: [3, 4]}"},
      {"max(sqrt(x - 3), 1) == 1", "{x: [3, 4]}"},
      {"max(1, sqrt(x - 3), 0) == 1", "{x: [3, 4]}"}};
  for (const auto& [expression, forbidden] : cases) {
    CAPTURE(expression);
    CHECK(imported(three + expression) == native(space + "forbid: [" + forbidden + "]"));
  }
}

TEST_CASE("irace's literals mean choices as they are written") {
  const std::string before = "a \"\" c (\"1\", 2, e-greedy)\nb \"\" r (0, 1)\n[forbidden]\n";
  const auto forbid = [&](const std::string& text) {
    return imported(before + text) ==
           native("a: ['1', 2, e-greedy]\nb: {range: [0, 1], points: 10}\nforbid: [{a: '1'}]");
  };
  CHECK(forbid("a == \"1\""));
  CHECK(forbid("a == 1"));
  CHECK(forbid("'1' == a"));
  CHECK(forbid("a %in% c(\"1\")"));
  CHECK(forbid("!a %in% c(\"2\", 'e-greedy')"));
  CHECK(forbid("a != 2 && !(a == \"e-greedy\")"));
}

namespace {

/// A random expression over a, b and c as R, and what it says of a point.
struct Twin {
  std::string text;
  std::function<bool(const Point&)> holds;
};

Twin random_test(Rng& rng) {
  const auto limit = static_cast<int>(1 + rng() % 4);
  const auto number = [](const Point& point, int i) { return point[i] + 1; };
  const std::string name = rng() % 2 == 0 ? "b" : "d";
  const int i = name == "b" ? 1 : 2;
  switch (rng() % 5) {
    case 0:
      return {name + " < " + std::to_string(limit),
              [=](const Point& point) { return number(point, i) < limit; }};
    case 1:
      return {std::to_string(limit) + " <= " + name,
              [=](const Point& point) { return limit <= number(point, i); }};
    case 2:
      return {"b > d", [=](const Point& point) { return number(point, 1) > number(point, 2); }};
    case 3:
      return {"a %in% c(\"p\", 'r')", [](const Point& point) { return point[0] != 1; }};
    default:
      return {name + " != " + std::to_string(limit),
              [=](const Point& point) { return number(point, i) != limit; }};
  }
}

Twin random_expression(Rng& rng, int depth) {
  if (depth == 0 || rng() % 4 == 0) return random_test(rng);
  const Twin first = random_expression(rng, depth - 1);
  if (rng() % 4 == 0) {
    return {"!(" + first.text + ")", [=](const Point& point) { return !first.holds(point); }};
  }
  const Twin second = random_expression(rng, depth - 1);
  if (rng() % 2 == 0) {
    return {"(" + first.text + ") & (" + second.text + ")",
            [=](const Point& point) { return first.holds(point) && second.holds(point); }};
  }
  return {"(" + first.text + " | " + second.text + ")",
          [=](const Point& point) { return first.holds(point) || second.holds(point); }};
}

}  // namespace

TEST_CASE("translated expressions forbid just the points where they hold") {
  Rng rng(11);
  int translated = 0;
  for (int run = 0; run < 500; ++run) {
    const Twin twin = random_expression(rng, 4);
    INFO(twin.text);
    const std::string text = kIrace + "d \"\" i (1, 4)\n[forbidden]\n" + twin.text;
    ImportedSpace result;
    try {
      result = import_space_text(text, "file");
    } catch (const InputError&) {
      continue;  // every point is forbidden
    }
    const SearchSpace space = test::space_in(result.yaml);
    ++translated;
    for (std::uint16_t i = 0; i < 3 * 4 * 4; ++i) {
      Point point(3);
      point[0] = i % 3;
      point[1] = i / 3 % 4;
      point[2] = static_cast<std::uint16_t>(i / 12);
      REQUIRE(space.is_allowed(point) != twin.holds(point));
    }
  }
  CHECK(translated > 400);
}

}  // namespace ntune
