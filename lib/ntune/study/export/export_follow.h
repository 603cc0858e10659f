#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "ntune/study/export/export_optuna.h"
#include "ntune/study/export/export_records.h"
#include "ntune/study/journal/extension.h"
#include "ntune/study/journal/journal_reader.h"

namespace ntune {

/// Exports the evaluations of a study while it runs, for Optuna's tools, each when it has ended.
/// One that is made again after a failure stands there twice. Where the study is given more, the
/// file is begun anew.
class FollowedExport {
 public:
  /// `file`: as for `export_file`; the target is Optuna's, one trial for each evaluation. Throws
  /// InputError.
  FollowedExport(std::filesystem::path folder, const ExportOptions& options,
                 std::filesystem::path file);

  /// Writes what is new. False once the study is done. Throws InputError.
  bool go_on();
  [[nodiscard]] const ExportSummary& summary() const { return summary_; }

 private:
  void begin();
  [[nodiscard]] bool is_done() const;

  std::filesystem::path folder_;
  ExportOptions options_;
  std::filesystem::path file_;
  Study study_;
  std::optional<JournalTail> tail_;
  std::optional<LinePlacer> placer_;
  std::optional<ReportedNames> reported_;
  std::unique_ptr<FollowedFile> trials_;
  ExportSummary summary_;
};

}  // namespace ntune
