#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "ntune/core/score_text.h"
#include "ntune/core/text.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/shared.h"

namespace ntune {

namespace {

/// Most heat maps of a figure that is to be printed.
constexpr std::size_t kMostPairs = 9;
/// Evaluations of a cell that counts for the scale of colours: fewer are mostly noise.
constexpr std::int64_t kEnough = 5;

/// visit(g, h, cell) for every cell of a pair that has evaluations.
template <class Visit>
void for_cells(const SearchStatistics& search, const PairShare& pair, Visit visit) {
  for (std::size_t g = 0; g < search.groups(pair.a).size(); ++g) {
    for (std::size_t h = 0; h < search.groups(pair.b).size(); ++h) {
      const PayoffSum& cell = search.two(pair.a, pair.b, g, h);
      if (cell.n > 0) visit(g, h, cell);
    }
  }
}

/// The scale of colours that all heat maps of an objective share.
ValueRange shade_range(const SearchStatistics& search, const std::vector<PairShare>& pairs) {
  const Objective& objective = search.objective();
  ValueRange range;
  for (const PairShare& pair : pairs) {
    for_cells(search, pair, [&](std::size_t, std::size_t, const PayoffSum& cell) {
      if (cell.n >= kEnough) range.add(objective.unit().value_of(cell.mean()));
    });
  }
  if (range.low < range.high) return range;
  const double mean = objective.unit().value_of(search.all().mean());
  return {mean - 0.5, mean + 0.5};
}

/// A mean with as many digits as tell a thirtieth of the scale.
std::string cell_text(double value, const ValueRange& range) {
  const double step = (range.high - range.low) / 30.0;
  const int decimals =
      step > 0.0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(step))), 0, 4) : 2;
  return decimals == 0 ? count_text(std::round(value)) : fmt::format("{:.{}f}", value, decimals);
}

/// The heat map of a pair: the values of one parameter across, of the other upwards.
Panel pair_panel(const ReportData& data, std::size_t at, const PairShare& pair,
                 const ValueRange& range) {
  const SearchStatistics& search = data.searches[at];
  const Objective& objective = search.objective();
  const ValueGroups& rows = search.groups(pair.a);
  const ValueGroups& columns = search.groups(pair.b);
  const std::string a = short_name(objective.space()[pair.a].name);
  const std::string b = short_name(objective.space()[pair.b].name);
  Panel panel{.x = category_axis(b, columns.labels, columns.numeric),
              .y = category_axis(a, rows.labels, rows.numeric),
              .key = fmt::format("pair {} {}", pair.a, pair.b)};
  const int row = recommended_group(data, at, pair.a);
  const int column = recommended_group(data, at, pair.b);
  // A cell is shaded by its mean on the scale that all pairs share; the recommended one is framed.
  for_cells(search, pair, [&](std::size_t g, std::size_t h, const PayoffSum& cell) {
    const double value = objective.unit().value_of(cell.mean());
    const auto x = static_cast<double>(h);
    const auto y = static_cast<double>(g);
    const bool chosen = static_cast<int>(g) == row && static_cast<int>(h) == column;
    panel.marks.emplace_back(
        Block{.from = {x - 0.5, y - 0.5},
              .to = {x + 0.5, y + 0.5},
              .shade = std::clamp((value - range.low) / (range.high - range.low), 0.0, 1.0),
              .text = cell_text(value, range),
              .tip = fmt::format("{} = {}, {} = {}: mean {}, n {}{}", a, rows.labels[g], b,
                                 columns.labels[h], score_text(value), count_text(cell.n),
                                 chosen ? "; recommended" : ""),
              .ringed = chosen,
              .key = fmt::format("{} {}", g, h)});
  });
  return panel;
}

/// The cells of a pair as a table.
void add_rows(DataTable& table, const SearchStatistics& search, const PairShare& pair) {
  const SearchSpace& space = search.objective().space();
  const Unit unit = search.objective().unit();
  table.columns = {"a", "value_a", "b", "value_b", "mean", "n"};
  for_cells(search, pair, [&](std::size_t g, std::size_t h, const PayoffSum& cell) {
    table.rows.push_back({space[pair.a].name, search.groups(pair.a).labels[g], space[pair.b].name,
                          search.groups(pair.b).labels[h], data_text(unit.value_of(cell.mean())),
                          std::to_string(cell.n)});
  });
}

/// The heat maps of the pairs that matter most, on one scale of colours.
Figure pairs_of(const ReportData& data, std::size_t objective) {
  const SearchStatistics& search = data.searches[objective];
  std::vector<PairShare> pairs = shown_pairs(data, objective);
  if (pairs.size() > kMostPairs) pairs.resize(kMostPairs);
  const ValueRange range = shade_range(search, pairs);
  const std::string unit = unit_text(search.objective());
  Figure figure{.name = "pairs", .title = "Pairs of parameters" + of_objective(data, objective)};
  for (const PairShare& pair : pairs) {
    figure.panels.push_back(pair_panel(data, objective, pair, range));
    add_rows(figure.data, search, pair);
  }
  figure.panel_width = 150.0;
  figure.panel_height = 150.0;
  // The legend of shades has the least and the largest mean of cells with enough evaluations.
  figure.shades = ShadeScale{"mean " + unit, range.low, range.high};
  figure.description =
      fmt::format("Heat maps of the mean {} for {} of parameters, from {} to {}.", unit,
                  counted(pairs.size(), "pair"), score_text(range.low), score_text(range.high));
  figure.caption = fmt::format(
      "2-tuples: mean of the search evaluations with both values, as a number where it fits. {} of "
      "{}, those with the largest interaction first. The scale spans cells of {} evaluations "
      "or more; empty cells were never sampled together.{}{}{}",
      pairs.size(), counted(data.importance[objective].pairs.size(), "pair"), kEnough,
      recommended_group(data, objective, search.varied()[0]) >= 0
          ? " Frame: the recommended values."
          : "",
      duel_note(data, objective), partial_note(data));
  return figure;
}

}  // namespace

std::vector<Figure> pairs_figure(const ReportData& data) { return per_objective(data, pairs_of); }

}  // namespace ntune
