#include "ntune/core/pattern.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.h"
#include "ntune/core/clock.h"

namespace ntune {

namespace {

/// Group 1 of every match.
std::vector<std::string> found(const std::string& pattern, const std::string& text) {
  const Pattern compiled(pattern);
  std::vector<std::string> groups;
  std::size_t at = 0;
  while (const auto group = compiled.find(text, at)) groups.emplace_back(group->group);
  return groups;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("patterns find what people write them for") {
  CHECK(found(R"(fps[=:]\s*(\d+))", "fps=30 fps: 60") == Texts{"30", "60"});
  CHECK(found("^(a)", "aaa") == Texts{"a"});
  CHECK(found("(a)$", "aaa") == Texts{"a"});
  CHECK(found(R"(\bx(?:y|z)([-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?))", "wxy1 xz-2.5e3") ==
        Texts{"-2.5e3"});
  CHECK(found("(x*)", "axx") == Texts{"", "xx", ""});
  CHECK(found(R"([^\s,;]+=([\w.]+))", "a=1.5,b=two") == Texts{"1.5", "two"});
  CHECK(found(R"((\/)|\-)", "a/-") == Texts{"/", ""});
  CHECK(found("(é+)", "\xff éé") == Texts{"\xc3\xa9", "\xc3\xa9"});
}

TEST_CASE("a whole text matches or it does not") {
  const Pattern score(R"((\d+)-(\d+)(!)?)");
  CHECK(score.groups() == 3);
  std::array<std::string_view, 3> groups;
  CHECK(score.matches("12-3", groups));
  CHECK(groups == std::array<std::string_view, 3>{"12", "3", ""});
  CHECK_FALSE(score.matches("12-3 ", groups));
}

TEST_CASE("a search is linear where others try all ways") {
  const auto begin = Clock::now();
  CHECK(found("(a+)+b", std::string(200'000, 'a')).empty());
  CHECK(found("(a|a)*c|(x)", std::string(200'000, 'a')).empty());
  CHECK(seconds_since(begin) < 5.0);
}

TEST_CASE("what a linear search cannot do is refused in a line") {
  for (const char* text : {R"((a)\1)", "(?=a)(b)", "(?<!a)(b)", "("}) {
    CAPTURE(text);
    CHECK_THROWS_WITH(
        Pattern(text),
        Catch::Matchers::StartsWith(std::string("'") + text + "' is not a regular expression: ") &&
            Catch::Matchers::EndsWith("; back references and look-around are not allowed"));
  }
}

TEST_CASE("a wrong pattern is told with the character at which it is wrong") {
  const std::vector<std::pair<std::string, int>> cases = {
      {"(", 1},        {"(a)(b", 4}, {"a)b", 2},       {"[a-z", 1},   {"x(.*) [0-", 7},
      {"a*|*", 4},     {"*", 1},     {"x{2,1}(a)", 2}, {"(a)\\2", 4}, {"(a*|**)", 5},
      {"(a)(?=b)", 4}, {"é(", 2},    {"(.*)\\", 5}};
  for (const auto& [pattern, character] : cases) {
    CAPTURE(pattern);
    CHECK_THROWS_WITH(Pattern(pattern), Catch::Matchers::ContainsSubstring(
                                            " at character " + std::to_string(character) + ";"));
  }
  CHECK_THROWS_WITH(Pattern(std::string(2000, 'a')),
                    "a pattern of 2,000 bytes, at most 1,000 are allowed");
}

}  // namespace ntune
