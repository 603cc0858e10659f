#include "ntune/study/instance_aware_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ntune/core/statistics.h"
#include "ntune/study/instance_effects.h"

namespace ntune {

namespace {

/// Payoffs grow by this factor from one estimate of the effects to the next.
constexpr double kGrowth = 1.25;

std::int64_t grown(std::int64_t payoffs) {
  return 1 + static_cast<std::int64_t>(std::ceil(kGrowth * static_cast<double>(payoffs)));
}

}  // namespace

InstanceAwareSearch::InstanceAwareSearch(OptimiserMaker make, const OptimiserContext& context,
                                         std::vector<double> weights, Rng stream)
    : make_(std::move(make)),
      context_(context),
      weights_(std::move(weights)),
      stream_(stream),
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
  told_.push_back({point, instance, {payoffs.begin(), payoffs.end()}, failed, at_most});
  tell(told_.back());
  payoffs_ += std::ssize(payoffs);
}

void InstanceAwareSearch::tell(const Point& point, double payoff) {
  in_flight_.pop_back();
  told_.push_back({point, kNone, {payoff}});
  tell(told_.back());
}

void InstanceAwareSearch::fail(const Point& point) {
  in_flight_.pop_back();
  told_.push_back({.point = point, .failed = true});
  tell(told_.back());
}

void InstanceAwareSearch::tell(const Told& told) {
  for (const double payoff : told.payoffs) {
    search_->tell(told.point, payoff - effect_of(told.instance));
  }
  if (told.failed) search_->fail(told.point);
  if (told.at_most) search_->tell_at_most(told.point, *told.at_most - effect_of(told.instance));
}

void InstanceAwareSearch::finish() {
  if (payoffs_ >= 2 * std::ssize(weights_)) renew();
}

/// Has a new search go on where the effects are others than those that this one has been told.
void InstanceAwareSearch::renew() {
  next_renewal_ = grown(payoffs_);
  std::vector<double> effects = estimate();
  if (effects == effects_) return;
  effects_ = std::move(effects);
  ++searches_;
  search_ = make_(context_);
  for (const Told& told : told_) {
    search_->adopt(told.point, stream_);
    tell(told);
  }
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
