#include "ntune/optim/bayesian/bayesian_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "ntune/optim/bayesian/bayesian_fit.h"

namespace ntune {

namespace {

/// Visits of a row whose evaluation has failed: as good as none.
constexpr double kNoVisits = 1e-6;
/// Payoffs of no more values than a game that is won, drawn or lost are taken for coarse.
constexpr std::size_t kCoarseValues = 3;
/// So many of the best points, and the point asked for last, have mutants among the candidates.
constexpr int kParents = 3;

}  // namespace

BayesianSearch::BayesianSearch(const BayesianSearchOptions& options,
                               std::unique_ptr<BayesianModel> model,
                               const OptimiserContext& context)
    : options_(options),
      space_(context.space),
      points_(*context.space, std::min<std::int64_t>(context.budget, options.most_points)),
      model_(std::move(model)),
      neighbourhood_(*context.space, {.size = std::max(1, options.candidates / (1 + kParents)),
                                      .mutation_rate = options.mutation_rate}),
      noisy_(context.noisy) {
  if (context.payoff_low && context.payoff_high) {
    half_range_ = 0.5 * (*context.payoff_high - *context.payoff_low);
  }
  initial_ = options.initial.automatic ? model_->kernel().axes() + 1 : options.initial.value;
  next_fit_ = std::max<std::int64_t>(initial_, 2);
}

Point BayesianSearch::ask(Rng& rng) {
  ++asked_;
  // Payoffs that it did not ask for stand in for the random points.
  if (!fitted_ || std::max(asked_, payoffs_.count()) <= initial_) {
    return current_ = noisy_ ? space_->sample(rng) : new_point(rng).value_or(current_);
  }
  if (!stale_.empty()) {
    for (const std::size_t index : stale_) refresh(index);
    stale_.clear();
    model_->solve();
  }
  gather_candidates(rng);
  return current_ = candidates_[choose(rng)].point;
}

void BayesianSearch::add_pending(const Point& point) {
  hold(points_.mark(point, 1));
  model_->solve();
}

void BayesianSearch::remove_pending(const Point& point) {
  stale_.push_back(points_.mark(point, -1) - 1);
}

void BayesianSearch::tell(const Point& point, double payoff) {
  if (payoffs_.count() == 0) first_ = payoff;
  if (asked_ == 0) current_ = point;
  payoffs_.add(payoff - first_);
  if (values_.size() <= kCoarseValues && std::ranges::find(values_, payoff) == values_.end()) {
    values_.push_back(payoff);
  }
  hold(points_.add(point, payoff - first_));
  if (payoffs_.count() >= next_fit_) {
    fit();
  } else {
    model_->solve();
  }
}

BayesianRow BayesianSearch::known(std::size_t index) const {
  const Cell& cell = points_.cell(index);
  const double visits = cell.visits() > 0 ? cell.visits() : kNoVisits;
  if (cell.count > 0) return {standard(cell.sum / cell.count), visits};
  return {model_->mean(static_cast<Eigen::Index>(index)), visits};
}

/// Brings the process up to date with a point's cell, in a row of its own.
void BayesianSearch::hold(std::uint32_t rank) {
  const std::size_t index = rank - 1;
  if (static_cast<Eigen::Index>(index) < model_->size()) {
    refresh(index);
    return;
  }
  const Query asked = {.point = points_.point(index)};
  const Cell& cell = points_.cell(index);
  const double mean = cell.count > 0 ? standard(cell.sum / cell.count)
                                     : model_->predict(std::span(&asked, 1))->means()[0];
  model_->append(asked.point, {mean, static_cast<double>(cell.visits())});
}

void BayesianSearch::refresh(std::size_t index) {
  model_->update(static_cast<Eigen::Index>(index), known(index));
}

void BayesianSearch::fit() {
  next_fit_ = static_cast<std::int64_t>(std::ceil(static_cast<double>(next_fit_) * options_.refit));
  // What is standardised anew must not depend on rows without payoffs, which expect a mean.
  std::vector<double> expected(points_.size());
  for (std::size_t i = 0; i < points_.size(); ++i) expected[i] = raw(known(i).mean) - first_;
  centre_ = payoffs_.mean();
  scale_ = unit();

  const auto rows = static_cast<Eigen::Index>(points_.size());
  Eigen::VectorXd means(rows);
  Eigen::VectorXd visits(rows);
  std::vector<Eigen::Index> told;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    means[row] = standard(expected[i]);
    visits[row] = known(i).visits;
    if (points_.cell(i).count > 0) told.push_back(row);
  }
  const auto used = std::min(told.size(), static_cast<std::size_t>(options_.refit_points));
  BayesianData data;
  data.codes.resize(static_cast<Eigen::Index>(used), model_->kernel().axes());
  data.means.resize(static_cast<Eigen::Index>(used));
  data.counts.resize(static_cast<Eigen::Index>(used));
  data.coarse = noisy_ && values_.size() <= kCoarseValues;
  for (std::size_t i = 0; i < used; ++i) {
    const Eigen::Index row = told[i * told.size() / used];
    const Cell& cell = points_.cell(static_cast<std::size_t>(row));
    const auto to = static_cast<Eigen::Index>(i);
    data.codes.row(to) = model_->codes().row(row);
    data.means[to] = means[row];
    data.counts[to] = cell.count;
    const double squares = cell.sum_squares - cell.sum * (cell.sum / cell.count);
    data.within += std::max(squares, 0.0) / (scale_ * scale_);
  }
  const BayesianParameters start =
      fitted_ ? model_->parameters() : usual_parameters(model_->kernel().axes());
  model_->reset(fit_parameters(model_->kernel(), data, start, options_.refit_steps), means, visits);
  fitted_ = true;
}

/// What counts as a payoff of 1. Where most payoffs are lost, their standard deviation says little
/// of how much more there is to win: the declared range does, unless it is far too wide.
double BayesianSearch::unit() const {
  constexpr double kMostDeviations = 3.0;
  const double sd = payoffs_.sd();
  if (sd <= 0.0) return half_range_.value_or(1.0);
  return half_range_ ? std::min(*half_range_, kMostDeviations * sd) : sd;
}

double BayesianSearch::worth(std::size_t index) const {
  if (fitted_ && noisy_) return model_->mean(static_cast<Eigen::Index>(index));
  const Cell& cell = points_.cell(index);
  return standard(cell.sum / cell.count);
}

std::size_t BayesianSearch::best_row() const {
  std::size_t best = points_.size();
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_.cell(i).count == 0) continue;
    if (best == points_.size() || worth(i) > worth(best)) best = i;
  }
  return best;
}

Recommendation BayesianSearch::recommend() const {
  const std::size_t best = best_row();
  // Between payoffs of all points the process may overshoot.
  const double estimate =
      std::clamp(raw(worth(best)), first_ + payoffs_.min(), first_ + payoffs_.max());
  return {
      .point = points_.point(best), .estimate = estimate, .evaluations = points_.cell(best).count};
}

void BayesianSearch::gather_candidates(Rng& rng) {
  candidates_.clear();
  if (points_.size() >= static_cast<std::size_t>(options_.most_points)) {
    candidates_ = highest_rows(static_cast<std::size_t>(options_.candidates));
    return;
  }
  candidates_ = highest_rows(kParents);
  std::vector<Point> parents = {current_};
  for (const Query& best : candidates_) parents.push_back(best.point);
  for (const Point& parent : parents) {
    neighbourhood_.draw(parent, rng);
    for (std::size_t i = 0; i < neighbourhood_.size(); ++i) {
      Query& mutant = candidates_.emplace_back(Query{.point = parent});
      for (const Change& change : neighbourhood_[i]) mutant.point[change.parameter] = change.value;
      mutant.row = row_of(mutant.point);
    }
  }
  if (!noisy_) keep_new_candidates(rng);
}

/// Without noise a payoff is known for good: only other points are worth asking for.
void BayesianSearch::keep_new_candidates(Rng& rng) {
  std::erase_if(candidates_, [](const Query& candidate) { return candidate.row >= 0; });
  if (!candidates_.empty()) return;
  if (std::optional<Point> point = new_point(rng)) {
    candidates_.push_back({.point = std::move(*point)});
  } else {
    exhausted_ = true;
    candidates_ = highest_rows(1);
  }
}

std::optional<Point> BayesianSearch::new_point(Rng& rng) const {
  constexpr int kTries = 1000;
  for (int i = 0; i < kTries; ++i) {
    Point point = space_->sample(rng);
    if (row_of(point) < 0) return point;
  }
  return std::nullopt;
}

std::vector<Query> BayesianSearch::highest_rows(std::size_t count) const {
  std::vector<Eigen::Index> order;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_.cell(i).count > 0) order.push_back(static_cast<Eigen::Index>(i));
  }
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

std::optional<Belief> BayesianSearch::belief(const Point& point) const {
  if (!fitted_) return std::nullopt;
  const Eigen::Index row = row_of(point);
  if (!noisy_ && row >= 0 && points_.cell(static_cast<std::size_t>(row)).count > 0) {
    return Belief{.mean = raw(worth(static_cast<std::size_t>(row))), .sd = 0.0};
  }
  const Query query = {.point = point, .row = row};
  const std::unique_ptr<Posterior> posterior = model_->predict(std::span(&query, 1));
  constexpr Eigen::Index kOnly = 0;
  const double variance = posterior->variances(std::span(&kOnly, 1))[0];
  return Belief{.mean = raw(posterior->means()[0]),
                .sd = scale_ * std::sqrt(std::max(0.0, variance))};
}

std::optional<Certainty> BayesianSearch::certainty() const {
  constexpr std::size_t kRivals = 100;
  if (!fitted_) return std::nullopt;
  if (!noisy_) return Certainty{.sd = 0.0, .best_probability = 1.0};
  const std::vector<Query> rivals = highest_rows(kRivals);
  const std::unique_ptr<Posterior> posterior = model_->predict(rivals);
  const Eigen::Index first = 0;
  const double variance = posterior->variances(std::span(&first, 1))[0];
  Rng rng = Rng(0).stream("certainty");
  return Certainty{.sd = scale_ * std::sqrt(std::max(variance, 0.0)),
                   .best_probability = best_probability_of_first(*posterior, rng)};
}

bool BayesianSearch::done() const {
  constexpr int kAsks = 10;
  const double most = std::min<double>(options_.most_points, space_->size().points);
  const bool all_known = !noisy_ && static_cast<double>(points_.size()) >= most;
  return all_known || exhausted_ || content_ >= kAsks;
}

std::size_t BayesianSearch::choose(Rng& rng) {
  const std::unique_ptr<Posterior> posterior = model_->predict(candidates_);
  if (options_.price > 0.0) {
    const double gain = scale_ * expected_improvement(*posterior, worth(best_row()));
    content_ = gain < options_.price ? content_ + 1 : 0;
  }
  switch (options_.acquisition) {
    case Acquisition::kThompson:
      return choose_by_draw(*posterior, rng);
    case Acquisition::kKnowledgeGradient:
      return choose_by_gain(*posterior, std::exp(model_->parameters().log_noise));
    case Acquisition::kUcb:
      break;
  }
  return choose_by_bound(*posterior, options_.k);
}

}  // namespace ntune
