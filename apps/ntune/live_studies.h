#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "ntune/report/data/study_row.h"

namespace ntune::cli {

/// Whether a folder is that of a study.
bool is_study(const std::filesystem::path& folder);

/// A study that is looked at again and again, from several threads. Nothing is written.
class LiveStudy {
 public:
  explicit LiveStudy(std::filesystem::path folder);

  /// Its page as it is now, made again when its files have changed.
  std::string page();
  /// A line on it, the share that is done, and what names the version of its page, as JSON.
  std::string state();
  /// Its row on the board. A study that cannot be read needs a person too. One that was not read
  /// yet is read if `may_begin`.
  StudyRow row(bool may_begin);
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  StudyWatch& watch();
  [[nodiscard]] std::string version_of_files() const;

  std::mutex mutex_;
  std::filesystem::path folder_;
  std::unique_ptr<StudyWatch> watch_;
  std::string page_;
  std::string version_;
};

/// All studies below a folder, found anew at each look.
class LiveBoard {
 public:
  explicit LiveBoard(std::filesystem::path root);

  [[nodiscard]] std::string page() const;
  /// What the board shows, as JSON. Takes about a second at most: what it has not come to is read
  /// when it is asked for the next time.
  std::string rows();
  /// The page of two studies beside each other.
  [[nodiscard]] static std::string comparison(const LiveStudy& first, const LiveStudy& second);
  /// The study of that key; nullptr: there is none.
  std::shared_ptr<LiveStudy> find(const std::string& key);
  /// Keeps a note in the study's folder, as note.md; an empty one is removed.
  void keep_note(const std::string& key, const std::string& text) const;

 private:
  using Studies = std::map<std::string, std::shared_ptr<LiveStudy>>;

  Studies look();
  [[nodiscard]] std::string note_of(const std::string& key) const;

  std::filesystem::path root_;
  std::mutex mutex_;
  Studies studies_;
};

}  // namespace ntune::cli
