#include "ntune/report/page/page.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "catch.h"
#include "ntune/core/text.h"
#include "ntune/report/page/board.h"
#include "ntune/report/page/html.h"
#include "ntune/report/page/sections.h"
#include "ntune/space/search_space.h"
#include "report/drawn.h"
#include "support/times_in.h"

namespace ntune {

namespace {

/// The page of a study that was carried out.
std::string page_of_drawn(const char* yaml) {
  static std::map<std::string, std::string> pages;
  std::string& page = pages[yaml];
  if (page.empty()) {
    std::vector<ReportData> studies;
    studies.push_back(read_report(test::drawn(yaml).study.folder, {}));
    page = report_page(studies);
  }
  return page;
}

}  // namespace

TEST_CASE("Numbers on a page are whole in their element and short for a reader") {
  const Interval interval{0.25, 0.75};
  const double none = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<std::string, std::string>> cases = {
      {html_number(0.5), "<data value=\"0.5\">0.5000</data>"},
      {html_number(1.0 / 3.0), "<data value=\"0.3333333333333333\">0.3333</data>"},
      {html_number(none), "–"},
      {html_number(std::nullopt), "–"},
      {html_decimals(2.0 / 3.0, 2), "<data value=\"0.6666666666666666\">0.67</data>"},
      {html_count(12345), "<data value=\"12345\">12,345</data>"},
      {html_counted(1, "run"), "<data value=\"1\">1</data> run"},
      {html_counted(2000, "run"), "<data value=\"2000\">2,000</data> runs"},
      {html_interval(std::nullopt), "–"},
      {html_interval(interval),
       "<span class=\"whole\">[<data value=\"0.25\">0.2500</data>, <data "
       "value=\"0.75\">0.7500</data>]</span>"},
      {html_whole("a<b"), "<span class=\"whole\">a&lt;b</span>"},
      {html_value({.value = 0.5}), "<data value=\"0.5\">0.5000</data>"},
      {html_value({.value = std::int64_t{1200}}), "<data value=\"1200\">1,200</data>"},
      {html_value({.value = "a & b"}), "a &amp; b"},
      {html_value({}), "–"},
      {html_value({.value = none}), "–"},
      {html_interval_of({}), "–"},
      {html_interval_of({.value = 0.5, .interval = interval, .digits = Digits::kElo}),
       "<span class=\"whole\">[<data value=\"0.25\">+0.2</data>, <data "
       "value=\"0.75\">+0.8</data>]</span>"},
      {heading(3, "A & B"), "<h3>A &amp; B</h3>\n"},
      {heading(2, "A", "a"), "<h2 id=\"a\">A</h2>\n"},
      {preformatted("a\n<b>"), "<pre tabindex=\"0\">a\n&lt;b&gt;\n</pre>\n"},
      {html_lines(""), ""},
      {html_lines("a\n\nb\n"), "a\n\nb\n"},
      {script_text("</script>"), "\\u003c/script>"},
  };
  for (const auto& [html, expected] : cases) CHECK(html == expected);
}

TEST_CASE("A table says which of its columns are words, and which row was chosen") {
  HtmlTable table("A & B", {"<name", "n"});
  CHECK(table.empty());
  table.add_row({"a", "1"});
  table.add_row({"b", "2"}, true);
  const std::string html = table.text();
  CHECK(test::times_in(html, "aria-label=\"A &amp; B\"") == 2);
  CHECK(test::times_in(html, "<th scope=\"col\" class=\"left\">name</th>") == 1);
  CHECK(test::times_in(html, "<th scope=\"col\">n</th>") == 1);
  CHECK(test::times_in(html, "<td class=\"word\" data-name=\"name\">") == 2);
  CHECK(test::times_in(html, "<tr class=\"chosen\">") == 1);
  CHECK_FALSE(table.empty());
}

TEST_CASE("A point has a column for each parameter while these are few and short") {
  const SearchSpace few(
      {make_integers("a", 1, 3), make_integers("fixed", 7, 7), make_boolean("b")});
  const PointColumns columns(few);
  CHECK(columns.names() == std::vector<std::string>{"a", "b"});
  CHECK(columns.cells(test::point_at({2, 0, 1})) ==
        std::vector<std::string>{"<data value=\"3\">3</data>", "true"});
  std::vector<Parameter> parameters;
  for (int i = 0; i < 20; ++i) parameters.push_back(make_integers(fmt::format("p{}", i), 0, 9));
  const SearchSpace many(parameters);
  const PointColumns whole(many);
  CHECK(whole.names() == std::vector<std::string>{"<point"});
  CHECK(whole.cells(Point(20)) == std::vector<std::string>{many.text(Point(20))});
}

TEST_CASE("A page has the sections that its study has something for") {
  struct Case {
    const char* id;
    bool single;
    bool today;
    bool cells;
  };
  const std::vector<Case> cases = {
      {"answer", true, true, false},      {"stopped", false, false, false},
      {"search", false, false, false},    {"verified", false, false, false},
      {"comparison", false, false, true}, {"instances", false, true, false},
      {"convergence", true, true, true},  {"cells", false, false, true},
      {"evaluations", true, true, true},  {"learned", true, true, true},
      {"failures", false, false, false},  {"details", true, true, false},
      {"repeat", true, true, true},       {"runs", true, true, true},
      {"sampling", true, true, true},     {"sure", true, true, false},
  };
  for (const Case& one : cases) {
    CAPTURE(one.id);
    for (const auto& [yaml, has] : {std::pair(test::kSingle, one.single),
                                    {test::kToday, one.today},
                                    {test::kCells, one.cells}}) {
      const std::string page = page_of_drawn(yaml);
      CHECK(test::times_in(page, fmt::format("id=\"{}\"", one.id)) == (has ? 1U : 0U));
      CHECK(test::times_in(page, fmt::format("href=\"#{}\"", one.id)) == (has ? 1U : 0U));
    }
  }
}

TEST_CASE("A page is whole: every figure wide and narrow, with its caption and its numbers") {
  for (const char* yaml : {test::kSingle, test::kToday, test::kCells}) {
    const std::string page = page_of_drawn(yaml);
    const std::size_t figures = test::times_in(page, "<figure ");
    CHECK(figures > 5);
    CHECK(test::times_in(page, "</figure>") == figures);
    CHECK(test::times_in(page, "<figcaption>") == figures);
    CHECK(test::times_in(page, "<svg class=\"fig wide ") == figures);
    CHECK(test::times_in(page, "<svg class=\"fig narrow ") == figures);
    CHECK(test::times_in(page, "data-save=\"CSV\"") ==
          test::times_in(page, "<template class=\"data\">"));
    for (const char* element : {"section", "details", "table", "svg", "div", "p"}) {
      CAPTURE(element);
      CHECK(test::times_in(page, fmt::format("</{}>", element)) ==
            test::times_in(page, fmt::format("<{} ", element)) +
                test::times_in(page, fmt::format("<{}>", element)));
    }
  }
}

TEST_CASE("A live page knows its version and follows the events of its server") {
  const std::string page = live_page(test::drawn(test::kSingle), "12 34");
  CHECK(test::times_in(page, "{version: \"12 34\"}") == 1);
  CHECK(test::times_in(page, "new EventSource(") == 1);
  CHECK(page.ends_with("</body>\n</html>\n"));
}

TEST_CASE("A board has what needs a person first, and gains of one unit on one axis") {
  const auto row = [](StudyRow::Kind kind, const char* title, std::optional<double> gain) {
    BoardRow made{.study = {.kind = kind, .title = title, .state = "state", .share = 0.5},
                  .key = title,
                  .link = "#x"};
    if (gain) {
      made.study.gain =
          StudyRow::Gain{.axis = "points", .number = {*gain, Interval{*gain - 1.0, *gain + 1.0}}};
    }
    return made;
  };
  using Kind = StudyRow::Kind;
  std::vector<BoardRow> rows = {row(Kind::kDone, "d", {}), row(Kind::kBetter, "b", 9.0),
                                row(Kind::kNeedsPerson, "z", {}), row(Kind::kBetter, "a", 3.0),
                                row(Kind::kRunning, "r", {})};
  sort_board(rows);
  std::string titles;
  for (const BoardRow& one : rows) titles += one.study.title;
  CHECK(titles == "zrabd");
  const auto cells = board_cells(rows);
  REQUIRE(cells.size() == 5);
  for (const auto& one : cells) CHECK(one.size() == 6);
  CHECK(test::times_in(cells[0][2], "width:50%") == 1);
  CHECK(cells[0][4].empty());
  // The axis reaches from -10 to 10: 75 pixels in the middle, and 69 on either side.
  CHECK(test::times_in(cells[3][4], fmt::format("cx=\"{:.1f}\"", 75.0 + 69.0 * 0.9)) == 1);
  CHECK(test::times_in(cells[2][4], fmt::format("cx=\"{:.1f}\"", 75.0 + 69.0 * 0.3)) == 1);
  CHECK(test::times_in(board_table(rows), "<tr>") == 6);  // with that of the titles
  CHECK(test::times_in(board_counts(rows), ">1 needs you<") == 1);
  CHECK(test::times_in(board_counts(rows), ">2 better<") == 1);
  rows[0].study.title = "r";
  CHECK(test::times_in(board_cells(rows)[0][1], "<small>z</small>") == 1);  // two of one name
}

TEST_CASE("A row of a study says what it has found in the words of its verdict") {
  const StudyRow single = study_row(test::drawn(test::kSingle));
  CHECK(single.kind == StudyRow::Kind::kDone);
  CHECK(single.state == "done");
  CHECK(single.share == 1.0);
  CHECK_FALSE(single.gain);
  CHECK(single.best.ends_with(" %"));
  CHECK(single.course.size() > 3);
  const StudyRow today = study_row(test::drawn(test::kToday));
  CHECK(today.kind == StudyRow::Kind::kBetter);
  REQUIRE(today.gain);
  CHECK(today.gain->less_is_better);
  CHECK(today.gain->number.value == *test::drawn(test::kToday).study.result->incumbent->difference);
  CHECK_THAT(today.finding, Catch::Matchers::ContainsSubstring("a 4 → 1"));
  const StudyRow goals = study_row(test::drawn(
      "{objective: {command: [sh, -c, 'echo \"{{\\\"a\\\": $1, \\\"b\\\": $(( $1 * $1 ))}}\"', "
      "sh, '{x}']}, goals: {a: maximise, b: minimise}, space: {x: {integers: [1, 6], default: "
      "3}}, budget: 20, seed: 1}"));
  CHECK(goals.kind == StudyRow::Kind::kDone);
  CHECK(goals.state == "done");
  CHECK_THAT(goals.finding, Catch::Matchers::StartsWith("Of "));
  const StudyRow cells = study_row(test::drawn(test::kCells));
  CHECK(cells.kind == StudyRow::Kind::kDone);
  CHECK_FALSE(cells.gain);
}

}  // namespace ntune
