#pragma once

#include <span>

#include <Eigen/Core>

#include "ntune/optim/gaussian/point_kernel.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// Hyperparameters of a model.
struct BayesianParameters {
  KernelParameters kernel;
  double log_noise = 0.0;  ///< natural logarithm of the variance of one payoff about its mean
  double trend = 0.0;      ///< prior mean
};

/// What is known of one point: the mean of `visits` payoffs.
struct BayesianRow {
  double mean = 0.0;
  double visits = 1.0;  ///< > 0
};

/// A candidate, and its row in the model, or -1 where the model has none.
struct Query {
  Point point;
  Eigen::Index row = -1;
};

class GaussianProcess;

/// What a model believes of several candidates: means at once, variances on demand, because they
/// are expensive. Valid until the model changes.
class Posterior {
 public:
  Posterior(const GaussianProcess& process, std::span<const Query> candidates);

  [[nodiscard]] const Eigen::VectorXd& means() const { return means_; }
  /// Upper bounds of the variances: what remains after the one row that tells most.
  [[nodiscard]] const Eigen::VectorXd& variance_bounds() const { return bounds_; }
  /// Variances of all candidates.
  [[nodiscard]] Eigen::VectorXd variances() const;
  /// Variances of some of the candidates, by their indices.
  [[nodiscard]] Eigen::VectorXd variances(std::span<const Eigen::Index> chosen) const {
    return variances_or_less(chosen, Eigen::VectorXd::Zero(std::ssize(chosen)));
  }
  /// Variances of some of the candidates. One that is below its entry of `enough` may come out as
  /// any number between itself and that entry.
  [[nodiscard]] Eigen::VectorXd variances_or_less(std::span<const Eigen::Index> chosen,
                                                  const Eigen::VectorXd& enough) const;
  /// Covariance of all candidates.
  [[nodiscard]] Eigen::MatrixXd covariance() const;

 private:
  const GaussianProcess* process_;
  PointKernel::Codes codes_;
  Eigen::MatrixXd cross_;  ///< covariance of rows and candidates
  Eigen::VectorXd means_;
  Eigen::VectorXd bounds_;
};

/// Gaussian-process regression of the payoffs' means, with one row per distinct point, whose noise
/// is that of the mean of its payoffs (Rasmussen and Williams 2006, algorithm 2.1). A new point
/// appends a row to the Cholesky factor and another payoff of a known one is an update of rank one:
/// both take O(rows^2).
class GaussianProcess {
 public:
  GaussianProcess(const SearchSpace& space, KernelForm form);

  [[nodiscard]] Eigen::Index size() const { return size_; }
  [[nodiscard]] const PointKernel& kernel() const { return kernel_; }
  /// A row per distinct point; the first size() count.
  [[nodiscard]] const PointKernel::Codes& codes() const { return codes_; }
  [[nodiscard]] const BayesianParameters& parameters() const { return parameters_; }

  /// Adds a point that is not held yet.
  void append(const Point& point, const BayesianRow& row);
  /// Adds a point that is not held yet; the next reset sets what is known of it. O(1).
  void append_unknown(const Point& point);
  /// Adds a point with the next row, or replaces what is known of an earlier row.
  void put(Eigen::Index row, const Point& point, const BayesianRow& known) {
    row < size_ ? update(row, known) : append(point, known);
  }
  /// Replaces what is known of a row.
  void update(Eigen::Index row, const BayesianRow& known);
  /// Sets all rows and the hyperparameters anew. O(rows^3).
  void reset(const BayesianParameters& parameters, const Eigen::VectorXd& means,
             const Eigen::VectorXd& visits);
  /// Call it after changes and before predictions. O(rows^2).
  void solve();

  /// Posterior mean at a row, from its payoffs and those of all other rows. As (K + N) a = y -
  /// trend for the weights a, the posterior mean trend + K a is y - N a. O(1).
  [[nodiscard]] double mean(Eigen::Index row) const {
    return means_[row] - noise_[row] * weights_[row];
  }
  [[nodiscard]] Posterior predict(std::span<const Query> candidates) const {
    return {*this, candidates};
  }

 private:
  friend class Posterior;

  /// Makes room for so many rows at least. Room doubles, so that appending rows one by one moves
  /// each of them a bounded number of times on average.
  void reserve(Eigen::Index rows);
  void add_to_diagonal(Eigen::Index row, double change);
  /// Variance of the mean of a point's payoffs about its value; not 0, so that matrices can be
  /// factored.
  [[nodiscard]] double noise_of(double visits) const;
  [[nodiscard]] auto factor() const { return factor_.topLeftCorner(size_, size_); }

  PointKernel kernel_;
  BayesianParameters parameters_;
  Eigen::Index size_ = 0;
  PointKernel::Codes codes_;  ///< this and the next two have room for more rows than size_
  Eigen::VectorXd means_;
  Eigen::VectorXd noise_;    ///< variance of means_ about the points' values
  Eigen::VectorXd weights_;  ///< (K + noise)^-1 (means - trend)
  Eigen::MatrixXd factor_;   ///< Cholesky factor of K + noise, lower triangle
  Eigen::VectorXd update_;   ///< space for updates
};

}  // namespace ntune
