#include "ntune/agents/combinatorial_game/thermograph.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "agents/plain_thermograph.h"
#include "agents/tree_game.h"
#include "catch.h"
#include "ntune/core/rng.h"

namespace ntune {
namespace {

using test::tree;
using test::TreeGame;

Thermograph thermograph_of(const TreeGame& game) {
  ThermographSolver<TreeGame> solver;
  return *solver.solve(game);
}

/// "mean,temperature".
std::string value_of(const TreeGame& game) {
  const ThermographValue value = thermograph_of(game).value();
  return fmt::format("{},{}", dyadic_text(value.mean), dyadic_text(value.temperature));
}

/// "(temperature,value)(…)" from the foot up to the mast.
std::string wall_of(const TreeGame& game, Player player) {
  std::string text;
  for (const ThermographCorner& corner : thermograph_wall(thermograph_of(game), player)) {
    text += fmt::format("({},{})", dyadic_text(corner.temperature), dyadic_text(corner.value));
  }
  return text;
}

Dyadic quarters(int numerator) { return Dyadic::ratio(numerator, 2); }
Dyadic eighths(int numerator) { return Dyadic::ratio(numerator, 3); }

const TreeGame kStar = tree(0, 0);
const TreeGame kUp = tree(0, kStar);
const TreeGame kHalf = Dyadic::power(1);

TreeGame plus_minus(int size) { return tree(size, -size); }

/// A game of up to this birthday with up to three options each.
TreeGame random_tree(Rng& rng, int birthday) {
  if (birthday == 0) return {};
  std::array<TreeGame::Options, 2> options;
  for (auto& of_player : options) {
    const std::uint32_t count = rng.below(4);
    for (std::uint32_t i = 0; i < count; ++i) {
      of_player.push_back(
          random_tree(rng, static_cast<int>(rng.below(static_cast<std::uint32_t>(birthday)))));
    }
  }
  return TreeGame(options[0], options[1]);
}

test::PlainThermograph plain_of(const TreeGame& game, Dyadic step, std::size_t rows) {
  std::array<std::vector<test::PlainThermograph>, 2> options;
  std::array<std::vector<const test::PlainThermograph*>, 2> pointers;
  for (const std::size_t player : {0U, 1U}) {
    for (const TreeGame& option : game.options(static_cast<Player>(player))) {
      options[player].push_back(plain_of(option, step, rows));
    }
    for (const auto& option : options[player]) pointers[player].push_back(&option);
  }
  return test::PlainThermograph::of(pointers[0], pointers[1], step, rows);
}

}  // namespace

TEST_CASE("Thermograph: integers have temperature -1") {
  for (const int integer : {0, 1, -1, -2, 7}) {
    CHECK(value_of(integer) == dyadic_text(integer) + ",-1");
    CHECK(thermograph_of(integer) == Thermograph(integer));
    CHECK(wall_of(integer, Player::kLeft) == fmt::format("(-1,{})", integer));
  }
}

TEST_CASE("Thermograph: other numbers are below zero") {
  CHECK(value_of(kHalf) == "1/2,-1/2");
  CHECK(value_of(quarters(1)) == "1/4,-1/4");
  CHECK(value_of(quarters(3)) == "3/4,-1/4");
  CHECK(value_of(eighths(3)) == "3/8,-1/8");
  CHECK(value_of(eighths(-11)) == "-11/8,-1/8");
}

TEST_CASE("Thermograph: infinitesimals have mean and temperature zero") {
  for (const TreeGame& game :
       {kStar, kUp, -kUp, TreeGame({0, kStar}, {0, kStar}), tree(0, tree(0, -1))}) {
    CHECK(value_of(game) == "0,0");
  }
  CHECK(value_of(tree(1, 1)) == "1,0");
  CHECK(value_of(tree(kHalf, kHalf)) == "1/2,0");
  CHECK(value_of(tree(0, tree(0, -100))) == "0,0");  // tiny
}

TEST_CASE("Thermograph: switches and hotter games") {
  CHECK(value_of(plus_minus(1)) == "0,1");
  CHECK(value_of(tree(2, -1)) == "1/2,3/2");
  CHECK(value_of(tree(1, 0)) == "1/2,1/2");
  CHECK(value_of(tree(1, tree(0, -1))) == "1/4,3/4");
  CHECK(value_of(tree(3, tree(2, 1))) == "9/4,3/4");
  CHECK(value_of(tree(tree(2, 1), 0)) == "3/4,3/4");
  CHECK(value_of(tree(tree(10, 1), 0)) == "1,1");  // Left's sente
}

TEST_CASE("Thermograph: walls turn where they should") {
  const TreeGame game = tree(3, tree(2, 1));
  CHECK(wall_of(game, Player::kLeft) == "(-1,4)(3/4,9/4)");
  CHECK(wall_of(game, Player::kRight) == "(-1,2)(1/2,2)(3/4,9/4)");
  CHECK(wall_of(-game, Player::kRight) == "(-1,-4)(3/4,-9/4)");
  CHECK(wall_of(plus_minus(1), Player::kRight) == "(-1,-2)(1,0)");
}

TEST_CASE("Thermograph: numbers in any form") {
  CHECK(value_of(tree(-1, 1)) == "0,-1");
  CHECK(value_of(tree(1, 4)) == "2,-1");
  CHECK(value_of(TreeGame({-2}, {})) == "0,-1");
  CHECK(value_of(TreeGame({kStar}, {})) == "0,-1");
  CHECK(value_of(TreeGame({kUp}, {})) == "1,-1");
  CHECK(value_of(tree(kStar, kStar)) == "0,-1");
  CHECK(value_of(TreeGame({quarters(1)}, {})) == "1,-1");
  CHECK(value_of(tree(quarters(1), 1)) == "1/2,-1/2");
  CHECK(value_of(tree(quarters(1), 3)) == "1,-1");
  CHECK(value_of(tree(eighths(3), eighths(5))) == "1/2,-1/2");
  CHECK(value_of(tree(-kHalf, kHalf)) == "0,-1");
  CHECK(value_of(tree(plus_minus(3), plus_minus(3))) == "0,-1");
}

TEST_CASE("Thermograph: random games as on a grid of temperatures, and their negatives") {
  constexpr int kBirthday = 5;
  const Dyadic step = Dyadic::power(kBirthday);
  const std::size_t rows = static_cast<std::size_t>(kBirthday + 1) << kBirthday;
  int hot = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    Rng rng = Rng(1).stream("tree", i);
    const TreeGame game = random_tree(rng, kBirthday);
    const Thermograph thermograph = thermograph_of(game);
    REQUIRE(plain_of(game, step, rows).equals(thermograph, step));
    REQUIRE(thermograph_of(-game) == thermograph.negative());
    REQUIRE(is_temperature_by_day(thermograph.temperature(), game.birthday_bound()));
    REQUIRE(is_mean_by_day(thermograph.mean(), game.birthday_bound()));
    hot += thermograph.temperature() > 0 ? 1 : 0;
  }
  CHECK(hot > 40);
}

TEST_CASE("Thermograph: means of sums add up and temperatures do not exceed the parts'") {
  for (std::uint64_t i = 0; i < 150; ++i) {
    Rng rng = Rng(2).stream("sum", i);
    const TreeGame a = random_tree(rng, 3);
    const TreeGame b = random_tree(rng, 3);
    const ThermographValue sum = thermograph_of(a + b).value();
    const ThermographValue of_a = thermograph_of(a).value();
    const ThermographValue of_b = thermograph_of(b).value();
    REQUIRE(sum.mean == of_a.mean + of_b.mean);
    REQUIRE(sum.temperature <= std::max(of_a.temperature, of_b.temperature));
  }
}

TEST_CASE("Thermograph: the solver stops at its limit") {
  const TreeGame game = tree(3, tree(2, 1));  // each integer above 0 in it is a game of its own
  ThermographSolver<TreeGame> enough(9);
  REQUIRE(enough.solve(game) != nullptr);
  CHECK(enough.positions() == 9);
  ThermographSolver<TreeGame> few(8);
  CHECK(few.solve(game) == nullptr);
}

TEST_CASE("Thermograph: possible temperatures and means of Theorem 1") {
  const auto temperatures = [](int n) {
    std::string texts;
    for (int units = -16; units <= 16 * n; ++units) {
      const Dyadic value = Dyadic::ratio(units, 4);
      if (is_temperature_by_day(value, n)) texts += dyadic_text(value) + " ";
    }
    return texts;
  };
  CHECK(temperatures(1) == "-1 0 ");
  CHECK(temperatures(2) == "-1 -1/2 0 1/2 1 ");
  CHECK(temperatures(3) == "-1 -1/2 -1/4 0 1/4 1/2 3/4 1 5/4 3/2 2 ");
  CHECK(is_mean_by_day(3, 3));
  CHECK(is_mean_by_day(-3, 3));
  CHECK_FALSE(is_mean_by_day(Dyadic::ratio(5, 1), 3));
  CHECK(is_mean_by_day(quarters(-5), 3));
  CHECK_FALSE(is_mean_by_day(quarters(-7), 3));
}

}  // namespace ntune
