#pragma once

#include <cstddef>

#include "ntune/core/rng.h"
#include "ntune/optim/gaussian/gaussian_process.h"

namespace ntune {

/// Index of the candidate with the highest mean + k * sd.
std::size_t choose_by_bound(const Posterior& posterior, double k);
/// Largest expected improvement of a candidate's true mean over `best` (Jones, Schonlau and Welch
/// 1998, eq. 15).
double expected_improvement(const Posterior& posterior, double best);
/// One draw of all candidates from their joint posterior.
Eigen::VectorXd draw_all(const Posterior& posterior, Rng& rng);
/// Knowledge gradients; `noise` is the variance of a payoff.
Eigen::VectorXd gains(const Posterior& posterior, double noise);
/// Index of the highest value, the first one of equals.
std::size_t highest_of(const Eigen::VectorXd& values);

}  // namespace ntune
