#pragma once

#include <string>
#include <vector>

#include "ntune/core/json_fwd.h"
#include "ntune/plot/figure.h"
#include "ntune/report/data/report_data.h"

namespace ntune {

// The sections of a study on a page, each with headings from `level` on; empty where the study has
// nothing for it. `id` begins the anchors.

std::string recommendation_section(const ReportData& data, int level, const std::string& id);
std::string comparison_section(const ReportData& data, int level, const std::string& id);
std::string convergence_section(const ReportData& data, int level, const std::string& id);
std::string learned_section(const ReportData& data, int level, const std::string& id);
std::string agreement_section(const ReportData& data, int level, const std::string& id);
std::string sampling_section(const ReportData& data, int level, const std::string& id);
std::string failure_section(const ReportData& data, int level, const std::string& id);
std::string repeat_section(const ReportData& data, int level, const std::string& id);

/// Elo, games and pairs of result.json's `elo` as a table; empty where there are no games.
std::string games_table(const Json& result);

/// The rows of result.json's `instances` as a table, values on grounds like a heat map; empty where
/// there are none.
std::string instances_table(const Json& result);

/// Settings by instances as a table, each instance's values on grounds like a heat map, and on
/// which instances the settings disagree; empty where that is not known.
std::string instance_map_table(const ReportData& data);

/// The figures as HTML, each under its heading.
std::string figures_html(const std::vector<Figure>& figures, int level);

}  // namespace ntune
