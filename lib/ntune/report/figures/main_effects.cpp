#include <algorithm>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/plot/axis.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/search_figures.h"
#include "ntune/study/choice/payoff_intervals.h"

namespace ntune {

namespace {

constexpr std::int64_t kFewest = 2;  ///< evaluations, for an interval

/// The group that the study recommends; -1: it recommends nothing.
int recommended_group(const ReportData& data, int parameter) {
  if (data.rivals.empty() || !data.rivals[0].recommended) return -1;
  const Point& point = data.rivals[0].point;
  return data.searches[0].groups(parameter).group_of[point[parameter]];
}

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

/// The range of the means and intervals that have enough evaluations not to stretch the axis by
/// their noise.
ValueRange range_of(const SearchStatistics& search) {
  ValueRange range;
  const double enough = static_cast<double>(search.all().n) * 0.002;
  for (const int i : search.varied()) {
    for (std::size_t g = 0; g < search.groups(i).size(); ++g) {
      const Effect effect = effect_of(search, search.one(i, g));
      if (effect.n == 0 || static_cast<double>(effect.n) < enough) continue;
      range.add(effect.mean);
      if (effect.interval) {
        range.add(effect.interval->low);
        range.add(effect.interval->high);
      }
    }
  }
  if (range.empty()) range = {0.0, 1.0};
  if (range.low == range.high) range = {range.low - 0.5, range.high + 0.5};
  return range;
}

std::string effect_tip(const std::string& name, const std::string& value, const Effect& effect,
                       bool chosen) {
  std::string tip = fmt::format("{} = {}: mean {}, n {}", short_name(name, 40), value,
                                short_number(effect.mean), count_text(effect.n));
  if (effect.interval) {
    tip += fmt::format(", 95 % [{}, {}]", short_number(effect.interval->low),
                       short_number(effect.interval->high));
  }
  return chosen ? tip + "; recommended" : tip;
}

/// A value's mean and interval, cut to the range of the axis.
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
  marks.emplace_back(Dot{.at = {x, mean}, .colour = 0, .radius = 3.0, .tip = tip});
}

/// One parameter: bars of counts at the foot, then the line of the means, then the means.
Panel effect_panel(const ReportData& data, std::size_t objective, int i, const ValueRange& range) {
  const SearchStatistics& search = data.searches[objective];
  const ValueGroups& groups = search.groups(i);
  const std::string& name = search.objective().space()[i].name;
  Panel panel{.title = short_name(name), .x = category_axis("", groups.labels, groups.numeric)};
  const double span = range.high - range.low;
  panel.y.low = range.low - 0.3 * span;
  panel.y.high = range.high + 0.04 * span;
  std::int64_t most = 1;
  for (std::size_t g = 0; g < groups.size(); ++g) most = std::max(most, search.one(i, g).n);
  Line line{.colour = 0, .width = 1.2};
  std::vector<Mark> means;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Effect effect = effect_of(search, search.one(i, g));
    if (effect.n == 0) continue;
    const auto x = static_cast<double>(g);
    const bool chosen = objective == 0 && recommended_group(data, i) == static_cast<int>(g);
    const std::string tip = effect_tip(name, groups.labels[g], effect, chosen);
    const double share = static_cast<double>(effect.n) / static_cast<double>(most);
    panel.marks.emplace_back(Block{.from = {x - 0.38, panel.y.low},
                                   .to = {x + 0.38, panel.y.low + 0.24 * span * share},
                                   .colour = kSoft,
                                   .opacity = 0.35,
                                   .tip = tip});
    add_mean(means, x, effect, range, chosen, tip);
    line.points.push_back({x, std::clamp(effect.mean, range.low, range.high)});
  }
  if (groups.numeric) panel.marks.emplace_back(line);
  panel.marks.insert(panel.marks.end(), means.begin(), means.end());
  return panel;
}

Figure main_effects_of(const ReportData& data, std::size_t objective) {
  const SearchStatistics& search = data.searches[objective];
  Figure figure{.name = "main_effects", .title = "Main effects" + of_objective(data, objective)};
  const ValueRange range = range_of(search);
  const std::string unit = unit_text(search.objective());
  for (const int i : search.varied()) {
    Panel panel = effect_panel(data, objective, i, range);
    panel.y.label = "mean " + unit;
    figure.panels.push_back(std::move(panel));
  }
  figure.panel_width = 150.0;
  figure.panel_height = 150.0;
  figure.description = fmt::format(
      "Mean {} of the searches' evaluations by the value of each of {} parameters, with 95 % "
      "intervals and counts.",
      unit, search.varied().size());
  figure.caption = fmt::format(
      "1-tuples: mean of all {} search evaluations that had the value, with 95 % interval; grey "
      "bars: how many they are (n, the tallest is the parameter's largest). The searches prefer "
      "good points: a value's mean depends on what it was tried with, and rises with n.",
      count_text(search.all().n));
  if (objective == 0 && !data.rivals.empty() && data.rivals[0].recommended) {
    figure.caption += " Ring: the recommended value.";
  }
  return figure;
}

}  // namespace

std::vector<Figure> main_effects_figure(const ReportData& data) {
  return per_objective(data, main_effects_of);
}

}  // namespace ntune
