#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ntune/plot/colours.h"
#include "ntune/plot/data_table.h"

namespace ntune {

/// A place in the coordinates of a panel's axes.
struct Place {
  double x = 0.0;
  double y = 0.0;
};

/// Colours stand for what they mean; the reader's theme says how they look.
inline constexpr int kInk = -1;    ///< colour of text
inline constexpr int kSoft = -2;   ///< colour of secondary text and lines
inline constexpr int kTruth = -3;  ///< colour of known true values
/// 0 to 7: series that are told apart, also by the colour-blind (Okabe and Ito).
inline constexpr int kSeries = 8;

struct Line {
  std::vector<Place> points = {};
  int colour = 0;
  double width = 1.5;
  double opacity = 1.0;
  bool dashed = false;
  bool steps = false;    ///< keeps each value until the next place
  std::string tip = {};  ///< what is said on hovering; empty: nothing
  std::string key = {};  ///< shared by marks that belong together in several panels
  /// 0 to 1: a colour of the palette, in place of `colour`.
  std::optional<double> shade = {};
  Palette palette = Palette::kViridis;
};

/// The region between two lines over the same x.
struct Band {
  std::vector<Place> low = {};
  std::vector<Place> high = {};
  int colour = 0;
  double opacity = 0.18;
};

struct Dot {
  Place at = {};
  int colour = 0;
  double radius = 3.0;
  bool hollow = false;
  std::string tip = {};
  double opacity = 1.0;
};

/// Many small dots alike, without tips.
struct Scatter {
  std::vector<Place> points = {};
  int colour = 0;
  double radius = 1.6;
  double opacity = 0.5;
};

/// An interval: a line with ends.
struct Whisker {
  Place from = {};
  Place to = {};
  int colour = kInk;
  double width = 1.2;
  std::string tip = {};
};

/// A rectangle between two corners. With a shade it is a cell of a heat map.
struct Block {
  Place from = {};
  Place to = {};
  int colour = 0;
  double opacity = 1.0;
  std::optional<double> shade = {};  ///< 0 to 1
  Palette palette = Palette::kViridis;
  std::string text = {};  ///< within
  std::string tip = {};
  bool ringed = false;   ///< with an edge that stands out
  std::string key = {};  ///< what it is, for the script of a page
};

/// Text at a place; `dx` and `dy` move it by pixels.
struct Note {
  Place at = {};
  std::string text = {};
  int colour = kSoft;
  enum class Anchor { kStart, kMiddle, kEnd } anchor = Anchor::kStart;
  double dx = 0.0;
  double dy = 0.0;
};

using Mark = std::variant<Line, Band, Dot, Scatter, Whisker, Block, Note>;

struct Axis {
  enum class Scale { kLinear, kLog, kCategories };

  std::string label = {};
  Scale scale = Scale::kLinear;
  /// Ends; for categories -0.5 and their number - 0.5. Where low is not below high: fitted to the
  /// marks.
  double low = 0.0;
  double high = 0.0;
  std::vector<std::string> categories = {};  ///< at 0, 1, …
  bool numeric = false;                  ///< categories are numbers in order: some may be left out
  bool hidden = false;                   ///< neither ticks nor grid
  bool reversed = false;                 ///< falls to the right, or upwards
  std::string suffix = {};               ///< behind the numbers of its ticks: " %"
  std::optional<double> last_tick = {};  ///< beyond it are no numbers
  bool whole = false;                    ///< its numbers are counts
};

Axis category_axis(std::string label, std::vector<std::string> categories, bool numeric = false);

/// Where several panels stand in one figure, each may have axes of its own.
struct Panel {
  std::string title = {};
  Axis x = {};
  Axis y = {};
  std::vector<Mark> marks = {};
  std::string key = {};  ///< what it is about, for the script of a page
};

struct LegendEntry {
  std::string text;
  int colour = 0;
  enum class Shape { kLine, kDash, kBand, kDot, kBlock, kRing } shape = Shape::kLine;
};

/// What the shades of a heat map mean.
struct ShadeScale {
  std::string label;
  double low = 0.0;
  double high = 1.0;
  Palette palette = Palette::kViridis;
  std::string suffix = {};  ///< behind its numbers: " %"
};

/// A figure for a page or a paper: data and marks, no sizes of paper and no colours of screens.
struct Figure {
  std::string name = {};         ///< for files and anchors: "main_effects"
  std::string title = {};        ///< above it on a page
  std::string description = {};  ///< a sentence or two for who cannot see it, with its main numbers
  std::string caption = {};      ///< what it shows and how it was computed, for a page
  std::vector<Panel> panels = {};
  double panel_height = 220.0;  ///< of the plotting area, pixels
  double panel_width = 0.0;     ///< smallest, of the plotting area; 0: one panel a row
  std::vector<LegendEntry> legend = {};
  std::optional<ShadeScale> shades = {};
  bool share_margins = true;  ///< all panels have the margins of the widest labels
  DataTable data = {};        ///< the numbers that it shows
};

}  // namespace ntune
