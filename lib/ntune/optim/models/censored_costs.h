#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "ntune/core/statistics.h"

namespace ntune {

/// Mean of a normal variable that is known to be above `bound`.
double normal_mean_above(double mean, double sd, double bound);

/// Costs of evaluations that grow while these last, of which some were ended: their cost is at
/// least what it was then (censored). Logarithms of costs are held for normal, but for those of
/// evaluations that had no end, which cost a penalty.
class CensoredCosts {
 public:
  /// Adds a cost that is known. One of 0 or less says nothing of the scatter.
  void add(double cost);
  /// Adds the penalty of an evaluation that was cut off.
  void add_penalty(double penalty);
  /// The cost at which an evaluation has lost, where the best mean is `best`: five times that, or
  /// five times the least known cost where this is more. Infinite before 20 costs are known.
  [[nodiscard]] double losing(double best) const;
  /// What a cost above `bound` is on average, by logarithms, at a point whose mean is held for
  /// `mean` (Schmee and Hahn 1979; Hutter, Hoos and Leyton-Brown 2011). Costs scatter about it as
  /// all known ones do about theirs. Without a mean above 0 the point is held for an average one.
  /// As many as of those that were known to last longer than the bound would have been cut off.
  [[nodiscard]] double imputed(std::optional<double> mean, double bound) const;

 private:
  std::int64_t known_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
  RunningStats logs_;
  std::vector<double> ended_;  ///< costs of those that were not cut off
  RunningStats penalties_;
};

}  // namespace ntune
