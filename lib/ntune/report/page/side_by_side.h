#pragma once

#include <string>
#include <vector>

#include "ntune/report/data/report_data.h"

namespace ntune {

/// Studies of the same objective on shared axes: how they converge and what their recommendations
/// are worth. Empty where no two studies have an objective in common.
std::string side_by_side(const std::vector<ReportData>& studies, int level);

}  // namespace ntune
