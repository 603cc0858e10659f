#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>

#include "ntune/core/append_file.h"
#include "ntune/core/clock.h"
#include "ntune/core/folder_lock.h"
#include "ntune/core/json.h"
#include "ntune/study/evaluation/study_log.h"
#include "ntune/study/journal/extension.h"
#include "ntune/study/journal/journal_line.h"
#include "ntune/study/journal/recorded_results.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// The log of a study in its folder: `journal.log`, one line for every finished evaluation or run
/// (by `record`), see README.md. Holds a lock on the folder.
class Journal final : public RecordedResults {
 public:
  /// What to do with a journal that is there already. kRetryFailed resumes it without its failures,
  /// kAnew removes it.
  enum class Open { kNew, kResume, kRetryFailed, kAnew };

  /// Makes the folder if need be. An existing journal must be of the same study and is continued,
  /// after a torn last line is cut off; with kNew it is refused. Throws InputError. The study must
  /// outlive the journal. `patience` is the time to wait for another process to leave the folder.
  Journal(const std::filesystem::path& folder, const Study& study, Open open,
          std::chrono::milliseconds patience = std::chrono::milliseconds(0));

  void append(const Request& request, const Outcome& outcome, Time start, Time end) override;
  void append_run(std::uint32_t cell, const RunRecord& record) override;
  void append_search_state(const EvaluationKey& key, const SearchState& state) override;
  /// Records payoffs that nobody asked for, of the objective that is searched.
  void append_offered(OfferedObservation observation);

  /// Records how the budget of a study with `split: auto` is divided, once that is chosen, unless
  /// the journal says so already. The constructor does it where it was chosen before.
  void keep_split();

  /// Records that a request has been handed out, and returns its number.
  std::int64_t append_asked(const Request& request, Time start);
  /// Records that it has been handed out once more, to another client.
  void append_asked_again(const EvaluationKey& key, Time start);
  /// Seconds from when it was handed out to its outcome, of the evaluation that took longest.
  [[nodiscard]] double longest_asked() const;
  /// The number of the client's request that the next recorded outcome answers, if it has one.
  void name_request(std::optional<std::uint64_t> number) { request_ = number; }
  /// Whether an outcome has been recorded for the request of that number.
  [[nodiscard]] bool has_request(std::uint64_t number) const { return requests_.contains(number); }
  /// The number of a request that has been handed out and has no outcome yet, or -1.
  [[nodiscard]] std::int64_t asked_trial(const EvaluationKey& key) const;
  /// When it was handed out, if it was.
  [[nodiscard]] std::optional<Time> asked_at(const EvaluationKey& key) const;
  /// Counts as used what has passed since the last result while an evaluation was handed out and
  /// no process had the journal: for processes that take one step each.
  void count_waiting();

  [[nodiscard]] std::optional<PlannedStep> planned(const EvaluationKey& key) const override;
  void append_planned(const PlannedStep& step) override;
  [[nodiscard]] std::optional<double> used() const override;
  [[nodiscard]] std::optional<double> recorded_seconds() const override;

  /// Writes all lines to the file. Throws InputError.
  void write() { file_->write(); }
  /// Waits until all lines are on the disk. Throws InputError.
  void sync() { file_->sync(); }
  /// Evaluations and runs that an existing journal held.
  [[nodiscard]] std::size_t known() const { return size(); }
  /// What the study says otherwise than the journal, where that changes nothing that is known.
  [[nodiscard]] const std::string& changed() const { return changed_; }

 private:
  // A journal takes lines when it is opened, and never again.
  using RecordedResults::add;
  using RecordedResults::finish;
  using RecordedResults::forget_failures;

  void remember(const JournalLine& line);
  void note_outcome(std::optional<Time> start, std::optional<Time> end);
  /// True if the study is to be named anew: the journal holds less of it, or has another rule for
  /// failures. Throws InputError for another study.
  [[nodiscard]] bool check_study();
  /// Whether the journal names the same limits.
  [[nodiscard]] bool names_limits_of(const Study& study) const;
  void append_header();
  void append_object(const Json& object);

  std::filesystem::path folder_;
  FolderLock lock_;
  LinePlacer placer_;
  std::string changed_;
  Json recorded_config_;      ///< the study as the journal names it last
  mutable std::mutex mutex_;  ///< for what follows, where several threads may come
  JournalWriter writer_;
  HandedOutEvaluations asked_;
  double longest_asked_ = 0.0;
  std::optional<std::uint64_t> request_;        ///< what the next outcome answers
  std::unordered_set<std::uint64_t> requests_;  ///< that were answered
  std::int64_t trials_ = 0;
  std::string line_;
  Clock::time_point opened_ = Clock::now();
  double waited_ = 0.0;            ///< seconds before it was opened that count as used
  std::optional<Time> last_told_;  ///< when the last evaluation was recorded that it held
  std::atomic<double> recorded_seconds_{0.0};  ///< when the last evaluation was recorded
  bool split_kept_ = false;
  std::unique_ptr<AppendFile> file_;
};

}  // namespace ntune
