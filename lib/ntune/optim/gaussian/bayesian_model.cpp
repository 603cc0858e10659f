#include "ntune/optim/gaussian/bayesian_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace ntune {

Eigen::VectorXd Posterior::variances() const {
  std::vector<Eigen::Index> all(static_cast<std::size_t>(means_.size()));
  std::iota(all.begin(), all.end(), Eigen::Index{0});
  return variances(all);
}

BayesianModel::BayesianModel(const SearchSpace& space, KernelForm form) : kernel_(space, form) {
  parameters_.kernel.log_lengths = Eigen::VectorXd::Zero(kernel_.axes());
  kernel_.set(parameters_.kernel);
}

void BayesianModel::reserve(Eigen::Index rows) {
  if (rows <= means_.size()) return;
  const Eigen::Index capacity = std::max(rows, 2 * means_.size());
  codes_.conservativeResize(capacity, kernel_.axes());
  means_.conservativeResize(capacity);
  noise_.conservativeResize(capacity);
  make_room(capacity);
}

void BayesianModel::append_unknown(const Point& point) {
  reserve(size_ + 1);
  codes_.row(size_++) = kernel_.encode(point);
}

Eigen::Index BayesianModel::add_row(const Point& point, const BayesianRow& row) {
  append_unknown(point);
  const Eigen::Index last = size_ - 1;
  means_[last] = row.mean;
  noise_[last] = noise_of(row.visits);
  return last;
}

void BayesianModel::set_rows(const BayesianParameters& parameters, const Eigen::VectorXd& means,
                             const Eigen::VectorXd& visits) {
  parameters_ = parameters;
  kernel_.set(parameters.kernel);
  means_.head(size_) = means;
  for (Eigen::Index i = 0; i < size_; ++i) noise_[i] = noise_of(visits[i]);
}

double BayesianModel::noise_of(double visits) const {
  constexpr double kLeast = 1e-7;  // of the signal's variance
  return std::max(std::exp(parameters_.log_noise) / visits, kLeast * kernel_.variance());
}

}  // namespace ntune
