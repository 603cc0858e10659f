#include "ntune/optim/rivals/tpe.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ntune/core/options.h"

namespace ntune {

void TpeOptions::visit(Options& options) {
  options.flag("multivariate", multivariate,
               "one density over whole points; false: one for each parameter");
  options.number("good", good, between(1e-6, 1.0),
                 "share of the payoffs that are good; equal ones are good or not together");
  options.number("random", random, between(0.0, 1.0), "share of points drawn from the whole space");
  options.integer("startup", startup, between(1, 1e9), "random points before the first density");
  options.integer("candidates", candidates, between(1, 1e6),
                  "points drawn from the density of the good payoffs");
  options.number("bandwidth", bandwidth, between(0.0, 1.0),
                 "spread of a kernel for one point, as a share of the number of values");
}

Tpe::Tpe(const TpeOptions& options, const OptimiserContext& context)
    : PointSearch(context), options_(options) {}

/// The point of the next ask.
Point Tpe::next(Rng& rng) {
  // A share of random points keeps the search from staying in a part of the space for good.
  const bool started = std::ssize(observed_) >= options_.startup;
  if (!started || rng.bernoulli(options_.random)) {
    return failures_.draw(rng);
  }
  const Densities densities = this->densities();
  if (options_.multivariate) {
    const Point best = best_of_points(densities, rng);
    return failures_.refused(best) ? failures_.draw(rng) : best;
  }
  // The joint form weighs the chance to succeed itself (`best_of_points`); here `draw` does.
  return failures_.draw(rng, [&] { return best_by_parameter(densities, rng); });
}

void Tpe::pending(const Point& point, bool is_in_flight) {
  if (is_in_flight) {
    pending_.push_back(point);
  } else {
    pending_.erase(std::ranges::find(pending_, point));
  }
}

void Tpe::tell(const Proposal& asked, const Report& report) {
  PointSearch::tell(asked, report);
  for (const double payoff : report.payoffs) observed_.push_back({asked.point, payoff});
  if (report.failed) failed_.push_back(asked.point);
}

/// The worst payoff that is good: that of rank good * n, or the next higher one where that makes
/// the number of good ones come nearer.
double Tpe::least_good() const {
  std::vector<double> sorted;
  for (const Observed& observed : observed_) sorted.push_back(observed.payoff);
  std::ranges::sort(sorted, std::greater<>());
  const double wanted = options_.good * static_cast<double>(sorted.size());
  const double least = sorted[static_cast<std::size_t>(std::ceil(wanted)) - 1];
  const auto [first, last] =
      std::equal_range(sorted.begin(), sorted.end(), least, std::greater<>());
  const auto better = static_cast<double>(first - sorted.begin());
  const auto with_equal = static_cast<double>(last - sorted.begin());
  // All payoffs equal to that of the rank are good together or not. At least one must be good.
  if (better == 0.0 || wanted - better > with_equal - wanted) return least;
  return *(first - 1);
}

/// Returns l of the good payoffs' points and g of all others, with points in flight and failures
/// among the latter.
Tpe::Densities Tpe::densities() const {
  const double least = least_good();
  std::vector<const Point*> good;
  std::vector<const Point*> rest;
  for (const Point& point : pending_) rest.push_back(&point);
  for (const Point& point : failed_) rest.push_back(&point);
  for (const auto& [point, payoff] : observed_) (payoff >= least ? good : rest).push_back(&point);
  const auto density = [this](std::vector<const Point*> points) {
    return ParzenDensity(*space_, std::move(points), options_.bandwidth, options_.multivariate);
  };
  return {density(std::move(good)), density(std::move(rest))};
}

/// Returns a point each of whose values has the highest l / g of its own candidates.
Point Tpe::best_by_parameter(const Densities& densities, Rng& rng) const {
  return draw_allowed(rng, [&] {
    Point point(space_->dimensions());
    for (int i = 0; i < point.size(); ++i) {
      double best = -1.0;
      for (int c = 0; c < options_.candidates; ++c) {
        const int value = densities.good.draw(i, rng);
        const double ratio = densities.good.density(i, value) / densities.rest.density(i, value);
        if (ratio <= best) continue;
        best = ratio;
        point[i] = static_cast<std::uint16_t>(value);
      }
    }
    return point;
  });
}

/// Returns the candidate with the highest l / g, times the square of its chance to succeed.
Point Tpe::best_of_points(const Densities& densities, Rng& rng) const {
  std::vector<Point> points;
  for (int c = 0; c < options_.candidates; ++c) {
    points.push_back(draw_allowed(rng, [&] { return densities.good.draw(rng); }));
  }
  const std::vector<double> good = densities.good.log_densities(points);
  const std::vector<double> rest = densities.rest.log_densities(points);
  const auto log_success = [&](std::size_t c) {
    if (!failures_.any()) return 0.0;
    return 2.0 * std::log1p(-failures_.risk(points[c]));
  };
  std::size_t best = 0;
  double highest = good[0] - rest[0] + log_success(0);
  for (std::size_t c = 1; c < points.size(); ++c) {
    const double ratio = good[c] - rest[c] + log_success(c);
    if (!(ratio > highest)) continue;
    best = c;
    highest = ratio;
  }
  return points[best];
}

Recommendation Tpe::recommend() const {
  std::vector<Point> points;
  for (std::size_t i = 0; i < points_.size(); ++i) points.push_back(points_.point(i));
  const std::vector<double> densities = this->densities().good.log_densities(points);
  return failures_.highest([&](std::size_t i, const Point& /*point*/) {
    const double mean = points_.cell(i).mean();
    return Failures::Rated{{densities[i], mean}, mean};
  });
}

}  // namespace ntune
