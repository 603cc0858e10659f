#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ntune/study/export/export.h"
#include "ntune/study/export/export_records.h"

namespace ntune {

/// A finished trial of an Optuna study; there is one study for each objective.
struct OptunaTrial {
  std::size_t objective = 0;
  Point point = {};
  std::optional<double> value = {};  ///< nothing: failed, or pruned
  bool pruned = false;               ///< ended because it could no longer win
  std::string start = {};            ///< "2026-11-21T09:15:02.123456"
  std::string complete = {};
  std::vector<std::pair<std::string, std::string>> attributes = {};  ///< values are JSON
};

/// Name of the Optuna study of an objective, unique within the study.
std::string optuna_name(const Study& study, std::size_t objective);

OptunaTrial optuna_trial(const Study& study, const RecordedTrial& recorded);

/// Calls visit for every trial of the export.
ExportSummary for_each_optuna_trial(const RecordedStudy& recorded, const ExportOptions& options,
                                    const std::function<void(const OptunaTrial&)>& visit);

/// User attributes of every Optuna study; values are JSON.
std::vector<std::pair<std::string, std::string>> optuna_study_attributes(const Study& study);

ExportSummary export_optuna_journal(const RecordedStudy& recorded, const ExportOptions& options,
                                    const TextSink& sink);
ExportSummary export_optuna_sqlite(const RecordedStudy& recorded, const ExportOptions& options,
                                   const std::filesystem::path& file);

/// A file of trials to which others are added while other programs read it.
class FollowedFile {
 public:
  virtual ~FollowedFile() = default;
  virtual void add(const OptunaTrial& trial) = 0;
  /// Lets readers see what has been added. Throws InputError.
  virtual void commit() = 0;
};

/// Begins a new file in place of the one of that name. Throws InputError.
std::unique_ptr<FollowedFile> follow_optuna_journal(const std::filesystem::path& file,
                                                    const Study& study);
std::unique_ptr<FollowedFile> follow_optuna_sqlite(const std::filesystem::path& file,
                                                   const Study& study, OptunaSchema schema);

}  // namespace ntune
