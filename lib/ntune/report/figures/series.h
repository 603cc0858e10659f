#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ntune/plot/figure.h"
#include "ntune/report/data/report_data.h"

namespace ntune {

/// The colour of a cell, the same in every figure: that of its optimiser where several are
/// compared, else that of its plan.
int colour_of_cell(const ReportData& data, std::size_t cell);

/// What a cell's colour stands for: the optimiser's label, else the plan's.
std::string series_of_cell(const StudyFolder& study, std::size_t cell);

/// The cells of an objective, the least mean rank first where ranks are known.
std::vector<std::size_t> cells_in_order(const ReportData& data, std::size_t objective);

/// Entries for the cells of one objective.
std::vector<LegendEntry> legend_of_cells(const ReportData& data, LegendEntry::Shape shape);

}  // namespace ntune
