#include "ntune/games/arcade/planet_wars.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/hash.h"
#include "ntune/core/yaml.h"

namespace ntune {

namespace {

enum Action { kNext, kPrevious, kLoad, kUnload, kNothing };

/// The rules as they are told, planet by planet and tick by tick.
class Reference {
 public:
  Reference(const PlanetWarsRules& rules, Rng& rng) : rules_(rules) {
    for (int planet = 0; planet < rules.planets; ++planet) {
      ships.push_back(planet % 2 == 0 ? 1.0 : -1.0);
      const double range = rules.growth_high - rules.growth_low;
      growth.push_back(rules.growth_low + range * rng.uniform());
    }
    const int middle = rules.planets / 2;
    focus = {0, middle % 2 == 1 ? middle : middle + 1};
  }

  void step(const std::array<int, 2>& actions) {
    act(0, actions[0], 1.0);
    act(1, actions[1], -1.0);
    for (std::size_t planet = 0; planet < ships.size(); ++planet) {
      if (ships[planet] > 0.0) ships[planet] += growth[planet];
      if (ships[planet] < 0.0) ships[planet] -= growth[planet];
    }
    ++tick;
  }

  [[nodiscard]] int score() const {
    double lead = 0.0;
    for (const double held : ships) lead += held;
    if (rules_.buffers_in_score) lead += buffer[0] - buffer[1];
    return static_cast<int>(std::trunc(10.0 * lead));
  }
  [[nodiscard]] bool is_over() const {
    const auto [low, high] = std::ranges::minmax(ships);
    return tick >= rules_.ticks || low > 0.0 || high < 0.0;
  }

  std::vector<double> ships, growth;
  std::array<int, 2> focus{};
  std::array<double, 2> buffer{};
  int tick = 0;

 private:
  void act(std::size_t player, int action, double sign) {
    const int count = static_cast<int>(ships.size());
    double& held = ships[static_cast<std::size_t>(focus[player])];
    switch (action) {
      case kNext:
        focus[player] = (focus[player] + 1) % count;
        break;
      case kPrevious:
        focus[player] = (focus[player] + count - 1) % count;
        break;
      case kLoad:
        if (held * sign >= 0.0) {
          buffer[player] += held * sign / 2.0;
          held -= held / 2.0;
        }
        break;
      case kUnload:
        held += sign * buffer[player];
        buffer[player] = 0.0;
        break;
      default:
        break;
    }
  }

  PlanetWarsRules rules_;
};

/// A game with equal growth on all planets, for positions made by hand.
PlanetWars game_with_growth(double growth, PlanetWarsRules rules = {}) {
  rules.growth_low = growth;
  rules.growth_high = growth;
  Rng rng(1);
  return PlanetWars(rules, rng);
}

void step(PlanetWars& game, int first, int second) {
  Rng rng(0);
  game.step({first, second}, rng);
}

void mirror(const PlanetWarsRules& rules, std::uint64_t seed) {
  Rng map = Rng(seed).stream("map");
  Rng same_map = map;
  PlanetWars game(rules, map);
  Reference reference(rules, same_map);
  Rng actions = Rng(seed).stream("actions");
  while (!reference.is_over()) {
    REQUIRE_FALSE(game.is_over());
    const std::array<int, 2> both = {static_cast<int>(actions.below(5)),
                                     static_cast<int>(actions.below(5))};
    game.step(both, actions);
    reference.step(both);
    for (int planet = 0; planet < rules.planets; ++planet) {
      const double held = reference.ships[static_cast<std::size_t>(planet)];
      REQUIRE(std::abs(game.ships(planet) - held) < 1e-9);
    }
    for (int player = 0; player < 2; ++player) {
      const auto at = static_cast<std::size_t>(player);
      REQUIRE(game.focus(player) == reference.focus[at]);
      REQUIRE(std::abs(game.buffer(player) - reference.buffer[at]) < 1e-9);
    }
    REQUIRE(game.score(0) == reference.score());
    REQUIRE(game.score(1) == -reference.score());
  }
  CHECK(game.is_over());
}

}  // namespace

static_assert(ForwardModel<PlanetWars>);

TEST_CASE("Planet Wars follows the rules tick by tick") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) mirror({}, seed);
}

TEST_CASE("Planet Wars follows the rules in other sizes") {
  for (const int planets : {2, 3, 4, 7, 24}) {
    for (const bool buffers : {false, true}) {
      PlanetWarsRules rules;
      rules.planets = planets;
      rules.ticks = 500;
      rules.buffers_in_score = buffers;
      for (std::uint64_t seed = 0; seed < 10; ++seed) mirror(rules, seed);
    }
  }
}

TEST_CASE("A game of Planet Wars starts with a ship on each planet, owned in turn") {
  Rng rng(7);
  const PlanetWars game({}, rng);
  for (int planet = 0; planet < 10; ++planet) {
    CHECK(game.ships(planet) == (planet % 2 == 0 ? 1.0 : -1.0));
    CHECK(game.growth(planet) >= 0.05);
    CHECK(game.growth(planet) < 0.15);
  }
  CHECK(game.focus(0) == 0);
  CHECK(game.focus(1) == 5);
  CHECK(game.score(0) == 0);
}

TEST_CASE("Action 0 of Planet Wars moves the focus, action 4 does nothing") {
  PlanetWars game;
  step(game, kNothing, PlanetWars::kIdle);
  CHECK(game.focus(0) == 0);
  CHECK(game.focus(1) == 6);
  step(game, kPrevious, kNothing);
  CHECK(game.focus(0) == 9);
  step(game, kNext, kNothing);
  CHECK(game.focus(0) == 0);
}

TEST_CASE("Loading takes half of an own planet and nothing of another's") {
  PlanetWars game = game_with_growth(0.0);
  step(game, kLoad, kLoad);
  CHECK(game.ships(0) == 0.5);
  CHECK(game.buffer(0) == 0.5);
  CHECK(game.ships(5) == -0.5);
  CHECK(game.buffer(1) == 0.5);
  game.set_player(0, 1, 0.5);
  step(game, kLoad, kNothing);
  CHECK(game.ships(1) == -1.0);
  CHECK(game.buffer(0) == 0.5);
}

TEST_CASE("Unloading on an enemy planet takes ships one for one and may take the planet") {
  PlanetWars game = game_with_growth(0.0);
  game.set_player(0, 1, 0.25);
  step(game, kUnload, kNothing);
  CHECK(game.ships(1) == -0.75);
  CHECK(game.buffer(0) == 0.0);
  game.set_player(0, 1, 2.0);
  step(game, kUnload, kNothing);
  CHECK(game.ships(1) == 1.25);
}

TEST_CASE("A planet at exactly 0 belongs to nobody and does not grow") {
  PlanetWars game = game_with_growth(0.125);
  step(game, kNothing, kNothing);
  game.set_player(0, 1, 1.125);
  step(game, kUnload, kNothing);
  CHECK(game.ships(1) == 0.0);
  for (int i = 0; i < 5; ++i) step(game, kLoad, kNothing);
  CHECK(game.ships(1) == 0.0);
  CHECK(game.ships(0) == 1.875);
  CHECK_FALSE(game.is_over());
}

TEST_CASE("Player 1 acts on what player 0 has left, and growth comes last") {
  PlanetWars game = game_with_growth(0.125);
  game.set_player(0, 1, 3.0);
  game.set_player(1, 1, 0.0);
  step(game, kUnload, kLoad);  // the planet is player 0's by then
  CHECK(game.ships(1) == 2.125);
  CHECK(game.buffer(1) == 0.0);
}

TEST_CASE("The score of Planet Wars is cut off towards 0") {
  PlanetWars game = game_with_growth(0.0);
  game.set_player(0, 0, 0.19);
  CHECK(game.score(0) == 1);
  CHECK(game.score(1) == -1);
  game.set_player(0, 0, 0.0);
  game.set_player(1, 0, 0.19);
  CHECK(game.score(0) == -1);
  CHECK(game.score(1) == 1);
}

TEST_CASE("Ships in buffers count only if the rules say so") {
  PlanetWarsRules rules;
  rules.buffers_in_score = false;
  PlanetWars game = game_with_growth(0.0, rules);
  step(game, kLoad, kNothing);
  CHECK(game.score(0) == -5);
}

TEST_CASE("Planet Wars ends after its ticks or when one player owns all planets") {
  PlanetWars game;
  for (int i = 0; i < 200; ++i) {
    CHECK_FALSE(game.is_over());
    step(game, kNothing, kNothing);
  }
  CHECK(game.is_over());
  game = PlanetWars();
  for (int planet = 1; planet < 10; planet += 2)
    game.set_planet(planet, planet == 9 ? 0.0 : 1.0, 0.1);
  CHECK_FALSE(game.is_over());
  game.set_planet(9, 1.0, 0.1);
  CHECK(game.is_over());
  step(game, kNothing, kNothing);  // rollouts go on
  CHECK(game.ships(9) == Approx(1.1));
}

TEST_CASE("A copy of Planet Wars goes on like its original") {
  Rng rng(3);
  PlanetWars game({}, rng);
  for (int i = 0; i < 50; ++i)
    step(game, static_cast<int>(rng.below(5)), static_cast<int>(rng.below(5)));
  PlanetWars copy = game;
  CHECK(copy == game);
  step(copy, kNext, kNothing);
  CHECK_FALSE(copy == game);
  step(game, kNext, kNothing);
  Rng same = rng;
  for (int i = 0; i < 100; ++i) {
    step(game, static_cast<int>(rng.below(5)), static_cast<int>(rng.below(5)));
    step(copy, static_cast<int>(same.below(5)), static_cast<int>(same.below(5)));
  }
  CHECK(copy == game);
}

TEST_CASE("Planet Wars plays the same games as ever") {
  std::uint64_t signature = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Rng rng(seed);
    PlanetWars game({}, rng);
    while (!game.is_over()) {
      const int first = static_cast<int>(rng.below(5));
      const int second = static_cast<int>(rng.below(5));
      step(game, first, second);
      signature = mix64(signature + static_cast<std::uint64_t>(game.score(0)));
    }
  }
  CHECK(signature == 0x469841a2f0463e22ULL);
}

TEST_CASE("Rules of Planet Wars are read and checked") {
  const PlanetWarsRules rules = read_rules(parse_yaml("{planets: 4, buffers_in_score: false}"));
  CHECK(rules.planets == 4);
  CHECK_FALSE(rules.buffers_in_score);
  CHECK(rules.ticks == 200);
  CHECK_THROWS_AS(read_rules(parse_yaml("{planets: 25}")), InputError);
  CHECK_THROWS_AS(read_rules(parse_yaml("{growth_low: 0.2}")), InputError);
  CHECK(read_rules(parse_yaml("{growth_low: 0.2, growth_high: 0.2}")).growth_low == 0.2);
}

}  // namespace ntune
