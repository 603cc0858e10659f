#include "ntune/games/arcade/asteroids.h"

#include <cmath>
#include <functional>
#include <numbers>

#include "catch.h"
#include "games/arcade/asteroids_reference.h"
#include "ntune/core/error.h"
#include "ntune/core/hash.h"
#include "ntune/core/option_reader.h"

namespace ntune {

namespace {

constexpr int kStraight = 1;
constexpr int kFire = 7;
constexpr int kFireRight = 8;
constexpr int kThrust = 4;
constexpr auto kPlaying = AsteroidsPhase::kPlaying;

/// A started game without rocks but one far away that stands still.
struct Quiet {
  explicit Quiet(const AsteroidsRules& its_rules = {}) : rules(its_rules), game(rules, rng) {
    step(kFire);
    game.clear_rocks();
    game.add_rock({.x = 10, .y = 10}, 0);
  }
  void step(int action, int times = 1) {
    for (int i = 0; i < times; ++i) game.step({action}, rng);
  }
  /// Ticks of doing nothing until the game is in this phase.
  int ticks_until(AsteroidsPhase phase) {
    int ticks = 0;
    for (; game.phase() != phase && ticks < 1000; ++ticks) step(kStraight);
    return ticks;
  }

  AsteroidsRules rules;
  Rng rng{1};
  Asteroids game;
};

using Player = std::function<int(Rng&)>;

void mirror(const AsteroidsRules& rules, std::uint64_t seed, const Player& player) {
  Rng rng = Rng(seed).stream("game");
  Rng same = rng;
  Rng actions = Rng(seed).stream("actions");
  Asteroids game(rules, rng);
  AsteroidsReference reference(rules, same);
  for (int tick = 0; tick < rules.ticks; ++tick) {
    const int action = player(actions);
    game.step({action}, rng);
    reference.step(action, same);
    REQUIRE(game.phase() == reference.phase);
    REQUIRE(game.score() == reference.score);
    REQUIRE(game.lives() == reference.lives);
    REQUIRE(game.level() == reference.level);
    REQUIRE(game.ship() == reference.ship);
    REQUIRE(game.heading() == reference.heading);
    REQUIRE(game.missiles() == static_cast<int>(reference.missiles.size()));
    REQUIRE(game.rocks() == static_cast<int>(reference.rocks.size()));
    bool same_bodies = true;
    for (int i = 0; i < game.missiles(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      same_bodies = same_bodies && game.missile(i) == reference.missiles[at].body;
    }
    for (int i = 0; i < game.rocks(); ++i) {
      const auto& rock = reference.rocks[static_cast<std::size_t>(i)];
      same_bodies = same_bodies && game.rock(i) == rock.body && game.rock_size(i) == rock.size;
    }
    REQUIRE(same_bodies);
  }
  REQUIRE(rng() == same());
  CHECK(game.is_over());
}

int any_action(Rng& rng) { return static_cast<int>(rng.below(12)); }
/// Fires all the time and turns about: lives longer and splits more.
int fire_and_turn(Rng& rng) { return 6 + static_cast<int>(rng.below(3)); }

}  // namespace

static_assert(ForwardModel<Asteroids>);

TEST_CASE("Asteroids follows the rules tick by tick") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    mirror({}, seed, any_action);
    mirror({}, seed, fire_and_turn);
  }
}

TEST_CASE("Asteroids follows other rules tick by tick") {
  AsteroidsRules easy;  // small and slow: levels are cleared
  easy.rocks = 1;
  easy.ticks = 4000;
  easy.lives = 100;
  easy.cooldown = 2;
  easy.wait = 3;
  easy.rock_speed = 0.5;
  AsteroidsRules crowded;
  crowded.rocks = 7;
  crowded.missiles = 8;
  crowded.cooldown = 0;
  crowded.lives = 50;
  crowded.split_speed = 10;
  crowded.rock_speed = 10;
  AsteroidsRules short_lived;
  short_lived.missile_ticks = 1;
  short_lived.cooldown = 0;
  short_lived.thrust = 2;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const auto& rules : {easy, crowded, short_lived}) {
      mirror(rules, seed, any_action);
      mirror(rules, seed, fire_and_turn);
    }
  }
}

TEST_CASE("Asteroids waits for the first shot, which only starts it") {
  Rng rng(1);
  const AsteroidsRules rules;
  Asteroids game(rules, rng);
  const Asteroids at_first = game;
  for (int i = 0; i < 20; ++i) game.step({kThrust}, rng);
  CHECK(game.phase() == AsteroidsPhase::kWaitingToStart);
  CHECK(game.rock(0) == at_first.rock(0));
  game.step({kFire}, rng);
  CHECK(game.phase() == kPlaying);
  CHECK(game.missiles() == 0);
  CHECK(game.rock(0) == at_first.rock(0));
  CHECK(game.rocks() == 5);
}

TEST_CASE("Headings are steps of 15 degrees clockwise from upwards") {
  for (int heading = 0; heading < 24; ++heading) {
    const auto [x, y] = Asteroids::direction(heading);
    CHECK(std::abs(static_cast<double>(x) - std::sin(heading * std::numbers::pi / 12)) < 1e-7);
    CHECK(std::abs(static_cast<double>(y) + std::cos(heading * std::numbers::pi / 12)) < 1e-7);
  }
  Quiet quiet;
  quiet.step(0);
  CHECK(quiet.game.heading() == 23);
  quiet.step(2, 3);
  CHECK(quiet.game.heading() == 2);
}

TEST_CASE("Thrust adds 0.3 before friction and before the move") {
  Quiet quiet;
  quiet.step(kThrust);
  CHECK(quiet.game.ship().vy == Approx(-0.297));
  CHECK(quiet.game.ship().y == Approx(240 - 0.297));
  quiet.step(kStraight);
  CHECK(quiet.game.ship().vy == Approx(-0.297 * 0.99));
}

TEST_CASE("The first shot falls on the 11th playing tick, the next 11 ticks later") {
  Quiet quiet;
  quiet.step(kFire, 10);
  CHECK(quiet.game.missiles() == 0);
  quiet.step(kFire);
  CHECK(quiet.game.missiles() == 1);
  CHECK(quiet.game.score() == -10);
  CHECK(quiet.game.missile(0).y == 230);  // moved in the tick of its firing
  quiet.step(kFire, 10);
  CHECK(quiet.game.missiles() == 1);
  quiet.step(kFire);
  CHECK(quiet.game.missiles() == 2);
}

TEST_CASE("A missile makes 49 moves") {
  Quiet quiet;
  quiet.game.set_ship({.x = 320, .y = 470}, 0);
  quiet.step(kFire, 11);
  quiet.step(kStraight, 48);
  REQUIRE(quiet.game.missiles() == 1);
  CHECK(quiet.game.missile(0).y == Approx(470 - 490 + 480));
  quiet.step(kStraight);
  CHECK(quiet.game.missiles() == 0);
}

TEST_CASE("A shot over the limit is lost, costs nothing and resets the cooldown") {
  AsteroidsRules rules;
  rules.missiles = 1;
  Quiet quiet(rules);
  quiet.step(kFire, 22);
  CHECK(quiet.game.missiles() == 1);
  CHECK(quiet.game.score() == -10);
  quiet.step(kStraight, 37);  // the first, fired on tick 11, is gone on tick 60
  quiet.step(kStraight);
  CHECK(quiet.game.missiles() == 0);
  quiet.step(kFire);
  CHECK(quiet.game.missiles() == 1);
}

TEST_CASE("A rock splits into three of the next size with its own velocity and more") {
  Quiet quiet;
  quiet.game.add_rock({.x = 320, .y = 180, .vx = 0, .vy = 0}, 0);
  quiet.step(kFire, 11);
  while (quiet.game.rocks() == 2) quiet.step(kStraight);
  CHECK(quiet.game.rocks() == 4);
  CHECK(quiet.game.score() == 50 - 10);
  for (int i = 1; i < 4; ++i) {
    CHECK(quiet.game.rock_size(i) == 1);
    CHECK(quiet.game.rock(i).x == Approx(320 + quiet.game.rock(i).vx));
  }
}

TEST_CASE("A life lost takes 103 ticks and 200 points, and missiles outlive it") {
  Quiet quiet;
  quiet.step(kFire, 11);
  quiet.game.add_rock({.x = 320, .y = 270}, 2);
  quiet.game.set_ship({.x = 320, .y = 260}, 0);
  const int before = quiet.game.score();
  quiet.step(kStraight);
  CHECK(quiet.game.phase() == AsteroidsPhase::kLifeLost);
  CHECK(quiet.game.score() == before + 200);  // of the rock
  CHECK(quiet.game.lives() == 3);
  const AsteroidsBody missile = quiet.game.missile(0);
  CHECK(quiet.ticks_until(kPlaying) == 103);
  CHECK(quiet.game.score() == before);
  CHECK(quiet.game.lives() == 2);
  CHECK(quiet.game.ship() == AsteroidsBody{.x = 320, .y = 240});
  CHECK(quiet.game.missile(0) == missile);
  quiet.step(kFire, 10);
  CHECK(quiet.game.missiles() == 1);  // the new ship's cooldown starts anew
}

TEST_CASE("The player cannot act while waiting") {
  Quiet quiet;
  quiet.game.add_rock({.x = 320, .y = 240}, 2);
  quiet.step(kStraight, 2);
  REQUIRE(quiet.game.phase() == AsteroidsPhase::kWaiting);
  Quiet other = quiet;
  for (int i = 0; i < 100; ++i) {
    quiet.step(kStraight);
    other.game.step({kFireRight}, other.rng);
  }
  CHECK(quiet.game.ship() == other.game.ship());
  CHECK(quiet.game.heading() == other.game.heading());
  CHECK(other.game.missiles() == 0);
}

TEST_CASE("Rocks near the centre make room for a new ship") {
  Quiet quiet;
  quiet.game.add_rock({.x = 320, .y = 240}, 2);
  quiet.game.add_rock({.x = 400, .y = 240}, 2);
  quiet.game.add_rock({.x = 421, .y = 240}, 2);
  quiet.step(kStraight);
  CHECK(quiet.ticks_until(kPlaying) == 103);
  REQUIRE(quiet.game.rocks() == 3);
  for (int i = 0; i < 3; ++i) {
    CHECK(std::hypot(quiet.game.rock(i).x - 320, quiet.game.rock(i).y - 240) >= 100);
  }
  CHECK(quiet.game.rock(2).x == 421);
}

TEST_CASE("The third life lost ends the game, for good") {
  Quiet quiet;
  for (int life = 0; life < 3; ++life) {
    CHECK_FALSE(quiet.game.is_over());
    quiet.game.add_rock({.x = 320, .y = 240}, 2);
    quiet.step(kStraight, 104);
  }
  CHECK(quiet.game.phase() != kPlaying);
  CHECK(quiet.ticks_until(AsteroidsPhase::kGameOver) == 0);
  CHECK(quiet.game.is_over());
  CHECK(quiet.game.score() == 0);
  quiet.step(kFire, 50);
  CHECK(quiet.game.phase() == AsteroidsPhase::kGameOver);
  CHECK(quiet.game.missiles() == 0);
}

TEST_CASE("A cleared level takes 102 ticks and brings one rock more") {
  Quiet quiet;
  quiet.game.clear_rocks();
  quiet.game.add_rock({.x = 320, .y = 180}, 2);
  quiet.step(kFire, 11);
  CHECK(quiet.ticks_until(AsteroidsPhase::kLevelCleared) < 10);
  CHECK(quiet.game.score() == 190);
  CHECK(quiet.ticks_until(kPlaying) == 102);
  CHECK(quiet.game.rocks() == 6);
  CHECK(quiet.game.missiles() == 0);
  CHECK(quiet.game.level() == 1);
  CHECK(quiet.game.score() == 190);
}

TEST_CASE("Clearing a level overrides the loss of a life") {
  Quiet quiet;
  quiet.game.clear_rocks();
  quiet.game.add_rock({.x = 320, .y = 240}, 2);
  quiet.step(kStraight);
  CHECK(quiet.game.phase() == AsteroidsPhase::kLevelCleared);
  CHECK(quiet.ticks_until(kPlaying) == 102);
  CHECK(quiet.game.lives() == 3);
  CHECK(quiet.game.score() == 200);
}

TEST_CASE("A perfect clear of the first level is worth 10,100 points") {
  // One rock after the other is put before the gun; what it splits into is shot likewise.
  const AsteroidsRules rules;
  int score = 0;
  int missiles = 0;
  for (const auto& [size, count] : {std::pair(0, 5), std::pair(1, 15), std::pair(2, 45)}) {
    for (int i = 0; i < count; ++i) {
      Quiet quiet(rules);
      quiet.game.add_rock({.x = 320, .y = 180}, size);
      quiet.step(kFire, 11);
      quiet.step(kStraight, 9);
      REQUIRE(quiet.game.missiles() == 0);
      REQUIRE(quiet.game.rocks() == (size == 2 ? 1 : 4));
      score += quiet.game.score();
      ++missiles;
    }
  }
  CHECK(score == 10'100);
  CHECK(missiles == 65);
}

TEST_CASE("Positions wrap but distances do not") {
  Quiet quiet;
  quiet.game.set_ship({.x = 1, .y = 240}, 0);
  quiet.game.add_rock({.x = 630, .y = 240}, 0);  // 11 pixels away across the edge
  quiet.step(kStraight);
  CHECK(quiet.game.phase() == kPlaying);
  quiet.game.set_ship({.x = 639, .y = 100, .vx = 2, .vy = 0}, 0);
  quiet.step(kStraight);
  CHECK(quiet.game.ship().x == Approx(0.98).margin(1e-4));
}

TEST_CASE("The ship rams a rock before its missiles reach it, and they can hit the splinters") {
  AsteroidsRules rules;
  rules.cooldown = 0;
  Quiet quiet(rules);
  quiet.game.add_rock({.x = 320, .y = 220}, 0);
  quiet.step(kFire);  // the missile starts at the ship, on top of the new splinters
  CHECK(quiet.game.score() == 50 + 100 - 10);
  CHECK(quiet.game.missiles() == 0);
  CHECK(quiet.game.rocks() == 1 + 2 + 3);
  CHECK(quiet.game.rock_size(1) == 1);
  CHECK(quiet.game.rock_size(3) == 2);
  CHECK(quiet.game.phase() == AsteroidsPhase::kLifeLost);
}

TEST_CASE("A level starts with rocks away from the centre and not too slow") {
  const AsteroidsRules rules;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const Asteroids game(rules, rng);
    for (int i = 0; i < 5; ++i) {
      const AsteroidsBody rock = game.rock(i);
      CHECK(std::hypot(rock.x - 320, rock.y - 240) > 24);
      CHECK(std::hypot(rock.vx, rock.vy) > 1);
    }
  }
}

TEST_CASE("A copy of Asteroids goes on like its original") {
  Quiet quiet;
  Rng actions(5);
  for (int i = 0; i < 200; ++i) quiet.step(any_action(actions));
  Asteroids copy = quiet.game;
  Rng same = quiet.rng;
  for (int i = 0; i < 500; ++i) {
    const int action = any_action(actions);
    quiet.step(action);
    CHECK_FALSE(copy == quiet.game);
    copy.step({action}, same);
    CHECK(copy == quiet.game);
  }
}

TEST_CASE("Asteroids plays the same games as ever") {
  std::uint64_t signature = 0;
  const AsteroidsRules rules;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    Asteroids game(rules, rng);
    while (!game.is_over()) {
      const int action = any_action(rng);
      game.step({action}, rng);
      signature = mix64(signature + static_cast<std::uint64_t>(100 * game.score() + game.rocks()));
    }
  }
  CHECK(signature == 0xc6f1261e1229da84ULL);
}

TEST_CASE("Rules of Asteroids are read and checked") {
  const auto rules = read_options<AsteroidsRules>(parse_yaml("{ticks: 2000, thrust: 0.5}"));
  CHECK(rules.ticks == 2000);
  CHECK(rules.thrust == 0.5);
  CHECK(rules.rocks == 5);
  CHECK_THROWS_AS(read_options<AsteroidsRules>(parse_yaml("{rocks: 8}")), InputError);
  CHECK_THROWS_AS(read_options<AsteroidsRules>(parse_yaml("{safe_distance: 41}")), InputError);
}

}  // namespace ntune
