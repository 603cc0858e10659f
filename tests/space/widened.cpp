// Points of a space in a wider one.

#include <string>

#include "catch.h"
#include "ntune/core/json.h"
#include "ntune/core/yaml.h"
#include "ntune/space/space_yaml.h"
#include "ntune/space/widened_space.h"
#include "support/error_text.h"

namespace ntune {

using Catch::Matchers::StartsWith;

namespace {

SearchSpace space_of(const std::string& yaml) { return read_space(parse_yaml(yaml, "s.yaml")); }

}  // namespace

TEST_CASE("a point in a wider space has the same values, and defaults for what is new") {
  const SearchSpace narrow = space_of("{a: {integers: [10, 20]}, b: {choices: [x, z]}}");
  const SearchSpace wide = space_of(
      "{c: {integers: [0, 4], default: 3}, b: {choices: [x, y, z]}, a: {integers: [4, 22]}}");
  const WidenedSpace widen(narrow, wide);
  narrow.for_each_point([&](const Point& point) {
    const Point widened = widen(point);
    CHECK(wide.text(widened) == "c = 3, b = " + value_text(narrow.value(point, 1)) +
                                    ", a = " + value_text(narrow.value(point, 0)));
    CHECK(widen.narrowed(widened) == point);
    return true;
  });
}

TEST_CASE("a default off the grid stays in a wider space, on its grid or off it") {
  const SearchSpace narrow = space_of("{a: {integers: [10, 20], step: 2, default: 15}}");
  const Point before = default_point(narrow, Json::object());
  for (const char* yaml :
       {"{a: {integers: [4, 20], step: 2, default: 15}}", "{a: {integers: [10, 20], default: 15}}",
        "{a: {integers: [10, 20], step: 2, default: 15}, b: {integers: [0, 4], "
        "step: 2, default: 1}}"}) {
    CAPTURE(yaml);
    const SearchSpace wide = space_of(yaml);
    const WidenedSpace widen(narrow, wide);
    CHECK(widen(before) == default_point(wide, Json::object()));
    CHECK_THAT(wide.text(widen(before)), StartsWith("a = 15"));
    CHECK(widen.narrowed(widen(before)) == before);
  }
  const SearchSpace other = space_of("{a: {integers: [4, 20], step: 2, default: 13}}");
  CHECK_THAT(test::input_error([&] { (void)WidenedSpace(narrow, other); }),
             StartsWith("space.a: has lost the value 15"));
}

}  // namespace ntune
