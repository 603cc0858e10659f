#include "catch.h"
#include "facts/studies.h"
#include "ntune/facts/deviations_text.h"
#include "ntune/facts/merge_text.h"
#include "ntune/facts/recommend_data_text.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;

namespace {

Study costs() { return read_study(parse_yaml(test::shell_study("echo $1 $2", "budget: 9"))); }

Point at(std::uint16_t value) {
  Point point(1);
  point[0] = value;
  return point;
}

}  // namespace

TEST_CASE("changes of one parameter are facts in the reported unit, as text and rows have them") {
  const Study study = costs();
  const Objective& objective = *study.objectives[0].objective;
  Deviation worse{.value = 3, .point = at(3), .pairs = 4, .interval = Interval{-30.0, -10.0}};
  for (const double difference : {-18.0, -22.0}) worse.difference.add(difference);
  worse.verdict = DeviationVerdict::kWorse;
  const Deviation failed{.value = 4, .point = at(4), .tried = 8, .failed = 8};
  Deviations result;
  result.point = at(0);
  result.tested = {worse, failed};
  const Facts facts = deviation_facts(objective, result);
  REQUIRE(facts.size() == 2);
  CHECK(facts[0].label == "a = 4");
  CHECK(short_text(facts[0]) == "+20.00 [+10.00, +30.00]");  // a cost: what is worse is above 0
  CHECK(text_of(facts[1]) == "8 of 8 failed");
  const auto rows = deviation_rows(objective, result);
  CHECK(rows[0]["difference"] == std::get<double>(facts[0].value));
  CHECK(rows[0]["low"] == facts[0].interval->low);
  CHECK(rows[1]["difference"].is_null());
  const std::string text = deviations_text(objective, result, nullptr);
  CHECK_THAT(text, ContainsSubstring("4: " + short_text(facts[0])));
}

TEST_CASE("the picks of a merge are facts, and what is not measured has no value") {
  const Study study = costs();
  Merge merge;
  merge.study = study;
  merge.picks.resize(2);
  merge.picks[0].point = at(1);
  merge.picks[0].interval = Interval{1.5, 2.5};
  for (const double payoff : {-1.0, -3.0}) merge.picks[0].payoffs.add(payoff);
  merge.picks[1].point = at(2);
  const Facts facts = merge_facts(merge);
  REQUIRE(facts.size() == 2);
  CHECK(facts[0].label == "a = 2");
  CHECK(short_text(facts[0]) == "2.0000 [1.5000, 2.5000]");
  CHECK(text_of(facts[1]) == "-");
}

TEST_CASE("what data recommend is a line of facts with the digits of the posterior interval") {
  DataRecommendation result;
  result.recommended = {.point = at(0),
                        .observations = 3,
                        .mean = 1e9 + 2.0,
                        .estimate = 1e9 + 1.0,
                        .posterior = 1e9 + 1.5,
                        .interval = Interval{1e9, 1e9 + 3.0}};
  CHECK(facts_text(data_facts(result), Fact::Part::kFinding, 0) ==
        "estimate 1000000001; observed 3 times, mean 1000000002; posterior mean\n  1000000001.5 "
        "[1000000000, 1000000003]\n");
  result.recommended.interval.reset();
  CHECK(text_of(*find_fact(data_facts(result), "posterior_mean")) == "-");
}

}  // namespace ntune
