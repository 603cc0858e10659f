#include "apps/slide3/best_first/best_first.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <vector>

#include "catch.h"
#include "ntune/core/error.h"

namespace ntune {
namespace {

using Position = SlidePosition<3>;

constexpr double kAdmissible = 1.0 / 3.0;  // a move takes three tiles nearer at most

/// All positions up to a distance to Win, by distance.
std::vector<std::vector<Position>> levels(int last) {
  std::map<Position, int> seen = {{Position::win(), 0}};
  std::vector<std::vector<Position>> list = {{Position::win()}};
  for (int distance = 1; distance <= last; ++distance) {
    auto& level = list.emplace_back();
    for (const Position& position : list[list.size() - 2]) {
      for_each_line(position.moves(), [&](int line) {
        if (seen.emplace(position.after(line), distance).second) {
          level.push_back(position.after(line));
        }
      });
    }
  }
  return list;
}

Position far_position(Rng& rng) {
  Position position = Position::start();
  for (int i = 0; i < 50; ++i) {
    std::vector<int> lines;
    for_each_line(position.moves(), [&](int line) { lines.push_back(line); });
    position.slide(lines[rng.below(static_cast<std::uint32_t>(lines.size()))]);
  }
  return position;
}

/// Both searches with both targets, with and without chance.
std::vector<BestFirstPlayer> players(std::int64_t evaluations) {
  std::vector<BestFirstPlayer> list;
  for (const auto& [kind_name, kind] : best_first_names()) {
    for (const auto& [target_name, target] : best_first_target_names()) {
      for (const auto& [name, randomisation] : randomisation_names()) {
        list.push_back({.evaluation = SlideEvaluation::of(SlideFeature::kEu, randomisation, 0.5),
                        .kind = kind,
                        .evaluations = evaluations,
                        .weight = 1.0,
                        .target = target});
      }
    }
  }
  return list;
}

}  // namespace

TEST_CASE("best first: moves are possible and the evaluations are kept to") {
  for (const std::int64_t evaluations : {6, 7, 50, 400}) {
    for (const BestFirstPlayer& player : players(evaluations)) {
      INFO(player.evaluation.text() << ", " << evaluations);
      const auto agent = make_best_first_agent(player);
      Rng rng(5);
      Position position = far_position(rng);
      agent->begin_game();
      for (int move = 0; move < 20 && position != Position::win(); ++move) {
        const std::int64_t before = agent->evaluations();
        const int line = agent->choose(position, rng).line;
        REQUIRE(agent->evaluations() - before <= evaluations);
        REQUIRE(position.can_slide(line));
        position.slide(line);
      }
    }
  }
}

TEST_CASE("best first: with evaluations enough and no overestimate a way is a shortest one") {
  const auto near = levels(8);
  const auto solves = [&](const BestFirstPlayer& player, std::size_t last, std::size_t step) {
    const auto agent = make_best_first_agent(player);
    for (std::size_t distance = 1; distance <= last; ++distance) {
      for (std::size_t i = 0; i < near[distance].size(); i += step) {
        Rng rng = Rng(1).stream("game", distance, i);
        const SlideGame game = play_slide_game(*agent, near[distance][i], 100, rng);
        REQUIRE(game.won);
        REQUIRE(static_cast<std::size_t>(game.moves) == distance);
      }
    }
  };
  for (const auto& [name, kind] : best_first_names()) {
    INFO(name);
    BestFirstPlayer player{.evaluation = SlideEvaluation::of(SlideFeature::kMan),
                           .kind = kind,
                           .evaluations = 1'000'000,
                           .weight = 0.0};
    solves(player, 5, 7);
    player.weight = kAdmissible;
    solves(player, 8, 37);
    // Numbers from 0 to a third of the distance.
    player.evaluation = SlideEvaluation::of(SlideFeature::kMan, Randomisation::kMult, 1.0);
    player.weight = kAdmissible / 2;
    solves(player, 6, 37);
  }
}

TEST_CASE("best first: a way to Win is followed without further evaluations") {
  const auto near = levels(6);
  for (const auto& [name, kind] : best_first_names()) {
    const auto agent = make_best_first_agent({.evaluation = SlideEvaluation::of(SlideFeature::kEu),
                                              .kind = kind,
                                              .evaluations = 50'000});
    Rng rng(1);
    Position position = near[6].front();
    position.slide(agent->choose(position, rng).line);
    const std::int64_t evaluations = agent->evaluations();
    int moves = 1;
    for (; position != Position::win() && moves < 50; ++moves) {
      position.slide(agent->choose(position, rng).line);
    }
    CHECK(position == Position::win());
    CHECK(agent->evaluations() == evaluations);
    // The same agent in another position than it expects searches again.
    agent->choose(near[6].back(), rng);
    agent->choose(near[5].back(), rng);
    CHECK(agent->evaluations() > evaluations);
  }
}

TEST_CASE("best first: the same stream gives the same game whatever was played before") {
  for (const BestFirstPlayer& player : players(60)) {
    INFO(player.evaluation.text());
    const auto used = make_best_first_agent(player);
    for (int i = 0; i < 4; ++i) {
      Rng start(static_cast<std::uint64_t>(i));
      const Position position = far_position(start);
      Rng first = Rng(3).stream("game", i);
      Rng second = first;
      const SlideGame game = play_slide_game(*used, position, 30, first);
      const SlideGame again = play_slide_game(*make_best_first_agent(player), position, 30, second);
      CHECK(game.won == again.won);
      CHECK(game.moves == again.moves);
      CHECK(first() == second());
    }
  }
}

TEST_CASE("best first: with evaluations for its successors alone a player takes the best of them") {
  const SlideTables& tables = slide_tables();
  for (const auto& [kind_name, kind] : best_first_names()) {
    for (const auto& [target_name, target] : best_first_target_names()) {
      const auto agent =
          make_best_first_agent({.evaluation = SlideEvaluation::of(SlideFeature::kEu),
                                 .kind = kind,
                                 .evaluations = 6,
                                 .target = target});
      Rng rng(11);
      for (int i = 0; i < 50; ++i) {
        const Position position = far_position(rng);
        float least = std::numeric_limits<float>::infinity();
        for_each_line(position.moves(), [&](int line) {
          least = std::min(least, tables.value(SlideFeature::kEu, position.after(line).bits()));
        });
        const std::int64_t before = agent->evaluations();
        const Position next = position.after(agent->choose(position, rng).line);
        // IDA* goes on where a position has fewer than six successors.
        const bool alone = agent->evaluations() - before == std::popcount(position.moves());
        if (alone) CHECK(tables.value(SlideFeature::kEu, next.bits()) == least);
      }
    }
  }
}

TEST_CASE("best first: numbers out of range are refused") {
  using Catch::Matchers::ContainsSubstring;
  CHECK_THROWS_WITH(make_best_first_agent({.evaluations = 5}),
                    ContainsSubstring("evaluations: is 5, a whole number from 6 to"));
  CHECK_THROWS_AS(make_best_first_agent({.evaluations = 1'000'000'000}), InputError);
  CHECK_THROWS_WITH(make_best_first_agent({.weight = -1.0}), ContainsSubstring("weight: is -1"));
  CHECK_THROWS_AS(make_best_first_agent({.weight = std::numeric_limits<double>::quiet_NaN()}),
                  InputError);
}

}  // namespace ntune
