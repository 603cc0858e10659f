#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/objective/objective.h"
#include "ntune/plot/axis.h"
#include "ntune/plot/svg_text.h"
#include "ntune/report/page/html.h"
#include "ntune/report/page/sections.h"

namespace ntune {

namespace {

/// Where a value lies in a range, from 0 to 1.
double share_in(const ValueRange& range, double value) {
  return range.high > range.low ? (value - range.low) / (range.high - range.low) : 0.0;
}

/// A value on a ground that is the darker, the larger its share.
std::string ground(double share, double value, const std::optional<Interval>& interval = {}) {
  return fmt::format("<span style=\"background:rgba(70,130,180,{:.2f});padding:0 .4em\">{}</span>",
                     0.05 + 0.5 * share, html_number(value, interval));
}

/// A value on a ground that is the darker, the higher it lies in the range.
std::string shaded(const std::optional<double>& value, const ValueRange& range,
                   const std::optional<Interval>& interval) {
  return value ? ground(share_in(range, *value), *value, interval) : "–";
}

/// The mean, without what rounding leaves of a sum that is 0.
double mean_of(const RunningStats& stats) {
  constexpr double kRounding = 1e-12;
  return std::abs(stats.mean()) < kRounding * stats.sd() ? 0.0 : stats.mean();
}

/// Mean payoff of a setting on an instance, if it was evaluated there.
std::optional<double> gain_on(const InstanceMap::Row& row, std::size_t instance, const Unit& unit) {
  const RunningStats& stats = row.by_instance[instance];
  if (stats.count() == 0) return std::nullopt;
  return unit.direction() * stats.mean();
}

/// On which instances another setting than the first row's is better.
std::string disagreement_text(const InstanceMap& map, const Unit& unit) {
  constexpr std::size_t kMost = 20;
  std::vector<std::string> names;
  const std::vector<std::size_t> places = map.disagreeing(unit);
  for (const std::size_t i : places) {
    if (names.size() < kMost) names.push_back(xml_text(map.instances[i]));
  }
  // That no instance disagrees is worth saying: one setting does for all.
  if (names.empty()) {
    return "On no instance is another of these settings better than the first one by more than "
           "three standard errors.";
  }
  return fmt::format(
      "On {}{} another of these settings is better than the first one by more than three standard "
      "errors.",
      list_text(names, "and"),
      names.size() < places.size() ? fmt::format(" and {} more", places.size() - names.size())
                                   : "");
}

/// A value on its ground, and what failed: "4 of 4 failed".
std::string value_cell(const std::optional<double>& value, const std::optional<Interval>& interval,
                       std::int64_t failures, std::int64_t evaluations, const ValueRange& range) {
  const std::string text = shaded(value, range, interval);
  if (failures == 0) return text;
  return fmt::format("{}{} of {} failed", value ? text + ", " : "", html_count(failures),
                     html_count(evaluations));
}

}  // namespace

std::string instances_table(const SavedResult& result) {
  if (!result.instances || result.instances->empty()) return {};
  ValueRange range;
  bool has_default = false;
  bool has_test = false;
  for (const InstanceRow& row : *result.instances) {
    for (const auto& value : {row.value, row.default_value}) {
      if (value) range.add(*value);
    }
    has_default = has_default || row.default_value || row.default_failures > 0;
    has_test = has_test || row.test;
  }
  // Columns stand only where an instance has something for them.
  std::vector<std::string> names = {"<instance"};
  if (has_test) names.emplace_back("<set");
  const bool cost = !result.objectives.empty() && result.objectives[0].direction == "minimise";
  names.insert(names.end(), {"n", cost ? "cost" : "value", "95 % interval"});
  if (has_default) names.insert(names.end(), {"today's", "difference"});
  HtmlTable table("Instances: fresh evaluations of the recommendation", names);
  // The largest gain stands first, what has none to show last.
  std::vector<InstanceRow> rows = *result.instances;
  std::ranges::stable_sort(rows, std::ranges::greater(), [&](const InstanceRow& row) {
    if (!row.value || !row.default_value) return -std::numeric_limits<double>::infinity();
    return (cost ? -1.0 : 1.0) * (*row.value - *row.default_value);
  });
  // A row has its values, what failed, and the difference that the order is by.
  for (const InstanceRow& row : rows) {
    const std::int64_t evaluations = row.n + row.failures;
    std::vector<std::string> cells = {xml_text(row.name)};
    if (has_test) cells.emplace_back(row.test ? "test" : "training");
    cells.insert(
        cells.end(),
        {html_count(row.n), value_cell(row.value, row.interval, row.failures, evaluations, range),
         html_interval(row.interval)});
    if (has_default) {
      const auto& other = row.default_value;
      cells.push_back(value_cell(other, row.interval, row.default_failures, evaluations, range));
      cells.push_back(row.value && other ? html_number(rounded_difference(*row.value, *other))
                                         : "–");
    }
    table.add_row(cells);
  }
  return table.text();
}

std::string instance_map_table(const ReportData& data) {
  constexpr std::size_t kMostInstances = 8;
  const InstanceMap& map = data.instances;
  if (map.rows.size() < 2 || map.instances.size() < 2) return {};
  // A table with few known cells, or of many instances, says less than the sentence below it.
  std::size_t known = 0;
  for (const InstanceMap::Row& row : map.rows) {
    known += static_cast<std::size_t>(std::ranges::count_if(
        row.by_instance, [](const RunningStats& stats) { return stats.count() > 0; }));
  }
  const Objective& objective = data.study.objective(0);
  const Unit unit = objective.unit();
  const std::string disagreement = "<p class=\"soft\">" + disagreement_text(map, unit) + "</p>\n";
  const bool is_sparse = 3 * known < map.rows.size() * map.instances.size();
  if (is_sparse || map.instances.size() > kMostInstances) return disagreement;
  const std::size_t shown = map.instances.size();
  // Each column is shaded on a range of its own, since instances differ in scale.
  std::vector<std::string> names = {"<", "<setting"};
  std::vector<ValueRange> ranges(shown);
  for (std::size_t i = 0; i < shown; ++i) {
    names.push_back(map.instances[i]);
    for (const InstanceMap::Row& row : map.rows) {
      if (const auto gain = gain_on(row, i, unit)) ranges[i].add(*gain);
    }
  }
  HtmlTable table(
      "Settings by instances: means of all evaluations, the better the stronger the shade", names);
  for (const InstanceMap::Row& row : map.rows) {
    constexpr std::size_t kShort = 14;
    const std::string setting = objective.space().text(row.point);
    std::vector<std::string> cells = {
        row.name, setting.size() <= kShort ? html_whole(setting) : xml_text(setting)};
    for (std::size_t i = 0; i < shown; ++i) {
      const auto gain = gain_on(row, i, unit);
      cells.push_back(gain ? ground(share_in(ranges[i], *gain), mean_of(row.by_instance[i])) : "–");
    }
    table.add_row(cells, row.name == "recommended");
  }
  return table.text() + disagreement;
}

}  // namespace ntune
