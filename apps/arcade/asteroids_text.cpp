// Asteroids on a terminal.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "apps/arcade/recording.h"
#include "ntune/core/text.h"

namespace ntune::arcade {

namespace {

/// Dots on a terminal, two by four in every character (Unicode's Braille patterns).
class Canvas {
 public:
  /// A canvas for drawings of `width` * `height` units on a place of `columns` * `rows` characters.
  Canvas(int columns, int rows, double width, double height);

  /// What lies outside is not drawn.
  void dot(double x, double y);
  void line(double x0, double y0, double x1, double y1);
  void circle(double x, double y, double radius);

  /// The drawing in a frame.
  [[nodiscard]] std::string text() const;

 private:
  int columns_, rows_;
  double x_scale_, y_scale_;  ///< dots per unit
  std::vector<unsigned> cells_;
};

Canvas::Canvas(int columns, int rows, double width, double height)
    : columns_(columns),
      rows_(rows),
      x_scale_(2.0 * columns / width),
      y_scale_(4.0 * rows / height),
      cells_(static_cast<std::size_t>(columns * rows)) {}

void Canvas::dot(double x, double y) {
  // The bits of a pattern's dots, by row and column.
  static constexpr unsigned kBits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  const double column = std::floor(x * x_scale_);
  const double row = std::floor(y * y_scale_);
  if (!(column >= 0.0 && column < 2.0 * columns_ && row >= 0.0 && row < 4.0 * rows_)) return;
  const int i = static_cast<int>(column);
  const int j = static_cast<int>(row);
  cells_[static_cast<std::size_t>(j / 4 * columns_ + i / 2)] |= kBits[j % 4][i % 2];
}

void Canvas::line(double x0, double y0, double x1, double y1) {
  const double dots = std::max(std::abs(x1 - x0) * x_scale_, std::abs(y1 - y0) * y_scale_);
  const int steps = static_cast<int>(std::ceil(dots)) + 1;
  for (int i = 0; i <= steps; ++i) {
    const double t = static_cast<double>(i) / steps;
    dot(x0 + t * (x1 - x0), y0 + t * (y1 - y0));
  }
}

void Canvas::circle(double x, double y, double radius) {
  constexpr int kSteps = 48;
  for (int i = 0; i < kSteps; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kSteps;
    dot(x + radius * std::cos(angle), y + radius * std::sin(angle));
  }
}

std::string Canvas::text() const {
  std::string edge;
  for (int i = 0; i < columns_; ++i) edge += "─";
  std::string text = "┌" + edge + "┐\n";
  for (int j = 0; j < rows_; ++j) {
    text += "│";
    for (int i = 0; i < columns_; ++i) {
      const unsigned cell = cells_[static_cast<std::size_t>(j * columns_ + i)];
      if (cell == 0) {
        text += ' ';
        continue;
      }
      text += '\xe2';  // U+2800 + cell in UTF-8
      text += static_cast<char>(0xa0U + (cell >> 6U));
      text += static_cast<char>(0x80U + (cell & 0x3fU));
    }
    text += "│\n";
  }
  return text + "└" + edge + "┘\n";
}

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
