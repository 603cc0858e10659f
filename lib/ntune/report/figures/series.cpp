#include "ntune/report/figures/series.h"

#include "ntune/plot/svg_text.h"

namespace ntune {

int colour_of_cell(const ReportData& data, std::size_t cell) {
  const Study& study = data.study.study;
  const auto shared = data.colours.find(series_of_cell(data.study, cell));
  if (shared != data.colours.end()) return shared->second % kSeries;
  const std::size_t place =
      study.optimisers.size() > 1 ? study.optimiser_of(cell) : study.plan_of(cell);
  return static_cast<int>(place % kSeries);
}

std::string series_of_cell(const StudyFolder& study, std::size_t cell) {
  const bool by_plan = study.study.optimisers.size() < 2 && study.study.plans.size() > 1;
  return by_plan ? study.plan(cell).label()
                 : study.study.optimisers[study.study.optimiser_of(cell)].label;
}

std::vector<std::size_t> cells_in_order(const ReportData& data, std::size_t objective) {
  const Study& study = data.study.study;
  std::vector<std::size_t> cells;
  for (const Contestant& contestant : data.ranks.contestants) {
    cells.push_back(contestant.cells[objective]);
  }
  if (!cells.empty()) return cells;
  for (std::size_t cell = 0; cell < study.cells(); ++cell) {
    if (study.objective_of(cell) == objective) cells.push_back(cell);
  }
  return cells;
}

std::vector<LegendEntry> legend_of_cells(const ReportData& data, LegendEntry::Shape shape) {
  std::vector<LegendEntry> legend;
  for (const std::size_t cell : cells_in_order(data, 0)) {
    legend.push_back(
        {shortened(data.study.cell_label(cell, false), 40), colour_of_cell(data, cell), shape});
  }
  return legend;
}

}  // namespace ntune
