#pragma once

#include "ntune/core/options.h"
#include "ntune/optim/gaussian/point_kernel.h"

namespace ntune {

/// What decides between candidates.
enum class Acquisition {
  kUcb,                ///< the upper confidence bound mean + k * sd
  kThompson,           ///< one draw from the joint posterior
  kKnowledgeGradient,  ///< the gain in the best posterior mean that one payoff promises, with the
                       ///< candidate and the best point alone in view (Frazier, Powell and Dayanik
                       ///< 2009)
};

/// On which scale a model has the payoffs.
enum class PayoffScaling {
  kAuto,    ///< by their logarithms, where noise and the higher likelihood speak for it
  kLinear,  ///< as they are
};

/// Options of Bayesian optimisation.
struct BayesianSearchOptions {
  static constexpr double kUsualK = 3.0;

  KernelForm kernel = KernelForm::kTuples;
  Acquisition acquisition = Acquisition::kUcb;
  /// `automatic`: kUsualK, with a unit that follows payoffs that are not those of games (see
  /// BayesianSearch).
  AutoNumber k = {};
  PayoffScaling scale = PayoffScaling::kAuto;
  int candidates = 60;
  AutoNumber mutation_rate = {};
  AutoInteger initial = {};
  AutoInteger repeats = {};
  double refit = 1.5;
  int refit_steps = 15;
  int refit_points = 256;
  int most_points = 2000;
  double price = 0.0;

  void visit(Options& options);
};

/// The option `scale` by itself.
void visit_scale(Options& options, PayoffScaling& scale);

}  // namespace ntune
