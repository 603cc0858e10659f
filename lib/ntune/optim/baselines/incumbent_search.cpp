#include "ntune/optim/baselines/incumbent_search.h"

namespace ntune {

IncumbentSearch::IncumbentSearch(const OptimiserContext& context, int resamples)
    : space_(context.space), points_(*context.space, context.budget), resamples_(resamples) {}

Point IncumbentSearch::ask(Rng& rng) {
  if (asked_ == 0) incumbent_ = space_->sample(rng);
  decide_rounds();
  const std::int64_t before = asked_++;
  if (before < resamples_) return incumbent_;  // the first round is the incumbent's own
  const std::int64_t step = (before - resamples_) % (2 * resamples_);
  if (step == 0) rounds_.push_back({.challenger = propose(incumbent_, rng), .first = before});
  return step < resamples_ ? rounds_.back().challenger : incumbent_;
}

void IncumbentSearch::decide_rounds() {
  while (!rounds_.empty() && rounds_.front().first + 2 * resamples_ <= returned()) {
    if (better(rounds_.front().challenger, incumbent_)) incumbent_ = rounds_.front().challenger;
    rounds_.erase(rounds_.begin());
  }
}

/// The incumbent; a challenger that has had its evaluations may take over.
Recommendation IncumbentSearch::recommend() const {
  Point best = incumbent_;
  for (const Round& round : rounds_) {
    const bool rated = round.first + resamples_ <= returned();
    if (rated && better(round.challenger, best)) best = round.challenger;
  }
  if (cell(best).count == 0) {  // every evaluation of the incumbent has failed so far
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (better(points_.point(i), best)) best = points_.point(i);
    }
  }
  const Cell& own = cell(best);
  return {.point = best,
          .estimate = own.count == 0 ? 0.0 : own.sum / own.count,
          .evaluations = own.count};
}

/// True if the first point has the higher mean; without payoffs it has none.
bool IncumbentSearch::better(const Point& point, const Point& other) const {
  const Cell& own = cell(point);
  const Cell& others = cell(other);
  if (own.count == 0 || others.count == 0) return own.count > others.count;
  return own.sum / own.count > others.sum / others.count;
}

}  // namespace ntune
