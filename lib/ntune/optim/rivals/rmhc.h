#pragma once

#include "ntune/core/options.h"
#include "ntune/optim/base/neighbourhood.h"
#include "ntune/optim/rivals/incumbent_search.h"

namespace ntune {

struct RmhcOptions {
  int resamples = 5;
  AutoNumber mutation_rate;

  void visit(Options& options) {
    options.integer(
        "resamples", resamples, between(1, 1e9),
        "evaluations of each challenger, and again of the incumbent, per round; without "
        "noise one of the challenger");
    options.number("mutation_rate", mutation_rate, between(0, 1),
                   "probability that a parameter mutates; auto: 1 / d (one always does)");
  }
};

/// Random mutation hill climber: every challenger is a mutant of the incumbent.
class Rmhc final : public IncumbentSearch {
 public:
  Rmhc(const RmhcOptions& options, const OptimiserContext& context)
      : IncumbentSearch(context, options.resamples),
        neighbourhood_(*context.space, {.size = 1, .mutation_rate = options.mutation_rate}) {}

 private:
  Point propose(const Point& incumbent, Rng& rng) override {
    Point mutant = incumbent;
    neighbourhood_.draw(incumbent, rng);
    if (neighbourhood_.size() == 0) return mutant;
    for (const Change& change : neighbourhood_[0]) mutant[change.parameter] = change.value;
    return mutant;
  }

  Neighbourhood neighbourhood_;
};

}  // namespace ntune
