#include "apps/arcade/reproduce_plot.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "apps/common/laboratory_figures.h"

namespace ntune::arcade {

namespace {

std::optional<double> number_at(const Json& row, const std::string& key) {
  const auto found = row.find(key);
  if (found == row.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::string label_of(const Json& row, bool table_3) {
  auto label = row["weighting"].get<std::string>();
  if (table_3) {
    label = fmt::format("{} x {} {}", row["runs"].get<std::int64_t>(),
                        row["games"].get<std::int64_t>(), label);
  }
  return label;
}

/// One quantity of one game.
cli::ComparedPanel panel_of(const std::string& game, const std::string& key,
                            const std::string& unit, const std::vector<Json>& rows, bool table_3) {
  cli::ComparedPanel panel{.title = game, .unit = unit};
  for (const Json& row : rows) {
    const auto ours = number_at(row, key);
    if (row["game"].get<std::string>() != game || !ours) continue;
    cli::ComparedRow compared{.label = label_of(row, table_3), .ours = *ours};
    const auto low = number_at(row, key + "_low");
    const auto high = number_at(row, key + "_high");
    if (low && high) compared.interval = Interval{*low, *high};
    compared.published = number_at(row, "published_" + key);
    panel.rows.push_back(std::move(compared));
  }
  return panel;
}

}  // namespace

Figure reproduction_figure(const std::string& table, const std::vector<Json>& rows) {
  const bool table_3 = table == "3";
  std::vector<std::string> games;
  for (const Json& row : rows) {
    const auto game = row["game"].get<std::string>();
    if (std::ranges::find(games, game) == games.end()) games.push_back(game);
  }
  std::vector<cli::ComparedPanel> panels;
  for (const std::string& game : games) {
    panels.push_back(panel_of(game, "mean", "mean value of what is recommended", rows, table_3));
    panels.push_back(table_3 ? panel_of(game, "best", "the best recommendation", rows, true)
                             : panel_of(game, "delta", "estimate minus value", rows, false));
  }
  return cli::compared_figure(
      fmt::format("Table {} of Goodman and Lucas (2020) beside ours", table), panels);
}

}  // namespace ntune::arcade
