#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/shared.h"

namespace ntune {

namespace {

struct ImportanceBar {
  std::string label;
  double share;
  int colour;
  std::optional<Interval> interval;

  /// The share in percent.
  [[nodiscard]] double percent() const { return 100.0 * share; }
};

/// Parameters and pairs, the most important last: a category axis counts upwards.
std::vector<ImportanceBar> bars_of(const ReportData& data, std::size_t objective) {
  constexpr std::size_t kMostBars = 15;
  const SearchStatistics& search = data.searches[objective];
  const Importance& importance = data.importance[objective];
  const SearchSpace& space = search.objective().space();
  std::vector<ImportanceBar> bars;
  for (const int i : shown_parameters(data, objective)) {
    const auto place = static_cast<std::size_t>(i);
    bars.push_back({short_name(space[i].name, 36), importance.mains[place], 0,
                    importance.main_intervals[place]});
  }
  // Pairs stand among the parameters, by their share beyond both.
  for (const PairShare& pair : shown_pairs(data, objective)) {
    bars.push_back({fmt::format("{} × {}", short_name(space[pair.a].name, 16),
                                short_name(space[pair.b].name, 16)),
                    pair.share, 1, pair.interval});
  }
  std::ranges::stable_sort(bars, std::greater(), &ImportanceBar::share);
  // What is not told from nothing is left out, but for the first ones.
  const auto is_empty = [](const ImportanceBar& bar) {
    return bar.percent() < 0.5 && (!bar.interval || bar.interval->low <= 0.0);
  };
  std::size_t kept = std::min(kMostBars, bars.size());
  constexpr std::size_t kFewestBars = 3;
  while (kept > kFewestBars && is_empty(bars[kept - 1])) --kept;
  bars.resize(kept);
  std::ranges::reverse(bars);
  return bars;
}

/// A row for each bar, with its number and its interval.
Panel bar_panel(const std::vector<ImportanceBar>& bars) {
  Panel panel{.x = {.label = "share of the variance of the evaluations, %"}};
  std::vector<std::string> labels;
  double largest = 0.0;
  for (const ImportanceBar& bar : bars) {
    const auto y = static_cast<double>(labels.size());
    // The number stands behind the bar, or behind the end of its interval.
    const std::string text = fmt::format("{:.2g}", bar.percent());
    std::string tip = fmt::format("{}: {} %", bar.label, text);
    double end = bar.percent();
    if (bar.interval) {
      end = std::max(end, 100.0 * bar.interval->high);
      tip += fmt::format(", 95 % [{:.2g}, {:.2g}]", 100.0 * bar.interval->low,
                         100.0 * bar.interval->high);
    }
    panel.marks.emplace_back(Block{.from = {0.0, y - 0.36},
                                   .to = {bar.percent(), y + 0.36},
                                   .colour = bar.colour,
                                   .opacity = 0.85,
                                   .tip = tip});
    if (bar.interval) {
      panel.marks.emplace_back(Whisker{.from = {100.0 * bar.interval->low, y},
                                       .to = {100.0 * bar.interval->high, y},
                                       .colour = kInk});
    }
    panel.marks.emplace_back(Note{.at = {end, y}, .text = text, .colour = kInk, .dx = 6, .dy = 4});
    labels.push_back(bar.label);
    largest = std::max(largest, end);
  }
  // The axis leaves room for the numbers behind the bars.
  panel.y = category_axis("", labels);
  panel.x.low = 0.0;
  panel.x.high = largest > 0.0 ? 1.2 * largest : 1.0;
  return panel;
}

Figure importance_of_objective(const ReportData& data, std::size_t objective) {
  const Importance& importance = data.importance[objective];
  const std::vector<ImportanceBar> bars = bars_of(data, objective);
  Figure figure{.name = "importance", .title = "Importance" + of_objective(data, objective)};
  figure.panels.push_back(bar_panel(bars));
  figure.panel_height = 10.0 + 19.0 * static_cast<double>(bars.size());
  // The table begins with the most important one.
  figure.data.columns = {"what", "share", "low", "high"};
  for (auto bar = bars.rbegin(); bar != bars.rend(); ++bar) {
    figure.data.rows.push_back(
        {bar->label, data_text(bar->share), low_text(bar->interval), high_text(bar->interval)});
  }
  if (std::ranges::any_of(bars, [](const ImportanceBar& bar) { return bar.colour == 1; })) {
    figure.legend = {{"parameter", 0, LegendEntry::Shape::kBlock},
                     {"pair, beyond its two parameters", 1, LegendEntry::Shape::kBlock}};
  }
  figure.description = fmt::format(
      "Share of the variance of evaluations that goes with parameters "
      "and pairs. Largest: {}, {:.2g} %.",
      bars.empty() ? "none" : bars.back().label,
      bars.empty() ? 0.0 : std::max(0.0, bars.back().percent()));
  figure.caption =
      "Omega squared of the searches' evaluations: what goes with a parameter's values beyond "
      "chance, and with a pair's beyond both. Parameters that moved together are counted twice, "
      "and what the searches left early counts little. Intervals leave out a tenth of the runs in "
      "turn, of fewer than ten runs a tenth of the evaluations (jackknife, 95 %). What is below "
      "0.5 % and not told from nothing is left out.";
  figure.caption += partial_note(data);
  // No parameter can explain what is noise.
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
