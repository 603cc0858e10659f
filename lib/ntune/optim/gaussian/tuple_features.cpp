#include <algorithm>
#include <utility>

#include <Eigen/Eigenvalues>

#include "ntune/optim/dense/dense.h"
#include "ntune/optim/gaussian/tuple_regression.h"

namespace ntune {

TupleFeatures::TupleFeatures(const PointKernel& kernel, double detail) {
  if (kernel.axes() == 0) return;
  single_variance_ = kernel.variances()[0] / static_cast<double>(kernel.axes());
  for (Eigen::Index a = 0; a < kernel.axes(); ++a) {
    axes_.push_back(make_axis(kernel, a, detail));
    axes_.back().begin = size_;
    size_ += axes_.back().size();
  }
}

/// Makes the features of one axis, the leading eigenvectors of its centred correlations
/// (Karhunen-Loeve). Their weights and the axis' mean have a joint prior covariance.
TupleFeatures::Axis TupleFeatures::make_axis(const PointKernel& kernel, Eigen::Index axis,
                                             double detail) {
  constexpr Eigen::Index kMostSteps = 64;
  constexpr Eigen::Index kMostOfAll = 1000;
  Axis made;
  std::vector<int> codes = kernel.axis_codes(axis);
  // Only an inactive code is as large as the number of codes.
  const bool conditional = codes.back() >= static_cast<int>(codes.size());
  const Eigen::Index values = std::ssize(codes) - (conditional ? 1 : 0);
  made.last = static_cast<int>(values) - 1;
  // Steps bound both the eigenvalue problem of an axis and the features of all axes.
  made.steps =
      std::min({values, kMostSteps, std::max<Eigen::Index>(2, kMostOfAll / kernel.axes())});
  // The codes of equal steps take the first places, and the inactive code follows them.
  for (Eigen::Index step = 0; step < made.steps; ++step) {
    codes[static_cast<std::size_t>(step)] =
        static_cast<int>(step * (values - 1) / (made.steps - 1));
  }
  if (conditional) codes[static_cast<std::size_t>(made.steps)] = codes.back();
  const Eigen::Index count = made.steps + (conditional ? 1 : 0);
  Eigen::MatrixXd correlations(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = 0; j < count; ++j) {
      correlations(i, j) = kernel.correlation(axis, codes[static_cast<std::size_t>(i)],
                                              codes[static_cast<std::size_t>(j)]);
    }
  }
  // A function along the axis is its mean and what remains, which the eigenvectors span.
  const Eigen::VectorXd means = correlations.rowwise().mean();
  const double mean = means.mean();
  correlations.colwise() -= means;
  correlations.rowwise() -= means.transpose();
  correlations.array() += mean;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(correlations);
  const Eigen::VectorXd& spectrum = solver.eigenvalues();  // ascending; the first is 0
  // The last eigenvalue is that of the constant, 0 but for rounding, and is never kept.
  const double least = std::max(detail, 1e-13) * spectrum.sum();
  Eigen::Index kept = 0;
  while (kept + 1 < count && spectrum[count - 1 - kept] > least) ++kept;
  // The covariance holds the mean's variance, its covariances with the eigenvectors' weights, and
  // the eigenvalues. Mean and rest are not independent of each other.
  made.basis = solver.eigenvectors().rightCols(kept).transpose();
  made.covariance.setZero(kept + 1, kept + 1);
  made.covariance(0, 0) = mean;
  dense::multiply(made.basis, means, made.covariance.col(0).tail(kept));
  made.covariance.row(0).tail(kept) = made.covariance.col(0).tail(kept).transpose();
  made.covariance.diagonal().tail(kept) = spectrum.tail(kept);
  return made;
}

/// Places the features: first 1, then those of the axes, then those of the pairs in their order.
void TupleFeatures::set_pairs(std::vector<AxisPair> pairs) {
  pairs_ = std::move(pairs);
  begins_.clear();
  size_ = 1;
  for (const Axis& axis : axes_) size_ += axis.size();
  for (const AxisPair& pair : pairs_) {
    begins_.push_back(size_);
    size_ += pair_size(pair.first, pair.second);
  }
}

void TupleFeatures::write(const PointKernel::Code& code, double* features) const {
  features[0] = 1.0;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    const Axis& axis = axes_[a];
    std::copy_n(axis.features(code[static_cast<Eigen::Index>(a)]), axis.size(),
                features + axis.begin);
  }
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    write_pair(pairs_[p], code, features + begins_[p]);
  }
}

void TupleFeatures::write_pair(const AxisPair& pair, const PointKernel::Code& code,
                               double* features) const {
  const double* first = axis(pair.first).features(code[pair.first]);
  const double* second = axis(pair.second).features(code[pair.second]);
  const Eigen::Index size = axis(pair.second).size();
  for (Eigen::Index k = 0; k < axis(pair.first).size(); ++k) {
    for (Eigen::Index l = 0; l < size; ++l) *features++ = first[k] * second[l];
  }
}

/// Products of two eigenvectors have the products of the eigenvalues as variances.
Eigen::VectorXd TupleFeatures::pair_variances(const AxisPair& pair) const {
  const Axis& first = axis(pair.first);
  const Axis& second = axis(pair.second);
  Eigen::VectorXd variances(first.size() * second.size());
  for (Eigen::Index k = 0; k < first.size(); ++k) {
    variances.segment(k * second.size(), second.size()) =
        first.covariance(k + 1, k + 1) * second.covariance.diagonal().tail(second.size());
  }
  return variances;
}

/// Adds up the covariances of independent functions, one for each axis and each pair. All of them
/// have a mean, whose weights are one feature 1.
Eigen::MatrixXd TupleFeatures::prior() const {
  Eigen::MatrixXd prior = Eigen::MatrixXd::Zero(size_, size_);
  for (const Axis& axis : axes_) {
    const std::vector<Eigen::Index> features = axis.with_constant();
    prior(features, features) += single_variance_ * axis.covariance;
  }
  for (std::size_t p = 0; p < pairs_.size(); ++p) add_pair_prior(p, prior);
  return prior;
}

/// The weights of a pair's products of {1, basis} and {1, basis} have the Kronecker product of the
/// axes' covariances. Products with a 1 are features of the other axis, or 1 itself.
void TupleFeatures::add_pair_prior(std::size_t index, Eigen::MatrixXd& prior) const {
  const AxisPair& pair = pairs_[index];
  const Axis& first = axis(pair.first);
  const Axis& second = axis(pair.second);
  const Eigen::Index m = second.size() + 1;
  // `features` are those of the products, in the order of the rows of the Kronecker product.
  std::vector<Eigen::Index> features = second.with_constant();
  for (Eigen::Index k = 0; k < first.size(); ++k) {
    features.push_back(first.begin + k);
    for (Eigen::Index l = 0; l < second.size(); ++l) {
      features.push_back(begins_[index] + k * second.size() + l);
    }
  }
  Eigen::MatrixXd products(std::ssize(features), std::ssize(features));
  for (Eigen::Index k = 0; k <= first.size(); ++k) {
    for (Eigen::Index l = 0; l <= first.size(); ++l) {
      products.block(k * m, l * m, m, m) =
          pair.variance * first.covariance(k, l) * second.covariance;
    }
  }
  prior(features, features) += products;
}

}  // namespace ntune
