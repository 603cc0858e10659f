#include "ntune/optim/pooled_starts.h"

#include <algorithm>

namespace ntune {

PooledStarts::PooledStarts(const PooledStartsOptions& options, const OptimiserPlan& inner,
                           const OptimiserContext& context)
    : inner_(inner),
      context_(context),
      starts_(static_cast<std::size_t>(options.starts)),
      length_(
          std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(context.budget) *
                                                              options.share / options.starts))),
      points_(*context.space, context.budget) {}

Point PooledStarts::ask(Rng& rng) {
  if (searches_.empty() || (!pooled() && last_has_its_share())) start_search(rng);
  asker_ = searches_.size() - 1;
  Search& search = searches_.back();
  return search.optimiser->ask(search.rng);
}

bool PooledStarts::last_has_its_share() const {
  const auto in_flight = std::ranges::count(in_flight_, searches_.size() - 1);
  return searches_.back().told + in_flight >= length_;
}

void PooledStarts::start_search(Rng& rng) {
  OptimiserContext context = context_;
  const bool last = searches_.size() == starts_;
  if (!last) context.budget = length_;
  context.common_budget = context_.budget;
  searches_.push_back(
      {.optimiser = inner_.make(context), .rng = rng.stream("search", searches_.size())});
  if (!last) return;
  for (const auto& [point, payoff] : payoffs_) searches_.back().optimiser->tell(point, payoff);
  searches_.back().told = std::ssize(payoffs_);
  payoffs_.clear();
}

void PooledStarts::add_pending(const Point& point) {
  in_flight_.push_back(asker_);
  searches_[asker_].optimiser->add_pending(point);
}

void PooledStarts::remove_pending(const Point& point) {
  asker_ = in_flight_.front();
  in_flight_.pop_front();
  searches_[asker_].optimiser->remove_pending(point);
}

void PooledStarts::tell(const Point& point, double payoff) {
  const auto pass = [&](Search& search) {
    search.optimiser->tell(point, payoff);
    ++search.told;
  };
  points_.add(point, payoff);
  pass(searches_[asker_]);
  if (!pooled()) {
    payoffs_.emplace_back(point, payoff);
  } else if (asker_ < starts_) {
    pass(searches_.back());
  }
}

const PooledStarts::Search& PooledStarts::best_search() const {
  if (pooled()) return searches_.back();
  const Search* best = nullptr;
  double highest = 0.0;
  for (const Search& search : searches_) {
    if (search.told == 0) continue;
    const double estimate = search.optimiser->recommend().estimate;
    if (best != nullptr && estimate <= highest) continue;
    best = &search;
    highest = estimate;
  }
  return *best;
}

Recommendation PooledStarts::recommend() const {
  Recommendation best = best_search().optimiser->recommend();
  best.evaluations = points_.find(points_.key(best.point)).count;
  return best;
}

std::optional<Certainty> PooledStarts::certainty() const {
  return best_search().optimiser->certainty();
}

std::optional<Belief> PooledStarts::belief(const Point& point) const {
  return best_search().optimiser->belief(point);
}

bool PooledStarts::done() const { return pooled() && searches_.back().optimiser->done(); }

}  // namespace ntune
