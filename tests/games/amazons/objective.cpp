#include "ntune/games/amazons/objective/objective.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "objective/make.h"
#include "support/error_text.h"

namespace ntune {
namespace {

double payoff(const Objective& objective, const Point& point, std::size_t i) {
  Rng stream = Rng(4).stream("evaluation", i);
  return objective.evaluate(point, stream);
}

Point with(const Objective& objective, int parameter, int value) {
  Point point(objective.space().dimensions());
  point[parameter] = static_cast<std::uint16_t>(value);
  return point;
}

}  // namespace

TEST_CASE("amazons_tds: the same stream gives the same payoff in any order and on any thread") {
  const auto objective =
      test::make("objective: {game: amazons_tds, nodes: 300, table_mb: 1, node_price: 0.01}");
  Rng rng(1);
  std::vector<Point> points;
  for (int i = 0; i < 30; ++i) points.push_back(objective->space().sample(rng));
  std::vector<double> payoffs;
  for (std::size_t i = 0; i < points.size(); ++i) {
    payoffs.push_back(payoff(*objective, points[i], i));
  }
  CHECK(std::ranges::all_of(payoffs, [](double value) { return value < 0.0; }));
  std::vector<std::vector<double>> others(3, std::vector<double>(points.size()));
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < others.size(); ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t i = points.size(); i-- > 0;) {
          const std::size_t place = (i + 7 * t) % points.size();
          others[t][place] = payoff(*objective, points[place], place);
        }
      });
    }
  }
  for (const auto& other : others) CHECK(other == payoffs);
}

TEST_CASE("amazons_tds: a parameter of the space stands in for the setting") {
  const auto objective = test::make(
      "objective: {game: amazons_tds, margin: 3}\n"
      "space: {delta_exponent: [auto, 2], e1: [true, false], e4: [true], nodes: [10, 20],"
      " no_board_move: [largest]}");
  const auto& tds = dynamic_cast<const AmazonsTdsObjective&>(*objective);
  const TdsOptions first = tds.settings_at(Point(5));
  CHECK(first.delta_exponent.automatic);
  CHECK(first.margin == 3);
  CHECK(first.enhancements == parse_tds_variant("TDS+"));
  CHECK(first.nodes.value == 10);
  CHECK(first.no_board_move == TdsNoBoardMove::kLargest);
  Point point(5);
  point[0] = 1;
  point[1] = 1;
  const TdsOptions second = tds.settings_at(point);
  CHECK(second.delta_exponent.value == 2);
  // E4 builds upon E1.
  CHECK(second.enhancements == parse_tds_variant("TDS_235"));
  CHECK_NOTHROW(second.check());
}

TEST_CASE("amazons_tds: every point of the default space can be searched") {
  const auto objective =
      test::make("objective: {game: amazons_tds, nodes: 50, table_mb: 1, observation: mean}");
  CHECK(objective->space().dimensions() == 11);
  Rng rng(2);
  for (std::size_t i = 0; i < 100; ++i) {
    const double value = payoff(*objective, objective->space().sample(rng), i);
    CHECK((value <= 0.0 && value > -100.0));
  }
  CHECK(objective->payoffs().high == 0.0);
  CHECK_FALSE(objective->payoffs().two_valued);
  CHECK(objective->unit().value_of(-0.5) == -0.5);
}

TEST_CASE("amazons_tds: an exact search has no error and pays for its nodes alone") {
  const auto free = test::make(
      "objective: {game: amazons_tds, least_empties: 3, most_empties: 4, nodes: auto}\n"
      "space: {e1: [true]}");
  const auto priced = test::make(
      "objective: {game: amazons_tds, least_empties: 3, most_empties: 4, nodes: auto,"
      " node_price: 1000}\nspace: {e1: [true]}");
  double nodes = 0.0;
  for (std::size_t i = 0; i < 30; ++i) {
    CHECK(payoff(*free, Point(1), i) == 0.0);
    nodes -= payoff(*priced, Point(1), i);
  }
  CHECK(nodes == std::round(nodes));
  CHECK(nodes > 1000.0);
}

TEST_CASE("amazons_tds: more nodes, smaller errors") {
  const auto objective = test::make(
      "objective: {game: amazons_tds, least_empties: 4, most_empties: 5, table_mb: 1}\n"
      "space: {nodes: [30, 20000]}");
  double few = 0.0;
  double many = 0.0;
  for (std::size_t i = 0; i < 60; ++i) {
    few += payoff(*objective, with(*objective, 0, 0), i);
    many += payoff(*objective, with(*objective, 0, 1), i);
  }
  CHECK(many > few + 10.0);
}

TEST_CASE("amazons_tds: matches are won or lost, from either side") {
  const auto objective = test::make(
      "objective: {game: amazons_tds, observation: match, opponent: random, nodes: 500,"
      " table_mb: 1}\nspace: {e6: [false, true]}");
  CHECK(objective->payoffs().two_valued);
  CHECK(objective->unit().value_of(0.5) == 0.75);
  CHECK(objective->description() == "amazons_tds (2 boards of 4x4 against random), win or loss");
  double sum = 0.0;
  for (std::size_t i = 0; i < 30; ++i) {
    const double value = payoff(*objective, with(*objective, 0, static_cast<int>(i % 2)), i);
    CHECK(std::abs(value) == 1.0);
    sum += value;
  }
  CHECK(sum > 15.0);
  const auto exact = test::make(
      "objective: {game: amazons_tds, observation: match, opponent: sentestrat-database,"
      " nodes: 500}\nspace: {e1: [true]}");
  CHECK(std::abs(payoff(*exact, Point(1), 1)) == 1.0);
}

TEST_CASE("amazons_tds: wrong options and parameters are refused with place, value and rule") {
  struct Message {
    std::string study;
    std::string text;
  };
  const std::vector<Message> messages = {
      {"objective: {game: amazons}",
       "study.yaml:1: objective.game: is 'amazons'; allowed: " + test::allowed_names("game")},
      {"objective: {game: amazons_tds, nodes: 0}",
       "objective.nodes: is '0', 'auto' or a whole number at least 1 is allowed"},
      {"objective: {game: amazons_tds, observation: error}", "objective.observation: is 'error'"},
      {"objective: {game: amazons_tds, node_price: -1}",
       "objective.node_price: is '-1', a number at least 0 is allowed"},
      {"objective:\n  game: amazons_tds\n  least_empties: 9\n  most_empties: 8",
       "least_empties: is more than most_empties"},
      {"objective:\n  game: amazons_tds\n  opponent: hotstat",
       "study.yaml:3: objective.opponent: is 'hotstat', hotstrat-SOURCE"},
      {"objective: {game: amazons_tds, observation: match, size: 5, opponent: hotstrat-database}",
       "the database has boards of 4x4 only"},
      {"objective: amazons_tds\nspace:\n  e11: [true]", "study.yaml:3: space.e11: is no option"},
      {"objective: amazons_tds\nspace: {delta_exponent: [0.5]}",
       "space.delta_exponent: has the value '0.5'"}};
  for (const Message& message : messages) {
    INFO(message.study);
    CHECK_THAT(test::input_error([&] { test::make(message.study); }),
               Catch::Matchers::ContainsSubstring(message.text));
  }
}

TEST_CASE("amazons_tds: all options are written back and read back the same") {
  const Json options = test::resolved("objective: amazons_tds");
  CHECK(options.begin().key() == "game");
  CHECK(options["observation"] == "temperature");
  CHECK(options["nodes"] == 3000);
  CHECK(options["e5"] == true);
  CHECK(options["e6"] == false);
  CHECK(test::resolved("objective: " + options.dump()) == options);
}

}  // namespace ntune
