// Values that stand in the placeholders of a command line.

#include <string>
#include <vector>

#include "catch.h"
#include "ntune/space/import/import_space.h"
#include "space/import/import.h"

namespace ntune {

using test::input_error;
using test::native;
using test::space_in;

TEST_CASE("a command line: placeholders with values are parameters, all else stays") {
  const ImportedCommand command = import_command(
      {"./play", "--depth={depth:1..8=4}", "{c:0.1..10=1:log:plain}", "{step:0..1:step=0.25}",
       "{mode:fast|slow|007|3=slow}", "{luck:|--luck}", "x{a:-2..2}y{b:true|false}", "{seed}",
       "{params:gnu}", "{ok", "}", "awk '{print $1}'", "{c:plain}"},
      3);
  CHECK(command.words == std::vector<std::string>{"./play", "--depth={depth}", "{c:plain}",
                                                  "{step}", "{mode}", "{luck}", "x{a}y{b}",
                                                  "{seed}", "{params:gnu}", "{ok", "}",
                                                  "awk '{print $1}'", "{c:plain}"});
  CHECK(space_in(command.space.yaml) ==
        native("{depth: {integers: [1, 8], default: 4}, c: {log_range: [0.1, 10.0], points: 3, "
               "default: 1.0}, step: {range: [0.0, 1.0], step: 0.25}, mode: {choices: [fast, slow, "
               "'007', 3], default: slow}, luck: {choices: [null, --luck]}, a: {integers: [-2, "
               "2]}, b: [true, false]}"));
}

TEST_CASE("a command line: what its placeholders may not say") {
  const auto error = [](const std::string& word) {
    return input_error([&] { (void)import_command({"p", word}); });
  };
  CHECK(error("{x:1..y}") ==
        "{x:1..y}: '1..y' is no range; allowed: two numbers, as 1..8, or words, as fast|slow");
  CHECK(error("{x:1..2:lg}") ==
        "{x:1..2:lg}: 'lg' is not allowed there; allowed: log, step=2, plain");
  CHECK(error("{x:a|b:log}") == "{x:a|b:log}: 'log' is not allowed there; allowed: plain");
  CHECK(error("{x:1..9:log:step=2}")
            .ends_with("'step=2' is not allowed there; allowed: one of log "
                       "and step=2, plain"));
  CHECK(error("{x:1..9=2.5}") == "{x:1..9=2.5}: the default 2.5 is no whole number");
  CHECK(error("{x:3..3}") == "{x:3..3}: has one value alone, at least two are needed");
  CHECK(error("{x:1..3:step=5}").ends_with("has one value alone, at least two are needed"));
  CHECK(error("{a.b:1..3}").starts_with("'{a.b:1..3}' is no placeholder with values, as "));
  CHECK(error("{x:1..9:step=0}") ==
        "{x:1..9:step=0}: 'step=0' is no step, a number above 0 is needed");
  CHECK(error("{x:0..3:step=0.25=0}").ends_with("; a default stands directly behind the range"));
  CHECK(error("{x:1..4=9}") == "{x:1..4=9}: the default 9 is none of its values");
  CHECK(error("{x:a|b=c}") == "{x:a|b=c}: the default c is none of its values");
  CHECK(error("{x:1..4=a}") == "{x:1..4=a}: the default a is none of its values");
  CHECK(error("{x:8..1}") == "{x:8..1}: is from 8 to 1, the low end may not be above the high end");
  CHECK(error("{x:1..4}{x:1..4}") == "{x:1..4}: a second parameter is called 'x'");
  CHECK(error("{x}").starts_with("the command has no placeholder with values, as "));
}

}  // namespace ntune
