#include "ntune/optim/gaussian_process.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

namespace ntune {

namespace {

/// Least variance of a row's noise against the signal's, so that the factor stays positive.
constexpr double kLeastNoise = 1e-7;

}  // namespace

GaussianProcess::GaussianProcess(const SearchSpace& space, KernelForm form) : kernel_(space, form) {
  parameters_.kernel.log_lengths = Eigen::VectorXd::Zero(kernel_.axes());
  kernel_.set(parameters_.kernel);
  reserve(64);
}

double GaussianProcess::noise_of(double visits) const {
  return std::max(std::exp(parameters_.log_noise) / visits, kLeastNoise * kernel_.variance());
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

void GaussianProcess::append(const Point& point, const BayesianRow& row) {
  reserve(size_ + 1);
  const Eigen::Index last = size_;
  const PointKernel::Code code = kernel_.encode(point);
  means_[last] = row.mean;
  noise_[last] = noise_of(row.visits);
  auto line = update_.head(last);
  kernel_.covariances(codes_, code, line);
  factor().triangularView<Eigen::Lower>().solveInPlace(line);
  codes_.row(last) = code;
  factor_.row(last).head(last) = line.transpose();
  factor_(last, last) =
      std::sqrt(std::max(kernel_.variance() + noise_[last] - line.squaredNorm(), noise_[last]));
  ++size_;
}

void GaussianProcess::update(Eigen::Index row, const BayesianRow& known) {
  means_[row] = known.mean;
  const double noise = noise_of(known.visits);
  if (noise != noise_[row]) add_to_diagonal(row, noise - noise_[row]);
  noise_[row] = noise;
}

/// Rank-one update of the factor (Golub and Van Loan 2013, section 6.5.4), which leaves the columns
/// before the row as they are.
void GaussianProcess::add_to_diagonal(Eigen::Index row, double change) {
  const double sign = change < 0.0 ? -1.0 : 1.0;
  auto vector = update_.head(size_);
  vector.segment(row, size_ - row).setZero();
  vector[row] = std::sqrt(std::abs(change));
  for (Eigen::Index k = row; k < size_; ++k) {
    const double old = factor_(k, k);
    const double head = vector[k];
    const double fresh = std::sqrt(old * old + sign * head * head);
    const double cosine = fresh / old;
    const double sine = head / old;
    factor_(k, k) = fresh;
    const Eigen::Index rest = size_ - k - 1;
    auto column = factor_.col(k).segment(k + 1, rest);
    auto tail = vector.tail(rest);
    column = (column + sign * sine * tail) / cosine;
    tail = cosine * tail - sine * column;
  }
}

void GaussianProcess::reset(const BayesianParameters& parameters, const Eigen::VectorXd& means,
                            const Eigen::VectorXd& visits) {
  parameters_ = parameters;
  kernel_.set(parameters.kernel);
  means_.head(size_) = means;
  for (Eigen::Index i = 0; i < size_; ++i) {
    noise_[i] = noise_of(visits[i]);
    auto column = factor_.col(i).head(size_);
    kernel_.covariances(codes_, codes_.row(i), column);
    column[i] += noise_[i];
  }
  Eigen::Ref<Eigen::MatrixXd> matrix = factor_.topLeftCorner(size_, size_);
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> in_place(matrix);
  solve();
}

void GaussianProcess::solve() {
  weights_ = means_.head(size_).array() - parameters_.trend;
  factor().triangularView<Eigen::Lower>().solveInPlace(weights_);
  factor().triangularView<Eigen::Lower>().adjoint().solveInPlace(weights_);
}

/// Bounds of variances: what the most telling row alone leaves.
class GaussianProcess::Predicted final : public Posterior {
 public:
  Predicted(const GaussianProcess& process, std::span<const Query> candidates)
      : process_(&process) {
    const auto count = static_cast<Eigen::Index>(candidates.size());
    const Eigen::Index rows = process.size_;
    codes_.resize(count, process.kernel_.axes());
    cross_.resize(rows, count);
    for (Eigen::Index i = 0; i < count; ++i) {
      const Point& point = candidates[static_cast<std::size_t>(i)].point;
      const PointKernel::Code code = process.kernel_.encode(point);
      codes_.row(i) = code;
      process.kernel_.covariances(process.codes_, code, cross_.col(i));
    }
    means_ = (cross_.transpose() * process.weights_).array() + process.parameters_.trend;
    const Eigen::ArrayXd known =
        1.0 / (process.noise_.head(rows).array() + process.kernel_.variance());
    bounds_.resize(count);
    for (Eigen::Index i = 0; i < count; ++i) {
      const double told = rows > 0 ? (cross_.col(i).array().square() * known).maxCoeff() : 0.0;
      bounds_[i] = process.kernel_.variance() - told;
    }
  }

  [[nodiscard]] Eigen::VectorXd variances(std::span<const Eigen::Index> chosen) const override {
    Eigen::MatrixXd columns(cross_.rows(), static_cast<Eigen::Index>(chosen.size()));
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      columns.col(static_cast<Eigen::Index>(i)) = cross_.col(chosen[i]);
    }
    process_->factor().triangularView<Eigen::Lower>().solveInPlace(columns);
    return (process_->kernel_.variance() - columns.colwise().squaredNorm().array())
        .max(0.0)
        .transpose();
  }

  [[nodiscard]] Eigen::MatrixXd covariance() const override {
    Eigen::MatrixXd columns = cross_;
    process_->factor().triangularView<Eigen::Lower>().solveInPlace(columns);
    Eigen::MatrixXd result(codes_.rows(), codes_.rows());
    for (Eigen::Index i = 0; i < codes_.rows(); ++i) {
      process_->kernel_.covariances(codes_, codes_.row(i), result.col(i));
    }
    return result - columns.transpose() * columns;
  }

 private:
  const GaussianProcess* process_;
  PointKernel::Codes codes_;
  Eigen::MatrixXd cross_;  ///< covariance of rows and candidates
};

std::unique_ptr<Posterior> GaussianProcess::predict(std::span<const Query> candidates) const {
  return std::make_unique<Predicted>(*this, candidates);
}

}  // namespace ntune
