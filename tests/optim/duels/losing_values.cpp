// Values whose players lose nearly every game.

#include "ntune/optim/duels/losing_values.h"

#include <cstddef>
#include <vector>

#include "catch.h"
#include "support/spaces.h"

namespace ntune {

using test::make_point;

TEST_CASE("losing values: games among those that lose say nothing of them") {
  // The values 6 to 9 lose to all others, and play level among themselves: 60 of their 600 games'
  // points are won by one of them.
  const SearchSpace space = test::grid_space({10});
  std::vector<Point> points;
  std::vector<Duel> duels;
  for (int value = 0; value < 10; ++value) {
    points.push_back(make_point({value}));
    for (int other = 0; other < value; ++other) {
      const bool loses = value >= 6 && other < 6;
      duels.push_back({.first = static_cast<std::size_t>(other),
                       .second = static_cast<std::size_t>(value),
                       .games = 20.0,
                       .points = loses ? 20.0 : 10.0});
    }
  }
  LosingValues losing(space, make_point({2}));
  CHECK(losing.find(duels, points));
  for (int value = 0; value < 10; ++value) {
    CAPTURE(value);
    CHECK(losing.contains(make_point({value})) == (value >= 6));
  }
}

TEST_CASE("losing values: one of two values may be one") {
  const SearchSpace space =
      test::yaml_space("{on: {boolean: }, level: [1, 2], x: {integers: [0, 9]}}");
  for (const int parameter : {0, 1}) {
    CAPTURE(parameter);
    std::vector<Point> points;
    std::vector<Duel> duels;
    for (int x = 0; x < 10; ++x) {
      Point better = make_point({0, 0, x});
      Point worse = better;
      worse[parameter] = 1;
      points.push_back(better);
      points.push_back(worse);
      duels.push_back(
          {.first = points.size() - 2, .second = points.size() - 1, .games = 10.0, .points = 10.0});
    }
    LosingValues losing(space, make_point({0, 0, 4}));
    CHECK(losing.find(duels, points));
    for (std::size_t i = 0; i < points.size(); ++i) {
      CHECK(losing.contains(points[i]) == (i % 2 == 1));
    }
  }
}

}  // namespace ntune
