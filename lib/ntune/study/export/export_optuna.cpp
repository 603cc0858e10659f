#include "ntune/study/export/export_optuna.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ntune/core/append_file.h"
#include "ntune/core/column_titles.h"
#include "ntune/core/files.h"
#include "ntune/core/json.h"
#include "ntune/objective/recorded/optuna_codes.h"
#include "ntune/space/space_yaml.h"
#include "ntune/study/export/export_records.h"
#include "ntune/version.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

/// True if a distribution of numbers between two ends describes the values.
bool is_range(const Parameter& parameter) {
  return parameter.ordered && parameter.cardinality() > 1 &&
         (parameter.kind == ParameterKind::kIntegers || parameter.kind == ParameterKind::kRange ||
          parameter.kind == ParameterKind::kLogRange);
}

/// Optuna's internal value.
double number_of(const Parameter& parameter, int value) {
  return is_range(parameter) ? value_number(parameter.value(value)) : static_cast<double>(value);
}

Json distribution_of(const Parameter& parameter) {
  if (!is_range(parameter)) {
    Json choices = Json::array();
    for (int i = 0; i < parameter.known_values(); ++i) {
      choices.push_back(value_json(parameter.value(i)));
    }
    return {{"name", "CategoricalDistribution"}, {"attributes", {{"choices", choices}}}};
  }
  // A default off the grid may lie beyond the ends: it belongs to the distribution.
  const Value& last = parameter.value(parameter.known_values() - 1);
  const Value& low = std::min(parameter.values.front(), last, ValueBefore());
  const Value& high = std::max(parameter.values.back(), last, ValueBefore());
  if (parameter.kind == ParameterKind::kIntegers) {
    const std::int64_t step = std::get<std::int64_t>(parameter.values[1]) -
                              std::get<std::int64_t>(parameter.values.front());
    return {{"name", "IntDistribution"},
            {"attributes",
             {{"log", false},
              {"step", parameter.off_grid ? 1 : step},
              {"low", value_json(low)},
              {"high", value_json(high)}}}};
  }
  return {{"name", "FloatDistribution"},
          {"attributes",
           {{"step", nullptr},
            {"low", value_number(low)},
            {"high", value_number(high)},
            {"log", parameter.kind == ParameterKind::kLogRange && value_number(low) > 0.0}}}};
}

using Attributes = std::vector<std::pair<std::string, std::string>>;

void add(Attributes& attributes, const char* name, std::int64_t value) {
  attributes.emplace_back(name, fmt::format("{}", value));
}

void add(Attributes& attributes, const char* name, const std::optional<double>& value) {
  if (!value) return;
  append_float(attributes.emplace_back(name, std::string()).second, *value);
}

void add(Attributes& attributes, const char* name, const std::string& text) {
  attributes.emplace_back(name, json_line(text));
}

/// Fills in times that the journal does not have: Optuna needs both of a finished trial.
void complete_times(OptunaTrial& trial) {
  if (trial.complete.empty()) trial.complete = trial.start;
  if (trial.complete.empty()) trial.complete = "1970-01-01T00:00:00.000000";
  if (trial.start.empty()) trial.start = trial.complete;
}

/// Which cell and run a trial is of.
void describe_cell(const Study& study, const EvaluationKey& key, Attributes& attributes) {
  if (study.is_comparison()) {
    add(attributes, "optimiser", study.optimisers[study.optimiser_of(key.cell)].label);
    add(attributes, "plan", study.plans[study.plan_of(key.cell)].label());
    add(attributes, "repeat", key.repeat);
  }
  add(attributes, "run", key.run);
}

/// Counts of games, where they are some.
void describe_games(const GameCounts& counts, Attributes& attributes) {
  if (counts.empty()) return;
  add(attributes, "wins", counts.games.wins);
  add(attributes, "draws", counts.games.draws);
  add(attributes, "losses", counts.games.losses);
  if (!counts.are_paired()) return;
  add(attributes, "pentanomial", fmt::format("{}", fmt::join(counts.pairs.counts, " ")));
}

/// Names that an evaluation has reported, beside those that a trial may have by itself.
void add_reported(Attributes& attributes, const Json& reported) {
  static const ColumnTitles kOwn(
      "at_least,stage,optimiser,plan,repeat,run,evaluation,seconds,wins,draws,losses,opponent,"
      "instance,observations,attempts,cut_off,cost,pentanomial,failure");
  for (const auto& [name, value] : reported.items()) {
    attributes.emplace_back(kOwn.of(kReturnedPrefix, name), json_line(value));
  }
}

/// An evaluation or a run as a trial: what Optuna has no word for stands in its attributes.
OptunaTrial trial_of(const Study& study, const RecordedTrial& recorded) {
  OptunaTrial trial{.objective = recorded.objective,
                    .point = recorded.point,
                    .start = recorded.start,
                    .complete = recorded.complete};
  const JournalLine& line = *recorded.line;
  Attributes& attributes = trial.attributes;
  // A value that is only a bound would mislead Optuna: such a trial is pruned.
  if (line.ending == Ending::kCapped) {
    trial.pruned = true;
    add(attributes, "at_least", recorded.value);
  } else if (recorded.value) {
    trial.values = goal_values(study, recorded);
    if (trial.values.empty()) trial.values = {*recorded.value};
  }
  // A run is a trial where its evaluations are not recorded.
  if (line.kind == JournalLine::Kind::kRun) {
    add(attributes, "stage", std::string("run"));
    describe_cell(study, line.key, attributes);
    add(attributes, "evaluations", line.run.evaluations);
    add(attributes, "search_estimate", std::optional(line.run.estimate));
    return trial;
  }
  // An evaluation: its name, what it took, and what it was of.
  add(attributes, "stage", std::string(recorded.stage()));
  if (!recorded.is_offered()) {
    describe_cell(study, line.key, attributes);
    add(attributes, "evaluation", line.key.index);
  }
  add(attributes, "seconds", recorded.seconds);
  if (line.payoffs.size() > 1 && recorded.value) {
    add(attributes, "observations", static_cast<std::int64_t>(line.payoffs.size()));
  }
  describe_games(line.games, attributes);
  if (recorded.opponent) {
    const SearchSpace& space = study.objectives[recorded.objective].objective->space();
    attributes.emplace_back("opponent", point_json(*recorded.opponent, space).dump());
  }
  if (const Instance* on = instance_of(study, recorded)) add(attributes, "instance", on->name);
  if (line.attempts > 1) add(attributes, "attempts", std::int64_t{line.attempts});
  if (line.ending == Ending::kCutOff) attributes.emplace_back("cut_off", "true");
  add(attributes, "cost", line.cost);
  if (!recorded.value && !trial.pruned) add(attributes, "failure", line.failure);
  return trial;
}

/// A point as a trial: its mean, and how sure that is.
OptunaTrial trial_of(const Study& study, const RecordedPoint& point) {
  OptunaTrial trial{.objective = point.objective,
                    .point = point.point,
                    .start = point.start,
                    .complete = point.complete};
  Attributes& attributes = trial.attributes;
  add(attributes, "n", point.payoffs.count());
  if (point.payoffs.count() > 0) {
    const PointValue value = value_of(study, point);
    trial.values = {value.mean};
    add(attributes, "sd", value.sd);
    add(attributes, "standard_error", value.standard_error);
    if (value.interval) {
      add(attributes, "low", std::optional(value.interval->low));
      add(attributes, "high", std::optional(value.interval->high));
    }
  }
  describe_games(point.games, attributes);
  add(attributes, "failures", point.failures);
  for (const Stage stage : {Stage::kSearch, Stage::kReEvaluation, Stage::kHoldOut}) {
    add(attributes, stage_name(stage), point.spent[static_cast<std::size_t>(stage)]);
  }
  return trial;
}

/// The lines with which every study begins.
std::string study_lines(const Study& study) {
  std::string lines;
  for (std::size_t i = 0; i < study.objectives.size(); ++i) {
    // A study of Optuna for each objective.
    Json directions = Json::array();
    for (const bool is_cost : are_costs(*study.objectives[i].objective)) {
      directions.push_back(
          optuna_code(is_cost ? OptunaDirection::kMinimise : OptunaDirection::kMaximise));
    }
    const Json line = {{"op_code", optuna_code(OptunaOperation::kCreateStudy)},
                       {"worker_id", "ntune"},
                       {"study_name", optuna_name(study, i)},
                       {"directions", directions}};
    lines += line.dump() + '\n';
    for (const auto& [name, value] : optuna_study_attributes(study)) {
      lines += fmt::format(
          R"({{"op_code":{},"worker_id":"ntune","study_id":{},"user_attr":{{"{}":{}}}}})",
          optuna_code(OptunaOperation::kSetStudyAttribute), i, name, value);
      lines += '\n';
    }
  }
  return lines;
}

}  // namespace

Attributes optuna_study_attributes(const Study& study) {
  Attributes attributes;
  add(attributes, "ntune", std::string(kVersion));
  add(attributes, "seed", static_cast<std::int64_t>(study.seed));
  Json goals = Json::array();
  for (const Goal& goal : study.objectives.front().objective->goals()) goals.push_back(goal.name);
  if (!goals.empty()) attributes.emplace_back("goals", json_line(goals));
  return attributes;
}

std::vector<bool> are_costs(const Objective& objective) {
  if (objective.goals().empty()) return {objective.unit().is_cost()};
  std::vector<bool> costs;
  for (const Goal& goal : objective.goals()) costs.push_back(goal.unit.is_cost());
  return costs;
}

std::string optuna_name(const Study& study, std::size_t objective) {
  const std::string& label = study.objectives[objective].label;
  if (study.name.empty()) return label;
  return objective == 0 ? study.name : fmt::format("{}: {}", study.name, label);
}

OptunaTrial optuna_trial(const Study& study, const RecordedTrial& recorded, const Json& reported) {
  OptunaTrial trial = trial_of(study, recorded);
  add_reported(trial.attributes, reported);
  complete_times(trial);
  return trial;
}

ExportSummary for_each_optuna_trial(const RecordedStudy& recorded, const ExportOptions& options,
                                    const std::function<void(const OptunaTrial&)>& visit) {
  const Study& study = recorded.study();
  ExportSummary summary;
  // Points are kept until all are known; evaluations pass through.
  if (options.per == ExportPer::kPoint) {
    const std::vector<RecordedPoint> points = recorded_points(recorded, options.at_least);
    for (const RecordedPoint& point : points) {
      OptunaTrial trial = trial_of(study, point);
      complete_times(trial);
      visit(trial);
      ++summary.rows;
    }
    summary.best_evaluations = evaluations_of_best(study, points);
  } else {
    const ReportedNames reported(recorded.folder());
    for_each_trial(recorded, [&](const RecordedTrial& trial) {
      visit(optuna_trial(study, trial, reported.of(trial)));
      ++summary.rows;
    });
  }
  return summary;
}

namespace {

/// What writes the trials of each objective.
std::vector<TrialText> texts_of(const Study& study) {
  std::vector<TrialText> texts;
  for (const StudyObjective& entry : study.objectives) {
    texts.emplace_back(entry.objective->space());
  }
  return texts;
}

class FollowedOptunaJournal final : public FollowedFile {
 public:
  FollowedOptunaJournal(const fs::path& file, const Study& study) : texts_(texts_of(study)) {
    const std::string begin = study_lines(study);
    write_file_atomically(file, begin);
    file_ = std::make_unique<AppendFile>(file, begin.size());
  }

  void add(const OptunaTrial& trial) override { texts_[trial.objective].append_line(text_, trial); }
  void commit() override {
    if (text_.empty()) return;
    file_->append(text_);
    file_->write();
    text_.clear();
  }

 private:
  std::vector<TrialText> texts_;  ///< per objective
  std::string text_;
  std::unique_ptr<AppendFile> file_;
};

}  // namespace

ExportSummary export_optuna_journal(const RecordedStudy& recorded, const ExportOptions& options,
                                    const TextSink& sink) {
  constexpr std::size_t kPiece = 1 << 16;
  // Text goes on in pieces: a long journal is never whole in the memory.
  const std::vector<TrialText> texts = texts_of(recorded.study());
  std::string text = study_lines(recorded.study());
  const auto summary = for_each_optuna_trial(recorded, options, [&](const OptunaTrial& trial) {
    texts[trial.objective].append_line(text, trial);
    if (text.size() < kPiece) return;
    sink(text);
    text.clear();
  });
  sink(text);
  return summary;
}

std::unique_ptr<FollowedFile> follow_optuna_journal(const fs::path& file, const Study& study) {
  return std::make_unique<FollowedOptunaJournal>(file, study);
}

void append_float(std::string& text, double value) {
  const std::size_t start = text.size();
  fmt::format_to(std::back_inserter(text), "{}", value);
  if (text.find_first_of(".en", start) == std::string::npos) text += ".0";
}

TrialText::TrialText(const SearchSpace& space) : space_(&space) {
  for (const Parameter& parameter : space.parameters()) {
    // What is the same in all trials is made into text once.
    Column column{.name = Json(parameter.name).dump() + ":",
                  .values = {},
                  .distribution = distribution_of(parameter),
                  .distribution_text = {}};
    column.distribution_text = Json(column.distribution.dump()).dump();
    for (int i = 0; i < parameter.known_values(); ++i) {
      append_float(column.values.emplace_back(), number_of(parameter, i));
    }
    columns_.push_back(std::move(column));
  }
}

double TrialText::internal_value(int parameter, int value) const {
  return number_of((*space_)[parameter], value);
}

const Json& TrialText::distribution(int parameter) const {
  return columns_[static_cast<std::size_t>(parameter)].distribution;
}

/// A record of the operation that creates a trial, in its last state.
void TrialText::append_line(std::string& text, const OptunaTrial& trial) const {
  const OptunaState state = !trial.values.empty() ? OptunaState::kComplete
                            : trial.pruned        ? OptunaState::kPruned
                                                  : OptunaState::kFailed;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, R"({{"op_code":{},"worker_id":"ntune","study_id":{},"state":{},"value":)",
                 optuna_code(OptunaOperation::kCreateTrial), trial.objective, optuna_code(state));
  if (trial.values.size() == 1) {
    append_float(text, trial.values.front());
  } else {
    text += "null";
  }
  if (trial.values.size() > 1) {
    text += ",\"values\":[";
    for (const double& value : trial.values) {
      if (&value != &trial.values.front()) text += ',';
      append_float(text, value);
    }
    text += ']';
  }
  fmt::format_to(out, R"(,"datetime_start":"{}","datetime_complete":"{}",)", trial.start,
                 trial.complete);
  append(text, trial.point);
  text += ",\"user_attrs\":{";
  for (const auto& [name, value] : trial.attributes) {
    if (&name != &trial.attributes.front().first) text += ',';
    fmt::format_to(out, "{}:{}", json_line(name), value);
  }
  text += "}}\n";
}

void TrialText::append(std::string& line, const Point& point) const {
  // The values first, then what they may be.
  for (const bool distributions : {false, true}) {
    line += distributions ? "},\"distributions\":{" : "\"params\":{";
    bool first = true;
    for (int i = 0; i < point.size(); ++i) {
      if (!space_->is_active(point, i)) continue;
      const Column& column = columns_[static_cast<std::size_t>(i)];
      if (!first) line += ',';
      first = false;
      line += column.name;
      line += distributions ? column.distribution_text : column.values[point[i]];
    }
  }
  line += '}';
}

}  // namespace ntune
