#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ntune/optim/base/optimiser.h"
#include "ntune/study/model/evaluation.h"

namespace ntune {

struct Study;

/// A point that a run has asked for, with what its evaluation has brought.
struct Answer {
  Proposal asked;  ///< in the optimiser's space
  Point point;     ///< in the objective's, as the opponent that was asked for
  std::optional<Point> opponent = {};
  Evaluated evaluated = {};

  /// What the optimiser is to know of it, where so many evaluations of the budget are left; its
  /// payoffs stand in `payoffs`, which must outlive it.
  Report report(const Study& study, std::int64_t left, std::vector<double>& payoffs) const;
  /// The report to be kept, at points of the objective's space.
  [[nodiscard]] KeptReport kept_report(const Study& study, std::int64_t left) const;
};

}  // namespace ntune
