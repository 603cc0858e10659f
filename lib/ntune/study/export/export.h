#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

#include "ntune/study/journal/recorded_study.h"

namespace ntune {

/// From kOpenBench to kTag of the recommendation alone (export_openbench.h, export_settings.h),
/// kIrace and kPcs of the space (export_space.h).
enum class ExportTarget {
  kCsv,
  kOptunaJournal,
  kOptunaSqlite,
  kOpenBench,
  kUci,
  kFastchess,
  kTag,
  kIrace,
  kPcs
};

/// One row or trial for each evaluation, or for each distinct point with the mean of all its
/// evaluations.
enum class ExportPer { kEvaluation, kPoint };

/// Optuna's table schema, by the release that first demands it.
enum class OptunaSchema { k31, k32 };

struct ExportOptions {
  ExportTarget target = ExportTarget::kCsv;
  ExportPer per = ExportPer::kEvaluation;
  OptunaSchema schema = OptunaSchema::k32;
  std::int64_t at_least = 1;  ///< payoffs of a point, for kPoint; others are left out
  bool reported = true;       ///< with what evaluations have reported by name (ReportedNames)
};

/// Size of an export.
struct ExportSummary {
  std::int64_t rows = 0;
  /// Evaluations of the point with the best mean, for kPoint of a noisy objective. A best mean of
  /// few evaluations is mostly luck.
  std::optional<std::int64_t> best_evaluations = {};
};

using TextSink = std::function<void(std::string_view)>;

/// Passes CSV or an Optuna JournalFile on piece by piece.
ExportSummary export_text(const RecordedStudy& recorded, const ExportOptions& options,
                          const TextSink& sink);

/// Per evaluation: [objective,optimiser,plan,repeat,]stage,run,evaluation,[observation,]value,
/// failure,seconds,attempts,start,complete and the parameters, empty where they are inactive; where
/// a search has chosen both players of matches, those of the other as opponent.NAME; then the names
/// that evaluations have reported. One row for each observation of an evaluation. Where the journal
/// holds runs: […]run,evaluations,failures,point_evaluations,search_estimate,true_value,hold_out,
/// complete, …. Per point, best mean first:
/// [objective,]n,mean,sd,standard_error,low,high,failures,search, re_evaluation,hold_out, ….
ExportSummary export_csv(const RecordedStudy& recorded, const ExportOptions& options,
                         const TextSink& sink);

/// Writes a file whole or not at all; one that belongs to the study's folder is refused. Throws
/// InputError.
ExportSummary export_file(const RecordedStudy& recorded, const ExportOptions& options,
                          const std::filesystem::path& file);

}  // namespace ntune
