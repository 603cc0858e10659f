#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/column_titles.h"
#include "ntune/core/text.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/shared.h"

namespace ntune {

namespace {

/// Mean value of all evaluations in twentieths of a run.
Line mean_line(const RunCourse& course, const Unit& unit, int colour) {
  Line line{.colour = colour, .width = 2.2};
  for (const RunCourse::Part& part : course.parts()) {
    if (part.n == 0) continue;
    line.points.push_back({part.mean_index() + 0.5, unit.value_of(part.mean_payoff())});
  }
  return line;
}

/// The evaluations of an objective by their cells.
Panel history_panel(const ReportData& data, std::size_t objective, const HistoryScale& scale) {
  const Unit unit = data.searches[objective].objective().unit();
  Panel panel{.x = {.label = "evaluation of the run", .low = 0.0, .high = scale.last() + 1.0},
              .y = {.low = scale.low(), .high = scale.high()},
              .key = "history"};
  std::map<std::size_t, std::vector<const SearchEvaluation*>> by_cell;
  for (const SearchEvaluation& one : data.samples[objective].evaluations()) {
    by_cell[one.cell].push_back(&one);
  }
  Scatter failures{.colour = kTruth, .radius = 2.2, .opacity = 0.8};
  // Dots of each cell, failures of all at the foot, and means on top.
  for (const auto& [cell, list] : by_cell) {
    Scatter dots{.colour = colour_of_cell(data, cell), .opacity = 0.4};
    for (const SearchEvaluation* one : list) {
      const Place place{static_cast<double>(one->index) + 0.5, scale.height_of(*one)};
      (one->failed ? failures : dots).points.push_back(place);
    }
    panel.marks.emplace_back(std::move(dots));
  }
  if (!failures.points.empty()) panel.marks.emplace_back(std::move(failures));
  for (const auto& [cell, list] : by_cell) {
    Line line = mean_line(data.courses[cell], unit, colour_of_cell(data, cell));
    line.tip = data.study.cell_label(cell, false) + ": mean by twentieths of a run";
    panel.marks.emplace_back(std::move(line));
  }
  return panel;
}

/// The evaluations that are shown, with the values of all parameters.
void add_table(DataTable& table, const ReportData& data, std::size_t objective) {
  const SearchSpace& space = data.searches[objective].objective().space();
  const Unit unit = data.searches[objective].objective().unit();
  table.columns = {"cell", "repeat", "run", "evaluation", "value"};
  ColumnTitles titles(table.columns);
  for (const std::string& name : space.names()) {
    table.columns.push_back(titles.add(kParameterPrefix, name));
  }
  for (const SearchEvaluation& one : data.samples[objective].evaluations()) {
    std::vector<std::string> row{data.study.cell_label(one.cell, false), std::to_string(one.repeat),
                                 std::to_string(one.run), std::to_string(one.index),
                                 one.failed ? "" : data_text(unit.value_of(one.payoff))};
    for (int i = 0; i < space.dimensions(); ++i)
      row.push_back(value_text(space.value(one.point, i)));
    table.rows.push_back(std::move(row));
  }
}

Figure history_of(const ReportData& data, std::size_t objective) {
  const EvaluationSample& sample = data.samples[objective];
  const HistoryScale scale(data, objective);
  Figure figure{.name = "history", .title = "Evaluations in order" + of_objective(data, objective)};
  figure.panels.push_back(history_panel(data, objective, scale));
  figure.panels[0].y.label = unit_text(data.searches[objective].objective());
  figure.panel_height = 220.0;
  const auto shown = std::ssize(sample.evaluations());
  figure.description = fmt::format("Values of {} in the order in which the runs made them.",
                                   counted(shown, "evaluation"));
  // The caption says how many evaluations are drawn and what their marks mean.
  figure.caption = fmt::format(
      "A dot for each evaluation of the searches{}; line: mean of all in twentieths of a "
      "run.{}{}{}{}",
      sample.is_whole()
          ? ""
          : fmt::format(", {} of {}, drawn at random", count_text(shown), count_text(sample.of())),
      scale.is_spread() ? " Dots are moved a little up and down, as their values are few." : "",
      std::ranges::any_of(sample.evaluations(), &SearchEvaluation::failed)
          ? " Red, at the foot: failed."
          : "",
      duel_note(data, objective), partial_note(data));
  if (data.study.study.cells() > data.searches.size()) {
    figure.legend = legend_of_cells(data, LegendEntry::Shape::kLine);
  }
  add_table(figure.data, data, objective);
  return figure;
}

/// A number from -0.5 to 0.5 that follows from the evaluation.
double jitter_of(const SearchEvaluation& evaluation) {
  constexpr std::uint64_t kSteps = 1000;
  // The low bits choose what is shown.
  return static_cast<double>((code_of(evaluation) >> 32U) % kSteps) / kSteps - 0.5;
}

}  // namespace

HistoryScale::HistoryScale(const ReportData& data, std::size_t objective)
    : unit_(data.searches[objective].objective().unit()) {
  constexpr std::size_t kFewValues = 12;
  std::set<double> values;
  ValueRange range;
  for (const SearchEvaluation& one : data.samples[objective].evaluations()) {
    last_ = std::max(last_, static_cast<double>(one.index));
    if (one.failed) continue;
    const double value = unit_.value_of(one.payoff);
    range.add(value);
    if (values.size() <= kFewValues) values.insert(value);
  }
  if (range.empty()) range = {0.0, 1.0};
  // Few distinct values, as of wins and losses, are spread a little so that dots are told apart.
  const double span = std::max(range.high - range.low, 1e-9);
  if (values.size() <= kFewValues) spread_ = 0.35 * span / static_cast<double>(values.size() + 1);
  // Room below for the foot, where failures stand.
  low_ = range.low - 0.06 * span - 0.5 * spread_;
  high_ = range.high + 0.04 * span + 0.5 * spread_;
  foot_ = low_ + 0.02 * span;
}

double HistoryScale::height_of(const SearchEvaluation& evaluation) const {
  if (evaluation.failed) return foot_;
  return unit_.value_of(evaluation.payoff) + spread_ * jitter_of(evaluation);
}

std::vector<Figure> history_figure(const ReportData& data) {
  return per_objective(data, history_of);
}

}  // namespace ntune
