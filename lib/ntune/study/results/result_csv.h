#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/column_titles.h"
#include "ntune/study/model/study.h"
#include "ntune/study/results/summary.h"

namespace ntune {

/// The table of cells, or the recommendation, as CSV: value, 95 % interval, true value, estimate
/// and parameters. Where a default is declared it is a second row, and its `difference` is what the
/// recommendation is above it.
std::string result_csv(const Study& study, const StudyResult& result,
                       const std::vector<CellSummary>& summaries);

/// runs.csv has one row per finished run: run, evaluations, estimate, true_value and the
/// parameters. In front are objective, optimiser, plan and repeat where the study has several
/// cells.
std::string runs_csv(const Study& study, const StudyResult& result);

// What all CSV files of a study share.

/// The names of the parameters of all objectives, each once.
std::vector<std::string> parameter_columns(const Study& study);
/// Appends the titles of these names to the line of columns.
void append_titles(std::string& columns, ColumnTitles& titles, std::string_view prefix,
                   const std::vector<std::string>& names);
/// Appends a field for each column: the point's value, or empty where there is no point, its space
/// has no such parameter or the point does not use it.
void append_point(std::string& row, const Point* point, const SearchSpace& space,
                  const std::vector<std::string>& columns);
/// The columns that tell the cells of a comparison apart; empty where the study has one cell.
const char* cell_columns(const Study& study);
/// Their fields, each with its comma.
std::string cell_fields(const Study& study, std::size_t objective, std::size_t optimiser,
                        std::size_t plan, std::int64_t repeat);
/// The number in the shortest digits that read back to it, or an empty field.
std::string number_field(const std::optional<double>& number);
/// "0.25,0.75", or two empty fields.
std::string ends_fields(const std::optional<Interval>& interval);

}  // namespace ntune
