#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/core/statistics.h"
#include "ntune/plot/figure.h"

namespace ntune::cli {

// Figures of the laboratories' experiments, which `reproduce … --plot FILE` writes.

/// The number at a key of a row; nothing where there is none.
std::optional<double> number_at(const Json& row, const std::string& key);
/// The place of a name in a list, at whose end it is put where it is new.
std::size_t place_of(std::vector<std::string>& names, const std::string& name);

/// Published numbers against ours with 95 % intervals and the line on which they are equal. Cells
/// whose interval leaves the published number out are labelled, and all if they are few. Rows as
/// the experiments print them: `published`, `ours`, `ours_low`, `ours_high`; those without a
/// published number are left out. `name` and `series` are the keys of what a row is called.
struct AgreementFigure {
  std::string title;
  std::string unit;  ///< of the numbers: "winning quota"
  std::vector<std::string> name;
  std::string series = {};  ///< rows are told apart by it; empty: they are not
};
Figure agreement_figure(const AgreementFigure& about, const std::vector<Json>& rows);

}  // namespace ntune::cli
