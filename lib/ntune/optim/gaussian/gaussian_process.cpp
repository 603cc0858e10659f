#include "ntune/optim/gaussian/gaussian_process.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "ntune/optim/dense/dense.h"

namespace ntune {

GaussianProcess::GaussianProcess(const SearchSpace& space, KernelForm form) : kernel_(space, form) {
  parameters_.kernel.log_lengths = Eigen::VectorXd::Zero(kernel_.axes());
  kernel_.set(parameters_.kernel);
  reserve(64);
}

void GaussianProcess::reserve(Eigen::Index rows) {
  if (rows <= means_.size()) return;
  const Eigen::Index capacity = std::max(rows, 2 * means_.size());
  codes_.conservativeResize(capacity, kernel_.axes());
  means_.conservativeResize(capacity);
  noise_.conservativeResize(capacity);
  factor_.conservativeResize(capacity, capacity);
  update_.resize(capacity);
}

void GaussianProcess::append_unknown(const Point& point) {
  reserve(size_ + 1);
  codes_.row(size_++) = kernel_.encode(point);
}

double GaussianProcess::noise_of(double visits) const {
  constexpr double kLeast = 1e-7;  // of the signal's variance
  return std::max(std::exp(parameters_.log_noise) / visits, kLeast * kernel_.variance());
}

/// Appends a row to the factor. With k the covariances with earlier rows it is l = L^-1 k, and its
/// diagonal entry is the root of variance + noise - l' l.
void GaussianProcess::append(const Point& point, const BayesianRow& row) {
  append_unknown(point);
  const Eigen::Index last = size_ - 1;
  means_[last] = row.mean;
  noise_[last] = noise_of(row.visits);
  auto line = update_.head(last);
  kernel_.covariances(codes_, codes_.row(last), line);
  dense::solve(factor_.topLeftCorner(last, last), line);
  factor_.row(last).head(last) = line.transpose();
  // Rounding may make the difference too small, but noise is always left of it.
  factor_(last, last) =
      std::sqrt(std::max(kernel_.variance() + noise_[last] - line.squaredNorm(), noise_[last]));
}

void GaussianProcess::update(Eigen::Index row, const BayesianRow& known) {
  means_[row] = known.mean;
  const double noise = noise_of(known.visits);
  if (noise != noise_[row]) add_to_diagonal(row, noise - noise_[row]);
  noise_[row] = noise;
}

/// Changes one diagonal entry of K + noise, which is an update of rank one by a multiple of a unit
/// vector. Columns before the row do not change, so the update begins there.
void GaussianProcess::add_to_diagonal(Eigen::Index row, double change) {
  const Eigen::Index rest = size_ - row;
  auto vector = update_.head(rest);
  vector.setZero();
  vector[0] = std::sqrt(std::abs(change));
  dense::update_factor(factor_.block(row, row, rest, rest), vector, change < 0.0 ? -1.0 : 1.0);
}

void GaussianProcess::reset(const BayesianParameters& parameters, const Eigen::VectorXd& means,
                            const Eigen::VectorXd& visits) {
  parameters_ = parameters;
  kernel_.set(parameters.kernel);
  means_.head(size_) = means;
  for (Eigen::Index i = 0; i < size_; ++i) noise_[i] = noise_of(visits[i]);
  auto matrix = factor_.topLeftCorner(size_, size_);
  kernel_.covariances(codes_, matrix);
  matrix.diagonal() += noise_.head(size_);
  dense::factor(matrix);
  solve();
}

/// Finds a = (K + noise)^-1 (means - trend), as in line 3 of Rasmussen and Williams 2006, algorithm
/// 2.1.
void GaussianProcess::solve() {
  weights_ = means_.head(size_).array() - parameters_.trend;
  dense::solve(factor(), weights_);
  dense::solve_transposed(factor(), weights_);
}

Posterior::Posterior(const GaussianProcess& process, std::span<const Query> candidates)
    : process_(&process) {
  const auto count = static_cast<Eigen::Index>(candidates.size());
  const Eigen::Index rows = process.size_;
  codes_.resize(count, process.kernel_.axes());
  cross_.resize(rows, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Point& point = candidates[static_cast<std::size_t>(i)].point;
    codes_.row(i) = process.kernel_.encode(point);
  }
  process.kernel_.covariances(process.codes_, codes_, cross_);
  means_.resize(count);
  dense::multiply_transposed(cross_, process.weights_, means_);
  means_.array() += process.parameters_.trend;
  // A row alone leaves variance - k^2 / (variance + noise); further rows can only lower it.
  const Eigen::ArrayXd known =
      1.0 / (process.noise_.head(rows).array() + process.kernel_.variance());
  bounds_.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const double told = rows > 0 ? (cross_.col(i).array().square() * known).maxCoeff() : 0.0;
    bounds_[i] = process.kernel_.variance() - told;
  }
}

Eigen::VectorXd Posterior::variances() const {
  std::vector<Eigen::Index> all(static_cast<std::size_t>(means_.size()));
  std::iota(all.begin(), all.end(), Eigen::Index{0});
  return variances(all);
}

/// Solves L v = k a block of rows at a time (algorithm 2.1, line 5). The variance is the prior
/// one less v' v. After each block it is a bound, and candidates are dropped once it is low
/// enough.
Eigen::VectorXd Posterior::variances_or_less(std::span<const Eigen::Index> chosen,
                                             const Eigen::VectorXd& enough) const {
  constexpr Eigen::Index kBlock = 64;
  const Eigen::Index rows = cross_.rows();
  const auto factor = process_->factor();
  // `open` has the candidates that are not ruled out, as indices of `chosen`. `solved` has a row
  // for each of them.
  std::vector<Eigen::Index> open(chosen.size());
  std::iota(open.begin(), open.end(), Eigen::Index{0});
  Eigen::MatrixXd solved(std::ssize(chosen), rows);
  Eigen::VectorXd told(std::ssize(chosen));
  Eigen::VectorXd left =
      Eigen::VectorXd::Constant(std::ssize(chosen), process_->kernel_.variance());
  for (Eigen::Index first = 0; first < rows && !open.empty(); first += kBlock) {
    const Eigen::Index count = std::min(kBlock, rows - first);
    auto block = solved.block(0, first, std::ssize(open), count);
    for (std::size_t i = 0; i < open.size(); ++i) {
      const Eigen::Index candidate = chosen[static_cast<std::size_t>(open[i])];
      block.row(static_cast<Eigen::Index>(i)) =
          cross_.col(candidate).segment(first, count).transpose();
    }
    // Forward substitution by blocks: earlier entries of v are taken off, then the diagonal block
    // is solved.
    dense::subtract_product(block, solved.topLeftCorner(std::ssize(open), first),
                            factor.block(first, 0, count, first));
    dense::solve_right(block, factor.block(first, first, count, count));
    // Sums go column by column, in which order their last digits are the same on any machine.
    told.head(std::ssize(open)).setZero();
    for (Eigen::Index row = 0; row < count; ++row) {
      told.head(std::ssize(open)) += block.col(row).cwiseAbs2();
    }
    // A dropped candidate is replaced by the last open one, so that `solved` stays compact. Going
    // backwards, that one has been looked at.
    for (std::size_t i = open.size(); i-- > 0;) {
      const auto at = static_cast<Eigen::Index>(i);
      double& variance = left[open[i]];
      variance -= told[at];
      if (variance > enough[open[i]]) continue;
      solved.row(at).head(first + count) = solved.row(std::ssize(open) - 1).head(first + count);
      open[i] = open.back();
      open.pop_back();
    }
  }
  return left.cwiseMax(0.0);
}

/// Returns the posterior covariance K** - V' V of Rasmussen and Williams 2006, equation 2.24.
Eigen::MatrixXd Posterior::covariance() const {
  Eigen::MatrixXd solved = cross_.transpose();
  dense::solve_right(solved, process_->factor());
  Eigen::MatrixXd result(codes_.rows(), codes_.rows());
  process_->kernel_.covariances(codes_, codes_, result);
  dense::subtract_product(result, solved, solved);
  return result;
}

}  // namespace ntune
