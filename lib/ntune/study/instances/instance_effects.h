#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ntune/objective/recorded/foreign_observations.h"
#include "ntune/optim/base/optimiser.h"

namespace ntune {

/// What a payoff on an instance differs from what its point is worth.
struct InstanceResidual {
  std::size_t instance = 0;
  double residual = 0.0;
};

/// How much better or worse than on average points fare on each instance: random effects, estimated
/// by empirical Bayes. The variances between and within instances are those of the analysis of
/// variance (Searle, Casella and McCulloch 1992, section 3.6), and each mean is shrunk by its share
/// of noise. The weighted mean of the effects is 0. All are 0 where the variance between is not
/// shown, by two standard errors of the ratio F: then instances cost nothing.
std::vector<double> instance_effects(std::span<const InstanceResidual> residuals,
                                     std::span<const double> weights);

/// Takes the effects of instances out of the payoffs of observations that name two or more, as a
/// search of theirs does, and says so in the notes. `points` are those of the observations. The
/// model is told them several times: what it leaves of the payoffs gives the effects.
void take_out_instances(ForeignObservations& data, const SearchSpace& space,
                        const std::vector<Point>& points, const OptimiserMaker& model);

}  // namespace ntune
