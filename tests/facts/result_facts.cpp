#include "ntune/facts/result_facts.h"

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "catch.h"
#include "facts/studies.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/facts/result_text.h"
#include "ntune/study/results/result_json.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;

namespace {

/// What a fact tells.
std::string line_of(const Fact& fact) {
  return fact.label + "|" + fact.before + "|" + short_text(fact) + "|" + fact.after;
}

std::string text_of_facts(const Facts& facts) {
  return facts_text(facts, Fact::Part::kFinding, 11) + facts_text(facts, Fact::Part::kWork, 0);
}

/// What is read from the file of a result is what was written.
void check_read_again(const test::MadeStudy& made) {
  const Json written = to_json(made.saved(), made.study);
  const SavedResult read = read_saved_result(Json::parse(written.dump()), made.study);
  CHECK(to_json(read, made.study).dump(1) == written.dump(1));
  CHECK(verdict_of(read) == verdict_of(made.saved()));
}

/// The file tells the facts that the terminal tells.
void check_facts_of_file(const test::MadeStudy& made) {
  const Facts facts = result_facts(made.study, made.saved());
  const std::string text =
      test::on_one_line(result_text(made.study, made.result, made.summaries()));
  const Json file = Json::parse(to_json(made.saved(), made.study).dump());
  const Facts of_file = result_facts(made.study, read_saved_result(file, made.study));
  std::set<std::string> told;
  for (const Fact& fact : of_file) told.insert(line_of(fact));
  // A second interval of a number stands below it.
  for (std::size_t i = 1; i < facts.size(); ++i) {
    if (facts[i].key.ends_with("_for_others")) {
      CHECK(facts[i].key == facts[i - 1].key + "_for_others");
    }
  }
  for (const Fact& fact : facts) {
    CAPTURE(fact.key);
    // What is not saved: causes of fresh failures, pairs of seeds, the values that fail often.
    const bool of_failures =
        made.result.failures > 0 && (fact.key == "failing_value" || fact.key == "difference" ||
                                     fact.key == "value" || fact.key == "default");
    if (!of_failures && fact.key != "wide_costs") CHECK(told.contains(line_of(fact)));
    CHECK_THAT(text, ContainsSubstring(test::on_one_line(fact.before + text_of(fact))));
  }
}

}  // namespace

TEST_CASE("instances stand by what they gain over today's setting, the largest gain first") {
  const std::string instances = "instances: [1, 5, 3], budget: 60, hold_out: 6";
  const auto places = [&](const std::string& script) {
    const test::MadeStudy made(test::shell_study(script, instances, "{instance}"));
    const std::string text = result_text(made.study, made.result, made.summaries());
    return std::vector{text.find("\n5 "), text.find("\n3 "), text.find("\n1 ")};
  };
  CHECK(std::ranges::is_sorted(places("echo $(( $1 * $3 + 900 / $3 ))")));
  // Without a gain the worst stands first.
  const auto kept = places("echo $(( ($1 - 4) * ($1 - 4) + 900 / $3 ))");
  CHECK(std::ranges::is_sorted(kept, std::ranges::greater()));
}

TEST_CASE(
    "the file of every kind of study is read as it was written, and tells what the terminal "
    "tells") {
  for (const auto& [name, yaml] : test::studies_of_each_kind()) {
    CAPTURE(name);
    const test::MadeStudy made(yaml);
    check_read_again(made);
    check_facts_of_file(made);
  }
}

TEST_CASE("a study that recommends a point tells its value, what it is worth and what it took") {
  const test::MadeStudy made(test::studies_of_each_kind()[0].second);
  const Pick& pick = made.result.cells[0].picks[0];
  const Facts facts = result_facts(made.study, made.saved());
  const Fact* value = find_fact(facts, "value");
  REQUIRE(value != nullptr);
  CHECK(std::get<double>(value->value) ==
        pick.hold_out.value(made.study.objectives[0].objective->unit()));
  CHECK(value->interval->low == pick.hold_out.interval->low);
  CHECK(value->after == "  from 20 fresh evaluations");
  CHECK(std::get<double>(find_fact(facts, "estimate")->value) == pick.estimate);
  CHECK(std::get<double>(find_fact(facts, "true_value")->value) == pick.true_value);
  CHECK(std::get<std::int64_t>(find_fact(facts, "runs")->value) == 3);
  CHECK(find_fact(facts, "default") == nullptr);
  CHECK(find_fact(facts, "evaluations")->part == Fact::Part::kWork);
}

TEST_CASE("evaluations of a stage that was interrupted are told with those that count") {
  const test::MadeStudy made(test::studies_of_each_kind()[0].second);
  SavedResult saved = made.saved();
  const auto told = [&](std::int64_t evaluations) {
    const Fact fact = *find_fact(result_facts(made.study, saved, evaluations), "evaluations");
    return text_of(fact) + fact.after;
  };
  const std::int64_t all = saved.evaluations;
  // A finished study may have more in its journal, of what it asked for earlier.
  CHECK(told(all + 5) == told(0));
  saved.status = "interrupted";
  CHECK(told(0) == told(all));
  CHECK_THAT(told(all), ContainsSubstring(" evaluations: "));
  CHECK_THAT(told(all + 38),
             ContainsSubstring(fmt::format("{} evaluations made; the result counts the {} "
                                           "of stages that have ended: ",
                                           count_text(all + 38), count_text(all))));
  saved.evaluations = 0;
  saved.budget = {};
  CHECK_THAT(told(88), ContainsSubstring("88 evaluations made; no stage has ended"));
}

TEST_CASE("of matches it is told once how many games an evaluation has, and games are games") {
  const test::MadeStudy made(test::studies_of_each_kind()[0].second);
  SavedResult saved = made.saved();
  saved.elo = SavedElo{.games = {.games = {.wins = 30, .draws = 6, .losses = 4}}};
  CHECK(games_per_evaluation(saved) == 2.0);
  CHECK(find_fact(result_facts(made.study, saved), "value")->after ==
        "  from 20 fresh evaluations of 2 games");
  SavedDefault other{.point = made.saved().recommendation->point};
  other.point[0] = other.point[0] == 0 ? 1 : 0;
  other.fresh = saved.recommendation->fresh;
  other.finding = IncumbentFinding::kNotShown;
  other.difference = 0.01;
  other.difference_interval = Interval{-0.1, 0.12};
  other.evaluations_to_decide = 140.0;
  saved.incumbent = other;
  CHECK_THAT(text_of(*find_fact(result_facts(made.study, saved), "finding")),
             ContainsSubstring("`ntune verify` would take about 280 games"));
  // Without games evaluations are told.
  saved.elo.reset();
  CHECK(games_per_evaluation(saved) == 0.0);
  CHECK_THAT(text_of(*find_fact(result_facts(made.study, saved), "finding")),
             ContainsSubstring("would take about 140 evaluations"));
}

TEST_CASE("the finding is in words that say what would decide") {
  const auto finding_of = [](const std::string& name) {
    for (const auto& [kind, yaml] : test::studies_of_each_kind()) {
      if (kind != name) continue;
      const test::MadeStudy made(yaml);
      const Facts facts = result_facts(made.study, made.saved());
      const Fact* fact = find_fact(facts, "finding");
      return fact == nullptr ? std::string() : text_of(*fact);
    }
    return std::string("no such study");
  };
  CHECK(finding_of("costs") == "better than the default");
  CHECK(finding_of("a default that wins") == "keep the default: nothing better was found");
  CHECK_THAT(finding_of("a default that fails"),
             ContainsSubstring("better than the default: none of the recommendation's"));
  CHECK(finding_of("function").empty());
}

TEST_CASE("a file of an older version tells what it holds") {
  const test::MadeStudy made(test::studies_of_each_kind()[5].second);
  Json file = to_json(made.saved(), made.study);
  file["failures"] = 3;  // the number alone
  file.erase("recommended_by_runs");
  file.erase("budget");
  file["default"].erase("finding_reason");
  file["default"].erase("evaluations_to_decide");
  file["default"]["failures"] = nullptr;
  file["recommendation"]["interval"] = "?";
  const SavedResult read = read_saved_result(file, made.study);
  CHECK(read.failures.count == 3);
  CHECK(read.candidates.empty());
  CHECK_FALSE(read.recommendation->fresh.interval.has_value());
  CHECK(read.recommendation->fresh.value == made.saved().recommendation->fresh.value);
  CHECK_THAT(text_of_facts(result_facts(made.study, read)),
             ContainsSubstring("finding      better than the default\n"));
  file["recommendation"]["parameters"]["a"] = 77;
  CHECK_THROWS_AS(read_saved_result(file, made.study), InputError);
  file["recommendation"].erase("parameters");
  CHECK_THROWS_WITH(read_saved_result(file, made.study), ContainsSubstring("'parameters'"));
  file["recommendation"] = nullptr;
  CHECK_FALSE(read_saved_result(file, made.study).recommendation.has_value());
}

TEST_CASE("Elo without an end is null in the file and infinite again when it is read") {
  const test::MadeStudy made(
      "{objective: {command: [sh, -c, echo W W W W, sh, '{a}'], result: letters}, space: {a: [1, "
      "2]}, default: {a: "
      "1}, budget: 12, hold_out: 4}");
  const Json file = to_json(made.saved(), made.study);
  CHECK(file["elo"]["value"].is_null());
  const SavedResult read = read_saved_result(file, made.study);
  CHECK(text_of(*find_fact(result_facts(made.study, read), "elo")) == "+inf");
  CHECK(to_json(read, made.study) == file);
}

}  // namespace ntune
