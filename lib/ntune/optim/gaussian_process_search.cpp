#include "ntune/optim/gaussian_process_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include <Eigen/Cholesky>

#include "ntune/optim/gaussian_process_fit.h"

namespace ntune {

namespace {

/// Visits of a row whose evaluation has failed: as good as none.
constexpr double kNoVisits = 1e-6;

double normal_density(double z) {
  return std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
}
double normal_tail(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

}  // namespace

void GaussianProcessOptions::visit(Options& options) {
  static const std::vector<std::pair<std::string, Acquisition>> kAcquisitions = {
      {"ucb", Acquisition::kUcb},
      {"thompson", Acquisition::kThompson},
      {"knowledge_gradient", Acquisition::kKnowledgeGradient}};
  static const std::vector<std::pair<std::string, KernelForm>> kForms = {
      {"product", KernelForm::kProduct}, {"tuples", KernelForm::kTuples}};
  options.choice("kernel", kernel, kForms,
                 "a function of all parameters, or a sum over 1-tuples, pairs and all");
  options.choice("acquisition", acquisition, kAcquisitions, "what decides between candidates");
  options.number("k", k, between(0, 1e6), "standard deviations above the mean, for ucb");
  options.integer("candidates", candidates, between(2, 1e6), "mutants rated for each evaluation");
  options.number("mutation_rate", mutation_rate, between(0, 1),
                 "probability that a parameter mutates; auto: 1 / d (one always does)");
  options.integer("initial", initial, between(1, 1e9),
                  "random points first; auto: one more than parameters with several values");
  options.number("refit", refit, between(1.01, 1e6),
                 "hyperparameters are fitted when the payoffs have grown by this factor");
  options.integer("refit_steps", refit_steps, between(1, 1e4), "steps of each fit");
  options.integer("refit_points", refit_points, between(4, 1e4), "most points in a fit");
  options.integer("most_points", most_points, between(4, 1e4),
                  "distinct points, after which only these are evaluated again");
}

GaussianProcessSearch::GaussianProcessSearch(const GaussianProcessOptions& options,
                                             const OptimiserContext& context)
    : options_(options),
      space_(context.space),
      points_(*context.space, std::min<std::int64_t>(context.budget, options.most_points)),
      process_(*context.space, options.kernel),
      neighbourhood_(*context.space, {.size = std::max(1, options.candidates / 2),
                                      .mutation_rate = options.mutation_rate}) {
  initial_ = options.initial.automatic ? process_.kernel().axes() + 1 : options.initial.value;
  next_fit_ = std::max<std::int64_t>(initial_, 2);
}

Point GaussianProcessSearch::ask(Rng& rng) {
  ++asked_;
  if (!fitted_ || asked_ <= initial_) return current_ = space_->sample(rng);
  if (!stale_.empty()) {
    for (const std::size_t index : stale_) refresh(index);
    stale_.clear();
    process_.solve();
  }
  gather_candidates(rng);
  return current_ = candidates_[choose(rng)];
}

void GaussianProcessSearch::add_pending(const Point& point) {
  hold(points_.mark(point, 1));
  process_.solve();
}

void GaussianProcessSearch::remove_pending(const Point& point) {
  stale_.push_back(points_.mark(point, -1) - 1);
}

void GaussianProcessSearch::tell(const Point& point, double payoff) {
  if (payoffs_.count() == 0) first_ = payoff;
  payoffs_.add(payoff - first_);
  hold(points_.add(point, payoff - first_));
  if (payoffs_.count() >= next_fit_) {
    fit();
  } else {
    process_.solve();
  }
}

GaussianProcessRow GaussianProcessSearch::known(std::size_t index) const {
  const Cell& cell = points_.cell(index);
  const double visits = cell.visits() > 0 ? cell.visits() : kNoVisits;
  if (cell.count > 0) return {standard(cell.sum / cell.count), visits};
  return {process_.mean(static_cast<Eigen::Index>(index)), visits};
}

/// Brings the process up to date with a point's cell, in a row of its own.
void GaussianProcessSearch::hold(std::uint32_t rank) {
  const std::size_t index = rank - 1;
  if (static_cast<Eigen::Index>(index) < process_.size()) {
    refresh(index);
    return;
  }
  const Point point = points_.point(index);
  const Cell& cell = points_.cell(index);
  const double mean = cell.count > 0 ? standard(cell.sum / cell.count)
                                     : process_.predict(std::span(&point, 1)).means()[0];
  process_.append(point, {mean, static_cast<double>(cell.visits())});
}

void GaussianProcessSearch::refresh(std::size_t index) {
  process_.update(static_cast<Eigen::Index>(index), known(index));
}

void GaussianProcessSearch::fit() {
  next_fit_ = static_cast<std::int64_t>(std::ceil(static_cast<double>(next_fit_) * options_.refit));
  // What is standardised anew must not depend on rows without payoffs, which expect a mean.
  std::vector<double> expected(points_.size());
  for (std::size_t i = 0; i < points_.size(); ++i) expected[i] = raw(known(i).mean) - first_;
  centre_ = payoffs_.mean();
  scale_ = payoffs_.sd() > 0.0 ? payoffs_.sd() : 1.0;

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
  GaussianProcessData data;
  data.codes.resize(static_cast<Eigen::Index>(used), process_.kernel().axes());
  data.means.resize(static_cast<Eigen::Index>(used));
  data.counts.resize(static_cast<Eigen::Index>(used));
  for (std::size_t i = 0; i < used; ++i) {
    const Eigen::Index row = told[i * told.size() / used];
    const Cell& cell = points_.cell(static_cast<std::size_t>(row));
    const auto to = static_cast<Eigen::Index>(i);
    data.codes.row(to) = process_.codes().row(row);
    data.means[to] = means[row];
    data.counts[to] = cell.count;
    const double squares = cell.sum_squares - cell.sum * (cell.sum / cell.count);
    data.within += std::max(squares, 0.0) / (scale_ * scale_);
  }
  const GaussianProcessParameters start =
      fitted_ ? process_.parameters() : usual_parameters(process_.kernel().axes());
  process_.reset(fit_parameters(process_.kernel(), data, start, options_.refit_steps), means,
                 visits);
  fitted_ = true;
}

std::size_t GaussianProcessSearch::best_row() const {
  std::size_t best = points_.size();
  double best_mean = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Cell& cell = points_.cell(i);
    if (cell.count == 0) continue;
    const double mean =
        fitted_ ? process_.mean(static_cast<Eigen::Index>(i)) : cell.sum / cell.count;
    if (best < points_.size() && mean <= best_mean) continue;
    best = i;
    best_mean = mean;
  }
  return best;
}

Recommendation GaussianProcessSearch::recommend() const {
  const std::size_t best = best_row();
  const Cell& cell = points_.cell(best);
  double estimate = first_ + cell.sum / cell.count;
  if (fitted_) {
    // Between payoffs of all points the process may overshoot.
    estimate = std::clamp(raw(process_.mean(static_cast<Eigen::Index>(best))),
                          first_ + payoffs_.min(), first_ + payoffs_.max());
  }
  return {.point = points_.point(best), .estimate = estimate, .evaluations = cell.count};
}

void GaussianProcessSearch::gather_candidates(Rng& rng) {
  candidates_.clear();
  if (points_.size() >= static_cast<std::size_t>(options_.most_points)) {
    gather_sampled();
    return;
  }
  const Point best = points_.point(best_row());
  candidates_.push_back(best);
  for (const Point& from : {current_, best}) {
    neighbourhood_.draw(from, rng);
    for (std::size_t i = 0; i < neighbourhood_.size(); ++i) {
      Point& mutant = candidates_.emplace_back(from);
      for (const Change& change : neighbourhood_[i]) mutant[change.parameter] = change.value;
    }
  }
}

/// The points with the highest posterior means.
void GaussianProcessSearch::gather_sampled() {
  std::vector<Eigen::Index> order(points_.size());
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  const auto count =
      std::min<std::size_t>(order.size(), static_cast<std::size_t>(options_.candidates));
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](Eigen::Index a, Eigen::Index b) {
                      return process_.mean(a) > process_.mean(b) ||
                             (process_.mean(a) == process_.mean(b) && a < b);
                    });
  for (std::size_t i = 0; i < count; ++i) {
    candidates_.push_back(points_.point(static_cast<std::size_t>(order[i])));
  }
}

std::size_t GaussianProcessSearch::choose(Rng& rng) const {
  const GaussianProcess::Posterior posterior = process_.predict(candidates_);
  switch (options_.acquisition) {
    case Acquisition::kThompson:
      return choose_by_draw(posterior, rng);
    case Acquisition::kKnowledgeGradient:
      return choose_by_gain(posterior);
    case Acquisition::kUcb:
      break;
  }
  return choose_by_bound(posterior);
}

/// Variances are worked out in the order of what the bounds can reach at most, as long as any can
/// still be the highest.
std::size_t GaussianProcessSearch::choose_by_bound(
    const GaussianProcess::Posterior& posterior) const {
  constexpr std::size_t kAtOnce = 8;
  const Eigen::VectorXd reach =
      posterior.means().array() + options_.k * posterior.variance_bounds().array().sqrt();
  std::vector<Eigen::Index> order(candidates_.size());
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::ranges::stable_sort(order,
                           [&](Eigen::Index a, Eigen::Index b) { return reach[a] > reach[b]; });
  double best_bound = -std::numeric_limits<double>::infinity();
  Eigen::Index best = 0;
  for (std::size_t first = 0; first < order.size(); first += kAtOnce) {
    if (reach[order[first]] <= best_bound) break;
    const std::span chosen =
        std::span(order).subspan(first, std::min(kAtOnce, order.size() - first));
    const Eigen::VectorXd variances = posterior.variances(chosen);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const double sd = std::sqrt(variances[static_cast<Eigen::Index>(i)]);
      const double bound = posterior.means()[chosen[i]] + options_.k * sd;
      if (bound <= best_bound) continue;
      best_bound = bound;
      best = chosen[i];
    }
  }
  return static_cast<std::size_t>(best);
}

std::size_t GaussianProcessSearch::choose_by_draw(const GaussianProcess::Posterior& posterior,
                                                  Rng& rng) const {
  constexpr double kJitter = 1e-9;
  Eigen::MatrixXd covariance = posterior.covariance();
  covariance.diagonal().array() += kJitter;
  const Eigen::LDLT<Eigen::MatrixXd> factor(covariance);
  Eigen::VectorXd draw(covariance.rows());
  for (double& deviate : draw) deviate = rng.normal();
  draw = factor.vectorD().array().max(0.0).sqrt() * draw.array();
  draw = factor.matrixL() * draw;
  draw = factor.transpositionsP().transpose() * draw;
  draw += posterior.means();
  Eigen::Index best = 0;
  draw.maxCoeff(&best);
  return static_cast<std::size_t>(best);
}

std::size_t GaussianProcessSearch::choose_by_gain(
    const GaussianProcess::Posterior& posterior) const {
  std::vector<Eigen::Index> all(candidates_.size());
  std::iota(all.begin(), all.end(), Eigen::Index{0});
  const Eigen::VectorXd variances = posterior.variances(all);
  const Eigen::VectorXd& means = posterior.means();
  Eigen::Index top = 0;
  const double highest = means.maxCoeff(&top);
  double second = -std::numeric_limits<double>::infinity();
  for (Eigen::Index i = 0; i < means.size(); ++i) {
    if (i != top) second = std::max(second, means[i]);
  }
  const double noise = std::exp(process_.parameters().log_noise);
  Eigen::Index best = 0;
  double best_gain = -1.0;
  for (Eigen::Index i = 0; i < means.size(); ++i) {
    const double step = variances[i] / std::sqrt(variances[i] + noise);
    if (step <= 0.0) continue;
    const double z = (highest - (i == top ? second : means[i])) / step;
    const double gain = step * (normal_density(z) - z * normal_tail(z));
    if (gain <= best_gain) continue;
    best_gain = gain;
    best = i;
  }
  return static_cast<std::size_t>(best);
}

}  // namespace ntune
