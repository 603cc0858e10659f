// The recommendation as the input of an SPSA tune.

#include <string>
#include <vector>

#include "catch.h"
#include "ntune/core/yaml.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/export/export_openbench.h"
#include "study/make.h"

namespace ntune {

namespace {

const std::string kSpace =
    "space: {Depth Limit: {integers: [1, 21], default: 4}, Margin: {range: [0, 2], step: 0.05, "
    "default: 0.5}, mode: {choices: [fast, slow], default: fast}, fixed: 3}";

const std::string kCommand =
    "objective: {match: {command: [a, '{params:json}', '{opponent.params:json}'], result: "
    "letters}}";

}  // namespace

TEST_CASE("openbench: values, ranges, c and r of numbers; what is none is named") {
  const Study study = test::study_of("{" + kCommand + ", " + kSpace + ", budget: 100}");
  const SearchSpace& space = study.objectives[0].objective->space();
  const Point point =
      read_point(parse_yaml("{Depth Limit: 7, Margin: 0.75, mode: slow, fixed: 3}"), space);
  const OpenBenchLines lines = openbench_lines(study, point);
  CHECK(lines.text ==
        "Depth Limit, int, 7, 1, 21, 1, 0.002\n"
        "Margin, float, 0.75, 0, 2, 0.1, 0.002\n");
  CHECK(lines.left_out == std::vector<std::string>{"mode"});
}

TEST_CASE("openbench: gains of SPSA by duels are handed on") {
  const Study study =
      test::study_of("{" + kCommand + ", " + kSpace +
                     ", optimiser: {algorithm: spsa_duels, gains: {Depth Limit: [2, 0.01]}}, "
                     "iterations: 100}");
  const SearchSpace& space = study.objectives[0].objective->space();
  const Point point =
      read_point(parse_yaml("{Depth Limit: 7, Margin: 0.75, mode: slow, fixed: 3}"), space);
  CHECK(openbench_lines(study, point).text.starts_with("Depth Limit, int, 7, 1, 21, 2, 0.01\n"));
}

}  // namespace ntune
