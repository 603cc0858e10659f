#include "ntune/optim/gaussian/point_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>

#include "ntune/optim/dense/dense.h"

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

/// Tabulates the correlations of each axis by the difference of two codes. The variance of a sum
/// over tuples is divided among them, d single ones and d (d - 1) / 2 pairs.
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
    // The inactive code 2 c differs from the values 0 to c - 1 by c + 1 to 2 c. No two values
    // differ by so much.
    const std::size_t codes =
        static_cast<std::size_t>(axis.cardinality) * (axis.conditional ? 2 : 1) +
        (axis.conditional ? 1 : 0);
    // All entries are those of unequal codes without an order, exp(-1 / length), and their slope by
    // log length is 1 / length. Equal codes and ordered values follow.
    axis.correlation.assign(codes, std::exp(-inverse));
    axis.log_slope.assign(codes, inverse);
    axis.correlation[0] = 1.0;
    axis.log_slope[0] = 0.0;
    if (axis.ordered) set_matern(axis, inverse);
    axis.whole = axis.correlation;
    // A part of each point alone is correlated with no other point.
    if (form_ == KernelForm::kPairs) std::fill(axis.whole.begin() + 1, axis.whole.end(), 0.0);
  }
}

/// Sets the correlations of ordered values: (1 + s + s^2 / 3) e^-s with s = sqrt(5) distance /
/// length. The slope of its logarithm by log length is s^2 (1 + s) / (3 (1 + s + s^2 / 3)).
void PointKernel::set_matern(Axis& axis, double inverse_length) {
  const double step = std::sqrt(5.0) * inverse_length / (axis.cardinality - 1);
  for (std::size_t rank = 1; rank < static_cast<std::size_t>(axis.cardinality); ++rank) {
    const double s = step * static_cast<double>(rank);
    const double sum = 1.0 + s + s * s / 3.0;
    axis.correlation[rank] = sum * std::exp(-s);
    axis.log_slope[rank] = s * s * (1.0 + s) / (3.0 * sum);
  }
}

/// Holds correlations of a block of points with others. These share most of their codes. So each
/// distinct code of an axis has a slot, whose correlations are looked up once for all of them.
class PointKernel::Correlations {
 public:
  /// Points in a block; what is held of them fits a first-level cache.
  static constexpr Eigen::Index kBlock = dense::kPointBlock;

  Correlations(const PointKernel& kernel, const Codes& others, Eigen::Index count)
      : kernel_(&kernel), slots_(kernel.axes(), count) {
    for (Eigen::Index a = 0; a < kernel.axes(); ++a) {
      std::vector<int> slot_of(kernel.axes_[static_cast<std::size_t>(a)].correlation.size(), -1);
      for (Eigen::Index j = 0; j < count; ++j) {
        int& slot = slot_of[static_cast<std::size_t>(others(j, a))];
        if (slot < 0) {
          slot = static_cast<int>(held_.size());
          held_.push_back({a, others(j, a)});
        }
        slots_(a, j) = slot;
      }
    }
    const auto slots = static_cast<Eigen::Index>(held_.size());
    single_.setZero(kBlock, slots);
    if (kernel.form_ == KernelForm::kPairs) whole_.setZero(kBlock, slots);
  }

  /// Looks up the correlations of `count` points from `first` on with all slots.
  void hold(const Codes& points, Eigen::Index first, Eigen::Index count) {
    first_ = first;
    count_ = count;
    look_up(points, &Axis::correlation, single_);
    if (whole_.size() > 0) look_up(points, &Axis::whole, whole_);
  }
  /// Looks up the slopes too, of the points that are held.
  void hold_slopes(const Codes& points) {
    if (slope_.size() == 0) slope_.setZero(kBlock, single_.cols());
    look_up(points, &Axis::log_slope, slope_);
  }

  /// The block's correlations with one of the others, from the block's point `begin` on or a few
  /// before it.
  [[nodiscard]] dense::PointCorrelations with(Eigen::Index other, Eigen::Index begin = 0) const {
    return {.single = single_.data(),
            .whole = (whole_.size() > 0 ? whole_ : single_).data(),
            .slope = slope_.data(),
            .slots = slots_.col(other).data(),
            .axes = slots_.rows(),
            .begin = begin / dense::kPartialSums * dense::kPartialSums,
            .count = count_};
  }

 private:
  /// A slot is one code of one axis that at least one of the others has.
  struct Held {
    Eigen::Index axis;
    int code;
  };

  void look_up(const Codes& points, std::vector<double> Axis::*table, Eigen::ArrayXXd& into) const {
    for (std::size_t slot = 0; slot < held_.size(); ++slot) {
      const auto [axis, code] = held_[slot];
      const double* values = (kernel_->axes_[static_cast<std::size_t>(axis)].*table).data();
      const int* codes = points.col(axis).data() + first_;
      double* column = into.col(static_cast<Eigen::Index>(slot)).data();
      for (Eigen::Index i = 0; i < count_; ++i) column[i] = values[std::abs(codes[i] - code)];
    }
  }

  const PointKernel* kernel_;
  Eigen::MatrixXi slots_;  ///< slot of each of the others, by axis
  std::vector<Held> held_;
  Eigen::ArrayXXd single_;
  Eigen::ArrayXXd whole_;  ///< factors in the d-tuple, where they differ from single_
  Eigen::ArrayXXd slope_;
  Eigen::Index first_ = 0;
  Eigen::Index count_ = 0;
};

/// Fills all entries, or those on and below the diagonal, a block of rows at a time.
void PointKernel::fill(const Codes& points, const Codes& others, Eigen::Index columns, bool lower,
                       Eigen::Ref<Eigen::MatrixXd> result) const {
  Correlations block(*this, others, columns);
  for (Eigen::Index first = 0; first < result.rows(); first += Correlations::kBlock) {
    const Eigen::Index count = std::min(Correlations::kBlock, result.rows() - first);
    block.hold(points, first, count);
    // The lower triangle has columns up to the block's last row, each from its diagonal on.
    for (Eigen::Index j = 0; j < (lower ? first + count : columns); ++j) {
      const Eigen::Index begin = lower ? std::max<Eigen::Index>(0, j - first) : 0;
      dense::kernels().covariances(block.with(j, begin), tuple_variances(),
                                   result.col(j).data() + first);
    }
  }
}

void PointKernel::add_slopes(const Codes& points, const Eigen::MatrixXd& weights,
                             Eigen::VectorXd& slopes) const {
  const Eigen::Index rows = weights.rows();
  Correlations block(*this, points, rows);
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(dense::kPartialSums, axes() + 3);
  Eigen::VectorXd column(Correlations::kBlock);
  for (Eigen::Index first = 0; first < rows; first += Correlations::kBlock) {
    const Eigen::Index count = std::min(Correlations::kBlock, rows - first);
    block.hold(points, first, count);
    block.hold_slopes(points);
    for (Eigen::Index j = 0; j < first + count; ++j) {
      const Eigen::Index begin = std::max<Eigen::Index>(0, j - first);
      // The kernel may begin a few points early (see `with`), whose weights must then be 0.
      column.head(begin).setZero();
      column.segment(begin, count - begin) = weights.col(j).segment(first + begin, count - begin);
      dense::kernels().add_slopes(block.with(j, begin), tuple_variances(), column.data(),
                                  sums.data());
    }
  }
  slopes.head(axes() + 3) += sums.colwise().sum().transpose();
}

}  // namespace ntune
