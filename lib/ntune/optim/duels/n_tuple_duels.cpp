#include "ntune/optim/duels/n_tuple_duels.h"

#include <limits>

#include "ntune/core/options.h"

namespace ntune {

void NTupleDuelsOptions::visit(Options& options) {
  options.number("k", k, between(0.0, 100.0),
                 "standard deviations by which the upper bound of a mutant exceeds its mean");
  options.integer("neighbours", neighbours, between(1, 10'000), "mutants of the incumbent a match");
}

NTupleDuels::NTupleDuels(const NTupleDuelsOptions& options, const OptimiserContext& context)
    : MatchSearch(context),
      options_(options),
      strengths_(*context.space),
      neighbourhood_(*context.space, {.size = options.neighbours}),
      incumbent_(start_) {}

Proposal NTupleDuels::ask(Rng& rng) {
  // The mutant with the highest upper bound of its lead over the incumbent plays. Only a bound
  // above 0 is a promise, which the square of the chance of success scales.
  const TupleStrengths::Settings own = strengths_.settings(incumbent_);
  Point chosen = incumbent_;
  double highest = -std::numeric_limits<double>::infinity();
  neighbourhood_.draw(incumbent_, rng);
  for (std::size_t i = 0; i < neighbourhood_.size(); ++i) {
    const Point mutant = neighbourhood_.mutant(incumbent_, i);
    const Belief lead = strengths_.difference(strengths_.settings(mutant), own);
    double bound = lead.mean + options_.k * *lead.sd;
    if (failures_.any()) {
      const double success = 1.0 - failures_.risk(mutant);
      bound = bound > 0.0 ? success * success * bound : bound;
    }
    if (bound <= highest) continue;
    highest = bound;
    chosen = mutant;
  }
  // If no other point was found among the mutants, a random point plays.
  if (chosen == incumbent_) chosen = space_->sample(rng);
  return {.point = chosen, .opponent = incumbent_};
}

void NTupleDuels::learn(const Point& point, const Point& opponent, const MatchResult& result) {
  strengths_.record(point, opponent, result);
  count_match(point, opponent, result.score);
  // Either player may now be stronger than the incumbent, by the mean alone.
  const double own = strengths_.mean(strengths_.settings(incumbent_));
  for (const Point& other : {point, opponent}) {
    if (!space_->is_allowed(other)) continue;
    if (strengths_.mean(strengths_.settings(other)) > own) incumbent_ = other;
  }
}

Point NTupleDuels::strongest() const {
  Point best = incumbent_;
  bool found = failures_.reliable(incumbent_);
  double most = strengths_.mean(strengths_.settings(incumbent_));
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Point point = points_.point(i);
    const double mean = strengths_.mean(strengths_.settings(point));
    // An unreliable incumbent is only kept until any reliable point turns up.
    if ((found && mean <= most) || !failures_.reliable(point)) continue;
    found = true;
    most = mean;
    best = point;
  }
  return best;
}

Recommendation NTupleDuels::recommend() const {
  const Point best = strongest();
  const Belief lead =
      strengths_.difference(strengths_.settings(best), strengths_.settings(reference_));
  const DrawModel& draws = strengths_.draws();
  return {.point = best,
          .estimate = 0.5 + draws.excess(draws.per_elo() * lead.mean),
          .evaluations = points_.at(best).count};
}

}  // namespace ntune
