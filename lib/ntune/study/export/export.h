#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/space/search_space.h"
#include "ntune/study/journal/recorded_study.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// From kOpenBench to kTag of the recommendation alone (export_settings.cpp),
/// kIrace and kPcs of the space (export_space.cpp).
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
/// a search chooses both players of matches, those of the other as opponent.NAME; then the names
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

/// The space of a study for irace: a line for each parameter with its condition, and the section
/// [forbidden]. Reals have no grid there.
std::string irace_parameters(const Study& study);
/// The default as irace's table of configurations; empty where there is none.
std::string irace_configurations(const Study& study);
/// A scenario that names the files parameters.txt, configurations.txt, instances.txt and
/// test_instances.txt, as far as there are such.
std::string irace_scenario(const Study& study);
/// A line for each instance.
std::string instance_lines(const InstanceList& instances);

/// The space with its defaults in the PCS format of SMAC and AClib, as SMAC 2.08 has it.
std::string pcs_text(const Study& study);

/// The active parameters of a point as another program takes them. kUci: lines `setoption name …
/// value …`. kFastchess: words `option.NAME=VALUE` of a command line. kTag: an agent file of TAG's,
/// with nested names as objects. Throws InputError for a name or value that cannot be written.
std::string settings_text(const SearchSpace& space, const Point& point, ExportTarget target);

/// The values of a point as lines of OpenBench's SPSA input: name, int or float, value, min, max, c
/// and r. c is a twentieth of the range, at least 1/2 for whole numbers, and r is 0.002, as
/// OpenBench's guide has them, but what the options of spsa_duels or the `gains` say. A
/// parameter of the `iterate` has its number as the value, whole or not. Throws InputError for a
/// name that such a line cannot hold.
struct OpenBenchLines {
  std::string text;
  std::vector<std::string> left_out;  ///< parameters that are not numbers, or not active
  std::vector<std::string> usual;     ///< those whose c and r are the guide's, as none were given
};
OpenBenchLines openbench_lines(const Study& study, const Point& point,
                               const std::map<std::string, std::string>& iterate = {});

}  // namespace ntune
