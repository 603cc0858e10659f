#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ntune/optim/optimisers.h"
#include "ntune/space/search_space.h"

namespace ntune {

struct Study;

/// What a study was before it was given more. Its runs go on from the evaluations of the runs that
/// this study made, which a new optimiser with the larger budget adopts.
struct EarlierStage {
  struct Plan {
    std::int64_t runs = 1;
    std::int64_t iterations = 1;
    std::int64_t hold_out = 0;  ///< of each run, where runs are held out
  };

  std::int64_t repeats = 1;
  std::int64_t starts = 0;  ///< points that each run began with: those of today, or none of them
  std::vector<Plan> plans;  ///< as many as the study has
  /// Where the study has a wider space now: the space of that time, and the optimisers for it.
  std::shared_ptr<const SearchSpace> space = nullptr;
  std::vector<OptimiserPlan> optimisers = {};
};

/// A study as an earlier stage of one that goes on with more. `widened`: in another space.
EarlierStage as_earlier_stage(const Study& study, bool widened);

/// A study of several stages may have become wider late: the stages before have the space of the
/// first one that names any.
void inherit_spaces(std::vector<EarlierStage>& stages);

}  // namespace ntune
