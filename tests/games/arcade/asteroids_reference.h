#pragma once

#include <cmath>
#include <vector>

#include "ntune/games/arcade/asteroids.h"

namespace ntune {

/// Asteroids as its rules are told, one object and one collision after the other. In single
/// precision and with the same draws, so that it can be held to the last bit against the fast one.
class AsteroidsReference {
 public:
  struct Rock {
    AsteroidsBody body;
    int size = 0;
    bool dead = false;
  };
  struct Missile {
    AsteroidsBody body;
    int ttl = 0;
    bool dead = false;
  };

  AsteroidsReference(const AsteroidsRules& rules, Rng& rng) : rules_(rules), lives(rules.lives) {
    new_ship();
    make_rocks(rng);
  }

  void step(int action, Rng& rng) {
    const bool fire = action / 6 == 1;
    switch (phase) {
      case AsteroidsPhase::kWaitingToStart:
        if (fire) phase = AsteroidsPhase::kPlaying;
        break;
      case AsteroidsPhase::kPlaying:
        play(action, rng);
        break;
      case AsteroidsPhase::kLifeLost:
        lives -= 1;
        score -= rules_.life_cost;
        wait_ = rules_.wait;
        next_ = lives <= 0 ? AsteroidsPhase::kGameOver : AsteroidsPhase::kReEntry;
        phase = AsteroidsPhase::kWaiting;
        break;
      case AsteroidsPhase::kWaiting:
        if (wait_ <= 0) phase = next_;
        wait_ -= 1;
        break;
      case AsteroidsPhase::kReEntry:
        re_enter(rng);
        break;
      case AsteroidsPhase::kLevelCleared:
        wait_ = rules_.wait;
        level += 1;
        rocks.clear();
        missiles.clear();
        new_ship();
        make_rocks(rng);
        next_ = AsteroidsPhase::kPlaying;
        phase = AsteroidsPhase::kWaiting;
        break;
      case AsteroidsPhase::kGameOver:
        break;
    }
  }

 private:
  AsteroidsRules rules_;
  int wait_ = 0;
  AsteroidsPhase next_ = AsteroidsPhase::kPlaying;
  int since_shot_ = 0;
  bool ship_dead_ = false;

 public:
  AsteroidsPhase phase = AsteroidsPhase::kWaitingToStart;
  int score = 0;
  int lives = 0;
  int level = 0;
  AsteroidsBody ship;
  int heading = 0;
  std::vector<Rock> rocks;
  std::vector<Missile> missiles;

 private:
  static float real(double x) { return static_cast<float>(x); }
  static float radius(const Rock& rock) {
    return rock.size == 0 ? 30.0F : rock.size == 1 ? 20.0F : 10.0F;
  }
  static float square(float x) { return x * x; }
  static bool closer(const AsteroidsBody& a, const AsteroidsBody& b, float distance) {
    return square(a.x - b.x) + square(a.y - b.y) < square(distance);
  }
  static void move(AsteroidsBody& body) {
    body.x += body.vx;
    body.y += body.vy;
  }
  static void wrap(AsteroidsBody& body) {
    if (body.x < 0.0F) body.x += 640.0F;
    if (body.x >= 640.0F) body.x -= 640.0F;
    if (body.y < 0.0F) body.y += 480.0F;
    if (body.y >= 480.0F) body.y -= 480.0F;
  }
  static void draw_place(AsteroidsBody& body, Rng& rng) {
    body.x = real(rng.uniform()) * 640.0F;
    body.y = real(rng.uniform()) * 480.0F;
  }
  /// Marsaglia's polar method, both deviates.
  static void draw_velocity(AsteroidsBody& body, Rng& rng) {
    double x = 0.0;
    double y = 0.0;
    double s = 0.0;
    do {
      x = 2.0 * rng.uniform() - 1.0;
      y = 2.0 * rng.uniform() - 1.0;
      s = x * x + y * y;
    } while (s >= 1.0 || s == 0.0);
    const double factor = std::sqrt(-2.0 * std::log(s) / s);
    body.vx = real(x * factor);
    body.vy = real(y * factor);
  }

  void new_ship() {
    ship = {.x = 320.0F, .y = 240.0F};
    heading = 0;
    since_shot_ = 0;
    ship_dead_ = false;
  }

  void make_rocks(Rng& rng) {
    const AsteroidsBody centre = {.x = 320.0F, .y = 240.0F};
    for (int i = 0; i < rules_.rocks + level && i < 7; ++i) {
      Rock rock;
      do draw_place(rock.body, rng);
      while (!(square(rock.body.x - centre.x) + square(rock.body.y - centre.y) > square(24.0F)));
      do draw_velocity(rock.body, rng);
      while (!(square(rock.body.vx) + square(rock.body.vy) > square(0.5F)));
      rock.body.vx *= real(rules_.rock_speed);
      rock.body.vy *= real(rules_.rock_speed);
      rocks.push_back(rock);
    }
  }

  void re_enter(Rng& rng) {
    new_ship();
    bool overlap = false;
    for (Rock& rock : rocks) {
      while (closer(rock.body, ship, real(rules_.safe_distance))) draw_place(rock.body, rng);
      overlap = overlap || closer(rock.body, ship, 12.0F + radius(rock));
    }
    if (!overlap) phase = AsteroidsPhase::kPlaying;
  }

  void play(int action, Rng& rng) {
    move_ship(action);
    for (std::size_t i = 0; i < rocks.size(); ++i) {
      if (!closer(rocks[i].body, ship, 12.0F + radius(rocks[i]))) continue;
      ship_dead_ = true;
      destroy(i, rng);
      break;
    }
    for (Missile& missile : missiles) move_missile(missile, rng);
    std::erase_if(missiles, [](const Missile& missile) { return missile.dead; });
    for (Rock& rock : rocks) {
      move(rock.body);
      wrap(rock.body);
    }
    std::erase_if(rocks, [](const Rock& rock) { return rock.dead; });
    if (ship_dead_) phase = AsteroidsPhase::kLifeLost;
    if (rocks.empty()) phase = AsteroidsPhase::kLevelCleared;
  }

  void move_ship(int action) {
    heading = (heading + action % 3 - 1 + 24) % 24;
    const auto [x, y] = Asteroids::direction(heading);
    const float thrust = action / 3 % 2 == 1 ? real(rules_.thrust) : 0.0F;
    ship.vx += thrust * x;
    ship.vy += thrust * y;
    ship.vx *= real(rules_.friction);
    ship.vy *= real(rules_.friction);
    move(ship);
    since_shot_ += 1;
    if (action / 6 == 1 && since_shot_ > rules_.cooldown) {
      since_shot_ = 0;
      if (static_cast<int>(missiles.size()) < rules_.missiles) {
        const float speed = real(rules_.missile_speed);
        missiles.push_back({{ship.x, ship.y, x * speed, y * speed}, rules_.missile_ticks, false});
        score -= rules_.missile_cost;
      }
    }
    wrap(ship);
  }

  void move_missile(Missile& missile, Rng& rng) {
    move(missile.body);
    missile.ttl -= 1;
    wrap(missile.body);
    if (missile.ttl <= 0) missile.dead = true;
    if (missile.dead) return;
    for (std::size_t i = 0; i < rocks.size(); ++i) {
      if (rocks[i].dead || !closer(rocks[i].body, missile.body, 7.0F + radius(rocks[i]))) continue;
      missile.dead = true;
      destroy(i, rng);
      return;
    }
  }

  void destroy(std::size_t at, Rng& rng) {
    rocks[at].dead = true;
    const Rock rock = rocks[at];
    if (rock.size == 0) score += rules_.large_score;
    if (rock.size == 1) score += rules_.middle_score;
    if (rock.size == 2) score += rules_.small_score;
    for (int i = 0; i < 3 && rock.size < 2; ++i) {
      Rock splinter = {rock.body, rock.size + 1, false};
      draw_velocity(splinter.body, rng);
      splinter.body.vx = rock.body.vx + real(rules_.split_speed) * splinter.body.vx;
      splinter.body.vy = rock.body.vy + real(rules_.split_speed) * splinter.body.vy;
      rocks.push_back(splinter);
    }
  }
};

}  // namespace ntune
