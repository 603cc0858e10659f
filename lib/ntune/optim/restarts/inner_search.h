#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ntune/optim/base/failures.h"
#include "ntune/optim/base/optimiser.h"

namespace ntune {

/// One of several searches in a run, with a stream of its own.
struct InnerSearch {
  /// The search of that index in a run of context `whole`, for `evaluations` >= 1 of its own.
  InnerSearch(const OptimiserMaker& make, const OptimiserContext& whole, std::int64_t evaluations,
              const Rng& run, std::size_t index)
      : rng(run.stream("search", index)) {
    OptimiserContext context = whole;
    context.budget = evaluations;
    context.common_budget = whole.budget;
    context.ends_losers = false;
    context.blocks = false;
    optimiser = make(context);
  }

  Proposal ask() {
    ++asked;
    return optimiser->ask(rng);
  }
  void adopt(const Point& point) {
    ++asked;
    optimiser->adopt(point, rng);
  }
  void tell(const Proposal& proposal, const Report& report) {
    optimiser->tell(proposal, report);
    told += std::ssize(report.payoffs);
  }

  Rng rng;
  std::unique_ptr<Optimiser> optimiser;
  std::int64_t asked = 0;
  std::int64_t told = 0;
};

/// Whether no point is left whose evaluation would tell anything: all have a payoff without noise,
/// or have failed.
inline bool all_known(const OptimiserContext& context, const SampledPoints& points,
                      const Failures& failures) {
  const auto known = static_cast<double>(points.size() + failures.failed_points());
  return !context.noisy && known >= context.space->size().points;
}

/// The search that recommends at the highest estimate; null where none has a payoff.
template <class Search>
const Search* highest_estimate(const std::vector<Search>& searches) {
  const Search* best = nullptr;
  double highest = 0.0;
  for (const Search& search : searches) {
    if (search.told == 0) continue;
    const double estimate = search.optimiser->recommend().estimate;
    if (best != nullptr && estimate <= highest) continue;
    best = &search;
    highest = estimate;
  }
  return best;
}

}  // namespace ntune
