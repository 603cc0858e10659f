#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ntune/core/csv.h"
#include "ntune/core/json.h"
#include "ntune/core/text.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/export/export.h"
#include "ntune/study/export/export_records.h"
#include "ntune/study/results/result_csv.h"

namespace ntune {

namespace {

/// A value that an evaluation has reported: a list or a map as JSON, empty where there is none.
std::string reported_field(const Json& reported, const std::string& name) {
  const auto found = reported.find(name);
  if (found == reported.end() || found->is_null()) return {};
  return csv_field(found->is_string() ? found->get<std::string>() : json_line(*found));
}

/// Collects rows and passes them on in pieces.
class CsvWriter {
 public:
  CsvWriter(const Study& study, const TextSink& sink)
      : study_(study), sink_(sink), parameters_(parameter_columns(study)) {}

  /// The first line: these columns, whose titles are known, and the parameters. With opponents
  /// every row has columns for the parameters of the other player too. Names that evaluations
  /// report come last.
  void header(std::string columns, ColumnTitles titles, bool opponents = false,
              const std::vector<std::string>& reported = {}) {
    opponents_ = opponents;
    reported_ = reported;
    append_titles(columns, titles, kParameterPrefix, parameters_);
    for (const std::string& name : parameters_) {
      if (opponents_) columns += ',' + csv_field(std::string(kOpponentPrefix) + name);
    }
    append_titles(columns, titles, kReturnedPrefix, reported_);
    text_ += columns + '\n';
  }
  /// The same of columns that all tables of this kind have.
  void header(const std::string& columns) { header(columns, ColumnTitles(columns)); }

  /// A row that begins with `fields`, the parameters, and those of the opponent where it has one.
  void row(std::string_view fields, std::size_t objective, const Point& point,
           const Point* opponent = nullptr, const Json& reported = {}) {
    constexpr std::size_t kPiece = 1 << 16;
    text_ += fields;
    const SearchSpace& space = study_.objectives[objective].objective->space();
    append_point(text_, &point, space, parameters_);
    if (opponents_) append_point(text_, opponent, space, parameters_);
    for (const std::string& name : reported_) text_ += ',' + reported_field(reported, name);
    text_ += '\n';
    ++rows_;
    if (text_.size() > kPiece) flush();
  }

  std::int64_t finish() {
    flush();
    return rows_;
  }

 private:
  void flush() {
    sink_(text_);
    text_.clear();
  }

  const Study& study_;
  const TextSink& sink_;
  std::vector<std::string> parameters_;  ///< of all objectives, each name once
  bool opponents_ = false;
  std::vector<std::string> reported_;
  std::string text_;
  std::int64_t rows_ = 0;
};

constexpr const char* kGameColumns = "wins,draws,losses,pentanomial,";

/// Counts of games in these columns; empty where there are none, and pairs that are not all known.
std::string game_fields(const GameCounts& counts) {
  if (counts.empty()) return ",,,,";
  return fmt::format(
      "{},{},{},{},", counts.games.wins, counts.games.draws, counts.games.losses,
      counts.are_paired() ? fmt::format("{}", fmt::join(counts.pairs.counts, " ")) : std::string());
}

std::string cell_fields(const Study& study, const EvaluationKey& key) {
  return cell_fields(study, study.objective_of(key.cell), study.optimiser_of(key.cell),
                     study.plan_of(key.cell), key.repeat);
}

/// Columns that only some journals need.
struct OptionalColumns {
  bool observations = false;
  bool games = false;
  bool ending = false;
  bool cost = false;
  bool instances = false;
  bool opponents = false;  ///< that a search has chosen
};

/// How an evaluation ended, and what it cost, behind the other columns.
std::string last_fields(const JournalLine& line, const OptionalColumns& columns) {
  std::string fields;
  if (columns.ending) {
    fields += line.ending == Ending::kCutOff   ? ",cut off"
              : line.ending == Ending::kCapped ? ",at least"
                                               : ",";
  }
  if (columns.cost) fields += ',' + number_field(line.cost);
  return fields;
}

/// A row for each observation of an evaluation. What is the same in all of them is made once.
void write_evaluation(CsvWriter& csv, const Study& study, const RecordedTrial& trial,
                      const OptionalColumns& columns, const Json& reported) {
  const EvaluationKey& key = trial.line->key;
  const Objective& objective = *study.objectives[trial.objective].objective;
  std::string front = cell_fields(study, key) + trial.stage();
  front += trial.is_offered() ? ",,," : fmt::format(",{},{},", key.run, key.index);
  if (columns.instances) {
    const Instance* on = instance_of(study, trial);
    front += (on != nullptr ? csv_field(on->name) : std::string()) + ',';
  }
  const std::string back =
      fmt::format(",{},{},{},{},{}", csv_field(trial.line->failure), number_field(trial.seconds),
                  trial.line->attempts, trial.start, trial.complete) +
      last_fields(*trial.line, columns);
  const Point* opponent = trial.opponent ? &*trial.opponent : nullptr;
  std::string goals;
  const std::vector<double> values = goal_values(study, trial);
  for (std::size_t g = 0; g < objective.goals().size(); ++g) {
    goals += ',';
    if (g < values.size()) goals += number_field(values[g]);
  }
  // One that failed has a row without a payoff; games count beside the first observation.
  const std::size_t rows = trial.value ? trial.line->payoffs.size() : 1;
  for (std::size_t i = 0; i < rows; ++i) {
    std::string fields = front;
    const bool counts = trial.value && i == 0;
    if (columns.games) fields += game_fields(counts ? trial.line->games : GameCounts());
    if (columns.observations) fields += fmt::format("{},", i);
    if (trial.value) fields += number_field(objective.unit().value_of(trial.line->payoffs[i]));
    fields += goals;
    csv.row(fields + back, trial.objective, trial.point, opponent, reported);
  }
}

ExportSummary evaluations_csv(const RecordedStudy& recorded, const ExportOptions& options,
                              const TextSink& sink) {
  const Study& study = recorded.study();
  // One pass over the journal shows which columns it needs.
  OptionalColumns columns{.games = has_games(recorded), .instances = !study.instances.empty()};
  recorded.scan([&](const JournalLine& line) {
    columns.ending = columns.ending || line.ending != Ending::kWhole;
    columns.cost = columns.cost || line.cost.has_value();
    columns.opponents = columns.opponents || !line.against.empty();
  });
  columns.observations = std::ranges::any_of(study.objectives, [](const StudyObjective& entry) {
    return entry.objective->payoffs().several;
  });
  const std::string front =
      fmt::format("{}stage,run,evaluation,{}{}{}value", cell_columns(study),
                  columns.instances ? "instance," : "", columns.games ? kGameColumns : "",
                  columns.observations ? "observation," : "");
  const std::string back = ",failure,seconds,attempts,start,complete";
  // Readers know the last two by their names, so that these are never a parameter's.
  ColumnTitles titles(front + back + ",ending,cost");
  std::string goals;
  for (const Goal& goal : study.objectives.front().objective->goals()) {
    goals += ',' + csv_field(titles.add(kGoalPrefix, goal.name));
  }
  std::optional<ReportedNames> reported;
  if (options.reported) reported.emplace(recorded.folder());
  CsvWriter csv(study, sink);
  csv.header(
      front + goals + back + (columns.ending ? ",ending" : "") + (columns.cost ? ",cost" : ""),
      std::move(titles), columns.opponents,
      reported ? reported->names() : std::vector<std::string>());
  const Json nothing;
  for_each_trial(recorded, [&](const RecordedTrial& trial) {
    write_evaluation(csv, study, trial, columns, reported ? reported->of(trial) : nothing);
  });
  return {.rows = csv.finish()};
}

ExportSummary recorded_runs_csv(const RecordedStudy& recorded, const TextSink& sink) {
  const Study& study = recorded.study();
  CsvWriter csv(study, sink);
  csv.header(fmt::format(
      "{}run,evaluations,failures,point_evaluations,search_estimate,true_value,hold_out,complete",
      cell_columns(study)));
  for_each_trial(recorded, [&](const RecordedTrial& trial) {
    if (trial.is_offered()) return;
    const RunRecord& run = trial.line->run;
    const Objective& objective = *study.objectives[trial.objective].objective;
    // Runs that nothing was held out of have none.
    std::optional<double> held_out;
    if (run.hold_out.payoffs.count() > 0)
      held_out = objective.unit().value_of(run.hold_out.payoffs.mean());
    csv.row(cell_fields(study, trial.line->key) +
                fmt::format("{},{},{},{},{},{},{},{}", run.run, run.evaluations, run.failures,
                            run.point_evaluations, run.estimate,
                            number_field(true_value_of(objective, trial.point)),
                            number_field(held_out), trial.complete),
            trial.objective, trial.point);
  });
  return {.rows = csv.finish()};
}

/// By objective, best mean first; of equal ones the one with more evaluations, then the earlier.
bool is_before(const RecordedPoint& a, const RecordedPoint& b) {
  if (a.objective != b.objective) return a.objective < b.objective;
  const bool known = a.payoffs.count() > 0;
  if (known != (b.payoffs.count() > 0)) return known;
  if (a.payoffs.mean() != b.payoffs.mean()) return a.payoffs.mean() > b.payoffs.mean();
  return a.payoffs.count() > b.payoffs.count();
}

ExportSummary points_csv(const RecordedStudy& recorded, const ExportOptions& options,
                         const TextSink& sink) {
  const Study& study = recorded.study();
  std::vector<RecordedPoint> points = recorded_points(recorded, options.at_least);
  std::ranges::stable_sort(points, is_before);
  const bool several = study.objectives.size() > 1;
  const bool games = has_games(recorded);
  CsvWriter csv(study, sink);
  csv.header(
      fmt::format("{}{}n,mean,sd,standard_error,low,high,failures,search,re_evaluation,hold_out",
                  several ? "objective," : "", games ? kGameColumns : ""));
  for (const RecordedPoint& point : points) {
    const StudyObjective& objective = study.objectives[point.objective];
    std::string fields = several ? csv_field(objective.label) + "," : "";
    if (games) fields += game_fields(point.games);
    const auto out = std::back_inserter(fields);
    fmt::format_to(out, "{}", point.payoffs.count());
    if (point.payoffs.count() == 0) {
      fields += ",,,,,";
    } else {
      // A single payoff has no spread, and perhaps no interval.
      const PointValue value = value_of(recorded.study(), point);
      fmt::format_to(out, ",{},{},{}", value.mean, number_field(value.sd),
                     number_field(value.standard_error));
      fields += ',' + ends_fields(value.interval);
    }
    fmt::format_to(out, ",{},{},{},{}", point.failures, point.spent[0], point.spent[1],
                   point.spent[2]);
    csv.row(fields, point.objective, point.point);
  }
  return {.rows = csv.finish(), .best_evaluations = evaluations_of_best(study, points)};
}

}  // namespace

ExportSummary export_csv(const RecordedStudy& recorded, const ExportOptions& options,
                         const TextSink& sink) {
  if (options.per == ExportPer::kPoint) return points_csv(recorded, options, sink);
  return recorded.study().execution.record == Recording::kRuns
             ? recorded_runs_csv(recorded, sink)
             : evaluations_csv(recorded, options, sink);
}

}  // namespace ntune
