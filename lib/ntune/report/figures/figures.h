#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ntune/plot/figure.h"
#include "ntune/report/data/report_data.h"

namespace ntune {

/// A figure of studies by its name. `make` returns one figure per objective where it is about what
/// was learned of an objective, else one; none where the study has nothing for it.
struct FigureEntry {
  const char* name;
  const char* what;  ///< one line for --help and messages
  std::vector<Figure> (*make)(const ReportData& data);
  bool calls = false;  ///< it shows ReportData::calls
  bool model = false;  ///< it shows ReportData::model
};

/// All figures, in the order of a report.
const std::vector<FigureEntry>& figure_table();

/// Throws InputError for an unknown name, with the nearest one.
const FigureEntry& find_figure(const std::string& name);

std::vector<Figure> front_figure(const ReportData& data);
std::vector<Figure> candidates_figure(const ReportData& data);
std::vector<Figure> convergence_figure(const ReportData& data);
std::vector<Figure> ranks_figure(const ReportData& data);
std::vector<Figure> scores_figure(const ReportData& data);
std::vector<Figure> distribution_figure(const ReportData& data);
std::vector<Figure> differences_figure(const ReportData& data);
std::vector<Figure> main_effects_figure(const ReportData& data);
/// Effects by the optimiser's model, where it says how sure it is.
std::vector<Figure> effects_figure(const ReportData& data);
/// Effects of the six parameters that matter most, by the model where that can be.
std::vector<Figure> first_effects_figure(const ReportData& data);
std::vector<Figure> forest_figure(const ReportData& data);
std::vector<Figure> course_figure(const ReportData& data);
std::vector<Figure> instances_figure(const ReportData& data);
std::vector<Figure> scatter_figure(const ReportData& data);
std::vector<Figure> cactus_figure(const ReportData& data);
std::vector<Figure> pairs_figure(const ReportData& data);
std::vector<Figure> importance_figure(const ReportData& data);
std::vector<Figure> agreement_figure(const ReportData& data);
std::vector<Figure> tried_figure(const ReportData& data);
std::vector<Figure> timeline_figure(const ReportData& data);
std::vector<Figure> sampling_figure(const ReportData& data);
std::vector<Figure> history_figure(const ReportData& data);

struct ObjectiveOfStudy {
  const ReportData* data = nullptr;
  std::size_t objective = 0;
};

/// The medians of several studies of one objective over shared axes; no panel where fewer than two
/// have traces. Studies of one cell are named by their titles, others by their cells.
Figure shared_convergence_figure(const std::vector<ObjectiveOfStudy>& studies);

/// What the recommendations of several studies of one objective are worth, with 95 % intervals; no
/// panel where fewer than two have a value.
Figure shared_values_figure(const std::vector<ObjectiveOfStudy>& studies);

}  // namespace ntune
