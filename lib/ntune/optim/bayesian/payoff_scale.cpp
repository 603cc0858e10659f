#include "ntune/optim/bayesian/payoff_scale.h"

#include <algorithm>

namespace ntune {

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
