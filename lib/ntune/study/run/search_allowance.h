#pragma once

#include <cstdint>

#include "ntune/study/evaluation/allowance.h"

namespace ntune {

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
  void set_horizon(std::int64_t horizon);
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
  std::int64_t calls_ = 0;
  RunPlan plan_;               ///< that fits, as of late
  std::int64_t next_fit_ = 0;  ///< evaluations after which that is reckoned again
  double mark_;                ///< `used` when the run began to carry evaluations out
};

}  // namespace ntune
