#pragma once

#include <memory>

#include "ntune/optim/bayesian/bayesian_search.h"
#include "ntune/optim/gaussian/gaussian_process.h"

namespace ntune {

struct GaussianProcessOptions {
  KernelForm kernel = KernelForm::kTuples;
  BayesianSearchOptions search;

  void visit(Options& options) {
    options.choice("kernel", kernel,
                   {{"product", KernelForm::kProduct},
                    {"tuples", KernelForm::kTuples},
                    {"pairs", KernelForm::kPairs}},
                   "a function of all parameters; a sum over 1-tuples, pairs and all; or 1-tuples, "
                   "pairs and a part of each point alone");
    search.visit(options);
  }
};

/// Bayesian optimisation on a Gaussian process.
class GaussianProcessSearch final : public BayesianSearch {
 public:
  GaussianProcessSearch(const GaussianProcessOptions& options, const OptimiserContext& context)
      : BayesianSearch(options.search,
                       std::make_unique<GaussianProcess>(*context.space, options.kernel), context) {
  }
};

}  // namespace ntune
