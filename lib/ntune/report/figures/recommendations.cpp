#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/plot/axis.h"
#include "ntune/report/figures/figures.h"
#include "ntune/study/evaluation.h"

namespace ntune {

namespace {

constexpr std::size_t kMostRecommendationLines = 200;

/// The runs of an objective, in order.
std::vector<const FinishedRun*> runs_of(const ReportData& data, std::size_t objective) {
  std::vector<const FinishedRun*> runs;
  for (const FinishedRun& run : data.study.runs) {
    if (data.study.study.objective_of(run.cell) == objective) runs.push_back(&run);
  }
  return runs;
}

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

/// The last axis: what a recommendation is worth.
struct Worth {
  std::string label;
  double low = 0.0;
  double high = 1.0;

  [[nodiscard]] double place(double value) const {
    return high > low ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 0.5;
  }
};

double worth_of(const FinishedRun& run) { return run.score().value_or(run.estimate); }

double place_of(const Parameter& parameter, std::uint16_t value) {
  return parameter.cardinality() < 2
             ? 0.5
             : static_cast<double>(value) / static_cast<double>(parameter.cardinality() - 1);
}

void add_axis(Panel& panel, double x, const std::vector<std::string>& labels) {
  constexpr std::size_t kMostLabels = 6;
  panel.marks.emplace_back(Line{.points = {{x, 0.0}, {x, 1.0}}, .colour = kSoft, .width = 1.0});
  if (labels.empty()) return;
  const std::size_t last = labels.size() - 1;
  const std::size_t every = last / kMostLabels + 1;
  for (std::size_t v = 0; v <= last; v += every) {
    const double y = last == 0 ? 0.5 : static_cast<double>(v) / static_cast<double>(last);
    panel.marks.emplace_back(
        Note{.at = {x, y}, .text = short_name(labels[v], 10), .colour = kInk, .dx = 4, .dy = 4});
  }
}

}  // namespace

std::vector<Figure> agreement_figure(const ReportData& data) {
  std::vector<Figure> figures;
  for (std::size_t objective = 0; objective < data.searches.size(); ++objective) {
    const std::vector<const FinishedRun*> runs = runs_of(data, objective);
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

std::vector<Figure> parallel_figure(const ReportData& data) {
  std::vector<Figure> figures;
  for (std::size_t objective = 0; objective < data.searches.size(); ++objective) {
    const SearchStatistics& search = data.searches[objective];
    const std::vector<const FinishedRun*> runs = runs_of(data, objective);
    const std::vector<int>& varied = search.varied();
    if (runs.size() < 2 || varied.size() < 2) continue;
    const SearchSpace& space = search.objective().space();
    const bool scored =
        std::ranges::all_of(runs, [](const FinishedRun* run) { return run->score().has_value(); });
    Worth worth{.label = !scored ? "estimate" : runs[0]->true_value ? "true value" : "hold-out"};
    worth.low = worth.high = worth_of(*runs[0]);
    for (const FinishedRun* run : runs) {
      worth.low = std::min(worth.low, worth_of(*run));
      worth.high = std::max(worth.high, worth_of(*run));
    }
    Panel panel;
    std::vector<std::string> names;
    const bool cost = search.objective().unit().is_cost();
    const std::size_t shown = std::min(kMostRecommendationLines, runs.size());
    for (std::size_t r = 0; r < shown; ++r) {
      const FinishedRun& run = *runs[r];
      const bool chosen =
          !data.rivals.empty() && data.rivals[0].recommended && run.point == data.rivals[0].point;
      const double good = cost ? 1.0 - worth.place(worth_of(run)) : worth.place(worth_of(run));
      Line line{
          .colour = chosen ? 1 : 0,
          .width = chosen ? 2.6 : 1.2,
          .opacity = chosen ? 1.0 : 0.2 + 0.6 * good,
          .tip = fmt::format("run {}: {}; {} {}", run.run, printable(space.text(run.point), 240),
                             worth.label, short_number(worth_of(run)))};
      for (std::size_t k = 0; k < varied.size(); ++k) {
        line.points.push_back(
            {static_cast<double>(k), place_of(space[varied[k]], run.point[varied[k]])});
      }
      line.points.push_back({static_cast<double>(varied.size()), worth.place(worth_of(run))});
      panel.marks.emplace_back(std::move(line));
    }
    for (std::size_t k = 0; k < varied.size(); ++k) {
      std::vector<std::string> labels;
      for (const Value& value : space[varied[k]].values) labels.push_back(value_text(value));
      add_axis(panel, static_cast<double>(k), labels);
      names.push_back(space[varied[k]].name);
    }
    add_axis(panel, static_cast<double>(varied.size()),
             {short_number(worth.low, 3), short_number(worth.high, 3)});
    names.push_back(worth.label);
    panel.x = category_axis("", names);
    panel.x.low = -0.15;
    panel.x.high = static_cast<double>(varied.size()) +
                   std::max(0.6, 0.18 * static_cast<double>(varied.size()));
    panel.y = {.low = -0.05, .high = 1.05, .hidden = true};
    Figure figure{.name = "parallel",
                  .title = "Recommendations of the runs" + of_objective(data, objective)};
    figure.panels.push_back(std::move(panel));
    figure.panel_height = 230.0;
    figure.description =
        fmt::format("Parallel coordinates of the recommendations of {} runs; {} from {} to {}.",
                    shown, worth.label, short_number(worth.low), short_number(worth.high));
    figure.caption = fmt::format(
        "A line for each run{}, darker where its {} is better{}. On a page, drag along an axis to "
        "choose lines.",
        shown < runs.size() ? fmt::format(" (the first {})", shown) : "", worth.label,
        data.rivals.empty() ? "" : "; orange: the study's recommendation");
    if (data.searches.size() > 1) figure.name += fmt::format("-{}", objective + 1);
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace ntune
