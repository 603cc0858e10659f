#include "ntune/optim/restarts/multi_start.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ntune {

namespace {

/// How often the recommendation of a search is watched in the whole budget.
constexpr std::int64_t kWatches = 100;

/// Number of settings of all pairs of parameters, or of single ones where that is more.
std::int64_t pair_settings(const SearchSpace& space) {
  double settings = 0.0;
  double values = 0.0;
  // The sum over pairs i < j of c_i c_j is each cardinality times the sum of those before it.
  for (int i = 0; i < space.dimensions(); ++i) {
    const double cardinality = space[i].cardinality() > 1 ? space[i].cardinality() : 0.0;
    settings += cardinality * values;
    values += cardinality;
  }
  constexpr double kMost = 1e15;
  return static_cast<std::int64_t>(std::clamp(std::max(settings, values), 1.0, kMost));
}

/// Returns this part of a whole number, rounded up.
std::int64_t share_of(std::int64_t whole, double part) {
  return static_cast<std::int64_t>(std::ceil(static_cast<double>(whole) * part));
}

}  // namespace

void MultiStartOptions::visit(Options& options) {
  options.number("share", share, between(0, 0.95),
                 "share of the budget for the comparison of what the searches recommend");
  options.number("patience", patience, between(0.01, 1),
                 "a search ends when its recommendation has stood for this share of it");
  options.number("shortest", shortest, between(0.001, 1),
                 "share of the budget that a search gets at least");
  options.integer("longest", longest, between(1, 1e15),
                  "evaluations of a search at most, while there is budget for another; auto: as "
                  "many as the pairs of parameters have settings");
  options.number("errors", errors, between(0, 100),
                 "standard errors behind the best that rule a recommendation out");
}

MultiStart::MultiStart(const MultiStartOptions& options, OptimiserMaker inner,
                       const OptimiserContext& context)
    : Restarts(std::move(inner), context, false),
      options_(options),
      shortest_(share_of(context.budget, options.shortest)),
      longest_(options.longest.automatic ? pair_settings(*context.space) : options.longest.value),
      search_until_(context.budget - share_of(context.budget, options.share)) {}

Proposal MultiStart::ask(Rng& rng) {
  if (searches_.empty()) start_next(rng);
  advance(rng);
  ++asked_;
  return comparing_ ? Proposal{.point = compare()} : ask_search();
}

void MultiStart::adopt(const Point& point, Rng& rng) {
  if (searches_.empty()) start_next(rng);
  ++asked_;
  adopt_in_search(point);
}

void MultiStart::tell(const Proposal& asked, const Report& report) {
  if (!asker_.is_search) return tell_compared(candidates_[asker_.index], asked.point, report);
  Restarts::tell(asked, report);
  searches_[asker_.index].tell(asked, report);
}

void MultiStart::tell_compared(Candidate& candidate, const Point& point, const Report& report) {
  for (const double payoff : report.payoffs) candidate.payoffs.add(count(point, payoff));
  if (!report.failed) return;
  failures_.fail(point);
  // The last candidate that stands is never ruled out for its failures.
  if (standing() > 1 && !failures_.reliable(point)) candidate.out = true;
}

/// A search is made for all that is left of the budget, as nobody knows when it will end.
void MultiStart::start_next(Rng& rng) {
  start_search(std::max<std::int64_t>(1, context_.budget - asked_), rng);
}

/// Whether a search has settled, or had its share.
bool MultiStart::ended(const InnerSearch& search) const {
  if (search.told > 0 && search.optimiser->done()) return true;
  if (search.told < shortest_) return false;
  const auto told = static_cast<double>(search.told);
  return search.told >= longest_ ||
         told - static_cast<double>(search.since) >= options_.patience * told;
}

/// Decides what the next ask is for.
void MultiStart::advance(Rng& rng) {
  if (comparing_) {
    rule_out();
    const std::int64_t left = context_.budget - asked_;
    // A comparison that one candidate has won leaves a rest, which is worth another search if it is
    // long enough. A part of the rest is kept to compare once more.
    if (standing() > 1 || left < shortest_) return;
    comparing_ = false;
    search_until_ = context_.budget - share_of(left, options_.share);
    start_next(rng);
    return;
  }
  watch_recommendation();
  // An ended search goes on where no budget is left for another one.
  const bool restart = ended(searches_.back()) && search_until_ - asked_ >= shortest_;
  const bool compare = asked_ >= search_until_ && !candidates_.empty();
  if (!restart && !compare) return;
  if (searches_.back().told > 0) add_candidate(searches_.back().optimiser->recommend());
  if (restart) {
    start_next(rng);
  } else if (candidates_.size() > 1) {
    comparing_ = true;
  }
}

void MultiStart::watch_recommendation() {
  InnerSearch& search = searches_.back();
  if (search.told < search.next_watch) return;
  search.next_watch = search.told + std::max<std::int64_t>(1, context_.budget / kWatches);
  const Point point = search.optimiser->recommend().point;
  if (point == search.recommended) return;
  search.recommended = point;
  search.since = search.told;
}

void MultiStart::add_candidate(const Recommendation& recommendation) {
  const auto same = std::ranges::find(candidates_, recommendation.point, &Candidate::point);
  // Two searches may recommend one point, which is then one candidate.
  if (same == candidates_.end()) {
    candidates_.push_back({.point = recommendation.point, .estimate = recommendation.estimate});
  } else {
    same->estimate = std::max(same->estimate, recommendation.estimate);
  }
}

/// A candidate is out when it is behind the best by `errors` standard errors of the difference. The
/// variance of a payoff is assumed to be the same for all.
void MultiStart::rule_out() {
  constexpr std::int64_t kFewest = 4;
  double squares = 0.0;
  double degrees = 0.0;
  const Candidate* best = nullptr;
  for (const Candidate& candidate : candidates_) {
    const RunningStats& payoffs = candidate.payoffs;
    // The pooled variance takes in candidates that are out, as their payoffs tell of noise too.
    if (payoffs.count() < 2) continue;
    squares += payoffs.variance() * static_cast<double>(payoffs.count() - 1);
    degrees += static_cast<double>(payoffs.count() - 1);
    if (candidate.out || payoffs.count() < kFewest) continue;
    if (best == nullptr || payoffs.mean() > best->payoffs.mean()) best = &candidate;
  }
  if (best == nullptr) return;
  const double variance = squares / degrees;
  for (Candidate& candidate : candidates_) {
    const auto count = static_cast<double>(candidate.payoffs.count());
    if (candidate.out || &candidate == best || candidate.payoffs.count() < kFewest) continue;
    const double error =
        std::sqrt(variance * (1.0 / count + 1.0 / static_cast<double>(best->payoffs.count())));
    candidate.out = best->payoffs.mean() - candidate.payoffs.mean() > options_.errors * error;
  }
}

std::size_t MultiStart::standing() const {
  return static_cast<std::size_t>(std::ranges::count(candidates_, false, &Candidate::out));
}

/// Evaluates the candidate that stands and has the fewest evaluations.
Point MultiStart::compare() {
  const auto next = std::ranges::min_element(
      candidates_, {}, [](const Candidate& each) { return std::pair(each.out, each.asked); });
  asker_ = {.is_search = false, .index = static_cast<std::size_t>(next - candidates_.begin())};
  ++next->asked;
  return next->point;
}

/// Returns the standing candidate of the highest mean in the comparison; null before its payoffs.
const MultiStart::Candidate* MultiStart::leader() const {
  const Candidate* best = nullptr;
  for (const Candidate& candidate : candidates_) {
    if (candidate.out || candidate.payoffs.count() == 0) continue;
    if (best == nullptr || candidate.payoffs.mean() > best->payoffs.mean()) best = &candidate;
  }
  return best;
}

Recommendation MultiStart::recommend() const {
  Recommendation best;
  if (const Candidate* compared = leader()) {
    best = {.point = compared->point, .estimate = compared->payoffs.mean()};
  } else if (const InnerSearch* search = highest_search()) {
    best = search->optimiser->recommend();
  }
  best.evaluations = points_.at(best.point).count;
  return best;
}

}  // namespace ntune
