// Points from YAML and as JSON.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/yaml.h"
#include "ntune/space/nested_values.h"
#include "ntune/space/space_yaml.h"
#include "space/twin.h"
#include "support/error_text.h"

namespace ntune {

namespace {

/// policy (greedy, ucb); c of ucb; one value; depth 3 with c = 0.5 is forbidden.
SearchSpace bot_space() {
  return read_space(
      parse_yaml("policy: [greedy, ucb]\n"
                 "c: {range: [0, 1], points: 3, when: {policy: ucb}}\n"
                 "version: 7\n"
                 "depth: {integers: [1, 3]}\n"
                 "forbid: [{depth: 3, c: 0.5}]\n"));
}

Point read(const std::string& yaml) { return read_point(parse_yaml(yaml, "p.yaml"), bot_space()); }

Point point_of(std::vector<std::uint16_t> indices) { return Point(std::span(indices)); }

std::string error_of(const std::string& yaml) {
  try {
    read(yaml);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a point is read by names and values in any order") {
  CHECK(read("{depth: 2, policy: ucb, c: 0.5, version: 7}") == point_of({1, 1, 0, 1}));
  CHECK(read("{policy: ucb, c: 1, depth: 1.0}") == point_of({1, 2, 0, 0}));
}

TEST_CASE("a word may be named without the quotes that a shell takes away") {
  const SearchSpace space = read_space(parse_yaml(
      "{a: ['True', 'False', ''], b: ['007', 1], c: {choices: ['1', 'x'], when: {a: True}}}"));
  const auto point = [&](const char* yaml) { return read_point(parse_yaml(yaml), space); };
  CHECK(point("{a: True, b: 007, c: 1}") == point_of({0, 0, 0}));
  CHECK(point("{a: 'False', b: 1}") == point_of({1, 1, 0}));
  CHECK(point("{a: '', b: 1.0}") == point_of({2, 1, 0}));
  CHECK(test::input_error([&] { point("{a: true, b: 1}"); }).find("is true, which is no value") !=
        std::string::npos);
}

TEST_CASE("parameters with one value and inactive ones may be left out of a point") {
  CHECK(read("{policy: greedy, depth: 3}") == point_of({0, 0, 0, 2}));
}

TEST_CASE("inactive parameters of a point are held at their first value") {
  CHECK(read("{policy: greedy, c: 0.5, depth: 3}") == point_of({0, 0, 0, 2}));
}

TEST_CASE("wrong points are refused") {
  CHECK(error_of("[1]") == "p.yaml:1: is a list, a map from parameters to their values is allowed");
  CHECK(error_of("") == "p.yaml:1: is nothing, a map from parameters to their values is allowed");
  CHECK(error_of("{policy: ucb, depth: 1}") ==
        "p.yaml:1: has no value for 'c'; allowed: 0, 0.5 or 1");
  CHECK(error_of("policy: ucb\nc: 1") == "p.yaml:1: has no value for 'depth'; allowed: 1, 2 or 3");
  CHECK(error_of("policy: ucb\nwidth_of_beam: 1") ==
        "p.yaml:2: width_of_beam: there is no such parameter; allowed: 'policy', 'c', 'version' or "
        "'depth'");
  CHECK(
      error_of("policy: ucb\ndept: 1") ==
      "p.yaml:2: dept: there is no such parameter, did you mean 'depth'?; allowed: 'policy', 'c', "
      "'version' or 'depth'");
  CHECK(error_of("policy: ucb\nc: 0.4") ==
        "p.yaml:2: c: is 0.4, which is no value of 'c'; allowed: 0, 0.5 or 1");
  CHECK(error_of("policy: [ucb]") ==
        "p.yaml:1: policy: is a list, a number, true, false or a text is allowed");
  CHECK(error_of("{policy: greedy, depth: 1, version: 8}") ==
        "p.yaml:1: version: is 8, which is no value of 'version'; allowed: 7");
  CHECK(error_of("{policy: ucb, c: 0.5, depth: 3}") ==
        "p.yaml:1: is forbidden: depth = 3, c = 0.5");
}

TEST_CASE("values that other programs nest keep their lines") {
  const SearchSpace space =
      read_space(parse_yaml("{h.class: W, h.x.K: [0.5, 1], n: {integers: [1, 5], step: 2, default: "
                            "2}, o: ['{\"args\":[1.0],\"class\":\"S\"}', 'null']}"));
  const auto flat = [&](const std::string& yaml) {
    return flat_values(parse_yaml(yaml, "a.json"), space);
  };
  const auto refused = [&](const std::string& yaml) {
    return test::input_error([&] { (void)flat(yaml); });
  };
  CHECK(flat("{h: {x: {K: 1.0}, y: 3}, n: 2, o: {class: S, args: [10e-1]}}") ==
        Json{{"h.x.K", 1}, {"n", 2}, {"o", "{\"args\":[1.0],\"class\":\"S\"}"}});
  CHECK(flat("{o: }") == Json{{"o", "null"}});
  CHECK(
      refused("h:\n  class: V\n  x:\n    K: 2\no: {class: S, args: [1]}") ==
      "a.json:2: h.class: is 'V', which is no value of 'h.class', did you mean 'W'?; allowed: 'W'\n"
      "a.json:4: h.x.K: is 2, which is no value of 'h.x.K'; allowed: 0.5 or 1\n"
      "a.json:5: o: is '{\"args\":[1],\"class\":\"S\"}', which is no value of 'o'; allowed: "
      "'{\"args\":[1.0],\"class\":\"S\"}' or 'null'");
  std::vector<std::string> foreign;
  const YamlNode agent =
      parse_yaml("{class: A, h: {x: {K: 1, J: 2}, y: 3}, n: 1, m: {n: 1}, o: 1}");
  for (const YamlNode* node : foreign_nodes(agent, {"h.class", "h.x.K", "n", "o"})) {
    foreign.push_back(node->path());
  }
  CHECK(foreign == std::vector<std::string>{"class", "h.x.J", "h.y", "m"});
}

TEST_CASE("points are written with all parameters, types kept") {
  CHECK(point_json(point_of({1, 2, 0, 1}), bot_space()).dump() ==
        R"({"policy":"ucb","c":1.0,"version":7,"depth":2})");
}

TEST_CASE("a point that is written and read is the same point") {
  Rng rng(41);
  for (int trial = 0; trial < 200; ++trial) {
    const SpaceParts parts = random_parts(rng);
    if (slow_allowed_points(parts).empty()) continue;
    const SearchSpace space(parts.parameters, parts.forbidden);
    const Point point = space.sample(rng);
    CHECK(read_point(parse_yaml(point_json(point, space).dump()), space) == point);
  }
}

}  // namespace ntune
