#include "ntune/optim/point_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace ntune {

PointKernel::PointKernel(const SearchSpace& space, KernelForm form) : space_(&space), form_(form) {
  for (int i = 0; i < space.dimensions(); ++i) {
    const Parameter& parameter = space[i];
    if (parameter.cardinality() < 2) continue;
    axes_.push_back({.parameter = i,
                     .cardinality = parameter.cardinality(),
                     .ordered = parameter.ordered,
                     .conditional = !parameter.when.empty()});
  }
}

PointKernel::Code PointKernel::encode(const Point& point) const {
  Code code(axes());
  for (Eigen::Index a = 0; a < axes(); ++a) {
    const Axis& axis = axes_[static_cast<std::size_t>(a)];
    const bool active = !axis.conditional || space_->is_active(point, axis.parameter);
    code[a] = active ? point[axis.parameter] : 2 * axis.cardinality;
  }
  return code;
}

void PointKernel::set(const KernelParameters& parameters) {
  const auto d = static_cast<double>(axes());
  variances_ = parameters.log_variances.array().exp();
  if (form_ == KernelForm::kProduct) variances_.head(2).setZero();
  if (axes() < 2) variances_[1] = 0.0;
  per_single_ = axes() > 0 ? variances_[0] / d : 0.0;
  per_pair_ = axes() > 1 ? variances_[1] / (d * (d - 1.0) / 2.0) : 0.0;
  for (Eigen::Index a = 0; a < axes(); ++a) {
    Axis& axis = axes_[static_cast<std::size_t>(a)];
    const double inverse = std::exp(-parameters.log_lengths[a]);
    const std::size_t codes =
        static_cast<std::size_t>(axis.cardinality) * (axis.conditional ? 2 : 1) +
        (axis.conditional ? 1 : 0);
    axis.correlation.assign(codes, std::exp(-inverse));
    axis.log_slope.assign(codes, inverse);
    axis.correlation[0] = 1.0;
    axis.log_slope[0] = 0.0;
    if (axis.ordered) set_matern(axis, inverse);
    axis.whole = axis.correlation;
    if (form_ == KernelForm::kPairs) std::fill(axis.whole.begin() + 1, axis.whole.end(), 0.0);
  }
}

/// Correlations of ordered values.
void PointKernel::set_matern(Axis& axis, double inverse_length) {
  const double step = std::sqrt(5.0) * inverse_length / (axis.cardinality - 1);
  for (std::size_t rank = 1; rank < static_cast<std::size_t>(axis.cardinality); ++rank) {
    const double s = step * static_cast<double>(rank);
    const double sum = 1.0 + s + s * s / 3.0;
    axis.correlation[rank] = sum * std::exp(-s);
    axis.log_slope[rank] = s * s * (1.0 + s) / (3.0 * sum);
  }
}

std::vector<int> PointKernel::axis_codes(Eigen::Index axis) const {
  const Axis& own = axes_[static_cast<std::size_t>(axis)];
  std::vector<int> codes(static_cast<std::size_t>(own.cardinality));
  std::iota(codes.begin(), codes.end(), 0);
  if (own.conditional) codes.push_back(2 * own.cardinality);
  return codes;
}

PointKernel::Sums PointKernel::sums(const Codes& points, Eigen::Index count,
                                    const Code& other) const {
  Sums sums = {Eigen::ArrayXd::Zero(count), Eigen::ArrayXd::Zero(count),
               Eigen::ArrayXd::Ones(count)};
  for (Eigen::Index a = 0; a < axes(); ++a) {
    const double* table = axes_[static_cast<std::size_t>(a)].correlation.data();
    const double* whole = axes_[static_cast<std::size_t>(a)].whole.data();
    const int* codes = points.col(a).data();
    const int own = other[a];
    for (Eigen::Index i = 0; i < count; ++i) {
      const int difference = std::abs(codes[i] - own);
      const double correlation = table[difference];
      sums.sum[i] += correlation;
      sums.squares[i] += correlation * correlation;
      sums.product[i] *= whole[difference];
    }
  }
  return sums;
}

void PointKernel::covariances(const Codes& points, const Code& other,
                              Eigen::Ref<Eigen::VectorXd> result) const {
  const Sums all = sums(points, result.size(), other);
  result = per_single_ * all.sum + 0.5 * per_pair_ * (all.sum.square() - all.squares) +
           variances_[2] * all.product;
}

void PointKernel::add_slopes(const Codes& points, const Code& other,
                             const Eigen::Ref<const Eigen::VectorXd>& weights,
                             Eigen::VectorXd& slopes) const {
  const Sums all = sums(points, weights.size(), other);
  for (Eigen::Index a = 0; a < axes(); ++a) {
    const Axis& axis = axes_[static_cast<std::size_t>(a)];
    const int* codes = points.col(a).data();
    double slope = 0.0;
    for (Eigen::Index i = 0; i < weights.size(); ++i) {
      const auto difference = static_cast<std::size_t>(std::abs(codes[i] - other[a]));
      const double correlation = axis.correlation[difference];
      const double with = per_single_ + per_pair_ * (all.sum[i] - correlation);
      slope += weights[i] * axis.log_slope[difference] *
               (correlation * with + variances_[2] * all.product[i]);
    }
    slopes[a] += slope;
  }
  const auto weight = weights.array();
  slopes[axes()] += per_single_ * (weight * all.sum).sum();
  slopes[axes() + 1] += 0.5 * per_pair_ * (weight * (all.sum.square() - all.squares)).sum();
  slopes[axes() + 2] += variances_[2] * (weight * all.product).sum();
}

}  // namespace ntune
