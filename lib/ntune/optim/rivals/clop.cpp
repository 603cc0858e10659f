#include "ntune/optim/rivals/clop.h"

#include <algorithm>
#include <cmath>

#include "ntune/core/options.h"
#include "ntune/optim/dense/dense.h"

namespace ntune {

namespace {

/// Returns the expected score of a strength.
double logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

}  // namespace

void ClopOptions::visit(Options& options) {
  options.number("h", h, above(0.0),
                 "deviations below the mean at which the weight of a point falls to 1/e");
  options.number("prior_precision", prior_precision, above(0.0),
                 "precision of the normal prior of the coefficients, parameters in [-1, 1]");
}

Clop::Clop(const ClopOptions& options, const OptimiserContext& context)
    : MatchSearch(context), options_(options), last_(start_) {
  for (int i = 0; i < space_->dimensions(); ++i) {
    if ((*space_)[i].cardinality() > 1) axes_.push_back(i);
  }
}

/// Returns the parameters with several values, each scaled to [-1, 1] by the index of its value.
std::vector<double> Clop::place_of(const Point& point) const {
  std::vector<double> place;
  for (const int i : axes_) {
    place.push_back(2.0 * point[i] / ((*space_)[i].cardinality() - 1) - 1.0);
  }
  return place;
}

Eigen::VectorXd Clop::terms_of(const std::vector<double>& place) {
  const auto d = static_cast<Eigen::Index>(place.size());
  const bool paired = place.size() <= kMostPaired;
  Eigen::VectorXd terms(paired ? (d + 1) * (d + 2) / 2 : 2 * d + 1);
  Eigen::Index next = 0;
  terms[next++] = 1.0;
  for (std::size_t i = 0; i < place.size(); ++i) {
    terms[next++] = place[i];
    // These are products with all earlier parameters and the square, or the square alone in wide
    // spaces.
    for (std::size_t j = paired ? 0 : i; j <= i; ++j) terms[next++] = place[i] * place[j];
  }
  return terms;
}

/// Finds the posterior mode of a logistic regression with a normal prior of mean 0 by Newton's
/// method (Bishop 2006, section 4.3.3). Each row counts as games * weight games with a mean score.
Clop::Regression Clop::regress(const Eigen::MatrixXd& terms, const Eigen::VectorXd& games,
                               const Eigen::VectorXd& scores, const Eigen::VectorXd& weights,
                               double prior_precision, const Eigen::VectorXd& start) {
  constexpr int kSteps = 20;
  constexpr double kEnough = 1e-4;
  const Eigen::VectorXd counted = games.cwiseProduct(weights);
  const auto density = [&](const Eigen::VectorXd& coefficients) {
    const Eigen::VectorXd q = terms * coefficients;
    double sum = -0.5 * prior_precision * coefficients.squaredNorm();
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      // log(1 + e^q), without overflow
      const double normaliser = std::max(q[i], 0.0) + std::log1p(std::exp(-std::abs(q[i])));
      sum += counted[i] * (scores[i] * q[i] - normaliser);
    }
    return sum;
  };
  Regression result{.coefficients = start};
  if (start.size() == 0) result.coefficients = Eigen::VectorXd::Zero(terms.cols());
  double reached = density(result.coefficients);
  for (int step = 0; step < kSteps; ++step) {
    const Eigen::VectorXd q = terms * result.coefficients;
    Eigen::VectorXd slopes(q.size());
    Eigen::VectorXd roots(q.size());
    // Each row's log-likelihood has a slope by q and a negative curvature, of which the root is
    // kept.
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      const double p = logistic(q[i]);
      slopes[i] = counted[i] * (scores[i] - p);
      roots[i] = std::sqrt(counted[i] * p * (1.0 - p));
    }
    // The curvature X' W X + prior is a product of a matrix with itself, of which the lower
    // triangle is enough. Newton's step is its inverse times the slope.
    const Eigen::MatrixXd scaled = (roots.asDiagonal() * terms).transpose();
    Eigen::MatrixXd curvature =
        prior_precision * Eigen::MatrixXd::Identity(terms.cols(), terms.cols());
    dense::add_product(curvature, scaled, scaled, dense::Entries::kLower);
    dense::factor(curvature);
    Eigen::VectorXd change = terms.transpose() * slopes - prior_precision * result.coefficients;
    dense::solve(curvature, change);
    dense::solve_transposed(curvature, change);
    // The step is halved until the density does not fall, or until it has become tiny.
    double next = density(result.coefficients + change);
    while (next < reached && change.squaredNorm() > kEnough * kEnough) {
      change *= 0.5;
      next = density(result.coefficients + change);
    }
    if (next < reached) break;
    result.coefficients += change;
    const double gained = next - reached;
    reached = next;
    if (gained < kEnough) break;
  }
  // Half a point more for either side keeps the strength finite.
  const double all = counted.sum();
  const double score = (counted.dot(scores) + 0.5) / (all + 1.0);
  result.mean = std::log(score / (1.0 - score));
  // The delta method divides the score's variance p (1 - p) / n by the squared slope (p (1 - p))^2.
  result.deviation = 1.0 / std::sqrt((all + 1.0) * score * (1.0 - score));
  return result;
}

/// Iterates as Coulom 2011 does: it regresses, lets weights fall to e^((q - mu) / (H sigma)), and
/// repeats. Weights never rise, which makes it converge. It ends once a round takes away less than
/// 1 % of their sum.
void Clop::fit() {
  constexpr int kMostRounds = 10;
  constexpr double kStays = 0.99;
  const auto count = static_cast<Eigen::Index>(places_.size());
  Eigen::MatrixXd terms(count, terms_of(places_.front()).size());
  for (Eigen::Index i = 0; i < count; ++i) {
    terms.row(i) = terms_of(places_[static_cast<std::size_t>(i)]).transpose();
  }
  const Eigen::Map<const Eigen::VectorXd> games(games_.data(), count);
  const Eigen::Map<const Eigen::VectorXd> scores(scores_.data(), count);
  // All points count fully at first. Each round lowers the weights of points far below the mean.
  Eigen::VectorXd weights = Eigen::VectorXd::Ones(count);
  Eigen::VectorXd start;
  // The first regression has all weights at 1, so it starts from the first one of the last fit.
  if (!regressions_.empty()) start = regressions_.front().coefficients;
  regressions_.clear();
  double sum = weights.sum();
  for (int round = 0; round < kMostRounds; ++round) {
    regressions_.push_back(regress(terms, games, scores, weights, options_.prior_precision, start));
    const Regression& last = regressions_.back();
    start = last.coefficients;
    const Eigen::VectorXd q = terms * last.coefficients;
    for (Eigen::Index i = 0; i < count; ++i) {
      weights[i] =
          std::min(weights[i], std::exp((q[i] - last.mean) / (options_.h * last.deviation)));
    }
    const double next = weights.sum();
    if (next > kStays * sum) break;
    sum = next;
  }
  fitted_ = places_.size();
}

/// Returns the logarithm of the least weight that any regression of the last fit gives, at most 0.
double Clop::log_weight(const std::vector<double>& place) const {
  double least = 0.0;
  if (regressions_.empty()) return least;
  const Eigen::VectorXd terms = terms_of(place);
  for (const Regression& each : regressions_) {
    least =
        std::min(least, (each.coefficients.dot(terms) - each.mean) / (options_.h * each.deviation));
  }
  return least;
}

/// Does one step of the Gibbs sampler: it draws a value of one parameter with its weight as the
/// density, all others held. Along it a regression is a parabola, fixed by its values at -1, 0
/// and 1.
void Clop::move(std::size_t axis, Rng& rng) {
  const int parameter = axes_[axis];
  if (!space_->is_active(last_, parameter)) return;
  std::vector<double> place = place_of(last_);
  std::vector<Eigen::VectorXd> through;
  for (const double x : {-1.0, 0.0, 1.0}) {
    place[axis] = x;
    through.push_back(terms_of(place));
  }
  const int values = (*space_)[parameter].cardinality();
  std::vector<double> sums(static_cast<std::size_t>(values), 0.0);
  std::vector<double> logs(static_cast<std::size_t>(values), 0.0);
  for (const Regression& each : regressions_) {
    const double low = each.coefficients.dot(through[0]);
    const double middle = each.coefficients.dot(through[1]);
    const double high = each.coefficients.dot(through[2]);
    for (int v = 0; v < values; ++v) {
      const double x = 2.0 * v / (values - 1) - 1.0;
      const double q = middle + 0.5 * (high - low) * x + (0.5 * (high + low) - middle) * x * x;
      double& least = logs[static_cast<std::size_t>(v)];
      least = std::min(least, (q - each.mean) / (options_.h * each.deviation));
    }
  }
  // Densities are relative to the highest, which keeps their sum above 0. The value is drawn by the
  // running sums.
  const double most = *std::ranges::max_element(logs);
  double sum = 0.0;
  for (std::size_t v = 0; v < sums.size(); ++v) {
    sum += std::exp(logs[v] - most);
    sums[v] = sum;
  }
  const double drawn = rng.uniform() * sum;
  const auto found = std::ranges::upper_bound(sums, drawn);
  Point next = last_;
  next[parameter] = static_cast<std::uint16_t>(
      std::min<std::ptrdiff_t>(found - sums.begin(), std::ssize(sums) - 1));
  space_->settle(next, last_, rng);
  // A forbidden point leaves the chain where it is, as a rejected proposal does.
  if (space_->is_allowed(next)) {
    last_ = next;
  } else {
    blocked_ = true;
  }
}

/// Does a step to any allowed point, by the ratio of the densities (Metropolis et al. 1953): where
/// clauses tie parameters together, a change of one is always forbidden.
void Clop::jump(Rng& rng) {
  const Point next = space_->sample(rng);
  const double ratio = log_weight(place_of(next)) - log_weight(place_of(last_));
  if (std::log(rng.uniform()) < ratio) last_ = next;
}

Proposal Clop::ask(Rng& rng) {
  constexpr double kMore = 0.1;
  constexpr double kManyMore = 0.25;
  constexpr std::size_t kMany = 1000;
  const auto known = static_cast<double>(places_.size());
  const double more = places_.size() < kMany ? kMore : kManyMore;
  // As the number of matches grows by a ratio, all fits together cost about ten times the last one.
  if (!axes_.empty() && known >= (1.0 + more) * static_cast<double>(fitted_) && known > 0.0 &&
      places_.size() > fitted_) {
    fit();
  }
  last_ = failures_.draw(rng, [&] {
    if (regressions_.empty()) return space_->sample(rng);
    blocked_ = false;
    const Point before = last_;
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) move(axis, rng);
    if (blocked_ && last_ == before) jump(rng);
    return last_;
  });
  return {.point = last_, .opponent = reference_};
}

/// Adds one match: its place, its score per game and its number of games.
void Clop::learn(const Point& point, const Point& /*opponent*/, const MatchResult& result) {
  count(point, result.score);
  places_.push_back(place_of(point));
  games_.push_back(result.weight());
  scores_.push_back(result.score);
}

Recommendation Clop::recommend() const {
  // The answer is the weighted mean of all places, rounded to the nearest values.
  std::vector<double> sums(axes_.size(), 0.0);
  double weights = 0.0;
  for (const std::vector<double>& place : places_) {
    const double weight = std::exp(log_weight(place));
    weights += weight;
    for (std::size_t a = 0; a < axes_.size(); ++a) sums[a] += weight * place[a];
  }
  Recommendation best{.point = last_, .estimate = 0.5};
  for (std::size_t a = 0; a < axes_.size() && weights > 0.0; ++a) {
    const int last = (*space_)[axes_[a]].cardinality() - 1;
    const double index = 0.5 * (sums[a] / weights + 1.0) * last;
    best.point[axes_[a]] =
        static_cast<std::uint16_t>(std::clamp<long>(std::lround(index), 0, last));
  }
  space_->canonicalise(best.point);
  if (!usable(best.point)) {
    // The mean is forbidden or likely to fail. The usable point of the highest weight among those
    // that have played is recommended.
    double most = -1.0;
    best.point = last_;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Point point = points_.point(i);
      const double weight = std::exp(log_weight(place_of(point)));
      if (weight <= most || !usable(point)) continue;
      most = weight;
      best.point = point;
    }
  }
  if (!regressions_.empty()) {
    // The last regression has the most local weights, so it estimates the score near its maximum
    // best.
    best.estimate = logistic(regressions_.back().coefficients.dot(terms_of(place_of(best.point))));
  }
  best.evaluations = points_.at(best.point).count;
  return best;
}

}  // namespace ntune
