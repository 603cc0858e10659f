#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "ntune/plot/axis.h"
#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/shared.h"

namespace ntune {

namespace {

constexpr std::size_t kSlices = SearchStatistics::kSlices;

/// Evaluations of a parameter in a slice of the runs.
std::int64_t sampled_in(const SearchStatistics& search, int parameter, std::size_t slice) {
  std::int64_t all = 0;
  for (std::size_t g = 0; g < search.groups(parameter).size(); ++g) {
    all += search.sampled(parameter, g, slice);
  }
  return all;
}

/// Share of a slice's evaluations that had a value.
double sampled_share(const SearchStatistics& search, int parameter, std::size_t group,
                     std::size_t slice, std::int64_t all) {
  return static_cast<double>(search.sampled(parameter, group, slice)) / static_cast<double>(all);
}

/// The largest share of any value in any slice, rounded up to a tenth.
double largest_share(const SearchStatistics& search, const std::vector<int>& shown) {
  double largest = 0.1;
  for (const int i : shown) {
    for (std::size_t slice = 0; slice < kSlices; ++slice) {
      const std::int64_t all = sampled_in(search, i, slice);
      for (std::size_t g = 0; all > 0 && g < search.groups(i).size(); ++g) {
        largest = std::max(largest, sampled_share(search, i, g, slice, all));
      }
    }
  }
  return std::ceil(10.0 * largest) / 10.0;
}

/// One parameter: a column for each slice, a row for each value.
Panel sampling_panel(const SearchStatistics& search, int i, double most) {
  const ValueGroups& groups = search.groups(i);
  const std::string name = short_name(search.objective().space()[i].name, 60);
  Panel panel{.title = name,
              .x = {.label = "% of a run", .low = 0.0, .high = 100.0},
              .y = category_axis("", groups.labels, groups.numeric)};
  for (std::size_t slice = 0; slice < kSlices; ++slice) {
    const std::int64_t all = sampled_in(search, i, slice);
    if (all == 0) continue;
    const double from = 100.0 * static_cast<double>(slice) / kSlices;
    const double to = 100.0 * static_cast<double>(slice + 1) / kSlices;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const double share = sampled_share(search, i, g, slice, all);
      const auto y = static_cast<double>(g);
      panel.marks.emplace_back(
          Block{.from = {from, y - 0.5},
                .to = {to, y + 0.5},
                .shade = share / most,
                .tip = fmt::format("{} = {}: {:.0f} % of the evaluations from {:.0f} to {:.0f} %",
                                   name, groups.labels[g], 100.0 * share, from, to)});
    }
  }
  return panel;
}

void add_rows(DataTable& table, const SearchStatistics& search, int i) {
  table.columns = {"parameter", "value", "from_percent", "to_percent", "evaluations", "share"};
  for (std::size_t slice = 0; slice < kSlices; ++slice) {
    const std::int64_t all = sampled_in(search, i, slice);
    for (std::size_t g = 0; all > 0 && g < search.groups(i).size(); ++g) {
      table.rows.push_back({search.objective().space()[i].name, search.groups(i).labels[g],
                            data_text(100.0 * static_cast<double>(slice) / kSlices),
                            data_text(100.0 * static_cast<double>(slice + 1) / kSlices),
                            std::to_string(search.sampled(i, g, slice)),
                            data_text(sampled_share(search, i, g, slice, all))});
    }
  }
}

Figure sampling_of(const ReportData& data, std::size_t objective) {
  const SearchStatistics& search = data.searches[objective];
  Figure figure{.name = "sampling", .title = "Sampling over time" + of_objective(data, objective)};
  const std::vector<int> shown = shown_parameters(data, objective);
  const double most = largest_share(search, shown);
  for (const int i : shown) {
    figure.panels.push_back(sampling_panel(search, i, most));
    add_rows(figure.data, search, i);
  }
  figure.panel_width = 150.0;
  figure.panel_height = 110.0;
  figure.shades = ShadeScale{"share of the evaluations, %", 0.0, 100.0 * most};
  figure.description =
      "For every parameter, which share of the evaluations had which value, over the course of a "
      "run.";
  figure.caption = "All runs together, each divided into twentieths." + partial_note(data);
  return figure;
}

}  // namespace

std::vector<Figure> sampling_figure(const ReportData& data) {
  return per_objective(data, sampling_of);
}

}  // namespace ntune
