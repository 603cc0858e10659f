#include "ntune/games/slide/objective/objective.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "ntune/core/parallel.h"
#include "ntune/games/slide/exact/database.h"
#include "objective/make.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {
namespace {

double payoff(const Objective& objective, const Point& point, std::size_t i) {
  Rng stream = Rng(4).stream("evaluation", i);
  return objective.evaluate(point, stream);
}

/// The first point but for the parameters that are named.
Point point_with(const SearchSpace& space, const std::string& name, std::uint16_t value) {
  Point point(space.dimensions());
  point[space.find(name)] = value;
  return point;
}

constexpr const char* kQuick =
    "objective: {game: slide3, dtw: 8, depth: 3, moves: 20}\n"
    "space: {eu: [0.5, 1], man: [0, 1], randomisation: [none, mult, norm_minus, comb],"
    " intensity: [0, 0.1], table: [all, expanded, off], depth: [1, 2, 3], rounded: {boolean: }}";

}  // namespace

TEST_CASE("slide3: the same stream gives the same payoff in any order and on any thread") {
  const auto objective = test::make(kQuick);
  Rng rng(1);
  std::vector<Point> points;
  for (int i = 0; i < 150; ++i) points.push_back(objective->space().sample(rng));
  std::vector<double> payoffs;
  for (std::size_t i = 0; i < points.size(); ++i) {
    payoffs.push_back(payoff(*objective, points[i], i));
  }
  CHECK(std::ranges::count(payoffs, 1.0) > 10);
  CHECK(std::ranges::count(payoffs, -1.0) > 10);
  CHECK(std::ranges::count(payoffs, 1.0) + std::ranges::count(payoffs, -1.0) == 150);
  std::vector<std::vector<double>> others(3, std::vector<double>(points.size()));
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < others.size(); ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t i = points.size(); i-- > 0;) {
          const std::size_t place = (i + 50 * t) % points.size();
          others[t][place] = payoff(*objective, points[place], place);
        }
      });
    }
  }
  for (const auto& other : others) CHECK(other == payoffs);
}

TEST_CASE("slide3: a parameter of the space stands in for the option") {
  // From four moves away a search five moves deep sees Win; one a move deep goes astray.
  const std::string options = "objective: {game: slide3, dtw: 4, observation: moves, depth: ";
  const auto objective = test::make(options + "1}\nspace: {depth: [5, 1]}");
  const auto fixed = test::make(options + "5}\nspace: {eu: [1, 0]}");
  const SearchSpace& space = objective->space();
  double sum = 0.0;
  for (std::size_t i = 0; i < 100; ++i) {
    CHECK(payoff(*objective, point_with(space, "depth", 0), i) == -4.0);
    CHECK(payoff(*fixed, Point(1), i) == -4.0);
    sum += payoff(*objective, point_with(space, "depth", 1), i);
  }
  CHECK(sum < -600.0);
}

TEST_CASE("slide3: payoffs and values") {
  const auto win = test::make("objective: {game: slide3, dtw: 2}\nspace: {eu: 1}");
  CHECK(win->payoffs().two_valued);
  CHECK((win->payoffs().low == -1.0 && win->payoffs().high == 1.0));
  CHECK(win->unit().value_of(0.5) == 0.75);
  CHECK(win->description() == "slide3 (DTW 2, 100 moves), win or loss");
  CHECK(payoff(*win, Point(1), 1) == 1.0);
  const auto lost =
      test::make("objective: {game: slide3, dtw: 5, moves: 4}\nspace: {eu: 1, man: [0, 1]}");
  CHECK(payoff(*lost, Point(2), 1) == -1.0);
  const auto moves =
      test::make("objective: {game: slide3, dtw: 5, moves: 4, observation: moves}\nspace: {eu: 1}");
  CHECK(payoff(*moves, Point(1), 1) == -4.0);
  CHECK_FALSE(moves->payoffs().two_valued);
  CHECK((moves->payoffs().low == -4.0 && moves->payoffs().high == -4.0));
  CHECK(moves->unit().value_of(-3.5) == 3.5);
  CHECK(moves->description() == "slide3 (DTW 5, 4 moves), moves of a game");
}

TEST_CASE("slide3: norms without anything to divide are Random Play, not an error") {
  const auto objective = test::make(
      "objective: {game: slide3, dtw: 6, depth: 2, moves: 10, eu: 0}\n"
      "space: {man: [0, 1], randomisation: [norm_plus, norm_minus], intensity: [0, 1]}");
  std::size_t i = 0;
  test::for_each(objective->space(), [&](const Point& point) {
    for (int n = 0; n < 20; ++n) CHECK(std::abs(payoff(*objective, point, i++)) == 1.0);
  });
}

TEST_CASE("slide3: the default space can be played") {
  const auto objective = test::make("objective: slide3");
  CHECK(objective->space().dimensions() == 9);
  Rng rng(2);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(std::abs(payoff(*objective, objective->space().sample(rng), i)) == 1.0);
  }
}

TEST_CASE("slide3: a database from a file gives the same games") {
  const test::TemporaryFolder folder;
  Parallel parallel(1);
  SlideDatabase<3>::build(parallel).save(folder / "slide3.db");
  const std::string options = "objective: {game: slide3, dtw: 7, depth: 2";
  const std::string space = "}\nspace: {randomisation: [add], intensity: 0.1}";
  const auto built = test::make(options + space);
  const auto loaded =
      test::make(options + ", database: '" + (folder / "slide3.db").string() + "'" + space);
  for (std::size_t i = 0; i < 30; ++i) {
    CHECK(payoff(*built, Point(2), i) == payoff(*loaded, Point(2), i));
  }
}

TEST_CASE("slide3: wrong options and parameters are refused with place, value and rule") {
  struct Message {
    std::string study;
    std::string text;
  };
  const std::vector<Message> messages = {
      {"objective: {game: slide4}", "study.yaml:1: objective.game: is 'slide4'"},
      {"objective:\n  game: slide3\n  eu: -1",
       "study.yaml:3: objective.eu: is '-1', a number from 0 to 1000000 is allowed"},
      {"objective: {game: slide3, dtw: 27}",
       "objective.dtw: is '27', a whole number from 1 to 26 is allowed"},
      {"objective: {game: slide3, depth: 0}",
       "objective.depth: is '0', a whole number from 1 to 8 is allowed"},
      {"objective: {game: slide3, euu: 1}", "objective.euu: unknown key, did you mean 'eu'?"},
      {"objective: {game: slide3, randomisation: multi}",
       "objective.randomisation: is 'multi', did you mean 'mult'?"},
      {"objective: slide3\nspace:\n  man: [0, -0.5]",
       "study.yaml:3: space.man: has the value '-0.5', a number from 0 to 1000000 is allowed"},
      {"objective: slide3\nspace: {intensity: [low]}", "space.intensity: has the value 'low'"},
      {"objective: slide3\nspace:\n  man: 1\n  depth: [2.5]",
       "study.yaml:4: space.depth: has the value '2.5', a whole number from 1 to 8 is allowed"},
      {"objective: slide3\nspace: {rounded: [0, 1]}",
       "space.rounded: has the value '0', true or false is allowed"},
      {"objective: slide3\nspace: {table: [all, none]}", "space.table: has the value 'none', all"},
      {"objective: slide3\nspace: {mann: [0, 1]}", "study.yaml:2: space.mann: is no option"},
      {"objective:\n  game: slide3\n  database: nowhere.db",
       "study.yaml:3: objective.database: nowhere.db"},
  };
  for (const Message& message : messages) {
    INFO(message.study);
    CHECK_THAT(test::input_error([&] { test::make(message.study); }),
               Catch::Matchers::ContainsSubstring(message.text));
  }
}

TEST_CASE("slide3: all options are written back and read back the same") {
  const Json options = test::resolved("objective: slide3");
  CHECK(options.begin().key() == "game");
  CHECK(options["eu"] == 1.0);
  CHECK(options["table"] == "all");
  CHECK(test::resolved("objective: " + options.dump()) == options);
  CHECK(test::resolved("objective: {game: slide3, table: off, l2: 2}")["table"] == "off");
}

}  // namespace ntune
