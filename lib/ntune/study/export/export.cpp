#include "ntune/study/export/export.h"

#include <string>

#include "ntune/core/files.h"
#include "ntune/study/export/export_optuna.h"
#include "ntune/study/model/goal_front.h"
#include "ntune/study/results/result_files.h"

namespace ntune {

namespace fs = std::filesystem;

namespace {

/// Evaluations have all goals; points have the mean of one.
void check_goals_of(const RecordedStudy& recorded, const ExportOptions& options) {
  const Study& study = recorded.study();
  if (options.per == ExportPer::kPoint) refuse_goals(study, "--per point");
  if (study.execution.record == Recording::kRuns) refuse_goals(study, "a journal of runs");
}

}  // namespace

ExportSummary export_text(const RecordedStudy& recorded, const ExportOptions& options,
                          const TextSink& sink) {
  check_goals_of(recorded, options);
  return options.target == ExportTarget::kCsv ? export_csv(recorded, options, sink)
                                              : export_optuna_journal(recorded, options, sink);
}

ExportSummary export_file(const RecordedStudy& recorded, const ExportOptions& options,
                          const fs::path& file) {
  // A database is made in its own file; texts are short enough to be written at once.
  check_output_file(file);
  check_goals_of(recorded, options);
  if (options.target == ExportTarget::kOptunaSqlite) {
    return export_optuna_sqlite(recorded, options, file);
  }
  std::string text;
  const ExportSummary summary =
      export_text(recorded, options, [&](std::string_view piece) { text += piece; });
  write_file_atomically(file, text);
  return summary;
}

}  // namespace ntune
