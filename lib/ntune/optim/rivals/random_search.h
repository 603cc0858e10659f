#pragma once

#include "ntune/core/options.h"
#include "ntune/optim/rivals/incumbent_search.h"

namespace ntune {

struct RandomSearchOptions {
  int resamples = 5;

  void visit(Options& options) {
    options.integer(
        "resamples", resamples, between(1, 1e9),
        "evaluations of each challenger, and again of the incumbent, per round; without "
        "noise one of the challenger");
  }
};

/// Random search: every challenger is a random point.
class RandomSearch final : public IncumbentSearch {
 public:
  RandomSearch(const RandomSearchOptions& options, const OptimiserContext& context)
      : IncumbentSearch(context, options.resamples) {}

 private:
  Point propose(const Point&, Rng& rng) override { return space_->sample(rng); }
};

}  // namespace ntune
