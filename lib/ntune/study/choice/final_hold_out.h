#pragma once

#include <cstdint>

#include "ntune/core/parallel.h"
#include "ntune/core/rng.h"
#include "ntune/study/model/study.h"

namespace ntune {

class Evaluator;

/// What the fresh evaluations of one repeat's choice are made with.
struct FreshSetting {
  Evaluator& evaluator;
  Parallel& parallel;
  const Objective& objective;
  EvaluationKey key;  ///< cell and repeat
  Rng rng;            ///< of the repeat
  RunUsage searches;  ///< what the runs have used together
};

/// Holds out the pick's point and the default beside it, on the same streams. Each is evaluated at
/// most `most` times, within limits as often as is left for both. Fills in `hold_out` and
/// `incumbent`, counts costs and failures. Returns how often each was evaluated.
std::int64_t hold_out_pick(const FreshSetting& setting, std::int64_t most, Pick& pick);

/// The default beside what is recommended, without any evaluation.
IncumbentComparison incumbent_beside(const Objective& objective, const Point& incumbent,
                                     const Point& recommended);

}  // namespace ntune
