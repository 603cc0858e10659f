#include "ntune/optim/restarts/pooled_starts.h"

#include <algorithm>
#include <utility>

namespace ntune {

PooledStarts::PooledStarts(const PooledStartsOptions& options, OptimiserMaker inner,
                           const OptimiserContext& context)
    : inner_(std::move(inner)),
      failures_(context),
      context_(context),
      starts_(static_cast<std::size_t>(options.starts)),
      length_(
          std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(context.budget) *
                                                              options.share / options.starts))),
      points_(*context.space, context.budget) {
  context_.failures = failures_.shared();
}

void PooledStarts::adopt(const Point& point, Rng& rng) {
  if (searches_.empty()) start_search(rng);
  asker_ = searches_.size() - 1;
  searches_.back().adopt(point);
  if (!pooled() && searches_.back().asked > length_ &&
      (searches_.back().asked - 1) % length_ == 0 && starts_ > searches_.size()) {
    --starts_;
  }
}

Point PooledStarts::ask(Rng& rng) {
  if (searches_.empty() || (!pooled() && searches_.back().asked >= length_)) start_search(rng);
  asker_ = searches_.size() - 1;
  return searches_.back().ask();
}

void PooledStarts::start_search(Rng& rng) {
  const bool last = searches_.size() == starts_;
  searches_.emplace_back(inner_, context_, last ? context_.budget : length_, rng, searches_.size());
  if (!last) return;
  for (const auto& [point, payoff] : payoffs_) searches_.back().tell(point, payoff);
  for (const Point& point : failed_) searches_.back().optimiser->fail(point);
  for (const auto& [point, cost] : costs_) searches_.back().optimiser->tell_cost(point, cost);
  payoffs_.clear();
  costs_.clear();
  failed_.clear();
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
  points_.add(point, payoff);
  failures_.succeed(point);
  searches_[asker_].tell(point, payoff);
  if (!pooled()) {
    payoffs_.emplace_back(point, payoff);
  } else if (asker_ < starts_) {
    searches_.back().tell(point, payoff);
  }
}

void PooledStarts::tell_cost(const Point& point, double cost) {
  searches_[asker_].optimiser->tell_cost(point, cost);
  if (!pooled()) {
    costs_.emplace_back(point, cost);
  } else if (asker_ < starts_) {
    searches_.back().optimiser->tell_cost(point, cost);
  }
}

void PooledStarts::fail(const Point& point) {
  failures_.fail(point, points_);
  searches_[asker_].optimiser->fail(point);
  if (!pooled()) {
    failed_.push_back(point);
  } else if (asker_ < starts_) {
    searches_.back().optimiser->fail(point);
  }
}

const InnerSearch& PooledStarts::best_search() const {
  return pooled() ? searches_.back() : *highest_estimate(searches_);
}

Recommendation PooledStarts::recommend() const {
  Recommendation best = best_search().optimiser->recommend();
  best.evaluations = points_.at(best.point).count;
  return best;
}

PayoffsByPoint PooledStarts::told() const { return best_search().optimiser->told(); }

std::optional<Belief> PooledStarts::belief(const Point& point) const {
  return best_search().optimiser->belief(point);
}

std::int64_t PooledStarts::set_aside() const {
  if (pooled()) return searches_.back().optimiser->set_aside();
  std::int64_t sum = 0;
  for (const InnerSearch& search : searches_) sum += search.optimiser->set_aside();
  return sum;
}

bool PooledStarts::done() const {
  return (pooled() && searches_.back().optimiser->done()) ||
         all_known(context_, points_, failures_);
}

}  // namespace ntune
