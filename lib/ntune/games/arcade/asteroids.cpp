#include "ntune/games/arcade/asteroids.h"

#include <algorithm>
#include <cmath>

namespace ntune {

namespace {

constexpr float kCentreX = Asteroids::kWidth / 2;
constexpr float kCentreY = Asteroids::kHeight / 2;
/// The least distance from the centre to a rock of a new level. It is less than ship and rock need:
/// a rock can start on top of the ship.
constexpr float kLeastStartDistance = 24;
/// The least speed of a new level's rock, in standard deviations of a component.
constexpr float kLeastStartSpeed = 0.5F;

/// A place or a velocity.
struct Pair {
  float x, y;
};

/// A uniform place on the screen; x is drawn before y.
Pair uniform_place(Rng& rng) {
  const double x = rng.uniform();
  const double y = rng.uniform();
  return {static_cast<float>(x) * Asteroids::kWidth, static_cast<float>(y) * Asteroids::kHeight};
}

/// Two independent standard normal deviates (Marsaglia's polar method), each at most 13 in size.
Pair normal_pair(Rng& rng) {
  for (;;) {
    const double x = 2.0 * rng.uniform() - 1.0;
    const double y = 2.0 * rng.uniform() - 1.0;
    const double square = x * x + y * y;
    if (square >= 1.0 || square == 0.0) continue;
    const double factor = std::sqrt(-2.0 * std::log(square) / square);
    return {static_cast<float>(x * factor), static_cast<float>(y * factor)};
  }
}

/// Closes the gap that an element leaves, and keeps the order of the others.
template <class Array>
void remove_place(Array& values, int place, int count) {
  std::copy(values.begin() + place + 1, values.begin() + count, values.begin() + place);
}

}  // namespace

void Asteroids::clear_rocks() {
  rocks_ = 0;
  rock_ = {};
  // A rock that does not exist lies out of reach, so loops over all places need no test.
  rock_.x.fill(kNowhere);
  radius_ = {};
}

void Asteroids::add_rock(const AsteroidsBody& body, int size) {
  rock_.put(rocks_, body);
  const auto at = static_cast<std::size_t>(rocks_);
  radius_[at] = kRockRadius[static_cast<std::size_t>(size)];
  ++rocks_;
}

void Asteroids::set_ship(const AsteroidsBody& body, int heading) {
  ship_ = body;
  heading_ = heading;
}

void Asteroids::new_ship() {
  ship_ = {.x = kCentreX, .y = kCentreY};
  heading_ = 0;
  since_shot_ = 0;
}

/// Draws for each rock x and y until far enough from the centre, then a pair of normal deviates
/// until fast enough.
void Asteroids::start_level(Rng& rng) {
  const auto speed = static_cast<float>(rules_->rock_speed);
  const int count = std::min(rules_->rocks + level_, AsteroidsLimits::kLargeRocks);
  // Higher levels have more rocks, up to the room that there is.
  for (int i = 0; i < count; ++i) {
    Pair place{};
    do {
      place = uniform_place(rng);
    } while (square_of_length(place.x - kCentreX, place.y - kCentreY) <=
             kLeastStartDistance * kLeastStartDistance);
    Pair velocity{};
    do {
      velocity = normal_pair(rng);
    } while (square_of_length(velocity.x, velocity.y) <= kLeastStartSpeed * kLeastStartSpeed);
    add_rock({place.x, place.y, speed * velocity.x, speed * velocity.y}, 0);
  }
}

void Asteroids::wait_for(AsteroidsPhase next) {
  wait_ = rules_->wait;
  next_phase_ = next;
  phase_ = AsteroidsPhase::kWaiting;
}

/// A tick in which the world stands still.
void Asteroids::pause(int action, Rng& rng) {
  switch (phase_) {
    case AsteroidsPhase::kWaitingToStart:
      // Actions from 6 on shoot, which starts the game.
      if (action >= 6) phase_ = AsteroidsPhase::kPlaying;
      break;
    case AsteroidsPhase::kLifeLost:
      --lives_;
      score_ -= rules_->life_cost;
      wait_for(lives_ > 0 ? AsteroidsPhase::kReEntry : AsteroidsPhase::kGameOver);
      break;
    case AsteroidsPhase::kWaiting:
      // The counter is compared before it falls, so a pause lasts one tick more than it says.
      if (wait_ <= 0) phase_ = next_phase_;
      --wait_;
      break;
    case AsteroidsPhase::kReEntry:
      re_enter(rng);
      break;
    case AsteroidsPhase::kLevelCleared:
      ++level_;
      missiles_ = 0;
      missile_ = {};
      expiry_ = {};
      clear_rocks();
      new_ship();
      start_level(rng);
      wait_for(AsteroidsPhase::kPlaying);
      break;
    case AsteroidsPhase::kPlaying:
    case AsteroidsPhase::kGameOver:
      break;
  }
}

/// Draws for each rock that is too near, in list order, x and y until it is not. All are then
/// farther away than ship and rock need.
void Asteroids::re_enter(Rng& rng) {
  new_ship();
  const auto safe = static_cast<float>(rules_->safe_distance);
  for (std::size_t i = 0; i < static_cast<std::size_t>(rocks_); ++i) {
    while (square_of_length(rock_.x[i] - kCentreX, rock_.y[i] - kCentreY) < safe * safe) {
      const Pair place = uniform_place(rng);
      rock_.x[i] = place.x;
      rock_.y[i] = place.y;
    }
  }
  phase_ = AsteroidsPhase::kPlaying;
}

int Asteroids::first_touched(float x, float y, float radius) const {
  for (int i = 0; i < rocks_; ++i) {
    // The square of the distance spares a root.
    const auto at = static_cast<std::size_t>(i);
    const float reach = radius_[at] + radius;
    if (square_of_length(rock_.x[at] - x, rock_.y[at] - y) < reach * reach) return i;
  }
  return -1;
}

/// Collisions in the order of the rules. The ship collides with the first rock that it touches,
/// then each missile with the first of the rocks that are left, new splinters among them. True if
/// the ship is hit.
bool Asteroids::resolve_hits(Rng& rng) {
  const int rammed = first_touched(ship_.x, ship_.y, kShipRadius);
  if (rammed >= 0) destroy(rammed, rng);
  // The missile that hits is removed, so its place has the next one.
  for (int i = 0; i < missiles_;) {
    const auto at = static_cast<std::size_t>(i);
    const int shot = first_touched(missile_.x[at], missile_.y[at], kMissileRadius);
    if (shot < 0) {
      ++i;
      continue;
    }
    destroy(shot, rng);
    remove_missile(i);
  }
  return rammed >= 0;
}

/// Draws a pair of normal deviates for each splinter.
void Asteroids::destroy(int rock, Rng& rng) {
  const AsteroidsBody body = rock_.body(rock);
  const int size = rock_size(rock);
  remove_rock(rock);
  score_ += size == 0   ? rules_->large_score
            : size == 1 ? rules_->middle_score
                        : rules_->small_score;
  // Small rocks have no splinters.
  if (size == 2) return;
  const auto speed = static_cast<float>(rules_->split_speed);
  for (int i = 0; i < kSplinters; ++i) {
    const Pair extra = normal_pair(rng);
    add_rock({body.x, body.y, body.vx + speed * extra.x, body.vy + speed * extra.y}, size + 1);
  }
}

void Asteroids::remove_rock(int rock) {
  for (auto* values : {&rock_.x, &rock_.y, &rock_.vx, &rock_.vy, &radius_}) {
    remove_place(*values, rock, rocks_);
  }
  --rocks_;
  rock_.put(rocks_, {.x = kNowhere});
  radius_[static_cast<std::size_t>(rocks_)] = 0;
}

void Asteroids::remove_missile(int missile) {
  for (auto* values : {&missile_.x, &missile_.y, &missile_.vx, &missile_.vy}) {
    remove_place(*values, missile, missiles_);
  }
  remove_place(expiry_, missile, missiles_);
  --missiles_;
  missile_.put(missiles_, {});
  expiry_[static_cast<std::size_t>(missiles_)] = 0;
}

}  // namespace ntune
