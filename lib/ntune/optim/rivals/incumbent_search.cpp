#include "ntune/optim/rivals/incumbent_search.h"

namespace ntune {

IncumbentSearch::IncumbentSearch(const OptimiserContext& context, int resamples)
    : PointSearch(context),
      resamples_(noisy_ ? resamples : 1),
      round_(noisy_ ? 2 * resamples_ : 1) {}

/// The point of the next ask.
Point IncumbentSearch::next(Rng& rng) {
  if (asked_ == 0) {
    incumbent_ = incumbent_.size() == 0 ? failures_.draw(rng) : first_incumbent();
  }
  decide_rounds(rng);
  // A failing incumbent would waste the rest of the run.
  if (hopeless(incumbent_)) incumbent_ = failures_.draw(rng);
  const std::int64_t before = asked_++;
  if (before < resamples_) return incumbent_;  // the first round is the incumbent's alone
  // With noise a round asks for the challenger `resamples_` times and then as often for the
  // incumbent. Without noise it is the challenger alone.
  const std::int64_t step = (before - resamples_) % round_;
  if (step == 0) rounds_.push_back({.challenger = challenger(rng), .first = before});
  if (step < resamples_ && hopeless(rounds_.back().challenger)) {
    rounds_.back().challenger = challenger(rng);
  }
  return step < resamples_ ? rounds_.back().challenger : incumbent_;
}

void IncumbentSearch::adopt(const Point& point, Rng&) {
  if (incumbent_.size() == 0) incumbent_ = point;
}

/// The point with the highest mean of those known before the first ask. Points with as many payoffs
/// as a round gives come before all others.
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

Point IncumbentSearch::challenger(Rng& rng) {
  constexpr int kTries = 100;  // without noise a point is worth one evaluation
  Point point = failures_.draw(rng, [&] { return propose(incumbent_, rng); });
  for (int i = 0; i < kTries && !noisy_ && points_.at(point).count > 0; ++i) {
    point = failures_.draw(rng, [&] { return propose(incumbent_, rng); });
  }
  return point;
}

/// Tells whether a point is better by its mean. A reliable point beats one that is likely to fail.
bool IncumbentSearch::beats(const Point& point, const Point& other) const {
  if (!failures_.any() || failures_.reliable(point) == failures_.reliable(other)) {
    return points_.has_higher_mean(point, other);
  }
  return points_.at(point).count > 0 && (failures_.reliable(point) || points_.at(other).count == 0);
}

/// Decides the rounds of which all evaluations have come back, in their order.
void IncumbentSearch::decide_rounds(Rng& rng) {
  while (!rounds_.empty() && rounds_.front().first + round_ <= returned()) {
    const Point& challenger = rounds_.front().challenger;
    const bool wins = failures_.any() ? beats(challenger, incumbent_) &&
                                            (takes_over(challenger, incumbent_, rng) ||
                                             !failures_.reliable(incumbent_))
                                      : takes_over(challenger, incumbent_, rng);
    if (wins) incumbent_ = challenger;
    rounds_.erase(rounds_.begin());
  }
}

Recommendation IncumbentSearch::recommend() const {
  Point best = incumbent_;
  for (const Round& round : rounds_) {
    // A challenger counts once its own evaluations have come back, before its round is decided.
    const bool evaluated = round.first + resamples_ <= returned();
    if (evaluated && beats(round.challenger, best)) best = round.challenger;
  }
  if (points_.at(best).count == 0 || !failures_.reliable(best)) {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (beats(points_.point(i), best)) best = points_.point(i);
    }
  }
  const Cell& cell = points_.at(best);
  return {
      .point = best, .estimate = cell.count == 0 ? 0.0 : cell.mean(), .evaluations = cell.count};
}

}  // namespace ntune
