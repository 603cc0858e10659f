#pragma once

#include <vector>

#include <Eigen/Core>

#include "ntune/optim/bayesian/point_kernel.h"

namespace ntune {

/// A 2-tuple by its axes and the variance of its function.
struct AxisPair {
  Eigen::Index first = 0;
  Eigen::Index second = 0;
  double variance = 0.0;
};

/// A point as a row of features, in which a function of 1-tuples and some pairs is linear. The
/// features are 1, for every axis the leading eigenvectors of its correlations about their mean,
/// and for every pair the products of its axes' features. The prior covariance of the weights makes
/// the function a Gaussian process with the PointKernel's covariance, up to the eigenvalues left
/// out. An axis of many values, more than 64 or 1000 / axes, is taken in so many equal steps.
class TupleFeatures {
 public:
  TupleFeatures() = default;
  /// Leaves out eigenvalues below `detail` times an axis' sum of them; 0 <= detail < 1.
  TupleFeatures(const PointKernel& kernel, double detail);

  /// Which pairs take part.
  void set_pairs(std::vector<AxisPair> pairs);
  [[nodiscard]] const std::vector<AxisPair>& pairs() const { return pairs_; }
  /// Features of a pair of axes.
  [[nodiscard]] Eigen::Index pair_size(Eigen::Index first, Eigen::Index second) const {
    return axis(first).size() * axis(second).size();
  }

  /// Number of features.
  [[nodiscard]] Eigen::Index size() const { return size_; }
  /// All features of a point into a row of size().
  template <class Row>
  void write(const PointKernel::Code& code, Row&& row) const {
    row[0] = 1.0;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const Axis& axis = axes_[a];
      row.segment(axis.begin, axis.size()) = axis.row(code[static_cast<Eigen::Index>(a)]);
    }
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      write_pair(pairs_[p], code, row.segment(begins_[p], sizes_[p]));
    }
  }
  /// The features of one pair, held or not.
  template <class Row>
  void write_pair(const AxisPair& pair, const PointKernel::Code& code, Row&& row) const {
    const auto first = axis(pair.first).row(code[pair.first]);
    const auto second = axis(pair.second).row(code[pair.second]);
    for (Eigen::Index k = 0; k < first.size(); ++k) {
      row.segment(k * second.size(), second.size()) = first[k] * second;
    }
  }
  /// Prior variances of a pair's features, for a pair of variance 1.
  [[nodiscard]] Eigen::VectorXd pair_variances(const AxisPair& pair) const;
  /// Prior covariance of the weights.
  [[nodiscard]] Eigen::MatrixXd prior() const;

 private:
  struct Axis {
    int last = 0;  ///< code of the last value
    Eigen::Index steps = 0;
    Eigen::Index begin = 0;      ///< where its features begin in a row
    Eigen::MatrixXd basis;       ///< row per step, and one for an inactive parameter
    Eigen::MatrixXd covariance;  ///< covariance of the weights of 1 and of the basis

    [[nodiscard]] Eigen::Index size() const { return basis.cols(); }
    /// An inactive parameter has the last row.
    [[nodiscard]] Eigen::MatrixXd::ConstRowXpr row(int code) const {
      return basis.row(code > last ? steps : (code * (steps - 1) + last / 2) / last);
    }
  };
  [[nodiscard]] const Axis& axis(Eigen::Index a) const {
    return axes_[static_cast<std::size_t>(a)];
  }
  static Axis make_axis(const PointKernel& kernel, Eigen::Index axis, double detail);
  void add_pair_prior(std::size_t index, Eigen::MatrixXd& prior) const;

  std::vector<Axis> axes_;
  double single_variance_ = 0.0;  ///< variance of one 1-tuple
  std::vector<AxisPair> pairs_;
  std::vector<Eigen::Index> begins_;  ///< where the features of pairs_ begin in a row
  std::vector<Eigen::Index> sizes_;
  Eigen::Index size_ = 1;
};

}  // namespace ntune
