#include "apps/amazons/thermograph_drawing.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace ntune::amazons {

namespace {

/// The rectangle that a drawing shows.
struct Frame {
  Dyadic low;   ///< value at the right edge
  Dyadic high;  ///< value at the left edge
  Dyadic top;   ///< temperature; the bottom is -1
};

Frame frame_of(const Thermograph& thermograph) {
  const Dyadic one = 1;
  return {thermograph.right(-1).rounded_down(one) - 1, thermograph.left(-1).rounded_up(one) + 1,
          std::max(thermograph.temperature(), Dyadic(0)).rounded_up(one) + 1};
}

/// The smallest power of two from 1/8 on of which `most` make up `size`.
Dyadic finest_step(Dyadic size, int most) {
  Dyadic step = Dyadic::power(3);
  while (most * step < size) step += step;
  return step;
}

}  // namespace

std::string thermograph_text(const Thermograph& thermograph) {
  const Frame frame = frame_of(thermograph);
  // Walls with slope 1 are diagonals: one step of temperature a row, one of value a column.
  const Dyadic step =
      std::max(finest_step(frame.top + 1, 24), finest_step(frame.high - frame.low, 64));
  const auto column = [&](Dyadic value) {
    return static_cast<std::size_t>((frame.high - value).rounded_down(step).units() / step.units());
  };
  const std::size_t width = column(frame.low) + 1;
  std::string text = "temperature\n";
  for (Dyadic t = frame.top.rounded_down(step); t >= -1; t -= step) {
    std::string line(width, ' ');
    if (t > thermograph.temperature()) {
      line[column(thermograph.mean())] = '|';
    } else {
      const auto mark = [&](Dyadic here, Dyadic below, char slanted) {
        line[column(here)] = here == below ? '|' : slanted;
      };
      const Dyadic below = std::max(t - step, Dyadic(-1));
      mark(thermograph.right(t), thermograph.right(below), '\\');
      mark(thermograph.left(t), thermograph.left(below), '/');
      if (column(thermograph.right(t)) == column(thermograph.left(t))) {
        line[column(thermograph.mean())] = '+';
      }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += fmt::format("{:>11} |{}\n", dyadic_text(t), line);
  }
  // The axis of values.
  constexpr int kLabel = 5;  // columns
  Dyadic apart = 1;
  while (apart < kLabel * step) apart += apart;
  std::string axis(width, '-');
  std::string labels(width + kLabel, ' ');
  for (Dyadic value = frame.high.rounded_down(apart); value >= frame.low; value -= apart) {
    axis[column(value)] = '+';
    labels.replace(column(value), dyadic_text(value).size(), dyadic_text(value));
  }
  labels.erase(labels.find_last_not_of(' ') + 1);
  return text + fmt::format("{:>11} +{}\n{:>11}  {}\n", "", axis, "value", labels);
}

namespace {

/// Places in an SVG of kWidth x kHeight.
class Scale {
 public:
  static constexpr double kWidth = 640.0;
  static constexpr double kHeight = 480.0;
  static constexpr double kLeft = 70.0;
  static constexpr double kRight = 20.0;
  static constexpr double kTop = 50.0;
  static constexpr double kBottom = 60.0;

  explicit Scale(const Frame& frame) : frame_(frame) {}

  [[nodiscard]] double x(Dyadic value) const {
    return kLeft + (kWidth - kLeft - kRight) * (frame_.high - value).to_double() /
                       (frame_.high - frame_.low).to_double();
  }
  [[nodiscard]] double y(Dyadic temperature) const {
    return kTop + (kHeight - kTop - kBottom) * (frame_.top - temperature).to_double() /
                      (frame_.top + 1).to_double();
  }

 private:
  Frame frame_;
};

std::string line(double x1, double y1, double x2, double y2, const char* style) {
  return fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" {}/>\n", x1, y1,
                     x2, y2, style);
}

std::string label(double x, double y, const char* anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     text);
}

std::string axes(const Frame& frame, const Scale& scale) {
  constexpr const char* kAxis = "stroke=\"black\"";
  constexpr const char* kGrid = "stroke=\"#ddd\"";
  const double bottom = scale.y(-1);
  std::string svg;
  const Dyadic value_step = std::max(finest_step(frame.high - frame.low, 16), Dyadic(1));
  for (Dyadic value = frame.low.rounded_up(value_step); value <= frame.high; value += value_step) {
    svg += line(scale.x(value), scale.y(frame.top), scale.x(value), bottom, kGrid);
    svg += label(scale.x(value), bottom + 20, "middle", dyadic_text(value));
  }
  const Dyadic temperature_step = std::max(finest_step(frame.top + 1, 12), Dyadic(1));
  for (Dyadic t = -1; t <= frame.top; t += temperature_step) {
    svg += line(scale.x(frame.high), scale.y(t), scale.x(frame.low), scale.y(t), kGrid);
    svg += label(scale.x(frame.high) - 8, scale.y(t) + 5, "end", dyadic_text(t));
  }
  svg += line(scale.x(frame.high), bottom, scale.x(frame.low), bottom, kAxis);
  svg += line(scale.x(frame.high), bottom, scale.x(frame.high), scale.y(frame.top), kAxis);
  svg += label(Scale::kWidth / 2, Scale::kHeight - 12, "middle", "value (increases to the left)");
  svg += fmt::format(
      "<text transform=\"translate(20 {:.2f}) rotate(-90)\" text-anchor=\"middle\">"
      "temperature</text>\n",
      Scale::kHeight / 2);
  return svg;
}

std::string wall(const Thermograph& thermograph, Player player, const Scale& scale) {
  std::string points;
  for (const ThermographCorner& corner : thermograph_wall(thermograph, player)) {
    points += fmt::format("{}{:.2f},{:.2f}", points.empty() ? "" : " ", scale.x(corner.value),
                          scale.y(corner.temperature));
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.5\"/>\n",
                     points, player == Player::kLeft ? "#1f4e9c" : "#b03a2e");
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

}  // namespace

std::string thermograph_svg(const Thermograph& thermograph, std::string_view title) {
  const Frame frame = frame_of(thermograph);
  const Scale scale(frame);
  const double mast = scale.x(thermograph.mean());
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" font-family=\"sans-serif\" font-size=\"14\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      Scale::kWidth, Scale::kHeight);
  svg +=
      label(Scale::kWidth / 2, 28, "middle",
            fmt::format("{}: mean {}, temperature {}", escaped(title),
                        dyadic_text(thermograph.mean()), dyadic_text(thermograph.temperature())));
  svg += axes(frame, scale);
  svg += line(mast, scale.y(thermograph.temperature()), mast, scale.y(frame.top),
              "stroke=\"black\" stroke-width=\"2.5\"");
  svg += wall(thermograph, Player::kLeft, scale);
  svg += wall(thermograph, Player::kRight, scale);
  return svg + "</svg>\n";
}

}  // namespace ntune::amazons
