// What is wrong with a file, and where.

#include <string>
#include <vector>

#include "catch.h"
#include "space/import/import.h"

namespace ntune {

using test::configspace;
using test::import_error;

namespace {

struct Case {
  std::string text;
  std::string message;  ///< after "file:"
};

void check(SpaceFormat format, const std::vector<Case>& cases, const std::string& before = "",
           const std::string& after = "") {
  for (const Case& each : cases) {
    INFO(each.text);
    CHECK(import_error(before + each.text + after, "file", format) == "file:" + each.message);
  }
}

}  // namespace

TEST_CASE("wrong parameters of ConfigSpace are refused") {
  check(
      SpaceFormat::kConfigSpace,
      {
          {"{type: constant}", "2: hyperparameters[1]: needs 'name'"},
          {"{name: x}", "2: hyperparameters[1]: needs 'type'"},
          {"7", "2: hyperparameters[1]: is '7', a map is allowed"},
          {"{name: [x], type: constant, value: 1}",
           "2: hyperparameters[1].name: is a list, a name is allowed"},
          {"{name: x, type: uniform}",
           "2: hyperparameters[1].type: is 'uniform', which is no type of a parameter; allowed: "
           "categorical, ordinal, constant, unparametrized, uniform_float, uniform_int, "
           "normal_float, normal_int, beta_float or beta_int"},
          {"{name: x, type: normal_float, mu: 0}",
           "2: hyperparameters[1]: is normal_float without bounds; give it 'lower' and 'upper'"},
          {"{name: x, type: uniform_int, lower: 0, upper: 1.5}",
           "2: hyperparameters[1].upper: is '1.5', a whole number is allowed"},
          {"{name: x, type: uniform_float, lower: 0, upper: .inf}",
           "2: hyperparameters[1].upper: is '.inf', a finite number is allowed"},
          {"{name: x, type: uniform_float, lower: 0, upper: 1, log: maybe}",
           "2: hyperparameters[1].log: is 'maybe', true or false is allowed"},
          {"{name: x, type: uniform_float, lower: 0, upper: 1, log: true}",
           "2: hyperparameters[1]: has the low end 0, a number above 0 is needed"},
          {"{name: x, type: uniform_int, lower: 0, upper: 1, log: true}",
           "2: hyperparameters[1]: is logarithmic from 0, a low end of at least 1 is needed"},
          {"{name: x, type: uniform_int, lower: 2, upper: 1}",
           "2: hyperparameters[1]: is from 2 to 1, the low end may not be above the high end"},
          {"{name: x, type: uniform_float, lower: 2, upper: 1}",
           "2: hyperparameters[1]: is from 2 to 1, the low end may not be above the high end"},
          {"{name: x, type: uniform_float, lower: -1e308, upper: 1e308}",
           "2: hyperparameters[1]: is wider than a number can say"},
          {"{name: x, type: uniform_int, lower: 0, upper: 1, q: 0}",
           "2: hyperparameters[1]: has a step below 1"},
          {"{name: x, type: uniform_float, lower: 0, upper: 1, q: -1}",
           "2: hyperparameters[1]: has a step below 0"},
          {"{name: x, type: categorical, choices: []}",
           "2: hyperparameters[1].choices: is an empty list, at least one value is needed"},
          {"{name: x, type: categorical, choices: a}",
           "2: hyperparameters[1].choices: is 'a', a list of values is allowed"},
          {"{name: x, type: categorical, choices: [a, [b]]}",
           "2: hyperparameters[1].choices[2]: is a list, a number, true, false or a text is "
           "allowed"},
          {"{name: x, type: categorical, choices: [a, b, a]}",
           "2: hyperparameters[1]: has the value 'a' twice, at places 1 and 3; values must differ"},
          {"{name: forbid, type: constant, value: 1}",
           "2: hyperparameters[1]: no parameter may be called 'forbid', which is the key of "
           "forbidden combinations"},
          {"{name: '', type: constant, value: 1}",
           "2: hyperparameters[1]: a parameter needs a name"},
          {"{name: x, type: constant, value: 1}\n- {name: x, type: constant, value: 1}",
           "3: hyperparameters[2]: a second parameter is called 'x'"},
          {"{name: " + std::string(201, 'x') + ", type: constant, value: 1}",
           "2: hyperparameters[1]: has a name of 201 bytes, at most 200 are allowed"},
      },
      "hyperparameters:\n- ", "");
}

TEST_CASE("wrong constraints of ConfigSpace are refused") {
  const std::string a = "hyperparameters: [{name: a, type: categorical, choices: [p, q]}]\n";
  check(
      SpaceFormat::kConfigSpace,
      {
          {"conditions: {}", "2: conditions: is a map, a list is allowed"},
          {"conditions: [{child: b, parent: a, type: EQ, value: p}]",
           "2: conditions[1].child: is 'b', there is no parameter of this name"},
          {"conditions: [{child: a, parent: aa, type: EQ, value: p}]",
           "2: conditions[1]: there is no parameter 'aa', did you mean 'a'?"},
          {"conditions: [{child: a, parent: a, type: EQ, value: p}]",
           "2: conditions[1]: its condition runs in a circle: it depends on itself by way of its "
           "parents"},
          {"conditions: [{child: a, type: EQ, value: p}]", "2: conditions[1]: needs 'parent'"},
          {"conditions: [{child: a, parent: a, type: EQ}]", "2: conditions[1]: needs 'value'"},
          {"conditions: [{child: a, type: OR}]", "2: conditions[1]: needs 'conditions'"},
          {"forbiddens: [{name: a, type: SAME, value: p}]",
           "2: forbiddens[1].type: is 'SAME', which is no test; allowed: EQ, EQUALS, NEQ, LT, GT, "
           "LEQ, GEQ, IN, AND, OR or RELATION"},
          {"forbiddens: [{name: a, type: EQUALS, value: r}]",
           "2: forbiddens[1]: 'r' is no value of 'a'; allowed: 'p' or 'q'"},
          {"forbiddens: [{name: a, type: IN, values: [p, q]}]",
           "2: forbiddens[1]: forbids every point"},
          {"forbiddens: [{type: AND, clauses: []}]", "2: forbiddens[1]: forbids every point"},
      },
      a);
  CHECK(import_error(a + "forbiddens: [{name: a, type: EQUALS, value: p}, {name: a, type: EQUALS, "
                         "value: q}]") == "file: every point is forbidden");
  CHECK(import_error("hyperparameters: []") == "file: holds no parameter");
}

TEST_CASE("more than 1,024 parameters are refused") {
  std::string text;
  for (int i = 1; i <= 1025; ++i) text += "p" + std::to_string(i) + " \"\" c (a, b)\n";
  CHECK(import_error(text) ==
        "file:1025:1: p1025: is one parameter more than the 1024 that a space may have");
}

TEST_CASE("wrong lines of irace are refused") {
  check(
      SpaceFormat::kIrace,
      {
          {"x c (a)",
           "2:3: x: needs a name and a switch in double quotes, like  x \"--x=\" r (0, 1)"},
          {"\"--x\" c (a)",
           "2:1: needs a name and a switch in double quotes, like  x \"--x=\" r (0, 1)"},
          {"x \"\" d (a)", "2:6: x: the type is 'd'; allowed: c, o, i, r, i,log or r,log"},
          {"x \"\" c a, b", "2:8: x: needs its values in parentheses, and '|' before a condition"},
          {"x \"\" c (a, b", "2:8: x: needs its values in parentheses, and '|' before a condition"},
          {"x \"\" c (a, b) a == 1",
           "2:8: x: needs its values in parentheses, and '|' before a condition"},
          {"x \"\" c ()", "2:8: x: has the values (), a list with commas is allowed"},
          {"x \"\" c (a,,b)", "2:8: x: has the values (a,,b), a list with commas is allowed"},
          {"x \"\" c (a, \"b)", "2:8: x: has the values (a, \"b), a list with commas is allowed"},
          {"x \"\" c (a, a)",
           "2:1: x: has the value 'a' twice, at places 1 and 2; values must differ"},
          {"x \"\" i (1)", "2:8: x: has 1 value, a range has a low and a high end"},
          {"x \"\" i (1, 2.5)",
           "2:1: x: the ends of a range of type i are whole numbers below 2^53"},
          {"x \"\" i (0, z)", "2:1: x: an end of its range names 'z', which is no parameter"},
          {"y \"\" i (1, x)\nx \"\" i (0, y)",
           "2:1: y: the ends of its range depend on each other in a circle"},
          {"y \"\" c (1, 2)\nx \"\" i (0, y)",
           "3:1: x: an end of its range depends on 'y', which has no numbers"},
          {"x \"\" i (0, sum(3))",
           "2:12: x: the end 'sum(3)' of its range cannot be calculated here: it calls a function"},
          {"x \"\" r (0, 1/0)", "2:1: x: an end of its range is no finite number"},
          {"x \"\" r (0, 1e999)", "2:12: x: '1e999' is no number"},
          {"x \"\" c (a) |", "2:12: x: needs a condition after '|'"},
          {"x \"\" c (a) | y == 1", "2:14: x: there is no parameter 'y', did you mean 'x'?"},
          {"[forbiden]", "2:1: the section is [forbiden], [forbidden] or [global] is allowed"},
          {"[global]\ndigits = 99",
           "3:1: is 'digits = 99', digits = a whole number from 0 to 15 is allowed"},
          {"[global]\nfigits = 3",
           "3:1: is 'figits = 3', digits = a whole number from 0 to 15 is allowed"},
          {"x \"\" c (\x01)", "2:9: holds the control character \\x01"},
          {"x \"\" c (\xFF)", "2:9: holds a byte that is not UTF-8, \\xff"},
      },
      "# comment\r\n");
}

TEST_CASE("wrong expressions of irace are refused") {
  check(SpaceFormat::kIrace,
        {
            {"a == ", "4:5: the end is found where a parameter or a value is expected"},
            {"a == \"x\" &", "4:11: the end is found where a parameter or a value is expected"},
            {"(a == \"x\"", "4:10: the end is found where ')' is expected"},
            {"a", "4:2: the end is found where a comparison is expected"},
            {"a == \"x\" b", "4:10: 'b' is found where an operator or the end is expected"},
            {"a = \"x\"", "4:3: '=' has no meaning here"},
            {"a == \"x", "4:6: a quote is left open"},
            {"b == 1x", "4:6: '1x' is no number"},
            {"b == \"x\"", "4:1: 'b' is compared with 'x', a number is allowed"},
            {"a %in% c(\"x\"", "4:13: the end is found where ')' is expected"},
            {"d == 1", "4:1: there is no parameter 'd', did you mean 'a'?"},
            {std::string(60, '!') + "a == \"x\"",
             "4:51: is nested deeper than the 50 levels allowed"},
            {std::string(60, '(') + "a", "4:51: is nested deeper than the 50 levels allowed"},
            {"a %in% c(c(" + std::string(200, '('),
             "4:59: is nested deeper than the 50 levels allowed"},
        },
        "a \"\" c (x, y)\nb \"\" i (1, 3)\n[forbidden]\n");
}

TEST_CASE("wrong distributions of Optuna are refused") {
  check(SpaceFormat::kOptuna,
        {
            {"[]", "1: is a list, a map of distributions is allowed"},
            {"{\"x\": 1}", "1: x: is '1', a map is allowed"},
            {"{\"x\": {}}", "1: x: needs 'type'"},
            {"{\"x\":\n {\"attributes\": {}}}", "1: x: needs 'name'"},
            {"{\"x\": {\"type\": \"normal\"}}",
             "1: x.type: is 'normal', which is no distribution; allowed: CategoricalDistribution, "
             "IntDistribution, FloatDistribution, UniformDistribution, LogUniformDistribution, "
             "DiscreteUniformDistribution, IntUniformDistribution, IntLogUniformDistribution, "
             "categorical, int or float"},
            {"{\"x\": {\"type\": \"int\", \"low\": 1}}", "1: x: needs 'high'"},
            {"{\"x\": {\"type\": \"categorical\"}}", "1: x: needs 'choices'"},
        });
}

TEST_CASE("wrong search spaces of TAG are refused") {
  check(SpaceFormat::kTag,
        {
            {"[]", "1: is a list, a map of dimensions is allowed"},
            {"{\"h\": {\"x\": 1}, \"h.x\": 2}", "1: h.x: a second parameter is called 'h.x'"},
        });
}

TEST_CASE("wrong lines of OpenBench are refused") {
  check(SpaceFormat::kOpenBench,
        {
            {"x, real, 1, 0, 2, 1, 0.002", "2: x: the type is 'real', int or float is allowed"},
            {"x, int, 1, 0, 2.5, 1, 0.002", "2: x: min and max of an int are whole numbers"},
            {"x, int, one, 0, 2, 1, 0.002", "2: x: start is 'one', a number is allowed"},
            {"x, 1, 0, 2, , 0.002", "2: x: C_end is '', a number is allowed"},
            {"x, 1, 0, inf, 1, 0.002", "2: x: max is 'inf', a number is allowed"},
            {"x, 1, 2, 2, 1, 0.002", "2: x: min must be below max"},
            {"x, 3, 0, 2, 1, 0.002", "2: x: start must lie from min to max"},
            {"x, 0, -1e308, 1e308, 1, 0.002", "2: x: min and max are too far apart"},
            {", 1, 0, 2, 1, 0.002", "2: : a parameter needs a name"},
        },
        "# SPSA\n");
}

}  // namespace ntune
