// Matches between two points as evaluations.

#include "ntune/objective/match/match_objective.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/objective/functions/simulated_games.h"
#include "ntune/objective/lambda_objective.h"
#include "ntune/objective/match/lambda_game.h"
#include "ntune/space/parameter.h"
#include "objective/make.h"

namespace ntune {

using Catch::Matchers::StartsWith;

namespace {

std::string match_error(const std::string& study) {
  try {
    test::make(study);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::shared_ptr<const SimulatedGames> simulated() {
  return std::make_shared<SimulatedGames>(SimulatedGamesOptions{.dimensions = 3});
}

}  // namespace

TEST_CASE("match: an evaluation is points per game against the default, which itself has 1/2") {
  const auto objective =
      test::make("objective: {match: {game: simulated, dimensions: 3}, games: 6}");
  REQUIRE(are_duels(*objective));
  const Point anchor = objective->matches()->anchors()[0];
  CHECK(is_opponent(*objective, anchor));
  Rng rng(1);
  CHECK(objective->evaluate(anchor, rng) == 0.5);
  for (std::size_t i = 0; i < 50; ++i) {
    const Point point = objective->space().sample(rng);
    Rng stream = Rng(2).stream("evaluation", i);
    const Outcome outcome = observe(*objective, point, stream, {});
    CHECK(outcome.failure.empty());
    CHECK(outcome.games.games.games() == 6);
    CHECK(outcome.games.pairs.pairs() == 3);
    CHECK(outcome.payoff == outcome.games.games.score());
  }
}

TEST_CASE("match: a lambda of two players plays the same random numbers from either side") {
  const SearchSpace space({with_default(make_integers("skill", 0, 9), std::int64_t{4})});
  std::vector<std::pair<std::int64_t, double>> games;
  const auto game = std::make_shared<LambdaGame>(
      space,
      [&](const Settings& first, const Settings& second, Rng& rng) {
        games.emplace_back(first.integer("skill"), rng.uniform());
        if (first.integer("skill") == second.integer("skill")) return 0.5;
        return first.integer("skill") > second.integer("skill") ? 1.0 : 0.0;
      },
      "skill");
  const MatchObjective matches(game, {.games = 4});
  CHECK(matches.description() == "matches of skill");
  REQUIRE(matches.anchors().size() == 1);
  CHECK(matches.anchors()[0][0] == 4);
  Point strong(1);
  strong[0] = 7;
  Rng rng(1);
  const Outcome outcome = matches.play(strong, matches.anchors()[0], rng, {});
  CHECK(outcome.games.games == WinDrawLoss{.wins = 4});
  CHECK(outcome.games.pairs.pairs() == 2);
  REQUIRE(games.size() == 4);
  CHECK(games[0].first == 7);
  CHECK(games[1].first == 4);
  CHECK(games[0].second == games[1].second);
  CHECK(games[2].second == games[3].second);
  CHECK(games[0].second != games[2].second);
}

TEST_CASE("match: a wrong lambda of two players is refused in one line") {
  const SearchSpace space({make_integers("skill", 0, 9)});
  const LambdaGame::Function generous = [](const Settings&, const Settings&, Rng&) { return 3.0; };
  const auto game = std::make_shared<LambdaGame>(space, generous, "skill");
  Rng rng(1);
  CHECK_THROWS_WITH(game->evaluate(Point(1), rng),
                    "is a game of two players: give it to a MatchObjective");
  CHECK_THROWS_WITH(game->play(Point(1), Point(1), rng, {}),
                    "a game has 3 points: 1, 1/2 or 0 are allowed");
  CHECK_THROWS_WITH(MatchObjective(game, {}), StartsWith("skill: has no default; give it one"));
  CHECK_THROWS_WITH(MatchObjective(game, {.anchors = {Point(1)}, .games = 3}),
                    "games: is 3, an even number is allowed");
  CHECK_THROWS_WITH(MatchObjective(game, {.anchors = {Point(1)}, .weights = {1.0, 2.0}}),
                    "weights: has 2 numbers for 1 opponents");
  CHECK_THROWS_WITH(LambdaGame(space, {}, "skill"), "game 'skill': the function is empty");
  CHECK_THROWS_WITH(with_default(make_boolean("book"), std::string("deep")),
                    "parameter 'book': the default is 'deep', one of its values is allowed: "
                    "false or true");
  const auto one_player = std::make_shared<LambdaObjective>(
      space, [](const Settings&, Rng&) { return 0.0; }, "alone");
  CHECK_THROWS_WITH(MatchObjective(one_player, {}), "match: needs a game of two players");
}

TEST_CASE("match: who plays first is turned with the players") {
  const auto games = simulated();
  const MatchObjective objective(games, {.anchors = {games->default_point()}, .games = 2});
  Rng rng(3);
  double sum = 0.0;
  constexpr int kMatches = 4000;
  const Point first = games->space().sample(rng);
  const Point second = games->space().sample(rng);
  for (std::size_t i = 0; i < kMatches; ++i) {
    Rng one = Rng(4).stream("match", i);
    Rng other = Rng(5).stream("match", i);
    sum += objective.play(first, second, one, {}).payoff +
           objective.play(second, first, other, {}).payoff - 1.0;
  }
  CHECK(std::abs(sum / kMatches) < 0.03);  // 3.8 standard errors
}

TEST_CASE("match: the true value is known where the games' own default is the only opponent") {
  const std::string game = "objective: {match: {game: simulated}";
  CHECK(test::make(game + "}")->known_truth() != nullptr);
  CHECK(test::make(game + ", opponents: [{p1: 1}]}")->known_truth() == nullptr);
  CHECK(test::make(game + ", opponents: [default, {p1: 1}]}")->known_truth() == nullptr);
}

TEST_CASE("match: opponents are drawn by their weights") {
  const auto games = simulated();
  Rng rng(1);
  std::vector<Point> anchors;
  for (int i = 0; i < 3; ++i) anchors.push_back(games->space().sample(rng));
  const MatchObjective objective(games, {.anchors = anchors, .weights = {5.0, 3.0, 2.0}});
  CHECK_FALSE(objective.opponent());
  std::map<Point, int> drawn;
  for (std::size_t i = 0; i < 10'000; ++i) {
    ++drawn[objective.anchor_for(Rng(7).stream("evaluation", i))];
  }
  CHECK(std::abs(drawn[anchors[0]] - 5000) < 200);  // 4 standard deviations
  CHECK(std::abs(drawn[anchors[1]] - 3000) < 184);
  CHECK(std::abs(drawn[anchors[2]] - 2000) < 160);
}

TEST_CASE("match: options are written back and read again") {
  for (const char* study :
       {"objective: {match: {game: simulated}}",
        "objective: {match: {game: bao, depth: 1}, opponents: [default], games: 4}",
        "objective: {match: {game: planet_wars}}",
        "objective: {match: {game: simulated}, opponents: [default, {p1: 0.5}], weights: [3, "
        "1]}"}) {
    CAPTURE(study);
    const Json options = test::resolved(study);
    CHECK(test::resolved("objective: " + options.dump()) == options);
    CHECK(test::make("objective: " + options.dump())->description() ==
          test::make(study)->description());
  }
}

TEST_CASE("match: what cannot be played is refused in one line") {
  struct Case {
    std::string study;
    std::string error;
  };
  const std::vector<Case> cases = {
      {"objective: {match: hartmann6}",
       "study.yaml:1: objective.match: 'hartmann6' is for one player, a match needs two"},
      {"objective: {match: {game: asteroids}}",
       "study.yaml:1: objective.match: 'asteroids' is for one player, a match needs two"},
      {"objective: {match: {game: simulated}, games: 3}",
       "study.yaml:1: objective.games: is 3, an even number is allowed: games come in pairs, one "
       "from either side"},
      {"objective: {match: {match: {game: simulated}}}",
       "study.yaml:1: objective.match: is a match already"},
      {"objective: {match: {game: simulated}, opponents: []}",
       "study.yaml:1: objective.opponents: is empty, a list such as"},
      {"objective: {match: {game: simulated}, opponents: [default, default]}",
       "study.yaml:1: objective.opponents[2]: stands twice among the opponents"},
      {"objective: {match: {game: simulated}, opponents: [strong]}",
       "study.yaml:1: objective.opponents[1]: is 'strong', default or a map of values is allowed"},
      {"objective: {match: {game: simulated}, weights: [1, 2]}",
       "study.yaml:1: objective.weights: has 2 numbers for 1 opponents"},
      {"objective: {match: {game: simulated}, opponents: [{p9: 1}]}",
       "study.yaml:1: objective.opponents[1].p9: "},
      {"{objective: {match: {command: [a, '{depth}'], result: letters}}, space: {depth: "
       "{integers: [1, 4], default: 2}}}",
       "study.yaml:1: objective.match: names no opponent: a match needs {opponent.NAME}"},
      {"objective: {games: 2, match: }", "study.yaml:1: objective"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.study);
    CHECK_THAT(match_error(c.study), StartsWith(c.error));
  }
}

TEST_CASE("match: a program's result that is no points per game fails the match") {
  const auto objective_of = [](const std::string& printed) {
    return test::make("objective: {match: {command: [/bin/sh, -c, 'echo \"$1\"', sh, '" + printed +
                      "', '{x}', '{opponent.x}']}}\nspace: {x: {integers: [0, 4], default: 0}}");
  };
  Rng rng(1);
  // The mean of two wrong numbers may look right.
  for (const char* wrong : {"1.5", "-1", "1e9", R"({{"values": [3, -2.5]}})"}) {
    CAPTURE(wrong);
    const Outcome outcome = objective_of(wrong)->matches()->play(Point(1), Point(1), rng, {});
    CHECK_THAT(outcome.failure, StartsWith("the result of the match is "));
  }
  for (const char* right : {"0.25", "1", "0", R"({{"values": [1, 0.5]}})"}) {
    CAPTURE(right);
    CHECK(objective_of(right)->matches()->play(Point(1), Point(1), rng, {}).failure.empty());
  }
}

}  // namespace ntune
