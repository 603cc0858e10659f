#pragma once

#include <string>
#include <vector>

#include "ntune/report/data/report_data.h"

namespace ntune {

/// One self-contained HTML page on one study or several: nothing is loaded, and without JavaScript
/// only hovering, sorting and choosing lines are missing.
std::string report_page(const std::vector<ReportData>& studies);

}  // namespace ntune
