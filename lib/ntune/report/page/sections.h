#pragma once

#include <string>
#include <vector>

#include "ntune/plot/figure.h"
#include "ntune/report/data/report_data.h"

namespace ntune {

// The sections of a study on a page, without their headings; headings within are of `level`. Empty
// where the study has nothing for it.

/// What the study says, on one screen: the verdict, which is its heading, what it rests upon, and
/// what next.
std::string answer_section(const ReportData& data, int level);
/// The same of several goals: the front as a figure and as tables.
std::string front_section(const ReportData& data, int level);
/// Of a study that recommends nothing yet: what its searches saw.
std::string search_section(const ReportData& data, int level);
/// Every number of the result, and every value.
std::string details_section(const ReportData& data, int level);
/// Where the log-likelihood ratio of a test stands between the bounds of its decisions; "" of a
/// test without one.
std::string ratio_bar(const SavedVerification& test);
/// What `ntune verify` has found of the recommendation.
std::string verified_section(const ReportData& data, int level);
/// How the points that were compared fared.
std::string sureness_section(const ReportData& data, int level);
std::string instances_section(const ReportData& data, int level);
std::string comparison_section(const ReportData& data, int level);
std::string cells_section(const ReportData& data, int level);
std::string convergence_section(const ReportData& data, int level);
std::string evaluations_section(const ReportData& data, int level);
std::string learned_section(const ReportData& data, int level);
std::string agreement_section(const ReportData& data, int level);
std::string sampling_section(const ReportData& data, int level);
std::string failure_section(const ReportData& data, int level);
std::string repeat_section(const ReportData& data, int level);

/// The rows of `instances` as a table, values on grounds like a heat map; empty where there are
/// none.
std::string instances_table(const SavedResult& result);

/// Settings by instances as a table, each instance's values on grounds like a heat map, and on
/// which instances the settings disagree; empty where that is not known.
std::string instance_map_table(const ReportData& data);

/// The calls of an objective as a table that the script draws, sorts and filters; empty: none.
std::string calls_table(const ReportData& data, std::size_t objective);

/// The evaluations of the searches that the figures of an objective link, as JSON for the script.
std::string evaluations_data(const ReportData& data, std::size_t objective);

/// The figure as a part of the first screen: what it shows and its files are folded.
std::string plain_figure_html(const Figure& figure, double wide);
/// The figure with what it can be saved as.
std::string figure_html(const Figure& figure);
/// The figures as HTML, each under its heading.
std::string figures_html(const std::vector<Figure>& figures, int level);

}  // namespace ntune
