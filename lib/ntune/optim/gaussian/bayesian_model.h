#pragma once

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
  /// Variances of all candidates.
  [[nodiscard]] Eigen::VectorXd variances() const;
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

  [[nodiscard]] Eigen::Index size() const { return size_; }
  [[nodiscard]] const PointKernel& kernel() const { return kernel_; }
  /// A row per distinct point; the first size() count.
  [[nodiscard]] const PointKernel::Codes& codes() const { return codes_; }
  [[nodiscard]] const BayesianParameters& parameters() const { return parameters_; }

  /// Adds a point that is not held yet.
  virtual void append(const Point& point, const BayesianRow& row) = 0;
  /// Adds a point that is not held yet; the next reset sets what is known of it. O(1).
  void append_unknown(const Point& point);
  /// Adds a point with the next row, or replaces what is known of an earlier row.
  void put(Eigen::Index row, const Point& point, const BayesianRow& known) {
    row < size_ ? update(row, known) : append(point, known);
  }
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
  BayesianModel(const SearchSpace& space, KernelForm form);

  /// Makes room for so many rows at least. Room doubles, so that appending rows one by one moves
  /// each of them a bounded number of times on average.
  void reserve(Eigen::Index rows);
  /// Makes room for so many rows in what a model has beside codes, means and noise.
  virtual void make_room(Eigen::Index capacity) = 0;
  /// Adds a row, and returns its index.
  Eigen::Index add_row(const Point& point, const BayesianRow& row);
  /// Sets hyperparameters, kernel, means and noise anew.
  void set_rows(const BayesianParameters& parameters, const Eigen::VectorXd& means,
                const Eigen::VectorXd& visits);
  /// Variance of the mean of a point's payoffs about its value; not 0, so that matrices can be
  /// factored.
  [[nodiscard]] double noise_of(double visits) const;

  PointKernel kernel_;
  BayesianParameters parameters_;
  Eigen::Index size_ = 0;
  PointKernel::Codes codes_;  ///< this and the next have room for more rows than size_
  Eigen::VectorXd means_;
  Eigen::VectorXd noise_;  ///< variance of means_ about the points' values
};

}  // namespace ntune
