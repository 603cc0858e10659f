#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ntune/core/json.h"
#include "ntune/space/search_space.h"
#include "ntune/study/export/export.h"
#include "ntune/study/export/export_records.h"

namespace ntune {

/// A finished trial of an Optuna study; there is one study for each objective.
struct OptunaTrial {
  std::size_t objective = 0;
  Point point = {};
  std::vector<double> values = {};  ///< one, or one of each goal; none: failed, or pruned
  bool pruned = false;              ///< ended because it could no longer win
  std::string start = {};           ///< "2026-11-21T09:15:02.123456"
  std::string complete = {};
  std::vector<std::pair<std::string, std::string>> attributes = {};  ///< values are JSON
};

/// Name of the Optuna study of an objective, unique within the study.
std::string optuna_name(const Study& study, std::size_t objective);

/// For each goal of an objective, or for its value alone, whether less of it is better.
std::vector<bool> are_costs(const Objective& objective);

/// `reported`: what the evaluation has reported by name, for its attributes.
OptunaTrial optuna_trial(const Study& study, const RecordedTrial& recorded, const Json& reported);

/// Calls visit for every trial of the export.
ExportSummary for_each_optuna_trial(const RecordedStudy& recorded, const ExportOptions& options,
                                    const std::function<void(const OptunaTrial&)>& visit);

/// User attributes of every Optuna study; values are JSON.
std::vector<std::pair<std::string, std::string>> optuna_study_attributes(const Study& study);

ExportSummary export_optuna_journal(const RecordedStudy& recorded, const ExportOptions& options,
                                    const TextSink& sink);
ExportSummary export_optuna_sqlite(const RecordedStudy& recorded, const ExportOptions& options,
                                   const std::filesystem::path& file);

/// Writes points of a search space as Optuna trials (JournalFile records of Optuna 3 to 5).
/// Integers are IntDistribution, ranges FloatDistribution, all others CategoricalDistribution,
/// whose internal value is the index; inactive parameters are left out.
class TrialText {
 public:
  explicit TrialText(const SearchSpace& space);

  /// Appends a record that makes the trial, finished, as a line.
  void append_line(std::string& text, const OptunaTrial& trial) const;

  /// Parts of a trial for tables.
  [[nodiscard]] double internal_value(int parameter, int value) const;
  [[nodiscard]] const Json& distribution(int parameter) const;

 private:
  /// Appends `"params":{…},"distributions":{…}`.
  void append(std::string& line, const Point& point) const;

  struct Column {
    std::string name;                 ///< as a JSON key with its colon
    std::vector<std::string> values;  ///< internal values
    Json distribution;
    std::string distribution_text;  ///< the JSON in a JSON string
  };

  const SearchSpace* space_;
  std::vector<Column> columns_;
};

/// Appends the shortest text that reads back as the number, with a point or an exponent, so that
/// Python takes it for a float.
void append_float(std::string& text, double value);

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
