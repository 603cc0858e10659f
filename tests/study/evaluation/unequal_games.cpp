#include "catch.h"
#include "ntune/objective/unit.h"
#include "ntune/study/evaluation/fresh_sample.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/model/run_record.h"

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

}  // namespace ntune
