#include "ntune/optim/bayesian/payoff_scale.h"

#include <algorithm>

#include "ntune/core/statistics.h"

namespace ntune {

namespace {

/// log |p|; of 0, which has none, any number, as it is not used.
double log_size(double payoff) { return payoff == 0.0 ? 0.0 : std::log(std::abs(payoff)); }

}  // namespace

void PayoffLogarithms::count(double payoff, int change) {
  (payoff > 0.0 ? positive_ : payoff < 0.0 ? negative_ : zeros_) += change;
}

void PayoffLogarithms::note(double payoff) {
  if (times_worst_ == 0 || payoff < worst_) {
    worst_ = payoff;
    times_worst_ = 0;
  }
  if (payoff == worst_) ++times_worst_;
}

void PayoffLogarithms::add(std::uint32_t rank, double payoff) {
  count(payoff, 1);
  cells_.resize(std::max<std::size_t>(cells_.size(), rank));
  cells_[rank - 1].add_with_deviation(log_size(payoff));
}

void PayoffLogarithms::amend(std::uint32_t rank, double before, double now) {
  count(before, -1);
  count(now, 1);
  cells_[rank - 1].amend_with_deviation(log_size(before), log_size(now));
}

void PayoffLogarithms::fit() {
  RunningStats all;
  for (const Cell& cell : cells_) {
    if (cell.count > 0) all.merge(cell.statistics());
  }
  sign_ = positive_ > 0 ? 1.0 : -1.0;
  centre_ = all.mean();
  unit_ = all.sd() > 0.0 ? all.sd() : 1.0;
}

PayoffScale::PayoffScale(const OptimiserContext& context) {
  if (context.payoff_low && context.payoff_high) {
    half_range_ = 0.5 * (*context.payoff_high - *context.payoff_low);
  }
}

void PayoffScale::add(double payoff) {
  // The first payoff is the origin of all.
  if (count() == 0) origin_ = payoff;
  payoffs_.add(shifted(payoff));
}

/// The centre moves against the origin, so that standardised payoffs stay as they are.
void PayoffScale::move_origin(double origin) {
  centre_ += origin_ - origin;
  origin_ = origin;
}

void PayoffScale::recount(const SampledPoints& all, double low, double high) {
  // The ends are those of single payoffs, while `all` knows the means of points alone.
  RunningStats::State state = payoffs_of(all).state();
  state.min = shifted(low);
  state.max = shifted(high);
  payoffs_ = RunningStats(state);
}

/// Where most games are lost, the standard deviation of the payoffs says little of how much more
/// there is to win. The declared range says it, unless it is far too wide.
void PayoffScale::fit() {
  constexpr double kMostDeviations = 3.0;
  const double sd = payoffs_.sd();
  centre_ = payoffs_.mean();
  if (sd <= 0.0) {
    unit_ = half_range_.value_or(1.0);
  } else {
    unit_ = half_range_ ? std::min(*half_range_, kMostDeviations * sd) : sd;
  }
}

/// A declared range says how bad the worst settings may be, and little of how much there is to win.
void PayoffScale::fit_spread() {
  fit();
  if (payoffs_.sd() > 0.0) unit_ = payoffs_.sd();
}

}  // namespace ntune
