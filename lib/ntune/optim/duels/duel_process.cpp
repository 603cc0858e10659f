#include "ntune/optim/duels/duel_process.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "ntune/optim/dense/dense.h"

namespace ntune {

namespace {

/// Returns the key of two points in the table of duels, which holds their indices in 32 bits each.
std::uint64_t key_of(std::size_t first, std::size_t second) {
  constexpr int kHalf = 32;
  return static_cast<std::uint64_t>(first) << kHalf | second;
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
  duel_weights_.resize(0);
  differences_.resize(0);
  root_.resize(0);
  factor_.resize(0, 0);
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
    return index < differences_.size() ? differences_[index] : 0.0;
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
  const auto count = static_cast<Eigen::Index>(duels_.size());
  const double unit = draws_.per_elo() * draws_.per_elo();
  Eigen::MatrixXd result(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto first = static_cast<Eigen::Index>(duels_[static_cast<std::size_t>(i)].first);
    const auto second = static_cast<Eigen::Index>(duels_[static_cast<std::size_t>(i)].second);
    for (Eigen::Index j = i; j < count; ++j) {
      const Duel& other = duels_[static_cast<std::size_t>(j)];
      const auto a = static_cast<Eigen::Index>(other.first);
      const auto b = static_cast<Eigen::Index>(other.second);
      // This is cov(f - s, a - b) of the differences between two pairs of points, by its four
      // terms.
      const double value = unit * (covariances_(a, first) - covariances_(a, second) -
                                   covariances_(b, first) + covariances_(b, second));
      result(i, j) = value;
      result(j, i) = value;
    }
  }
  // The jitter keeps K positive definite where duels depend on each other, as those of a triangle.
  constexpr double kJitter = 1e-6;  // Elo^2
  result.diagonal().array() += kJitter * unit;
  return result;
}

/// Returns the prior means m of the duels' differences, in units of strength.
Eigen::VectorXd DuelProcess::duel_means() const {
  Eigen::VectorXd means(static_cast<Eigen::Index>(duels_.size()));
  for (std::size_t i = 0; i < duels_.size(); ++i) {
    means[static_cast<Eigen::Index>(i)] =
        draws_.per_elo() *
        (kernel_.mean(encoded_, duels_[i].first) - kernel_.mean(encoded_, duels_[i].second));
  }
  return means;
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

/// Returns Psi of Rasmussen and Williams 2006, equation 3.12, without its constants. It is
/// log p(y | g) - a' (g - m) / 2. The weights a are K^-1 (g - m), so that K is never inverted.
double DuelProcess::log_density(const Eigen::VectorXd& differences, const Eigen::VectorXd& expected,
                                const Eigen::VectorXd& weights) const {
  double likelihood = 0.0;
  for (std::size_t i = 0; i < duels_.size(); ++i) {
    const Duel& duel = duels_[i];
    const double g = differences[static_cast<Eigen::Index>(i)];
    likelihood += (duel.points - 0.5 * duel.games) * g - duel.games * draws_.log_sum(g);
  }
  // This is a quasi-likelihood (McCullagh and Nelder 1989, chapter 9). Games that depend on each
  // other count as fewer games.
  return likelihood / dispersion_ - 0.5 * weights.dot(differences - expected);
}

/// Returns Laplace's approximation of the marginal likelihood (Rasmussen and Williams 2006,
/// equation 3.32) plus the log prior of the hyperparameters. Half of log |B| is the sum of
/// logarithms of the diagonal of L, as B = L L'.
double DuelProcess::log_evidence() const {
  return log_density(differences_, duel_means(), duel_weights_) -
         factor_.diagonal().array().log().sum() + kernel_.log_prior(kernel_.parameters());
}

/// Finds the mode of the differences g by Newton's method: Rasmussen and Williams 2006, algorithm
/// 3.1, with a prior mean m. It starts from the last strengths or from the prior mean. A step that
/// lowers the density is halved.
void DuelProcess::solve() {
  constexpr int kSteps = 20;
  constexpr int kHalvings = 10;
  // Newton's method stops when no difference moves by more, in units of strength: about 0.15 Elo.
  constexpr double kEnough = 1e-3;
  constexpr double kRounding = 1e-6;
  const auto count = static_cast<Eigen::Index>(duels_.size());
  const Eigen::MatrixXd covariance = duel_covariances();
  const Eigen::VectorXd expected = duel_means();
  // Newton starts from the weights a of the last fit, where new rows have 0. Strengths follow as g
  // = K a + m, also under a new kernel.
  const Eigen::Index known = duel_weights_.size();
  duel_weights_.conservativeResize(count);
  duel_weights_.tail(count - known).setZero();
  differences_.resize(count);
  dense::multiply_symmetric(covariance, duel_weights_, differences_);
  differences_ += expected;
  double density = log_density(differences_, expected, duel_weights_);
  // It starts from the prior mean instead where that has the higher density, or where the old
  // weights give NaN.
  const Eigen::VectorXd nothing = Eigen::VectorXd::Zero(count);
  if (const double least = log_density(expected, expected, nothing); !(density >= least)) {
    duel_weights_ = nothing;
    differences_ = expected;
    density = least;
  }
  Eigen::VectorXd information(count);
  Eigen::VectorXd slope(count);
  for (int step = 0; step < kSteps; ++step) {
    for (Eigen::Index i = 0; i < count; ++i) {
      const Duel& duel = duels_[static_cast<std::size_t>(i)];
      // Each row has the information W = -d2 log p / dg2 and the slope d log p / dg. Both are sums
      // over its games, divided by the dispersion.
      const double g = differences_[i];
      information[i] = duel.games * std::max(draws_.variance(g), 1e-9) / dispersion_;
      slope[i] = (duel.points - duel.games * (0.5 + draws_.excess(g))) / dispersion_;
    }
    // `factor_` becomes L of B = 1 + W^1/2 K W^1/2 = L L'. B has eigenvalues of at least 1, so the
    // factor is stable.
    root_ = information.cwiseSqrt();
    factor_ = root_.asDiagonal() * covariance * root_.asDiagonal();
    factor_.diagonal().array() += 1.0;
    dense::factor(factor_);
    // With b = W (g - m) + slope the next weights are a = b - W^1/2 L'^-1 L^-1 W^1/2 K b. The next
    // strengths are g = K a + m.
    const Eigen::VectorXd target = information.cwiseProduct(differences_ - expected) + slope;
    Eigen::VectorXd solved(count);
    dense::multiply_symmetric(covariance, target, solved);
    solved = root_.cwiseProduct(solved);
    dense::solve(factor_, solved);
    dense::solve_transposed(factor_, solved);
    Eigen::VectorXd weights = target - root_.cwiseProduct(solved);
    Eigen::VectorXd next(count);
    dense::multiply_symmetric(covariance, weights, next);
    next += expected;
    // The step is halved until the density does not fall. As g is linear in a, halving both keeps g
    // = K a + m.
    double reached = log_density(next, expected, weights);
    for (int half = 0; half < kHalvings && !(reached >= density - kRounding); ++half) {
      weights = 0.5 * (weights + duel_weights_);
      next = 0.5 * (next + differences_);
      reached = log_density(next, expected, weights);
    }
    const double change = (next - differences_).cwiseAbs().maxCoeff();
    duel_weights_ = std::move(weights);
    differences_ = std::move(next);
    density = reached;
    // W and L stay those of the step before, which differ little once the change is this small.
    if (change < kEnough) break;
  }
  // Each duel gives its weight to its first point and takes it from its second. The factor per_elo
  // makes them meet covariances in Elo^2.
  weights_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(points_.size()));
  for (Eigen::Index i = 0; i < count; ++i) {
    const Duel& duel = duels_[static_cast<std::size_t>(i)];
    weights_[static_cast<Eigen::Index>(duel.first)] += draws_.per_elo() * duel_weights_[i];
    weights_[static_cast<Eigen::Index>(duel.second)] -= draws_.per_elo() * duel_weights_[i];
  }
}

/// Returns the slopes of the hyperparameters' log posterior density. They are the explicit part
/// of Rasmussen and Williams 2006, algorithm 5.1 (equation 5.22). The implicit part, by which the
/// mode and its information W move (equation 5.23), is left out.
StrengthKernel::Parameters DuelProcess::slopes() const {
  const auto count = static_cast<Eigen::Index>(duels_.size());
  const auto points = static_cast<Eigen::Index>(points_.size());
  // The derivative by K is (a a' - R) / 2 with R = W^1/2 B^-1 W^1/2. `invert` fills the lower
  // triangle of B^-1, so the upper one is copied.
  Eigen::MatrixXd by_duel(count, count);
  dense::invert(factor_, by_duel);
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = i; j < count; ++j) {
      by_duel(j, i) =
          0.5 * (duel_weights_[j] * duel_weights_[i] - root_[j] * root_[i] * by_duel(j, i));
    }
  }
  by_duel.triangularView<Eigen::StrictlyUpper>() = by_duel.transpose();
  // By the chain rule the derivative by the covariances of points is D' X D. Each row of D has 1
  // for the first point of a duel and -1 for its second. `by_players` multiplies by D from the
  // right, once along the columns and once along the rows.
  const auto by_players = [&](const Eigen::MatrixXd& columns) {
    Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(columns.rows(), points);
    for (Eigen::Index i = 0; i < count; ++i) {
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

/// Rprop (Riedmiller and Braun 1993): each hyperparameter has a step length of its own, and only
/// the sign of its slope is used. The slopes are not exact (see `slopes`), which signs forgive.
void DuelProcess::learn(int steps) {
  // Step lengths are in natural logarithms of variances and shares.
  constexpr double kFirst = 0.3;
  constexpr double kLongest = 0.8;
  constexpr double kLonger = 1.3;
  constexpr double kShorter = 0.4;
  constexpr double kFlat = 0.02;
  if (duels_.empty()) return;
  update_draws();
  StrengthKernel::Parameters parameters = kernel_.parameters();
  Eigen::VectorXd lengths = Eigen::VectorXd::Constant(parameters.size(), kFirst);
  Eigen::VectorXd signs = Eigen::VectorXd::Zero(parameters.size());
  for (int step = 0; step < steps; ++step) {
    update_covariances();
    solve();
    const StrengthKernel::Parameters slopes = this->slopes();
    for (Eigen::Index i = 0; i < parameters.size(); ++i) {
      const double sign = slopes[i] > 0.0 ? 1.0 : -1.0;
      // Two slopes of one sign lengthen the step; a change of sign has passed the maximum and
      // shortens it.
      if (signs[i] != 0.0) lengths[i] *= sign == signs[i] ? kLonger : kShorter;
      lengths[i] = std::min(lengths[i], kLongest);
      signs[i] = sign;
      // A slope this flat moves no parameter, as its sign may be due to rounding.
      if (std::abs(slopes[i]) >= kFlat) parameters[i] += sign * lengths[i];
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
  const auto count = static_cast<Eigen::Index>(pairs.size());
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
  if (root_.size() > 0) {
    // `by_duel` becomes V' = (covariances with the duels) W^1/2 L'^-1. The posterior covariance is
    // prior - V' V (equation 3.29). As W^1/2 is per unit of strength, per_elo turns V into Elo.
    Eigen::MatrixXd by_duel(columns, root_.size());
    const Eigen::MatrixXd known = with_known.transpose();
    for (Eigen::Index i = 0; i < root_.size(); ++i) {
      const Duel& duel = duels_[static_cast<std::size_t>(i)];
      by_duel.col(i) = per_elo * root_[i] *
                       (known.col(static_cast<Eigen::Index>(duel.first)) -
                        known.col(static_cast<Eigen::Index>(duel.second)));
    }
    dense::solve_right(by_duel, factor_);
    dense::subtract_product(prior, by_duel, by_duel);
  }
  // Covariances of points become those of pairs, first along the columns (`half`) and then along
  // the rows.
  StrengthBelief belief{.means = Eigen::VectorXd(count), .covariance = {}};
  Eigen::MatrixXd half(columns, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto [first, second] = pairs[static_cast<std::size_t>(i)];
    const auto a = static_cast<Eigen::Index>(first);
    const auto b = static_cast<Eigen::Index>(second);
    belief.means[i] = per_elo * (means[a] - means[b]);
    half.col(i) = prior.col(a) - prior.col(b);
  }
  belief.covariance.resize(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto [first, second] = pairs[static_cast<std::size_t>(i)];
    belief.covariance.row(i) =
        per_elo * per_elo *
        (half.row(static_cast<Eigen::Index>(first)) - half.row(static_cast<Eigen::Index>(second)));
  }
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
