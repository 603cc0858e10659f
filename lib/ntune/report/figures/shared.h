#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/statistics.h"
#include "ntune/facts/result_facts.h"
#include "ntune/objective/unit.h"
#include "ntune/plot/axis.h"
#include "ntune/report/data/report_data.h"

namespace ntune {

// What several figures share.

inline constexpr int kNewColour = 0;  ///< colour of the new setting

/// ": label" where the study has several objectives.
std::string of_objective(const ReportData& data, std::size_t objective);
/// The finished runs of an objective, in order.
std::vector<const FinishedRun*> runs_of_objective(const ReportData& data, std::size_t objective);
/// "runs" or "picks", of which each has one score.
const char* sample_noun(const ReportData& data);
/// A name for a figure, cut.
std::string short_name(const std::string& name, std::size_t characters = 18);
/// The ends of an interval for a table; empty where there is none.
std::string low_text(const std::optional<Interval>& interval);
std::string high_text(const std::optional<Interval>& interval);

/// The colour of a cell, the same in every figure: that of its optimiser where several are
/// compared, else that of its plan.
int colour_of_cell(const ReportData& data, std::size_t cell);

/// The cells of an objective, the least mean rank first where ranks are known.
std::vector<std::size_t> cells_in_order(const ReportData& data, std::size_t objective);

/// Entries for the cells of one objective.
std::vector<LegendEntry> legend_of_cells(const ReportData& data, LegendEntry::Shape shape);

/// The parameters that figures show: those that vary and are asked for.
std::vector<int> shown_parameters(const ReportData& data, std::size_t objective);
/// The pairs of these, those with the largest interaction first.
std::vector<PairShare> shown_pairs(const ReportData& data, std::size_t objective);
/// The group of the value that the study recommends; -1: it recommends nothing.
int recommended_group(const ReportData& data, std::size_t objective, int parameter);
/// The group of a point's value; -1: it is a default off the grid.
int group_of(const ValueGroups& groups, const Point& point, int parameter);
/// " Of 7 of 10 runs: why", where it is not all of them.
std::string partial_note(const ReportData& data);
/// What a value of the searches means where candidates play each other; else empty.
std::string duel_note(const ReportData& data, std::size_t objective);

/// The true value of what a run recommends, or else the model's estimate of it.
double worth_of(const Checkpoint& checkpoint);
/// Rising numbers of evaluations at which a run has a checkpoint.
std::vector<std::int64_t> checkpoints_of(const std::vector<const RunTrace*>& traces);
/// What the runs recommend after so many evaluations, from the least; empty where fewer than half
/// of them have come so far.
std::vector<double> worths_at(const std::vector<const RunTrace*>& traces, std::int64_t evaluations);

/// Places of the evaluations of an objective in the figure of their history, and on its page.
class HistoryScale {
 public:
  HistoryScale(const ReportData& data, std::size_t objective);

  /// The height of an evaluation's dot: its value, moved a little where only a few values occur as
  /// with wins and losses; the foot of the figure where it failed.
  [[nodiscard]] double height_of(const SearchEvaluation& evaluation) const;
  [[nodiscard]] bool is_spread() const { return spread_ > 0.0; }
  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }
  [[nodiscard]] double last() const { return last_; }  ///< largest index

 private:
  Unit unit_;
  double last_ = 0.0;
  double spread_ = 0.0;
  double low_ = 0.0;
  double high_ = 1.0;
  double foot_ = 0.0;
};

/// make(data, objective) for every objective with a parameter to choose, and with evaluations if
/// these are `searched`; figures without panels are left out.
template <class Make>
std::vector<Figure> per_objective(const ReportData& data, Make make, bool searched = true) {
  std::vector<Figure> figures;
  for (std::size_t objective = 0; objective < data.searches.size(); ++objective) {
    if (searched && data.searches[objective].all().n == 0) continue;
    if (shown_parameters(data, objective).empty()) continue;
    figures.push_back(make(data, objective));
    if (data.searches.size() > 1) figures.back().name += fmt::format("-{}", objective + 1);
  }
  std::erase_if(figures, [](const Figure& figure) { return figure.panels.empty(); });
  return figures;
}

/// Panels make(objective) beside each other, each under the name of its objective where there are
/// several; panels without marks are left out.
template <class Make>
void add_panels(Figure& figure, const ReportData& data, Make make) {
  const auto& objectives = data.study.study.objectives;
  if (objectives.size() > 1) figure.panel_width = 150.0;
  for (std::size_t objective = 0; objective < objectives.size(); ++objective) {
    Panel panel = make(objective);
    if (panel.marks.empty()) continue;
    if (objectives.size() > 1) panel.title = objectives[objective].label;
    figure.panels.push_back(std::move(panel));
  }
}

}  // namespace ntune
