#include "ntune/plot/svg.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "ntune/plot/colours.h"
#include "ntune/plot/layout.h"
#include "ntune/plot/svg_text.h"

namespace ntune {

namespace {

/// Height of the figure's title, in pixels.
constexpr double kHeadingHeight = 24.0;

/// How many characters have room, about.
std::size_t characters_in(double pixels) {
  return static_cast<std::size_t>(std::max(6.0, pixels / 6.2));
}

/// Width of a text in bold, which is about a tenth wider.
double bold_width(std::string_view text) {
  constexpr double kBold = 1.1;
  return kBold * text_width(text, kFontSize);
}

/// As much of a bold text as fits into a width.
std::string fitting(std::string_view text, double pixels) {
  std::size_t characters = characters_in(pixels);
  std::string line = shortened(text, characters);
  // The estimate by characters may be too wide, so it is shortened until it fits.
  while (characters > 6 && bold_width(line) > pixels) line = shortened(text, --characters);
  return line;
}

/// A coordinate in tenths of a pixel; what is not finite stands far outside.
std::string px_text(double value) {
  const double rounded = std::isfinite(value) ? std::round(10.0 * value) / 10.0 : -1e4;
  // A negative zero is written as 0, so that equal figures have equal text.
  return fmt::format("{}", rounded == 0.0 ? 0.0 : rounded);
}

/// The style of a colour: `kind` is f for a filled shape, s for a stroke.
std::string colour_class(char kind, int colour) {
  switch (colour) {
    case kInk:
      return {kind, 'i'};
    case kSoft:
      return {kind, 'o'};
    case kTruth:
      return {kind, 't'};
    default:
      // More series than colours begin again with the first.
      return fmt::format("{}{}", kind, colour % kSeries);
  }
}

/// The attribute for where a text stands beside its place; the start is the default.
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

/// Writes the marks of one panel as SVG elements to the end of a text. A tip becomes a title where
/// the figure stands alone, else an attribute that the page shows.
class MarkWriter {
 public:
  /// `panel` and `out` must outlive the writer.
  MarkWriter(const PlacedPanel& panel, bool standalone, std::string& out)
      : panel_(panel), standalone_(standalone), out_(out) {}

  void operator()(const Line& line) const;
  void operator()(const Band& band) const;
  void operator()(const Dot& dot) const;
  void operator()(const Scatter& scatter) const;
  void operator()(const Whisker& whisker) const;
  void operator()(const Block& block) const;
  void operator()(const Note& note) const;

 private:
  /// Ends an element, with its tip.
  void end(const char* element, const std::string& tip) const;
  [[nodiscard]] std::string places(const std::vector<Place>& points, bool steps = false) const;

  const PlacedPanel& panel_;
  bool standalone_;
  std::string& out_;
};

void MarkWriter::operator()(const Line& line) const {
  if (line.points.empty()) return;
  out_ += fmt::format("<polyline class=\"l {}\" points=\"{}\" stroke-width=\"{}\"",
                      colour_class('s', line.colour), places(line.points, line.steps),
                      px_text(line.width));
  if (line.opacity < 1.0) out_ += fmt::format(" opacity=\"{}\"", line.opacity);
  if (line.dashed) out_ += " stroke-dasharray=\"5 4\"";
  if (line.shade) {
    out_ += fmt::format(" style=\"stroke:{}\"", shade_colour(*line.shade, line.palette));
  }
  if (!line.key.empty() && !standalone_) {
    out_ += fmt::format(" data-key=\"{}\"", xml_text(line.key));
  }
  end("polyline", line.tip);
}

void MarkWriter::operator()(const Band& band) const {
  if (band.low.empty()) return;
  // The polygon runs along the upper line and back along the lower one.
  const std::vector<Place> back(band.low.rbegin(), band.low.rend());
  out_ +=
      fmt::format("<polygon class=\"{}\" opacity=\"{}\" points=\"{} {}\"/>",
                  colour_class('f', band.colour), band.opacity, places(band.high), places(back));
}

void MarkWriter::operator()(const Dot& dot) const {
  const std::string colour = colour_class(dot.hollow ? 's' : 'f', dot.colour);
  out_ += fmt::format("<circle class=\"{}{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"", dot.hollow ? "h " : "",
                      colour, px_text(panel_.px(dot.at.x)), px_text(panel_.py(dot.at.y)),
                      px_text(dot.radius));
  if (dot.opacity < 1.0) out_ += fmt::format(" opacity=\"{}\"", dot.opacity);
  end("circle", dot.tip);
}

/// A line without length has round ends alone.
void MarkWriter::operator()(const Scatter& scatter) const {
  if (scatter.points.empty()) return;
  out_ += fmt::format(
      "<path class=\"l d {}\" stroke-linecap=\"round\" stroke-width=\"{}\" opacity=\"{}\" d=\"",
      colour_class('s', scatter.colour), px_text(2.0 * scatter.radius), scatter.opacity);
  for (const Place& place : scatter.points) {
    out_ += fmt::format("M{} {}h0", px_text(panel_.px(place.x)), px_text(panel_.py(place.y)));
  }
  out_ += '"';
  end("path", {});
}

void MarkWriter::operator()(const Whisker& whisker) const {
  constexpr double kEnd = 3.0;
  const double x0 = panel_.px(whisker.from.x);
  const double y0 = panel_.py(whisker.from.y);
  const double x1 = panel_.px(whisker.to.x);
  const double y1 = panel_.py(whisker.to.y);
  // The strokes at the ends stand across the whisker, whichever way it runs.
  const double dx = x0 == x1 ? kEnd : 0.0;
  const double dy = x0 == x1 ? 0.0 : kEnd;
  out_ += fmt::format(
      "<path class=\"l {}\" stroke-width=\"{}\" d=\"M{} {}L{} {}M{} {}L{} {}M{} {}L{} {}\"",
      colour_class('s', whisker.colour), px_text(whisker.width), px_text(x0), px_text(y0),
      px_text(x1), px_text(y1), px_text(x0 - dx), px_text(y0 - dy), px_text(x0 + dx),
      px_text(y0 + dy), px_text(x1 - dx), px_text(y1 - dy), px_text(x1 + dx), px_text(y1 + dy));
  end("path", whisker.tip);
}

void MarkWriter::operator()(const Block& block) const {
  // The axis of y runs upwards and pixels downwards, so the larger value has the smaller pixel.
  const double x0 = panel_.px(std::min(block.from.x, block.to.x));
  const double x1 = panel_.px(std::max(block.from.x, block.to.x));
  const double y0 = panel_.py(std::max(block.from.y, block.to.y));
  const double y1 = panel_.py(std::min(block.from.y, block.to.y));
  const std::string look =
      block.shade
          ? fmt::format("class=\"z\" fill=\"{}\"", shade_colour(*block.shade, block.palette))
          : fmt::format("class=\"{}\"", colour_class('f', block.colour));
  // Cells of a heat map overlap a little: at fractional places the ground would show between them.
  const double overlap = block.shade && !block.ringed ? 0.6 : 0.0;
  out_ += fmt::format("<rect {} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", look, px_text(x0),
                      px_text(y0), px_text(std::max(0.0, x1 - x0) + overlap),
                      px_text(std::max(0.0, y1 - y0) + overlap));
  if (block.opacity < 1.0) out_ += fmt::format(" opacity=\"{}\"", block.opacity);
  if (!block.key.empty() && !standalone_) {
    out_ += fmt::format(" data-key=\"{}\"", xml_text(block.key));
  }
  end("rect", block.tip);
  // The ring lies within the block, or its neighbours would cover it.
  if (block.ringed) {
    out_ += fmt::format("<rect class=\"ring\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                        px_text(x0 + 1), px_text(y0 + 1), px_text(std::max(0.0, x1 - x0 - 2)),
                        px_text(std::max(0.0, y1 - y0 - 2)));
  }
  // A text that does not fit is left out: cells of a heat map may be narrow.
  if (block.text.empty() || text_width(block.text, kFontSize) > x1 - x0 - 2 ||
      y1 - y0 < kFontSize + 2) {
    return;
  }
  const std::string fill =
      block.shade ? fmt::format(" style=\"fill:{}\"", text_on_shade(*block.shade, block.palette))
                  : "";
  out_ +=
      fmt::format("<text class=\"c\" x=\"{}\" y=\"{}\" text-anchor=\"middle\"{}>{}</text>",
                  px_text((x0 + x1) / 2), px_text((y0 + y1) / 2 + 4), fill, xml_text(block.text));
}

void MarkWriter::operator()(const Note& note) const {
  out_ += fmt::format("<text class=\"n {}\" x=\"{}\" y=\"{}\"{}>{}</text>",
                      colour_class('f', note.colour), px_text(panel_.px(note.at.x) + note.dx),
                      px_text(panel_.py(note.at.y) + note.dy), anchor_text(note.anchor),
                      xml_text(note.text));
}

void MarkWriter::end(const char* element, const std::string& tip) const {
  if (tip.empty()) {
    out_ += "/>";
  } else if (standalone_) {
    out_ += fmt::format("><title>{}</title></{}>", xml_text(tip), element);
  } else {
    out_ += fmt::format(" data-tip=\"{}\"/>", xml_text(tip));
  }
}

std::string MarkWriter::places(const std::vector<Place>& points, bool steps) const {
  std::string text;
  for (std::size_t i = 0; i < points.size(); ++i) {
    // A step keeps the old value until the new place: first to the right, then up or down.
    if (steps && i > 0) {
      text += fmt::format("{},{} ", px_text(panel_.px(points[i].x)),
                          px_text(panel_.py(points[i - 1].y)));
    }
    text += fmt::format("{},{} ", px_text(panel_.px(points[i].x)), px_text(panel_.py(points[i].y)));
  }
  if (!text.empty()) text.pop_back();
  return text;
}

/// Writes a figure: its legend, its axes and its panels.
class SvgWriter {
 public:
  SvgWriter(const Figure& figure, const SvgOptions& options)
      : figure_(figure),
        options_(options),
        scale_(options.font_size / kFontSize),
        layout_(lay_out(figure, options.width / scale_)) {}

  std::string text() {
    begin();
    if (options_.title) {
      write_text(4, 15, "b", "", shortened(figure_.title, characters_in(layout_.width)));
      // All else moves down below the title.
      out_ += fmt::format("<g transform=\"translate(0 {})\">", px_text(kHeadingHeight));
    }
    if (figure_.shades) shades(*figure_.shades);
    legend();
    for (const PlacedPanel& panel : layout_.panels) draw(panel);
    if (options_.title) out_ += "</g>";
    out_ += "</svg>";
    if (options_.standalone) out_ += '\n';
    return std::move(out_);
  }

 private:
  /// Writes the opening tag. A file of its own brings its style and background, a page has both.
  void begin() {
    const double inner_height = layout_.height + (options_.title ? kHeadingHeight : 0.0);
    const std::string size = fmt::format("width=\"{}\" height=\"{}\"", px_text(options_.width),
                                         px_text(scale_ * inner_height));
    const std::string width = px_text(layout_.width);
    const std::string height = px_text(inner_height);
    const std::string label = xml_text(figure_.title + ". " + figure_.description);
    if (options_.standalone) {
      out_ = fmt::format(
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
          "{4} viewBox=\"0 0 {0} {1}\" role=\"img\" "
          "aria-label=\"{2}\"><style>{3}</style><rect class=\"pg\" width=\"{0}\" "
          "height=\"{1}\"/>",
          width, height, label, figure_style(), size);
    } else {
      out_ = fmt::format(
          "<svg class=\"fig {3}\" {4} viewBox=\"0 0 {0} {1}\" "
          "role=\"img\" "
          "aria-label=\"{2}\">",
          width, height, label, options_.css_class, size);
    }
  }

  /// Writes a text; `anchor` and `transform` are attributes or empty.
  void write_text(double x, double y, const char* css, const char* anchor, std::string_view text,
                  const std::string& transform = {}) {
    out_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\"{}{}>{}</text>", css, px_text(x),
                        px_text(y), anchor, transform, xml_text(text));
  }

  /// Writes the bar of shades with its label and the numbers at its ends.
  void shades(const ShadeScale& scale) {
    constexpr int kSteps = 48;
    const double width = std::min(240.0, layout_.width - 20.0);
    // The bar is drawn in steps, which overlap a little so that no gaps show.
    for (int i = 0; i < kSteps; ++i) {
      out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"9\" fill=\"{}\"/>",
                          px_text(4 + width * i / kSteps), px_text(layout_.shades_y),
                          px_text(width / kSteps + 0.4),
                          shade_colour((i + 0.5) / kSteps, scale.palette));
    }
    write_text(4, layout_.shades_y - 5, "m", "", shortened(scale.label, 60));
    const auto number = [&](double value) { return short_number(value) + scale.suffix; };
    write_text(4, layout_.shades_y + 21, "m", "", number(scale.low));
    write_text(4 + width / 2, layout_.shades_y + 21, "m", " text-anchor=\"middle\"",
               number(0.5 * (scale.low + scale.high)));
    write_text(4 + width, layout_.shades_y + 21, "m", " text-anchor=\"end\"", number(scale.high));
  }

  /// Writes the symbol of a legend entry, 20 pixels wide, with its middle at `y`.
  void symbol(const LegendEntry& entry, double x, double y) {
    using Shape = LegendEntry::Shape;
    const std::string stroke = colour_class('s', entry.colour);
    const std::string fill = colour_class('f', entry.colour);
    switch (entry.shape) {
      case Shape::kLine:
      case Shape::kDash:
        out_ += fmt::format(
            "<line class=\"l {}\" x1=\"{}\" x2=\"{}\" y1=\"{}\" y2=\"{}\" stroke-width=\"2\"{}/>",
            stroke, px_text(x), px_text(x + 20), px_text(y), px_text(y),
            entry.shape == Shape::kDash ? " stroke-dasharray=\"5 4\"" : "");
        break;
      case Shape::kBand:
      case Shape::kBlock:
        out_ += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"20\" height=\"9\"{}/>",
                            fill, px_text(x), px_text(y - 4.5),
                            entry.shape == Shape::kBand ? " opacity=\"0.25\"" : "");
        break;
      case Shape::kRing:
        out_ += fmt::format("<circle class=\"h {}\" cx=\"{}\" cy=\"{}\" r=\"5\" fill=\"none\"/>",
                            stroke, px_text(x + 10), px_text(y));
        break;
      case Shape::kDot:
        out_ += fmt::format("<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"3.5\"/>", fill,
                            px_text(x + 10), px_text(y));
        break;
    }
  }

  /// Writes the rows of the legend.
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

  /// Writes ticks and grid lines of x; categories have no grid.
  void x_axis(const PlacedPanel& panel) {
    const Box& area = panel.area;
    const double bottom = panel.foot();
    for (const Tick& tick : panel.x_ticks) {
      const double x = panel.px(tick.at);
      if (panel.x.scale != Axis::Scale::kCategories) line("g", x, area.y, x, area.y + area.height);
      line("x", x, bottom, x, bottom + 4);
      if (panel.slanted) {
        write_text(
            x + 3, bottom + 13, "t", " text-anchor=\"end\"", tick.text,
            fmt::format(" transform=\"rotate(-45 {} {})\"", px_text(x + 3), px_text(bottom + 13)));
      } else {
        write_text(x, bottom + 15, "t", " text-anchor=\"middle\"", tick.text);
      }
    }
  }

  /// Writes ticks and grid lines of y; categories have no grid.
  void y_axis(const PlacedPanel& panel) {
    const Box& area = panel.area;
    for (const Tick& tick : panel.y_ticks) {
      const double y = panel.py(tick.at);
      if (panel.y.scale != Axis::Scale::kCategories) line("g", area.x, y, area.x + area.width, y);
      line("x", area.x - 4, y, area.x, y);
      write_text(area.x - 7, y + 4, "t", " text-anchor=\"end\"", tick.text);
    }
  }

  /// Writes the title of a panel and the labels of its axes.
  void labels(const PlacedPanel& panel, double label_y) {
    const Box& area = panel.area;
    const double middle = area.x + area.width / 2;
    if (!panel.panel->title.empty()) {
      // A long title reaches over the numbers of the y axis.
      constexpr double kRight = 8.0;
      constexpr double kLeft = 34.0;
      const std::string title = fitting(panel.panel->title, area.width + kLeft + kRight);
      const double last = area.x + area.width + kRight - 0.5 * bold_width(title);
      write_text(std::min(middle, last), area.y - 7, "b", " text-anchor=\"middle\"", title);
    }
    if (!panel.x.label.empty()) {
      write_text(middle, label_y, "m", " text-anchor=\"middle\"",
                 shortened(panel.x.label, characters_in(area.width + 30)));
    }
    if (panel.y.label.empty()) return;
    // The label of y stands to the left of the widest tick text.
    const double x = area.x - widest(panel.y_ticks) - 16;
    const double y = area.y + area.height / 2;
    write_text(x, y, "m", " text-anchor=\"middle\"",
               shortened(panel.y.label, characters_in(area.height + 30)),
               fmt::format(" transform=\"rotate(-90 {} {})\"", px_text(x), px_text(y)));
  }

  /// Writes a panel. Marks come after axes and grid, so that they lie above.
  void draw(const PlacedPanel& panel) {
    const Box& area = panel.area;
    // A page gets the area and the ends of the axes, so that its script can turn pixels into
    // values.
    out_ +=
        panel.panel->key.empty() || options_.standalone
            ? "<g>"
            : fmt::format(
                  "<g data-panel=\"{}\" data-area=\"{} {} {} {}\" data-ends=\"{} {} {} {}\">",
                  xml_text(panel.panel->key), px_text(area.x), px_text(area.y), px_text(area.width),
                  px_text(area.height), panel.x.low, panel.x.high, panel.y.low, panel.y.high);
    x_axis(panel);
    y_axis(panel);
    if (!panel.x.hidden) line("x", area.x, panel.foot(), area.x + area.width, panel.foot());
    if (!panel.y.hidden) line("x", area.x, area.y, area.x, area.y + area.height);
    const MarkWriter writer(panel, options_.standalone, out_);
    for (const Mark& mark : panel.panel->marks) std::visit(writer, mark);
    // The label of x stands below the tick texts, by the same measures as in the layout.
    double below = panel.foot() + 4.0;
    if (!panel.x_ticks.empty()) {
      below += panel.slanted ? 0.71 * widest(panel.x_ticks) + 10.0 : 14.0;
    }
    labels(panel, below + 13.0);
    out_ += "</g>";
  }

  /// Writes a straight line with a class.
  void line(const char* css, double x0, double y0, double x1, double y1) {
    out_ += fmt::format("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>", css,
                        px_text(x0), px_text(y0), px_text(x1), px_text(y1));
  }

  const Figure& figure_;
  const SvgOptions& options_;
  double scale_;  ///< the layout is made at the usual text size and then scaled
  Layout layout_;
  std::string out_;
};

}  // namespace

std::string svg_text(const Figure& figure, const SvgOptions& options) {
  return SvgWriter(figure, options).text();
}

}  // namespace ntune
