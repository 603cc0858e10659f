#pragma once

#include <string>
#include <vector>

#include "ntune/report/data/report_data.h"

namespace ntune {

/// One self-contained HTML page on one study or several: nothing is loaded, and without JavaScript
/// only hovering, sorting and choosing lines are missing.
std::string report_page(const std::vector<ReportData>& studies);

/// The page of one study with a script that is told by `events` how far the study is, and loads the
/// page again where another version of it is there.
std::string live_page(const ReportData& study, const std::string& version);

}  // namespace ntune
