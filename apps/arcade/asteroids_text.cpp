// Asteroids on a terminal.

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "apps/arcade/canvas.h"
#include "apps/arcade/recording.h"
#include "ntune/core/text.h"

namespace ntune::arcade {

namespace {

const char* phase_text(AsteroidsPhase phase) {
  switch (phase) {
    case AsteroidsPhase::kWaitingToStart:
      return "   waiting to start";
    case AsteroidsPhase::kLifeLost:
      return "   life lost";
    case AsteroidsPhase::kLevelCleared:
      return "   level cleared";
    case AsteroidsPhase::kWaiting:
    case AsteroidsPhase::kReEntry:
      return "   waiting";
    case AsteroidsPhase::kGameOver:
      return "   game over";
    case AsteroidsPhase::kPlaying:
      break;
  }
  return "";
}

void draw_ship(const Asteroids& state, Canvas& canvas) {
  constexpr double kRear = 140.0 / 180.0 * std::numbers::pi;  // of the two rear corners, from ahead
  const double ahead = 2.0 * std::numbers::pi * state.heading() / Asteroids::kHeadings;
  const double radius = static_cast<double>(Asteroids::kShipRadius) + 2.0;
  const AsteroidsBody& ship = state.ship();
  double x[3];
  double y[3];
  const double angles[] = {ahead, ahead + kRear, ahead - kRear};
  for (int i = 0; i < 3; ++i) {
    x[i] = static_cast<double>(ship.x) + radius * std::sin(angles[i]);
    y[i] = static_cast<double>(ship.y) - radius * std::cos(angles[i]);
  }
  for (int i = 0; i < 3; ++i) canvas.line(x[i], y[i], x[(i + 1) % 3], y[(i + 1) % 3]);
}

}  // namespace

std::string frame_text(const Recording<Asteroids>& game, std::size_t tick) {
  const Asteroids& state = game.states[tick];
  Canvas canvas(54, 20, static_cast<double>(Asteroids::kWidth),
                static_cast<double>(Asteroids::kHeight));
  for (int i = 0; i < state.rocks(); ++i) {
    const AsteroidsBody rock = state.rock(i);
    const auto size = static_cast<std::size_t>(state.rock_size(i));
    canvas.circle(static_cast<double>(rock.x), static_cast<double>(rock.y),
                  static_cast<double>(Asteroids::kRockRadius[size]));
  }
  for (int i = 0; i < state.missiles(); ++i) {
    const AsteroidsBody missile = state.missile(i);
    canvas.circle(static_cast<double>(missile.x), static_cast<double>(missile.y), 3.0);
  }
  draw_ship(state, canvas);
  return canvas.text() + fmt::format("tick {} of {}   score {}   lives {}   level {}{}\n", tick,
                                     game.rules.ticks, state.score(), state.lives(),
                                     state.level() + 1, phase_text(state.phase()));
}

std::string end_text(const Recording<Asteroids>& game) {
  const Asteroids& end = game.states.back();
  return fmt::format("Score {} after {} ticks: {} of {} lives left, {} cleared\n", end.score(),
                     game.ticks(), end.lives(), game.rules.lives, counted(end.level(), "level"));
}

Json end_json(const Recording<Asteroids>& game) {
  const Asteroids& end = game.states.back();
  return {{"ticks", game.ticks()},
          {"score", end.score()},
          {"lives", end.lives()},
          {"levels_cleared", end.level()}};
}

}  // namespace ntune::arcade
