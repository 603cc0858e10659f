#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/plot/axis.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/search_figures.h"
#include "ntune/study/evaluation/payoff_intervals.h"

namespace ntune {

namespace {

constexpr std::int64_t kFewest = 2;  ///< evaluations, for an interval

struct Effect {
  double mean = 0.0;
  std::optional<Interval> interval;
  std::int64_t n = 0;
};

Effect effect_of(const SearchStatistics& search, const PayoffSum& sum) {
  const Objective& objective = search.objective();
  Effect effect{.mean = objective.unit().value_of(sum.mean()), .interval = {}, .n = sum.n};
  if (sum.n >= kFewest) effect.interval = payoff_interval(objective, sum.stats());
  return effect;
}

/// Evaluations that a value needs for a say in the range of the axis.
bool has_enough(const SearchStatistics& search, const Effect& effect) {
  constexpr double kShare = 0.005;
  constexpr double kLeast = 3.0;
  return static_cast<double>(effect.n) >=
         std::max(kLeast, kShare * static_cast<double>(search.all().n));
}

/// From the least to the largest mean of values with enough evaluations, and of their intervals
/// what lies within half of that span around it: wide intervals do not press the means together.
ValueRange range_of(const SearchStatistics& search, const std::vector<int>& shown) {
  ValueRange means;
  ValueRange ends;
  for (const int i : shown) {
    for (std::size_t g = 0; g < search.groups(i).size(); ++g) {
      const Effect effect = effect_of(search, search.one(i, g));
      if (effect.n == 0 || !has_enough(search, effect)) continue;
      means.add(effect.mean);
      if (!effect.interval) continue;
      ends.add(effect.interval->low);
      ends.add(effect.interval->high);
    }
  }
  if (means.empty()) {
    const double mean = search.objective().unit().value_of(search.all().mean());
    return {mean - 0.5, mean + 0.5};
  }
  if (ends.empty()) ends = means;
  const double span = means.high - means.low;
  ValueRange range{std::min(means.low, std::max(ends.low, means.low - 0.5 * span)),
                   std::max(means.high, std::min(ends.high, means.high + 0.5 * span))};
  if (range.low == range.high) range = ends;
  if (range.low == range.high) range = {range.low - 0.5, range.high + 0.5};
  return range;
}

std::string effect_tip(const std::string& name, const std::string& value, const Effect& effect,
                       bool chosen) {
  std::string tip = fmt::format("{} = {}: mean {}, n {}", short_name(name, 40), value,
                                score_text(effect.mean, effect.interval), count_text(effect.n));
  if (effect.interval) {
    tip += ", 95 % " + score_interval_text(*effect.interval);
  }
  return chosen ? tip + "; recommended" : tip;
}

/// A value's mean and interval, cut to the range of the axis: a hollow dot lies beyond it.
void add_mean(std::vector<Mark>& marks, double x, const Effect& effect, const ValueRange& range,
              bool chosen, const std::string& tip) {
  const auto shown = [&range](double value) { return std::clamp(value, range.low, range.high); };
  const double mean = shown(effect.mean);
  if (effect.interval) {
    marks.emplace_back(Whisker{.from = {x, shown(effect.interval->low)},
                               .to = {x, shown(effect.interval->high)},
                               .colour = 0});
  }
  if (chosen) marks.emplace_back(Dot{.at = {x, mean}, .colour = 1, .radius = 6.0, .hollow = true});
  marks.emplace_back(
      Dot{.at = {x, mean}, .colour = 0, .radius = 3.0, .hollow = mean != effect.mean, .tip = tip});
}

/// The groups of a parameter as they are drawn: in their order, or the best mean first.
std::vector<std::size_t> drawn_groups(const SearchStatistics& search, int i) {
  const ValueGroups& groups = search.groups(i);
  std::vector<std::size_t> order;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups.numeric || search.one(i, g).n > 0) order.push_back(g);
  }
  if (groups.numeric) return order;
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t g) { return search.one(i, g).mean(); });
  return order;
}

void add_row(DataTable& table, const std::string& name, const std::string& value,
             const Effect& effect) {
  table.rows.push_back(
      {name, value, data_text(effect.mean),
       data_text(effect.interval ? std::optional(effect.interval->low) : std::nullopt),
       data_text(effect.interval ? std::optional(effect.interval->high) : std::nullopt),
       std::to_string(effect.n)});
}

/// One parameter: the line of the means and the means, and below them how often values were tried.
Panel effect_panel(const ReportData& data, std::size_t objective, int i, const ValueRange& range,
                   DataTable& table) {
  const SearchStatistics& search = data.searches[objective];
  const ValueGroups& groups = search.groups(i);
  const std::string& name = search.objective().space()[i].name;
  Panel panel{.title = short_name(name, 60)};
  const double span = range.high - range.low;
  panel.y.low = range.low - 0.04 * span;
  panel.y.high = range.high + 0.04 * span;
  Line line{.colour = 0, .width = 1.2};
  std::vector<Mark> means;
  std::vector<std::string> labels;
  for (const std::size_t g : drawn_groups(search, i)) {
    const Effect effect = effect_of(search, search.one(i, g));
    const auto x = static_cast<double>(labels.size());
    labels.push_back(groups.labels[g]);
    if (effect.n == 0) continue;
    const bool chosen = recommended_group(data, objective, i) == static_cast<int>(g);
    const std::string tip = effect_tip(name, groups.labels[g], effect, chosen);
    panel.strip.bars.push_back({x, static_cast<double>(effect.n), tip});
    add_mean(means, x, effect, range, chosen, tip);
    add_row(table, name, groups.labels[g], effect);
    line.points.push_back({x, std::clamp(effect.mean, range.low, range.high)});
  }
  panel.x = category_axis("", labels, groups.numeric);
  if (groups.numeric) panel.marks.emplace_back(line);
  panel.marks.insert(panel.marks.end(), means.begin(), means.end());
  return panel;
}

Figure main_effects_of(const ReportData& data, std::size_t objective) {
  const SearchStatistics& search = data.searches[objective];
  const std::vector<int> shown = shown_parameters(data, objective);
  Figure figure{.name = "main_effects",
                .title = "Main effects" + of_objective(data, objective),
                .data = {.columns = {"parameter", "value", "mean", "low", "high", "n"}}};
  const ValueRange range = range_of(search, shown);
  const std::string unit = unit_text(search.objective());
  for (const int i : shown) {
    Panel panel = effect_panel(data, objective, i, range, figure.data);
    panel.y.label = "mean " + unit;
    figure.panels.push_back(std::move(panel));
  }
  figure.panel_width = 150.0;
  figure.panel_height = 120.0;
  figure.description = fmt::format(
      "Mean {} of the searches' evaluations by the value of each of {} parameters, with 95 % "
      "intervals and counts.",
      unit, shown.size());
  figure.caption = fmt::format(
      "1-tuples: mean of all {} search evaluations that had the value, with 95 % interval. Bars: "
      "how many they are (n: the most of them). The searches prefer good points: a value's mean "
      "depends on what it was tried with, and rises with n. The axis is that of values with enough "
      "evaluations; what lies beyond it stands at its edge, hollow.",
      count_text(search.all().n));
  if (recommended_group(data, objective, search.varied()[0]) >= 0) {
    figure.legend = {{"mean, 95 % interval", 0, LegendEntry::Shape::kDot},
                     {"recommended value", 1, LegendEntry::Shape::kRing}};
  }
  const auto is_choice = [&](int i) { return !search.groups(i).numeric; };
  if (std::ranges::any_of(shown, is_choice)) {
    figure.caption += " Values without an order stand by their means.";
  }
  figure.caption += duel_note(data, objective) + partial_note(data);
  return figure;
}

}  // namespace

std::vector<Figure> main_effects_figure(const ReportData& data) {
  return per_objective(data, main_effects_of);
}

}  // namespace ntune
