#include "ntune/optim/rivals/spsa.h"

#include <algorithm>
#include <cmath>

#include "ntune/core/options.h"

namespace ntune {

void SpsaOptions::visit(Options& options) {
  options.number("perturbation", perturbation, between(0.0, 1.0),
                 "first distance of a pair from the iterate, as a share of a parameter's range");
  options.number("step", step, between(0.0, 10.0),
                 "first move, as a share of the range, for a difference of one standard deviation");
  options.number("stability", stability, between(0.0, 100.0),
                 "A of the sequence of moves, as a share of the number of pairs");
  options.number("alpha", alpha, between(0.0, 10.0), "exponent by which the moves shrink");
  options.number("gamma", gamma, between(0.0, 10.0), "exponent by which the distances shrink");
}

Spsa::Spsa(const SpsaOptions& options, const OptimiserContext& context)
    : PointSearch(context),
      options_(options),
      budget_(context.budget),
      iterate_(static_cast<std::size_t>(context.space->dimensions()), 0.5),
      sums_(iterate_.size(), 0.0) {}

void Spsa::adopt(const Point&, Rng&) { budget_ = std::max<std::int64_t>(1, budget_ - 1); }

void Spsa::start_at_best() {
  // Without adopted points the iterate stays in the middle.
  if (points_.size() == 0) return;
  Point best = points_.point(0);
  for (std::size_t i = 1; i < points_.size(); ++i) {
    if (points_.has_higher_mean(points_.point(i), best)) best = points_.point(i);
  }
  for (int i = 0; i < best.size(); ++i) {
    const int range = (*space_)[i].cardinality() - 1;
    if (range > 0) iterate_[static_cast<std::size_t>(i)] = static_cast<double>(best[i]) / range;
  }
}

/// The point of the next ask.
Point Spsa::next(Rng& rng) {
  if (asked_ == 0) start_at_best();
  close_pairs();
  const std::int64_t before = asked_++;
  if (before % 2 == 0) {
    // The last one or two evaluations are of the answer itself. As a pair they have the same point
    // twice and move nothing.
    if (before + 2 < budget_) {
      pairs_.push_back(make_pair(rng));
    } else {
      Point point = rounded(answer());
      if (!space_->is_allowed(point) || failures_.refused(point)) {
        point = failures_.draw(rng);
      }
      pairs_.push_back({.sides = {point, point}, .moves = false});
    }
    pairs_.back().first = before;
  }
  return pairs_.back().sides[static_cast<std::size_t>(before % 2)];
}

/// The mean iterate of the second half of the budget; before, the iterate.
std::vector<double> Spsa::answer() const {
  if (summed_ == 0.0) return iterate_;
  std::vector<double> mean = sums_;
  for (double& x : mean) x /= summed_;
  return mean;
}

/// Returns the point nearest to these shares of the ranges.
Point Spsa::rounded(const std::vector<double>& shares) const {
  Point point(space_->dimensions());
  for (int i = 0; i < point.size(); ++i) {
    const double index = shares[static_cast<std::size_t>(i)] * ((*space_)[i].cardinality() - 1);
    point[i] = static_cast<std::uint16_t>(std::lround(index));
  }
  space_->canonicalise(point);
  return point;
}

/// Two points on both sides of the iterate, drawn again where one is forbidden.
Spsa::Pair Spsa::make_pair(Rng& rng) const {
  constexpr int kTries = 100;
  const auto k = static_cast<double>(asked_ / 2);
  const double distance = options_.perturbation / std::pow(k + 1.0, options_.gamma);
  Pair pair;
  for (int tries = 0; tries < kTries; ++tries) {
    pair.sides = {Point(space_->dimensions()), Point(space_->dimensions())};
    for (int i = 0; i < space_->dimensions(); ++i) {
      const double range = (*space_)[i].cardinality() - 1;
      const double index = iterate_[static_cast<std::size_t>(i)] * range;
      // With half a step or more to either side, the two rounded values differ. At an end of the
      // range one side is cut.
      const double half = std::max(0.5, distance * range);
      const std::size_t up = rng.below(2);
      const double high = std::min(range, std::floor(index + half + 0.5));
      const double low = std::max(0.0, std::ceil(index - half - 0.5));
      pair.sides[up][i] = static_cast<std::uint16_t>(high);
      pair.sides[1 - up][i] = static_cast<std::uint16_t>(low);
    }
    for (Point& side : pair.sides) space_->canonicalise(side);
    if (accepts(pair, rng)) return pair;
  }
  // If no pair was accepted, two random points are evaluated, which do not move the iterate.
  for (Point& side : pair.sides) {
    side = failures_.draw(rng);
  }
  pair.moves = false;
  return pair;
}

/// Both sides are allowed, and a lottery of their chances to succeed takes them.
bool Spsa::accepts(const Pair& pair, Rng& rng) const {
  for (const Point& side : pair.sides) {
    if (!space_->is_allowed(side) || failures_.refused(side)) return false;
  }
  if (!failures_.any()) return true;
  double success = 1.0;
  for (const Point& side : pair.sides) {
    success *= 1.0 - failures_.risk(side);
  }
  return rng.uniform() < success;
}

void Spsa::tell(const Proposal& asked, const Report& report) {
  for (const double payoff : report.payoffs) {
    const double counts_as = count(asked.point, payoff);
    at_returned([&](Pair& pair, std::size_t side) { pair.payoffs[side].add(counts_as); });
  }
  if (!report.failed) return;
  failures_.fail(asked.point);
  at_returned([](Pair& pair, std::size_t side) { pair.failed[side] = true; });
}

template <class Visit>
void Spsa::at_returned(const Visit& visit) {
  // Reports come in the order of the asks, so the last returned ask is the one that is told.
  const std::int64_t ask = returned() - 1;
  for (Pair& pair : pairs_) {
    if (ask - pair.first >= 2) continue;
    visit(pair, static_cast<std::size_t>(ask - pair.first));
    return;
  }
}

/// Moves by all pairs of which both sides have come back, and sums the iterates of the second half.
void Spsa::close_pairs() {
  while (!pairs_.empty() && pairs_.front().first + 2 <= returned()) {
    move(pairs_.front());
    if (2 * pairs_.front().first >= budget_) {
      for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += iterate_[i];
      ++summed_;
    }
    pairs_.erase(pairs_.begin());
  }
}

/// Returns by how many standard deviations the first side of a pair is better.
double Spsa::difference(const Pair& pair) const {
  const bool first = pair.payoffs[0].count() > 0;
  const bool second = pair.payoffs[1].count() > 0;
  if (first && pair.failed[1] && !second) return 1.0;
  if (second && pair.failed[0] && !first) return -1.0;
  // The unit of payoffs is unknown, so that a difference is measured in standard deviations of all.
  const double deviation = payoffs().sd();
  if (!first || !second || deviation == 0.0) return 0.0;
  return (pair.payoffs[0].mean() - pair.payoffs[1].mean()) / deviation;
}

void Spsa::move(const Pair& pair) {
  const double difference = pair.moves ? this->difference(pair) : 0.0;
  if (difference == 0.0) return;
  const auto k = static_cast<double>(pair.first / 2);
  const double stability = options_.stability * static_cast<double>(budget_) / 2.0;
  // At k = 0 the power is 1 and `apart` about twice the perturbation, so that a first move is
  // `step` for one deviation.
  const double gain = options_.step * 2.0 * options_.perturbation *
                      std::pow((1.0 + stability) / (k + 1.0 + stability), options_.alpha);
  for (int i = 0; i < space_->dimensions(); ++i) {
    const int steps = pair.sides[0][i] - pair.sides[1][i];
    if (steps == 0) continue;  // fixed, or inactive on both sides
    const double apart = steps / ((*space_)[i].cardinality() - 1.0);
    double& x = iterate_[static_cast<std::size_t>(i)];
    x = std::clamp(x + gain * difference / apart, 0.0, 1.0);
  }
}

/// Sum of the distances of the active parameters, as shares of their ranges.
double Spsa::distance(const Point& point, const std::vector<double>& shares) const {
  double sum = 0.0;
  for (int i = 0; i < point.size(); ++i) {
    const int range = (*space_)[i].cardinality() - 1;
    if (range == 0 || !space_->is_active(point, i)) continue;
    sum += std::abs(shares[static_cast<std::size_t>(i)] - static_cast<double>(point[i]) / range);
  }
  return sum;
}

Recommendation Spsa::recommend() const {
  const std::vector<double> answer = this->answer();
  return failures_.highest([&](std::size_t i, const Point& point) {
    const double mean = points_.cell(i).mean();
    // Without noise the highest payoff comes first, whatever its distance.
    return Failures::Rated{{noisy_ ? -distance(point, answer) : mean, mean}, mean};
  });
}

}  // namespace ntune
