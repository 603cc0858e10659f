#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/facts/verify_text.h"
#include "ntune/space/point.h"
#include "ntune/study/journal/recorded_study.h"
#include "ntune/study/model/study.h"
#include "ntune/study/results/saved_result.h"

namespace ntune {

/// A finished run as runs.csv or the journal has it. Values in the objective's reported unit.
struct FinishedRun {
  std::size_t cell = 0;
  std::int64_t repeat = 0;
  std::int64_t run = 0;
  std::int64_t evaluations = 0;
  double estimate = 0.0;
  std::optional<double> true_value = {};
  std::optional<double> hold_out = {};
  Point point = {};

  /// True value, or else the hold-out mean.
  [[nodiscard]] std::optional<double> score() const { return true_value ? true_value : hold_out; }
};

/// What a study's folder holds, read without a lock: also while the study runs.
struct StudyFolder {
  /// Throws InputError for what is not a study's folder.
  explicit StudyFolder(const std::filesystem::path& folder);

  enum class State { kDone, kInterrupted, kUnfinished };

  std::filesystem::path folder;
  State state = State::kUnfinished;
  bool is_running = false;                 ///< a process works on it
  std::optional<SavedResult> result;       ///< result.json; nothing: it is not there
  Study study;                             ///< its plans are those of the result
  std::unique_ptr<RecordedStudy> journal;  ///< nullptr: none
  std::vector<FinishedRun> runs;           ///< by cell, repeat, run
  /// Tests by `ntune verify` that have ended or go on, of what is recommended now, in order of
  /// their names.
  std::vector<SavedVerification> verifications;

  /// Whether `ntune merge` made the folder of studies of several seeds.
  [[nodiscard]] bool is_merged() const { return result && result->seeds; }
  /// Name of the study, or else of its folder.
  [[nodiscard]] std::string title() const;
  [[nodiscard]] const Objective& objective(std::size_t cell) const {
    return *study.objectives[study.objective_of(cell)].objective;
  }
  [[nodiscard]] const RunPlan& plan(std::size_t cell) const {
    return study.plans[study.plan_of(cell)];
  }
  /// What tells the cell from the others: "ntbea, 5 x 200".
  [[nodiscard]] std::string cell_label(std::size_t cell, bool with_objective) const {
    return study.cell_label(cell, with_objective);
  }
};

/// See StudyFolder::verifications; `running` alone: those that a process carries out now.
std::vector<SavedVerification> verifications_of(const std::filesystem::path& folder,
                                                const Study& study, const Point& recommended,
                                                bool running_alone);

/// The runs of runs.csv. Throws InputError "name:row: …" for rows that are not the study's.
std::vector<FinishedRun> read_runs(std::string_view csv, const std::string& name,
                                   const Study& study);

}  // namespace ntune
