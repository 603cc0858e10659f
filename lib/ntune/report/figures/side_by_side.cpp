#include "ntune/report/figures/side_by_side.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/plot/sample_box.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/series.h"

namespace ntune {

namespace {

/// "title" of a study of one cell of the objective, else "title: cell".
std::string name_of(const ReportData& data, std::size_t cell) {
  const Study& study = data.study.study;
  const std::string title = shortened(data.study.title(), 40);
  if (study.cells() == study.objectives.size()) return title;
  return title + ": " + data.study.cell_label(cell, false);
}

double value_of(const Checkpoint& checkpoint) {
  return checkpoint.true_value.value_or(checkpoint.estimate);
}

/// Median over the runs of what each recommends, where at least half of them have come so far.
Line median_line(const std::vector<const RunTrace*>& traces, int colour) {
  std::set<std::int64_t> places;
  for (const RunTrace* trace : traces) {
    for (const Checkpoint& checkpoint : trace->checkpoints) places.insert(checkpoint.evaluations);
  }
  Line line{.colour = colour, .width = 2.2};
  for (const std::int64_t place : places) {
    std::vector<double> values;
    for (const RunTrace* trace : traces) {
      const Checkpoint* last = nullptr;
      for (const Checkpoint& checkpoint : trace->checkpoints) {
        if (checkpoint.evaluations <= place) last = &checkpoint;
      }
      const bool over = trace->checkpoints.back().evaluations < place;
      if (last != nullptr && (!over || trace->whole)) values.push_back(value_of(*last));
    }
    if (2 * values.size() < traces.size()) continue;
    std::ranges::sort(values);
    line.points.push_back({static_cast<double>(place), sorted_quantile(values, 0.5)});
  }
  return line;
}

/// Adds the medians of a study's cells, in colours of their own.
void add_medians(Figure& figure, Panel& panel, const ObjectiveOfStudy& study) {
  const ReportData& data = *study.data;
  std::map<std::size_t, std::vector<const RunTrace*>> by_cell;
  for (const RunTrace& trace : data.traces.runs) {
    if (data.study.study.objective_of(trace.cell) == study.objective &&
        !trace.checkpoints.empty()) {
      by_cell[trace.cell].push_back(&trace);
    }
  }
  for (const auto& [cell, traces] : by_cell) {
    const auto colour = static_cast<int>(figure.legend.size() % kSeries);
    Line line = median_line(traces, colour);
    if (line.points.empty()) continue;
    const std::string name = name_of(data, cell);
    line.tip = fmt::format("{}: median of {}, {} at the end", name, counted(traces.size(), "run"),
                           score_text(line.points.back().y));
    for (const Place& place : line.points) {
      figure.data.rows.push_back({name, data_text(place.x), data_text(place.y)});
    }
    figure.description += " " + line.tip + ".";
    figure.legend.push_back({shortened(name, 60), colour});
    panel.marks.emplace_back(std::move(line));
  }
}

}  // namespace

Figure shared_convergence_figure(const std::vector<ObjectiveOfStudy>& studies) {
  Figure figure{.name = "shared_convergence",
                .title = "Convergence",
                .description = "Median value of the recommendation against evaluations of a run.",
                .caption =
                    "Medians over the runs of each study, on the same axes. The true value "
                    "of what a run would recommend where that is known, else what its model "
                    "believes.",
                .panel_height = 260.0,
                .data = {.columns = {"study", "evaluations", "median"}}};
  Panel panel{.x = {.label = "evaluations of a run"},
              .y = {.label = "value of the recommendation"}};
  for (const ObjectiveOfStudy& study : studies) add_medians(figure, panel, study);
  if (figure.legend.size() > 1) figure.panels.push_back(std::move(panel));
  return figure;
}

Figure shared_values_figure(const std::vector<ObjectiveOfStudy>& studies) {
  Figure figure{.name = "shared_values",
                .title = "Values of the recommendations",
                .description = "Values of the recommendations with 95 % intervals.",
                .caption = "As each study has measured its recommendation by fresh evaluations.",
                .data = {.columns = {"study", "value", "low", "high"}}};
  Panel panel{.x = {.label = "value, 95 % interval"}};
  std::vector<std::string> labels;
  for (auto study = studies.rbegin(); study != studies.rend(); ++study) {
    const ReportData& data = *study->data;
    if (!data.study.result || !data.study.result->recommendation) continue;
    const SavedMeasurement& fresh = data.study.result->recommendation->fresh;
    const auto& value = fresh.value;
    const auto& interval = fresh.interval;
    if (!value) continue;
    const auto y = static_cast<double>(labels.size());
    labels.push_back(shortened(data.study.title(), 40));
    if (interval) {
      panel.marks.emplace_back(
          Whisker{.from = {interval->low, y}, .to = {interval->high, y}, .colour = 0});
    }
    panel.marks.emplace_back(
        Dot{.at = {*value, y}, .radius = 4.0, .tip = labels.back() + ": " + score_text(*value)});
    figure.data.rows.push_back(
        {labels.back(), data_text(*value),
         data_text(interval ? std::optional(interval->low) : std::nullopt),
         data_text(interval ? std::optional(interval->high) : std::nullopt)});
  }
  panel.y = category_axis("", labels);
  figure.panel_height = 24.0 + 24.0 * static_cast<double>(labels.size());
  if (labels.size() > 1) figure.panels.push_back(std::move(panel));
  return figure;
}

}  // namespace ntune
