#pragma once

#include <atomic>
#include <bitset>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>

#include "ntune/study/evaluation/study_log.h"
#include "ntune/study/model/evaluation.h"

namespace ntune {

/// The rule that ends a study with too many failures. It judges evaluations one after the other in
/// the order of their indices: those of a run's search, or of the hold-out of a recommendation. So
/// it depends on what is recorded, and not on what ends first.
class FailureLimit {
 public:
  /// Evaluations that are judged together.
  static constexpr std::int64_t kWindow = 100;

  /// `max_rate` from 0 to 1: of the last hundred evaluations so many may fail. 1: all may.
  explicit FailureLimit(double max_rate)
      : most_(max_rate * static_cast<double>(kWindow) + kRounding) {}

  /// Takes the next evaluation. True if it makes too many failures.
  bool add(bool failed) {
    const auto place = static_cast<std::size_t>(count_++ % kWindow);
    failures_ += (failed ? 1 : 0) - (window_[place] ? 1 : 0);
    window_[place] = failed;
    return static_cast<double>(failures_) > most_;
  }
  [[nodiscard]] std::int64_t failures() const { return failures_; }
  /// Evaluations among which they are.
  [[nodiscard]] std::int64_t evaluations() const { return count_ < kWindow ? count_ : kWindow; }

 private:
  static constexpr double kRounding = 1e-9;  ///< 0.29 * 100 is less than 29

  double most_;
  std::bitset<kWindow> window_;
  std::int64_t count_ = 0;
  std::int64_t failures_ = 0;
};

/// What is remembered of a study's evaluations: gives back what the log knows, records what is new,
/// and applies the study's rules for failures. What ends the study, an EvaluationError or what the
/// log throws, sets `stop`. All members may be called from several threads at once.
class EvaluationRecorder {
 public:
  /// `log` may be nullptr: nothing is kept. All three must outlive the recorder.
  EvaluationRecorder(const FailurePolicy& on_failure, std::atomic<bool>& stop, StudyLog* log)
      : on_failure_(on_failure), stop_(stop), log_(log == nullptr ? &none_ : log) {}

  [[nodiscard]] bool has_log() const { return log_ != &none_; }
  /// What is known; without a log nothing.
  [[nodiscard]] const StudyLog& log() const { return *log_; }
  /// What the log knows of an evaluation. A failure that has ended the study is not known: it is
  /// tried again.
  [[nodiscard]] std::optional<Evaluated> recall(const Request& request) const;
  /// Records what was carried out. Nothing where a stopped study made the evaluation fail, or an
  /// interruption did, which stops the study. Throws what ends the study.
  std::optional<Evaluated> record(const Request& request, Outcome outcome, StudyLog::Time start);
  /// Records a run if it is finished.
  void record_run(std::uint32_t cell, const RunRecord& run);

  void record_search_state(const EvaluationKey& key, const SearchState& state);
  /// Records a decision of a study with limits.
  void record_planned(const PlannedStep& step);

  /// The rule for a new sequence of evaluations.
  [[nodiscard]] FailureLimit failure_limit() const { return FailureLimit(on_failure_.max_rate); }
  /// Ends the study because the last evaluation that the rule has taken makes too many failures.
  [[noreturn]] void end_study(const FailureLimit& limit, const Request& request,
                              const Evaluated& evaluated);

  /// The time where a log wants it, else none.
  [[nodiscard]] StudyLog::Time now() const;
  /// Throws what has ended the study, if anything has: where several evaluations are in flight,
  /// nobody may have waited for the one that failed.
  void check() const;

 private:
  void keep(const std::function<void()>& append);
  [[noreturn]] void end_study(const std::exception_ptr& cause);

  const FailurePolicy& on_failure_;
  std::atomic<bool>& stop_;
  StudyLog none_;
  StudyLog* log_;
  mutable std::mutex end_mutex_;
  std::exception_ptr end_;  ///< the first that has ended the study
};

}  // namespace ntune
