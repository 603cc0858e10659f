#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ntune/core/append_file.h"
#include "ntune/core/folder_lock.h"
#include "ntune/study/journal/journal_reader.h"
#include "ntune/study/journal/trial_text.h"
#include "ntune/study/study.h"
#include "ntune/study/study_log.h"

namespace ntune {

/// Name of the journal in a study's folder.
inline constexpr const char* kJournalName = "journal.log";

/// The log of a study in its folder: `journal.log`, one line for every finished evaluation or run
/// (by `record`), a file that Optuna's JournalStorage reads. Holds a lock on the folder.
class Journal final : public StudyLog {
 public:
  /// What to do with a journal that is there already.
  enum class Open { kNew, kResume };

  /// Makes the folder if need be. An existing journal must be of the same study and is continued,
  /// after a torn last line is cut off; with kNew it is refused. Throws InputError. The study must
  /// outlive the journal.
  /// Waits for another process at most so long.
  Journal(const std::filesystem::path& folder, const Study& study, Open open,
          std::chrono::milliseconds patience = std::chrono::milliseconds(0));

  [[nodiscard]] std::optional<Outcome> find(const EvaluationKey& key,
                                            const Point& point) const override;
  void append(const Request& request, const Outcome& outcome, Time start, Time end) override;
  [[nodiscard]] std::optional<RunRecord> find_run(std::uint32_t cell, std::int64_t repeat,
                                                  std::int64_t run) const override;
  void append_run(std::uint32_t cell, const RunRecord& record) override;

  /// Records that a request has been handed out, and gives its trial number. Its outcome will be
  /// recorded as that trial's.
  std::int64_t append_asked(const Request& request, Time start);
  /// The trial number of a request that has been handed out and not told; -1: none.
  [[nodiscard]] std::int64_t asked_trial(const EvaluationKey& key) const;

  /// Lines reach the file, or the disk. Throw InputError.
  void write() { file_->write(); }
  void sync() { file_->sync(); }
  /// Evaluations and runs that an existing journal held.
  [[nodiscard]] std::size_t known() const { return known_; }

 private:
  struct Hash {
    std::size_t operator()(const EvaluationKey& key) const noexcept { return key.hash(); }
  };
  /// A recorded outcome.
  struct Entry {
    std::int64_t index = 0;   ///< of the evaluation
    std::uint64_t point = 0;  ///< hash
    double payoff = 0.0;
    std::uint32_t line = 0;
    std::uint32_t several = 0;  ///< index in several_ from 1; 0: one payoff
    bool failed = false;
  };

  void remember(const JournalLine& line);
  void remember_outcome(const JournalLine& line);
  void sort_known();
  void check_study(const JournalLine& header) const;
  /// Those that the file does not hold yet: a crash may have torn them apart.
  [[nodiscard]] std::string header_lines() const;
  [[nodiscard]] const Objective& objective(std::uint32_t cell) const;
  void append_own(std::string& line, char letter, const EvaluationKey& key,
                  const Point& point) const;
  void append_tail(std::string& line, const Request& request, const Outcome& outcome, Time start,
                   Time end) const;
  [[noreturn]] void fail_point(const Entry& entry, const EvaluationKey& key) const;

  const Study& study_;
  std::string name_;
  FolderLock lock_;
  std::vector<TrialText> texts_;  ///< per objective
  /// By everything but the index, as which 0 stands; ascending. A million evaluations are looked up
  /// one after the other, which a hash table of them all would make a cache miss each.
  std::unordered_map<EvaluationKey, std::vector<Entry>, Hash> evaluations_;
  std::size_t known_ = 0;
  std::vector<std::vector<double>> several_;
  std::map<std::tuple<std::uint32_t, std::int64_t, std::int64_t>,
           std::pair<RunRecord, std::uint32_t>>
      runs_;
  mutable std::mutex asked_mutex_;
  std::unordered_map<EvaluationKey, std::int64_t, Hash> asked_;  ///< trial numbers
  std::atomic<std::int64_t> trials_{0};
  std::string version_;      ///< that began the journal
  std::size_t headers_ = 0;  ///< one per objective
  std::unique_ptr<AppendFile> file_;
};

}  // namespace ntune
