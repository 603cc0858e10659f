#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>

#include <Eigen/Core>

#include "ntune/optim/gaussian/point_kernel.h"

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

/// What a model believes of several candidates: means at once, variances on demand, because they
/// are expensive. Valid until the model changes.
class Posterior {
 public:
  virtual ~Posterior() = default;

  [[nodiscard]] const Eigen::VectorXd& means() const { return means_; }
  /// Upper bounds of the variances.
  [[nodiscard]] const Eigen::VectorXd& variance_bounds() const { return bounds_; }
  /// Variances of some of the candidates, by their indices.
  [[nodiscard]] Eigen::VectorXd variances(std::span<const Eigen::Index> chosen) const {
    return variances_or_less(chosen, Eigen::VectorXd::Zero(std::ssize(chosen)));
  }
  /// Variances of some of the candidates. One that is below its entry of `enough` may come out as
  /// any number between itself and that entry.
  [[nodiscard]] virtual Eigen::VectorXd variances_or_less(std::span<const Eigen::Index> chosen,
                                                          const Eigen::VectorXd& enough) const = 0;
  /// Covariance of all candidates.
  [[nodiscard]] virtual Eigen::MatrixXd covariance() const = 0;

 protected:
  Eigen::VectorXd means_;
  Eigen::VectorXd bounds_;
};

/// A Gaussian model of the payoffs' means. It has a row for each distinct point, whose noise is the
/// noise of the mean of its payoffs.
class BayesianModel {
 public:
  virtual ~BayesianModel() = default;
  /// A copy, which changes by itself.
  [[nodiscard]] virtual std::unique_ptr<BayesianModel> clone() const = 0;

  [[nodiscard]] virtual Eigen::Index size() const = 0;
  [[nodiscard]] virtual const PointKernel& kernel() const = 0;
  /// A row per distinct point; the first size() count.
  [[nodiscard]] virtual const PointKernel::Codes& codes() const = 0;
  [[nodiscard]] virtual const BayesianParameters& parameters() const = 0;

  /// Adds a point that is not held yet.
  virtual void append(const Point& point, const BayesianRow& row) = 0;
  /// Adds a point that is not held yet; the next reset sets what is known of it. O(1).
  virtual void append_unknown(const Point& point) = 0;
  /// Replaces what is known of a row.
  virtual void update(Eigen::Index row, const BayesianRow& known) = 0;
  /// Sets all rows and the hyperparameters anew.
  virtual void reset(const BayesianParameters& parameters, const Eigen::VectorXd& means,
                     const Eigen::VectorXd& visits) = 0;
  /// Call it after changes and before predictions.
  virtual void solve() = 0;

  /// Posterior mean at a row, from its payoffs and those of all other rows. O(1).
  [[nodiscard]] virtual double mean(Eigen::Index row) const = 0;
  [[nodiscard]] virtual std::unique_ptr<Posterior> predict(
      std::span<const Query> candidates) const = 0;

 protected:
  /// Variance of the mean of a point's payoffs about its value; not 0, so that matrices can be
  /// factored.
  [[nodiscard]] double noise_of(double visits) const {
    constexpr double kLeast = 1e-7;  // of the signal's variance
    return std::max(std::exp(parameters().log_noise) / visits, kLeast * kernel().variance());
  }
};

}  // namespace ntune
