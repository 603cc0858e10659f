// How imported ranges become lists of values, and that names and texts survive.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "catch.h"
#include "ntune/core/rng.h"
#include "space/import/import.h"

namespace ntune {

using test::configspace;
using test::imported;
using test::line_with;
using test::native;

namespace {

struct Case {
  std::string parameter;  ///< without its name
  std::string native;
  std::string comment;
};

void check(const std::vector<Case>& cases, const std::string& before, const std::string& after,
           int points = 10) {
  for (const Case& each : cases) {
    INFO(each.parameter);
    const ImportedSpace result = import_space_text(before + each.parameter + after, "file",
                                                   {.format = {}, .points = points});
    CHECK(test::space_in(result.yaml) == native("x: " + each.native));
    const std::string line = line_with(result.yaml, "  x: ");
    CHECK(line.substr(line.find("# ") + 2) == each.comment);
  }
}

void check_configspace(const std::vector<Case>& cases, int points = 10) {
  check(cases, "hyperparameters: [{name: x, ", "}]", points);
}

}  // namespace

TEST_CASE("narrow integers keep every value, wide ones about as many as asked for") {
  check_configspace(
      {
          {"type: uniform_int, lower: 1, upper: 20", "{integers: [1, 20]}",
           "uniform_int: every value"},
          {"type: uniform_int, lower: 3, upper: 3", "{integers: [3, 3]}",
           "uniform_int: every value"},
          {"type: uniform_int, lower: 0, upper: 1000", "{integers: [0, 1000], step: 100}",
           "uniform_int: 11 of 1,001 values, evenly, both ends"},
          {"type: uniform_int, lower: 1, upper: 100, default: 50",
           "{choices: [1, 12, 23, 34, 45, 50, 56, 67, 78, 89, 100], default: 50}",
           "uniform_int: 11 of 100 values, evenly, both ends; default 50"},
          {"type: uniform_int, lower: 1, upper: 100, default: 45",
           "{integers: [1, 100], step: 11, default: 45}",
           "uniform_int: 10 of 100 values, evenly, both ends; default 45"},
          {"type: uniform_int, lower: 1, upper: 1000, log: true, default: 7",
           "{choices: [1, 2, 5, 7, 10, 22, 46, 100, 215, 464, 1000], default: 7}",
           "uniform_int, log: 11 of 1,000 values, with equal ratios as far as possible, both ends; "
           "default 7"},
          {"type: uniform_int, lower: 0, upper: 101, q: 10", "{integers: [0, 100], step: 10}",
           "uniform_int: every value (the high end 101 is no multiple of 10 away)"},
      },
      10);
  check_configspace({{"type: uniform_int, lower: 0, upper: 30", "{integers: [0, 30]}",
                      "uniform_int: every value"},
                     {"type: uniform_int, lower: 0, upper: 80", "{integers: [0, 80], step: 2}",
                      "uniform_int: 41 of 81 values, evenly, both ends"}},
                    40);
}

TEST_CASE("the widest integers are thinned too") {
  const SearchSpace space =
      imported(configspace("{name: x, type: uniform_int, lower: -9223372036854775808, upper: "
                           "9223372036854775807, default: 0}"));
  CHECK(space[0].cardinality() == 11);
  CHECK(space[0].values.front() == Value(INT64_MIN));
  CHECK(space[0].values.back() == Value(INT64_MAX));
  CHECK(space[0].find(std::int64_t{0}) > 0);
}

TEST_CASE("real ranges become as many values as asked for") {
  check_configspace(
      {
          {"type: uniform_float, lower: 0, upper: 1, default: 0.5",
           "{range: [0, 1], points: 11, default: 0.5}",
           "uniform_float: 11 values from 0 to 1, equal distances, both ends; default 0.5"},
          {"type: uniform_float, lower: 0, upper: 1, default_value: 0.25",
           "{range: [0, 1], points: 11, default: 0.25}",
           "uniform_float: 11 values from 0 to 1, equal distances, both ends; default 0.25 lies "
           "between two values"},
          {"type: uniform_float, lower: 1e-4, upper: 1, log: true",
           "{log_range: [1e-4, 1], points: 11}",
           "uniform_float, log: 11 values from 0.0001 to 1, equal ratios, both ends"},
          {"type: uniform_float, lower: 2.5, upper: 2.5", "{range: [2.5, 2.5], points: 1}",
           "uniform_float: one value"},
          {"type: uniform_float, lower: 0, upper: 1, q: 0.1", "{range: [0, 1], step: 0.1}",
           "uniform_float: every value"},
          {"type: uniform_float, lower: 0, upper: 1, q: 0.3", "{range: [0, 0.9], step: 0.3}",
           "uniform_float: every value (the high end 1 is no multiple of 0.3 away)"},
          {"type: uniform_float, lower: 0, upper: 2.4, q: 0.1", "{range: [0, 2.4], points: 13}",
           "uniform_float: 13 of 25 values, evenly, both ends"},
          {"type: normal_float, mu: 0, sigma: 1, lower: -1, upper: 1",
           "{range: [-1, 1], points: 11}",
           "normal_float: 11 values from -1 to 1, equal distances, both ends; its distribution is "
           "dropped"},
          {"type: beta_int, alpha: 2, beta: 3, lower: 0, upper: 3, default: 9",
           "{integers: [0, 3]}",
           "beta_int: every value; default 9 is none of the values; its distribution is dropped"},
      },
      11);
}

TEST_CASE("Optuna's distributions of all versions are read") {
  check(
      {
          {"{name: IntDistribution, attributes: {low: 0, high: 100, step: 10, log: false}}",
           "{integers: [0, 100], step: 10}", "IntDistribution: every value"},
          {"{name: IntLogUniformDistribution, attributes: {low: 1, high: 16, step: 1}}",
           "{integers: [1, 16]}", "IntLogUniformDistribution, log: every value"},
          {"{name: IntUniformDistribution, attributes: {low: 1, high: 3, step: 1}}",
           "{integers: [1, 3]}", "IntUniformDistribution: every value"},
          {"{name: UniformDistribution, attributes: {low: 0, high: 9}}",
           "{range: [0, 9], points: 10}",
           "UniformDistribution: 10 values from 0 to 9, equal distances, both ends"},
          {"{name: LogUniformDistribution, attributes: {low: 1, high: 1000}}",
           "{log_range: [1, 1000], points: 10}",
           "LogUniformDistribution, log: 10 values from 1 to 1000, equal ratios, both ends"},
          {"{name: DiscreteUniformDistribution, attributes: {low: 0.5, high: 2.0, q: 0.25}}",
           "{range: [0.5, 2], step: 0.25}", "DiscreteUniformDistribution: every value"},
          {"{type: float, low: 0, high: 1, step: 0.25}", "{range: [0, 1], step: 0.25}",
           "float: every value"},
          {"{type: categorical, choices: [1, 2, true, null, 'true', '0']}",
           "[1, 2, true, 'null', 'true', '0']", "categorical"},
      },
      "x: ", "");
}

TEST_CASE("irace's types are read") {
  check(
      {
          {"c (1, 2, 3)", "{choices: [1, 2, 3], ordered: false}", "c"},
          {"c (\"0\", 0, true, \"true\", 010, 1.50)", "['0', 0, true, 'true', '010', '1.50']", "c"},
          {"o (0.0, 0.50, 1.0)", "[0.0, 0.5, 1.0]", "o"},
          {"o (low, high)", "[low, high]", "o"},
          {"c (a)", "[a]", "c"},
          {"i,log (1, 1000)", "[1, 2, 5, 10, 22, 46, 100, 215, 464, 1000]",
           "i,log: 10 of 1,000 values, with equal ratios as far as possible, both ends"},
          {"r (0, 1)",
           "{choices: [0, 0.11, 0.22, 0.33, 0.44, 0.56, 0.67, 0.78, 0.89, 1], kind: "
           "range}",
           "r: 10 values from 0 to 1, equal distances, both ends, 2 decimal places"},
          {"r (0, 0.9)", "{range: [0, 0.9], points: 10}",
           "r: 10 values from 0 to 0.9, equal distances, both ends, 2 decimal places"},
      },
      "x \"\" ", "\n[global]\ndigits = 2");
}

TEST_CASE("OpenBench's values go from start in steps of C_end, or multiples of it") {
  check(
      {
          {"int, 5, 0, 10, 1, 0.002", "{integers: [0, 10], default: 5, gains: [1, 0.002]}",
           "int: 11 values, 1 apart from the start on, both ends (C_end 1); default 5"},
          {"int, 4, 2, 6, 0.5, 0.002", "{integers: [2, 6], default: 4, gains: [0.5, 0.002]}",
           "int: 5 values, 1 apart from the start on, both ends (C_end 0.5 is too fine); default "
           "4"},
          {"int, 4, 2, 6, 1.4, 0.002", "{integers: [2, 6], default: 4, gains: [1.4, 0.002]}",
           "int: 5 values, 1 apart from the start on, both ends (C_end 1.4 is rounded); default 4"},
          {"int, 4, 0, 8, 1.6, 0.002",
           "{integers: [0, 8], step: 2, default: 4, gains: [1.6, 0.002]}",
           "int: 5 values, 2 apart from the start on, both ends (C_end 1.6 is rounded); default 4"},
          {"int, 100, 0, 1000, 7, 0.002",
           "{choices: [0, 44, 100, 156, 212, 268, 324, 380, 436, 492, 548, 604, 660, 716, 772, "
           "828, 884, 940, 996, 1000], default: 100, gains: [7, 0.002]}",
           "int: 20 values, 56 apart from the start on, both ends (C_end 7 is too fine); default "
           "100"},
          {"float, 0.5, 0, 1, 0, 0.002", "{range: [0, 1], points: 11, default: 0.5}",
           "float: 11 values, 0.1 apart from the start on, both ends (C_end 0 is of no use); "
           "default 0.5"},
          {"float, 1, 0, 2, 0.1, 0.002",
           "{range: [0, 2], points: 21, default: 1.0, gains: [0.1, 0.002]}",
           "float: 21 values, 0.1 apart from the start on, both ends (C_end 0.1); default 1"},
          {"int, 4.6, 2, 6, 1, 0.002", "{integers: [2, 6], default: 5, gains: [1, 0.002]}",
           "int: 5 values, 1 apart from the start on, both ends (C_end 1); default 5; the start "
           "4.6 "
           "is rounded to 5"},
          {"4.6, 2, 6, 1, 0.002", "{integers: [2, 6], default: 5, gains: [1, 0.002]}",
           "int by its numbers: 5 values, 1 apart from the start on, both ends (C_end 1); default "
           "5; the start 4.6 is rounded to 5"},
          {"4, 2, 6, 1, 0.002, 3.5", "{integers: [2, 6], default: 4, gains: [1, 0.002]}",
           "int by its numbers: 5 values, 1 apart from the start on, both ends (C_end 1); default "
           "4"},
          {"0.5, 0, 1, 0.1, 0.002",
           "{range: [0, 1], points: 11, default: 0.5, gains: [0.1, 0.002]}",
           "float by its numbers: 11 values, 0.1 apart from the start on, both ends (C_end 0.1); "
           "default 0.5"},
          {"1, 0, 2.5, 0.5, 0.002",
           "{range: [0, 2.5], points: 6, default: 1.0, gains: [0.5, 0.002]}",
           "float by its numbers: 6 values, 0.5 apart from the start on, both ends (C_end 0.5); "
           "default 1"},
      },
      "x, ", "");
}

TEST_CASE("ends of irace's ranges may calculate and depend on others") {
  CHECK(imported("x \"\" i (2^3, 2^4)\ny \"\" r,log (10^-2, 3*5)\nz \"\" i (-(2), \"4 %% 3\")\n") ==
        native("x: {integers: [8, 16]}\ny: {log_range: [0.01, 15], points: 10}\n"
               "z: {integers: [-2, 1]}"));
  const SearchSpace space =
      imported("low \"\" i (1, min(n, 3))\nn \"\" i (2, 5)\nhigh \"\" i (\"n\", n + 2)\n");
  CHECK(space[0] == make_integers("low", 1, 3));
  CHECK(space[2] == make_integers("high", 2, 7));
  for (std::uint16_t low = 0; low < 3; ++low) {
    for (std::uint16_t n = 0; n < 4; ++n) {
      for (std::uint16_t high = 0; high < 6; ++high) {
        Point point(3);
        point[0] = low;
        point[1] = n;
        point[2] = high;
        const int size = 2 + n;
        const bool fits = 1 + low <= std::min(size, 3) && 2 + high >= size && 2 + high <= size + 2;
        CHECK(space.is_allowed(point) == fits);
      }
    }
  }
}

TEST_CASE("no value of a parent leaves a dependent parameter without any") {
  for (const char* const type : {"i,log (1, 900)", "i (1, 900)", "i (3, 12)"}) {
    const SearchSpace space = imported(std::string("n \"\" ") + type + "\nx \"\" i (n, 2 * n)\n");
    for (int n = 0; n < space[0].cardinality(); ++n) {
      int allowed = 0;
      for (int x = 0; x < space[1].cardinality(); ++x) {
        Point point(2);
        point[0] = static_cast<std::uint16_t>(n);
        point[1] = static_cast<std::uint16_t>(x);
        allowed += space.is_allowed(point) ? 1 : 0;
      }
      CHECK(allowed > 0);
    }
  }
}

TEST_CASE("choices keep what they are") {
  CHECK(imported(configspace("{name: n, type: categorical, choices: [3, 1.0, 2]}, "
                             "{name: asc, type: categorical, choices: [1, 2, 3]}, "
                             "{name: t, type: categorical, choices: ['0', \"true\", true, '', ~]}, "
                             "{name: o, type: ordinal, sequence: [30, 10, 0]}, "
                             "{name: w, type: ordinal, sequence: [low, high]}, "
                             "{name: c, type: constant, value: boolean}, "
                             "{name: u, type: unparametrized, value: 1e-6}")) ==
        native("n: [3, 1.0, 2]\nasc: {choices: [1, 2, 3], ordered: false}\n"
               "t: ['0', 'true', true, '', 'null']\no: [30, 10, 0]\nw: [low, high]\n"
               "c: 'boolean'\nu: 1.0e-6\n"));
}

TEST_CASE("names and texts of any kind survive") {
  Rng rng(7);
  const std::vector<std::string> pieces = {
      "a",  " ", "'", "\"",     "\\",     "#",      ": ",   ",",    "[",      "}", "\n",
      "\t", "é", "😀", "~",      "-",      "no",     "null", "\x7F", "\u0085", "0", "!",
      "&",  "*", "%", "\u2028", "\u009b", "\uFEFF", "|",    ">",    "`",      "@"};
  const auto text = [&] {
    std::string result;
    for (auto left = 1 + rng() % 6; left > 0; --left) result += pieces[rng() % pieces.size()];
    return result;
  };
  for (int i = 0; i < 300; ++i) {
    const std::string name = text();
    Json json = {{"class", text()}, {name, {text() + "1", text() + "2"}}, {text() + "x", text()}};
    std::string source = json.dump();
    for (std::size_t at; (at = source.find('\x7F')) != std::string::npos;) {
      source.replace(at, 1, "\\u007f");
    }
    INFO(source);
    const ImportedSpace result = import_space_text(source, text(), {.format = SpaceFormat::kTag});
    const SearchSpace space = test::space_in(result.yaml);
    REQUIRE(space.find(name) >= 0);
    CHECK(std::get<std::string>(space[space.find(name)].values[0]) ==
          json[name][0].get<std::string>());
    CHECK(result.yaml.find('\x7F') == std::string::npos);
    CHECK(result.yaml.find("\u009b") == std::string::npos);
  }
}

}  // namespace ntune
