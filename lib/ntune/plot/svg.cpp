#include "ntune/plot/svg.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "ntune/plot/colours.h"
#include "ntune/plot/layout.h"
#include "ntune/plot/svg_text.h"

namespace ntune {

namespace {

/// A coordinate in tenths of a pixel; what is not finite stands far outside.
std::string px(double value) {
  const double rounded = std::isfinite(value) ? std::round(10.0 * value) / 10.0 : -1e4;
  return fmt::format("{}", rounded == 0.0 ? 0.0 : rounded);
}

std::string colour_class(char kind, int colour) {
  switch (colour) {
    case kInk:
      return {kind, 'i'};
    case kSoft:
      return {kind, 'o'};
    case kTruth:
      return {kind, 't'};
    default:
      return fmt::format("{}{}", kind, colour % kSeries);
  }
}

const char* anchor_text(Note::Anchor anchor) {
  switch (anchor) {
    case Note::Anchor::kMiddle:
      return " text-anchor=\"middle\"";
    case Note::Anchor::kEnd:
      return " text-anchor=\"end\"";
    default:
      return "";
  }
}

/// Writes the marks of one panel.
class MarkWriter {
 public:
  MarkWriter(const PlacedPanel& panel, bool standalone, std::string& out)
      : panel_(panel), standalone_(standalone), out_(out) {}

  void operator()(const Line& line) const {
    if (line.points.empty()) return;
    out_ += fmt::format("<polyline class=\"l {}\" points=\"{}\" stroke-width=\"{}\"",
                        colour_class('s', line.colour), places(line.points, line.steps),
                        px(line.width));
    if (line.opacity < 1.0) out_ += fmt::format(" opacity=\"{}\"", line.opacity);
    if (line.dashed) out_ += " stroke-dasharray=\"5 4\"";
    if (!line.key.empty() && !standalone_) {
      out_ += fmt::format(" data-key=\"{}\"", xml_text(line.key));
    }
    end("polyline", line.tip);
  }

  void operator()(const Band& band) const {
    if (band.low.empty()) return;
    std::vector<Place> back(band.low.rbegin(), band.low.rend());
    out_ += fmt::format("<polygon class=\"{}\" opacity=\"{}\" points=\"{} {}\"",
                        colour_class('f', band.colour), band.opacity, places(band.high, band.steps),
                        reversed_places(back, band.steps));
    end("polygon", {});
  }

  void operator()(const Dot& dot) const {
    const std::string colour = colour_class(dot.hollow ? 's' : 'f', dot.colour);
    out_ +=
        fmt::format("<circle class=\"{}{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"", dot.hollow ? "h " : "",
                    colour, px(panel_.px(dot.at.x)), px(panel_.py(dot.at.y)), px(dot.radius));
    end("circle", dot.tip);
  }

  void operator()(const Whisker& whisker) const {
    constexpr double kEnd = 3.0;
    const double x0 = panel_.px(whisker.from.x);
    const double y0 = panel_.py(whisker.from.y);
    const double x1 = panel_.px(whisker.to.x);
    const double y1 = panel_.py(whisker.to.y);
    const double dx = x0 == x1 ? kEnd : 0.0;
    const double dy = x0 == x1 ? 0.0 : kEnd;
    out_ += fmt::format(
        "<path class=\"l {}\" stroke-width=\"{}\" d=\"M{} {}L{} {}M{} {}L{} {}M{} {}L{} {}\"",
        colour_class('s', whisker.colour), px(whisker.width), px(x0), px(y0), px(x1), px(y1),
        px(x0 - dx), px(y0 - dy), px(x0 + dx), px(y0 + dy), px(x1 - dx), px(y1 - dy), px(x1 + dx),
        px(y1 + dy));
    end("path", whisker.tip);
  }

  void operator()(const Block& block) const {
    const double x0 = panel_.px(std::min(block.from.x, block.to.x));
    const double x1 = panel_.px(std::max(block.from.x, block.to.x));
    const double y0 = panel_.py(std::max(block.from.y, block.to.y));
    const double y1 = panel_.py(std::min(block.from.y, block.to.y));
    const std::string look =
        block.shade ? fmt::format("class=\"z\" fill=\"{}\"", shade_colour(*block.shade))
                    : fmt::format("class=\"{}\"", colour_class('f', block.colour));
    out_ += fmt::format("<rect {} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", look, px(x0),
                        px(y0), px(std::max(0.0, x1 - x0)), px(std::max(0.0, y1 - y0)));
    if (block.opacity < 1.0) out_ += fmt::format(" opacity=\"{}\"", block.opacity);
    end("rect", block.tip);
    if (block.text.empty() || text_width(block.text, kFontSize) > x1 - x0 - 2 ||
        y1 - y0 < kFontSize + 2) {
      return;
    }
    const std::string fill =
        block.shade ? fmt::format(" style=\"fill:{}\"", text_on_shade(*block.shade)) : "";
    out_ += fmt::format("<text class=\"c\" x=\"{}\" y=\"{}\" text-anchor=\"middle\"{}>{}</text>",
                        px((x0 + x1) / 2), px((y0 + y1) / 2 + 4), fill, xml_text(block.text));
  }

  void operator()(const Note& note) const {
    out_ += fmt::format("<text class=\"n {}\" x=\"{}\" y=\"{}\"{}>{}</text>",
                        colour_class('f', note.colour), px(panel_.px(note.at.x) + note.dx),
                        px(panel_.py(note.at.y) + note.dy), anchor_text(note.anchor),
                        xml_text(note.text));
  }

 private:
  void end(const char* element, const std::string& tip) const {
    if (tip.empty()) {
      out_ += "/>";
    } else if (standalone_) {
      out_ += fmt::format("><title>{}</title></{}>", xml_text(tip), element);
    } else {
      out_ += fmt::format(" data-tip=\"{}\"/>", xml_text(tip));
    }
  }

  [[nodiscard]] std::string places(const std::vector<Place>& points, bool steps) const {
    std::string text;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (steps && i > 0) {
        text += fmt::format("{},{} ", px(panel_.px(points[i].x)), px(panel_.py(points[i - 1].y)));
      }
      text += fmt::format("{},{} ", px(panel_.px(points[i].x)), px(panel_.py(points[i].y)));
    }
    if (!text.empty()) text.pop_back();
    return text;
  }
  /// The way back of a band: a step goes down before it goes left.
  [[nodiscard]] std::string reversed_places(const std::vector<Place>& points, bool steps) const {
    std::string text;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (steps && i > 0) {
        text += fmt::format("{},{} ", px(panel_.px(points[i - 1].x)), px(panel_.py(points[i].y)));
      }
      text += fmt::format("{},{} ", px(panel_.px(points[i].x)), px(panel_.py(points[i].y)));
    }
    if (!text.empty()) text.pop_back();
    return text;
  }

  const PlacedPanel& panel_;
  bool standalone_;
  std::string& out_;
};

class SvgWriter {
 public:
  SvgWriter(const Figure& figure, const SvgOptions& options)
      : figure_(figure), options_(options), layout_(lay_out(figure, options.width)) {}

  std::string text() {
    begin();
    if (figure_.shades) shades(*figure_.shades);
    legend();
    for (const PlacedPanel& panel : layout_.panels) draw(panel);
    out_ += "</svg>";
    if (options_.standalone) out_ += '\n';
    return std::move(out_);
  }

 private:
  void begin() {
    const std::string width = px(layout_.width);
    const std::string height = px(layout_.height);
    const std::string label = xml_text(figure_.title + ". " + figure_.description);
    if (options_.standalone) {
      out_ = fmt::format(
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
          "width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
          "aria-label=\"{2}\"><style>{3}</style><rect class=\"pg\" width=\"{0}\" "
          "height=\"{1}\"/>",
          width, height, label, figure_style());
    } else {
      out_ = fmt::format(
          "<svg class=\"fig {3}\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
          "role=\"img\" "
          "aria-label=\"{2}\">",
          width, height, label, options_.css_class);
    }
  }

  void write_text(double x, double y, const char* css, const char* anchor, std::string_view text,
                  const std::string& transform = {}) {
    out_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\"{}{}>{}</text>", css, px(x), px(y),
                        anchor, transform, xml_text(text));
  }

  void shades(const ShadeScale& scale) {
    constexpr int kSteps = 48;
    const double width = std::min(240.0, layout_.width - 20.0);
    for (int i = 0; i < kSteps; ++i) {
      out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"9\" fill=\"{}\"/>",
                          px(4 + width * i / kSteps), px(layout_.shades_y),
                          px(width / kSteps + 0.4), shade_colour((i + 0.5) / kSteps));
    }
    write_text(4, layout_.shades_y - 5, "m", "", shortened(scale.label, 60));
    write_text(4, layout_.shades_y + 21, "m", "", short_number(scale.low));
    write_text(4 + width, layout_.shades_y + 21, "m", " text-anchor=\"end\"",
               short_number(scale.high));
  }

  void symbol(const LegendEntry& entry, double x, double y) {
    using Shape = LegendEntry::Shape;
    const std::string stroke = colour_class('s', entry.colour);
    const std::string fill = colour_class('f', entry.colour);
    switch (entry.shape) {
      case Shape::kLine:
      case Shape::kDash:
        out_ += fmt::format(
            "<line class=\"l {}\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\" stroke-width=\"2\"{}/>",
            stroke, px(x), px(x + 20), px(y), px(y),
            entry.shape == Shape::kDash ? " stroke-dasharray=\"5 4\"" : "");
        break;
      case Shape::kBand:
      case Shape::kBlock:
        out_ +=
            fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"20\" height=\"9\"{}/>", fill,
                        px(x), px(y - 4.5), entry.shape == Shape::kBand ? " opacity=\"0.25\"" : "");
        break;
      case Shape::kDot:
        out_ += fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"3.5\"/>", fill,
                            px(x + 10), px(y));
        break;
    }
  }

  void legend() {
    double y = layout_.legend_y;
    for (const std::vector<std::size_t>& row : layout_.legend_rows) {
      double x = 4.0;
      for (const std::size_t i : row) {
        symbol(figure_.legend[i], x, y - 4);
        write_text(x + 26, y, "t", "", figure_.legend[i].text);
        x += legend_width(figure_.legend[i]);
      }
      y += 17.0;
    }
  }

  void x_axis(const PlacedPanel& panel) {
    const Box& area = panel.area;
    const double bottom = area.y + area.height;
    for (const Tick& tick : panel.x_ticks) {
      const double x = panel.px(tick.at);
      if (panel.x.scale != Axis::Scale::kCategories) line("g", x, area.y, x, bottom);
      line("x", x, bottom, x, bottom + 4);
      if (panel.slanted) {
        write_text(x + 3, bottom + 13, "t", " text-anchor=\"end\"", tick.text,
                   fmt::format(" transform=\"rotate(-45 {} {})\"", px(x + 3), px(bottom + 13)));
      } else {
        write_text(x, bottom + 15, "t", " text-anchor=\"middle\"", tick.text);
      }
    }
  }

  void y_axis(const PlacedPanel& panel) {
    const Box& area = panel.area;
    for (const Tick& tick : panel.y_ticks) {
      const double y = panel.py(tick.at);
      if (panel.y.scale != Axis::Scale::kCategories) line("g", area.x, y, area.x + area.width, y);
      line("x", area.x - 4, y, area.x, y);
      write_text(area.x - 7, y + 4, "t", " text-anchor=\"end\"", tick.text);
    }
  }

  void labels(const PlacedPanel& panel, double label_y) {
    const Box& area = panel.area;
    const double middle = area.x + area.width / 2;
    const auto fits = [](double pixels) {
      return static_cast<std::size_t>(std::max(6.0, pixels / 6.2));
    };
    if (!panel.panel->title.empty()) {
      write_text(middle, area.y - 7, "b", " text-anchor=\"middle\"",
                 shortened(panel.panel->title, fits(area.width + 20)));
    }
    if (!panel.x.label.empty()) {
      write_text(middle, label_y, "m", " text-anchor=\"middle\"",
                 shortened(panel.x.label, fits(area.width + 30)));
    }
    if (panel.y.label.empty()) return;
    double ticks = 0.0;
    for (const Tick& tick : panel.y_ticks) {
      ticks = std::max(ticks, text_width(tick.text, kFontSize));
    }
    const double x = area.x - ticks - 16;
    const double y = area.y + area.height / 2;
    write_text(x, y, "m", " text-anchor=\"middle\"",
               shortened(panel.y.label, fits(area.height + 30)),
               fmt::format(" transform=\"rotate(-90 {} {})\"", px(x), px(y)));
  }

  void draw(const PlacedPanel& panel) {
    const Box& area = panel.area;
    out_ += "<g>";
    x_axis(panel);
    y_axis(panel);
    if (!panel.x.hidden)
      line("x", area.x, area.y + area.height, area.x + area.width, area.y + area.height);
    if (!panel.y.hidden) line("x", area.x, area.y, area.x, area.y + area.height);
    const MarkWriter writer(panel, options_.standalone, out_);
    for (const Mark& mark : panel.panel->marks) std::visit(writer, mark);
    double below = area.y + area.height + 4.0;
    if (!panel.x_ticks.empty()) {
      double widest = 0.0;
      for (const Tick& tick : panel.x_ticks) {
        widest = std::max(widest, text_width(tick.text, kFontSize));
      }
      below += panel.slanted ? 0.71 * widest + 10.0 : 14.0;
    }
    labels(panel, below + 13.0);
    out_ += "</g>";
  }

  void line(const char* css, double x0, double y0, double x1, double y1) {
    out_ += fmt::format("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>", css, px(x0),
                        px(y0), px(x1), px(y1));
  }

  const Figure& figure_;
  const SvgOptions& options_;
  Layout layout_;
  std::string out_;
};

}  // namespace

std::string svg_text(const Figure& figure, const SvgOptions& options) {
  return SvgWriter(figure, options).text();
}

}  // namespace ntune
