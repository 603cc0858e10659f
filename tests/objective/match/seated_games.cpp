// Matches at tables: the players of two points share the seats, and change them.

#include "ntune/objective/seated_games.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/statistics.h"
#include "ntune/core/yaml.h"
#include "ntune/objective/functions/simulated_games.h"
#include "ntune/objective/instance.h"
#include "ntune/objective/match/lambda_table.h"
#include "ntune/objective/match/match_objective.h"
#include "objective/make.h"
#include "support/error_text.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::WithinAbs;

namespace {

/// A study of a program that gets `given` as arguments and prints `printed` of "$1", "$2" and on.
std::string program(const std::string& printed, const std::string& given,
                    const std::string& more = "players: 3") {
  return "objective: {match: {command: [/bin/sh, -c, 'echo \"" + printed + "\"', sh, " + given +
         "]}, " + more +
         "}\nspace: {x: {integers: [0, 9], default: 0}, y: {choices: [1, 2], default: 1}}";
}

Point at(int x) {
  Point point(2);
  point[0] = static_cast<std::uint16_t>(x);
  return point;
}

/// The match of x = 9 against x = 0.
Outcome play(const std::string& study, const EvaluationId& id = {}, std::uint64_t seed = 1) {
  Rng rng(seed);
  return test::make(study)->matches()->play(at(9), at(0), rng, id);
}

const std::string kSeats = "'{seat1.x}', '{seat2.x}', '{seat3.x}'";

}  // namespace

TEST_CASE("seats: half of them are drawn, each equally often, and then exchanged") {
  const Point one(1);
  const Point other(1);
  std::vector<int> taken(5);
  Rng rng(1);
  for (int i = 0; i < 5000; ++i) {
    const Seating seating = draw_seating(one, other, 5, rng);
    CHECK(std::ranges::count(seating.seats, true) == 2);
    for (std::size_t seat = 0; seat < 5; ++seat) {
      taken[seat] += seating.seats[seat] ? 1 : 0;
      CHECK(&seating.exchanged().at(seat) != &seating.at(seat));
    }
  }
  for (const int times : taken) CHECK(std::abs(times - 2000) < 140);  // 4 standard deviations
}

TEST_CASE("seats: a side wins that is ahead in more than half of the pairs of seats") {
  const Seating seating{.first = nullptr, .second = nullptr, .seats = {true, false, false, true}};
  const auto points = [&](std::vector<double> by_seat) { return seating.points(by_seat); };
  CHECK(points({4, 3, 2, 1}) == 0.5);
  CHECK(points({4, 3, 1, 2}) == 1.0);
  CHECK(points({1, 4, 2, 3}) == 0.0);
  CHECK(points({0, 0, 0, 1}) == 1.0);
  CHECK(points({2, 2, 2, 2}) == 0.5);
  CHECK(points({3, 3, 2, 1}) == 0.0);
  CHECK(seating.exchanged().points(std::vector<double>{4, 3, 1, 2}) == 0.0);
}

TEST_CASE("seats: what they are worth does nothing for equal players") {
  for (int players = 2; players <= kMostPlayers; ++players) {
    const auto games = std::make_shared<const SimulatedGames>(
        SimulatedGamesOptions{.dimensions = 2, .openings = 1000.0});
    const MatchObjective matches(games, {.games = 4, .players = players});
    RunningStats score;
    for (std::size_t i = 0; i < 2000; ++i) {
      Rng rng = Rng(1).stream("match", i);
      const Outcome outcome = matches.play(games->default_point(), games->default_point(), rng, {});
      REQUIRE(outcome.games.games.games() == 4);
      REQUIRE(outcome.games.pairs.pairs() == 2);
      score.add(outcome.payoff);
    }
    CAPTURE(players, score.mean(), score.sd());
    // The same seats help both: far less than the 0.25 of four games that are apart.
    CHECK(score.sd() < 0.2);
    CHECK(std::abs(score.mean() - 0.5) < 4.0 * score.sd() / std::sqrt(2000.0));
  }
}

TEST_CASE("seats: simulated games have the expected points that they tell") {
  const auto games =
      std::make_shared<const SimulatedGames>(SimulatedGamesOptions{.dimensions = 2, .elo = 150.0});
  Rng rng(1);
  for (const int players : {2, 3, 4, 5, 8}) {
    const MatchObjective matches(games, {.players = players});
    CHECK(matches.known_truth() == nullptr);  // that of games of two
    const Point point = games->space().sample(rng);
    RunningStats score;
    for (std::size_t i = 0; i < 20'000; ++i) {
      Rng stream = Rng(2).stream("match", i);
      score.add(matches.play(point, games->default_point(), stream, {}).payoff);
    }
    CAPTURE(players, score.mean());
    CHECK_THAT(games->true_seated_value(point, players), WithinAbs(score.mean(), 0.009));
    CHECK_THAT(games->true_seated_value(games->default_point(), players), WithinAbs(0.5, 1e-12));
  }
}

TEST_CASE("seats: a program is told who sits where, and tells ranks, scores or the winner") {
  // Whoever has the higher x is ahead.
  for (const char* printed :
       {"{{\\\"scores\\\": [$1, $2, $3]}}", "{{\\\"ranks\\\": [-$1, -$2, -$3]}}"}) {
    CAPTURE(printed);
    const Outcome outcome = play(program(printed, kSeats));
    CHECK(outcome.failure == "");
    CHECK(outcome.games.games == WinDrawLoss{.wins = 2});
    CHECK(outcome.games.pairs.counts[4] == 1);
  }
  // The first seat wins, whoever sits there: one game each.
  for (std::uint64_t seed = 1; seed < 9; ++seed) {
    const Outcome outcome = play(program("{{\\\"winner\\\": 1}}", kSeats), {}, seed);
    CHECK(outcome.failure == "");
    CHECK(outcome.games.pairs.counts[2] == 1);
  }
  const Outcome level = play(program("{{\\\"winner\\\": null}}", kSeats));
  CHECK(level.games.games == WinDrawLoss{.draws = 2});
}

TEST_CASE("seats: all settings go along as JSON, as the game with fewer seats has them") {
  const std::string wins = "{{\\\"winner\\\": 2, \\\"cost\\\": 3}}";
  Outcome outcome = play(program(wins, "'{seats:json}'"));
  CHECK(outcome.failure == "");
  CHECK(outcome.cost == 6.0);
  // Two seats of at most three: the third makes no argument, and the second wins.
  const Instance small{.name = "small", .values = {{"players", std::int64_t{2}}}};
  outcome = play(program("{{\\\"winner\\\": $#}}", kSeats), {.instance = &small});
  CHECK(outcome.failure == "");
  CHECK(outcome.games.pairs.counts[2] == 1);
  const std::string worker =
      "objective: {match: {command: [/usr/bin/python3, -c, \"import json, sys\\n"
      "for line in sys.stdin:\\n  r = json.loads(line); assert 'params' not in r\\n"
      "  print(json.dumps(dict(id=r['id'], scores=[s['x'] for s in r['seats']])), flush=True)\"],"
      " protocol: worker}, players: 5}\nspace: {x: {integers: [0, 9], default: 0}, y: {choices: "
      "[1, 2], default: 1}}";
  outcome = play(worker);
  CHECK(outcome.failure == "");
  CHECK(outcome.games.games == WinDrawLoss{.wins = 2});
}

TEST_CASE("seats: a match whose second game fails has cost the first one too") {
  // The game fails with x = 9 in the first seat, which is so in one of the two games.
  std::set<double> costs;
  for (std::uint64_t seed = 1; seed < 30; ++seed) {
    const Outcome outcome =
        play(program("{{\\\"winner\\\": $((1 + $1)), \\\"cost\\\": 3}}", kSeats), {}, seed);
    CHECK_THAT(outcome.failure, ContainsSubstring("'winner': 10"));
    costs.insert(outcome.cost.value_or(0.0));
  }
  REQUIRE(costs.size() == 2);
  CHECK(*costs.rbegin() - *costs.begin() == 3.0);
}

TEST_CASE("seats: a result that does not fit them fails in one line") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{{\\\"ranks\\\": [1, 2]}}", "a JSON object with ranks [1,2]: 2 numbers for 3 seats"},
      {"{{\\\"scores\\\": 7}}", "'scores': 7 is no list of numbers, one for each seat"},
      {"{{\\\"winner\\\": 4}}", "'winner': 4, the game has 3 seats"},
      {"{{\\\"winner\\\": 0}}", "'winner': 0 is no number of a seat, from 1"},
      {"{{\\\"winner\\\": 1, \\\"scores\\\": [1, 2, 3]}}",
       "the JSON object has 'scores' and 'winner': one of them is allowed"},
      {"{{\\\"value\\\": 1}}", "the output has no result by seat"},
      {"0.5", "the output has no result by seat"}};
  for (const auto& [printed, problem] : cases) {
    CAPTURE(printed);
    CHECK_THAT(play(program(printed, kSeats)).failure, ContainsSubstring(problem));
  }
  const auto alone = test::make(
      "objective: {command: [/bin/sh, -c, 'echo \"{{\\\"winner\\\": 1}}\"', sh, '{x}']}\n"
      "space: {x: {choices: [1, 2], default: 1}}");
  Rng rng(1);
  CHECK_THAT(observe(*alone, Point(1), rng, {}).failure, ContainsSubstring("needs 'match:'"));
}

TEST_CASE("seats: what cannot be seated is refused in one line") {
  const std::string printed = "{{\\\"winner\\\": 1}}";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {program(printed, kSeats, "players: 4"),
       "players: is 4, but the command does not name seat 4"},
      {program(printed, kSeats, "players: 2"), "players: is 2, but the command names seat 3"},
      {program(printed, kSeats, "players: 9"), "whole number from 2 to 8 is allowed"},
      {program(printed, kSeats, "games: 2"), "players: is missing, the command names seats"},
      {program(printed, kSeats + ", '{x}'"), "the command names parameters of no seat"},
      {"objective: {match: {command: [a, '{params:file}', '{x}'], parameters: file}, players: 3}\n"
       "space: {x: {choices: [1, 2], default: 1}}",
       "the command names parameters of no seat"},
      {program(printed, kSeats + ", '{opponent.x}'"), "the command names an opponent"},
      {program(printed, "'{x}', '{opponent.x}'"), "the command names an opponent"},
      {program(printed, "'{seat1.opponent.x}'"), "has {seat1.opponent.x}; allowed after 'seat1.'"},
      {"objective: {match: {game: bao}, players: 2}", "players: is 2, but the game is for two"},
      {"objective: {match: {command: [a, '{seats:json}'], payoffs: [0, 9]}, players: 3}\n"
       "space: {x: {choices: [1, 2], default: 1}}",
       "leave 'cutoff', 'payoffs' and 'direction' out"},
      {"objective: {match: {command: [a, '{seats:json}'], result: letters}, players: 3}\n"
       "space: {x: {choices: [1, 2], default: 1}}",
       "its 'result' is not json"}};
  for (const auto& [study, problem] : cases) {
    CAPTURE(study);
    CHECK_THAT(test::input_error([text = study] { test::make(text); }), ContainsSubstring(problem));
  }
}

TEST_CASE("seats: an instance with more players than seats is refused in one line") {
  const std::string study = program("{{\\\"winner\\\": 1}}", kSeats);
  const YamlNode root = parse_yaml(study, "study.yaml");
  const auto error_of = [&](const Value& players) {
    const Instance instance{.name = "large", .values = {{"players", players}}};
    return test::input_error([&] {
      test::make(study)->outside_program()->check_instances({&instance, 1},
                                                            *root.find("objective"));
    });
  };
  CHECK(error_of(std::int64_t{2}) == "no error");
  CHECK(error_of(std::int64_t{3}) == "no error");
  CHECK_THAT(error_of(std::int64_t{4}), ContainsSubstring("players: is 3, but the instance 'large' "
                                                          "has players: 4; from 2 to 3 are"));
  CHECK_THAT(error_of(std::string("many")),
             ContainsSubstring("has players: many; from 2 to 3 are"));
}

TEST_CASE("seats: a lambda is given the settings of all seats, and tells the points of each") {
  const SearchSpace space({with_default(make_integers("skill", 0, 9), std::int64_t{4})});
  Point strong(1);
  strong[0] = 7;
  for (int players = 2; players <= kMostPlayers; ++players) {
    CAPTURE(players);
    std::vector<std::vector<double>> told;
    std::vector<double> drawn;
    const auto table = std::make_shared<LambdaTable>(
        space,
        [&](std::span<const Settings> seats, Rng& rng) {
          std::vector<double>& skills = told.emplace_back();
          for (const Settings& seat : seats) skills.push_back(seat.number("skill"));
          drawn.push_back(rng.uniform());
          return skills;
        },
        "skill");
    const MatchObjective matches(table, {.games = 4, .players = players});
    CHECK(matches.description() == fmt::format("matches at {} seats of skill", players));
    REQUIRE(matches.anchors().size() == 1);
    Rng rng(1);
    const Outcome outcome = matches.play(strong, matches.anchors()[0], rng, {});
    CHECK(outcome.games.games == WinDrawLoss{.wins = 4});
    CHECK(outcome.games.pairs.counts[4] == 2);
    REQUIRE(told.size() == 4);
    for (std::size_t game = 0; game < 4; game += 2) {
      CHECK(drawn[game] == drawn[game + 1]);
      for (std::size_t seat = 0; seat < told[game].size(); ++seat) {
        CHECK(told[game][seat] + told[game + 1][seat] == 11.0);  // the two have changed seats
      }
      CHECK(std::ranges::count(told[game], 7.0) == players / 2);
    }
    CHECK(drawn[0] != drawn[2]);
  }
}

TEST_CASE("seats: a wrong lambda is refused in one line") {
  const SearchSpace space({with_default(make_integers("skill", 0, 9), std::int64_t{4})});
  const auto play = [&](const std::vector<double>& points) {
    const auto table = std::make_shared<LambdaTable>(
        space, [points](std::span<const Settings>, Rng&) { return points; }, "skill");
    Rng rng(1);
    (void)MatchObjective(table, {.players = 3}).play(Point(1), Point(1), rng, {});
  };
  CHECK_THROWS_WITH(play({1.0, 2.0}),
                    "a game has 2 points: 3 finite numbers are allowed, one for each seat");
  CHECK_THROWS_WITH(play({1.0, std::nan(""), 2.0}),
                    "a game has 3 points: 3 finite numbers are allowed, one for each seat");
  CHECK_THROWS_WITH(LambdaTable(space, {}, "skill"), "game 'skill': the function is empty");
  const auto table = std::make_shared<LambdaTable>(
      space, [](std::span<const Settings>, Rng&) { return std::vector<double>{}; }, "skill");
  Rng rng(1);
  CHECK_THROWS_WITH(table->evaluate(Point(1), rng),
                    "is a game with seats: give it to a MatchObjective with players");
  CHECK_THROWS_WITH(MatchObjective(table, {}), "players: is missing, the game has seats");
}

TEST_CASE("seats: the options of a match of two are what they were") {
  CHECK_FALSE(test::resolved("objective: {match: {game: simulated}}").contains("players"));
  const std::string four = "objective: {match: {game: simulated}, players: 4}";
  CHECK(test::resolved(four)["players"] == 4);
  CHECK_THAT(test::make(four)->description(), ContainsSubstring("matches at 4 seats of "));
}

}  // namespace ntune
