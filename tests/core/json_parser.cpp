
#include <string>

#include "catch.h"
#include "ntune/core/json.h"

namespace ntune {

namespace {

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// A number in so many lists.
std::string nested(int levels) { return repeated("[", levels) + "7" + repeated("]", levels); }

}  // namespace

TEST_CASE("JSON from outside is read as deep as the limit and no deeper") {
  CHECK(parse_json(R"({"a": [1, 2.5, "x"]})") == Json{{"a", {1, 2.5, "x"}}});
  CHECK(parse_json("7") == 7);
  const Json deepest = parse_json(nested(kDeepestJson));
  REQUIRE(!deepest.is_discarded());
  CHECK(parse_json(deepest.dump()) == deepest);
  for (const int levels : {kDeepestJson + 1, 1'000'000}) {
    const std::string text = nested(levels);
    CHECK(parse_json(text).is_discarded());
    CHECK(json_problem(text) == "is JSON that nests deeper than 64 levels");
    CHECK(parse_json(repeated("[", levels)).is_discarded());
    CHECK(parse_json(repeated(R"({"a":)", levels)).is_discarded());
  }
}

TEST_CASE("brackets within strings and beside each other are no levels") {
  const std::string brackets = repeated("[{", 1000);
  CHECK(parse_json('"' + brackets + '"') == brackets);
  CHECK(parse_json(R"(["\")" + brackets + R"(", "\\", 1])").size() == 3);
  CHECK(parse_json("[" + repeated("[[]], ", 1000) + "0]").size() == 1001);
}

TEST_CASE("what is no JSON is discarded") {
  for (const char* text : {"", "{", "]", "[1] 2", "{\"a\": NaN}", "1e999", "\"\xff\"", "'a'"}) {
    CAPTURE(text);
    CHECK(parse_json(text).is_discarded());
    CHECK(json_problem(text) == "is not valid JSON");
  }
}

}  // namespace ntune
