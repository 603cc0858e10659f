#include "ntune/study/results/result_csv.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/csv.h"

namespace ntune {

std::vector<std::string> parameter_columns(const Study& study) {
  std::vector<std::string> columns;
  for (const StudyObjective& objective : study.objectives) {
    for (const std::string& name : objective.objective->space().names()) {
      if (std::ranges::find(columns, name) == columns.end()) columns.push_back(name);
    }
  }
  return columns;
}

void append_titles(std::string& columns, ColumnTitles& titles, std::string_view prefix,
                   const std::vector<std::string>& names) {
  for (const std::string& name : names) columns += ',' + csv_field(titles.add(prefix, name));
}

void append_point(std::string& row, const Point* point, const SearchSpace& space,
                  const std::vector<std::string>& columns) {
  for (const std::string& name : columns) {
    row += ',';
    const int parameter = space.find(name);
    if (point != nullptr && parameter >= 0 && space.is_active(*point, parameter)) {
      row += csv_field(value_text(space.value(*point, parameter)));
    }
  }
}

const char* cell_columns(const Study& study) {
  return study.is_comparison() ? "objective,optimiser,plan,repeat," : "";
}

std::string cell_fields(const Study& study, std::size_t objective, std::size_t optimiser,
                        std::size_t plan, std::int64_t repeat) {
  if (!study.is_comparison()) return {};
  return fmt::format("{},{},{},{},", csv_field(study.objectives[objective].label),
                     csv_field(study.optimisers[optimiser].label),
                     csv_field(study.plans[plan].label()), repeat);
}

std::string number_field(const std::optional<double>& number) {
  return number ? fmt::format("{}", *number) : std::string();
}

std::string ends_fields(const std::optional<Interval>& interval) {
  return interval ? fmt::format("{},{}", interval->low, interval->high) : ",";
}

namespace {

/// The line of names: the columns, then those of the parameters.
std::string header(std::string columns, const std::vector<std::string>& parameters,
                   ColumnTitles titles) {
  append_titles(columns, titles, kParameterPrefix, parameters);
  return columns + '\n';
}

/// From `mean` to `delta`.
std::string score_fields(const Study& study, const CellSummary& cell) {
  const RunningStats& stats = cell.score.stats;
  const ScoreRange range = score_range(study, cell);
  return fmt::format("{},{},{},{},{},{}", stats.mean(), stats.sd(),
                     ends_fields(cell.score.interval), range.best, range.worst,
                     cell.delta.stats.mean());
}

/// From `difference` to `difference_high`; empty fields of a reference cell.
std::string difference_fields(const CellSummary& cell) {
  if (!cell.difference) return ",,";
  return fmt::format("{},{}", cell.difference->stats.mean(),
                     ends_fields(cell.difference->interval));
}

/// A row for each cell of a comparison, with empty fields where it has no score yet.
std::string cells_csv(const Study& study, const std::vector<CellSummary>& summaries) {
  std::string csv =
      "objective,optimiser,runs,iterations,re_evaluation,n,mean,sd,low,high,best,worst,delta,"
      "difference,difference_low,difference_high\n";
  for (const CellSummary& cell : summaries) {
    const RunPlan& plan = study.plans[cell.plan];
    csv +=
        fmt::format("{},{},{},{},{},{},", csv_field(study.objectives[cell.objective].label),
                    csv_field(study.optimisers[cell.optimiser].label), plan.runs, plan.iterations,
                    plan.adaptive ? "adaptive" : fmt::format("{}", plan.re_evaluation),
                    cell.score.stats.count());
    csv += cell.score.stats.count() == 0
               ? ",,,,,,,,,"
               : score_fields(study, cell) + ',' + difference_fields(cell);
    csv += '\n';
  }
  return csv;
}

/// From `value` to `true_value`.
std::string measured_fields(const Objective& objective, const HoldOut& hold_out,
                            const std::optional<double>& true_value) {
  std::optional<double> value;
  if (hold_out.measured()) value = hold_out.value(objective.unit());
  return fmt::format("{},{},{},{}", number_field(value), ends_fields(hold_out.interval),
                     hold_out.payoffs.count(), number_field(true_value));
}

/// A row for each setting of the front, with three columns for each goal.
std::string front_csv(const Objective& objective, const GoalFront& front) {
  const SearchSpace& space = objective.space();
  static const std::vector<std::string> kEndings = {"", "_low", "_high"};
  std::string columns = "point,on_front,sure,n,failures";
  ColumnTitles titles(columns);
  for (const Goal& goal : objective.goals()) {
    const std::string title = titles.add(kGoalPrefix, goal.name, kEndings);
    for (const std::string& ending : kEndings) columns += ',' + csv_field(title + ending);
  }
  std::string csv = header(columns, space.names(), std::move(titles));
  for (std::size_t i = 0; i < front.members.size(); ++i) {
    const FrontMember& member = front.members[i];
    csv += fmt::format("{},{},{},{},{}",
                       member.is_default   ? "default"
                       : front.chosen == i ? "recommendation"
                                           : "front",
                       member.on_front, member.is_sure, member.n, member.failures);
    for (const Goal& goal : objective.goals()) {
      const GoalValue* value = member.find(goal.name);
      csv += value == nullptr ? ",,,"
                              : fmt::format(",{},{}", value->mean, ends_fields(value->interval));
    }
    append_point(csv, &member.point, space, space.names());
    csv += '\n';
  }
  return csv;
}

/// The recommendation; where a default is declared, also that, with what the recommendation is
/// above it: value, ends of the 95 % interval and the probability of being better.
std::string recommendation_csv(const Objective& objective, const Pick& pick) {
  const SearchSpace& space = objective.space();
  const bool compared = pick.incumbent.has_value();
  const std::string columns = std::string(compared ? "point," : "") +
                              "value,low,high,n,true_value,estimate" +
                              (compared ? ",difference,difference_low,difference_high,better" : "");
  std::string csv = header(columns, space.names(), ColumnTitles(columns));
  if (pick.point.size() == 0) return csv;
  if (compared) csv += "recommendation,";
  csv += measured_fields(objective, pick.hold_out, pick.true_value);
  csv += fmt::format(",{}", pick.estimate);
  if (compared) csv += ",,,,";
  append_point(csv, &pick.point, space, space.names());
  csv += '\n';
  // The second row is the default, with what the recommendation is above it.
  if (!compared) return csv;
  const IncumbentComparison& comparison = *pick.incumbent;
  csv += "default," + measured_fields(objective, comparison.hold_out, comparison.true_value) + ",,";
  csv += number_field(comparison.difference) + ',' + ends_fields(comparison.interval) + ',';
  csv += number_field(comparison.probability_better);
  append_point(csv, &comparison.point, space, space.names());
  return csv + '\n';
}

}  // namespace

std::string result_csv(const Study& study, const StudyResult& result,
                       const std::vector<CellSummary>& summaries) {
  if (study.is_comparison()) return cells_csv(study, summaries);
  if (result.cells[0].picks[0].front) {
    return front_csv(*study.objectives[0].objective, *result.cells[0].picks[0].front);
  }
  return recommendation_csv(*study.objectives[0].objective, result.cells[0].picks[0]);
}

std::string runs_csv(const Study& study, const StudyResult& result) {
  const std::vector<std::string> columns = parameter_columns(study);
  const bool held_out = study.unit == SampleUnit::kRuns && result.hold_out_evaluations > 0;
  const std::string own = std::string(cell_columns(study)) +
                          "run,evaluations,search_estimate,true_value" +
                          (held_out ? ",hold_out" : "");
  // In the table of merged studies the seed stands in front.
  std::string csv = header(own, columns, ColumnTitles("seed," + own));
  for (const CellResult& cell : result.cells) {
    const Objective& objective = *study.objectives[cell.objective].objective;
    // Runs that were interrupted have no recommendation and no row.
    for (const RunRecord& run : cell.runs) {
      if (!run.finished) continue;
      csv += cell_fields(study, cell.objective, cell.optimiser, cell.plan, run.repeat);
      csv += fmt::format("{},{},{},{}", run.run, run.evaluations, run.estimate,
                         number_field(run.true_value));
      if (held_out) {
        csv += run.hold_out.payoffs.count() == 0
                   ? ","
                   : fmt::format(",{}", objective.unit().value_of(run.hold_out.payoffs.mean()));
      }
      append_point(csv, &run.point, objective.space(), columns);
      csv += '\n';
    }
  }
  return csv;
}

}  // namespace ntune
