#pragma once

#include <vector>

#include <Eigen/Core>

#include "ntune/optim/dense/kernels.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// Which function of the parameters a payoff is taken for.
enum class KernelForm {
  kProduct,  ///< one function of all parameters together
  kTuples,   ///< a sum over NTBEA's tuples: functions of single parameters, of pairs and of all
             ///< (additive Gaussian processes: Duvenaud, Nickisch and Rasmussen 2011)
  kPairs,    ///< a sum over 1-tuples and pairs, and a part that each point has alone
};

/// Hyperparameters of a PointKernel, natural logarithms: a length scale for each parameter with
/// several values, and the variances of the sums over 1-tuples, over pairs, and of the d-tuple.
struct KernelParameters {
  Eigen::VectorXd log_lengths;
  Eigen::Vector3d log_variances = Eigen::Vector3d::Zero();
};

/// Covariance of the payoffs' means at two points. It is a sum of three terms, each times a
/// variance: the mean over the 1-tuples and the mean over the pairs of the products of their
/// parameters' correlations, and the product of all. The correlation of ordered parameters is
/// Matern 5/2 (Rasmussen and Williams 2006, eq. 4.17) of the distance between ranks, where the
/// whole range is 1, so that a log range counts in its logarithm. The correlation of other
/// parameters, and of an inactive parameter with an active one, is 1 where they are equal, else
/// exp(-1 / length). For kPairs the product of all is 1 for equal points, else 0.
class PointKernel {
 public:
  /// Points by parameter: a row per point, a column per axis. The correlation along an axis depends
  /// on the difference of two codes alone.
  using Codes = Eigen::MatrixXi;
  using Code = Eigen::RowVectorXi;

  PointKernel(const SearchSpace& space, KernelForm form);

  /// Number of parameters with more than one value.
  [[nodiscard]] Eigen::Index axes() const { return static_cast<Eigen::Index>(axes_.size()); }
  [[nodiscard]] Code encode(const Point& point) const;

  void set(const KernelParameters& parameters);

  /// Covariance of a point with itself.
  [[nodiscard]] double variance() const { return variances_.sum(); }
  /// Covariances of the first result.rows() points with each of `others`, a column for each.
  void covariances(const Codes& points, const Codes& others,
                   Eigen::Ref<Eigen::MatrixXd> result) const {
    fill(points, others, others.rows(), false, result);
  }
  /// The lower triangle of the covariances of the first result.rows() points.
  void covariances(const Codes& points, Eigen::Ref<Eigen::MatrixXd> result) const {
    fill(points, points, result.rows(), true, result);
  }
  /// Adds to `slopes` the sum over the lower triangle of `weights`, of all pairs of points, of
  /// weight times d covariance / d parameter: the log_lengths, then the log_variances.
  void add_slopes(const Codes& points, const Eigen::MatrixXd& weights,
                  Eigen::VectorXd& slopes) const;

 private:
  struct Axis {
    int parameter = 0;
    int cardinality = 0;
    bool ordered = false;
    bool conditional = false;
    /// Correlations by the absolute difference of two codes: below `cardinality` between values,
    /// above to the inactive one, whose code is 2 * cardinality.
    std::vector<double> correlation = {};
    std::vector<double> whole = {};      ///< its factor in the d-tuple
    std::vector<double> log_slope = {};  ///< d log correlation / d log length
  };
  class Correlations;
  void fill(const Codes& points, const Codes& others, Eigen::Index columns, bool lower,
            Eigen::Ref<Eigen::MatrixXd> result) const;
  [[nodiscard]] dense::TupleVariances tuple_variances() const {
    return {.single = per_single_, .pair = per_pair_, .whole = variances_[2]};
  }
  static void set_matern(Axis& axis, double inverse_length);

  const SearchSpace* space_;
  KernelForm form_;
  std::vector<Axis> axes_;
  Eigen::Vector3d variances_ = Eigen::Vector3d::Zero();
  double per_single_ = 0.0;  ///< variance of one 1-tuple
  double per_pair_ = 0.0;
};

}  // namespace ntune
