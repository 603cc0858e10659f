#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "catch.h"
#include "ntune/plot/axis.h"
#include "ntune/plot/colours.h"
#include "ntune/plot/layout.h"
#include "ntune/plot/sample_box.h"
#include "ntune/plot/svg.h"
#include "support/times_in.h"

namespace ntune {

namespace {

/// A figure with these marks in one panel, whose axes go from 0 to 10.
Figure figure_of(std::vector<Mark> marks) {
  Panel panel{.x = {.low = 0.0, .high = 10.0}, .y = {.low = 0.0, .high = 10.0}};
  panel.marks = std::move(marks);
  return {.name = "marks", .title = "Marks", .panels = {panel}};
}

/// As a part of a page, which has neither a background nor a style of its own.
std::string drawn_on_page(const Figure& figure) { return svg_text(figure, {.standalone = false}); }

}  // namespace

TEST_CASE("Each mark is drawn as its element, with what it says of itself") {
  struct Case {
    const char* what;
    Mark mark;
    std::string part;
    std::size_t count = 1;
  };
  const std::vector<Place> way = {{1.0, 2.0}, {5.0, 4.0}, {9.0, 1.0}};
  const std::vector<Case> cases = {
      {"a line", Line{.points = way}, "<polyline class=\"l s0\"", 1},
      {"a line without places", Line{}, "<polyline", 0},
      {"a dashed line", Line{.points = way, .dashed = true}, "stroke-dasharray=\"5 4\"", 1},
      {"a soft line", Line{.points = way, .colour = kSoft}, "class=\"l so\"", 1},
      {"a faint line", Line{.points = way, .opacity = 0.5}, "opacity=\"0.5\"", 1},
      {"a line with a key", Line{.points = way, .key = "1 2"}, "data-key=\"1 2\"", 1},
      {"a shaded line", Line{.points = way, .shade = 0.0}, "style=\"stroke:#440154\"", 1},
      {"a line with a tip", Line{.points = way, .tip = "a & b"}, "data-tip=\"a &amp; b\"", 1},
      {"a band", Band{.low = way, .high = way}, "<polygon class=\"f0\" opacity=\"0.18\"", 1},
      {"an empty band", Band{}, "<polygon", 0},
      {"a dot", Dot{.at = way[0], .colour = 3}, "<circle class=\"f3\"", 1},
      {"a ring", Dot{.at = way[0], .colour = kInk, .hollow = true}, "<circle class=\"h si\"", 1},
      {"many dots", Scatter{.points = way}, "h0", 3},
      {"an interval", Whisker{.from = way[0], .to = way[2]}, "<path class=\"l si\"", 1},
      {"a block", Block{.from = way[0], .to = way[1], .colour = kTruth}, "<rect class=\"ft\"", 1},
      {"a cell", Block{.from = way[0], .to = way[1], .shade = 1.0}, "fill=\"#fde725\"", 1},
      {"a framed cell", Block{.from = way[0], .to = way[1], .ringed = true}, "class=\"ring\"", 1},
      {"a cell with its number", Block{.from = way[0], .to = way[1], .text = "77"}, ">77</text>",
       1},
      {"a number that does not fit", Block{.from = way[0], .to = {1.01, 4.0}, .text = "1234"},
       ">1234</text>", 0},
      {"a note", Note{.at = way[0], .text = "<here>"}, ">&lt;here&gt;</text>", 1},
      {"a note at the right", Note{.at = way[0], .text = "x", .anchor = Note::Anchor::kEnd},
       "text-anchor=\"end\">x</text>", 1},
      {"more series than colours", Dot{.at = way[0], .colour = kSeries + 2}, "class=\"f2\"", 1},
      {"what is not finite", Dot{.at = {std::nan(""), 1.0}}, "cx=\"-10000\"", 1},
  };
  for (const Case& one : cases) {
    CAPTURE(one.what);
    CHECK(test::times_in(drawn_on_page(figure_of({one.mark})), one.part) == one.count);
  }
}

TEST_CASE("A line in steps keeps its value until the next place") {
  const std::vector<Place> way = {{0.0, 0.0}, {5.0, 10.0}, {10.0, 5.0}};
  const auto places = [&](bool steps) {
    const std::string svg = drawn_on_page(figure_of({Line{.points = way, .steps = steps}}));
    const std::size_t begin = svg.find("points=\"") + 8;
    return test::times_in(svg.substr(begin, svg.find('"', begin) - begin), ",");
  };
  CHECK(places(false) == 3);
  CHECK(places(true) == 5);
}

TEST_CASE("A mark lies where its axes say") {
  const Figure figure = figure_of({});
  const PlacedPanel panel = lay_out(figure, 400.0).panels[0];
  CHECK(panel.px(0.0) == panel.area.x);
  CHECK(panel.px(10.0) == panel.area.x + panel.area.width);
  CHECK(panel.py(0.0) == panel.area.y + panel.area.height);
  CHECK(panel.py(10.0) == panel.area.y);
  CHECK(panel.foot() == panel.py(0.0));
  const Axis log{.scale = Axis::Scale::kLog, .low = 1.0, .high = 100.0};
  CHECK(position(log, 10.0) == Approx(0.5));
  CHECK(position(log, 0.0) < 0.0);
}

TEST_CASE("An entry of a legend has the symbol of its marks") {
  using Shape = LegendEntry::Shape;
  const std::vector<std::pair<Shape, std::string>> cases = {
      {Shape::kLine, "<line class=\"l s1\""},
      {Shape::kDash, "stroke-dasharray=\"5 4\""},
      {Shape::kBand, "height=\"9\" opacity=\"0.25\""},
      {Shape::kBlock, "<rect class=\"f1\""},
      {Shape::kDot, "r=\"3.5\""},
      {Shape::kRing, "r=\"5\" fill=\"none\""},
  };
  for (const auto& [shape, part] : cases) {
    CAPTURE(part);
    Figure figure = figure_of({});
    figure.legend = {{"what it is", 1, shape}};
    const std::string svg = drawn_on_page(figure);
    CHECK(test::times_in(svg, part) == 1);
    CHECK(test::times_in(svg, ">what it is</text>") == 1);
  }
}

TEST_CASE("A legend goes on in a further row where it is too long, and panels lie below") {
  Figure figure = figure_of({});
  const double without = lay_out(figure, 400.0).panels[0].area.y;
  for (int i = 0; i < 9; ++i) figure.legend.push_back({"an entry of some length", i});
  const Layout layout = lay_out(figure, 400.0);
  CHECK(layout.legend_rows.size() > 2);
  std::size_t entries = 0;
  for (const auto& row : layout.legend_rows) {
    double width = 0.0;
    for (const std::size_t i : row) width += legend_width(figure.legend[i]);
    CHECK((width <= 400.0 || row.size() == 1));
    entries += row.size();
  }
  CHECK(entries == 9);
  CHECK(layout.panels[0].area.y > without);
}

TEST_CASE("A scale of shades has its colours, its label and three numbers") {
  Figure figure = figure_of({});
  figure.shades = ShadeScale{"mean", 10.0, 30.0, Palette::kViridis, " %"};
  const std::string svg = drawn_on_page(figure);
  CHECK(test::times_in(svg, "height=\"9\" fill=\"#") == 48);
  for (const char* text : {">mean<", ">10 %<", ">20 %<", ">30 %<"}) {
    CHECK(test::times_in(svg, text) == 1);
  }
}

TEST_CASE("Axes have their labels, their ticks, and nothing where they are hidden") {
  Figure figure = figure_of({});
  Panel& panel = figure.panels[0];
  panel.x.label = "calls";
  panel.y.label = "cost";
  panel.title = "a panel";
  const std::string svg = drawn_on_page(figure);
  for (const char* text : {">calls<", ">cost<", ">a panel<"}) CHECK(test::times_in(svg, text) == 1);
  const Layout layout = lay_out(figure, 680.0);
  CHECK(layout.panels[0].x_ticks.size() >= 3);
  CHECK(layout.panels[0].y_ticks.size() >= 3);
  CHECK(test::times_in(svg, "class=\"g\"") ==
        layout.panels[0].x_ticks.size() + layout.panels[0].y_ticks.size());  // grid
  panel.x.hidden = panel.y.hidden = true;
  CHECK(lay_out(figure, 680.0).panels[0].x_ticks.empty());
  CHECK(test::times_in(drawn_on_page(figure), "class=\"g\"") == 0);
}

TEST_CASE("An axis without ends covers its marks, with room where they would touch the edge") {
  struct Case {
    const char* what;
    Axis axis;
    std::vector<Mark> marks;
    bool horizontal;
    double low;
    double high;
  };
  const Line line{.points = {{2.0, 1.0}, {12.0, 11.0}}};
  const Whisker whisker{.from = {2.0, 5.0}, .to = {12.0, 5.0}};
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<Case> cases = {
      {"given ends stay", {.low = 3.0, .high = 4.0}, {line}, true, 3.0, 4.0},
      {"a line may touch the sides", {}, {line}, true, 2.0, 12.0},
      {"but not top and bottom", {}, {line}, false, 0.6, 11.4},
      {"an interval may not", {}, {whisker}, true, 1.6, 12.4},
      {"no marks", {}, {}, true, 0.0, 1.0},
      {"equal values", {}, {Dot{.at = {10.0, 10.0}}}, true, 9.0, 11.0},
      {"what is not finite does not count", {}, {line, Dot{.at = {inf, 0.0}}}, true, 2.0, 12.0},
      {"powers", {.scale = Axis::Scale::kLog}, {line}, true, 2.0, 12.0},
  };
  for (const Case& one : cases) {
    CAPTURE(one.what);
    const Axis axis = fitted(one.axis, one.marks, one.horizontal);
    CHECK(axis.low == Approx(one.low));
    CHECK(axis.high == Approx(one.high));
  }
}

TEST_CASE("Ticks of counts are whole, end where they are told to, and have their unit") {
  const auto texts_of = [](const Axis& axis, int wanted) {
    std::vector<std::string> list;
    for (const Tick& tick : number_ticks(axis, wanted)) list.push_back(tick.text);
    return list;
  };
  using Texts = std::vector<std::string>;
  CHECK(texts_of({.low = 0.0, .high = 2.0, .whole = true}, 5) == Texts{"0", "1", "2"});
  CHECK(texts_of({.low = 0.0, .high = 100.0, .suffix = " %"}, 2) == Texts{"0 %", "50 %", "100 %"});
  CHECK(texts_of({.low = 0.0, .high = 10.0, .last_tick = 6.0}, 5) == Texts{"0", "2", "4", "6"});
  CHECK(texts_of({.scale = Axis::Scale::kLog, .low = 1.0, .high = 30.0}, 4) ==
        Texts{"1", "2", "5", "10", "20"});
  CHECK(texts_of({.scale = Axis::Scale::kLog, .low = 1.0, .high = 1e6}, 3) ==
        Texts{"1", "100", "10,000", "1,000,000"});
}

TEST_CASE("Numbers are short for a reader and whole for a table") {
  const std::vector<std::pair<double, const char*>> shown = {
      {0.0, "0"},         {0.123456, "0.1235"}, {-3.5, "-3.5"},     {1234.4, "1,234"},
      {1e6, "1,000,000"}, {1e9, "1e+09"},       {std::nan(""), "–"}};
  for (const auto& [value, text] : shown) CHECK(short_number(value) == text);
  CHECK(data_text(0.1 + 0.2) == "0.30000000000000004");
  CHECK(data_text(std::nan("")).empty());
  CHECK(data_text(std::optional<double>()).empty());
  CHECK(csv_text({.columns = {"a", "b,c"}, .rows = {{"1", "x"}, {"", "\"y\""}}}) ==
        "a,\"b,c\"\n1,x\n,\"\"\"y\"\"\"\n");
}

TEST_CASE("Quantiles lie between the values, and a box holds what is near") {
  CHECK(sorted_quantile({1.0, 2.0, 4.0}, 0.0) == 1.0);
  CHECK(sorted_quantile({1.0, 2.0, 4.0}, 0.75) == 3.0);
  CHECK(sorted_quantile({5.0}, 0.3) == 5.0);
  const SampleBox box = sample_box({3.0, 3.0, 3.0});
  CHECK(box.low == 3.0);
  CHECK(box.high == 3.0);
  CHECK(box.outside.empty());
}

TEST_CASE("Every palette is read with black or white on each of its shades") {
  for (const Palette palette : {Palette::kViridis, Palette::kDiverging, Palette::kWorth}) {
    for (int step = 0; step <= 20; ++step) {
      const double shade = step / 20.0;
      CHECK(shade_colour(shade, palette).size() == 7);
      const std::string text = text_on_shade(shade, palette);
      CHECK((text == "#000" || text == "#fff"));
    }
    CHECK(shade_colour(0.0, palette) != shade_colour(1.0, palette));
  }
  const std::string style = figure_style();
  for (int i = 0; i < kSeries; ++i) {
    CHECK(test::times_in(style, ".s" + std::to_string(i) + "{") == 1);
    CHECK(test::times_in(style, ".f" + std::to_string(i) + "{") == 1);
  }
}

TEST_CASE("A file of its own has a title, a size and the tips of its marks") {
  Figure figure = figure_of({Dot{.at = {1.0, 1.0}, .tip = "a tip"}});
  figure.description = "A dot.";
  const std::string plain = svg_text(figure, {.width = 340.0});
  CHECK(test::times_in(plain, "<title>a tip</title>") == 1);
  CHECK(test::times_in(plain, "width=\"340\"") == 2);  // of the file and of its ground
  CHECK(test::times_in(plain, ">Marks</text>") == 0);
  CHECK(test::times_in(svg_text(figure, {.width = 340.0, .title = true}), ">Marks</text>") == 1);
  // Twice the text size is a layout of half the width.
  CHECK(test::times_in(svg_text(figure, {.width = 340.0, .font_size = 22.0}),
                       "viewBox=\"0 0 170 ") == 1);
}

}  // namespace ntune
