#pragma once

#include <cstdint>

#include "ntune/study/model/evaluation.h"
#include "ntune/study/model/limits.h"

namespace ntune {

/// A decision of a study with limits on how many evaluations it makes. It follows from costs or
/// from the clock, and is kept, so that a study that goes on takes none of them twice.
struct PlannedStep {
  EvaluationKey key;             ///< stage, repeat and run that it is of; `index` counts its steps
  std::int64_t evaluations = 0;  ///< of a search: made when it was taken; else: to be made
  std::int64_t horizon = 0;      ///< of a search: iterations planned from here on; 0: it ends
  Limits limits = {};            ///< under which it was taken
};

}  // namespace ntune
