#include "ntune/report/data/report_data.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/facts/failed_call_text.h"
#include "ntune/objective/failure_cause.h"
#include "ntune/report/data/counted_evaluations.h"
#include "ntune/study/results/result_csv.h"

namespace ntune {

namespace {

/// Scores of a cell's picks as result.json has them.
std::vector<std::optional<double>> pick_scores(const StudyFolder& study, std::size_t cell) {
  std::vector<std::optional<double>> scores;
  if (!study.result || !study.result->cells || cell >= study.result->cells->size()) return scores;
  for (const SavedRecommendation& pick :
       (*study.result->cells)[cell].picks.value_or(std::vector<SavedRecommendation>())) {
    scores.push_back(pick.fresh.true_value ? pick.fresh.true_value : pick.fresh.value);
  }
  return scores;
}

/// Scores of a cell's runs by repeat and run; missing ones are empty.
std::vector<std::optional<double>> run_scores(const StudyFolder& study, std::size_t cell) {
  const std::int64_t runs = study.plan(cell).runs;
  std::vector<std::optional<double>> scores;
  for (const FinishedRun& run : study.runs) {
    if (run.cell != cell) continue;
    // Runs of a repeat follow each other.
    const auto place = static_cast<std::size_t>(run.repeat * runs + run.run);
    if (place >= scores.size()) scores.resize(place + 1);
    scores[place] = run.score();
  }
  return scores;
}

/// The cell that others of its family are compared with: the first of them.
std::size_t reference_of(const StudyFolder& study, std::size_t cell) {
  const std::size_t optimisers = study.study.optimisers.size();
  if (optimisers > 1) return cell / optimisers * optimisers;  // same objective and plan
  const std::size_t plans = study.study.plans.size();
  return cell / plans * plans;  // same objective
}

/// Scores and paired differences of all cells.
std::vector<CellScores> cell_scores(const StudyFolder& study) {
  std::vector<CellScores> cells;
  const bool by_picks = study.study.unit == SampleUnit::kPicks;
  // Scores of all cells come first, since each is paired with those of its reference.
  std::vector<std::vector<std::optional<double>>> scores;
  for (std::size_t cell = 0; cell < study.study.cells(); ++cell) {
    scores.push_back(by_picks ? pick_scores(study, cell) : run_scores(study, cell));
  }
  for (std::size_t cell = 0; cell < scores.size(); ++cell) {
    CellScores summary{
        .cell = cell, .label = study.cell_label(cell, true), .by_block = scores[cell]};
    for (const auto& score : scores[cell]) {
      if (score) summary.scores.push_back(*score);
    }
    // Differences are of runs of one number, which had the same random streams.
    const std::size_t reference = reference_of(study, cell);
    const auto& others = scores[reference];
    if (reference != cell) summary.reference = study.cell_label(reference, false);
    // Picks of an interrupted study have gaps that result.json does not name.
    const bool paired = !by_picks || others.size() == scores[cell].size();
    for (std::size_t i = 0; reference != cell && paired && i < scores[cell].size(); ++i) {
      if (i >= others.size() || !scores[cell][i] || !others[i]) continue;
      summary.differences.push_back(*scores[cell][i] - *others[i]);
    }
    cells.push_back(std::move(summary));
  }
  return cells;
}

/// "name=value" of the user's own values, or else the declared default.
void read_defaults(ReportData& data, const std::vector<std::string>& settings) {
  if (settings.empty()) {
    // Without settings of the user's own the declared default stands beside the recommendation.
    data.defaults = data.study.study.beginning.incumbent;
    if (data.defaults)
      data.default_given.assign(static_cast<std::size_t>(data.defaults->size()), true);
    return;
  }
  if (data.is_comparison()) {
    throw InputError("--default: goes with a study that has one recommendation");
  }
  const SearchSpace& space = data.study.objective(0).space();
  data.defaults = Point(space.dimensions());
  data.default_given.assign(static_cast<std::size_t>(space.dimensions()), false);
  for (const std::string& setting : settings) {
    // Each setting is a name and the text of one of its values.
    const std::size_t equals = setting.find('=');
    const std::string name = setting.substr(0, equals);
    const int i = space.find(name);
    if (equals == std::string::npos || i < 0) {
      throw InputError(fmt::format(
          "--default: '{}' names no parameter{}; allowed: name=value of {}", printable(setting, 60),
          suggestion(name, space.names()), printable(list_text(space.names()), 300)));
    }
    const std::string text = setting.substr(equals + 1);
    const auto& values = space[i].values;
    const auto found = std::ranges::find(values, text, value_text);
    if (found == values.end()) {
      throw InputError(fmt::format("--default: {} has no value '{}'; values: {}",
                                   printable(name, 60), printable(text, 60),
                                   printable(fmt::format("{} to {}", value_text(values.front()),
                                                         value_text(values.back())))));
    }
    (*data.defaults)[i] = static_cast<std::uint16_t>(found - values.begin());
    data.default_given[static_cast<std::size_t>(i)] = true;
  }
}

/// Names of parameters that figures are to show.
void read_parameters(ReportData& data, const std::vector<std::string>& parameters) {
  // A name must be one of any objective.
  const std::vector<std::string> names = parameter_columns(data.study.study);
  for (const std::string& name : parameters) {
    if (std::ranges::find(names, name) != names.end()) continue;
    throw InputError(fmt::format("--parameters: '{}' names no parameter{}; allowed: {}",
                                 printable(name, 60), suggestion(name, names),
                                 printable(list_text(names), 300)));
  }
  data.shown_parameters = parameters;
}

/// Batches of runs where there are enough, else of evaluations in turn.
class BatchOfRuns {
 public:
  explicit BatchOfRuns(const StudyFolder& study) : study_(study) {}

  /// The batch of an evaluation.
  std::size_t operator()(const SearchEvaluation& evaluation) const {
    constexpr auto kBatches = static_cast<std::int64_t>(SearchStatistics::kBatches);
    const std::int64_t runs = study_.plan(evaluation.cell).runs;
    const bool by_runs = runs * study_.study.repeats >= kBatches;
    const std::int64_t number =
        by_runs ? evaluation.repeat * runs + evaluation.run : evaluation.index;
    return static_cast<std::size_t>(number % kBatches);
  }

 private:
  const StudyFolder& study_;
};

/// Failures of a journal of evaluations.
class JournalFailures {
 public:
  explicit JournalFailures(ReportData& data)
      : data_(data), statistics_(data.study.study.objectives.size()) {}

  /// Counts a line: evaluations, failures with their cause, and values in searches.
  void take(const JournalLine& line) {
    using Kind = JournalLine::Kind;
    if (line.kind == Kind::kRetry) return forget();
    const bool failed = line.kind == Kind::kFailure;
    if (!failed && line.kind != Kind::kEvaluation) return;
    counted_.add(line.key, {.evaluations = std::max<std::int64_t>(1, std::ssize(line.payoffs)),
                            .failures = failed ? 1 : 0});
    data_.evaluations = counted_.all().evaluations;
    const std::size_t objective = data_.study.study.objective_of(line.key.cell);
    const SearchSpace& space = data_.study.study.objectives[objective].objective->space();
    FailureStatistics& statistics = statistics_[objective];
    if (line.key.stage == Stage::kSearch) {
      const Point opponent(line.against);
      statistics.by_value.add(space, Point(line.point), failed,
                              line.against.empty() ? nullptr : &opponent);
    }
    if (!failed) return;
    ++data_.failed;
    data_.last_failure = failed_call_line(line.failure, space.text(Point(line.point)));
    statistics.causes.add_failure(line.failure);
    examples_.try_emplace(failure_cause(line.failure), line.failure);
  }

  void finish() { take_failures(saved_failures(data_.study.study, statistics_, data_.failed)); }
  /// What failed, with the message of one failure of each cause where the journal has it.
  void take_failures(const SavedFailures& failures) {
    data_.failed = failures.count;
    data_.value_failures = failures.values;
    data_.failures.clear();
    for (const auto& [cause, count] : failures.causes) {
      const auto example = examples_.find(failure_cause(cause));
      data_.failures.push_back({cause, count, example == examples_.end() ? "" : example->second});
    }
  }

 private:
  /// What failed is tried again, what succeeded stays.
  void forget() {
    counted_.forget_failures();
    data_.evaluations = counted_.all().evaluations;
    data_.failed = 0;
    for (FailureStatistics& statistics : statistics_) {
      statistics.causes = {};
      for (auto& values : statistics.by_value.counts()) {
        for (auto& [evaluations, failures] : values) evaluations -= std::exchange(failures, 0);
      }
    }
  }

  ReportData& data_;
  CountedEvaluations counted_ = {};
  std::vector<FailureStatistics> statistics_;  ///< per objective
  std::map<std::string, std::string> examples_;
};

/// Counts evaluations and failures, by cause and by value, as far as the journal holds them, or
/// else the result; examples are those of the journal.
void read_failures(ReportData& data) {
  JournalFailures failures(data);
  const bool known =
      data.study.journal && data.study.study.execution.record == Recording::kEvaluations;
  if (known) {
    data.study.journal->scan([&](const JournalLine& line) { failures.take(line); });
    failures.finish();
  }
  if (data.takes_evaluations_of_result()) failures.take_failures(data.study.result->failures);
}

constexpr std::size_t kMostSampled = 3000;  // evaluations that a page shows one by one

}  // namespace

double ReportData::importance_of(std::size_t objective, int parameter) const {
  if (study.result && study.result->importance) {
    return share_of(*study.result->importance, study.objective(0).space()[parameter].name);
  }
  return importance[objective].mains[static_cast<std::size_t>(parameter)];
}

ReportData read_report(const std::filesystem::path& folder, const ReportOptions& options) {
  ReportData data{.study = StudyFolder(folder)};
  read_defaults(data, options.defaults);
  // What the searches saw is gathered in one walk through their evaluations.
  for (const StudyObjective& objective : data.study.study.objectives) {
    data.searches.emplace_back(*objective.objective);
    data.samples.emplace_back(kMostSampled);
  }
  data.courses.resize(data.study.study.cells());
  read_parameters(data, options.parameters);
  const BatchOfRuns batch_of(data.study);
  data.traces = trace_runs(data.study, options.trace, [&](const SearchEvaluation& evaluation) {
    const std::size_t objective = data.study.study.objective_of(evaluation.cell);
    data.samples[objective].add(evaluation);
    if (evaluation.failed) return;
    data.courses[evaluation.cell].add(evaluation);
    data.searches[objective].add(evaluation.point, evaluation.payoff, evaluation.progress,
                                 batch_of(evaluation));
  });
  for (const SearchStatistics& search : data.searches) {
    data.importance.push_back(importance_of(search));
  }
  // What was measured afresh is known from the result.
  data.rivals = rivals_of(data.study);
  if (options.calls) data.calls = calls_of(data.study, data.samples);
  if (options.model && !data.rivals.empty() && data.rivals[0].recommended) {
    data.model = run_model_of(data.study, data.traces, data.rivals[0].point);
  }
  data.instances = instance_map_of(data.study, data.rivals);
  if (data.is_comparison()) {
    data.cells = cell_scores(data.study);
    std::vector<BlockScores> scores;
    for (const CellScores& cell : data.cells) scores.push_back(cell.by_block);
    data.ranks = ranks_of(data.study.study, scores);
  }
  read_failures(data);
  // Failures were counted from the journal; the result knows more where the study has ended.
  if (data.takes_evaluations_of_result()) {
    data.evaluations = data.study.result->evaluations;
  } else if (data.study.study.execution.record != Recording::kEvaluations) {
    for (const FinishedRun& run : data.study.runs) data.evaluations += run.evaluations;
  }
  return data;
}

void share_colours(std::vector<ReportData>& studies) {
  if (studies.size() < 2) return;
  std::map<std::string, int> colours;
  for (const ReportData& data : studies) {
    for (const StudyOptimiser& optimiser : data.study.study.optimisers) {
      colours.emplace(optimiser.label, static_cast<int>(colours.size()));
    }
  }
  for (ReportData& data : studies) data.colours = colours;
}

}  // namespace ntune
