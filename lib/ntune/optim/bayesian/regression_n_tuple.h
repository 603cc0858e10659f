#pragma once

#include <memory>

#include "ntune/optim/bayesian/bayesian_search.h"
#include "ntune/optim/gaussian/tuple_regression.h"

namespace ntune {

struct RegressionNTupleOptions {
  TupleRegressionOptions regression;
  BayesianSearchOptions search;

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
