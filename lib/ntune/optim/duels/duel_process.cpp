#include "ntune/optim/duels/duel_process.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "ntune/optim/dense/dense.h"
#include "ntune/optim/gaussian/rprop.h"

namespace ntune {

namespace {

/// Returns the key of two points in the table of duels, which holds their indices in 32 bits each.
std::uint64_t key_of(std::size_t first, std::size_t second) {
  constexpr int kHalf = 32;
  return static_cast<std::uint64_t>(first) << kHalf | second;
}

/// Indices of the first and of the second points of some pairs, for looking up rows and columns.
struct Players {
  std::vector<Eigen::Index> first;
  std::vector<Eigen::Index> second;
};
template <class Pairs>
Players players_of(const Pairs& pairs) {
  Players players;
  for (const auto& pair : pairs) {
    players.first.push_back(static_cast<Eigen::Index>(pair.first));
    players.second.push_back(static_cast<Eigen::Index>(pair.second));
  }
  return players;
}

}  // namespace

DuelProcess::DuelProcess(const SearchSpace& space, const Point& centre)
    : kernel_(space, centre),
      encoded_(kernel_.axes()),
      draws_(DrawModel::of_draws(share_of_draws())) {}

std::size_t DuelProcess::index_of(const Point& point) {
  const auto [found, is_new] = indices_.emplace(point, points_.size());
  if (is_new) {
    points_.push_back(point);
    kernel_.append(encoded_, point);
  }
  return found->second;
}

void DuelProcess::record(const Point& first, const Point& second, const MatchResult& result) {
  std::size_t one = index_of(first);
  std::size_t other = index_of(second);
  // A point against itself tells of no difference of strengths.
  if (one == other) return;
  double score = result.score;
  // Both players are put in one order, so that a pair has one row, whoever was named first.
  if (one > other) {
    std::swap(one, other);
    score = 1.0 - score;
  }
  const auto [found, is_new] = duel_of_.emplace(key_of(one, other), duels_.size());
  if (is_new) duels_.push_back({.first = one, .second = other});
  const bool counted = !result.games.empty();
  const double games = result.weight();
  Duel& duel = duels_[found->second];
  ++duel.matches;
  duel.games += games;
  duel.points += games * score;
  // The sum of squares is what Pearson's dispersion in `update_draws` needs of single matches.
  duel.squares += games * score * score;
  ++matches_;
  games_ += games;
  if (!counted) return;
  // Draws are counted only where results of single games are known.
  const auto drawn = static_cast<double>(result.games.games.draws);
  duel.counted += games;
  duel.drawn += drawn;
  counted_ += games;
  drawn_ += drawn;
}

void DuelProcess::leave_out(const std::function<bool(const Point&)>& points) {
  std::erase_if(duels_, [&](const Duel& duel) {
    if (!points(points_[duel.first]) && !points(points_[duel.second])) return false;
    matches_ -= duel.matches;
    games_ -= duel.games;
    counted_ -= duel.counted;
    drawn_ -= duel.drawn;
    return true;
  });
  // Erasing has moved the rows, so all their numbers are set again.
  duel_of_.clear();
  for (std::size_t i = 0; i < duels_.size(); ++i) {
    duel_of_.emplace(key_of(duels_[i].first, duels_[i].second), i);
  }
  // The last fit belongs to rows that are gone, so the next one starts from the prior. Points keep
  // their numbers; with weights of 0 they count no more in `mean`.
  mode_ = {};
  weights_.setZero();
}

/// Fits nu such that the model expects as many draws as were counted. Without counted results there
/// are no draws in the model. The dispersion is Pearson's: the mean over matches of
/// games * (score - expected)^2 / variance of a game.
void DuelProcess::update_draws() {
  constexpr int kSteps = 5;
  constexpr double kMostNu = 200.0;
  constexpr double kUsualMatches = 40.0;
  // Returns the difference of strengths in duel i by the last fit, or 0 if the duel is newer.
  const auto strength = [&](std::size_t i) {
    const auto index = static_cast<Eigen::Index>(i);
    return index < mode_.latents.size() ? mode_.latents[index] : 0.0;
  };
  if (counted_ > 0.0) {
    const double share = share_of_draws(drawn_, counted_);
    // This is a fixed-point iteration. The odds of a draw grow about as nu, so nu is multiplied by
    // wanted odds over expected odds.
    double nu = std::max(draws_.nu(), 1e-3);
    for (int step = 0; step < kSteps; ++step) {
      const DrawModel model(nu);
      double expected = 0.0;
      for (std::size_t i = 0; i < duels_.size(); ++i) {
        expected += duels_[i].games * model.draw_probability(strength(i));
      }
      expected /= games_;
      nu *= share / (1.0 - share) * (1.0 - expected) / expected;
      nu = std::clamp(nu, 1e-3, kMostNu);
    }
    draws_ = DrawModel(nu);
  } else if (games_ > 0.0) {
    draws_ = DrawModel(0.0);
  }
  // The prior counts as 40 matches with a dispersion of 1.
  double squares = kUsualMatches;
  for (std::size_t i = 0; i < duels_.size(); ++i) {
    const Duel& duel = duels_[i];
    const double score = 0.5 + draws_.excess(strength(i));
    // This is the sum over matches of games * (own score - score)^2, expanded into the sums that a
    // duel keeps.
    const double sum = duel.squares - 2.0 * score * duel.points + duel.games * score * score;
    squares += std::max(0.0, sum) / draws_.variance(strength(i));
  }
  constexpr double kLeast = 0.02;
  constexpr double kMost = 20.0;
  dispersion_ = std::clamp(squares / (matches_ + kUsualMatches), kLeast, kMost);
}

/// Fills the covariances of points that are new since `covered_`, which is 0 where the kernel has
/// changed. The matrix grows by doubling.
void DuelProcess::update_covariances() {
  const auto count = static_cast<Eigen::Index>(points_.size());
  if (covered_ == 0) kernel_.refresh(encoded_);
  if (covariances_.rows() < count) {
    const Eigen::Index room = std::max(count, 2 * covariances_.rows());
    covariances_.conservativeResize(room, room);
  }
  Eigen::VectorXd column(count);
  for (Eigen::Index i = covered_; i < count; ++i) {
    kernel_.covariances(encoded_, static_cast<std::size_t>(i), encoded_, column.data());
    // The column holds later points too, and their rows repeat it: both triangles get equal values.
    covariances_.col(i).head(count) = column;
    covariances_.row(i).head(count) = column.transpose();
  }
  covered_ = count;
}

/// Returns the prior covariance K of the duels' differences, in squared units of strength.
Eigen::MatrixXd DuelProcess::duel_covariances() const {
  // The jitter keeps K positive definite where duels depend on each other, as those of a triangle.
  constexpr double kJitter = 1e-6;  // Elo^2
  const double unit = draws_.per_elo() * draws_.per_elo();
  const auto [first, second] = players_of(duels_);
  // This is cov(a - b, f - s) of the differences between two pairs of points, by its four terms.
  Eigen::MatrixXd result = unit * (covariances_(first, first) - covariances_(first, second) -
                                   covariances_(second, first) + covariances_(second, second));
  result.diagonal().array() += kJitter * unit;
  return result;
}

/// Returns the prior means m of the duels' differences, in units of strength.
Eigen::VectorXd DuelProcess::duel_means() const {
  Eigen::VectorXd means(static_cast<Eigen::Index>(points_.size()));
  for (std::size_t i = 0; i < points_.size(); ++i) {
    means[static_cast<Eigen::Index>(i)] = kernel_.mean(encoded_, i);
  }
  const auto [first, second] = players_of(duels_);
  return draws_.per_elo() * (means(first) - means(second));
}

void DuelProcess::fit() {
  if (duels_.empty()) return;
  update_draws();
  update_covariances();
  solve();
}

void DuelProcess::fit_with(const StrengthKernel::Parameters& parameters) {
  if (duels_.empty()) return;
  kernel_.set(parameters);
  covered_ = 0;
  update_covariances();
  solve();
}

/// Returns for each duel the information W = -d2 log p / dg2 and the weight W (g - m) + d log p /
/// dg about its difference g, where m is expected. Both are sums over its games, divided by the
/// dispersion.
Sites DuelProcess::sites_about(const Eigen::VectorXd& differences,
                               const Eigen::VectorXd& expected) const {
  Sites sites{.precisions = Eigen::VectorXd(differences.size()), .weights = differences - expected};
  for (Eigen::Index i = 0; i < differences.size(); ++i) {
    const Duel& duel = duels_[static_cast<std::size_t>(i)];
    const double g = differences[i];
    sites.precisions[i] = duel.games * std::max(draws_.variance(g), 1e-9) / dispersion_;
    sites.weights[i] = sites.precisions[i] * sites.weights[i] +
                       (duel.points - duel.games * (0.5 + draws_.excess(g))) / dispersion_;
  }
  return sites;
}

/// This is a quasi-likelihood (McCullagh and Nelder 1989, chapter 9). Games that depend on each
/// other count as fewer games.
double DuelProcess::log_likelihood(const Eigen::VectorXd& differences) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < duels_.size(); ++i) {
    const Duel& duel = duels_[i];
    const double g = differences[static_cast<Eigen::Index>(i)];
    sum += (duel.points - 0.5 * duel.games) * g - duel.games * draws_.log_sum(g);
  }
  return sum / dispersion_;
}

/// Finds the mode of the differences g from the last weights or from the prior mean.
void DuelProcess::solve() {
  // Newton's method stops when no difference moves by more, in units of strength: about 0.15 Elo.
  constexpr double kEnough = 1e-3;
  const auto count = static_cast<Eigen::Index>(duels_.size());
  const Eigen::MatrixXd covariance = duel_covariances();
  const Eigen::VectorXd expected = duel_means();
  // The weights a of the last fit are those of old rows, and new rows have 0. Strengths follow as
  // g = K a + m, also under a new kernel.
  LatentMode start = std::move(mode_);
  start.weights.conservativeResizeLike(Eigen::VectorXd::Zero(count));
  start.latents = covariance * start.weights + expected;
  start.log_density =
      log_likelihood(start.latents) - 0.5 * start.weights.dot(start.latents - expected);
  // It starts from the prior mean instead where that has the higher density, or where the old
  // weights give NaN.
  if (const double least = log_likelihood(expected); !(start.log_density >= least)) {
    start = {.latents = expected, .weights = Eigen::VectorXd::Zero(count), .log_density = least};
  }
  mode_ = find_mode(covariance, expected,
                    {.sites = [&](const Eigen::VectorXd& g) { return sites_about(g, expected); },
                     .logarithm = [this](const Eigen::VectorXd& g) { return log_likelihood(g); }},
                    std::move(start), kEnough);
  // Each duel gives its weight to its first point and takes it from its second. The factor per_elo
  // makes them meet covariances in Elo^2.
  weights_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(points_.size()));
  for (Eigen::Index i = 0; i < count; ++i) {
    const Duel& duel = duels_[static_cast<std::size_t>(i)];
    weights_[static_cast<Eigen::Index>(duel.first)] += draws_.per_elo() * mode_.weights[i];
    weights_[static_cast<Eigen::Index>(duel.second)] -= draws_.per_elo() * mode_.weights[i];
  }
}

/// Returns the slopes of the hyperparameters' log posterior density. They are the explicit part
/// of Rasmussen and Williams 2006, algorithm 5.1 (equation 5.22). The implicit part, by which the
/// mode and its information W move (equation 5.23), is left out.
StrengthKernel::Parameters DuelProcess::slopes() const {
  const auto points = static_cast<Eigen::Index>(points_.size());
  const Eigen::VectorXd& roots = mode_.factor.roots();
  // The derivative by K is (a a' - R) / 2 with R = W^1/2 B^-1 W^1/2. Only the lower triangle of
  // B^-1 is there, so the upper one is copied.
  Eigen::MatrixXd by_duel =
      0.5 * (mode_.weights * mode_.weights.transpose() -
             (roots * roots.transpose()).cwiseProduct(mode_.factor.inverse()));
  by_duel.triangularView<Eigen::StrictlyUpper>() = by_duel.transpose();
  // By the chain rule the derivative by the covariances of points is D' X D. Each row of D has 1
  // for the first point of a duel and -1 for its second. `by_players` multiplies by D from the
  // right, once along the columns and once along the rows.
  const auto by_players = [&](const Eigen::MatrixXd& columns) {
    Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(columns.rows(), points);
    for (Eigen::Index i = 0; i < columns.cols(); ++i) {
      const Duel& duel = duels_[static_cast<std::size_t>(i)];
      sums.col(static_cast<Eigen::Index>(duel.first)) += columns.col(i);
      sums.col(static_cast<Eigen::Index>(duel.second)) -= columns.col(i);
    }
    return sums;
  };
  Eigen::MatrixXd by_point = by_players(by_players(by_duel).transpose());
  by_point *= draws_.per_elo() * draws_.per_elo();
  return kernel_.slopes(encoded_, by_point, weights_) + kernel_.prior_slopes(kernel_.parameters());
}

/// Climbs by the signs of the slopes. These are not exact (see `slopes`), which signs forgive.
void DuelProcess::learn(int steps) {
  if (duels_.empty()) return;
  update_draws();
  StrengthKernel::Parameters parameters = kernel_.parameters();
  Rprop rprop(
      parameters.size(),
      {.first = 0.3, .longest = 0.8, .longer = 1.3, .shorter = 0.4, .rests = false, .flat = 0.02});
  for (int step = 0; step < steps; ++step) {
    update_covariances();
    solve();
    const StrengthKernel::Parameters slopes = this->slopes();
    for (Eigen::Index i = 0; i < parameters.size(); ++i) {
      parameters[i] += rprop.move(i, slopes[i]);
    }
    parameters = kernel_.clamped(parameters);
    kernel_.set(parameters);
    // All covariances depend on the parameters, so the next round makes them anew.
    covered_ = 0;
  }
  fit();
}

/// Returns the posterior mean in units of strength (Rasmussen and Williams 2006, equation 3.21). It
/// is the prior mean plus the weighted covariances with the points that have played.
double DuelProcess::mean(const Point& point) const {
  const StrengthPoints one = kernel_.encode(point);
  Eigen::VectorXd covariance(weights_.size());
  if (weights_.size() > 0) kernel_.covariances(one, 0, encoded_, covariance.data());
  return draws_.per_elo() * (kernel_.mean(one, 0) + covariance.dot(weights_));
}

Eigen::VectorXd DuelProcess::means() const {
  const Eigen::Index count = weights_.size();
  Eigen::VectorXd means = covariances_.topLeftCorner(count, count) * weights_;
  for (Eigen::Index i = 0; i < count; ++i) {
    means[i] += kernel_.mean(encoded_, static_cast<std::size_t>(i));
  }
  return draws_.per_elo() * means;
}

std::vector<Point> DuelProcess::strongest(std::size_t count) const {
  const Eigen::VectorXd means = this->means();
  std::vector<std::size_t> order(static_cast<std::size_t>(means.size()));
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t kept = std::min(count, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      // Equal means are ordered by index, so that the result is the same on every
                      // run.
                      const double one = means[static_cast<Eigen::Index>(a)];
                      const double other = means[static_cast<Eigen::Index>(b)];
                      return one != other ? one > other : a < b;
                    });
  std::vector<Point> best;
  for (std::size_t i = 0; i < kept; ++i) best.push_back(points_[order[i]]);
  return best;
}

Point DuelProcess::climb(const Point& from) const {
  return kernel_.climb(from, encoded_, weights_);
}

/// Returns the posterior of differences by Rasmussen and Williams 2006, algorithm 3.2. It is made
/// for all points first and then turned into that of the pairs.
StrengthBelief DuelProcess::believe(
    const StrengthPoints& points,
    const std::vector<std::pair<std::size_t, std::size_t>>& pairs) const {
  const auto columns = static_cast<Eigen::Index>(points.size());
  const Eigen::Index rows = weights_.size();
  const double per_elo = draws_.per_elo();
  // These are the prior of the points asked about, in Elo, and their covariances with the points
  // that have played.
  Eigen::MatrixXd prior(columns, columns);
  Eigen::VectorXd means(columns);
  Eigen::MatrixXd with_known(rows, columns);
  for (Eigen::Index i = 0; i < columns; ++i) {
    const auto index = static_cast<std::size_t>(i);
    kernel_.covariances(points, index, points, prior.col(i).data());
    means[i] = kernel_.mean(points, index);
    if (rows > 0) kernel_.covariances(points, index, encoded_, with_known.col(i).data());
  }
  means += with_known.transpose() * weights_;
  if (!mode_.factor.empty()) {
    // With V' = (covariances with the duels) W^1/2 L'^-1 the posterior covariance is prior - V' V
    // (equation 3.29). As the factor is per unit of strength, per_elo turns V into Elo.
    // Duels that were recorded since the last fit are no rows of it.
    const auto fitted = static_cast<std::size_t>(mode_.latents.size());
    const auto [first, second] = players_of(std::span(duels_).first(fitted));
    const Eigen::MatrixXd with_duels =
        per_elo * (with_known(first, Eigen::all) - with_known(second, Eigen::all)).transpose();
    const Eigen::MatrixXd known = mode_.factor.known(with_duels);
    dense::subtract_product(prior, known, known);
  }
  // Covariances of points become those of pairs, first along the columns and then along the rows.
  const auto [first, second] = players_of(pairs);
  const Eigen::MatrixXd half = prior(Eigen::all, first) - prior(Eigen::all, second);
  StrengthBelief belief{
      .means = per_elo * (means(first) - means(second)),
      .covariance = per_elo * per_elo * (half(first, Eigen::all) - half(second, Eigen::all))};
  // Rounding may leave a variance below 0, but callers divide by it and take its root.
  constexpr double kLeastVariance = 1e-8;  // Elo^2
  belief.covariance.diagonal() =
      belief.covariance.diagonal().cwiseMax(kLeastVariance * per_elo * per_elo);
  return belief;
}

Belief DuelProcess::difference(const Point& first, const Point& second) const {
  StrengthPoints points = kernel_.encode(first);
  kernel_.append(points, second);
  const StrengthBelief belief = believe(points, {{0, 1}});
  return {.mean = belief.means[0], .sd = std::sqrt(belief.covariance(0, 0))};
}

}  // namespace ntune
