#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "ntune/core/clock.h"
#include "ntune/study/evaluation/study_progress.h"
#include "ntune/study/model/limits.h"
#include "ntune/study/model/run_record.h"

namespace ntune {

class EvaluationRecorder;

inline double as_double(std::int64_t count) { return static_cast<double>(count); }

/// What a study with limits has used and has left, and the decisions that follow from it. All
/// members may be called from several threads at once.
class Allowance {
 public:
  /// `at_once`: evaluations at the same time after the search; `runs_at_once`: runs at the same
  /// time. All must outlive this.
  Allowance(const Study& study, EvaluationRecorder& recorder, StudyProgress& progress,
            std::int64_t at_once, std::int64_t runs_at_once);

  [[nodiscard]] bool is_limited() const;
  [[nodiscard]] const Study& study() const { return study_; }
  /// Seconds of wall clock that the study has used, before an interruption too.
  [[nodiscard]] double used() const;
  /// The same when the last evaluation was recorded, which stays as it is when a study that is done
  /// is looked at again.
  [[nodiscard]] double recorded() const;
  /// Shows what has been used to whoever looks at the progress, and this cost beside.
  void show(double cost);

  /// The step of this name that was taken before, unless it was the last one under other limits.
  [[nodiscard]] std::optional<PlannedStep> known(const EvaluationKey& key) const;
  /// Whether an evaluation is recorded.
  [[nodiscard]] bool holds(const EvaluationKey& key) const;
  /// Takes a step and keeps it.
  PlannedStep take(PlannedStep step);

  /// Runs of a study with limits.
  [[nodiscard]] std::int64_t runs() const;
  /// Evaluations of the comparison and the hold-out of a plan.
  [[nodiscard]] std::int64_t after_search(const RunPlan& plan) const;
  /// Seconds of the comparison and the hold-out of a plan, whose evaluations take `each` seconds.
  [[nodiscard]] double seconds_after_search(const RunPlan& plan, double each) const;
  /// Runs that begin when this one has ended.
  [[nodiscard]] std::int64_t waves_after(std::int64_t run) const;
  [[nodiscard]] std::int64_t at_once() const { return at_once_; }

  /// Takes what a run has used, as its last word.
  void add_run(const RunUsage& usage);
  /// Mean seconds of an evaluation of the searches, by what was carried out now or, where nothing
  /// was, by the whole time.
  [[nodiscard]] double seconds_each() const;

 private:
  const Study& study_;
  EvaluationRecorder& recorder_;
  StudyProgress& progress_;
  std::int64_t at_once_;
  std::int64_t runs_at_once_;
  Clock::time_point begin_ = Clock::now();
  mutable std::mutex mutex_;
  RunUsage searches_;
};

/// How many evaluations a comparison or a hold-out may make.
class FreshAllowance {
 public:
  /// `spent`: what the searches and what came after them have cost. `points`: evaluated alike.
  FreshAllowance(Allowance& allowance, EvaluationKey key, std::int64_t points);

  /// The next so many for each point, at most `most`; 0: there is nothing left. `reserve`
  /// evaluations are kept for what comes later.
  std::int64_t next(std::int64_t most, double spent, double mean_cost, std::int64_t reserve = 0);

 private:
  Allowance& allowance_;
  EvaluationKey key_;
  std::int64_t points_;
};

}  // namespace ntune
