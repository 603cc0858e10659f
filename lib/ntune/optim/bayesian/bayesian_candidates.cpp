// Which points a BayesianSearch rates for its next ask.

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "ntune/optim/bayesian/acquisition.h"
#include "ntune/optim/bayesian/bayesian_search.h"

namespace ntune {

double BayesianSearch::worth(std::size_t index) const {
  if (schedule_.fitted && noisy_) {
    return whole_model().mean(static_cast<Eigen::Index>(index));
  }
  return mean_of(index);
}

/// If no point is reliable, all with payoffs are eligible: a search must recommend one.
std::vector<Eigen::Index> BayesianSearch::eligible_rows() const {
  std::vector<Eigen::Index> rows;
  std::vector<Eigen::Index> reliable;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_.cell(i).count == 0) continue;
    rows.push_back(static_cast<Eigen::Index>(i));
    if (failures_.any() && failures_.reliable(points_.point(i))) reliable.push_back(rows.back());
  }
  return reliable.empty() ? rows : reliable;
}

std::size_t BayesianSearch::best_row() const {
  std::size_t best = points_.size();
  for (const Eigen::Index row : eligible_rows()) {
    const auto i = static_cast<std::size_t>(row);
    if (best == points_.size() || worth(i) > worth(best)) best = i;
  }
  return best;
}

/// Gathers the best points and mutants of them and of the last point. Once the model holds as many
/// points as it may, only known ones are candidates.
void BayesianSearch::gather_candidates(Rng& rng) {
  candidates_.clear();
  if (points_.size() >= static_cast<std::size_t>(options_.most_points)) {
    candidates_ = highest_rows(static_cast<std::size_t>(options_.candidates));
    return;
  }
  candidates_ = highest_rows(kBestParents);
  std::vector<Point> parents = {current_};
  for (const Query& best : candidates_) parents.push_back(best.point);
  if (!noisy_) candidates_.clear();  // what they are worth is known
  for (const Point& parent : parents) add_mutants(parent, rng);
  if (noisy_ || !candidates_.empty()) return;
  if (std::optional<Point> point = new_point(rng)) {
    candidates_.push_back({.point = std::move(*point)});
  } else {
    ending_.exhausted = true;
    candidates_ = highest_rows(1);
  }
}

void BayesianSearch::gather_mutants_of(std::size_t index, Rng& rng) {
  const Query parent = candidates_[index];
  candidates_ = {parent};
  if (points_.size() < static_cast<std::size_t>(options_.most_points)) {
    add_mutants(parent.point, rng);
  }
}

/// Without noise a payoff is known for good: only other points are worth asking for.
void BayesianSearch::add_mutants(const Point& parent, Rng& rng) {
  neighbourhood_.draw(parent, rng);
  for (std::size_t i = 0; i < neighbourhood_.size(); ++i) {
    const Point mutant = neighbourhood_.mutant(parent, i);
    const Eigen::Index row = row_of(mutant);
    if (!noisy_ && (row >= 0 || failures_.refused(mutant))) continue;
    candidates_.push_back({.point = mutant, .row = row});
  }
}

std::optional<Point> BayesianSearch::new_point(Rng& rng) const {
  return failures_.draw_new(rng, [this](const Point& point) { return row_of(point) >= 0; });
}

/// A failure leaves the search what it has, so that what a candidate promises above the best point
/// counts as far as it is likely to succeed (Gardner et al. 2014, with the gain of a bound). A cost
/// is weighed against the same promise (Snoek, Larochelle and Adams 2012, section 3.2).
std::size_t BayesianSearch::choose_weighed(const Posterior& posterior, Rng& rng) {
  // `promise` is what an acquisition maximises, and `held` what the search has without it: the best
  // point's worth, or for a gain 0.
  Eigen::VectorXd promise;
  double held = worth(best_row());
  switch (options_.acquisition) {
    case Acquisition::kUcb:
      promise = posterior.means().array() + k() * posterior.variances().array().sqrt();
      break;
    case Acquisition::kThompson:
      promise = draw_all(posterior, rng);
      break;
    case Acquisition::kKnowledgeGradient:
      promise = gains(posterior, std::exp(model_.parameters().log_noise));
      held = 0.0;
      break;
  }
  // Where no candidate promises more than `held`, a small weight would be an advantage. So weights
  // then scale what lies above the lowest payoff.
  if (promise.maxCoeff() <= held) {
    held = std::min(standard_of(scale_.lowest()), promise.minCoeff());
  }
  const Eigen::VectorXd costs = costs_ ? costs_->logarithms(candidates_) : Eigen::VectorXd();
  for (Eigen::Index i = 0; i < promise.size(); ++i) {
    const Query& candidate = candidates_[static_cast<std::size_t>(i)];
    double weight = costs_ ? std::exp(-cost_exponent_ * costs[i]) : 1.0;
    if (failures_.any()) weight *= 1.0 - failures_.risk(candidate.point);
    promise[i] = held + weight * (promise[i] - held);
  }
  return highest_of(promise);
}

std::vector<Query> BayesianSearch::highest_rows(std::size_t count) const {
  std::vector<Eigen::Index> order = eligible_rows();
  count = std::min(order.size(), count);
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](Eigen::Index a, Eigen::Index b) {
                      const double first = worth(static_cast<std::size_t>(a));
                      const double second = worth(static_cast<std::size_t>(b));
                      return first > second || (first == second && a < b);
                    });
  std::vector<Query> rows;
  for (std::size_t i = 0; i < count; ++i) {
    rows.push_back({.point = points_.point(static_cast<std::size_t>(order[i])), .row = order[i]});
  }
  return rows;
}

}  // namespace ntune
