#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "ntune/core/append_file.h"
#include "ntune/core/folder_lock.h"
#include "ntune/core/json.h"
#include "ntune/study/journal/extension.h"
#include "ntune/study/journal/journal_reader.h"
#include "ntune/study/journal/journal_writer.h"
#include "ntune/study/journal/recorded_results.h"
#include "ntune/study/study.h"
#include "ntune/study/study_log.h"

namespace ntune {

/// The log of a study in its folder: `journal.log`, one line for every finished evaluation or run
/// (by `record`), a file that Optuna's JournalStorage reads. Holds a lock on the folder.
class Journal final : public StudyLog {
 public:
  /// What to do with a journal that is there already. kRetryFailed resumes it without its failures.
  enum class Open { kNew, kResume, kRetryFailed };

  /// Makes the folder if need be. An existing journal must be of the same study and is continued,
  /// after a torn last line is cut off; with kNew it is refused. Throws InputError. The study must
  /// outlive the journal. `patience` is the time to wait for another process to leave the folder.
  Journal(const std::filesystem::path& folder, const Study& study, Open open,
          std::chrono::milliseconds patience = std::chrono::milliseconds(0));

  [[nodiscard]] std::optional<Outcome> find(const EvaluationKey& key,
                                            const Point& point) const override {
    return known_.find(key, point);
  }
  void append(const Request& request, const Outcome& outcome, Time start, Time end) override;
  [[nodiscard]] std::optional<Recorded> recorded(const EvaluationKey& key) const override {
    return known_.recorded(key);
  }
  [[nodiscard]] std::optional<RunRecord> find_run(std::uint32_t cell, std::int64_t repeat,
                                                  std::int64_t run) const override {
    return known_.find_run(cell, repeat, run);
  }
  void append_run(std::uint32_t cell, const RunRecord& record) override;

  [[nodiscard]] const OfferedObservations& offered() const override { return known_.offered(); }
  /// Records payoffs that nobody asked for, of the objective that is searched.
  void append_offered(OfferedObservation observation);

  /// Records how the budget of a study with `split: auto` is divided, once that is chosen, unless
  /// the journal says so already. The constructor does it where it was chosen before.
  void keep_split();

  /// Records that a request has been handed out, and returns its trial number. Its outcome will be
  /// recorded as the end of that trial.
  std::int64_t append_asked(const Request& request, Time start);
  /// The trial number of a request that has been handed out and has no outcome yet, or -1.
  [[nodiscard]] std::int64_t asked_trial(const EvaluationKey& key) const;

  /// Writes all lines to the file. Throws InputError.
  void write() { file_->write(); }
  /// Waits until all lines are on the disk. Throws InputError.
  void sync() { file_->sync(); }
  /// Leaves the folder to other processes, after all lines are on the disk. Throws InputError.
  void leave();
  /// Takes the folder again. False where another process has written to the journal meanwhile:
  /// then this one must not be used any more.
  [[nodiscard]] bool enter(std::chrono::milliseconds patience);
  /// Evaluations and runs that an existing journal held.
  [[nodiscard]] std::size_t known() const { return known_.size(); }

 private:
  void remember(const JournalLine& line);
  /// True if the journal holds less of the study, which goes on with more. Throws InputError for
  /// another study.
  [[nodiscard]] bool check_study() const;
  void append_extension();
  /// Appends the headers that the file does not hold: a crash may have torn them apart.
  void append_headers();

  const Study& study_;
  std::string name_;
  std::filesystem::path folder_;
  std::optional<FolderLock> lock_;
  JournalWriter writer_;
  LinePlacer placer_;
  Json recorded_config_;  ///< the study as the journal names it last
  RecordedResults known_;
  mutable std::mutex asked_mutex_;
  std::unordered_map<EvaluationKey, std::int64_t, EvaluationKeyHash> asked_;  ///< trial numbers
  std::atomic<std::int64_t> trials_{0};
  std::size_t headers_ = 0;  ///< in the file; one per objective
  bool split_kept_ = false;
  std::unique_ptr<AppendFile> file_;
};

}  // namespace ntune
