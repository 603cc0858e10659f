#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "ntune/core/text.h"
#include "ntune/plot/axis.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/search_figures.h"

namespace ntune {

namespace {

/// Most cells of heat maps in one figure, and most heat maps.
constexpr std::size_t kMostCells = 4000;
constexpr std::size_t kMostPairs = 66;
/// Evaluations of a cell that counts for the scale of colours: fewer are mostly noise.
constexpr std::int64_t kEnough = 5;

/// The most important pairs that together keep to the number of cells.
std::vector<PairShare> shown_pairs(const SearchStatistics& search, const Importance& importance) {
  std::vector<PairShare> pairs;
  std::size_t cells = 0;
  for (const PairShare& pair : importance.pairs) {
    cells += search.groups(pair.a).size() * search.groups(pair.b).size();
    if (pairs.size() >= kMostPairs || (cells > kMostCells && !pairs.empty())) break;
    pairs.push_back(pair);
  }
  return pairs;
}

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

Panel pair_panel(const SearchStatistics& search, const PairShare& pair, const ValueRange& range) {
  const Objective& objective = search.objective();
  const ValueGroups& rows = search.groups(pair.a);
  const ValueGroups& columns = search.groups(pair.b);
  const std::string a = short_name(objective.space()[pair.a].name);
  const std::string b = short_name(objective.space()[pair.b].name);
  Panel panel{.x = category_axis(b, columns.labels, columns.numeric),
              .y = category_axis(a, rows.labels, rows.numeric)};
  for_cells(search, pair, [&](std::size_t g, std::size_t h, const PayoffSum& cell) {
    const double value = objective.unit().value_of(cell.mean());
    const auto x = static_cast<double>(h);
    const auto y = static_cast<double>(g);
    panel.marks.emplace_back(
        Block{.from = {x - 0.5, y - 0.5},
              .to = {x + 0.5, y + 0.5},
              .shade = std::clamp((value - range.low) / (range.high - range.low), 0.0, 1.0),
              .text = count_text(cell.n),
              .tip = fmt::format("{} = {}, {} = {}: mean {}, n {}", a, rows.labels[g], b,
                                 columns.labels[h], short_number(value), count_text(cell.n))});
  });
  return panel;
}

Figure pairs_of(const ReportData& data, std::size_t objective) {
  const SearchStatistics& search = data.searches[objective];
  const std::vector<PairShare> pairs = shown_pairs(search, data.importance[objective]);
  const ValueRange range = shade_range(search, pairs);
  const std::string unit = unit_text(search.objective());
  Figure figure{.name = "pairs", .title = "Pairs of parameters" + of_objective(data, objective)};
  for (const PairShare& pair : pairs) figure.panels.push_back(pair_panel(search, pair, range));
  figure.panel_width = 120.0;
  figure.panel_height = 130.0;
  figure.shades = ShadeScale{"mean " + unit, range.low, range.high};
  figure.description =
      fmt::format("Heat maps of the mean {} for {} pairs of parameters, from {} to {}.", unit,
                  pairs.size(), short_number(range.low), short_number(range.high));
  figure.caption = fmt::format(
      "2-tuples: mean of the search evaluations with both values (colour) and their number, where "
      "it fits. {} of {} pairs, "
      "those with the largest interaction first. The scale spans cells of {} evaluations or more; "
      "empty cells were never sampled together.",
      pairs.size(), data.importance[objective].pairs.size(), kEnough);
  return figure;
}

}  // namespace

std::vector<Figure> pairs_figure(const ReportData& data) { return per_objective(data, pairs_of); }

}  // namespace ntune
