// Default values of parameters.

#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/rng.h"
#include "ntune/core/yaml.h"
#include "ntune/space/parameter.h"
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
  const auto refusal = [](const std::string& definition) {
    try {
      space_of("{a: " + definition + "}");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(refusal("{choices: [1, 3], default: 2}") ==
        "s.yaml:1: a.default: is 2, one of its values is allowed: 1 or 3");
  CHECK(refusal("{fixed: 1, default: 2}") ==
        "s.yaml:1: a.default: is 2, one of its values is allowed: 1");
  CHECK(refusal("{integers: [1, 3], default: 1.5}") ==
        "s.yaml:1: a.default: is 1.5, a whole number or one of its values is allowed: 1, 2 or 3");
  CHECK(refusal("{range: [0, 1], points: 2, default: low}") ==
        "s.yaml:1: a.default: is 'low', a number or one of its values is allowed: 0 or 1");
}

TEST_CASE("a default of integers or a range may lie off the grid") {
  const SearchSpace space = space_of(
      "{a: {integers: [1, 9], step: 4, default: 4}, b: {log_range: [1, 100], points: 3, default: "
      "40},"
      " c: {range: [0, 1], points: 2, default: 2}, d: {boolean: true, default: true}}");
  CHECK(default_text(space) == "a = 4, b = 40, c = 2, d = true");
  CHECK(read_space(parse_yaml(to_yaml(space_json(space)))) == space);
  CHECK(space.size().points == 3 * 3 * 2 * 2);

  const Point point = default_point(space, Json::object());
  CHECK(point[0] == 3);
  CHECK_FALSE(space.is_allowed(point));
  CHECK(space.can_be_evaluated(point));
  REQUIRE(space.nearest_on_grid(point));
  CHECK(space.text(*space.nearest_on_grid(point)) == "a = 5, b = 100, c = 1, d = true");
  CHECK(read_point(parse_yaml(to_yaml(point_json(point, space))), space) == point);
  CHECK_THROWS_WITH(read_point(parse_yaml("{a: 3, b: 1, c: 0, d: true}"), space),
                    ContainsSubstring("a: is 3, which is no value of 'a'; allowed: 1, 5 or 9, or "
                                      "its default 4"));

  Rng rng(1);
  for (int i = 0; i < 1000; ++i) CHECK(space.is_allowed(space.sample(rng)));
  space.for_each_point([&](const Point& each) {
    CHECK(each != point);
    return true;
  });
}

TEST_CASE("a default off the grid obeys conditions and forbidden combinations") {
  const SearchSpace space = space_of(
      "{n: {integers: [2, 4], default: 1}, m: {choices: [x, y], default: y, when: {n: 2}},"
      " k: {choices: [a, b], default: b}, forbid: [{n: 2, k: b}]}");
  const Point point = default_point(space, Json::object());
  CHECK(space.text(point) == "n = 1, m = y, k = b");
  CHECK_FALSE(space.is_active(point, 1));
  CHECK(space.can_be_evaluated(point));
  CHECK_FALSE(space.nearest_on_grid(point));  // n = 2 goes with k = a alone
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

TEST_CASE("the place of a default off the grid is between its neighbours, or at an end") {
  const SearchSpace space = space_of(
      "{a: {integers: [0, 90], step: 10, default: 21}, b: {log_range: [1, 100], points: 3, "
      "default: "
      "40}, c: {range: [0, 1], points: 5, default: 2}, d: {range: [0, 1], points: 5, default: -3},"
      " e: {integers: [0, 90], step: 10, default: 20}, f: {log_range: [1, 100], points: 3, "
      "default: "
      "0}}");
  const Point point = default_point(space, Json::object());
  const auto place = [&](int i) { return place_of(space[i], point[i]); };
  CHECK(place(0) == Approx(2.1));
  CHECK(place(1) == Approx(std::log10(40.0)));
  CHECK(place(2) == 4.0);
  CHECK(place(3) == 0.0);
  CHECK(place(4) == 2.0);
  CHECK(place(5) == 0.0);
  for (int i = 0; i < 6; ++i) {
    CHECK(std::abs(space[i].nearest_on_grid(point[i]) - place(i)) <= 0.5);
    for (int value = 0; value < space[i].cardinality(); ++value) {
      CHECK(place_of(space[i], value) == value);
    }
  }
  // Of two that are as near the first.
  const SearchSpace between = space_of("{a: {integers: [0, 90], step: 10, default: 25}}");
  CHECK(between[0].nearest_on_grid(10) == 2);
}

TEST_CASE("an inactive parameter has its default, and is one point all the same") {
  const SearchSpace space = space_of(
      "{g: {choices: [off, on], default: off}, b: {integers: [1, 4], default: 3, when: {g: [on]}},"
      " c: {integers: [1, 4], default: 9, when: {g: [on]}}, d: {integers: [5, 8], when: {g: "
      "[on]}}}");
  const Point off = read_point(parse_yaml("{g: off}"), space);
  CHECK(space.text(off) == "g = off, b = 3, c = 9, d = 5");
  CHECK(space.is_allowed(off));
  CHECK(read_point(parse_yaml(to_yaml(point_json(off, space))), space) == off);
  CHECK(read_point(parse_yaml("{g: off, b: 1, c: 2, d: 7}"), space) == off);
  const Point on = read_point(parse_yaml("{g: on, b: 1, c: 2, d: 7}"), space);
  CHECK(space.text(on) == "g = on, b = 1, c = 2, d = 7");
}

}  // namespace ntune
