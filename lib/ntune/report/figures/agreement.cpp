#include <algorithm>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/plot/axis.h"
#include "ntune/report/figures/figures.h"

namespace ntune {

namespace {

Panel agreement_panel(const SearchStatistics& search, int i,
                      const std::vector<const FinishedRun*>& runs) {
  const ValueGroups& groups = search.groups(i);
  std::vector<std::size_t> counts(groups.size());
  for (const FinishedRun* run : runs) ++counts[groups.group_of[run->point[i]]];
  const auto most = std::ranges::max_element(counts);
  const std::string name = search.objective().space()[i].name;
  Panel panel{.title = short_name(name), .x = category_axis("", groups.labels, groups.numeric)};
  for (std::size_t g = 0; g < counts.size(); ++g) {
    if (counts[g] == 0) continue;
    const double share = 100.0 * static_cast<double>(counts[g]) / static_cast<double>(runs.size());
    const auto x = static_cast<double>(g);
    const bool largest = g == static_cast<std::size_t>(most - counts.begin());
    panel.marks.emplace_back(
        Block{.from = {x - 0.4, 0.0},
              .to = {x + 0.4, share},
              .colour = 0,
              .opacity = largest ? 0.9 : 0.45,
              .tip = fmt::format("{} = {}: {} of {} runs", short_name(name, 40), groups.labels[g],
                                 counts[g], runs.size())});
  }
  panel.y = {.label = "% of runs", .low = 0.0, .high = 100.0};
  return panel;
}

}  // namespace

std::vector<Figure> agreement_figure(const ReportData& data) {
  std::vector<Figure> figures;
  for (std::size_t objective = 0; objective < data.searches.size(); ++objective) {
    const std::vector<const FinishedRun*> runs = runs_of_objective(data, objective);
    const SearchStatistics& search = data.searches[objective];
    if (runs.size() < 2 || search.varied().empty()) continue;
    Figure figure{.name = "agreement",
                  .title = "Where runs agree and disagree" + of_objective(data, objective)};
    for (const int i : search.varied()) figure.panels.push_back(agreement_panel(search, i, runs));
    figure.panel_width = 130.0;
    figure.panel_height = 90.0;
    figure.description =
        fmt::format("Share of {} runs that recommend each value of each parameter.", runs.size());
    figure.caption = fmt::format(
        "Values in the recommendations of {} runs{}. Where they scatter, the parameter matters "
        "little, depends on others, or the runs were too short to tell.",
        count_text(runs.size()),
        data.study.study.cells() > data.searches.size() ? " of all cells together" : "");
    if (data.searches.size() > 1) figure.name += fmt::format("-{}", objective + 1);
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace ntune
