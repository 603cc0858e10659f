#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ntune/report/data/calls.h"
#include "ntune/report/data/evaluation_sample.h"
#include "ntune/report/data/rivals.h"
#include "ntune/report/data/run_model.h"
#include "ntune/report/data/run_trace.h"
#include "ntune/report/data/search_statistics.h"
#include "ntune/report/data/study_folder.h"
#include "ntune/study/results/ranks.h"

namespace ntune {

/// Scores (true value, else hold-out mean) of what a cell counts: picks or runs.
struct CellScores {
  std::size_t cell = 0;
  std::string label;
  std::vector<double> scores = {};
  BlockScores by_block = {};             ///< by run or pick; missing ones too
  std::vector<double> differences = {};  ///< paired, to the first cell of its family
  std::string reference = {};            ///< label of that cell; empty: it is that cell
};

/// A kind of failure (objective/failure_cause.h).
struct FailureKind {
  std::string cause;
  std::int64_t count = 0;
  std::string example = {};  ///< the whole message of one; empty: the journal holds none
};

struct ReportOptions {
  TraceOptions trace = {};
  /// Values that the user has now: "name=value", to stand beside the recommendation.
  std::vector<std::string> defaults = {};
  /// Names of the parameters that figures show; empty: all.
  std::vector<std::string> parameters = {};
  bool calls = true;  ///< every call, one by one
  bool model = true;  ///< of the run that found what is recommended, which takes a search's time
};

/// Everything that figures and tables of a study show.
struct ReportData {
  StudyFolder study;
  Traces traces = {};
  std::vector<SearchStatistics> searches = {};  ///< per objective
  std::vector<Importance> importance = {};      ///< per objective
  std::vector<EvaluationSample> samples = {};   ///< per objective
  std::vector<RunCourse> courses = {};          ///< per cell
  std::vector<Rival> rivals = {};
  Calls calls = {};
  std::optional<RunModel> model = {};  ///< of the run that found what is recommended
  InstanceMap instances = {};
  std::vector<CellScores> cells = {};      ///< of a comparison
  Ranks ranks = {};                        ///< of a comparison
  std::vector<FailureKind> failures = {};  ///< most frequent first
  std::vector<SavedFailures::ByValue> value_failures = {};
  std::int64_t failed = 0;
  std::string last_failure = {};  ///< as failed_call_line says it, where the journal has it
  std::int64_t evaluations = 0;   ///< done so far
  std::optional<Point> defaults = {};
  std::vector<bool> default_given = {};            ///< per parameter
  std::vector<std::string> shown_parameters = {};  ///< in figures; empty: all
  /// Colours of contestants, by their labels, where several studies share them; else empty.
  std::map<std::string, int> colours = {};

  [[nodiscard]] bool is_comparison() const { return study.study.is_comparison(); }
  /// Whether it is known what a parameter is today.
  [[nodiscard]] bool knows_today(int parameter) const {
    return defaults && default_given[static_cast<std::size_t>(parameter)];
  }
  /// The share of the variance that goes with a parameter: that of the result, as terminal and file
  /// have it, or else of what the searches have seen by now.
  [[nodiscard]] double importance_of(std::size_t objective, int parameter) const;
  /// Whether a failed call has ended the study.
  [[nodiscard]] bool is_ended_by_failure() const {
    return failed > 0 && !study.result && !study.is_running &&
           study.study.execution.on_failure.kind == FailurePolicy::Kind::kAbort;
  }
  /// The result of an interrupted study counts the runs that had ended; the journal knows all.
  [[nodiscard]] bool takes_evaluations_of_result() const {
    const bool records_all = study.study.execution.record == Recording::kEvaluations;
    return study.result &&
           (study.state == StudyFolder::State::kDone || !records_all || !study.journal);
  }
};

/// Gives what is compared one colour in all the studies of a page.
void share_colours(std::vector<ReportData>& studies);

/// Reads a folder and computes it all. Throws InputError.
ReportData read_report(const std::filesystem::path& folder, const ReportOptions& options);

}  // namespace ntune
