#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "ntune/agents/forward_model/game_agent.h"
#include "ntune/core/rng.h"
#include "ntune/games/arcade/asteroids_bodies.h"
#include "ntune/games/arcade/asteroids_rules.h"

namespace ntune {

enum class AsteroidsPhase : std::uint8_t {
  kWaitingToStart,
  kPlaying,
  kLifeLost,
  kWaiting,
  kReEntry,
  kLevelCleared,
  kGameOver
};

/// A game of Asteroids for one player, in single precision. The world is a torus of 640 * 480
/// pixels (y downwards) for positions, but distances are those of the plane. It moves only in
/// kPlaying. Actions are 6 * fire + 3 * thrust + turn, turn 0, 1, 2 = -15, 0, +15 degrees. The
/// rules must outlive every state that is made from them.
class Asteroids {
 public:
  static constexpr int kPlayers = 1;
  static constexpr int kActions = 12;
  static constexpr int kIdle = 1;

  static constexpr float kWidth = kAsteroidsWidth;
  static constexpr float kHeight = kAsteroidsHeight;
  static constexpr float kShipRadius = 12;
  static constexpr float kMissileRadius = 7;
  static constexpr std::array<float, 3> kRockRadius = {30, 20, 10};  ///< large, middle, small
  static constexpr int kSplinters = 3;
  static constexpr int kHeadings = 24;

  /// A game of the default rules that waits for its start, without rocks.
  Asteroids() : Asteroids(kDefaultAsteroidsRules) {}
  /// A new game that waits for its start, its rocks drawn from `rng`.
  Asteroids(const AsteroidsRules& rules, Rng& rng) : Asteroids(rules) { start_level(rng); }

  /// One tick. Draws where rocks split (destroy), a level starts (start_level) or a ship comes back
  /// (re_enter).
  void step(const std::array<int, 1>& actions, Rng& rng) {
    ++tick_;
    if (phase_ == AsteroidsPhase::kPlaying) {
      play(actions[0], rng);
    } else {
      pause(actions[0], rng);
    }
  }

  [[nodiscard]] int score(int /*player*/ = 0) const { return score_; }
  /// True after the last tick, and when all lives are lost. The score then stays as it is; the
  /// published program lets the remaining ticks pass.
  [[nodiscard]] bool is_over() const {
    return tick_ >= rules_->ticks || phase_ == AsteroidsPhase::kGameOver;
  }

  [[nodiscard]] AsteroidsPhase phase() const { return phase_; }
  [[nodiscard]] int tick() const { return tick_; }
  [[nodiscard]] int lives() const { return lives_; }
  /// 0 for the first.
  [[nodiscard]] int level() const { return level_; }
  [[nodiscard]] const AsteroidsBody& ship() const { return ship_; }
  /// 0 … 23, in steps of 15 degrees clockwise from upwards.
  [[nodiscard]] int heading() const { return heading_; }
  [[nodiscard]] int missiles() const { return missiles_; }
  [[nodiscard]] AsteroidsBody missile(int i) const { return missile_.body(i); }
  [[nodiscard]] int rocks() const { return rocks_; }
  [[nodiscard]] AsteroidsBody rock(int i) const { return rock_.body(i); }
  /// 0 large, 1 middle, 2 small.
  [[nodiscard]] int rock_size(int i) const {
    const float radius = radius_[static_cast<std::size_t>(i)];
    return radius == kRockRadius[0] ? 0 : radius == kRockRadius[1] ? 1 : 2;
  }

  /// These make positions by hand. Rocks may weigh at most 63 in all (AsteroidsLimits).
  void clear_rocks();
  void add_rock(const AsteroidsBody& body, int size);
  void set_ship(const AsteroidsBody& body, int heading);

  /// Direction of a heading: (0, -1) turned by 15 degrees as many times.
  static constexpr std::array<float, 2> direction(int heading) {
    return {kSines[static_cast<std::size_t>(heading)],
            -kSines[static_cast<std::size_t>(heading) + kHeadings / 4]};
  }

  friend bool operator==(const Asteroids&, const Asteroids&) = default;

 private:
  static constexpr std::size_t kMissilePlaces = AsteroidsLimits::kMissiles;
  static constexpr std::size_t kRockPlaces = AsteroidsLimits::kRocks + 1;
  /// The coordinate of places beyond the last rock, which nothing reaches.
  static constexpr float kNowhere = std::numeric_limits<float>::infinity();
  /// Sines of multiples of 15 degrees, a quarter turn more for the cosines.
  static constexpr std::array<float, kHeadings + 6> kSines = {
      0.0F,  0.258819045F,  0.5F,          0.707106781F,  0.866025404F,  0.965925826F,
      1.0F,  0.965925826F,  0.866025404F,  0.707106781F,  0.5F,          0.258819045F,
      0.0F,  -0.258819045F, -0.5F,         -0.707106781F, -0.866025404F, -0.965925826F,
      -1.0F, -0.965925826F, -0.866025404F, -0.707106781F, -0.5F,         -0.258819045F,
      0.0F,  0.258819045F,  0.5F,          0.707106781F,  0.866025404F,  0.965925826F};

  explicit Asteroids(const AsteroidsRules& rules) : rules_(&rules), lives_(rules.lives) {
    clear_rocks();
    new_ship();
  }

  void play(int action, Rng& rng) {
    move_ship(action);
    move_missiles();
    const bool hit = something_hit() && resolve_hits(rng);
    rock_.move(fours(rocks_));
    if (hit) phase_ = AsteroidsPhase::kLifeLost;
    if (rocks_ == 0) phase_ = AsteroidsPhase::kLevelCleared;
  }

  void move_ship(int action) {
    const bool fire = action >= 6;
    const int thrust_and_turn = fire ? action - 6 : action;
    const bool thrust = thrust_and_turn >= 3;
    turn(thrust_and_turn - (thrust ? 4 : 1));
    const auto [dx, dy] = direction(heading_);
    const float gain = thrust ? static_cast<float>(rules_->thrust) : 0.0F;
    const auto friction = static_cast<float>(rules_->friction);
    ship_.vx = (ship_.vx + gain * dx) * friction;
    ship_.vy = (ship_.vy + gain * dy) * friction;
    ship_.x += ship_.vx;
    ship_.y += ship_.vy;
    if (++since_shot_ > rules_->cooldown && fire) shoot(dx, dy);
    ship_.x = wrap(ship_.x, kWidth);
    ship_.y = wrap(ship_.y, kHeight);
  }
  static float wrap(float x, float size) {
    x = x < 0.0F ? x + size : x;
    return x >= size ? x - size : x;
  }
  void turn(int steps) {
    heading_ += steps;
    heading_ += heading_ < 0 ? kHeadings : 0;
    heading_ -= heading_ >= kHeadings ? kHeadings : 0;
  }

  void shoot(float dx, float dy) {
    since_shot_ = 0;
    if (missiles_ >= rules_->missiles) return;
    const auto speed = static_cast<float>(rules_->missile_speed);
    missile_.put(missiles_, {ship_.x, ship_.y, dx * speed, dy * speed});
    expiry_[static_cast<std::size_t>(missiles_)] = clock_ + rules_->missile_ticks;
    ++missiles_;
    score_ -= rules_->missile_cost;
  }

  void move_missiles() {
    ++clock_;
    missile_.move(fours(missiles_));
    // They are in the order of their firing, at most one a tick: only the first can expire.
    if (missiles_ > 0 && expiry_[0] <= clock_) remove_missile(0);
  }

  /// Groups of four that hold so many bodies.
  static std::size_t fours(int bodies) {
    return (static_cast<std::size_t>(bodies) + lanes::kCount - 1) / lanes::kCount;
  }
  /// Whether the ship or a missile touches a rock.
  [[nodiscard]] bool something_hit() const {
    const auto missiles = static_cast<std::size_t>(missiles_);
    lanes::Floats missile_x[kMissilePlaces];
    lanes::Floats missile_y[kMissilePlaces];
    for (std::size_t m = 0; m < missiles; ++m) {
      missile_x[m] = lanes::all(missile_.x[m]);
      missile_y[m] = lanes::all(missile_.y[m]);
    }
    lanes::Masks hit{};
    for (std::size_t i = 0; i < lanes::kCount * fours(rocks_); i += lanes::kCount) {
      const lanes::Floats x = lanes::load(&rock_.x[i]);
      const lanes::Floats y = lanes::load(&rock_.y[i]);
      const lanes::Floats radius = lanes::load(&radius_[i]);
      const lanes::Floats reach = radius + kMissileRadius;
      const lanes::Floats square = reach * reach;
      for (std::size_t m = 0; m < missiles; ++m) {
        hit |= square_of_length(x - missile_x[m], y - missile_y[m]) < square;
      }
      const lanes::Floats ship_reach = radius + kShipRadius;
      hit |= square_of_length(x - ship_.x, y - ship_.y) < ship_reach * ship_reach;
    }
    return (hit[0] | hit[1] | hit[2] | hit[3]) != 0;
  }
  template <class Real>
  static Real square_of_length(Real x, Real y) {
    return x * x + y * y;
  }

  void pause(int action, Rng& rng);
  void wait_for(AsteroidsPhase next);
  void new_ship();
  void start_level(Rng& rng);
  void re_enter(Rng& rng);
  bool resolve_hits(Rng& rng);
  [[nodiscard]] int first_touched(float x, float y, float radius) const;
  void destroy(int rock, Rng& rng);
  void remove_rock(int rock);
  void remove_missile(int missile);

  const AsteroidsRules* rules_;
  int tick_ = 0;
  int score_ = 0;
  int lives_;
  int level_ = 0;
  AsteroidsPhase phase_ = AsteroidsPhase::kWaitingToStart;
  AsteroidsPhase next_phase_ = AsteroidsPhase::kPlaying;
  int wait_ = 0;
  int clock_ = 0;       ///< ticks of the world
  int since_shot_ = 0;  ///< or since the ship's beginning
  int heading_ = 0;
  AsteroidsBody ship_;
  int missiles_ = 0;
  int rocks_ = 0;
  std::array<int, kMissilePlaces> expiry_{};
  AsteroidsBodies<kMissilePlaces> missile_;
  AsteroidsBodies<kRockPlaces> rock_;
  alignas(sizeof(lanes::Floats)) std::array<float, kRockPlaces> radius_{};
};

static_assert(ForwardModel<Asteroids>);

}  // namespace ntune
