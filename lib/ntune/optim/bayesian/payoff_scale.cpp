#include "ntune/optim/bayesian/payoff_scale.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ntune {

namespace {

/// The unit is at most so many standard deviations of the payoffs, and at least one by so many.
constexpr double kMostDeviations = 3.0;

/// Returns how far payoffs lie from the median of the points' means, for the points from it on: the
/// root of the mean square. It is the standard deviation where payoffs are symmetric.
double spread_of_better_half(const SampledPoints& all) {
  std::vector<double> means;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all.cell(i).count > 0) means.push_back(all.cell(i).mean());
  }
  std::ranges::sort(means);
  const double median = 0.5 * (means[(means.size() - 1) / 2] + means[means.size() / 2]);
  double squares = 0.0;
  double payoffs = 0.0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Cell& cell = all.cell(i);
    if (cell.count == 0 || cell.mean() < median) continue;
    const double above = cell.mean() - median;
    squares += cell.deviations + cell.count * above * above;
    payoffs += cell.count;
  }
  return std::sqrt(squares / payoffs);
}

}  // namespace

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
  const double sd = payoffs_.sd();
  centre_ = payoffs_.mean();
  if (sd <= 0.0) {
    unit_ = half_range_.value_or(1.0);
  } else {
    unit_ = half_range_ ? std::min(*half_range_, kMostDeviations * sd) : sd;
  }
}

/// How bad bad settings are says little of how much there is to win, and so does a declared range.
/// As a search asks near the best, its payoffs are a little skewed on any landscape, which does not
/// count.
void PayoffScale::fit_better_half(const SampledPoints& all) {
  constexpr double kUsualSkew = 1.25;
  fit();
  const double sd = payoffs_.sd();
  if (sd <= 0.0) return;
  unit_ = std::clamp(kUsualSkew * spread_of_better_half(all), sd / kMostDeviations, sd);
}

}  // namespace ntune
