#include "ntune/optim/restarts/restarts.h"

#include <utility>

namespace ntune {

InnerSearch::InnerSearch(const OptimiserMaker& make, const OptimiserContext& whole,
                         std::int64_t evaluations, const Rng& run, std::size_t index)
    : rng(run.stream("search", index)) {
  OptimiserContext context = whole;
  context.budget = evaluations;
  context.common_budget = whole.budget;
  context.ends_losers = false;
  context.blocks = false;
  optimiser = make(context);
}

void InnerSearch::tell(const Proposal& proposal, const Report& report) {
  optimiser->tell(proposal, report);
  told += std::ssize(report.payoffs);
}

Restarts::Restarts(OptimiserMaker inner, const OptimiserContext& context, bool as_told)
    : PointSearch(context, as_told), context_(context), inner_(std::move(inner)) {
  context_.failures = failures_.shared();
}

void Restarts::start_search(std::int64_t evaluations, Rng& rng) {
  searches_.emplace_back(inner_, context_, evaluations, rng, searches_.size());
}

Proposal Restarts::ask_search() {
  asker_ = {.index = searches_.size() - 1};
  InnerSearch& search = searches_.back();
  ++search.asked;
  return search.optimiser->ask(search.rng);
}

void Restarts::adopt_in_search(const Point& point) {
  asker_ = {.index = searches_.size() - 1};
  InnerSearch& search = searches_.back();
  ++search.asked;
  search.optimiser->adopt(point, search.rng);
}

/// Marks are removed in the order of the asks, and before the report is told. So whoever asked
/// first is told next.
void Restarts::pending(const Point& point, bool is_in_flight) {
  if (is_in_flight) {
    askers_.push_back(asker_);
  } else {
    asker_ = askers_.front();
    askers_.pop_front();
  }
  if (asker_.is_search) searches_[asker_.index].optimiser->pending(point, is_in_flight);
}

const InnerSearch* Restarts::highest_search() const {
  const InnerSearch* best = nullptr;
  double highest = 0.0;
  for (const InnerSearch& search : searches_) {
    if (search.told == 0) continue;
    const double estimate = search.optimiser->recommend().estimate;
    if (best != nullptr && estimate <= highest) continue;
    best = &search;
    highest = estimate;
  }
  return best;
}

}  // namespace ntune
