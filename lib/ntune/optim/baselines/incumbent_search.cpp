#include "ntune/optim/baselines/incumbent_search.h"

namespace ntune {

IncumbentSearch::IncumbentSearch(const OptimiserContext& context, int resamples)
    : space_(context.space), points_(*context.space, context.budget), resamples_(resamples) {}

Point IncumbentSearch::ask(Rng& rng) {
  if (asked_ == 0) {
    incumbent_ = incumbent_.size() == 0 ? space_->sample(rng) : first_incumbent();
  }
  decide_rounds(rng);
  const std::int64_t before = asked_++;
  if (before < resamples_) return incumbent_;  // the first round is the incumbent's alone
  const std::int64_t step = (before - resamples_) % (2 * resamples_);
  if (step == 0) rounds_.push_back({.challenger = propose(incumbent_, rng), .first = before});
  return step < resamples_ ? rounds_.back().challenger : incumbent_;
}

void IncumbentSearch::adopt(const Point& point, Rng&) {
  if (incumbent_.size() == 0) incumbent_ = point;
}

/// Of the points known before the first ask the one with the highest mean, of those with as many
/// payoffs as a round gives if there are any.
Point IncumbentSearch::first_incumbent() const {
  Point best = incumbent_;
  const auto is_sure = [this](const Point& point) {
    return points_.at(point).count >= static_cast<std::uint32_t>(resamples_);
  };
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Point point = points_.point(i);
    const bool sure = is_sure(point);
    if (sure != is_sure(best) ? sure : points_.has_higher_mean(point, best)) best = point;
  }
  return best;
}

void IncumbentSearch::decide_rounds(Rng& rng) {
  while (!rounds_.empty() && rounds_.front().first + 2 * resamples_ <= returned()) {
    const Point& challenger = rounds_.front().challenger;
    if (takes_over(challenger, incumbent_, rng)) incumbent_ = challenger;
    rounds_.erase(rounds_.begin());
  }
}

Recommendation IncumbentSearch::recommend() const {
  Point best = incumbent_;
  for (const Round& round : rounds_) {
    const bool evaluated = round.first + resamples_ <= returned();
    if (evaluated && points_.has_higher_mean(round.challenger, best)) best = round.challenger;
  }
  if (points_.at(best).count == 0) {  // every evaluation of the incumbent has failed so far
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (points_.has_higher_mean(points_.point(i), best)) best = points_.point(i);
    }
  }
  const Cell& cell = points_.at(best);
  return {
      .point = best, .estimate = cell.count == 0 ? 0.0 : cell.mean(), .evaluations = cell.count};
}

}  // namespace ntune
