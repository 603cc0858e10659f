#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "ntune/core/clock.h"
#include "ntune/study/planned_step.h"
#include "ntune/study/run_record.h"
#include "ntune/study/study_log.h"
#include "ntune/study/study_progress.h"

namespace ntune {

/// What a study with limits has used and has left, and the decisions that follow from it. All
/// members may be called from several threads at once.
class Allowance {
 public:
  /// `at_once`: evaluations at the same time after the search; `runs_at_once`: runs at the same
  /// time. `log` may be nullptr. All must outlive this.
  Allowance(const Study& study, StudyLog* log, StudyProgress& progress, std::int64_t at_once,
            std::int64_t runs_at_once);

  [[nodiscard]] bool is_limited() const;
  [[nodiscard]] const Study& study() const { return study_; }
  /// Seconds of wall clock that the study has used, before an interruption too.
  [[nodiscard]] double used() const;
  /// Shows what has been used to whoever looks at the progress.
  void show(double cost);

  /// The step of this name that was taken before, unless it was the last one under other limits.
  [[nodiscard]] std::optional<PlannedStep> known(const EvaluationKey& key) const;
  /// Takes a step and keeps it.
  PlannedStep take(PlannedStep step);

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
  StudyLog* log_;
  StudyProgress& progress_;
  std::int64_t at_once_;
  std::int64_t runs_at_once_;
  Clock::time_point begin_ = Clock::now();
  mutable std::mutex mutex_;
  RunUsage searches_;
};

/// The part of one run's search in the allowance.
class SearchAllowance {
 public:
  SearchAllowance(Allowance& allowance, std::uint32_t cell, std::int64_t repeat, std::int64_t run);

  /// What the first stage of the search is planned for: the pilot, after which durations and costs
  /// are known.
  PlannedStep first();
  /// Where the stage that begins with `step` ends at the latest.
  [[nodiscard]] std::int64_t end_of(const PlannedStep& step) const;
  /// Takes the next evaluation, in the order of the asks. True: no further one is to be asked for
  /// in this stage, with `told` told and `in_flight` in flight.
  bool add(const Evaluated& evaluated, std::int64_t told, std::int64_t in_flight);
  /// What comes after a stage that has ended with `told` evaluations. `exhausted`: the optimiser
  /// wants no more.
  PlannedStep next(const PlannedStep& step, std::int64_t told, bool exhausted);

  [[nodiscard]] const RunUsage& usage() const { return usage_; }

 private:
  [[nodiscard]] EvaluationKey key(std::int64_t index) const;
  [[nodiscard]] double mean_cost() const;
  [[nodiscard]] double seconds_each() const;
  [[nodiscard]] double each_alone() const;
  [[nodiscard]] RunPlan fitting(std::int64_t told) const;
  [[nodiscard]] bool fits(const RunPlan& plan, std::int64_t told) const;
  [[nodiscard]] bool is_used_up(std::int64_t told, std::int64_t in_flight) const;

  Allowance& allowance_;
  EvaluationKey key_;
  std::int64_t most_;         ///< iterations
  std::int64_t checkpoint_;   ///< evaluations after which the plan is looked at again
  std::int64_t horizon_ = 0;  ///< of the stage
  RunUsage usage_;
  RunPlan plan_;               ///< that fits, as of late
  std::int64_t next_fit_ = 0;  ///< evaluations after which that is reckoned again
  double mark_;                ///< `used` when the run began to carry evaluations out
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
