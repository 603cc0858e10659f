// Default values of parameters.

#include <string>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/yaml.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;

namespace {

SearchSpace space_of(const std::string& yaml, const SearchSpace* defaults = nullptr) {
  return read_space(parse_yaml(yaml, "s.yaml"), defaults);
}

std::string default_text(const SearchSpace& space, const Json& others = Json::object()) {
  try {
    return space.text(default_point(space, others));
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("every kind of definition may declare a default") {
  const std::string yaml =
      "{a: {choices: [x, y], default: y}, b: {integers: [1, 9], default: 4},"
      " c: {range: [0, 1], step: 0.25, default: 0.5}, d: {log_range: [1, 100], points: 3, default: "
      "10},"
      " e: {boolean: true, default: true}, f: 7}";
  const SearchSpace space = space_of(yaml);
  CHECK(default_text(space) == "a = y, b = 4, c = 0.5, d = 10, e = true, f = 7");
  CHECK(read_space(parse_yaml(to_yaml(space_json(space)))) == space);
}

TEST_CASE("a default that is no value is refused") {
  CHECK_THROWS_WITH(space_of("{a: {integers: [1, 3], default: 4}}"),
                    ContainsSubstring("s.yaml:1: a.default: is scalar '4', one of its values is "
                                      "allowed: 1, 2 or 3") ||
                        ContainsSubstring("one of its values is allowed: 1, 2 or 3"));
}

TEST_CASE("a definition without a default keeps the old one if it is still a value") {
  const SearchSpace old = space_of("{a: {choices: [1, 2, 3], default: 2}}");
  CHECK(default_text(space_of("{a: [0, 2]}", &old)) == "a = 2");
  CHECK_THAT(default_text(space_of("{a: [0, 1]}", &old)), ContainsSubstring("a: has no default"));
}

TEST_CASE("what the space does not declare comes from the objective") {
  const SearchSpace space = space_of("{a: [1, 2], b: {choices: [x, y], default: y}}");
  CHECK(default_text(space, {{"a", 2}, {"b", "x"}}) == "a = 2, b = y");
  CHECK_THAT(default_text(space, {{"a", 5}}), ContainsSubstring("a: is 5, which is no value"));
  CHECK_THAT(default_text(space), ContainsSubstring("a: has no default; give it one in the space, "
                                                    "such as {choices: [1, …], default: 1}"));
}

}  // namespace ntune
