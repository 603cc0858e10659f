#include <utility>

#include <fmt/format.h>

#include "apps/common/laboratory_figures.h"
#include "apps/slide3/reproduce.h"
#include "ntune/plot/axis.h"

namespace ntune::slide3 {

namespace {

/// What an experiment's rows say of their place: the keys of panel and series, and of x.
struct Course {
  const char* panel;  ///< nullptr: one panel
  const char* series;
  const char* x;
  const char* label;
};

/// One quota with its interval, on the line of its series.
void add_quota(Panel& panel, Line& line, const Json& row, const std::string& name,
               const Course& course) {
  const double at = row[course.x].get<double>();
  const double ours = row["ours"].get<double>();
  const Interval interval{row["ours_low"].get<double>(), row["ours_high"].get<double>()};
  line.points.push_back({at, ours});
  panel.marks.emplace_back(
      Whisker{.from = {at, interval.low}, .to = {at, interval.high}, .colour = line.colour});
  panel.marks.emplace_back(
      Dot{.at = {at, ours},
          .colour = line.colour,
          .radius = course.panel == nullptr ? 3.0 : 2.0,
          .tip = fmt::format("{}, {} {}: {} [{}, {}]", name, course.x, short_number(at),
                             short_number(ours), short_number(interval.low),
                             short_number(interval.high))});
}

Course course_of(const Json& row) {
  Course course{nullptr, "evaluation", "dtw", "DTW of the starting positions"};
  if (row.contains("panel")) course = {"panel", "series", course.x, course.label};
  if (row.contains("intensity")) {
    course.x = "intensity";
    course.label = "intensity of the randomisation";
  }
  return course;
}

/// "Eu Add, depth 4", "Man, depth 4, DTW 24".
std::string cell_name(const Json& row) {
  std::string name = row.value("evaluation", "");
  if (row.contains("randomisation")) name += " " + row["randomisation"].get<std::string>();
  for (const auto& [key, word] : {std::pair("depth", "depth"), std::pair("dtw", "DTW")}) {
    if (row.contains(key)) name += fmt::format(", {} {}", word, row[key].get<int>());
  }
  return name;
}

}  // namespace

Figure draw_lines(const std::string& title, const std::vector<Json>& rows) {
  const Course course = course_of(rows.front());
  std::vector<std::string> titles;
  std::vector<std::string> names;
  Figure figure{.name = course.x, .title = title};
  std::vector<std::vector<Line>> lines;  // by panel and series
  for (const Json& row : rows) {
    const std::size_t at_panel =
        cli::place_of(titles, course.panel == nullptr ? "" : row[course.panel].get<std::string>());
    if (at_panel == figure.panels.size()) {
      figure.panels.push_back(
          {.title = titles.back(),
           .x = {.label = course.label},
           .y = {.label = course.panel == nullptr ? "winning quota, 95 % interval" : "quota"}});
      lines.emplace_back();
    }
    const auto name = row[course.series].get<std::string>();
    const std::size_t series = cli::place_of(names, name);
    std::vector<Line>& series_lines = lines[at_panel];
    while (series_lines.size() <= series) {
      series_lines.push_back({.colour = static_cast<int>(series_lines.size()) % kSeries});
    }
    add_quota(figure.panels[at_panel], series_lines[series], row, name, course);
  }
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    for (const Line& line : lines[i]) {
      if (!line.points.empty()) figure.panels[i].marks.emplace_back(line);
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    figure.legend.push_back({names[i], static_cast<int>(i) % kSeries});
  }
  figure.description = fmt::format("Quotas against {}, {} series.", course.label, names.size());
  figure.panel_height = course.panel == nullptr ? 280.0 : 150.0;
  return figure;
}

Figure draw_quotas(const std::string& title, const std::vector<Json>& rows) {
  std::vector<Json> named = rows;
  for (Json& row : named) row["cell"] = cell_name(row);
  return cli::agreement_figure({.title = title,
                                .unit = "winning quota",
                                .name = {"cell"},
                                .series = rows[0].contains("randomisation") ? "randomisation" : ""},
                               named);
}

}  // namespace ntune::slide3
