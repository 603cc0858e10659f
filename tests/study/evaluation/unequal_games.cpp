// Evaluations of different numbers of games: every game counts alike, at every door.

#include <vector>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/facts/result_text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluation/fresh_sample.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/followup/verify.h"
#include "study/make.h"
#include "study/scripted.h"

namespace ntune {

namespace {

/// A sample of calls, each of wins and losses.
Sample sample_of_calls(const std::vector<WinDrawLoss>& calls) {
  Sample sample;
  for (const WinDrawLoss& games : calls) {
    sample.call_of.push_back(sample.calls++);
    sample.payoffs.push_back(games.score());
    sample.games_of.push_back(static_cast<double>(games.games()));
    sample.games.add(games_of_one_call(games));
  }
  return sample;
}

HoldOut measured(const Sample& sample) {
  HoldOut held_out;
  held_out.payoffs = stats_of(sample.payoffs);
  held_out.games = sample.games;
  held_out.by_games = sample.by_games();
  measure_games(Unit{}, held_out);
  return held_out;
}

}  // namespace

TEST_CASE("a hold-out of unequal matches is worth its games") {
  const Sample sample = sample_of_calls(
      {{.wins = 2, .losses = 0}, {.wins = 20, .losses = 20}, {.wins = 90, .losses = 110}});
  const HoldOut held_out = measured(sample);
  CHECK(held_out.value(Unit{}) == Approx(112.0 / 242.0));
  CHECK(held_out.value(Unit{}) == Approx(held_out.games.games.score()));
  // Beside a default that is level by definition the difference is that of the value.
  Sample level = sample;
  for (double& payoff : level.payoffs) payoff = 0.5;
  level.games_of.clear();
  CHECK(differences_of(sample, level).mean.mean() == Approx(112.0 / 242.0 - 0.5));
  CHECK(differences_of(sample, level).values.count() == 3);
}

TEST_CASE("a hold-out of equal matches is what it was") {
  const Sample sample = sample_of_calls({{.wins = 3, .losses = 1}, {.wins = 1, .losses = 3}});
  const HoldOut held_out = measured(sample);
  CHECK_FALSE(held_out.stratified);
  CHECK_FALSE(held_out.observed);
  CHECK(held_out.value(Unit{}) == 0.5);
}

TEST_CASE("pairs of unequal matches are one sample") {
  Sample sample = sample_of_calls({{.wins = 2}, {.wins = 1, .losses = 3}});
  sample.games.pairs = {};
  sample.games.pairs.counts = {1, 0, 1, 0, 1};
  const HoldOut held_out = measured(sample);
  REQUIRE(held_out.observed);
  CHECK(held_out.sample().values.count() == 3);
  CHECK(held_out.value(Unit{}) == Approx(0.5));
}

TEST_CASE("a study and verify count every game alike") {
  // Long matches are lost more often than short ones are won; arm 1 wins a tenth more of all.
  const auto objective =
      test::scripted(2,
                     [](const Point& point, Rng& rng) {
                       const std::uint32_t games = rng.below(2) == 0 ? 3 : 99;
                       GameCounts counts;
                       for (std::uint32_t game = 0; game < games; ++game) {
                         const double chance = (games == 3 ? 0.8 : 0.3) + 0.1 * point[0];
                         counts.add(single_game(rng.uniform() < chance ? 1.0 : 0.0));
                       }
                       return outcome_of(counts);
                     },
                     {.low = 0.0, .high = 1.0, .games = true});
  const Study study = test::study_of(
      "{runs: 1, iterations: 20, re_evaluation: 0, hold_out: 60, default: {arm: 0}, seed: 4, "
      "optimiser: random}",
      objective);
  const StudyResult result = test::run(study);
  const Json json = result_json(study, result, summarise(study, result));
  const Json& elo = json["elo"];
  CHECK(elo["unequal_games"] == true);
  const double wins = elo["wins"].get<double>();
  const double score = wins / (wins + elo["losses"].get<double>());
  CHECK(json["recommendation"]["value"].get<double>() == Approx(score));
  CHECK(elo["value"].get<double>() == Approx(elo_of_score(score)));
  CHECK(score < 0.5);  // the mean of matches is above it
  if (json["recommendation"]["parameters"]["arm"] == 1) {
    const double difference = json["default"]["difference"]["value"].get<double>();
    CHECK(difference == Approx(score - json["default"]["value"].get<double>()));
  }
  CHECK_THAT(result_text(study, result, summarise(study, result)),
             Catch::Matchers::ContainsSubstring("count alike"));

  StudyProgress progress;
  const Verification test = verify(study, test::arm(1), test::arm(0), {}, progress);
  CHECK(test.first.sample.mean.mean() == Approx(test.first.games.games.score()));
  CHECK(test.second.sample.mean.mean() == Approx(test.second.games.games.score()));
  CHECK(test.difference_sample.mean.mean() ==
        Approx(test.first.games.games.score() - test.second.games.games.score()));
}

}  // namespace ntune
