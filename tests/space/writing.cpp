// Search spaces as JSON, their JSON Schema, and points.

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/yaml.h"
#include "ntune/space/space_yaml.h"
#include "space/twin.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace {

SearchSpace space_of(const std::string& yaml) { return read_space(parse_yaml(yaml)); }

std::string again(const std::string& yaml) { return space_json(space_of(yaml)).dump(); }

/// A space, perhaps without its clauses, so that there is an allowed point.
SearchSpace random_space(Rng& rng) {
  const SpaceParts parts = random_parts(rng);
  return slow_allowed_points(parts).empty() ? SearchSpace(parts.parameters)
                                            : SearchSpace(parts.parameters, parts.forbidden);
}

}  // namespace

TEST_CASE("spaces are written in their short forms") {
  CHECK(again("x: [1, 2.0, a, '1', true, 'true']") == R"({"x":[1,2.0,"a","1",true,"true"]})");
  CHECK(again("x: 0.5") == R"({"x":0.5})");
  CHECK(again("x: 'range'") == R"({"x":{"fixed":"range"}})");  // bare, it would be a kind
  CHECK(again("x: {fixed: 1}") == R"({"x":1})");
  CHECK(again("x: {boolean: }") == R"({"x":{"boolean":true}})");
  CHECK(again("x: {choices: [a]}") == R"({"x":["a"]})");
  CHECK(again("x: {choices: [1, 2], ordered: false}") ==
        R"({"x":{"choices":[1,2],"ordered":false}})");
  CHECK(again("x: {choices: [2, 1], ordered: true}") == R"({"x":[2,1]})");
  CHECK(again("x: {integers: [1, 9]}") == R"({"x":{"integers":[1,9]}})");
  CHECK(again("x: {integers: [1, 8], step: 3}") == R"({"x":{"integers":[1,7],"step":3}})");
  CHECK(again("x: {integers: [4, 5], step: 3}") == R"({"x":{"integers":[4,4]}})");
  CHECK(again("x: {range: [0, 1], step: 0.25}") == R"({"x":{"range":[0.0,1.0],"points":5}})");
  CHECK(again("x: {range: [0, 1], points: 5, ends: low}") ==
        R"({"x":{"range":[0.0,0.8],"points":5}})");
  CHECK(again("x: {log_range: [1, 1000], points: 4}") ==
        R"({"x":{"log_range":[1.0,1000.0],"points":4}})");
}

TEST_CASE("ranges that ends and points would not give back are written out") {
  CHECK(again("x: {choices: [0, 1, 3], kind: range}") ==
        R"({"x":{"choices":[0.0,1.0,3.0],"kind":"range"}})");
  CHECK(again("x: {choices: [1, 2, 3], kind: log_range}") ==
        R"({"x":{"choices":[1.0,2.0,3.0],"kind":"log_range"}})");
  // Doubles lie further apart above 1: equal distances would give 1 twice.
  const std::string close =
      "[0.9999999999999997,0.9999999999999998,0.9999999999999999,1.0,1.0000000000000002]";
  CHECK(again("x: {choices: " + close + ", kind: range}") ==
        R"({"x":{"choices":)" + close + R"(,"kind":"range"}})");
}

TEST_CASE("conditions and clauses are written") {
  CHECK(again("a: [1, 2]\n"
              "b: {fixed: 7, when: {a: 1}}\n"
              "c: {choices: [x, y], when: {a: [1, 2], b: 7}}\n"
              "forbid: [{a: 1, c: y}, {c: [x, y], a: 2}]") ==
        R"({"a":[1,2],"b":{"fixed":7,"when":{"a":1}},)"
        R"("c":{"choices":["x","y"],"when":{"a":[1,2],"b":7}},)"
        R"("forbid":[{"a":1,"c":"y"},{"c":["x","y"],"a":2}]})");
}

TEST_CASE("a space that is written and read is the same space") {
  Rng rng(31);
  for (int trial = 0; trial < 400; ++trial) {
    const SearchSpace space = random_space(rng);
    const Json json = space_json(space);
    INFO(json.dump());
    CHECK(read_space(parse_yaml(json.dump())) == space);
    CHECK(read_space(parse_yaml(json.dump(2))) == space);
  }
}

TEST_CASE("ranges of all sizes are the same when written and read") {
  Rng rng(32);
  for (int trial = 0; trial < 300; ++trial) {
    const double low = (rng.uniform() - 0.5) * static_cast<double>(1 + rng.below(1000));
    const double high = low + rng.uniform() * static_cast<double>(1 + rng.below(1000));
    const int points = static_cast<int>(rng.below(40)) + 2;
    const Ends ends{.low_included = rng.below(2) == 0, .high_included = rng.below(2) == 0};
    const SearchSpace space({make_range("a", low, high, points, ends),
                             make_log_range("b", high - low, 10 * (high - low), points, ends),
                             make_range_by_step("c", low, high, (high - low) / (points + 0.5))});
    CHECK(space_of(space_json(space).dump()) == space);
  }
}

TEST_CASE("names that need quotes are written and read") {
  const SearchSpace space({make_boolean("true"), make_boolean("1"), make_boolean("a: {b"),
                           make_boolean("\"\\\n"), make_boolean("ä"), make_boolean(" "),
                           make_boolean("range")});
  CHECK(space_of(space_json(space).dump()) == space);
}

namespace {

/// Validates study files with the `jsonschema` package; the output is one 0 or 1 per instance.
std::string validity(const std::vector<std::string>& instances) {
  const test::TemporaryFolder folder;
  Json json = {{"schema", space_schema()}, {"instances", Json::array()}};
  for (const std::string& instance : instances) {
    json["instances"].push_back(instance.empty() ? Json() : to_json(parse_yaml(instance)));
  }
  std::ofstream(folder / "in.json") << json.dump();
  const std::string program =
      "import json, jsonschema, sys\n"
      "data = json.load(open(sys.argv[1]))\n"
      "checker = jsonschema.Draft202012Validator\n"
      "checker.check_schema(data['schema'])\n"
      "valid = checker(data['schema']).is_valid\n"
      "open(sys.argv[2], 'w').write(''.join(str(int(valid(i))) for i in data['instances']))\n";
  std::ofstream(folder / "check.py") << program;
  const std::string command = "PATH=/usr/bin:$PATH python3 " + (folder / "check.py").string() +
                              " " + (folder / "in.json").string() + " " + (folder / "out").string();
  std::string output = "python3 with jsonschema failed";
  if (std::system(command.c_str()) == 0) std::ifstream(folder / "out") >> output;
  return output;
}

}  // namespace

TEST_CASE("the schema accepts what is read") {
  std::vector<std::string> accepted = {
      "x: [1, 2.5, true, word]",
      "x: 3",
      "x: {boolean: }",
      "x: {boolean: true, when: {}}",
      "x: {integers: [1, 9], step: 2}",
      "x: {range: [0, 1], step: 0.1}",
      "x: {range: [0, 1], points: 11, ends: low}",
      "x: {log_range: [0.1, 1], points: 5, ends: none}",
      "x: {choices: [1, 2], kind: range}",
      "x: {choices: [1, 2], ordered: false}",
      "x: {fixed: a}\nforbid:",
      "a: [1, 2]\nb: {boolean: , when: {a: 1}}\nforbid: [{a: [1, 2], b: true}]",
  };
  for (const std::string& yaml : accepted) CHECK_NOTHROW(space_of(yaml));
  Rng rng(33);
  for (int trial = 0; trial < 100; ++trial) {
    accepted.push_back(space_json(random_space(rng)).dump());
  }
  accepted.emplace_back("spaces/bot.yaml");
  accepted.emplace_back("{}");  // over a default space
  accepted.emplace_back("");
  CHECK(validity(accepted) == std::string(accepted.size(), '1'));
}

TEST_CASE("the schema refuses what is not read") {
  const std::vector<std::string> refused = {
      "[1]",
      "x:",
      "x: []",
      "x: [1, 1]",
      "x: [[1]]",
      "x: {}",
      "x: {boolean: , step: 1}",
      "x: {boolean: false}",
      "x: {range: [0, 1]}",
      "x: {range: [0, 1], step: 0.1, points: 11}",
      "x: {range: [0, 1], pointss: 11}",
      "x: {range: [0, 1], points: 0}",
      "x: {range: [0, 1], step: 0}",
      "x: {range: [0, 1, 2], points: 3}",
      "x: {range: [0, a], points: 3}",
      "x: {range: [0, 1], points: 3, ends: lower}",
      "x: {log_range: [0, 1], points: 3}",
      "x: {log_range: [0.1, 1]}",
      "x: {integers: [1, 2.5]}",
      "x: {integers: [1, 9], step: 0}",
      "x: {choices: [1], kind: integers}",
      "x: {choices: [1], order: true}",
      "x: {fixed: [1]}",
      "x: {fixed: 1, when: [1]}",
      "x: [1, 2]\nforbid: {x: 1}",
      "x: [1, 2]\nforbid: [{}]",
      "x: [1, 2]\nforbid: [{x: []}]",
  };
  for (const std::string& yaml : refused) CHECK_THROWS_AS(space_of(yaml), InputError);
  CHECK(validity(refused) == std::string(refused.size(), '0'));
}

}  // namespace ntune
