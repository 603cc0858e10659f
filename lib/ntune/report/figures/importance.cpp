#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/plot/axis.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/search_figures.h"

namespace ntune {

namespace {

struct ImportanceBar {
  std::string label;
  double share;
  int colour;

  [[nodiscard]] double percent() const { return 100.0 * share; }
};

/// Parameters and pairs, the most important last: a category axis counts upwards.
std::vector<ImportanceBar> bars_of(const SearchStatistics& search, const Importance& importance) {
  constexpr std::size_t kMostBars = 20;
  const SearchSpace& space = search.objective().space();
  std::vector<ImportanceBar> bars;
  for (const int i : search.varied()) {
    bars.push_back(
        {short_name(space[i].name, 20), importance.mains[static_cast<std::size_t>(i)], 0});
  }
  for (const PairShare& pair : importance.pairs) {
    bars.push_back({fmt::format("{} × {}", short_name(space[pair.a].name, 10),
                                short_name(space[pair.b].name, 10)),
                    pair.share, 1});
  }
  std::ranges::stable_sort(bars, std::greater(), &ImportanceBar::share);
  if (bars.size() > kMostBars) bars.resize(kMostBars);
  std::ranges::reverse(bars);
  return bars;
}

Panel bar_panel(const std::vector<ImportanceBar>& bars) {
  Panel panel{.x = {.label = "share of the variance of the evaluations, %"}};
  std::vector<std::string> labels;
  double largest = 0.0;
  for (const ImportanceBar& bar : bars) {
    const auto y = static_cast<double>(labels.size());
    const std::string text = fmt::format("{:.2g}", bar.percent());
    panel.marks.emplace_back(Block{.from = {0.0, y - 0.36},
                                   .to = {bar.percent(), y + 0.36},
                                   .colour = bar.colour,
                                   .opacity = 0.85,
                                   .tip = fmt::format("{}: {} %", bar.label, text)});
    panel.marks.emplace_back(
        Note{.at = {bar.percent(), y}, .text = text, .colour = kInk, .dx = 4, .dy = 4});
    labels.push_back(bar.label);
    largest = std::max(largest, bar.percent());
  }
  panel.y = category_axis("", labels);
  panel.x.low = 0.0;
  panel.x.high = largest > 0.0 ? 1.12 * largest : 1.0;
  return panel;
}

Figure importance_of_objective(const ReportData& data, std::size_t objective) {
  const Importance& importance = data.importance[objective];
  const std::vector<ImportanceBar> bars = bars_of(data.searches[objective], importance);
  Figure figure{.name = "importance", .title = "Importance" + of_objective(data, objective)};
  figure.panels.push_back(bar_panel(bars));
  figure.panel_height = 10.0 + 19.0 * static_cast<double>(bars.size());
  figure.legend = {{"parameter", 0, LegendEntry::Shape::kBlock},
                   {"pair, beyond its two parameters", 1, LegendEntry::Shape::kBlock}};
  figure.description = fmt::format(
      "Share of the variance of evaluations that goes with parameters "
      "and pairs. Largest: {}, {:.2g} %.",
      bars.empty() ? "none" : bars.back().label,
      bars.empty() ? 0.0 : std::max(0.0, bars.back().percent()));
  figure.caption =
      "Omega squared of the searches' evaluations: what goes with a parameter's values beyond "
      "chance, and with a pair's beyond both. Parameters that moved together are counted twice, "
      "and what the searches left early counts little.";
  if (const std::optional<double>& noise = importance.noise) {
    figure.caption += fmt::format(
        " Where points were sampled again, {:.0f} % of the variance is noise "
        "within equal points.",
        100.0 * *noise);
  }
  return figure;
}

}  // namespace

std::vector<Figure> importance_figure(const ReportData& data) {
  return per_objective(data, importance_of_objective);
}

}  // namespace ntune
