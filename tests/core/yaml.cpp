#include "ntune/core/yaml.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

std::string error_of(const std::string& text) {
  return test::input_error([&] { parse_yaml(text, "f.yaml"); });
}

YamlNode scalar(const std::string& text) { return parse_yaml(text); }

}  // namespace

TEST_CASE("whole numbers of YAML's core schema") {
  CHECK(scalar("0").integer() == 0);
  CHECK(scalar("-12").integer() == -12);
  CHECK(scalar("+12").integer() == 12);
  CHECK(scalar("1e3").integer() == 1000);
  CHECK(scalar("10.0").integer() == 10);
  CHECK(scalar("9223372036854775807").integer() == std::numeric_limits<std::int64_t>::max());
  CHECK(scalar("-9223372036854775808").integer() == std::numeric_limits<std::int64_t>::min());
  for (const char* text : {"9223372036854775808", "1.5", "1e400", ".inf", ".nan", "abc", "'5'",
                           "\"5\"", "true", "", "+", "-", "+-5", "--5", "0x10", "1_000", "5 m"}) {
    CAPTURE(text);
    CHECK_FALSE(scalar(text).integer());
  }
}

TEST_CASE("numbers of YAML's core schema") {
  CHECK(scalar("0.5").number() == 0.5);
  CHECK(scalar(".5").number() == 0.5);
  CHECK(scalar("-2.5e-3").number() == -0.0025);
  CHECK(scalar("+1E2").number() == 100.0);
  CHECK(scalar("7").number() == 7.0);
  CHECK(scalar(".inf").number() == std::numeric_limits<double>::infinity());
  CHECK(scalar("-.Inf").number() == -std::numeric_limits<double>::infinity());
  CHECK(scalar("1e999").number() == std::numeric_limits<double>::infinity());
  CHECK(scalar("1e-400").number() == 0.0);
  CHECK(std::isnan(*scalar(".nan").number()));
  CHECK(std::isnan(*scalar(".NaN").number()));
  for (const char* text : {"inf", "nan", "-nan", "infinity", "'0.5'", "0.5.1", "1,5", "e5", ".", "",
                           "abc", "[1]", "-.nan", "+ 1"}) {
    CAPTURE(text);
    CHECK_FALSE(scalar(text).number());
  }
}

TEST_CASE("a text with a NUL is refused") {
  CHECK_THROWS_WITH(parse_yaml("a: 1\nb: [\"x\\0y\"]", "f.yaml"),
                    "f.yaml:2: 'x\\x00y' has the character NUL, at which programs and files end a "
                    "text");
}

TEST_CASE("truth values of YAML's core schema") {
  for (const char* text : {"true", "True", "TRUE"}) CHECK(scalar(text).boolean() == true);
  for (const char* text : {"false", "False", "FALSE"}) CHECK(scalar(text).boolean() == false);
  for (const char* text : {"yes", "on", "1", "'true'", "tRue", "", "[true]"}) {
    CHECK_FALSE(scalar(text).boolean());
  }
}

TEST_CASE("nulls, texts, lists and maps") {
  for (const char* text : {"", "~", "null", "# only a comment", "---\n", "---\n...\n"}) {
    CAPTURE(text);
    CHECK(scalar(text).is_null());
  }
  CHECK(scalar("'null'").is_scalar());
  CHECK(scalar("'null'").quoted());
  CHECK(scalar("!!str 5").quoted());
  CHECK_FALSE(scalar("word").quoted());
  CHECK(scalar("\"caf\\u00e9\"").text() == "café");

  const YamlNode map = parse_yaml("b: 1\na: [x, {y: z}]\n", "f.yaml");
  REQUIRE(map.is_map());
  REQUIRE(map.children().size() == 2);
  CHECK(map.children()[0].key() == "b");
  REQUIRE(map.find("a") != nullptr);
  CHECK(map.find("a")->is_list());
  CHECK(map.find("c") == nullptr);
  CHECK(map.find("a")->find("x") == nullptr);
}

TEST_CASE("texts and numbers are written so that readers of YAML 1.1 take them for the same") {
  CHECK(to_yaml(Json{{"style", {"wild", "e5", "Nothing"}}, {"note", 3}}) ==
        "{style: [wild, e5, Nothing], note: 3}");
  for (const char* word : {"true", "False", "NULL", "Null", "y", "N", "yes", "Yes", "YES", "no",
                           "No", "NO", "on", "On", "ON", "off", "Off", "OFF"}) {
    CHECK(to_yaml(word) == fmt::format("\"{}\"", word));
    CHECK(to_yaml(Json{{word, 1}}) == fmt::format("{{\"{}\": 1}}", word));
  }
  // Without a point, an exponent makes a text of it.
  CHECK(to_yaml(Json{1e-7, -3e40, 1.5e-9, 0.25, 1e5}) ==
        "[1.0e-07, -3.0e+40, 1.5e-09, 0.25, 100000.0]");
  for (const double number : {1e-7, -3e40, 5e-324, 1e22}) {
    CHECK(parse_yaml(to_yaml(number)).number() == number);
  }
}

TEST_CASE("nodes know their line and path") {
  const YamlNode root = parse_yaml(
      "# comment\n"
      "space:\n"
      "  length: [1, 2]\n"
      "  deeper:\n"
      "    - first\n"
      "    - key: value\n",
      "study.yaml");
  const YamlNode& space = *root.find("space");
  CHECK(root.path() == "");
  CHECK(root.file() == "study.yaml");
  CHECK(space.line() == 2);
  CHECK(space.path() == "space");
  CHECK(space.find("length")->line() == 3);
  CHECK(space.find("length")->path() == "space.length");
  const YamlNode& second = space.find("deeper")->children()[1];
  CHECK(second.line() == 6);
  CHECK(second.path() == "space.deeper[2]");
  CHECK(second.find("key")->path() == "space.deeper[2].key");
  CHECK(second.find("key")->line() == 6);

  CHECK(test::input_error([&] { second.find("key")->fail("is wrong"); }) ==
        "study.yaml:6: space.deeper[2].key: is wrong");
  CHECK(test::input_error([&] { space.fail_at("width", "is missing"); }) ==
        "study.yaml:2: space.width: is missing");
  CHECK(test::input_error([&] { root.fail_at("space", "is odd"); }) ==
        "study.yaml:2: space: is odd");
  CHECK(test::input_error([&] { root.fail("is odd"); }) == "study.yaml:2: is odd");
}

TEST_CASE("messages stay on one line whatever the file holds") {
  const YamlNode root = parse_yaml("\"two\\nlines\": \"\\x1b[31m\\n\"\n", "odd\nname.yaml");
  const YamlNode& child = root.children()[0];
  CHECK(child.describe() == "'\\x1b[31m\\n'");
  CHECK(test::input_error([&] { child.fail("is " + child.describe()); }) ==
        "odd\\nname.yaml:1: two\\nlines: is '\\x1b[31m\\n'");
  CHECK(scalar(std::string(100, 'x')).describe() == "'" + std::string(60, 'x') + "…'");
  CHECK(scalar("[1]").describe() == "a list");
  CHECK(scalar("{a: 1}").describe() == "a map");
  CHECK(scalar("").describe() == "nothing");
  // The name of the file itself stays as it is: folders are found by it.
  CHECK(root.file() == "odd\nname.yaml");
  CHECK(test::input_error([] {
          (void)to_yaml(Json::array({"a", "caf\xe9"}));
        }) == "'caf\\xe9' is not UTF-8, which a study file is");
}

TEST_CASE("documents that are refused") {
  struct Case {
    std::string text;
    std::string error;  ///< how it begins
  };
  const std::vector<Case> cases = {
      {"a: 1\nb: 2\na: 3\n", "f.yaml:3: a: this key stands twice in one map"},
      {"s: [1, {x: {a: 1, a: 2}}]", "f.yaml:1: s[2].x.a: this key stands twice in one map"},
      {"x:\n  a: 1\n  'a': 2\n", "f.yaml:3: x.a: this key stands twice in one map"},
      {"{a: 1, \"a\\n\": 1, \"a\\n\": 2}", "f.yaml:1: a\\n: this key stands twice in one map"},
      {"? [1, 2]\n: x\n", "f.yaml:1: a key must be plain text"},
      {"a: 1\n? {b: 1}\n: x\n", "f.yaml:2: a key must be plain text"},
      {"? &x [1]\n: 1\n", "f.yaml:1: a key must be plain text"},
      {"~: 1\n", "f.yaml:1: a key must be plain text, this one is YAML's null; "},
      {"a: 1\nNull: {integers: [1, 6]}\n",
       "f.yaml:2: a key must be plain text, this one is YAML's null; a name like Null stands in "
       "quotes: \"Null\""},
      {"a: &x [1]\n*x : 2\n", "f.yaml:1: a key must be plain text"},
      {"a: *nobody\n", "f.yaml:1: not valid YAML: "},
      {"a: &x [*x]\n", "f.yaml:1: an alias may not stand inside its own anchor"},
      {"a: &x {b: {c: *x}}\n", "f.yaml:1: an alias may not stand inside its own anchor"},
      {"a: 1\n---\nb: 2\n", "f.yaml:2: a second YAML document begins, one is allowed"},
      {"---\n---\n", "f.yaml:2: a second YAML document begins, one is allowed"},
      {"a: [1, 2\n", "f.yaml:1: not valid YAML: "},
      {"a: {b: 1\n", "f.yaml:1: not valid YAML: "},
      {"a: 'open\nb: 5\n", "f.yaml:2: not valid YAML: "},
      {"a: \"open\n\n", "f.yaml:1: not valid YAML: "},
      {"- 'open\n- b \n", "f.yaml:2: not valid YAML: "},
      {"a: 1\n\tb: 2\n", "f.yaml:2: not valid YAML: "},
      {"a:\n\t- 1\n", "f.yaml:2: not valid YAML: "},
      {"a: b: c\n", "f.yaml:1: not valid YAML: "},
      {"a: 1\n b: 2\n", "f.yaml:2: not valid YAML: "},
      {"- 1\na: 2\n", "f.yaml:2: a second YAML document begins, one is allowed"},
      {"a: @x\n", "f.yaml:1: not valid YAML: "},
      {"a: \"\\q\"\n", "f.yaml:1: not valid YAML: "},
      {"a: \"\\ud800\"\n", "f.yaml:1: not valid YAML: "},
      {"%YAML 9.9\n---\na: 1\n", "f.yaml:1: not valid YAML: "},
      {"a: !!binary\n", "no error"},
      {std::string("a: 1\nb: x\0y\n", 12),
       "f.yaml:2: holds the control character \\x00, which YAML does not allow"},
      {"a: 1\n\x04"
       "b: 2\n",
       "f.yaml:2: holds the control character \\x04"},
      {"a: \x1b[31m\n", "f.yaml:1: holds the control character \\x1b"},
      {"a: \x7f\n", "f.yaml:1: holds the control character \\x7f"},
      {"a: 1\n\nname: caf\xe9\n", "f.yaml:3: holds a byte that is not UTF-8, \\xe9"},
      {std::string("\xff\xfe"
                   "a\0:\0 \0001\0",
                   10),
       "f.yaml:1: holds a byte that is not UTF-8"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK_THAT(error_of(c.text), StartsWith(c.error));
    CHECK(error_of(c.text).find('\n') == std::string::npos);
  }
}

TEST_CASE("byte order mark, line ends of Windows and comments change nothing") {
  const std::string plain = to_json(parse_yaml("a: 1\nb: [x, 'y z']\n")).dump();
  CHECK(to_json(parse_yaml("\xef\xbb\xbf"
                           "a: 1\nb: [x, 'y z']\n"))
            .dump() == plain);
  CHECK(to_json(parse_yaml("a: 1\r\nb: [x, 'y z']\r\n")).dump() == plain);
  CHECK(to_json(parse_yaml("# c\n\na: 1 # d\nb:\n- x\n- y z")).dump() == plain);
  CHECK(to_json(parse_yaml("{\"a\": 1, \"b\": [\"x\", \"y z\"]}")).dump() == plain);
  CHECK(error_of("a: 1\r\nb: 2\r\na: 3\r\n") == "f.yaml:3: a: this key stands twice in one map");
}

TEST_CASE("anchors and aliases are expanded") {
  const YamlNode root = parse_yaml("a: &x {k: [1, 2]}\nb: *x\nc: [*x, *x]\n");
  CHECK(to_json(root).dump() ==
        R"({"a":{"k":[1,2]},"b":{"k":[1,2]},"c":[{"k":[1,2]},{"k":[1,2]}]})");
  CHECK(root.find("c")->children()[1].find("k")->path() == "c[2].k");
  CHECK(to_json(parse_yaml("&k key: 1\nb: *k\n")).dump() == R"({"key":1,"b":"key"})");
}

TEST_CASE("merge keys put the keys of other maps in their place") {
  const auto merged = [](const std::string& text) {
    const YamlNode root = parse_yaml("x: &x {a: 1, b: 2}\ny: &y {b: 3, c: 4}\nz: " + text);
    return to_json(*root.find("z")).dump();
  };
  CHECK(merged("{<<: *x}") == R"({"a":1,"b":2})");
  CHECK(merged("{k: 0, <<: *x, b: 9}") == R"({"k":0,"a":1,"b":9})");
  CHECK(merged("{<<: [*y, *x], d: 5}") == R"({"b":3,"c":4,"a":1,"d":5})");
  CHECK(merged("{<<: {<<: *x, e: 6}}") == R"({"a":1,"b":2,"e":6})");
  CHECK(merged("{'<<': 1}") == R"({"<<":1})");
  CHECK(parse_yaml("x: &x {a: {b: 1}}\nz: {<<: *x}\n")
            .find("z")
            ->children()[0]
            .children()[0]
            .path() == "z.a.b");
  CHECK(test::input_error([&] { (void)merged("{<<: 3}"); }) ==
        "(text):3: <<: '3' cannot be merged, a map or a list of maps is allowed");
}

TEST_CASE("a bomb of aliases is refused before it expands") {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    std::string references;
    for (int k = 0; k < 10; ++k) references += fmt::format("{}*a{}", k == 0 ? "" : ", ", i - 1);
    bomb += fmt::format("a{}: &a{} [{}]\n", i, i, references);
  }
  CHECK(error_of(bomb) == "f.yaml:5: the document expands to more than the 100000 nodes allowed");
}

TEST_CASE("long texts that anchors and aliases copy are refused before they fill the memory") {
  const std::string refused = "anchors and aliases copy more than the 67108864 bytes allowed";
  std::string list = "a: &a '" + std::string(1'000'000, 'x') + "'\nb: [*a";
  for (int i = 0; i < 40; ++i) list += ", *a";
  CHECK(error_of(list + "]\n") == "no error");
  for (int i = 0; i < 40; ++i) list += ", *a";
  CHECK(error_of(list + "]\n") == "f.yaml:1: " + refused);
  // 64 copies of 1 MiB, of the node and its text, are just allowed.
  const auto copies = [](std::size_t bytes) {
    std::string text = "[&a '" + std::string(bytes - sizeof(YamlNode), 'x') + "'";
    for (int i = 1; i < 64; ++i) text += ", *a";
    return text + "]";
  };
  CHECK(error_of(copies(1U << 20U)) == "no error");
  CHECK(error_of(copies((1U << 20U) + 1)) == "f.yaml:1: " + refused);
  // Every level of nested anchors is kept by itself.
  std::string nested;
  for (int i = 0; i < 30; ++i) nested += fmt::format("&n{} {{k: ", i);
  nested += "'" + std::string(3'000'000, 'x') + "'" + std::string(30, '}') + "\n";
  CHECK_THAT(error_of(nested), ContainsSubstring(refused));
}

TEST_CASE("deep nesting is refused") {
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']');
  };
  CHECK(error_of(nested(32)) == "no error");
  CHECK(error_of(nested(33)) == "f.yaml:1: nested deeper than the 32 levels allowed");
  CHECK(error_of(nested(100'000)) == "f.yaml:1: nested deeper than the 32 levels allowed");
  CHECK_THAT(error_of(std::string(100'000, '[')), StartsWith("f.yaml:1: "));
  CHECK_THAT(error_of(std::string(100'000, '{')), StartsWith("f.yaml:1: "));

  // Each level is shallow; the aliases make it deep.
  std::string chain = "a0: &a0 [1]\n";
  for (int i = 1; i < 40; ++i) chain += fmt::format("a{}: &a{} [*a{}]\n", i, i, i - 1);
  CHECK_THAT(error_of(chain), ContainsSubstring("nested deeper than the 32 levels allowed"));
}

TEST_CASE("large documents are read or refused") {
  std::string list;
  for (int i = 0; i < 99'000; ++i) list += "- 1\n";
  CHECK(parse_yaml(list).children().size() == 99'000);
  for (int i = 0; i < 2'000; ++i) list += "- 1\n";
  CHECK(error_of(list) ==
        "f.yaml:100000: the document expands to more than the 100000 nodes allowed");
  std::string map;
  for (int i = 0; i < 49'000; ++i) map += fmt::format("key{}: 1\n", i);
  CHECK(parse_yaml(map).children().size() == 49'000);
}

TEST_CASE("files are read up to 4 MiB") {
  const test::TemporaryFolder folder;
  const std::string comment(1023, '#');
  std::string text;
  for (int i = 0; i < 4096; ++i) text += comment + '\n';
  CHECK(read_yaml(folder.file("four.yaml", text)).is_null());
  const std::string path = folder.file("more.yaml", text + "#");
  CHECK(test::input_error([&] { read_yaml(path); }) ==
        path + ": is larger than the 4194304 bytes allowed");
}

TEST_CASE("YAML as JSON") {
  CHECK(to_json(parse_yaml("[~, true, 5, 0.5, '5', word, 1e2, [], {}]")).dump() ==
        R"([null,true,5,0.5,"5","word",100,[],{}])");
}

}  // namespace ntune
