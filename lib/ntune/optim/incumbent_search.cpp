#include "ntune/optim/incumbent_search.h"

namespace ntune {

IncumbentSearch::IncumbentSearch(const OptimiserContext& context, int resamples)
    : space_(context.space), points_(*context.space, context.budget), resamples_(resamples) {}

Point IncumbentSearch::ask(Rng& rng) {
  if (incumbent_.size() == 0) {
    incumbent_ = space_->sample(rng);
    challenger_ = incumbent_;
    step_ = resamples_;  // the first round is the incumbent's own
  }
  if (step_ == 2 * resamples_) {
    if (mean(challenger_) > mean(incumbent_)) incumbent_ = challenger_;
    challenger_ = propose(incumbent_, rng);
    step_ = 0;
  }
  return step_ < resamples_ ? challenger_ : incumbent_;
}

void IncumbentSearch::tell(const Point& point, double payoff) {
  points_.add(point, payoff);
  ++step_;
}

/// The incumbent; a challenger that has had its evaluations may take over.
Recommendation IncumbentSearch::recommend() const {
  const bool challenger_rated = step_ >= resamples_;
  const bool take = challenger_rated && mean(challenger_) > mean(incumbent_);
  const Point& best = take ? challenger_ : incumbent_;
  return {
      .point = best, .estimate = mean(best), .evaluations = points_.find(points_.key(best)).count};
}

double IncumbentSearch::mean(const Point& point) const {
  const Cell& cell = points_.find(points_.key(point));
  return cell.count == 0 ? 0.0 : cell.sum / cell.count;
}

}  // namespace ntune
