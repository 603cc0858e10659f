#pragma once

#include <memory>

#include "ntune/optim/bayesian/bayesian_search.h"
#include "ntune/optim/gaussian/gaussian_process.h"
#include "ntune/optim/gaussian/tuple_regression.h"

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

struct RegressionNTupleOptions {
  TupleRegressionOptions regression;
  BayesianSearchOptions search = {
      .k = {.automatic = false, .value = BayesianSearchOptions::kUsualK},
      .scale = PayoffScaling::kLinear};

  void visit(Options& options) {
    options.integer("most_features", regression.most_features, between(1, 1e4),
                    "size of the regression, beyond which it takes no more pairs");
    options.number("evidence", regression.evidence, between(-1e9, 1e9),
                   "least log evidence for a pair to take part");
    search.visit(options);
  }
};

/// Bayesian optimisation on a regression over tuples.
class RegressionNTuple final : public BayesianSearch {
 public:
  RegressionNTuple(const RegressionNTupleOptions& options, const OptimiserContext& context)
      : BayesianSearch(options.search,
                       std::make_unique<TupleRegression>(*context.space, options.regression),
                       context) {}
};

}  // namespace ntune
