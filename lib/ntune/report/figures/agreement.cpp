#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/shared.h"

namespace ntune {

namespace {

/// How many runs recommend a value of each group.
std::vector<std::size_t> counts_of(const ValueGroups& groups, int i,
                                   const std::vector<const FinishedRun*>& runs) {
  std::vector<std::size_t> counts(groups.size());
  for (const FinishedRun* run : runs) ++counts[groups.group_of[run->point[i]]];
  return counts;
}

/// One parameter: a bar for each group of values that a run recommends.
Panel agreement_panel(const ReportData& data, std::size_t objective, int i,
                      const std::vector<const FinishedRun*>& runs) {
  const SearchStatistics& search = data.searches[objective];
  const int recommended = recommended_group(data, objective, i);
  const ValueGroups& groups = search.groups(i);
  const std::vector<std::size_t> counts = counts_of(groups, i, runs);
  const std::string name = search.objective().space()[i].name;
  Panel panel{.title = short_name(name, 60), .x = category_axis("", groups.labels, groups.numeric)};
  // Values that no run recommends have no bar; the study's own stands out.
  for (std::size_t g = 0; g < counts.size(); ++g) {
    if (counts[g] == 0) continue;
    const double share = 100.0 * static_cast<double>(counts[g]) / static_cast<double>(runs.size());
    const auto x = static_cast<double>(g);
    const bool chosen = static_cast<int>(g) == recommended;
    panel.marks.emplace_back(Block{
        .from = {x - 0.4, 0.0},
        .to = {x + 0.4, share},
        .colour = chosen ? 1 : 0,
        .opacity = chosen ? 0.9 : 0.5,
        .tip = fmt::format("{} = {}: {} of {}{}", short_name(name, 40), groups.labels[g], counts[g],
                           counted(runs.size(), "run"), chosen ? "; recommended" : "")});
  }
  panel.y = {.label = "% of runs", .low = 0.0, .high = 100.0};
  return panel;
}

/// How many runs recommend a value of each group, as a table.
void add_rows(DataTable& table, const SearchStatistics& search, int i,
              const std::vector<const FinishedRun*>& runs) {
  const ValueGroups& groups = search.groups(i);
  const std::vector<std::size_t> counts = counts_of(groups, i, runs);
  table.columns = {"parameter", "value", "runs", "of"};
  for (std::size_t g = 0; g < counts.size(); ++g) {
    table.rows.push_back({search.objective().space()[i].name, groups.labels[g],
                          std::to_string(counts[g]), std::to_string(runs.size())});
  }
}

/// No panels where fewer than two runs have finished.
Figure agreement_of(const ReportData& data, std::size_t objective) {
  const std::vector<const FinishedRun*> runs = runs_of_objective(data, objective);
  const SearchStatistics& search = data.searches[objective];
  const std::vector<int> shown = shown_parameters(data, objective);
  Figure figure{.name = "agreement",
                .title = "Where runs agree and disagree" + of_objective(data, objective)};
  if (runs.size() < 2) return figure;
  for (const int i : shown) {
    figure.panels.push_back(agreement_panel(data, objective, i, runs));
    add_rows(figure.data, search, i, runs);
  }
  // The legend is needed only where the study recommends a value.
  if (recommended_group(data, objective, shown[0]) >= 0) {
    figure.legend = {{"the study's recommendation", 1, LegendEntry::Shape::kBlock},
                     {"other runs", 0, LegendEntry::Shape::kBlock}};
  }
  figure.panel_width = 130.0;
  figure.panel_height = 90.0;
  figure.description =
      fmt::format("Share of {} runs that recommend each value of each parameter.", runs.size());
  figure.caption = fmt::format(
      "Values in the recommendations of {} runs{}. Where they scatter, the parameter matters "
      "little, depends on others, or the runs were too short to tell.",
      count_text(runs.size()),
      data.study.study.cells() > data.searches.size() ? " of all cells together" : "");
  return figure;
}

}  // namespace

std::vector<Figure> agreement_figure(const ReportData& data) {
  return per_objective(data, agreement_of, false);
}

}  // namespace ntune
