// SMAC's PCS files in both forms.

#include <string>
#include <vector>

#include "catch.h"
#include "space/import/import.h"

namespace ntune {

using test::import_error;
using test::imported;
using test::native;

namespace {

const std::string kOldPcs =
    "# a solver\n"
    "--mode {tabu,walk, mix}[walk] # how\n"
    "p:noise[0.01, 1.00] [0.5]l\n"
    "steps [1,1000] [10]il\n"
    "len [0,5][3]i\n"
    "level {0,1,2}[1]\n";

const std::string kOldSpace =
    "'--mode': {choices: [tabu, walk, mix], ordered: false, default: walk}\n"
    "'p:noise': {log_range: [0.01, 1], points: 10, default: 0.5}\n"
    "steps: {choices: [1, 2, 5, 10, 22, 46, 100, 215, 464, 1000], default: 10}\n"
    "len: {integers: [0, 5], default: 3%}\n"
    "level: {choices: [0, 1, 2], ordered: false, default: 1@}\n";

/// The space of the old file with these conditions of `len` and `level`.
SearchSpace old_space(const std::string& len, const std::string& level,
                      const std::string& forbid = "") {
  std::string yaml = kOldSpace;
  yaml.replace(yaml.find('%'), 1, len);
  yaml.replace(yaml.find('@'), 1, level);
  return native(yaml + forbid);
}

std::string pcs_error(const std::string& text) {
  return import_error(text, "f.pcs", SpaceFormat::kPcs);
}

}  // namespace

TEST_CASE("PCS in its old form is read whole") {
  CHECK(imported(kOldPcs) == old_space("", ""));
  CHECK(imported(kOldPcs + "Conditionals:\nlen|--mode in {tabu,mix}\nlevel | len in {1, 2}\n"
                           "level|--mode in   {mix}\nForbidden:\n{ len=1 , level=2 } # no\n"
                           "{--mode=mix, p:noise=0.01}\n") ==
        old_space(", when: {'--mode': [tabu, mix]}", ", when: {'--mode': mix, len: [1, 2]}",
                  "forbid: [{len: 1, level: 2}, {'--mode': mix, 'p:noise': 0.01}]"));
}

TEST_CASE("PCS in its new form is read whole") {
  const std::string parameters =
      "algo categorical {as, acs, 'x'} [as]\n"
      "size ordinal {small, medium, large} [medium]\n"
      "ants integer [1, 9] [5]\n"
      "rho real [1e-4, 1.0] [0.01]log\n"
      "q real [0, 1] [0]\n";
  const auto with = [](const std::string& when, const std::string& forbid = "") {
    return native(
        "algo: {choices: [as, acs, \"'x'\"], default: as}\n"
        "size: {choices: [small, medium, large], default: medium}\n"
        "ants: {integers: [1, 9], default: 5}\n"
        "rho: {log_range: [1.0e-4, 1], points: 10, default: 0.01}\n"
        "q: {range: [0, 1], points: 10, default: 0" +
        when + "}\n" + forbid);
  };
  CHECK(imported(parameters) == with(""));
  CHECK(imported(parameters + "q | algo == acs && ants > 7\n") ==
        with(", when: {algo: acs, ants: [8, 9]}"));
  CHECK(imported(parameters + "q | algo != acs || size > small && ants <= 2\n") ==
        with(", when: [{algo: [as, \"'x'\"]}, {size: [medium, large], ants: [1, 2]}]"));
  CHECK(imported(parameters + "q | (algo == as || ants == 3) && size in {large}\n") ==
        with(", when: [{algo: as, size: large}, {size: large, ants: 3}]"));
  CHECK(imported(parameters + "{algo == as && ants > 7}\n{ants * 2 > 17}\n") ==
        with("", "forbid: [{algo: as, ants: [8, 9]}, {ants: 9}]"));
}

TEST_CASE("wrong lines of PCS are refused with line and column") {
  CHECK(pcs_error("a {x, y} [z]") == "f.pcs:1:1: a: the default 'z' is none of its values");
  CHECK(
      pcs_error("\n  a real {x} [x]") ==
      "f.pcs:2:5: the type is 'real'; allowed: categorical or ordinal before {…}, integer or real "
      "before […]");
  CHECK(pcs_error("a [1, 5] [7]i") == "f.pcs:1:1: a: the default 7 lies outside of its range");
  CHECK(pcs_error("a [1, 5] [3]x") ==
        "f.pcs:1:13: is 'x'; i, l, il or log is allowed, and # before a comment");
  CHECK(pcs_error("a [1, 2.5] [2]i") ==
        "f.pcs:1:1: a: 2.5 is not whole, which an integer range needs");
  CHECK(pcs_error("a [1, high] [2]") == "f.pcs:1:1: a: 'high' is no number, which a range needs");
  CHECK(pcs_error("a {x, y [x]") == "f.pcs:1:3: needs its values in {} here");
  CHECK(pcs_error("a {x, y} [x]\nb | a in {x}") == "f.pcs:2:1: there is no parameter 'b'");
  CHECK(pcs_error("a {x} [x]\nb {1} [1]\nb | a in {q}") ==
        "f.pcs:3:1: b: 'q' is no value of 'a'; allowed: 'x'");
  CHECK(pcs_error("a {x} [x]\n{a=x") == "f.pcs:2:1: is a forbidden combination without its end, }");
  CHECK_THAT(pcs_error("a {x} [x]\nb {y} [y]\nb | " + std::string(60, '(') + "a == x" +
                       std::string(60, ')')),
             Catch::Matchers::EndsWith("is nested deeper than the 50 levels allowed"));
  CHECK(pcs_error("a {x} [x]\n{c=x}") == "f.pcs:2:3: '=' has no meaning here");
}

TEST_CASE("a default that is forbidden is kept, and told") {
  const std::string text = "a {x,y}[x]\nb [1,5][2]i\n{a=x, b=2}\n";
  const ImportedSpace imported = import_space_text(text, "a.pcs");
  CHECK(test::space_in(imported.yaml).parameters()[1].default_index == 1);
  CHECK(imported.warnings ==
        std::vector<std::string>{"a.pcs: the default is forbidden: a = 'x', b = 2; a study of this "
                                 "space needs `default: none`, or another default"});
  CHECK(import_space_text("a {x,y}[x]\nb [1,5][2]i\n{a=y, b=2}\n", "a.pcs").warnings.empty());
}

}  // namespace ntune
