#include "ntune/optim/bayesian/point_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <numeric>

namespace ntune {

namespace {

/// Eigen cuts products into blocks by the sizes of the caches that it finds, and the order of the
/// sums with them. With fixed sizes the order of sums does not depend on the machine. Done once in
/// a process.
bool fix_block_sizes() {
  constexpr std::ptrdiff_t kKibibyte = 1024;
  Eigen::setCpuCacheSizes(32 * kKibibyte, 1024 * kKibibyte, 32 * 1024 * kKibibyte);
  return true;
}

}  // namespace

/// No model multiplies matrices without a kernel.
PointKernel::PointKernel(const SearchSpace& space, KernelForm form) : space_(&space), form_(form) {
  [[maybe_unused]] static const bool fixed = fix_block_sizes();
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
  const Axis& parameter = axes_[static_cast<std::size_t>(axis)];
  std::vector<int> codes(static_cast<std::size_t>(parameter.cardinality));
  std::iota(codes.begin(), codes.end(), 0);
  if (parameter.conditional) codes.push_back(2 * parameter.cardinality);
  return codes;
}

/// Correlations of a block of points with others, which share most of their codes. The correlations
/// of each code are looked up once for all of them.
class PointKernel::Correlations {
 public:
  /// Points in a block; what is held of them fits a first-level cache.
  static constexpr Eigen::Index kBlock = 128;
  /// Summed up at a time, in registers; divides kBlock.
  static constexpr Eigen::Index kFew = 8;

  Correlations(const PointKernel& kernel, const Codes& others)
      : kernel_(&kernel), slots_(kernel.axes(), others.rows()) {
    for (Eigen::Index a = 0; a < kernel.axes(); ++a) {
      std::vector<int> slot_of(kernel.axes_[static_cast<std::size_t>(a)].correlation.size(), -1);
      for (Eigen::Index j = 0; j < others.rows(); ++j) {
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

  void hold(const Codes& points, Eigen::Index first, Eigen::Index count) {
    first_ = first;
    count_ = count;
    look_up(points, &Axis::correlation, single_);
    if (whole_.size() > 0) look_up(points, &Axis::whole, whole_);
  }
  void hold_slopes(const Codes& points) {
    slope_.resize(kBlock, single_.cols());
    look_up(points, &Axis::log_slope, slope_);
  }

  /// Sums of one of the others' correlations with the block, over its axes, for what follows.
  void add_up(Eigen::Index other) {
    using Few = Eigen::Array<double, kFew, 1>;
    const Eigen::ArrayXXd& wholes = whole_.size() > 0 ? whole_ : single_;
    for (Eigen::Index i = 0; i < count_; i += kFew) {
      Few sum = Few::Zero();
      Few squares = Few::Zero();
      Few product = Few::Ones();
      for (Eigen::Index a = 0; a < slots_.rows(); ++a) {
        const Eigen::Index at = kBlock * slots_(a, other) + i;
        const Few single = Few::Map(single_.data() + at);
        sum += single;
        squares += single.square();
        product *= Few::Map(wholes.data() + at);
      }
      sum_.segment<kFew>(i) = sum;
      squares_.segment<kFew>(i) = squares;
      product_.segment<kFew>(i) = product;
    }
  }
  [[nodiscard]] auto sum() const { return sum_.head(count_); }
  [[nodiscard]] auto pairs() const { return 0.5 * (sum().square() - squares_.head(count_)); }
  [[nodiscard]] auto product() const { return product_.head(count_); }
  [[nodiscard]] auto along(Eigen::Index axis, Eigen::Index other) const {
    return single_.col(slots_(axis, other)).head(count_);
  }
  [[nodiscard]] auto slope_along(Eigen::Index axis, Eigen::Index other) const {
    return slope_.col(slots_(axis, other)).head(count_);
  }

 private:
  struct Held {
    Eigen::Index axis;
    int code;
  };
  using Row = Eigen::Array<double, kBlock, 1>;

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
  Row sum_;
  Row squares_;
  Row product_;
};

void PointKernel::covariances(const Codes& points, const Codes& others,
                              Eigen::Ref<Eigen::MatrixXd> result) const {
  Correlations block(*this, others);
  for (Eigen::Index first = 0; first < result.rows(); first += Correlations::kBlock) {
    const Eigen::Index count = std::min(Correlations::kBlock, result.rows() - first);
    block.hold(points, first, count);
    for (Eigen::Index j = 0; j < others.rows(); ++j) {
      block.add_up(j);
      result.col(j).segment(first, count) =
          per_single_ * block.sum() + per_pair_ * block.pairs() + variances_[2] * block.product();
    }
  }
}

void PointKernel::add_slopes(const Codes& points, const Codes& others,
                             const Eigen::MatrixXd& weights, Eigen::VectorXd& slopes) const {
  Correlations block(*this, others);
  for (Eigen::Index first = 0; first < weights.rows(); first += Correlations::kBlock) {
    const Eigen::Index count = std::min(Correlations::kBlock, weights.rows() - first);
    block.hold(points, first, count);
    block.hold_slopes(points);
    for (Eigen::Index j = 0; j < others.rows(); ++j) {
      block.add_up(j);
      const auto weight = weights.col(j).segment(first, count).array();
      for (Eigen::Index a = 0; a < axes(); ++a) {
        const auto correlation = block.along(a, j);
        slopes[a] += (weight * block.slope_along(a, j) *
                      (correlation * (per_single_ + per_pair_ * (block.sum() - correlation)) +
                       variances_[2] * block.product()))
                         .sum();
      }
      slopes[axes()] += per_single_ * (weight * block.sum()).sum();
      slopes[axes() + 1] += per_pair_ * (weight * block.pairs()).sum();
      slopes[axes() + 2] += variances_[2] * (weight * block.product()).sum();
    }
  }
}

}  // namespace ntune
