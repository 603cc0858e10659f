#include "ntune/games/bao/objective.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "objective/make.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace ntune {
namespace {

double payoff(const Objective& objective, const Point& point, std::size_t i) {
  Rng stream = Rng(4).stream("evaluation", i);
  return objective.evaluate(point, stream);
}

const BaoLinearEvaluation& linear(const BaoPlayer& player) {
  return std::get<BaoLinearEvaluation>(player.evaluation);
}

constexpr const char* kQuick =
    "objective: {game: bao, depth: 2, opponent: material, opponent_depth: 2, probe_depth: 2}\n"
    "space: {material: [0, 1], back1: [-1, 2.5], house: [0, 20], capture8: [0, 3],"
    " depth: [1, 2], search: [alpha_beta, opponent_model]}";

}  // namespace

TEST_CASE("bao: the same stream gives the same payoff in any order and on any thread") {
  const auto objective = test::make(kQuick);
  Rng rng(1);
  std::vector<Point> points;
  for (int i = 0; i < 100; ++i) points.push_back(objective->space().sample(rng));
  std::vector<double> payoffs;
  for (std::size_t i = 0; i < points.size(); ++i) {
    payoffs.push_back(payoff(*objective, points[i], i));
  }
  CHECK(std::ranges::count(payoffs, 1.0) > 10);
  CHECK(std::ranges::count(payoffs, -1.0) > 10);
  CHECK(std::ranges::count(payoffs, 1.0) + std::ranges::count(payoffs, -1.0) == 100);
  std::vector<std::vector<double>> others(3, std::vector<double>(points.size()));
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < others.size(); ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t i = points.size(); i-- > 0;) {
          const std::size_t place = (i + 30 * t) % points.size();
          others[t][place] = payoff(*objective, points[place], place);
        }
      });
    }
  }
  for (const auto& other : others) CHECK(other == payoffs);
}

TEST_CASE("bao: a parameter of the space stands in for the option") {
  const auto objective = test::make(
      "objective: {game: bao, back2: 7, depth: 3}\n"
      "space: {back1: [0, 4], capture_house: [5, 6], depth: [2, 4], search: [opponent_model]}");
  const auto& bao = dynamic_cast<const BaoObjective&>(*objective);
  Point point(4);
  point[0] = 1;
  point[2] = 1;
  const BaoPlayer player = bao.player_at(point);
  BaoWeights weights{};
  weights[kBaoMaterial] = 1;
  weights[kBaoBack] = 4;
  weights[kBaoBack + 1] = 7;
  weights[kBaoCaptureHouse] = 5;
  CHECK(linear(player) == BaoLinearEvaluation(weights));
  CHECK(player.agent.depth == 4);
  CHECK(player.models.size() == 1);
}

TEST_CASE("bao: payoffs and values") {
  const auto objective = test::make("objective: {game: bao, depth: 4}\nspace: {house: [0]}");
  CHECK(objective->payoffs().two_valued);
  CHECK((objective->payoffs().low == -1.0 && objective->payoffs().high == 1.0));
  CHECK(objective->unit().value_of(0.5) == 0.75);
  CHECK(objective->description() == "bao (against default, depth 4), win or loss");
  CHECK(test::make("objective: {game: bao, opponent_depth: 2}")->description() ==
        "bao (against default, depth 2), win or loss");
}

TEST_CASE("bao: a deeper search wins more, from either side") {
  const auto objective = test::make(
      "objective: {game: bao, opponent: material, opponent_depth: 1}\nspace: {depth: [1, 4]}");
  double shallow = 0.0;
  double deep = 0.0;
  for (std::size_t i = 0; i < 200; ++i) {
    shallow += payoff(*objective, Point(1), i);
    Point point(1);
    point[0] = 1;
    deep += payoff(*objective, point, i);
  }
  CHECK(std::abs(shallow) < 60);  // even: 4 standard deviations are 57
  CHECK(deep > 80);
}

TEST_CASE("bao: start positions and opponents come from files beside the study") {
  const test::TemporaryFolder folder;
  const std::string weights = folder.file("mine.yaml", "evaluation: linear\nmaterial: 1\n");
  const std::string starts = std::string(NTUNE_SOURCE_DIR) + "/configs/bao/start_positions.csv";
  const auto named = test::make("objective: {game: bao, depth: 2, opponent: material, starts: '" +
                                starts + "'}\nspace: {back1: [0, 1]}");
  const auto read = test::make("objective: {game: bao, depth: 2, opponent: '" + weights +
                               "', starts: '" + starts + "'}\nspace: {back1: [0, 1]}");
  double sum = 0.0;
  for (std::size_t i = 0; i < 30; ++i) {
    CHECK(payoff(*named, Point(1), i) == payoff(*read, Point(1), i));
    sum += payoff(*named, Point(1), i);
  }
  CHECK(std::abs(sum) < 30.0);
}

TEST_CASE("bao: the default space can be played") {
  const auto objective = test::make("objective: {game: bao, depth: 1}");
  CHECK(objective->space().dimensions() == 27);
  Rng rng(2);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(std::abs(payoff(*objective, objective->space().sample(rng), i)) == 1.0);
  }
}

TEST_CASE("bao: wrong options and parameters are refused with place, value and rule") {
  const test::TemporaryFolder folder;
  const std::string damaged = folder.file("damaged.yaml", "evaluation: linear\nback: [1]\n");
  struct Message {
    std::string study;
    std::string text;
  };
  const std::vector<Message> messages = {
      {"objective: {game: boa}", "study.yaml:1: objective.game: is 'boa'"},
      {"objective: {game: bao, depth: 0}",
       "objective.depth: is '0', a whole number from 1 to 100 is allowed"},
      {"objective:\n  game: bao\n  materal: 2",
       "study.yaml:3: objective.materal: unknown key, did you mean 'material'?"},
      {"objective: {game: bao, house: 1e7}",
       "objective.house: is '1e7', a number from -1000000 to 1000000 is allowed"},
      {"objective: {game: bao, search: mcts}", "objective.search: is 'mcts'"},
      {"objective:\n  game: bao\n  opponent: defalt",
       "study.yaml:3: objective.opponent: evaluation 'defalt': no such name, did you mean "
       "'default'?"},
      {"objective: {game: bao, opponent: '" + damaged + "'}",
       "objective.opponent: " + damaged + ":2: back: is a list of 1, a list of 8"},
      {"objective: {game: bao, starts: nowhere.csv}", "objective.starts: nowhere.csv"},
      {"objective: bao\nspace:\n  back9: [0, 1]", "study.yaml:3: space.back9: is no option"},
      {"objective: bao\nspace: {material: [some]}", "space.material: has the value 'some'"},
      {"objective: bao\nspace: {depth: [2.5]}",
       "space.depth: has the value '2.5', a whole number from 1 to 100 is allowed"}};
  for (const Message& message : messages) {
    INFO(message.study);
    CHECK_THAT(test::input_error([&] { test::make(message.study); }),
               Catch::Matchers::ContainsSubstring(message.text));
  }
}

TEST_CASE("bao: all options are written back and read back the same") {
  const Json options = test::resolved("objective: bao");
  CHECK(options.begin().key() == "game");
  CHECK(options["opponent"] == "default");
  CHECK(options["starts"] == "random");
  CHECK(options["material"] == 1.0);
  CHECK(options["capture8"] == 0.0);
  CHECK(options["search"] == "alpha_beta");
  CHECK(test::resolved("objective: " + options.dump()) == options);
  CHECK(test::resolved("objective: {game: bao, opponent_depth: 3}")["opponent_depth"] == 3);
}

}  // namespace ntune
