#include "ntune/study/instances/instance_aware_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ntune/core/statistics.h"
#include "ntune/study/instances/instance_effects.h"

namespace ntune {

namespace {

/// Payoffs grow by this factor from one estimate of the effects to the next.
constexpr double kGrowth = 1.25;

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

Point InstanceAwareSearch::ask(Rng& rng) {
  if (payoffs_ >= next_renewal_) renew();
  in_flight_.push_back(searches_);
  return search_->ask(rng);
}

void InstanceAwareSearch::adopt(const Point& point, Rng& rng) {
  in_flight_.push_back(searches_);
  search_->adopt(point, rng);
}

void InstanceAwareSearch::add_pending(const Point& point) {
  pending_.push_back(point);
  search_->add_pending(point);
}

void InstanceAwareSearch::remove_pending(const Point& point) {
  pending_.erase(std::ranges::find(pending_, point));
  search_->remove_pending(point);
}

void InstanceAwareSearch::take(const Point& point, std::size_t instance,
                               std::span<const double> payoffs, bool failed,
                               std::optional<double> at_most) {
  // What an earlier search has asked for is news to this one.
  if (in_flight_.front() != searches_) search_->adopt(point, stream_);
  in_flight_.pop_front();
  add({point, instance, {payoffs.begin(), payoffs.end()}, failed, at_most});
  payoffs_ += std::ssize(payoffs);
}

void InstanceAwareSearch::tell_on(std::size_t instance, const Point& point, double payoff) {
  in_flight_.pop_back();
  add({point, instance, {payoff}});
  if (instance != kNone) ++payoffs_;
}

void InstanceAwareSearch::tell(const Point& point, double payoff) { tell_on(kNone, point, payoff); }

void InstanceAwareSearch::fail(const Point& point) {
  in_flight_.pop_back();
  add({.point = point, .failed = true});
}

void InstanceAwareSearch::add(Told told) {
  told.cost = std::exchange(next_cost_, std::nullopt);
  for (double& payoff : told.payoffs) payoff = scale_.of_payoff(payoff);
  if (told.at_most) told.at_most = scale_.of_payoff(*told.at_most);
  told_.push_back(std::move(told));
  tell(*search_, told_.back(), effects_);
}

void InstanceAwareSearch::tell(Optimiser& search, const Told& told,
                               const std::vector<double>& effects) const {
  const double effect = told.instance == kNone ? 0.0 : effects[told.instance];
  if (told.cost) search.tell_cost(told.point, *told.cost);
  for (const double payoff : told.payoffs) search.tell(told.point, payoff - effect);
  if (told.failed) search.fail(told.point);
  if (told.at_most) search.tell_at_most(told.point, *told.at_most - effect);
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
  for (const Told& told : told_) {
    search->adopt(told.point, stream);
    tell(*search, told, effects);
  }
  return search;
}

/// Has a new search go on where the effects are others than those that this one has been told.
void InstanceAwareSearch::renew() {
  next_renewal_ = grown(payoffs_);
  std::vector<double> effects = estimate();
  if (effects == effects_) return;
  effects_ = std::move(effects);
  ++searches_;
  search_ = renewed(effects_, stream_);
  for (const Point& point : pending_) search_->add_pending(point);
}

/// The effects, from the payoffs less what the model believes their points to be worth.
std::vector<double> InstanceAwareSearch::estimate() const {
  std::vector<InstanceResidual> residuals;
  for (const Told& told : told_) {
    if (told.instance == kNone || told.payoffs.empty()) continue;
    const std::optional<Belief> belief = search_->belief(told.point);
    const double worth = belief ? belief->mean : 0.0;
    for (const double payoff : told.payoffs) residuals.push_back({told.instance, payoff - worth});
  }
  return instance_effects(residuals, weights_);
}

}  // namespace ntune
