#include "ntune/optim/duels/match_search.h"

#include <algorithm>

namespace ntune {

namespace {

Point reference_of(const OptimiserContext& context) {
  if (context.incumbent) return *context.incumbent;
  Rng rng(1);
  Point middle(context.space->dimensions());
  for (int i = 0; i < middle.size(); ++i) {
    middle[i] = static_cast<std::uint16_t>(((*context.space)[i].cardinality() - 1) / 2);
  }
  context.space->canonicalise(middle);
  return context.space->is_allowed(middle) ? middle : context.space->sample(rng);
}

}  // namespace

MatchSearch::MatchSearch(const OptimiserContext& context)
    : PointSearch(context, true), reference_(reference_of(context)) {
  start_ = space_->nearest_on_grid(reference_).value_or(reference_);
  Rng rng(1);
  if (!space_->is_allowed(start_)) start_ = space_->sample(rng);
}

void MatchSearch::count_match(const Point& point, const Point& opponent, double score) {
  count(point, score);
  if (space_->is_allowed(opponent)) count(opponent, 1.0 - score);
}

void MatchSearch::learn_alone(const Point& point, double score) {
  learn(point, reference_, {.score = std::clamp(score, 0.0, 1.0)});
}

bool MatchSearch::is_trusted(const Point& point) const {
  return point == reference_ || !space_->is_allowed(point);
}

void MatchSearch::tell(const Proposal& asked, const Report& report) {
  for (const double score : report.payoffs) {
    if (asked.opponent) {
      learn(asked.point, *asked.opponent, {.score = score, .games = report.games});
    } else {
      learn_alone(asked.point, score);
    }
  }
  if (!report.failed) return;
  // Where only one of the players can be to blame, it is.
  if (!asked.opponent || is_trusted(*asked.opponent)) {
    failures_.fail(asked.point);
  } else if (is_trusted(asked.point)) {
    failures_.fail(*asked.opponent);
  } else {
    failures_.fail_match(asked.point, *asked.opponent);
  }
}

}  // namespace ntune
