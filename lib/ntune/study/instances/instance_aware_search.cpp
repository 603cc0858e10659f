#include "ntune/study/instances/instance_aware_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ntune/study/instances/instance_effects.h"

namespace ntune {

namespace {

/// Payoffs grow by this factor from one estimate of the effects to the next.
constexpr double kGrowth = 1.25;

/// The number of payoffs at which the effects are estimated next.
std::int64_t grown(std::int64_t payoffs) {
  return 1 + static_cast<std::int64_t>(std::ceil(kGrowth * static_cast<double>(payoffs)));
}

}  // namespace

InstanceAwareSearch::InstanceAwareSearch(OptimiserMaker make, const OptimiserContext& context,
                                         std::vector<double> weights, Rng stream, ModelScale scale)
    : make_(std::move(make)),
      context_(context),
      weights_(std::move(weights)),
      stream_(stream),
      scale_(scale),
      search_(make_(context_)),
      effects_(weights_.size(), 0.0),
      next_renewal_(grown(std::ssize(weights_))) {}

Proposal InstanceAwareSearch::ask(Rng& rng) {
  // Renewed before it is asked, so that a point is asked by what is known of the effects.
  if (payoffs_ >= next_renewal_) renew();
  in_flight_.push_back(searches_);
  adopted_ = false;
  Proposal proposal = search_->ask(rng);
  proposal.losing_payoff = scale_.payoff_of(proposal.losing_payoff);
  return proposal;
}

void InstanceAwareSearch::adopt(const Point& point, Rng& rng) {
  in_flight_.push_back(searches_);
  adopted_ = true;
  search_->adopt(point, rng);
}

void InstanceAwareSearch::pending(const Point& point, bool is_in_flight) {
  if (is_in_flight) {
    pending_.push_back(point);
  } else {
    pending_.erase(std::ranges::find(pending_, point));
  }
  search_->pending(point, is_in_flight);
}

void InstanceAwareSearch::tell(const Proposal& asked, const Report& report) {
  if (std::exchange(adopted_, false)) {
    in_flight_.pop_back();
  } else {
    // What an earlier search has asked for is news to this one.
    if (in_flight_.front() != searches_) search_->adopt(asked.point, stream_);
    in_flight_.pop_front();
  }
  // All is kept on the scale, for the searches that come after this one.
  told_.push_back(on_scale(asked, report));
  if (told_.back().report().instance) payoffs_ += std::ssize(report.payoffs);
  tell(*search_, told_.back(), effects_);
}

/// A report with payoffs on the scale of the model, and the instance if it has an effect.
KeptReport InstanceAwareSearch::on_scale(const Proposal& asked, const Report& report) const {
  std::vector<double> payoffs;
  for (const double payoff : report.payoffs) payoffs.push_back(scale_.of_payoff(payoff));
  Report scaled = report;
  scaled.payoffs = payoffs;
  if (report.at_most) scaled.at_most = scale_.of_payoff(*report.at_most);
  if (report.instance && *report.instance >= weights_.size()) scaled.instance.reset();
  return {asked, scaled};
}

/// Tells a search a report without the effect of its instance.
void InstanceAwareSearch::tell(Optimiser& search, const KeptReport& told,
                               const std::vector<double>& effects) const {
  Report report = told.report();
  const double effect = report.instance ? effects[*report.instance] : 0.0;
  std::vector<double> payoffs(report.payoffs.begin(), report.payoffs.end());
  for (double& payoff : payoffs) payoff -= effect;
  report.payoffs = payoffs;
  if (report.at_most) *report.at_most -= effect;
  search.tell(told.asked, report);
}

void InstanceAwareSearch::finish() {
  if (is_known()) renew();
}

Recommendation InstanceAwareSearch::recommend_now() const {
  const std::vector<double> effects = is_known() ? estimate() : effects_;
  if (effects == effects_) return recommend();
  Rng stream = stream_;
  return in_payoffs(*renewed(effects, stream));
}

Recommendation InstanceAwareSearch::in_payoffs(const Optimiser& search) const {
  Recommendation recommendation = search.recommend();
  recommendation.estimate = scale_.payoff_of(recommendation.estimate);
  return recommendation;
}

std::optional<Belief> InstanceAwareSearch::belief(const Point& point) const {
  std::optional<Belief> belief = search_->belief(point);
  if (!belief || !scale_.is_logarithmic()) return belief;
  return Belief{.mean = scale_.payoff_of(belief->mean)};
}

/// A new search that knows all so far, with these effects.
std::unique_ptr<Optimiser> InstanceAwareSearch::renewed(const std::vector<double>& effects,
                                                        Rng& stream) const {
  OptimiserContext context = context_;
  // The declared range is that of payoffs: without their effects they may lie beyond it.
  for (const double effect : effects) {
    context.payoff_slack = std::max(context.payoff_slack, std::abs(effect));
  }
  std::unique_ptr<Optimiser> search = make_(context);
  for (const KeptReport& told : told_) {
    search->adopt(told.asked.point, stream);
    tell(*search, told, effects);
  }
  return search;
}

/// Has a new search go on where the effects are others than those that this one has been told.
void InstanceAwareSearch::renew() {
  next_renewal_ = grown(payoffs_);
  // A search cannot unlearn: a new one is told everything with the new effects.
  std::vector<double> effects = estimate();
  if (effects == effects_) return;
  effects_ = std::move(effects);
  ++searches_;
  search_ = renewed(effects_, stream_);
  for (const Point& point : pending_) search_->pending(point, true);
}

/// The effects, from the payoffs less what the model believes their points to be worth.
std::vector<double> InstanceAwareSearch::estimate() const {
  std::vector<InstanceResidual> residuals;
  for (const KeptReport& told : told_) {
    const std::optional<std::size_t> instance = told.report().instance;
    if (!instance || told.payoffs().empty()) continue;
    const std::optional<Belief> belief = search_->belief(told.asked.point);
    const double worth = belief ? belief->mean : 0.0;
    for (const double payoff : told.payoffs()) residuals.push_back({*instance, payoff - worth});
  }
  return instance_effects(residuals, weights_);
}

}  // namespace ntune
