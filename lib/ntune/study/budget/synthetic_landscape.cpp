#include "ntune/study/budget/synthetic_landscape.h"

#include <algorithm>
#include <cmath>

namespace ntune {

namespace {

constexpr int kBumps = 4;
constexpr double kBest = 0.8;

double log_uniform(double low, double high, Rng& rng) {
  return low * std::pow(high / low, rng.uniform());
}

/// Place of a value in [0, 1].
double place(int value, int cardinality) {
  return cardinality < 2 ? 0.0 : static_cast<double>(value) / (cardinality - 1);
}

}  // namespace

SyntheticLandscape::SyntheticLandscape(const SearchSpace& space, bool noisy, Rng rng)
    : space_(&space), noisy_(noisy) {
  double highest = 0.0;
  for (int b = 0; b < kBumps; ++b) {
    const Point centre = space.sample(rng);
    Bump bump{.height = 0.5 + 0.5 * rng.uniform(), .centres = {}, .widths = {}};
    for (int i = 0; i < space.dimensions(); ++i) {
      const bool ordered = space[i].ordered;
      bump.centres.push_back(ordered ? place(centre[i], space[i].cardinality()) : centre[i]);
      bump.widths.push_back(ordered ? log_uniform(0.5, 30.0, rng) : log_uniform(0.1, 2.0, rng));
    }
    highest = std::max(highest, bump.height);
    bumps_.push_back(std::move(bump));
  }
  for (Bump& bump : bumps_) bump.height *= kBest / highest;
}

double SyntheticLandscape::value(const Point& point) const {
  double best = 0.0;
  for (const Bump& bump : bumps_) {
    double distance = 0.0;
    for (int i = 0; i < point.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Parameter& parameter = (*space_)[i];
      const double centre = bump.centres[at];
      const double difference = parameter.ordered
                                    ? place(point[i], parameter.cardinality()) - centre
                                    : (point[i] == centre ? 0.0 : 1.0);
      distance += bump.widths[at] * difference * difference;
    }
    best = std::max(best, bump.height * std::exp(-distance));
  }
  return best;
}

double SyntheticLandscape::evaluate(const Point& point, Rng& rng) const {
  const double p = value(point);
  if (!noisy_) return p;
  return rng.bernoulli(p) ? 1.0 : -1.0;
}

Payoffs SyntheticLandscape::payoffs() const {
  return {.low = noisy_ ? -1.0 : 0.0, .high = 1.0, .two_valued = noisy_, .noisy = noisy_};
}

Unit SyntheticLandscape::unit() const { return noisy_ ? Unit::win_probability() : Unit{}; }

}  // namespace ntune
