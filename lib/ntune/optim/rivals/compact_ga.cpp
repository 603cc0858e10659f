#include "ntune/optim/rivals/compact_ga.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace ntune {

void CompactGaOptions::visit(Options& options) {
  options.integer("window", window, between(1, 1e6),
                  "payoffs that each new payoff is compared with, the last ones");
  options.number("population", population, between(1, 1e12),
                 "a comparison moves a probability of 1 / this; auto: window * sqrt(budget)");
}

CompactGa::CompactGa(const CompactGaOptions& options, const OptimiserContext& context)
    : PointSearch(context), window_(static_cast<std::size_t>(options.window)) {
  const double automatic =
      options.window * std::max(2.0, std::sqrt(static_cast<double>(context.budget)));
  step_ = 1.0 / (options.population.automatic ? automatic : options.population.value);
  const int d = space_->dimensions();
  for (int i = 0; i < d; ++i) {
    const auto r = static_cast<double>((*space_)[i].cardinality());
    probabilities_.emplace_back((*space_)[i].values.size(), 1.0 / r);
    least_.push_back(r < 2.0 ? 1.0 : std::min(1.0 / (d * (r - 1.0)), 0.5 / r));
  }
}

Proposal CompactGa::ask(Rng& rng) {
  const auto draw = [&] { return draw_allowed(rng, [&] { return this->draw(rng); }); };
  return {.point = failures_.draw(rng, draw)};
}

/// Draws each value by its probability. The last value takes what rounding leaves.
Point CompactGa::draw(Rng& rng) const {
  Point point(space_->dimensions());
  for (int i = 0; i < point.size(); ++i) {
    const auto& probabilities = probabilities_[static_cast<std::size_t>(i)];
    double left = rng.uniform();
    std::size_t value = 0;
    while (value + 1 < probabilities.size() && left >= probabilities[value]) {
      left -= probabilities[value++];
    }
    point[i] = static_cast<std::uint16_t>(value);
  }
  return point;
}

void CompactGa::tell(const Proposal& asked, const Report& report) {
  PointSearch::tell(asked, report);
  for (const double payoff : report.payoffs) enter({asked.point, payoff});
  if (report.failed) enter({asked.point, -std::numeric_limits<double>::infinity()});
}

/// Compares with the payoffs of the window, and takes a place in it.
void CompactGa::enter(const Sampled& now) {
  // The window is a ring; comparisons go from its oldest payoff to its newest.
  for (std::size_t i = 0; i < last_.size(); ++i) compare(now, last_[(next_ + i) % last_.size()]);
  if (last_.size() < window_) {
    last_.push_back(now);
  } else {
    last_[next_++ % window_] = now;
  }
}

/// Moves probability from the loser's values to the winner's, as far as the bound of the loser's
/// allows. What the two share says nothing.
void CompactGa::compare(const Sampled& one, const Sampled& other) {
  if (one.payoff == other.payoff) return;
  const auto& [winner, loser] = one.payoff > other.payoff ? std::tie(one.point, other.point)
                                                          : std::tie(other.point, one.point);
  for (int i = 0; i < winner.size(); ++i) {
    if (winner[i] == loser[i]) continue;
    if (!space_->is_active(winner, i) || !space_->is_active(loser, i)) continue;
    const auto at = static_cast<std::size_t>(i);
    double& lost = probabilities_[at][loser[i]];
    const double moved = std::clamp(lost - least_[at], 0.0, step_);
    lost -= moved;
    probabilities_[at][winner[i]] += moved;
  }
}

Recommendation CompactGa::recommend() const {
  return failures_.highest([this](std::size_t index, const Point& point) {
    double rank = 0.0;
    for (int i = 0; i < point.size(); ++i) {
      if (!space_->is_active(point, i)) continue;
      const auto& all = probabilities_[static_cast<std::size_t>(i)];
      // Probabilities are relative to the parameter's most probable value, or points with fewer
      // active parameters would seem likelier.
      rank += std::log(probability(i, point[i]) / *std::ranges::max_element(all));
    }
    const double mean = points_.cell(index).mean();
    return Failures::Rated{{rank, mean}, mean};
  });
}

}  // namespace ntune
