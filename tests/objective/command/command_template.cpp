// Templates of commands: what they stand for, and what is refused.

#include "ntune/objective/command/command_template.h"

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/instance.h"
#include "ntune/space/space_yaml.h"

namespace ntune {

namespace {

using Catch::Matchers::ContainsSubstring;
using Style = CommandTemplate::Style;
using Words = std::vector<std::string>;

const SearchSpace& space() {
  static const SearchSpace kSpace = read_space(parse_yaml(
      "{mode: [ucb, 'it''s'], c: {choices: [0.1, 1e-5, 2], when: {mode: ucb}}, depth: [3, 4], "
      "book: {boolean: }, a.b: 7}"));
  return kSpace;
}

CommandCall call(std::vector<std::uint16_t> indices) {
  return {.space = &space(),
          .point = Point(indices),
          .seed = 99,
          .id = {.repeat = 1, .run = 2, .evaluation = 30},
          .file = "/tmp/p.json"};
}

Words words(const std::string& text, const CommandCall& of, Style style = Style::kArgument) {
  Program program;
  CommandTemplate(text, space(), style).append_to(program, of);
  return program.arguments;
}

std::string error_of(const std::string& text, Style style = Style::kArgument) {
  try {
    CommandTemplate(text, space(), style);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("null among choices is no argument at all") {
  const SearchSpace flags = read_space(parse_yaml(
      "{luck: {choices: [null, --luck], default: null}, deep: {choices: [1, null], when: {luck: "
      "[null]}}}"));
  const auto words_of = [&](const std::string& text, std::vector<std::uint16_t> indices) {
    Program program;
    CommandTemplate(text, flags, Style::kArgument)
        .append_to(program, {.space = &flags, .point = Point(indices)});
    return program.arguments;
  };
  CHECK(words_of("{luck}", {0, 0}).empty());
  CHECK(words_of("{luck}", {1, 0}) == Words{"--luck"});
  CHECK(words_of("--deep={deep}", {0, 0}) == Words{"--deep=1"});
  CHECK(words_of("--deep={deep}", {0, 1}).empty());
  CHECK(words_of("{params:gnu}", {0, 1}).empty());
  CHECK(words_of("{params[deep]:-d {value}}", {0, 0}) == Words{"-d", "1"});
  CHECK(words_of("{params:json}", {0, 1}) == Words{R"({"luck":null,"deep":null})"});
  // It is written back as it is read.
  CHECK(space_json(flags)["luck"].dump() == R"({"choices":[null,"--luck"],"default":null})");
  const SearchSpace again = read_space(parse_yaml(to_yaml(space_json(flags))));
  CHECK(again[0] == flags[0]);
  CHECK(flags.text(Point(std::vector<std::uint16_t>{0, 1})) == "luck = null, deep = null");
}

TEST_CASE("a group of named parameters without a value says what it lacks") {
  CHECK_THAT(error_of("{params[depth]:--depth}"), ContainsSubstring("which hands over no {value}"));
}

TEST_CASE("templates stand for values, seeds and numbers") {
  const CommandCall first = call({0, 1, 1, 1, 0});
  CHECK(words("plain", first) == Words{"plain"});
  CHECK(words("", first) == Words{""});
  CHECK(words("--c={c}", first) == Words{"--c=1e-05"});
  CHECK(words("{depth}{book}{a.b}", first) == Words{"4true7"});
  CHECK(words("{seed}/{run}/{evaluation}/{repeat}", first) == Words{"99/2/30/1"});
  CHECK(words("{{{mode}}}", first) == Words{"{ucb}"});
  CHECK(words("{{}}", first) == Words{"{}"});
  CHECK(words("--file={params:file}", first) == Words{"--file=/tmp/p.json"});
}

TEST_CASE("all parameters at once, without the inactive ones") {
  CHECK(words("{params:gnu}", call({0, 0, 0, 0, 0})) ==
        Words{"--mode=ucb", "--c=0.1", "--depth=3", "--book=false", "--a.b=7"});
  const CommandCall second = call({1, 0, 0, 0, 0});
  CHECK(words("{params:gnu}", second) ==
        Words{"--mode=it's", "--depth=3", "--book=false", "--a.b=7"});
  CHECK(words("{params:pairs}", second) ==
        Words{"mode", "it's", "depth", "3", "book", "false", "a.b", "7"});
  CHECK(words("{params:json}", second) ==
        Words{R"({"mode":"it's","depth":3,"book":false,"a.b":7})"});
  CHECK(words("{c}", second) == Words{"0.1"});
}

TEST_CASE("arguments are repeated for all parameters, or for a group of them") {
  const CommandCall second = call({1, 0, 0, 0, 0});
  CHECK(words("{params:option.{name}={value}}", second) ==
        Words{"option.mode=it's", "option.depth=3", "option.book=false", "option.a.b=7"});
  CHECK(words("{params:-D {name}={value}}", second) ==
        Words{"-D", "mode=it's", "-D", "depth=3", "-D", "book=false", "-D", "a.b=7"});
  CHECK(words("{params[a.b, d*]:-{name}={value}}", second) == Words{"-depth=3", "-a.b=7"});
  CHECK(words("{params[*o*,mode]:{value}}", second) == Words{"it's", "false"});
  CHECK(words("{params[depth]:gnu}", second) == Words{"--depth=3"});
  CHECK(words("{params[depth, c]:pairs}", second) == Words{"depth", "3"});
  CHECK(words("{params[c]:gnu}", second).empty());
  CHECK(words("{params[depth]:{{{name}}}={value}}", second) == Words{"{depth}=3"});
  const SearchSpace space = read_space(parse_yaml("{Passed Pawns (Endgame): [25, 50]}"));
  const CommandCall pawns{.space = &space, .point = Point(std::vector<std::uint16_t>{1})};
  Program program;
  CommandTemplate("{params[Passed*]:-o {name}={value}}", space, Style::kArgument)
      .append_to(program, pawns);
  CHECK(program.arguments == Words{"-o", "Passed Pawns (Endgame)=50"});
}

TEST_CASE("values in plain decimals, and split as a shell splits them") {
  const CommandCall first = call({0, 1, 1, 1, 0});
  CHECK(words("--c={c:plain}", first) == Words{"--c=0.00001"});
  CHECK(words("{params[c]:--c {value:plain}}", first) == Words{"--c", "0.00001"});
  CHECK(words("{params[c, depth]:{name} {value:shell}}", first) ==
        Words{"c", "0.00001", "depth", "4"});
  const SearchSpace space = read_space(parse_yaml(
      "{a: ['', '--on ', '-O2  -g', \"'-1'\", '\"a b\"c\\ d', \"''\"], big: [1.0e+22, 5.0e-324]}"));
  const auto split = [&](std::uint16_t a, const std::string& text, std::uint16_t big = 0) {
    const CommandCall one{.space = &space, .point = Point(std::vector<std::uint16_t>{a, big})};
    Program program;
    CommandTemplate(text, space, Style::kArgument).append_to(program, one);
    return program.arguments;
  };
  CHECK(split(0, "{params[a]:{value:shell}}").empty());
  CHECK(split(0, "{params[a]:--x={value:shell}}") == Words{"--x="});
  CHECK(split(1, "{params[a]:{value:shell}}") == Words{"--on"});
  CHECK(split(2, "{params[a]:--x  {value:shell}}") == Words{"--x", "-O2", "-g"});
  CHECK(split(3, "{params[a]:--x {value:shell}}") == Words{"--x", "-1"});
  CHECK(split(4, "{params[a]:'-y z'{value:shell}}") == Words{"-y za bc d"});
  CHECK(split(5, "{params[a]:-x {value:shell}}") == Words{"-x", ""});
  CHECK(split(0, "{big:plain}") == Words{"10000000000000000000000"});
  CHECK(split(0, "{big:plain}", 1)[0].size() == 326);
  const Instance files{.name = "f", .value = std::string("a.cnf --size 3 'b c'")};
  CommandCall with_words = call({0, 1, 1, 1, 0});
  with_words.id.instance = &files;
  CHECK(words("{instance:shell}", with_words) == Words{"a.cnf", "--size", "3", "b c"});
  CHECK(words("{instance}", with_words) == Words{"a.cnf --size 3 'b c'"});
  CHECK(error_of("-i {instance:shell}") ==
        "has {instance:shell}, which stands for several arguments; it must be an argument of its "
        "own");
}

TEST_CASE("the other player's values stand beside those of the tuned one") {
  CommandCall match = call({0, 1, 1, 1, 0});
  match.opponent = Point(std::vector<std::uint16_t>{1, 0, 0, 0, 0});
  CHECK(words("{depth}-{opponent.depth}", match) == Words{"4-3"});
  CHECK(words("{opponent.a.b}", match) == Words{"7"});
  CHECK(words("{opponent.params:gnu}", match) ==
        Words{"--mode=it's", "--depth=3", "--book=false", "--a.b=7"});
  CHECK(words("{opponent.params:json}", match) ==
        Words{R"({"mode":"it's","depth":3,"book":false,"a.b":7})"});
  const CommandTemplate other("{opponent.depth}", space(), Style::kArgument);
  CHECK(other.uses().opponent);
  CHECK_FALSE(other.mentions(2));
  CHECK_FALSE(other.uses().parameters);
  CHECK_FALSE(CommandTemplate("{depth}", space(), Style::kArgument).uses().opponent);
  CHECK_THAT(error_of("{opponent.params:pairs} x"), ContainsSubstring("an argument of its own"));
  CHECK_THAT(error_of("{opponent.seed}"),
             ContainsSubstring("has {opponent.seed}; allowed after 'opponent.': the name of a "
                               "parameter, params:json, params:gnu, params:pairs and others"));
  CHECK(words("{opponent.params[depth]:option.{name}={value}}", match) == Words{"option.depth=3"});
  CHECK_THAT(
      error_of("{opponent.dept}"),
      ContainsSubstring("has {opponent.dept}, which is not known, did you mean "
                        "{opponent.depth}?; allowed after 'opponent.': mode, c, depth, book, "
                        "a.b, params:gnu, params:pairs, params:-s {name}={value} and "
                        "params:json, and {{ for a brace"));
}

TEST_CASE("values reach a shell in variables, never in its text") {
  const CommandCall second = call({1, 0, 0, 0, 0});
  const auto shell = [&](const std::string& text) {
    return words(text, second, Style::kShell).front();
  };
  CHECK(shell("run {mode} | tail -n {depth}") ==
        R"(run "$NTUNE_VALUE_1" | tail -n "$NTUNE_VALUE_2")");
  CHECK(shell("run 'a b'{mode}") == R"(run 'a b'"$NTUNE_VALUE_1")");
  CHECK(shell("echo $(( {depth} * 2 )) {depth}") ==
        R"(echo $(( $NTUNE_VALUE_1 * 2 )) "$NTUNE_VALUE_2")");
  CHECK(shell("f() {{ echo ${{X}}; }}; f") == "f() { echo ${X}; }; f");
  Program program;
  CommandTemplate("run {params:gnu} {depth}", space(), Style::kShell).append_to(program, second);
  CHECK(program.arguments == Words{R"(run "$NTUNE_VALUE_1" "$NTUNE_VALUE_2" "$NTUNE_VALUE_3" )"
                                   R"("$NTUNE_VALUE_4" "$NTUNE_VALUE_5")"});
  CHECK(program.environment ==
        std::vector<std::pair<std::string, std::string>>{{"NTUNE_VALUE_1", "--mode=it's"},
                                                         {"NTUNE_VALUE_2", "--depth=3"},
                                                         {"NTUNE_VALUE_3", "--book=false"},
                                                         {"NTUNE_VALUE_4", "--a.b=7"},
                                                         {"NTUNE_VALUE_5", "3"}});
}

TEST_CASE("a template stands where a shell takes its value as a word") {
  for (const char* text :
       {"run '{mode}'", "run \"{mode}\"", "run `echo {mode}`", "run \\{mode}", "run $'a'{mode}",
        "cat <<END\n{mode}\nEND", "x=${{y:-{mode}}}", "x=$${mode}", "echo \"$(echo \"{mode}\")\"",
        // What looks like a quote in a comment is none, and the next line is as it stands.
        "x=1 # don't\ntrue '{mode}'", "x=1 # \"\necho \"{mode}\"", "echo a;# '\necho '{mode}'",
        // A # within a word begins no comment.
        "echo a#'{mode}'", "echo $#'{mode}'", "echo $(echo a)#'{mode}'", "echo ''#'{mode}'",
        "echo ${{#x}}'{mode}'", "echo {depth}#'{mode}'"}) {
    CAPTURE(text);
    CHECK_THAT(error_of(text, Style::kShell),
               ContainsSubstring("; put it outside, it is quoted for the shell already"));
  }
  for (const char* text :
       {"echo \"it's\" {mode}", "echo \\' {mode}", "echo 1 # don't\necho {mode}",
        "echo \"$(echo {mode} | tr a 'b')\" {mode}", "(echo '#'; echo {mode})", "echo $#{mode}",
        "echo ${{x#'{{'}} {mode}", "echo W # {mode}",
        // Within ${…} single quotes count, unless double ones stand around it.
        "echo ${{x:-'}}'}} {mode}", "echo \"${{x:-it's}}\" {mode}", "x=$((1 + (2))) y={mode}"}) {
    CAPTURE(text);
    CHECK(error_of(text, Style::kShell) == "no error");
  }
  CHECK_THAT(error_of("echo $(({mode} + 1))", Style::kShell),
             ContainsSubstring("has {mode} in $((…)), where numbers alone are allowed"));
  CHECK_THAT(error_of("echo $(({params:pairs}))", Style::kShell),
             ContainsSubstring("where numbers alone are allowed"));
}

TEST_CASE("wrong templates are refused with what is allowed") {
  CHECK(error_of("{dept}") ==
        "has {dept}, which is not known, did you mean {depth}?; allowed: mode, c, depth, book, "
        "a.b, seed, run, evaluation, repeat, scratch, instance, params:gnu, params:pairs, "
        "params:-s {name}={value}, params:json, seats:json and params:file, and {{ for a brace");
  CHECK_THAT(error_of("{params:gnus}"), ContainsSubstring("did you mean {params:gnu}?"));
  CHECK_THAT(error_of("{}"), ContainsSubstring("has {}, which is not known; allowed"));
  CHECK_THAT(error_of("${HOME}"), ContainsSubstring("has {HOME}, which is not known"));
  CHECK(error_of("{depth") == "has a single '{'; write {{ for the character");
  CHECK(error_of("depth}") == "has a single '}'; write }} for the character");
  CHECK(error_of("x{params:gnu}") ==
        "has {params:gnu}, which stands for several arguments; it must be an argument of its own");
  CHECK_THAT(error_of("{params:pairs}", Style::kText), ContainsSubstring("several arguments"));
  CHECK(error_of("x{params[mode]:{value}}") ==
        "has {params[mode]:{value}}, which stands for several arguments; it must be an argument "
        "of its own");
  CHECK(error_of("{params[mode, mod]:--{name}={value}}") ==
        "has {params[mod]:…}, which fits no parameter; there are: mode, c, depth, book and a.b");
  CHECK(error_of("{params[]:gnu}") ==
        "has {params[]:…}, which fits no parameter; there are: mode, c, depth, book and a.b");
  CHECK(error_of("{params:--{name}}") == "has {params:--{name}}, which hands over no {value}");
  CHECK(error_of("{params:{nme}={value}}") ==
        "has {nme} in {params:{nme}={value}}, where {name}, {value}, {value:plain} and "
        "{value:shell} are allowed, and {{ for a brace");
  const SearchSpace odd = read_space(parse_yaml("{seed: [1, 2]}"));
  CHECK_THROWS_WITH(CommandTemplate("{seed}", odd, Style::kArgument),
                    "has {seed}, which is also the name of a parameter; rename the parameter");
}

TEST_CASE("templates know what they hand over") {
  const CommandTemplate depth("{depth}", space(), Style::kArgument);
  CHECK((depth.mentions(2) && !depth.mentions(0) && depth.uses().parameters && depth.uses().any));
  const CommandTemplate all("{params:json}", space(), Style::kArgument);
  CHECK((all.mentions(0) && all.mentions(4) && !all.uses().file));
  const CommandTemplate some("{params[c, book]:gnu}", space(), Style::kArgument);
  CHECK((some.mentions(1) && some.mentions(3) && !some.mentions(2) && some.uses().parameters));
  const CommandTemplate scratch("--dir={scratch}/x", space(), Style::kArgument);
  CHECK((scratch.uses().scratch && scratch.uses().any && !scratch.uses().parameters));
  const CommandTemplate seed("{seed}", space(), Style::kArgument);
  CHECK((!seed.uses().parameters && seed.uses().any));
  CHECK_FALSE(CommandTemplate("{{x}}", space(), Style::kArgument).uses().any);
}

}  // namespace ntune
