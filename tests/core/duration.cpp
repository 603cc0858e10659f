// Durations as people write them.

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/time_text.h"
#include "ntune/core/yaml.h"
#include "support/error_text.h"

namespace ntune {

TEST_CASE("durations are read with their units") {
  const std::vector<std::pair<std::string, double>> durations = {
      {"90", 90.0},      {"5 s", 5.0},          {"250ms", 0.25},
      {"2h30m", 9000.0}, {"1 h 15 min", 4500},  {"3 days", 259200.0},
      {"1.5 min", 90.0}, {" 2 hours ", 7200.0}, {"1d 2h 3m 4s 5ms", 93784.005}};
  for (const auto& [text, seconds] : durations) {
    CAPTURE(text);
    CHECK(read_duration(text) == seconds);
  }
  for (const char* text : {"", "h", "5 parsecs", "5 s 3", "30 m 2 h", "5 s 5 s", "-5 s", "nan s",
                           "1e999", "5ss", "5 S"}) {
    CAPTURE(text);
    CHECK_FALSE(read_duration(text));
  }
}

TEST_CASE("durations are written for readers and for study files") {
  CHECK(duration_text(0.254) == "0.25 s");
  CHECK(duration_text(42.0) == "42 s");
  CHECK(duration_text(690.0) == "11.5 min");
  CHECK(duration_text(30960.0) == "8.6 h");
  CHECK(exact_duration_text(9000.0) == "2 h 30 min");
  CHECK(exact_duration_text(0.25) == "0.25 s");
  for (const double seconds : {1.0, 59.5, 60.0, 61.0, 86400.0, 93784.0, 90.5}) {
    CHECK(read_duration(exact_duration_text(seconds)) == seconds);
  }
}

TEST_CASE("an option that is a duration says what is allowed") {
  std::optional<double> seconds = 1.0;
  const CustomOption option = duration_option(seconds, above(0.0));
  const YamlNode root = parse_yaml("{good: 2 min, none: none, bad: soon, small: 0 s}");
  option.read(*root.find("good"));
  CHECK(seconds == 120.0);
  CHECK(option.write() == 120.0);
  option.read(*root.find("none"));
  CHECK(!seconds);
  CHECK(option.write() == "none");
  CHECK(test::input_error([&] { option.read(*root.find("bad")); }) ==
        "(text):1: bad: is 'soon', a duration such as 5 s, 10 min or 2h30m is allowed, above 0 "
        "seconds");
  CHECK(test::input_error([&] { option.read(*root.find("small")); }) ==
        "(text):1: small: is '0 s', a duration such as 5 s, 10 min or 2h30m is allowed, above 0 "
        "seconds");
}

}  // namespace ntune
