#include "ntune/plot/layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ntune/plot/svg_text.h"

namespace ntune {

namespace {

/// Sizes in pixels: of gaps, titles, labels and ticks. Labels are cut after so many characters.
constexpr double kGap = 14.0;  // between panels
constexpr double kTitleHeight = 20.0;
constexpr double kLabelHeight = 17.0;
constexpr double kTickLength = 4.0;
constexpr std::size_t kLongestLabel = 22;
constexpr std::size_t kLongestBeside = 36;  // of y, in a wide figure
constexpr std::size_t kLongestSlanted = 16;

/// Pixels around the area of the marks.
struct Margins {
  double left = 0.0;
  double right = 8.0;
  double top = 6.0;
  double bottom = 0.0;
};

/// A tick for each category, with its name cut to so many characters.
std::vector<Tick> category_ticks(const Axis& axis, std::size_t longest) {
  std::vector<Tick> ticks;
  for (std::size_t i = 0; i < axis.categories.size(); ++i) {
    ticks.push_back({static_cast<double>(i), shortened(axis.categories[i], longest)});
  }
  return ticks;
}

/// The ticks of an axis; none where it is hidden.
std::vector<Tick> ticks_of(const Axis& axis, int wanted, std::size_t longest = kLongestLabel) {
  if (axis.hidden) return {};
  return axis.scale == Axis::Scale::kCategories ? category_ticks(axis, longest)
                                                : number_ticks(axis, wanted);
}

/// Leaves out ticks so that those that stay are this many pixels apart.
void thin_out(std::vector<Tick>& ticks, double length, double needed) {
  if (ticks.size() < 2) return;
  const double each = length / static_cast<double>(ticks.size());
  // The first tick always stays, and then every second, third and so on.
  const auto every = static_cast<std::size_t>(std::ceil(needed / each));
  if (every < 2) return;
  std::vector<Tick> kept;
  for (std::size_t i = 0; i < ticks.size(); i += every) kept.push_back(ticks[i]);
  ticks = std::move(kept);
}

/// Ticks of x, of numbers at least three where so many fit.
std::vector<Tick> x_ticks_of(const Axis& axis, double width) {
  constexpr double kTickEvery = 60.0;
  constexpr double kAround = 6.0;
  constexpr int kFew = 3;
  // About one tick for 60 pixels.
  const int wanted = std::max(2, static_cast<int>(width / kTickEvery));
  std::vector<Tick> ticks = ticks_of(axis, wanted);
  if (axis.scale == Axis::Scale::kCategories) return ticks;
  // Two ticks may fall on an axis where nice steps are few, so closer ones are tried while they
  // fit.
  for (int more = wanted + 1; std::ssize(ticks) < kFew && more <= 2 * kFew; ++more) {
    std::vector<Tick> closer = ticks_of(axis, more);
    if ((widest(closer) + kAround) * static_cast<double>(closer.size()) > width) break;
    ticks = std::move(closer);
  }
  return ticks;
}

/// Makes the ticks of x fit into the width: slanted, or some of them.
void fit_x_ticks(PlacedPanel& placed, double width) {
  constexpr double kAround = 6.0;
  constexpr double kSlanted = 14.0;
  const double needed = widest(placed.x_ticks) + kAround;
  const auto count = static_cast<double>(placed.x_ticks.size());
  placed.slanted = false;
  if (count == 0.0 || needed * count <= width) return;
  const bool categories = placed.x.scale == Axis::Scale::kCategories;
  // Numbers are thinned out, because a reader can fill them in. Names are slanted first.
  if (!categories || placed.x.numeric) return thin_out(placed.x_ticks, width, needed);
  placed.slanted = true;
  for (Tick& tick : placed.x_ticks) tick.text = shortened(tick.text, kLongestSlanted);
  thin_out(placed.x_ticks, width, kSlanted);
}

/// Pixels below the marks.
double bottom_of(const PlacedPanel& placed) {
  double bottom = placed.x.label.empty() ? 4.0 : kLabelHeight + 2.0;
  if (!placed.x_ticks.empty()) {
    // Text at 45 degrees is 0.71 times its width high.
    bottom += kTickLength + (placed.slanted ? 0.71 * widest(placed.x_ticks) + 10.0 : 14.0);
  }
  return bottom;
}

/// The margins that labels, ticks and the title need.
Margins margins_of(const PlacedPanel& placed) {
  Margins margins;
  margins.left = placed.y.label.empty() ? 4.0 : kLabelHeight + 4.0;
  if (!placed.y_ticks.empty()) margins.left += widest(placed.y_ticks) + kTickLength + 4.0;
  // A slanted text reaches to the left of its tick.
  if (placed.slanted && !placed.x_ticks.empty()) {
    margins.left = std::max(margins.left, 0.71 * text_width(placed.x_ticks[0].text, kFontSize));
  }
  // A straight text stands centred below its tick, so half of it may reach beyond the area.
  if (!placed.slanted && !placed.x_ticks.empty()) {
    margins.right = std::max(8.0, 0.5 * text_width(placed.x_ticks.back().text, kFontSize));
    constexpr double kNearTheEdge = 0.1;
    if (position(placed.x, placed.x_ticks[0].at) < kNearTheEdge) {
      margins.left = std::max(margins.left, 0.5 * text_width(placed.x_ticks[0].text, kFontSize));
    }
  }
  if (!placed.panel->title.empty()) margins.top = kTitleHeight;
  margins.bottom = bottom_of(placed);
  return margins;
}

/// The larger of both margins on each side.
Margins larger(const Margins& a, const Margins& b) {
  return {std::max(a.left, b.left), std::max(a.right, b.right), std::max(a.top, b.top),
          std::max(a.bottom, b.bottom)};
}

/// Entries of the legend in rows, each filled as far as the width allows.
std::vector<std::vector<std::size_t>> legend_rows(const Figure& figure, double width) {
  std::vector<std::vector<std::size_t>> rows;
  // The first entry always begins a row, even if it is wider than the figure.
  double used = width;
  for (std::size_t i = 0; i < figure.legend.size(); ++i) {
    const double needed = legend_width(figure.legend[i]);
    if (rows.empty() || used + needed > width) {
      rows.emplace_back();
      used = 0.0;
    }
    rows.back().push_back(i);
    used += needed;
  }
  return rows;
}

/// How large the areas of a figure's panels are.
struct PanelSize {
  double height = 0.0;
  double width = 0.0;  ///< at least; 0: one panel a row
};

/// Carries out a layout from the top downwards: shades, legend, then rows of panels.
class Placing {
 public:
  Placing(const Figure& figure, double width, const PanelSize& size)
      : figure_(figure), size_(size) {
    layout_.width = width;
    for (const Panel& panel : figure.panels) {
      PlacedPanel placed{.panel = &panel,
                         .x = fitted(panel.x, panel.marks, true),
                         .y = fitted(panel.y, panel.marks, false)};
      // A tick for about 42 pixels; labels of y may be longer in a wide figure with one panel a
      // row.
      constexpr double kTickEvery = 42.0;
      constexpr double kWide = 600.0;
      const std::size_t longest =
          width < kWide || size.width > 0.0 ? kLongestLabel : kLongestBeside;
      const auto wanted = static_cast<int>(size.height / kTickEvery);
      placed.y_ticks = ticks_of(placed.y, wanted, longest);
      constexpr int kFew = 3;
      for (int more = wanted + 1; std::ssize(placed.y_ticks) < kFew && more <= 2 * kFew; ++more) {
        placed.y_ticks = ticks_of(placed.y, more, longest);
      }
      if (placed.y.scale == Axis::Scale::kCategories) {
        thin_out(placed.y_ticks, size.height, kFontSize + 2.0);
      }
      layout_.panels.push_back(std::move(placed));
    }
  }

  Layout run() {
    choose_columns();
    double y = place_shades();
    y = place_legend(y);
    for (std::size_t first = 0; first < layout_.panels.size(); first += columns_) {
      y = place_row(first, std::min(first + columns_, layout_.panels.size()), y);
    }
    layout_.height = y;
    return std::move(layout_);
  }

 private:
  /// As many columns as the smallest width of a panel allows, with the widest margin of all.
  void choose_columns() {
    columns_ = 1;
    if (size_.width <= 0.0 || layout_.panels.size() < 2) return;
    double margin = 0.0;
    for (const PlacedPanel& placed : layout_.panels) {
      margin = std::max(margin, margins_of(placed).left);
    }
    const double each = margin + size_.width + kGap;
    columns_ = std::clamp<std::size_t>(static_cast<std::size_t>((layout_.width + kGap) / each), 1,
                                       layout_.panels.size());
  }

  /// Height of the bar of shades with its texts; 0 where there is none.
  double place_shades() {
    constexpr double kShades = 44.0;
    layout_.shades_y = 16.0;
    return figure_.shades ? kShades : 0.0;
  }

  /// Places the legend below `y`; the lower end of its rows.
  double place_legend(double y) {
    constexpr double kRow = 17.0;
    layout_.legend_rows = legend_rows(figure_, layout_.width);
    layout_.legend_y = y + 12.0;
    return y + kRow * static_cast<double>(layout_.legend_rows.size()) +
           (layout_.legend_rows.empty() ? 0.0 : 4.0);
  }

  /// Places a row of panels below `y`, and returns its lower end.
  double place_row(std::size_t first, std::size_t last, double y) {
    const double slot =
        (layout_.width - kGap * static_cast<double>(columns_ - 1)) / static_cast<double>(columns_);
    Margins row;
    // Rows share the left margin, so that panels in different rows stand below each other. The
    // ticks of x are fitted to the width that is left.
    for (std::size_t i = 0; i < layout_.panels.size(); ++i) {
      PlacedPanel& placed = layout_.panels[i];
      if (i < first || i >= last) {
        if (figure_.share_margins) row.left = std::max(row.left, margins_of(placed).left);
        continue;
      }
      const double width = slot - margins_of(placed).left - margins_of(placed).right;
      placed.x_ticks = x_ticks_of(placed.x, width);
      fit_x_ticks(placed, std::max(20.0, width));
      row = larger(row, margins_of(placed));
    }
    for (std::size_t i = first; i < last; ++i) {
      PlacedPanel& placed = layout_.panels[i];
      const double x = static_cast<double>(i - first) * (slot + kGap);
      // Panels without shared margins still share the upper edge.
      const Margins margins = figure_.share_margins ? row : margins_of(placed);
      placed.area = {x + margins.left, y + row.top,
                     std::max(20.0, slot - margins.left - margins.right), size_.height};
    }
    return y + row.top + size_.height + row.bottom + (last < layout_.panels.size() ? 8 : 0);
  }

  const Figure& figure_;
  PanelSize size_;
  Layout layout_;
  std::size_t columns_ = 1;
};

}  // namespace

double widest(const std::vector<Tick>& ticks) {
  double width = 0.0;
  for (const Tick& tick : ticks) width = std::max(width, text_width(tick.text, kFontSize));
  return width;
}

double legend_width(const LegendEntry& entry) {
  constexpr double kSymbolAndGap = 44.0;
  return kSymbolAndGap + text_width(entry.text, kFontSize);
}

Layout lay_out(const Figure& figure, double width) {
  // A column of a paper, or a phone, takes neither a tower of panels nor a figure longer than a
  // page: 230 mm of 85 mm.
  constexpr double kColumn = 420.0;
  constexpr double kTower = 1.2;
  constexpr double kTallest = 230.0 / 85.0;
  constexpr double kBeside = 100.0;
  constexpr PanelSize kLeast{.height = 28.0, .width = 24.0};
  constexpr double kSmaller = 0.88;
  PanelSize size{.height = figure.panel_height, .width = figure.panel_width};
  Layout layout = Placing(figure, width, size).run();
  if (width > kColumn) return layout;
  if (size.width == 0.0 && figure.panels.size() > 1 && layout.height > kTower * width) {
    size.width = kBeside;
    layout = Placing(figure, width, size).run();
  }
  while (layout.height > kTallest * width &&
         (size.height > kLeast.height || size.width > kLeast.width)) {
    size.height = std::max(kLeast.height, kSmaller * size.height);
    if (size.width > 0.0) size.width = std::max(kLeast.width, kSmaller * size.width);
    layout = Placing(figure, width, size).run();
  }
  return layout;
}

}  // namespace ntune
