#pragma once

#include <optional>

#include "ntune/core/process.h"
#include "ntune/objective/command/command_options.h"
#include "ntune/objective/command/result_parser.h"
#include "ntune/objective/objective.h"

namespace ntune {

/// How long one attempt at an evaluation may take, and what its time counts as: the options
/// `result: time`, `cutoff`, `par` and `timeout`.
class RunTime {
 public:
  explicit RunTime(const CommandOptions& options);

  /// The program's times are its result.
  [[nodiscard]] bool is_result() const { return is_result_; }
  [[nodiscard]] double timeout() const { return timeout_; }

  /// Limits of an attempt that begins now. `cap` in seconds ends it early where the time is the
  /// result.
  [[nodiscard]] ProcessLimits limits(double cap) const;
  /// What a program that was ended at those limits, after so much processor time, counts for;
  /// kWhole: it was late.
  [[nodiscard]] Ending ending(double cap, double processor = 0.0) const;
  /// The result of what was ended so, in the reported unit. Not for kWhole.
  [[nodiscard]] ParsedResult result_of(Ending ending, double cap) const;
  /// The result of what has ended without a solution: the penalty, or a failure where none is
  /// known.
  [[nodiscard]] ParsedResult result_of_unsolved() const;
  /// The result of a program that has ended by itself, where its time is the result. One that has
  /// outrun the cutoff is cut off.
  [[nodiscard]] ParsedResult result_of(const ProcessSeconds& seconds, Ending& ending) const;

 private:
  bool is_result_;
  bool processor_;
  double timeout_;
  double cutoff_;  ///< infinite: none
  std::optional<double> penalty_;
};

}  // namespace ntune
