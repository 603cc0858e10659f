#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/facts/result_text.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/shared.h"

namespace ntune {

std::vector<Figure> ranks_figure(const ReportData& data) {
  const Ranks& ranks = data.ranks;
  if (ranks.contestants.empty()) return {};
  Figure figure{
      .name = "ranks",
      .title = "Mean ranks",
      .data = {.columns = {"contestant", "mean_rank", "critical_difference", "wins", "blocks"}}};
  Panel panel{.x = {.label = "mean rank, 1 is best"}};
  std::vector<std::string> labels;
  const double half = 0.5 * ranks.critical_difference;
  figure.description = fmt::format("Mean ranks in {} blocks, critical difference {:.3g}.",
                                   count_text(ranks.blocks), ranks.critical_difference);
  // The best contestant stands on top: the axis counts upwards.
  for (auto one = ranks.contestants.rbegin(); one != ranks.contestants.rend(); ++one) {
    const auto y = static_cast<double>(labels.size());
    const int colour = colour_of_cell(data, one->cells[0]);
    const std::string tip =
        fmt::format("{}: mean rank {:.3f}, best in {} of {} blocks", one->label, one->mean_rank,
                    count_text(one->wins), count_text(ranks.blocks));
    panel.marks.emplace_back(Whisker{.from = {one->mean_rank - half, y},
                                     .to = {one->mean_rank + half, y},
                                     .colour = colour,
                                     .width = 2.2});
    panel.marks.emplace_back(
        Dot{.at = {one->mean_rank, y}, .colour = colour, .radius = 4.5, .tip = tip});
    labels.push_back(one->label);
  }
  // Text and table begin with the best.
  for (const Contestant& one : ranks.contestants) {
    figure.description += fmt::format(" {}: {:.3f}.", one.label, one.mean_rank);
    figure.data.rows.push_back({one.label, data_text(one.mean_rank),
                                data_text(ranks.critical_difference), std::to_string(one.wins),
                                std::to_string(ranks.blocks)});
  }
  panel.y = category_axis("", labels);
  figure.panels.push_back(std::move(panel));
  figure.panel_height = 24.0 + 22.0 * static_cast<double>(labels.size());
  // The caption says what a block is and how far the claim reaches.
  const std::size_t objectives = data.study.study.objectives.size();
  figure.caption = fmt::format(
      "The {} of one number use the same random streams in every cell; they are ranked against "
      "each other in {} blocks{}, ties shared. Two differ at the 5 % level where their bars do not "
      "overlap: a bar is one critical difference wide, {:.3g} ranks (Nemenyi; Demšar 2006). The "
      "claim holds for {}, not for others.",
      sample_noun(data), count_text(ranks.blocks),
      objectives > 1 ? fmt::format(" of {} objectives", objectives) : "", ranks.critical_difference,
      objectives > 1 ? "these objectives" : "this objective");
  return {figure};
}

std::vector<Figure> distribution_figure(const ReportData& data) {
  if (data.cells.empty()) return {};
  const StudyFolder& study = data.study;
  Figure figure{.name = "distribution",
                .title = "Distribution of scores",
                .description = "Share of runs or picks that score at most so much.",
                .data = {.columns = {"objective", "cell", "score", "share"}}};
  add_panels(figure, data, [&](std::size_t objective) {
    Panel panel{.x = {.label = score_noun(data.study.study)},
                .y = {.label = "% at most", .low = 0.0, .high = 100.0}};
    for (const std::size_t cell : cells_in_order(data, objective)) {
      std::vector<double> scores = data.cells[cell].scores;
      if (scores.empty()) continue;
      std::ranges::sort(scores);
      const std::string label = study.cell_label(cell, false);
      Line line{.colour = colour_of_cell(data, cell), .width = 1.8, .steps = true};
      // The line rises by one share at each score.
      line.points.push_back({scores.front(), 0.0});
      for (std::size_t i = 0; i < scores.size(); ++i) {
        const double share =
            100.0 * static_cast<double>(i + 1) / static_cast<double>(scores.size());
        line.points.push_back({scores[i], share});
        figure.data.rows.push_back({study.study.objectives[objective].label, label,
                                    data_text(scores[i]), data_text(share / 100.0)});
      }
      // The tip has the median, where the line crosses one half.
      line.tip = fmt::format("{}: median {}, n {}", label, score_text(scores[scores.size() / 2]),
                             scores.size());
      panel.marks.emplace_back(std::move(line));
    }
    return panel;
  });
  if (figure.panels.empty()) return {};
  figure.panel_height = 200.0;
  figure.legend = legend_of_cells(data, LegendEntry::Shape::kLine);
  figure.caption = fmt::format(
      "Empirical distribution: the share of a cell's {} that score at most so much. {}.",
      sample_noun(data),
      study.objective(0).unit().is_cost() ? "The line further left is better"
                                          : "The line further right is better");
  return {figure};
}

}  // namespace ntune
