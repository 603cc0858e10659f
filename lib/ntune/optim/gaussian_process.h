#pragma once

#include <span>

#include <Eigen/Core>

#include "ntune/optim/point_kernel.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// Hyperparameters of a Gaussian process.
struct GaussianProcessParameters {
  KernelParameters kernel;
  double log_noise = 0.0;  ///< natural logarithm of the variance of one payoff about its mean
  double trend = 0.0;      ///< mean of the process
};

/// What is known of one point: the mean of `visits` payoffs.
struct GaussianProcessRow {
  double mean = 0.0;
  double visits = 1.0;  ///< > 0
};

/// Gaussian-process regression with one row per distinct point, whose noise is that of its mean
/// (Rasmussen and Williams 2006, algorithm 2.1). A new point appends a row to the Cholesky factor
/// and another payoff of a known one is an update of rank one: both take O(rows^2).
class GaussianProcess {
 public:
  GaussianProcess(const SearchSpace& space, KernelForm form);

  [[nodiscard]] Eigen::Index size() const { return size_; }
  [[nodiscard]] const PointKernel& kernel() const { return kernel_; }
  [[nodiscard]] const PointKernel::Codes& codes() const { return codes_; }
  [[nodiscard]] const GaussianProcessParameters& parameters() const { return parameters_; }

  /// Adds a point that is not held yet.
  void append(const Point& point, const GaussianProcessRow& row);
  /// Replaces what is known of a row.
  void update(Eigen::Index row, const GaussianProcessRow& known);
  /// Sets all rows and the hyperparameters anew: O(rows^3).
  void reset(const GaussianProcessParameters& parameters, const Eigen::VectorXd& means,
             const Eigen::VectorXd& visits);
  /// To be called after changes and before predictions: O(rows^2).
  void solve();

  /// Posterior mean at a row: what its payoffs and those of its like say together. O(1).
  [[nodiscard]] double mean(Eigen::Index row) const {
    return means_[row] - noise_[row] * weights_[row];
  }

  /// Posterior of several points: means at once, variances on demand, as they are what costs.
  class Posterior;
  [[nodiscard]] Posterior predict(std::span<const Point> points) const;

 private:
  [[nodiscard]] double noise_of(double visits) const;
  void reserve(Eigen::Index rows);
  void add_to_diagonal(Eigen::Index row, double change);
  [[nodiscard]] auto factor() const { return factor_.topLeftCorner(size_, size_); }

  PointKernel kernel_;
  GaussianProcessParameters parameters_;
  Eigen::Index size_ = 0;
  PointKernel::Codes codes_;  ///< these and the next by capacity, the first size_ in use
  Eigen::VectorXd means_;
  Eigen::VectorXd noise_;    ///< variance of means_
  Eigen::VectorXd weights_;  ///< (K + noise)^-1 (means - trend)
  Eigen::MatrixXd factor_;   ///< Cholesky factor of K + noise, lower triangle
  Eigen::VectorXd update_;   ///< space for updates
};

/// Valid until the process changes.
class GaussianProcess::Posterior {
 public:
  Posterior(const GaussianProcess& process, std::span<const Point> points);

  [[nodiscard]] const Eigen::VectorXd& means() const { return means_; }
  /// Upper bounds of the variances: what the most telling row alone leaves.
  [[nodiscard]] const Eigen::VectorXd& variance_bounds() const { return bounds_; }
  /// Variances of some of the points, by their indices.
  [[nodiscard]] Eigen::VectorXd variances(std::span<const Eigen::Index> chosen) const;
  /// Covariance of all points.
  [[nodiscard]] Eigen::MatrixXd covariance() const;

 private:
  const GaussianProcess* process_;
  PointKernel::Codes codes_;
  Eigen::MatrixXd cross_;  ///< covariance of rows and points
  Eigen::VectorXd means_;
  Eigen::VectorXd bounds_;
};

}  // namespace ntune
