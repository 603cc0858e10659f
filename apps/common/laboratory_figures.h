#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/core/statistics.h"
#include "ntune/plot/figure.h"

namespace ntune::cli {

// Figures of the laboratories' experiments, which `reproduce … --plot FILE` writes.

/// Published numbers against ours with 95 % intervals and the line on which they are equal. Rows as
/// the experiments print them: `published`, `ours`, `ours_low`, `ours_high`; those without a
/// published number are left out. `name` and `series` are the keys of what a row is called.
struct AgreementFigure {
  std::string title;
  std::string unit;  ///< of the numbers: "winning quota"
  std::vector<std::string> name;
  std::string series = {};  ///< rows are told apart by it; empty: they are not
};
Figure agreement_figure(const AgreementFigure& about, const std::vector<Json>& rows);

/// Ours with an interval beside the published number, row by row.
struct ComparedRow {
  std::string label;
  double ours = 0.0;
  std::optional<Interval> interval = {};
  std::optional<double> published = {};
};
struct ComparedPanel {
  std::string title;
  std::string unit;
  std::vector<ComparedRow> rows = {};
};
Figure compared_figure(const std::string& title, const std::vector<ComparedPanel>& panels);

/// A matrix of numbers as a heat map with the numbers in its cells.
struct MatrixFigure {
  std::string title;
  std::string unit;
  std::string row_label;
  std::string column_label;
  std::vector<std::string> rows;  ///< from top to bottom
  std::vector<std::string> columns;
  double low = 0.0;
  double high = 100.0;
  int decimals = 0;
};
/// `value[r][c]`; nothing: an empty cell. `tip[r][c]` is said on hovering.
Figure matrix_figure(const MatrixFigure& about,
                     const std::vector<std::vector<std::optional<double>>>& value,
                     const std::vector<std::vector<std::string>>& tip);

}  // namespace ntune::cli
