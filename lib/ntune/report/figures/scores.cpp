#include <algorithm>

#include <fmt/format.h>

#include "ntune/core/score_text.h"
#include "ntune/core/statistics.h"
#include "ntune/core/text.h"
#include "ntune/facts/result_text.h"
#include "ntune/plot/sample_box.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/shared.h"

namespace ntune {

namespace {

constexpr std::size_t kMostOutside = 60;

/// Mean and 95 % interval; of numbers that are all alike there is no such interval.
std::string mean_text(const RunningStats& stats) {
  if (stats.min() == stats.max()) return score_text(stats.mean()) + " in all";
  const Interval interval = student_interval(stats);
  return score_text(stats.mean(), interval) + ", 95 % " + score_interval_text(interval);
}

/// A box plot with the mean and its interval, at the place x.
void add_box(Panel& panel, double x, const std::vector<double>& scores, int colour,
             const std::string& label) {
  constexpr double kHalf = 0.3;
  const SampleBox box = sample_box(scores);
  const RunningStats stats = stats_of(scores);
  const std::string tip =
      fmt::format("{}: n {}, mean {}, median {}, middle half {} to {}", label, scores.size(),
                  score_text(stats.mean()), score_text(box.median), score_text(box.first),
                  score_text(box.third));
  // Whiskers, box, median, and what lies outside of them.
  panel.marks.emplace_back(Whisker{.from = {x, box.low}, .to = {x, box.first}, .colour = kSoft});
  panel.marks.emplace_back(Whisker{.from = {x, box.third}, .to = {x, box.high}, .colour = kSoft});
  panel.marks.emplace_back(Block{.from = {x - kHalf, box.first},
                                 .to = {x + kHalf, box.third},
                                 .colour = colour,
                                 .opacity = 0.35,
                                 .tip = tip});
  panel.marks.emplace_back(Line{.points = {{x - kHalf, box.median}, {x + kHalf, box.median}},
                                .colour = colour,
                                .width = 2.2});
  for (std::size_t i = 0; i < std::min(kMostOutside, box.outside.size()); ++i) {
    panel.marks.emplace_back(
        Dot{.at = {x, box.outside[i]}, .colour = kSoft, .radius = 1.8, .hollow = true});
  }
  // The mean and its interval are drawn over the box; one score has no interval.
  if (scores.size() < 2) return;
  if (stats.min() < stats.max()) {
    const Interval mean = student_interval(stats);
    panel.marks.emplace_back(
        Whisker{.from = {x, mean.low}, .to = {x, mean.high}, .colour = kInk, .width = 1.6});
  }
  panel.marks.emplace_back(
      Dot{.at = {x, stats.mean()},
          .colour = kInk,
          .radius = 3.2,
          .tip = fmt::format("{}: mean {}, n {}", label, mean_text(stats), scores.size())});
}

/// A cell's mean paired difference with its interval, on the line y.
void add_difference(Panel& panel, double y, const std::string& label, const CellScores& cell,
                    int colour, Figure& figure) {
  const RunningStats stats = stats_of(cell.differences);
  const Interval interval = student_interval(stats);
  // Differences that are all alike have no interval.
  if (stats.min() < stats.max()) {
    panel.marks.emplace_back(
        Whisker{.from = {interval.low, y}, .to = {interval.high, y}, .colour = colour});
  }
  panel.marks.emplace_back(
      Dot{.at = {stats.mean(), y},
          .colour = colour,
          .radius = 3.6,
          .tip = fmt::format("{} minus {}: {}, {}", label, cell.reference, mean_text(stats),
                             counted(cell.differences.size(), "pair"))});
  figure.description += fmt::format(" {}: {}.", cell.label, mean_text(stats));
  figure.data.rows.push_back({cell.label, cell.reference, data_text(stats.mean()),
                              data_text(interval.low), data_text(interval.high),
                              std::to_string(stats.count())});
}

/// The cells of an objective, the best on top; no marks where none has pairs.
Panel differences_panel(const ReportData& data, std::size_t objective, Figure& figure) {
  const Study& study = data.study.study;
  Panel panel;
  std::vector<std::string> labels;
  std::string reference;
  std::vector<std::size_t> order = cells_in_order(data, objective);
  std::ranges::reverse(order);  // the axis counts upwards
  for (const std::size_t place : order) {
    const CellScores& cell = data.cells[place];
    if (cell.differences.size() < 2) continue;
    const std::string label = data.study.cell_label(cell.cell, false);
    add_difference(panel, static_cast<double>(labels.size()), label, cell,
                   colour_of_cell(data, cell.cell), figure);
    reference = cell.reference;
    labels.push_back(label);
  }
  // A dashed line at 0 lies below all differences.
  if (labels.empty()) return panel;
  const double top = static_cast<double>(labels.size()) - 0.5;
  panel.marks.insert(panel.marks.begin(),
                     Line{.points = {{0.0, -0.5}, {0.0, top}}, .colour = kSoft, .dashed = true});
  const bool by_plan = study.optimisers.size() > 1 && study.plans.size() > 1;
  panel.x = {.label = fmt::format("difference to {}",
                                  by_plan ? "the first of its plan" : short_name(reference, 24))};
  panel.y = category_axis("", labels);
  return panel;
}

}  // namespace

std::vector<Figure> scores_figure(const ReportData& data) {
  if (data.cells.empty()) return {};
  const StudyFolder& study = data.study;
  Figure figure{
      .name = "scores", .title = "Scores", .data = {.columns = {"objective", "cell", "score"}}};
  figure.description = fmt::format("Box plots of the scores of {}.", sample_noun(data));
  add_panels(figure, data, [&](std::size_t objective) {
    std::vector<std::string> labels;
    Panel panel{.y = {.label = score_noun(data.study.study)}};
    for (const std::size_t place : cells_in_order(data, objective)) {
      const CellScores& cell = data.cells[place];
      if (cell.scores.empty()) continue;
      const std::string label = study.cell_label(cell.cell, false);
      add_box(panel, static_cast<double>(labels.size()), cell.scores,
              colour_of_cell(data, cell.cell), label);
      // The table has every score, the description the means alone.
      for (const double score : cell.scores) {
        figure.data.rows.push_back(
            {study.study.objectives[objective].label, label, data_text(score)});
      }
      figure.description +=
          fmt::format(" {}: mean {}, n {}.", cell.label, score_text(stats_of(cell.scores).mean()),
                      cell.scores.size());
      labels.push_back(label);
    }
    panel.x = category_axis("", labels);
    return panel;
  });
  if (figure.panels.empty()) return {};
  figure.panel_height = 240.0;
  figure.caption = fmt::format(
      "One value for each of a cell's {}. Box: middle half; line: median; whiskers: the last "
      "values "
      "within 1.5 box lengths (Tukey), beyond them circles; dot: mean with Student's 95 % "
      "interval.",
      sample_noun(data));
  return {figure};
}

std::vector<Figure> differences_figure(const ReportData& data) {
  if (data.cells.empty()) return {};
  Figure figure{.name = "differences",
                .title = "Paired differences",
                .data = {.columns = {"cell", "less", "mean", "low", "high", "pairs"}}};
  figure.description = "Mean paired difference to the first cell with 95 % interval.";
  std::size_t most = 0;
  add_panels(figure, data, [&](std::size_t objective) {
    Panel panel = differences_panel(data, objective, figure);
    most = std::max(most, panel.y.categories.size());
    return panel;
  });
  if (figure.panels.empty()) return {};
  figure.panel_height = 24.0 + 22.0 * static_cast<double>(most);
  figure.caption =
      "Runs (or repeats) of the same number use the same random streams in every cell and are "
      "compared in pairs. Mean with Student's 95 % interval; the table has the bootstrap interval.";
  return {figure};
}

}  // namespace ntune
