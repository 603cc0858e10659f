#include "ntune/report/figures/shared.h"

#include <algorithm>
#include <set>

#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/plot/svg_text.h"

namespace ntune {

namespace {

/// What a cell's colour stands for: the optimiser's label, or else the plan's.
std::string series_of_cell(const StudyFolder& study, std::size_t cell) {
  const bool by_plan = study.study.optimisers.size() < 2 && study.study.plans.size() > 1;
  return by_plan ? study.plan(cell).label()
                 : study.study.optimisers[study.study.optimiser_of(cell)].label;
}

/// What a run recommends after so many evaluations; nothing before its first checkpoint, nor after
/// its last if it has not ended.
std::optional<double> worth_at(const RunTrace& trace, std::int64_t evaluations) {
  std::optional<double> worth;
  for (const Checkpoint& checkpoint : trace.checkpoints) {
    if (checkpoint.evaluations > evaluations) return worth;
    worth = worth_of(checkpoint);
  }
  const bool over = trace.checkpoints.back().evaluations < evaluations;
  return over && !trace.whole ? std::nullopt : worth;
}

}  // namespace

std::string of_objective(const ReportData& data, std::size_t objective) {
  const auto& objectives = data.study.study.objectives;
  return objectives.size() < 2 ? std::string()
                               : fmt::format(": {}", printable(objectives[objective].label, 60));
}

std::vector<const FinishedRun*> runs_of_objective(const ReportData& data, std::size_t objective) {
  std::vector<const FinishedRun*> runs;
  for (const FinishedRun& run : data.study.runs) {
    if (data.study.study.objective_of(run.cell) == objective) runs.push_back(&run);
  }
  return runs;
}

std::string short_name(const std::string& name, std::size_t characters) {
  return shortened(name, characters);
}

const char* sample_noun(const ReportData& data) {
  return data.study.study.unit == SampleUnit::kPicks ? "picks" : "runs";
}

std::string low_text(const std::optional<Interval>& interval) {
  return interval ? data_text(interval->low) : std::string();
}

std::string high_text(const std::optional<Interval>& interval) {
  return interval ? data_text(interval->high) : std::string();
}

int colour_of_cell(const ReportData& data, std::size_t cell) {
  const Study& study = data.study.study;
  const auto shared = data.colours.find(series_of_cell(data.study, cell));
  if (shared != data.colours.end()) return shared->second % kSeries;
  // A study by itself takes the colours in the order of its optimisers or plans.
  const std::size_t place =
      study.optimisers.size() > 1 ? study.optimiser_of(cell) : study.plan_of(cell);
  return static_cast<int>(place % kSeries);
}

std::vector<std::size_t> cells_in_order(const ReportData& data, std::size_t objective) {
  const Study& study = data.study.study;
  std::vector<std::size_t> cells;
  for (const Contestant& contestant : data.ranks.contestants) {
    cells.push_back(contestant.cells[objective]);
  }
  // Without ranks the order is that of the study.
  if (!cells.empty()) return cells;
  for (std::size_t cell = 0; cell < study.cells(); ++cell) {
    if (study.objective_of(cell) == objective) cells.push_back(cell);
  }
  return cells;
}

std::vector<LegendEntry> legend_of_cells(const ReportData& data, LegendEntry::Shape shape) {
  std::vector<LegendEntry> legend;
  for (const std::size_t cell : cells_in_order(data, 0)) {
    legend.push_back(
        {shortened(data.study.cell_label(cell, false), 40), colour_of_cell(data, cell), shape});
  }
  return legend;
}

std::vector<int> shown_parameters(const ReportData& data, std::size_t objective) {
  const SearchStatistics& search = data.searches[objective];
  if (data.shown_parameters.empty()) return search.varied();
  std::vector<int> shown;
  for (const int i : search.varied()) {
    const std::string& name = search.objective().space()[i].name;
    if (std::ranges::find(data.shown_parameters, name) != data.shown_parameters.end()) {
      shown.push_back(i);
    }
  }
  return shown;
}

std::vector<PairShare> shown_pairs(const ReportData& data, std::size_t objective) {
  const std::vector<int> shown = shown_parameters(data, objective);
  const auto is_shown = [&](int i) { return std::ranges::find(shown, i) != shown.end(); };
  std::vector<PairShare> pairs = data.importance[objective].pairs;
  std::erase_if(pairs, [&](const PairShare& one) { return !is_shown(one.a) || !is_shown(one.b); });
  return pairs;
}

int recommended_group(const ReportData& data, std::size_t objective, int parameter) {
  if (objective != 0 || data.rivals.empty() || !data.rivals[0].recommended) return -1;
  return group_of(data.searches[0].groups(parameter), data.rivals[0].point, parameter);
}

int group_of(const ValueGroups& groups, const Point& point, int parameter) {
  const std::size_t value = point[parameter];
  return value < groups.group_of.size() ? groups.group_of[value] : -1;
}

std::string duel_note(const ReportData& data, std::size_t objective) {
  if (!are_duels(data.searches[objective].objective())) return {};
  return " A value is a result against another candidate: it stays near one half while both get "
         "better.";
}

std::string partial_note(const ReportData& data) {
  const Traces& traces = data.traces;
  if (traces.evaluated_runs >= traces.of) return {};
  return fmt::format(" Of {}: {}.", share_of_runs(traces.evaluated_runs, traces.of),
                     traces.problem);
}

double worth_of(const Checkpoint& checkpoint) {
  return checkpoint.true_value.value_or(checkpoint.estimate);
}

std::vector<std::int64_t> checkpoints_of(const std::vector<const RunTrace*>& traces) {
  std::set<std::int64_t> places;
  for (const RunTrace* trace : traces) {
    for (const Checkpoint& checkpoint : trace->checkpoints) places.insert(checkpoint.evaluations);
  }
  return {places.begin(), places.end()};
}

std::vector<double> worths_at(const std::vector<const RunTrace*>& traces,
                              std::int64_t evaluations) {
  std::vector<double> worths;
  for (const RunTrace* trace : traces) {
    if (const auto worth = worth_at(*trace, evaluations)) worths.push_back(*worth);
  }
  if (2 * worths.size() < traces.size()) return {};
  std::ranges::sort(worths);
  return worths;
}

}  // namespace ntune
