#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ntune/core/mean_interval.h"
#include "ntune/core/rng.h"
#include "ntune/core/statistics.h"
#include "ntune/study/model/candidates.h"

namespace ntune {

/// What is known of a point's mean payoff: fresh payoffs, or the mean itself.
struct MeasuredPoint {
  std::span<const StreamPayoff> common = {};  ///< by stream
  RunningStats alone = {};                    ///< with streams of its own
  std::optional<double> known = {};           ///< the mean by definition; then without payoffs
};

/// The standings of points, from draws of their posterior distribution; nothing for a point
/// of which nothing is known.
///
/// A payoff is the point's mean, an effect of its stream and an error, both normal, with the
/// variances of all points pooled; flat priors. So points are compared by the streams that they
/// share. The variances are those that lead to MeanConfidence's intervals, so that points which
/// have always won are not taken for certain. `possible`: of a payoff.
std::vector<std::optional<Standing>> standings(std::span<const MeasuredPoint> points,
                                               const PossibleValues& possible, Rng rng);

}  // namespace ntune
