#include "apps/arcade/canvas.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ntune::arcade {

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

}  // namespace ntune::arcade
