#include "ntune/report/page/board.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "ntune/plot/svg_text.h"
#include "ntune/report/page/assets.h"
#include "ntune/report/page/sections.h"
#include "ntune/version.h"

namespace ntune {

namespace {

using RowKind = StudyRow::Kind;

constexpr std::array kNames = {"state",       "study",           "budget",
                               "best so far", "against today's", "finding"};

/// The class of the style sheet that colours what is of that kind.
const char* class_of(RowKind kind) {
  return kind == RowKind::kNeedsPerson ? "bad"
         : kind == RowKind::kRunning   ? "run"
         : kind == RowKind::kBetter    ? "good"
                                       : "soft";
}

/// A word in the colour of its kind.
std::string chip(RowKind kind, const std::string& text) {
  return fmt::format("<span class=\"chip {}\">{}</span>", class_of(kind), xml_text(text));
}

/// What was spent, above a bar of the share.
std::string budget_cell(const StudyRow& row) {
  return fmt::format("{}<span class=\"bar {}\"><i style=\"width:{:.0f}%\"></i></span>",
                     xml_text(row.budget), class_of(row.kind), 100.0 * row.share);
}

/// What the search thought its best to be worth, as a line without axes.
std::string course_cell(const StudyRow& row) {
  std::vector<double> course;
  std::ranges::copy_if(row.course, std::back_inserter(course),
                       [](double value) { return std::isfinite(value); });
  const std::string best = row.best.empty() ? "" : xml_text(row.best);
  if (course.size() < 2) return best;
  constexpr double kWidth = 96.0;
  constexpr double kHeight = 22.0;
  constexpr double kMargin = 2.0;
  // The line fills the height between its least and its largest value.
  const auto [low, high] = std::ranges::minmax(course);
  const double range = high > low ? high - low : 1.0;
  std::string points;
  for (std::size_t i = 0; i < course.size(); ++i) {
    const double x = kMargin + (kWidth - 2 * kMargin) * static_cast<double>(i) /
                                   static_cast<double>(course.size() - 1);
    const double y = kHeight - kMargin - (kHeight - 2 * kMargin) * (course[i] - low) / range;
    points += fmt::format("{:.1f},{:.1f} ", x, y);
  }
  points.pop_back();
  return fmt::format(
      "<svg class=\"spark {}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"worth of the best "
      "setting during the search\"><polyline points=\"{}\"/></svg>{}",
      class_of(row.kind), kWidth, kHeight, points, best);
}

/// The gain so that right is better.
StoryNumber turned(const StudyRow::Gain& gain) {
  StoryNumber number = gain.number;
  if (!gain.less_is_better) return number;
  number.value = -number.value;
  if (number.interval) number.interval = Interval{-number.interval->high, -number.interval->low};
  return number;
}

/// How far a gain or its interval lies from 0.
double reach(const StudyRow::Gain& gain) {
  double most = std::abs(gain.number.value);
  if (gain.number.interval) {
    most =
        std::max({most, std::abs(gain.number.interval->low), std::abs(gain.number.interval->high)});
  }
  return most;
}

/// The gain with its interval about a line at 0, on the axis of its unit.
std::string gain_cell(const StudyRow& row, const std::map<std::string, double>& reaches) {
  if (!row.gain) return {};
  constexpr double kHalf = 75.0;
  // The axis is symmetric about 0 and reaches as far as the largest gain of its unit.
  const double most = reaches.at(row.gain->axis);
  const StoryNumber number = turned(*row.gain);
  const auto place = [&](double value) {
    return kHalf + (most > 0.0 ? (kHalf - 6.0) * value / most : 0.0);
  };
  std::string band;
  if (number.interval) {
    const double low = place(number.interval->low);
    band = fmt::format("<rect x=\"{:.1f}\" y=\"6\" width=\"{:.1f}\" height=\"6\" rx=\"3\"/>", low,
                       place(number.interval->high) - low);
  }
  return fmt::format(
      "<svg class=\"gain {}\" viewBox=\"0 0 150 18\" role=\"img\" aria-label=\"gain over today's, "
      "right is better; one axis for {}\"><line x1=\"75\" y1=\"1\" x2=\"75\" y2=\"17\"/>{}<circle "
      "cx=\"{:.1f}\" cy=\"9\" r=\"4.5\"/></svg>",
      class_of(row.kind), xml_text(row.gain->axis), band, place(number.value));
}

}  // namespace

void sort_board(std::vector<BoardRow>& rows) {
  std::ranges::sort(rows, [](const BoardRow& a, const BoardRow& b) {
    return std::tie(a.study.kind, a.study.title, a.key) <
           std::tie(b.study.kind, b.study.title, b.key);
  });
}

std::vector<std::vector<std::string>> board_cells(const std::vector<BoardRow>& rows) {
  // How far each axis reaches, and which titles need their folder beside them.
  std::map<std::string, double> reaches;
  std::map<std::string, int> titles;
  for (const BoardRow& row : rows) {
    ++titles[row.study.title];
    if (row.study.gain) {
      double& most = reaches[row.study.gain->axis];
      most = std::max(most, reach(*row.study.gain));
    }
  }
  std::vector<std::vector<std::string>> cells;
  for (const BoardRow& row : rows) {
    const StudyRow& study = row.study;
    std::string name = fmt::format("<a href=\"{}\">{}</a>", xml_text(row.link),
                                   xml_text(shortened(study.title, 60)));
    if (titles[study.title] > 1) name += "<small>" + xml_text(row.key) + "</small>";
    cells.push_back({chip(study.kind, study.state), name, budget_cell(study), course_cell(study),
                     gain_cell(study, reaches) + (study.test ? ratio_bar(*study.test) : ""),
                     xml_text(shortened(study.finding, 160))});
  }
  return cells;
}

std::string board_counts(const std::vector<BoardRow>& rows) {
  std::vector<StudyRow> studies;
  for (const BoardRow& row : rows) studies.push_back(row.study);
  std::string text;
  for (const auto& [kind, words] : counts_of_kinds(studies)) text += chip(kind, words) + ' ';
  return text;
}

std::string board_table(std::vector<BoardRow> rows) {
  sort_board(rows);
  std::string text = "<table class=\"board\" aria-label=\"Studies\"><thead><tr>";
  for (const char* name : kNames) text += fmt::format("<th scope=\"col\">{}</th>", xml_text(name));
  text += "</tr></thead><tbody>\n";
  for (const std::vector<std::string>& row : board_cells(rows)) {
    text += "<tr>";
    for (const std::string& cell : row) text += "<td>" + cell + "</td>";
    text += "</tr>\n";
  }
  return text + "</tbody></table>\n";
}

std::string board_page(const std::string& title) {
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>",
      xml_text(title));
  page += kPageStyle;
  page += fmt::format(
      "</style>\n</head>\n<body>\n<header><div class=\"top\"><h1>{}</h1><span "
      "id=\"counts\"></span><p><label class=\"soft\">filter <input id=\"filter\" "
      "type=\"search\"></label> <button id=\"compare\" type=\"button\" disabled>Compare two"
      "</button></p></div></header>\n<div class=\"sheet\"><main>\n<table class=\"board\" "
      "aria-label=\"Studies\"><thead><tr><th scope=\"col\"><span class=\"hidden\">chosen</span>"
      "</th>",
      xml_text(title));
  // The rows are filled in by the script.
  for (const char* name : kNames) page += fmt::format("<th scope=\"col\">{}</th>", xml_text(name));
  page += fmt::format(
      "<th scope=\"col\">note</th></tr></thead><tbody id=\"rows\"></tbody></table>\n<p id=\"said\" "
      "class=\"soft\" role=\"status\">Reading the studies …</p>\n</main></div>\n<footer><p>Made by "
      "ntune {}. Intervals have a confidence of 95 %; right of the dashed line is better.</p>"
      "</footer>\n<script>\"use strict\";\n",
      kVersion);
  page += kFollowScript;
  page += kBoardScript;
  page += "</script>\n</body>\n</html>\n";
  return page;
}

}  // namespace ntune
