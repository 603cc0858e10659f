#pragma once

#include <string>
#include <vector>

namespace ntune::arcade {

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

}  // namespace ntune::arcade
