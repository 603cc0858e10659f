#include <algorithm>
#include <cstdint>
#include <map>
#include <string>

#include <fmt/format.h>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/plot/sample_box.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/shared.h"

namespace ntune {

namespace {

constexpr std::size_t kMostRunLines = 100;
/// A band of the middle half is drawn of this many runs or more.
constexpr std::size_t kLeastOfBand = 3;
constexpr std::size_t kMostSteps = 64;

/// Numbers of evaluations at which the runs are summarised: about kMostSteps of their checkpoints,
/// and the last one.
std::vector<std::int64_t> grid_of(const std::vector<const RunTrace*>& traces) {
  const std::vector<std::int64_t> all = checkpoints_of(traces);
  std::vector<std::int64_t> grid;
  // Every k-th checkpoint of all runs, and the last one.
  const std::size_t every = all.size() / kMostSteps + 1;
  for (std::size_t i = 0; i < all.size(); i += every) grid.push_back(all[i]);
  if (grid.back() != all.back()) grid.push_back(all.back());
  return grid;
}

struct Summary {
  Line median;
  Band band;
  double last = 0.0;
};

/// Where the budget is split in several ways, they are compared by the evaluations of all runs.
bool by_total_budget(const StudyFolder& study) {
  return study.study.unit == SampleUnit::kPicks && study.study.plans.size() > 1;
}

/// What one evaluation of a run stands for on the axis.
double axis_factor(const StudyFolder& study, std::size_t cell) {
  return by_total_budget(study) ? static_cast<double>(study.plan(cell).runs) : 1.0;
}

/// Median and quartiles over the runs where at least half of them are.
Summary summary_of(const std::vector<const RunTrace*>& traces, int colour, double factor) {
  Summary summary;
  summary.median = {.colour = colour, .width = 2.4};
  summary.band.colour = colour;
  for (const std::int64_t evaluations : grid_of(traces)) {
    const std::vector<double> values = worths_at(traces, evaluations);
    if (values.empty()) continue;
    // Splits of one budget are compared by the evaluations of all their runs.
    const double x = factor * static_cast<double>(evaluations);
    summary.median.points.push_back({x, sorted_quantile(values, 0.5)});
    summary.band.low.push_back({x, sorted_quantile(values, 0.25)});
    summary.band.high.push_back({x, sorted_quantile(values, 0.75)});
  }
  if (!summary.median.points.empty()) summary.last = summary.median.points.back().y;
  return summary;
}

/// A run as a thin line through its checkpoints.
Line line_of(const RunTrace& trace, int colour) {
  Line line{.colour = colour, .width = 1.0, .opacity = 0.45};
  for (const Checkpoint& checkpoint : trace.checkpoints) {
    line.points.push_back({static_cast<double>(checkpoint.evaluations), worth_of(checkpoint)});
  }
  line.tip =
      fmt::format("run {}: {} after {}", trace.run, score_text(worth_of(trace.checkpoints.back())),
                  counted(trace.checkpoints.back().evaluations, "evaluation"));
  return line;
}

/// A dashed line at the best value of the space, where that is known.
void add_optimum(Panel& panel, const Objective& objective, double last) {
  const std::optional<double> optimum = optimum_of(objective);
  if (!optimum) return;
  panel.marks.emplace_back(Line{.points = {{0.0, *optimum}, {last, *optimum}},
                                .colour = kTruth,
                                .dashed = true,
                                .tip = fmt::format("best of the space {}", score_text(*optimum))});
}

/// What a run would recommend, for the CSV file.
void add_rows(DataTable& table, const StudyFolder& study, const RunTrace& trace, double factor) {
  for (const Checkpoint& checkpoint : trace.checkpoints) {
    table.rows.push_back({study.cell_label(trace.cell, true), std::to_string(trace.repeat),
                          std::to_string(trace.run), std::to_string(checkpoint.evaluations),
                          data_text(factor * static_cast<double>(checkpoint.evaluations)),
                          data_text(checkpoint.estimate), data_text(checkpoint.true_value)});
  }
}

/// The lines and bands that are drawn, for the CSV file of more runs than it could hold.
void add_summary(DataTable& table, const std::string& cell, std::size_t runs,
                 const Summary& summary, double factor) {
  for (std::size_t i = 0; i < summary.median.points.size(); ++i) {
    const Place& at = summary.median.points[i];
    table.rows.push_back({cell, std::to_string(runs), data_text(at.x / factor), data_text(at.x),
                          data_text(at.y), data_text(summary.band.low[i].y),
                          data_text(summary.band.high[i].y)});
  }
}

/// Whether the CSV file has each run.
bool writes_runs(const ReportData& data) {
  return data.traces.runs.size() <= kMostRunLines * data.study.study.objectives.size();
}

/// Evaluations before a pick, those of the comparison included.
double budget_of(const RunPlan& plan) {
  return static_cast<double>(plan.search() + plan.re_evaluation);
}

/// The mean of what the repeats of a split pick, at the end of its budget.
void add_picks(Panel& panel, const ReportData& data, std::size_t cell, int colour) {
  const CellScores& scores = data.cells[cell];
  if (scores.scores.empty()) return;
  // A circle at the budget of the split, at the mean of what it picks.
  const double mean = stats_of(scores.scores).mean();
  panel.marks.emplace_back(
      Dot{.at = {budget_of(data.study.plan(cell)), mean},
          .colour = colour,
          .radius = 5.0,
          .hollow = true,
          .tip = fmt::format("{}: mean of {}, {}", scores.label,
                             counted(scores.scores.size(), "pick"), score_text(mean))});
}

/// Cells of one objective in one panel: all runs of a single cell, medians of several.
Panel panel_of(const ReportData& data, std::size_t objective, Figure& figure) {
  const StudyFolder& study = data.study;
  Panel panel{.x = {.label = by_total_budget(study) ? "evaluations of all runs together"
                                                    : "evaluations of a run"}};
  const bool alone = study.study.cells() == study.study.objectives.size();
  std::map<std::size_t, std::vector<const RunTrace*>> by_cell;
  double last = 0.0;
  bool truth = true;
  // The axis ends at the longest run; true values are told where every run has one.
  for (const RunTrace& trace : data.traces.runs) {
    if (study.study.objective_of(trace.cell) != objective) continue;
    by_cell[trace.cell].push_back(&trace);
    last = std::max(last, axis_factor(study, trace.cell) *
                              static_cast<double>(trace.checkpoints.back().evaluations));
    if (by_total_budget(study)) last = std::max(last, budget_of(study.plan(trace.cell)));
    truth = truth && trace.checkpoints.back().true_value.has_value();
  }
  panel.y.label = truth ? "true value of the recommendation" : "model's estimate";
  if (truth) add_optimum(panel, *study.study.objectives[objective].objective, last);
  // Of each cell the band, then single runs where it is alone, and the median on top.
  for (const auto& [cell, traces] : by_cell) {
    const int colour = colour_of_cell(data, cell);
    const double factor = axis_factor(study, cell);
    Summary summary = summary_of(traces, colour, factor);
    const std::string label = study.cell_label(cell, false);
    const std::string who = alone ? "" : label + ": ";
    summary.median.tip = fmt::format("{}median of {}: {} at the end", who,
                                     counted(traces.size(), "run"), score_text(summary.last));
    figure.description += fmt::format(" {}{}, median at the end {}.", who,
                                      counted(traces.size(), "run"), score_text(summary.last));
    // The table has every run, or of too many the lines that are drawn.
    if (writes_runs(data)) {
      for (const RunTrace* trace : traces) add_rows(figure.data, study, *trace, factor);
    } else {
      add_summary(figure.data, study.cell_label(cell, true), traces.size(), summary, factor);
    }
    if (traces.size() >= kLeastOfBand) panel.marks.emplace_back(summary.band);
    for (std::size_t i = 0; alone && i < std::min(kMostRunLines, traces.size()); ++i) {
      panel.marks.emplace_back(line_of(*traces[i], colour));
    }
    panel.marks.emplace_back(summary.median);
    if (by_total_budget(study)) add_picks(panel, data, cell, colour);
  }
  panel.x.high = last;
  return panel;
}

/// Whether some cell may have runs enough.
bool shows_middle_half(const ReportData& data) { return data.traces.runs.size() >= kLeastOfBand; }

/// What the lines are, and which runs are missing.
std::string caption_of(const ReportData& data) {
  const Traces& traces = data.traces;
  std::string text =
      optimum_of(*data.study.study.objectives[0].objective) || data.study.study.true_values_known()
          ? "The true value of what a run would recommend, had it ended there."
          : "What the run's model believes its recommendation to be worth: good for ranking, "
            "biased "
            "as a value; the hold-out measures it.";
  if (shows_middle_half(data)) text += " Thick: median of the runs; band: their middle half.";
  if (by_total_budget(data.study)) {
    text +=
        " Splits of one budget are set side by side: each evaluation of a run counts once for "
        "every run of the split. Circle: mean of what is picked "
        "in the end, after the comparison.";
  }
  // What is missing in the figure is said in its caption.
  const auto shown = static_cast<std::int64_t>(traces.runs.size());
  if (shown < traces.of) {
    text += fmt::format(" Of {}: {}.", share_of_runs(shown, traces.of), traces.problem);
  }
  const bool alone = data.study.study.cells() == data.study.study.objectives.size();
  if (alone && traces.runs.size() > kMostRunLines * data.study.study.objectives.size()) {
    text += fmt::format(" Thin lines: the first {}.", kMostRunLines);
  }
  return text;
}

/// "title" of a study of one cell of the objective, else "title: cell".
std::string name_of(const ReportData& data, std::size_t cell) {
  const Study& study = data.study.study;
  const std::string title = shortened(data.study.title(), 40);
  if (study.cells() == study.objectives.size()) return title;
  return title + ": " + data.study.cell_label(cell, false);
}

/// Median over the runs of what each recommends, where at least half of them have come so far.
Line median_line(const std::vector<const RunTrace*>& traces, int colour) {
  Line line{.colour = colour, .width = 2.2};
  for (const std::int64_t place : checkpoints_of(traces)) {
    const std::vector<double> worths = worths_at(traces, place);
    if (worths.empty()) continue;
    line.points.push_back({static_cast<double>(place), sorted_quantile(worths, 0.5)});
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
  // Colours go on from study to study, so that no two lines share one.
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

std::vector<Figure> convergence_figure(const ReportData& data) {
  if (data.traces.runs.empty()) return {};
  Figure figure{.name = "convergence",
                .title = "Convergence",
                .description = "Value of the recommendation against evaluations."};
  figure.data.columns = writes_runs(data)
                            ? std::vector<std::string>{"cell",
                                                       "repeat",
                                                       "run",
                                                       "evaluations",
                                                       "total_evaluations",
                                                       "estimate",
                                                       "true_value"}
                            : std::vector<std::string>{
                                  "cell",   "runs",           "evaluations",   "total_evaluations",
                                  "median", "lower_quartile", "upper_quartile"};
  const StudyFolder& study = data.study;
  const std::size_t objectives = study.study.objectives.size();
  add_panels(figure, data,
             [&](std::size_t objective) { return panel_of(data, objective, figure); });
  figure.panel_height = objectives > 1 ? 200.0 : 260.0;
  figure.caption = caption_of(data);
  // One cell an objective is told as runs and their median, several by their names.
  const std::size_t per_objective = study.study.cells() / objectives;
  if (per_objective == 1) {
    const auto shown = static_cast<std::int64_t>(data.traces.runs.size());
    figure.legend.push_back({data.traces.of > 1
                                 ? fmt::format("median of {}", share_of_runs(shown, data.traces.of))
                                 : "the run",
                             colour_of_cell(data, 0)});
  } else {
    figure.legend = legend_of_cells(data, LegendEntry::Shape::kLine);
  }
  if (per_objective == 1 && shows_middle_half(data)) {
    figure.legend.push_back({"middle half", 0, LegendEntry::Shape::kBand});
  }
  if (optimum_of(*study.study.objectives[0].objective)) {
    figure.legend.push_back({"best of the space", kTruth, LegendEntry::Shape::kDash});
  }
  return {figure};
}

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

}  // namespace ntune
