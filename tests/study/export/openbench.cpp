// The recommendation as the input of an SPSA tune.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/yaml.h"
#include "ntune/space/import/import_space.h"
#include "ntune/space/nested_values.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/export/export.h"
#include "study/make.h"
#include "support/error_text.h"

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
  CHECK(lines.usual == std::vector<std::string>{"Depth Limit", "Margin"});
}

TEST_CASE("openbench: gains of SPSA by duels are handed on") {
  const Study study =
      test::study_of("{" + kCommand + ", " + kSpace +
                     ", optimiser: {algorithm: spsa_duels, gains: {Depth Limit: [2, 0.01]}}, "
                     "iterations: 100}");
  const SearchSpace& space = study.objectives[0].objective->space();
  const Point point =
      read_point(parse_yaml("{Depth Limit: 7, Margin: 0.75, mode: slow, fixed: 3}"), space);
  const OpenBenchLines lines = openbench_lines(study, point);
  CHECK(lines.text.starts_with("Depth Limit, int, 7, 1, 21, 2, 0.01\n"));
  CHECK(lines.usual.empty());
}

TEST_CASE("openbench: the iterate of SPSA by duels, and its last distance and rate") {
  const Study study = test::study_of("{" + kCommand + ", " + kSpace +
                                     ", optimiser: {algorithm: spsa_duels, c_end: 0.2, r_end: "
                                     "0.03}, iterations: 100}");
  const SearchSpace& space = study.objectives[0].objective->space();
  const Point point =
      read_point(parse_yaml("{Depth Limit: 7, Margin: 0.75, mode: slow, fixed: 3}"), space);
  const std::string lines =
      openbench_lines(study, point, {{"Depth Limit", "7.41"}, {"Margin", "0.7"}}).text;
  CHECK(lines ==
        "Depth Limit, int, 7.41, 1, 21, 4, 0.03\n"
        "Margin, float, 0.7, 0, 2, 0.4, 0.03\n");
  // It is read back: the start of whole numbers is rounded, and said to be.
  CHECK(import_space_text(lines, "file").warnings ==
        std::vector<std::string>{"file:1: Depth Limit: the start 7.41 is rounded to 7"});
}

TEST_CASE("openbench: what is imported comes back as it went in") {
  const std::string lines =
      "King Safety, int, 16, -64, 96, 13, 0.002\nMap[1][2], float, 0.25, 0, 1500, 1433.6, 0.0007\n";
  const ImportedSpace imported = import_space_text(lines, "file");
  const Study study = test::study_of(
      "{" + kCommand + ", space: " +
      to_yaml(space_json(read_space(*parse_yaml(imported.yaml).find("space")))) + ", budget: 100}");
  const SearchSpace& space = study.objectives[0].objective->space();
  CHECK(openbench_lines(study, default_point(space, Json::object())).text == lines);
}

TEST_CASE("openbench: a name that a line cannot hold is refused") {
  const Study study = test::study_of(
      "{" + kCommand + ", space: {'a,b': {integers: [1, 5], default: 1}}, budget: 100}");
  CHECK_THAT(
      test::input_error([&] { (void)openbench_lines(study, Point(1)); }),
      Catch::Matchers::StartsWith("parameter 'a,b': lines of OpenBench cannot hold this name"));
}

TEST_CASE("a recommendation as options of UCI, words of fastchess and an agent of TAG") {
  const SearchSpace space =
      read_space(parse_yaml("{Skill Level: [1, 2], on: [false, true], h.class: W, h.x.K: [0.5, 1], "
                            "o: ['{\"class\":\"S\"}'], "
                            "late: {choices: [1], when: {Skill Level: 1}}}"));
  const Point point = read_point(parse_yaml("{Skill Level: 2, on: true, h.x.K: 1}"), space);
  CHECK_THAT(
      settings_text(space, point, ExportTarget::kUci),
      Catch::Matchers::StartsWith("setoption name Skill Level value 2\nsetoption name on value "
                                  "true\n"));
  CHECK_THAT(settings_text(space, point, ExportTarget::kFastchess),
             Catch::Matchers::StartsWith("'option.Skill Level=2' option.on=true "));
  const Json agent = {{"Skill Level", 2},
                      {"on", true},
                      {"h", {{"class", "W"}, {"x", {{"K", 1}}}}},
                      {"o", {{"class", "S"}}}};
  CHECK(Json::parse(settings_text(space, point, ExportTarget::kTag)) == agent);
  const YamlNode back = parse_yaml(to_yaml(agent));
  CHECK(read_point(parse_yaml(to_yaml(flat_values(back, space))), space) == point);
}

}  // namespace ntune
