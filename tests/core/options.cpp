#include "ntune/core/options.h"

#include <limits>
#include <string>
#include <vector>

#include "catch.h"
#include "ntune/core/option_json.h"
#include "ntune/core/option_reader.h"
#include "support/error_text.h"

namespace ntune {

namespace {

enum class Colour { kRed, kGreen };

const std::vector<std::pair<std::string, Colour>> kColours = {{"red", Colour::kRed},
                                                              {"green", Colour::kGreen}};

struct Sample {
  double rate = 0.25;
  AutoNumber scale;
  std::int64_t count = 3;
  AutoInteger budget;
  int small = 1;
  bool loud = false;
  std::string title;
  std::string mode = "slow";
  Colour colour = Colour::kGreen;
  std::vector<std::string> words = {"a"};

  void visit(Options& options) {
    static const std::vector<std::string> kModes = {"slow", "fast"};
    options.number("rate", rate, between(0, 1), "a rate");
    options.number("scale", scale, above(0), "a scale");
    options.integer("count", count, at_least(1), "a count");
    options.integer("budget", budget, between(1, 1e15), "a budget");
    options.integer("small", small, at_least(-5), "a small number");
    options.flag("loud", loud, "loud or not");
    options.text("title", title, "a title");
    options.choice("mode", mode, kModes, "a mode");
    options.choice("colour", colour, kColours, "a colour");
    options.custom("words",
                   {.read =
                        [this](const YamlNode& node) {
                          words.clear();
                          for (const YamlNode& word : node.children()) words.push_back(word.text());
                        },
                    .write = [this] { return Json(words); },
                    .schema =
                        [] {
                          return Json{{"type", "array"}};
                        }},
                   "some words");
  }
};

Sample read(const std::string& text) { return read_options(parse_yaml(text, "f.yaml"), Sample()); }

std::string error_of(const std::string& text) {
  return test::input_error([&] { read(text); });
}

}  // namespace

TEST_CASE("bounds contain finite numbers only") {
  CHECK(between(0, 1).contain(0));
  CHECK(between(0, 1).contain(1));
  CHECK_FALSE(between(0, 1).contain(1.001));
  CHECK_FALSE(above(0).contain(0));
  CHECK(above(0).contain(1e-300));
  CHECK(Bounds().contain(-1e300));
  CHECK_FALSE(Bounds().contain(std::numeric_limits<double>::infinity()));
  CHECK_FALSE(Bounds().contain(std::numeric_limits<double>::quiet_NaN()));
  CHECK(between(0, 1).text() == "from 0 to 1");
  CHECK(at_least(1).text() == "at least 1");
  CHECK(above(0).text() == "above 0");
  CHECK(Bounds{.high = 3}.text() == "at most 3");
  CHECK((Bounds{.low = 0, .high = 3, .low_excluded = true}.text()) == "above 0 and at most 3");
  CHECK(Bounds().text() == "any finite number");
}

TEST_CASE("absent and empty options keep their defaults") {
  for (const char* text : {"", "{}", "rate:\nscale: ~\ncount: null\nwords:\n"}) {
    const Sample sample = read(text);
    CHECK(options_json(sample) == options_json(Sample()));
  }
}

TEST_CASE("options of every type are read") {
  const Sample sample = read(
      "{rate: 1, scale: 2.5, count: 1e6, budget: 70, small: -5, loud: true, title: 2020, "
      "mode: fast, colour: red, words: [x, y]}");
  CHECK(sample.rate == 1.0);
  CHECK_FALSE(sample.scale.automatic);
  CHECK(sample.scale.value == 2.5);
  CHECK(sample.count == 1'000'000);
  CHECK_FALSE(sample.budget.automatic);
  CHECK(sample.budget.value == 70);
  CHECK(sample.small == -5);
  CHECK(sample.loud);
  CHECK(sample.title == "2020");
  CHECK(sample.mode == "fast");
  CHECK(sample.colour == Colour::kRed);
  CHECK(sample.words == std::vector<std::string>{"x", "y"});
  CHECK(read("scale: auto").scale.automatic);
  CHECK(read("budget: auto").budget.automatic);
}

TEST_CASE("options that are wrong are refused with value and rule") {
  struct Case {
    std::string text;
    std::string error;
  };
  const std::vector<Case> cases = {
      {"rate: 1.5", "f.yaml:1: rate: is '1.5', a number from 0 to 1 is allowed"},
      {"rate: -1", "f.yaml:1: rate: is '-1', a number from 0 to 1 is allowed"},
      {"rate: .nan", "f.yaml:1: rate: is '.nan', a number from 0 to 1 is allowed"},
      {"rate: .inf", "f.yaml:1: rate: is '.inf', a number from 0 to 1 is allowed"},
      {"rate: high", "f.yaml:1: rate: is 'high', a number from 0 to 1 is allowed"},
      {"rate: '0.5'", "f.yaml:1: rate: is '0.5', a number from 0 to 1 is allowed"},
      {"rate: [0.5]", "f.yaml:1: rate: is a list, a number from 0 to 1 is allowed"},
      {"rate: {}", "f.yaml:1: rate: is a map, a number from 0 to 1 is allowed"},
      {"scale: 0", "f.yaml:1: scale: is '0', 'auto' or a number above 0 is allowed"},
      {"scale: .nan", "f.yaml:1: scale: is '.nan', 'auto' or a number above 0 is allowed"},
      {"scale: autom", "f.yaml:1: scale: is 'autom', 'auto' or a number above 0 is allowed"},
      {"scale: [auto]", "f.yaml:1: scale: is a list, 'auto' or a number above 0 is allowed"},
      {"count: 0", "f.yaml:1: count: is '0', a whole number at least 1 is allowed"},
      {"count: 2.5", "f.yaml:1: count: is '2.5', a whole number at least 1 is allowed"},
      {"count: many", "f.yaml:1: count: is 'many', a whole number at least 1 is allowed"},
      {"count: 1e30", "f.yaml:1: count: is '1e30', a whole number at least 1 is allowed"},
      {"budget: 0.5", "f.yaml:1: budget: is '0.5', 'auto' or a whole number at least 1 is allowed"},
      {"budget: 10.5",
       "f.yaml:1: budget: is '10.5', 'auto' or a whole number at least 1 is allowed"},
      {"budget: {}", "f.yaml:1: budget: is a map, 'auto' or a whole number at least 1 is allowed"},
      {"small: 3000000000",
       "f.yaml:1: small: is '3000000000', a whole number at most 2147483647 is allowed"},
      {"loud: 1", "f.yaml:1: loud: is '1', true or false is allowed"},
      {"loud: 'true'", "f.yaml:1: loud: is 'true', true or false is allowed"},
      {"title: [a]", "f.yaml:1: title: is a list, a text is allowed"},
      {"title: {a: b}", "f.yaml:1: title: is a map, a text is allowed"},
      {"mode: fats", "f.yaml:1: mode: is 'fats', did you mean 'fast'?; allowed: slow or fast"},
      {"mode: quick", "f.yaml:1: mode: is 'quick'; allowed: slow or fast"},
      {"mode: [fast]", "f.yaml:1: mode: is a list; allowed: slow or fast"},
      {"colour: gren", "f.yaml:1: colour: is 'gren', did you mean 'green'?; allowed: red or green"},
      {"count: 1\nRate: 1",
       "f.yaml:2: Rate: unknown key, did you mean 'rate'?; allowed: rate, scale, count, budget, "
       "small, loud, title, mode, colour and words"},
      {"\nsomething: 1",
       "f.yaml:2: something: unknown key; allowed: rate, scale, count, budget, small, loud, title, "
       "mode, colour and words"},
      {"something:",
       "f.yaml:1: something: unknown key; allowed: rate, scale, count, budget, small, loud, title, "
       "mode, colour and words"},
      {"[1]", "f.yaml:1: is a list, a map of options is allowed"},
      {"word", "f.yaml:1: is 'word', a map of options is allowed"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(error_of(c.text) == c.error);
  }
}

TEST_CASE("options are written back with all defaults and read to the same") {
  CHECK(options_json(Sample()).dump() ==
        R"({"rate":0.25,"scale":"auto","count":3,"budget":"auto","small":1,"loud":false,)"
        R"("title":"","mode":"slow","colour":"green","words":["a"]})");
  const Sample sample = read("{scale: 0.1, budget: 12, title: 'x: y', colour: red, words: []}");
  const Json json = options_json(sample);
  CHECK(json["scale"] == 0.1);
  CHECK(json["budget"].dump() == "12");
  CHECK(options_json(read(json.dump())) == json);
}

TEST_CASE("the schema of options") {
  const Json schema = options_schema<Sample>();
  CHECK(schema["type"] == "object");
  CHECK(schema["additionalProperties"] == false);
  const Json& properties = schema["properties"];
  CHECK(properties.size() == 10);
  CHECK(properties["rate"].dump() ==
        R"({"type":"number","minimum":0.0,"maximum":1.0,"description":"a rate","default":0.25})");
  CHECK(properties["scale"].dump() ==
        R"({"anyOf":[{"const":"auto"},{"type":"number","exclusiveMinimum":0.0}],)"
        R"("description":"a scale","default":"auto"})");
  CHECK(properties["budget"]["anyOf"][1]["type"] == "integer");
  CHECK(properties["count"]["minimum"] == 1.0);
  CHECK(properties["small"]["maximum"] == 2147483647.0);
  CHECK(properties["loud"]["type"] == "boolean");
  CHECK_FALSE(properties["title"].contains("default"));
  CHECK(properties["mode"]["enum"].dump() == R"(["slow","fast"])");
  CHECK(properties["colour"]["default"] == "green");
  CHECK(properties["words"]["type"] == "array");
  CHECK(properties["words"]["description"] == "some words");
}

}  // namespace ntune
