#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "ntune/report/figures/figures.h"
#include "ntune/report/figures/shared.h"

namespace ntune {

namespace {

constexpr std::size_t kSlices = SearchStatistics::kSlices;

/// visit(slice, group, share) for every value of a parameter in every slice of the runs that has
/// evaluations: the share of the slice's evaluations that had the value.
template <class Visit>
void for_shares(const SearchStatistics& search, int parameter, Visit visit) {
  const std::size_t groups = search.groups(parameter).size();
  for (std::size_t slice = 0; slice < kSlices; ++slice) {
    std::int64_t all = 0;
    for (std::size_t g = 0; g < groups; ++g) all += search.sampled(parameter, g, slice);
    for (std::size_t g = 0; all > 0 && g < groups; ++g) {
      const auto had = static_cast<double>(search.sampled(parameter, g, slice));
      visit(slice, g, had / static_cast<double>(all));
    }
  }
}

/// Where a slice begins, in percent of a run.
double begin_of(std::size_t slice) { return 100.0 * static_cast<double>(slice) / kSlices; }

/// The largest share of any value in any slice, rounded up to a tenth.
double largest_share(const SearchStatistics& search, const std::vector<int>& shown) {
  double largest = 0.1;
  for (const int i : shown) {
    for_shares(search, i,
               [&](std::size_t, std::size_t, double share) { largest = std::max(largest, share); });
  }
  return std::ceil(10.0 * largest) / 10.0;
}

/// One parameter: a column for each slice, a row for each value. Its numbers go to the table.
Panel sampling_panel(const SearchStatistics& search, int i, double most, DataTable& table) {
  const ValueGroups& groups = search.groups(i);
  const std::string& parameter = search.objective().space()[i].name;
  const std::string name = short_name(parameter, 60);
  Panel panel{.title = name,
              .x = {.label = "% of a run", .low = 0.0, .high = 100.0},
              .y = category_axis("", groups.labels, groups.numeric)};
  for_shares(search, i, [&](std::size_t slice, std::size_t g, double share) {
    const double from = begin_of(slice);
    const double to = begin_of(slice + 1);
    const auto y = static_cast<double>(g);
    panel.marks.emplace_back(
        Block{.from = {from, y - 0.5},
              .to = {to, y + 0.5},
              .shade = share / most,
              .tip = fmt::format("{} = {}: {:.0f} % of the evaluations from {:.0f} to {:.0f} %",
                                 name, groups.labels[g], 100.0 * share, from, to)});
    table.rows.push_back({parameter, groups.labels[g], data_text(from), data_text(to),
                          std::to_string(search.sampled(i, g, slice)), data_text(share)});
  });
  return panel;
}

Figure sampling_of(const ReportData& data, std::size_t objective) {
  const SearchStatistics& search = data.searches[objective];
  Figure figure{.name = "sampling", .title = "Sampling over time" + of_objective(data, objective)};
  figure.data.columns = {"parameter",  "value",       "from_percent",
                         "to_percent", "evaluations", "share"};
  const std::vector<int> shown = shown_parameters(data, objective);
  const double most = largest_share(search, shown);
  for (const int i : shown) {
    figure.panels.push_back(sampling_panel(search, i, most, figure.data));
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
