#pragma once

#include <string>
#include <vector>

#include "apps/amazons/coverage.h"
#include "ntune/core/json.h"
#include "ntune/plot/figure.h"

namespace ntune::amazons {

/// Mean absolute errors of temperature and mean against the limit, from the rows of
/// `amazons error` (Zhang and Mueller 2015, Figure 5).
Figure error_figure(const std::string& title, const std::vector<Json>& rows);

/// Positions solved against the limit.
struct CoverageCurve {
  std::string label;
  std::vector<Place> points;  ///< limit, positions solved within it
  bool steps = false;         ///< whatever was solved, not points in between
};
/// A line for each curve, with its name at its end.
Figure coverage_figure(const std::string& title, const std::string& unit,
                       const std::vector<CoverageCurve>& curves);
/// Whatever was solved, in the order of what it took, up to the largest limit.
CoverageCurve coverage_curve(const std::string& label, const CaseResults& results,
                             const Limits& limits);
/// Ours beside the paper's, a line for each variant, from the rows of `amazons reproduce 1` and
/// `2`.
Figure reproduced_coverage_figure(const std::string& title, const std::vector<Json>& rows);

}  // namespace ntune::amazons
