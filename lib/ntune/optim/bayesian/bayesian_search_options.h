#pragma once

#include "ntune/core/options.h"
#include "ntune/optim/bayesian/acquisition.h"

namespace ntune {

/// Of every optimiser on a BayesianModel.
struct BayesianSearchOptions {
  Acquisition acquisition = Acquisition::kUcb;
  double k = 3.0;
  int candidates = 60;
  AutoNumber mutation_rate = {};
  AutoInteger initial = {};
  double refit = 1.5;
  int refit_steps = 15;
  int refit_points = 256;
  int most_points = 2000;
  double price = 0.0;

  void visit(Options& options);
};

}  // namespace ntune
