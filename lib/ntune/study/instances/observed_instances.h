#pragma once

#include <vector>

#include "ntune/objective/recorded/foreign_observations.h"
#include "ntune/optim/base/optimiser.h"

namespace ntune {

/// Takes the effects of instances out of the payoffs of observations that name two or more, as a
/// search of theirs does, and says so in the notes. `points` are those of the observations. The
/// model is told them several times: what it leaves of the payoffs gives the effects.
void take_out_instances(ForeignObservations& data, const SearchSpace& space,
                        const std::vector<Point>& points, const OptimiserMaker& model);

}  // namespace ntune
