// Games whose results are drawn from known strengths.

#include "ntune/objective/functions/simulated_games.h"

#include <array>
#include <cmath>
#include <memory>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/game_statistics.h"
#include "ntune/objective/instanced_objective.h"
#include "ntune/objective/lambda_objective.h"
#include "objective/make.h"

namespace ntune {

using Catch::Matchers::WithinAbs;

namespace {

constexpr std::array kLandscapes = {StrengthLandscape::kBowl, StrengthLandscape::kSmooth,
                                    StrengthLandscape::kNk, StrengthLandscape::kMixed};

}  // namespace

TEST_CASE("simulated games: the top is as far above the default as the options say") {
  for (const StrengthLandscape landscape : kLandscapes) {
    for (const std::int64_t seed : {1, 2, 3}) {
      const SimulatedGames games({.landscape = landscape,
                                  .dimensions = 4,
                                  .interactions = 2,
                                  .elo = 80.0,
                                  .landscape_seed = seed});
      CAPTURE(static_cast<int>(landscape), seed);
      CHECK(games.strength(games.default_point()) == 0.0);
      CHECK(games.true_value(games.default_point()) == 0.5);
      double best = 0.0;
      Rng rng(1);
      for (int i = 0; i < 20'000; ++i) {
        best = std::max(best, games.strength(games.space().sample(rng)));
      }
      CHECK(best > 60.0);
      CHECK(best < 80.5);
    }
  }
}

TEST_CASE("simulated games: points and draws are as often as the strengths say") {
  for (const double draws : {0.0, 0.4, 0.9}) {
    for (const double openings : {0.0, 150.0}) {
      CAPTURE(draws, openings);
      const SimulatedGames games(
          {.dimensions = 2, .elo = 100.0, .draws = draws, .openings = openings});
      Rng rng(1);
      const Point point = games.space().sample(rng);
      constexpr int kPairs = 20'000;
      WinDrawLoss equals;
      RunningStats score;
      for (std::size_t i = 0; i < kPairs; ++i) {
        Rng stream = Rng(2).stream("pair", i);
        score.add(games.play(point, games.default_point(), stream, {}).payoff);
        const Outcome even = games.play(point, point, stream, {});
        equals.wins += even.games.games.wins;
        equals.draws += even.games.games.draws;
        equals.losses += even.games.games.losses;
      }
      const double error = score.sd() / std::sqrt(static_cast<double>(kPairs));
      CHECK(std::abs(score.mean() - games.true_value(point)) < 4.0 * error + 1e-9);
      const double drawn = static_cast<double>(equals.draws) / static_cast<double>(equals.games());
      if (openings == 0.0) CHECK_THAT(drawn, WithinAbs(draws, 0.012));
    }
  }
}

TEST_CASE("simulated games: an Elo of strength is an Elo of points between near equals") {
  const SimulatedGames games({.dimensions = 1, .elo = 20.0, .draws = 0.6});
  for (int i = 0; i < 33; ++i) {
    Point point(1);
    point[0] = static_cast<std::uint16_t>(i);
    const double strength = games.strength(point);
    if (std::abs(strength) > 20.0) continue;
    CHECK_THAT(elo_of_score(games.true_value(point)), WithinAbs(strength, 0.3));
  }
}

TEST_CASE("simulated games: the space is its own") {
  CHECK_THROWS_AS(test::make("{objective: {game: simulated}, space: {p1: [0, 1]}}"), InputError);
  CHECK_THROWS_AS(
      test::make("objective: {game: simulated, landscape: nk, dimensions: 4, interactions: 4}"),
      InputError);
}

TEST_CASE("simulated games: beyond a cliff a player loses, and the default stands before it") {
  for (const StrengthLandscape landscape : kLandscapes) {
    const SimulatedGames flat({.landscape = landscape, .dimensions = 4});
    const SimulatedGames games({.landscape = landscape, .dimensions = 4, .cliffs = 2});
    CAPTURE(static_cast<int>(landscape));
    CHECK(games.strength(games.default_point()) == 0.0);
    Rng rng(1);
    int fallen = 0;
    for (int i = 0; i < 1000; ++i) {
      const Point point = games.space().sample(rng);
      const double fall = flat.strength(point) - games.strength(point);
      CHECK((fall == 0.0 || std::abs(fall - 1000.0) < 1e-6));
      if (fall > 0.0) ++fallen;
    }
    CHECK(fallen > 50);
    CHECK(fallen < 900);
  }
}

TEST_CASE("simulated games: an opening helps either player of a pair once") {
  // Openings decide nearly every game here, so that players of equal strength win one each.
  const SimulatedGames games({.dimensions = 2, .openings = 20'000.0});
  Rng rng(1);
  int level = 0;
  for (int i = 0; i < 200; ++i) {
    const Point& player = games.default_point();
    level += games.play(player, player, rng, {}).payoff == 0.5 ? 1 : 0;
  }
  CHECK(level > 180);
}

TEST_CASE("an objective of instances has matches where each of its members has") {
  const auto games = std::make_shared<SimulatedGames>(SimulatedGamesOptions{.dimensions = 2});
  CHECK(InstancedObjective({{"a", games}, {"b", games}}).matches() != nullptr);
  const auto alone = std::make_shared<LambdaObjective>(
      games->space(), [](const Point&, Rng&) { return 0.5; }, "alone", games->payoffs());
  CHECK(InstancedObjective({{"a", alone}, {"b", alone}}).matches() == nullptr);
}

}  // namespace ntune
