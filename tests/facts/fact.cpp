#include "ntune/facts/fact.h"

#include "catch.h"

namespace ntune {

TEST_CASE("numbers are written by their kind, with the digits that the interval needs") {
  const auto text = [](double value, Digits digits, std::optional<Interval> interval = {}) {
    return short_text({.value = value, .interval = interval, .digits = digits});
  };
  CHECK(text(0.5506, Digits::kScore) == "0.5506");
  CHECK(text(0.5506, Digits::kScore, Interval{0.5406, 0.5606}) == "0.5506 [0.5406, 0.5606]");
  CHECK(text(1e9 + 1.0, Digits::kScore, Interval{1e9, 1e9 + 2.0}) ==
        "1000000001 [1000000000, 1000000002]");
  CHECK(text(0.048, Digits::kSigned, Interval{0.0328, 0.0631}) == "+0.0480 [0.0328, 0.0631]");
  CHECK(text(-0.048, Digits::kDifference, Interval{-0.1, 0.01}) == "-0.0480 [-0.1000, +0.0100]");
  CHECK(text(35.31, Digits::kElo, Interval{28.26, 42.0}) == "+35.3 [+28.3, +42.0]");
  CHECK(text(0.6264, Digits::kProbability) == "0.626");
  CHECK(text(0.996, Digits::kPercent) == "100 %");
  CHECK(text_of({.value = std::int64_t{12345}}) == "12,345");
  CHECK(text_of({.value = "none"}) == "none");
  CHECK(text_of({}).empty());
  CHECK(ends_text({.value = 1.0}).empty());
}

TEST_CASE("a line tells a fact and those that continue it") {
  const Facts facts = {
      {.key = "best",
       .label = "best",
       .value = 0.5,
       .digits = Digits::kProbability,
       .before = "with probability ",
       .after = ", of the 2 points compared"},
      {.key = "regret",
       .label = "expected regret",
       .value = 0.25,
       .before = "; expected regret ",
       .continues = true},
      {.part = Fact::Part::kWork,
       .key = "time",
       .label = "time",
       .value = "3 s",
       .before = "time: ",
       .after = " of 10 s"},
      {.key = "value", .label = "value", .value = 0.5, .interval = Interval{0.4, 0.6}},
      elo_fact("elo", "Elo", {.value = 1.0, .interval = {-1.0, 3.0}}, "  above the default"),
  };
  CHECK(facts_text(facts, Fact::Part::kFinding, 6) ==
        "  best    with probability 0.500, of the 2 points compared; expected regret\n          "
        "0.2500\n"
        "  value   0.5000  95 % interval [0.4000, 0.6000]\n"
        "  Elo     +1.0  95 % interval [-1.0, +3.0]  above the default\n");
  CHECK(facts_text(facts, Fact::Part::kWork, 0) == "time: 3 s of 10 s\n");
  CHECK(facts_text({}, Fact::Part::kWork, 4).empty());
  CHECK(find_fact(facts, "regret")->label == "expected regret");
  CHECK(find_fact(facts, "nothing") == nullptr);
}

}  // namespace ntune
