#include "ntune/study/followup/recommend_data.h"

#include <algorithm>
#include <unordered_map>

#include "ntune/core/mean_interval.h"
#include "ntune/optim/claims/point_claims.h"

namespace ntune {

namespace {

/// An optimiser that knows all observations, and what failed.
std::unique_ptr<Optimiser> told(const OptimiserPlan& plan, const SearchSpace& space,
                                const ForeignObservations& data, const std::vector<Point>& points) {
  const std::int64_t count = std::ssize(data.observations);
  auto optimiser = plan.make({.space = &space, .budget = count, .common_budget = count});
  std::vector<double> payoffs;
  for (const ForeignObservation& observation : data.observations) {
    payoffs.push_back(observation.payoff);
  }
  optimiser->tell_all(points, payoffs);
  for (const Point& point : place_failures(data, space)) {
    optimiser->tell({.point = point}, {.failed = true});
  }
  return optimiser;
}

/// The distinct points, by their first observation.
std::vector<ObservedPoint> distinct(const ForeignObservations& data,
                                    const std::vector<Point>& points) {
  std::unordered_map<Point, std::size_t> places;
  std::vector<RunningStats> payoffs;
  std::vector<ObservedPoint> found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [place, fresh] = places.emplace(points[i], found.size());
    if (fresh) {
      found.push_back({.point = points[i]});
      payoffs.emplace_back();
    }
    payoffs[place->second].add(data.observations[i].payoff);
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i].observations = payoffs[i].count();
    found[i].mean = payoffs[i].mean();
  }
  return found;
}

/// The range of all payoffs, where they are results of games.
PossibleValues range_of(const ForeignObservations& data) {
  RunningStats payoffs;
  for (const ForeignObservation& observation : data.observations) payoffs.add(observation.payoff);
  return evident_range(payoffs);
}

/// Adds what the payoffs say of each point.
void add_intervals(std::vector<ObservedPoint>& points, const Optimiser& model,
                   const SearchSpace& space, const PossibleValues& range) {
  std::vector<Point> asked;
  for (const ObservedPoint& point : points) asked.push_back(point.point);
  const std::vector<Claim> claims = claims_of(model, space, {.range = range}, asked);
  const auto within = [&](double payoff) {
    return range.is_known() ? std::clamp(payoff, *range.low, *range.high) : payoff;
  };
  // A claim may reach beyond what results of games can be.
  for (std::size_t i = 0; i < claims.size(); ++i) {
    points[i].posterior = within(claims[i].mean);
    points[i].interval = Interval{within(claims[i].low), within(claims[i].high)};
  }
}

/// From payoffs to the unit of the file.
void to_unit(ObservedPoint& point, bool minimise) {
  if (!minimise) return;
  // Taken from 0 no number becomes -0.
  point.mean = 0.0 - point.mean;
  point.estimate = 0.0 - point.estimate;
  if (point.posterior) point.posterior = 0.0 - *point.posterior;
  if (point.interval) {
    point.interval = Interval{0.0 - point.interval->high, 0.0 - point.interval->low};
  }
}

}  // namespace

DataRecommendation recommend_from(const ForeignObservations& data, const SearchSpace& space,
                                  const std::vector<Point>& points, const OptimiserPlan& model,
                                  std::size_t top) {
  // The model ranks the points that were observed; what it recommends goes first.
  const auto optimiser = told(model, space, data, points);
  const Recommendation recommendation = optimiser->recommend();
  std::vector<ObservedPoint> ranked = distinct(data, points);
  for (ObservedPoint& point : ranked) {
    const auto belief = optimiser->belief(point.point);
    point.estimate = belief ? belief->mean : point.mean;
    if (point.point == recommendation.point) point.estimate = recommendation.estimate;
  }
  std::ranges::stable_sort(ranked, [&](const ObservedPoint& a, const ObservedPoint& b) {
    const bool first = a.point == recommendation.point;
    const bool second = b.point == recommendation.point;
    return first != second ? first : a.estimate > b.estimate;
  });

  // What the data themselves say: the best payoff, how often it was seen, and its rank.
  DataRecommendation result{.observations = static_cast<std::int64_t>(points.size()),
                            .points = ranked.size(),
                            .model = model.label};
  const auto best = std::ranges::max_element(data.observations, {}, &ForeignObservation::payoff);
  const Point& best_point = points[static_cast<std::size_t>(best - data.observations.begin())];
  result.best_payoff = data.minimise ? 0.0 - best->payoff : best->payoff;
  result.equally_good =
      std::ranges::count(data.observations, best->payoff, &ForeignObservation::payoff);
  const auto place = std::ranges::find(ranked, best_point, &ObservedPoint::point);
  result.rank_of_best = place - ranked.begin() + 1;
  result.best_trial = *place;
  // The best trial gets an interval with the others, though it may not be among the first.
  ranked.resize(std::min(ranked.size(), std::max<std::size_t>(1, top)));
  result.top = std::move(ranked);
  const PossibleValues range = range_of(data);
  const auto same = std::ranges::find(result.top, best_point, &ObservedPoint::point);
  const auto shown = static_cast<std::size_t>(same - result.top.begin());
  const bool is_shown = same != result.top.end();
  if (!is_shown) result.top.push_back(result.best_trial);
  add_intervals(result.top, *optimiser, space, range);
  for (ObservedPoint& point : result.top) to_unit(point, data.minimise);
  result.best_trial = result.top[shown];
  if (!is_shown) result.top.pop_back();
  result.recommended = result.top.front();
  return result;
}

}  // namespace ntune
