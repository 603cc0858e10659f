#include "ntune/plot/svg_marks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "ntune/plot/colours.h"
#include "ntune/plot/svg_text.h"

namespace ntune {

namespace {

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

}  // namespace

std::string px_text(double value) {
  const double rounded = std::isfinite(value) ? std::round(10.0 * value) / 10.0 : -1e4;
  // A negative zero is written as 0, so that equal figures have equal text.
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
      // More series than colours begin again with the first.
      return fmt::format("{}{}", kind, colour % kSeries);
  }
}

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
  std::vector<Place> back(band.low.rbegin(), band.low.rend());
  out_ += fmt::format("<polygon class=\"{}\" opacity=\"{}\" points=\"{} {}\"",
                      colour_class('f', band.colour), band.opacity, places(band.high, band.steps),
                      reversed_places(back, band.steps));
  end("polygon", {});
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

std::string MarkWriter::reversed_places(const std::vector<Place>& points, bool steps) const {
  std::string text;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (steps && i > 0) {
      text += fmt::format("{},{} ", px_text(panel_.px(points[i - 1].x)),
                          px_text(panel_.py(points[i].y)));
    }
    text += fmt::format("{},{} ", px_text(panel_.px(points[i].x)), px_text(panel_.py(points[i].y)));
  }
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace ntune
