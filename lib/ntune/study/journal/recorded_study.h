#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "ntune/core/files.h"
#include "ntune/core/yaml.h"
#include "ntune/study/evaluation/study_progress.h"
#include "ntune/study/journal/journal_reader.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// Takes the objective out of a configuration, and its space: a program that brings the one brings
/// the other.
void erase_objective(Json& config);

/// The study of a recorded configuration (`study` in result.json and in a journal's first line).
/// `objective` stands for the objective of a study that a program ran through the library. Commands
/// that the study calls need not exist: they are not run. Throws InputError that begins with
/// `name`. `folder` is the study's, for the files that it names.
Study study_of_config(const Json& config, const std::string& name,
                      std::shared_ptr<const Objective> objective = nullptr,
                      const std::filesystem::path& folder = {});

/// The study of a file that goes on with the journal of a folder (empty: none), if there is one.
/// Journals of versions that did not compare the defaults of a space go on without them. Throws
/// InputError.
Study read_resumed_study(const YamlNode& file, const std::filesystem::path& folder);

/// Name of the journal in a folder of `ntune run … --out`. Throws InputError where there is none.
std::string journal_name_in(const std::filesystem::path& folder);

/// The study of a folder and the whole lines of its journal at this moment, for reading. It takes
/// no lock, and another process may go on writing.
class RecordedStudy {
 public:
  /// The study is the one that the journal names (see study_of_config). Throws InputError for a
  /// folder without a journal, and for points that are none of the search space.
  explicit RecordedStudy(const std::filesystem::path& folder,
                         std::shared_ptr<const Objective> objective = nullptr);

  /// The folder as the user named it.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] const std::string& journal_name() const { return name_; }
  [[nodiscard]] const Study& study() const { return study_; }
  /// Fills in the plan of a study with `split: auto`.
  void choose_split();

  /// Passes on every line, and returns their bytes.
  std::size_t scan(const std::function<void(const JournalLine&)>& visit) const;

 private:
  std::filesystem::path folder_;
  std::string name_;  ///< name of the journal's file
  MappedFile file_;
  std::string_view text_;  ///< its whole lines
  Study study_;
};

/// The result of a study from its journal, the same as when it was made. Nothing is evaluated,
/// unless the journal holds runs. Then the evaluations that compared and held out their
/// recommendations are made again if that needs no program, else refused. Throws InputError where
/// something is missing; with `partial` it is left out, and the result is `interrupted`.
StudyResult replay_study(const RecordedStudy& recorded, bool partial, StudyProgress& progress);

}  // namespace ntune
