#include "ntune/optim/base/capped_search.h"

#include <algorithm>
#include <cmath>

#include "ntune/core/normal.h"

namespace ntune {

double normal_mean_above(double mean, double sd, double bound) {
  const double z = (bound - mean) / sd;
  // Farther out the density and the tail are too small for their quotient, which is about z.
  constexpr double kFarOut = 30.0;
  if (z > kFarOut) return bound + sd / z;
  // This is the mean of a truncated normal variable, by the inverse of Mills' ratio.
  return mean + sd * normal_density(z) / normal_below(-z);
}

void CensoredCosts::add(double cost) {
  ++known_;
  least_ = std::min(least_, cost);
  if (cost > 0.0) logs_.add(std::log(cost));
  ended_.push_back(cost);
}

void CensoredCosts::add_penalty(double penalty) {
  ++known_;
  penalties_.add(penalty);
}

double CensoredCosts::losing(double best) const {
  constexpr std::int64_t kFirst = 20;
  constexpr double kFactor = 5.0;
  const double most = kFactor * std::max(best, least_);
  return known_ < kFirst || most <= 0.0 ? std::numeric_limits<double>::infinity() : most;
}

double CensoredCosts::imputed(std::optional<double> mean, double bound) const {
  constexpr double kLeastScatter = 0.1;  // times of a program are never alike
  const double centre = mean.value_or(0.0) > 0.0 ? std::log(*mean) : logs_.mean();
  const double scatter = std::max(kLeastScatter, logs_.count() > 1 ? logs_.sd() : 0.0);
  const double ended = bound <= 0.0 ? std::exp(centre)
                                    : std::exp(normal_mean_above(centre, scatter, std::log(bound)));
  if (penalties_.count() == 0) return ended;
  const auto cut_off = static_cast<double>(penalties_.count());
  const auto longer =
      static_cast<double>(std::ranges::count_if(ended_, [&](double cost) { return cost > bound; }));
  // One more run that is like all others keeps the share away from 0 and 1.
  const double of_all = cut_off / static_cast<double>(known_);
  const double share = (cut_off + of_all) / (cut_off + longer + 1.0);
  return std::lerp(ended, std::max(ended, penalties_.mean()), share);
}

Proposal CappedSearch::ask(Rng& rng) {
  Proposal proposal = search_->ask(rng);
  if (!told_) return proposal;
  const double best = -search_->recommend().estimate;
  if (ends_leaders_ || !leads(proposal.point, best)) {
    proposal.losing_payoff = -costs_.losing(best);
  }
  return proposal;
}

/// Tells whether a point is believed to cost hardly more than the best one.
bool CappedSearch::leads(const Point& point, double best) const {
  constexpr double kNear = 2.0;
  const std::optional<Belief> belief = search_->belief(point);
  return belief && -belief->mean <= kNear * best;
}

/// Tells the inner search of an ended evaluation as if it had come to the cost that is expected on
/// average. Payoffs are negative costs.
void CappedSearch::tell(const Proposal& asked, const Report& report) {
  if (report.at_most) {
    const std::optional<Belief> belief = told_ ? search_->belief(asked.point) : std::nullopt;
    std::optional<double> mean;
    if (belief) mean = -belief->mean;
    told_ = true;
    const double imputed = -costs_.imputed(mean, -*report.at_most);
    Report whole = report;
    whole.at_most.reset();
    whole.payoffs = std::span(&imputed, 1);
    search_->tell(asked, whole);
    return;
  }
  // An inner search can recommend only after a first payoff, which `ask` needs.
  told_ = told_ || !report.payoffs.empty();
  for (const double payoff : report.payoffs) {
    if (report.cut_off && !ends_leaders_) {
      costs_.add_penalty(-payoff);
    } else {
      costs_.add(-payoff);
    }
  }
  search_->tell(asked, report);
}

}  // namespace ntune
