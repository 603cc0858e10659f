#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/files.h"
#include "ntune/core/rng.h"
#include "ntune/plot/axis.h"
#include "ntune/plot/colours.h"
#include "ntune/plot/layout.h"
#include "ntune/plot/picture.h"
#include "ntune/plot/sample_box.h"
#include "ntune/plot/svg.h"
#include "ntune/plot/svg_text.h"
#include "support/temporary_folder.h"

namespace ntune {

namespace {

Figure small_figure() {
  Panel panel{.title = "<title>", .x = {.label = "x & y"}, .y = {.label = "value"}};
  panel.marks.emplace_back(Line{.points = {{0.0, 1.0}, {10.0, 2.0}}, .tip = "\"quoted\" <b>"});
  panel.marks.emplace_back(Dot{.at = {5.0, 1.5}});
  Figure figure{.name = "small", .title = "A figure", .description = "Two lines & a dot."};
  figure.panels.push_back(panel);
  return figure;
}

std::vector<std::string> texts(const std::vector<Tick>& ticks) {
  std::vector<std::string> list;
  for (const Tick& tick : ticks) list.push_back(tick.text);
  return list;
}

}  // namespace

TEST_CASE("A reversed axis falls to the right") {
  const Axis axis{.low = -1.0, .high = 3.0, .reversed = true};
  CHECK(position(axis, 3.0) == 0.0);
  CHECK(position(axis, -1.0) == 1.0);
  CHECK(position(axis, 2.0) == Approx(0.25));
}

TEST_CASE("Ticks stand at 1, 2 or 5 times a power of ten") {
  const auto ticks = [](double low, double high, int wanted) {
    return texts(number_ticks({.low = low, .high = high}, wanted));
  };
  CHECK(ticks(0.0, 1.0, 5) == std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  CHECK(ticks(0.0, 1000.0, 4) ==
        std::vector<std::string>{"0", "200", "400", "600", "800", "1,000"});
  CHECK(ticks(-0.1, 0.1, 4) == std::vector<std::string>{"-0.10", "-0.05", "0", "0.05", "0.10"});
  Axis log{.scale = Axis::Scale::kLog, .low = 1.0, .high = 10'000.0};
  CHECK(texts(number_ticks(log, 6)) ==
        std::vector<std::string>{"1", "10", "100", "1,000", "10,000"});
  // However narrow, three at least.
  log = {.scale = Axis::Scale::kLog, .low = 8.0, .high = 43.0};
  CHECK(texts(number_ticks(log, 6)) == std::vector<std::string>{"10", "20", "30"});
  for (const double width : {1.01, 1.2, 1.7, 2.0, 3.0, 5.0, 9.0, 30.0, 290.0}) {
    log = {.scale = Axis::Scale::kLog, .low = 8.1, .high = 8.1 * width};
    CHECK(number_ticks(log, 6).size() >= 3);
  }
}

TEST_CASE("Every tick lies within its axis, and there are neither none nor too many") {
  Rng rng(1);
  for (int i = 0; i < 2000; ++i) {
    const double low = (rng.uniform() - 0.5) * std::pow(10.0, 12.0 * rng.uniform() - 6.0);
    const double span = std::pow(10.0, 12.0 * rng.uniform() - 6.0) + 1e-9 * std::abs(low);
    const Axis axis{.low = low, .high = low + span};
    const std::vector<Tick> ticks = number_ticks(axis, 5);
    CHECK(!ticks.empty());
    CHECK(ticks.size() <= 11);
    for (const Tick& tick : ticks) {
      CHECK(tick.at >= axis.low - 1e-6 * span);
      CHECK(tick.at <= axis.high + 1e-6 * span);
    }
  }
}

TEST_CASE("A box agrees with a hand-worked sample") {
  const SampleBox box = sample_box({9.0, 1.0, 2.0, 3.0, 4.0, 100.0, 5.0});
  CHECK(box.median == 4.0);
  CHECK(box.first == 2.5);
  CHECK(box.third == 7.0);
  CHECK(box.low == 1.0);
  CHECK(box.high == 9.0);
  CHECK(box.outside == std::vector<double>{100.0});
}

TEST_CASE("text is never much wider than it is taken for") {
  // Sums of the advances in DejaVu Sans, of a size of 1.
  CHECK(text_width("x<x<x<x<", 1.0) >= 4.0 * (0.592 + 0.838) - 0.01);
  CHECK(text_width("k=2+1~3", 1.0) >= 0.579 + 3.0 * 0.636 + 3.0 * 0.838 - 0.01);
  CHECK(text_width("wmWM@%", 1.0) >= 0.818 + 0.974 + 0.989 + 0.863 + 1.0 + 0.950 - 0.01);
}

TEST_CASE("Text of users stays text in a figure") {
  const std::string svg = svg_text(small_figure(), {});
  CHECK(svg.find("&lt;title&gt;") != std::string::npos);
  CHECK(svg.find("x &amp; y") != std::string::npos);
  CHECK(svg.find("&quot;quoted&quot; &lt;b&gt;") != std::string::npos);
  CHECK(svg.find("<b>") == std::string::npos);
  CHECK(xml_text("\x01\xff\n") == "\\x01\\xff\\n");
  CHECK(shortened("abcdef", 6) == "abcdef");
  CHECK(shortened("abcdefg", 6) == "abcde…");
  CHECK(shortened("\U0001F600\U0001F600\U0001F600", 2) == "\U0001F600…");
}

TEST_CASE("A figure on a page has no colours of its own and says what hovering shows") {
  const std::string svg = svg_text(small_figure(), {.standalone = false, .css_class = "wide"});
  CHECK(svg.find("<style>") == std::string::npos);
  CHECK(svg.find("data-tip=\"&quot;quoted&quot; &lt;b&gt;\"") != std::string::npos);
  CHECK(svg.find("aria-label=\"A figure. Two lines &amp; a dot.\"") != std::string::npos);
}

TEST_CASE("Panels do not lie on each other and stay within the figure") {
  for (const double width : {340.0, 680.0, 1000.0}) {
    Figure figure = small_figure();
    figure.panel_width = 120.0;
    for (int i = 0; i < 6; ++i) figure.panels.push_back(figure.panels[0]);
    const Layout layout = lay_out(figure, width);
    for (const PlacedPanel& a : layout.panels) {
      CHECK(a.area.x >= 0.0);
      CHECK(a.area.x + a.area.width <= width);
      CHECK(a.area.y + a.area.height <= layout.height);
      for (const PlacedPanel& b : layout.panels) {
        if (&a == &b) continue;
        const bool apart =
            a.area.x + a.area.width <= b.area.x || b.area.x + b.area.width <= a.area.x ||
            a.area.y + a.area.height <= b.area.y || b.area.y + b.area.height <= a.area.y;
        CHECK(apart);
      }
    }
  }
}

TEST_CASE("In a column of a paper panels lie beside each other, and no figure is too tall") {
  Figure figure = small_figure();
  figure.panels.resize(1);
  figure.panel_height = 200.0;
  for (int i = 0; i < 3; ++i) figure.panels.push_back(figure.panels[0]);
  const Layout beside = lay_out(figure, 320.0);
  CHECK(beside.panels[0].area.y == beside.panels[1].area.y);
  CHECK(lay_out(figure, 680.0).panels[0].area.y < lay_out(figure, 680.0).panels[1].area.y);
  for (int i = 0; i < 16; ++i) figure.panels.push_back(figure.panels[0]);
  CHECK(lay_out(figure, 320.0).height <= 320.0 * 230.0 / 85.0);
}

TEST_CASE("Labels that are too wide are slanted, or left out where they are numbers") {
  Figure figure = small_figure();
  std::vector<std::string> names;
  for (int i = 0; i < 40; ++i) names.push_back("value " + std::to_string(i));
  figure.panels[0].x = category_axis("", names);
  CHECK(lay_out(figure, 400.0).panels[0].slanted);
  figure.panels[0].x = category_axis("", names, true);
  const Layout layout = lay_out(figure, 400.0);
  CHECK_FALSE(layout.panels[0].slanted);
  CHECK(layout.panels[0].x_ticks.size() < names.size());
}

TEST_CASE("Shades go from dark to light, and text on them can be read") {
  CHECK(shade_colour(0.0) == "#440154");
  CHECK(shade_colour(1.0) == "#fde725");
  CHECK(shade_colour(-3.0) == shade_colour(0.0));
  CHECK(std::string(text_on_shade(0.0)) == "#fff");
  CHECK(std::string(text_on_shade(1.0)) == "#000");
}

TEST_CASE("A picture is what its name says, or one line says why not") {
  const test::TemporaryFolder folder;
  write_picture(folder / "a.svg", small_figure(), 400.0);
  CHECK(read_file(folder / "a.svg", 1'000'000).starts_with("<?xml"));
  try {
    write_picture(folder / "a.pdf", small_figure(), 400.0);
    CHECK(read_file(folder / "a.pdf", 10'000'000).starts_with("%PDF"));
    write_picture(folder / "a.png", small_figure(), 400.0);
    CHECK(read_file(folder / "a.png", 10'000'000).substr(1, 3) == "PNG");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()).find("librsvg2-bin") != std::string::npos);
  }
  CHECK_THROWS_AS(write_picture(folder / "a.gif", small_figure(), 400.0), InputError);
  CHECK_THROWS_AS(write_picture(folder / "no" / "a.svg", small_figure(), 400.0), InputError);
  CHECK_FALSE(std::filesystem::exists(folder / "a.gif"));
}

}  // namespace ntune
