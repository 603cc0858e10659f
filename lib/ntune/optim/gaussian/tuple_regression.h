#pragma once

#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "ntune/optim/gaussian/bayesian_model.h"
#include "ntune/optim/gaussian/point_kernel.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// A 2-tuple by its axes and the variance of its function.
struct AxisPair {
  Eigen::Index first = 0;
  Eigen::Index second = 0;
  double variance = 0.0;
};

/// A point as features, in which a function of 1-tuples and some pairs is linear. The
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
  /// All features of a point, size() numbers.
  void write(const PointKernel::Code& code, double* features) const;
  /// The features of one pair, held or not: pair_size() numbers.
  void write_pair(const AxisPair& pair, const PointKernel::Code& code, double* features) const;
  /// Prior variances of a pair's features, for a pair of variance 1.
  [[nodiscard]] Eigen::VectorXd pair_variances(const AxisPair& pair) const;
  /// Prior covariance of the weights.
  [[nodiscard]] Eigen::MatrixXd prior() const;

 private:
  struct Axis {
    int last = 0;  ///< code of the last value
    Eigen::Index steps = 0;
    Eigen::Index begin = 0;      ///< where its features begin
    Eigen::MatrixXd basis;       ///< column per step, and one for an inactive parameter
    Eigen::MatrixXd covariance;  ///< covariance of the weights of 1 and of the basis

    [[nodiscard]] Eigen::Index size() const { return basis.rows(); }
    /// The feature 1 and those of the axis, as `covariance` has them.
    [[nodiscard]] std::vector<Eigen::Index> with_constant() const {
      std::vector<Eigen::Index> all(static_cast<std::size_t>(size()) + 1, 0);
      std::iota(all.begin() + 1, all.end(), begin);
      return all;
    }
    /// Its features at a code. An inactive parameter has the last column.
    [[nodiscard]] const double* features(int code) const {
      return basis.col(code > last ? steps : (code * (steps - 1) + last / 2) / last).data();
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
  std::vector<Eigen::Index> begins_;  ///< where the features of pairs_ begin
  Eigen::Index size_ = 1;
};

struct TupleRegressionOptions {
  int most_features = 300;  ///< number for chosen pairs and 1-tuples together
  double evidence = 0.0;    ///< least log evidence of a chosen pair
  double detail = 1e-3;     ///< see TupleFeatures
};

/// Bayesian linear regression on the features of 1-tuples and pairs (Rasmussen and Williams 2006,
/// section 2.1), with a part of each point alone for the d-tuple. It is the Gaussian process of
/// KernelForm::kPairs in the space of weights. A payoff costs O(features^2) whatever the number of
/// payoffs. At each reset pairs are chosen in the order of the evidence that each adds to 1-tuples.
class TupleRegression final : public BayesianModel {
 public:
  TupleRegression(const SearchSpace& space, const TupleRegressionOptions& options);

  [[nodiscard]] std::unique_ptr<BayesianModel> clone() const override {
    return std::make_unique<TupleRegression>(*this);
  }
  [[nodiscard]] const TupleFeatures& features() const { return features_; }

  void append(const Point& point, const BayesianRow& row) override;
  void update(Eigen::Index row, const BayesianRow& known) override;
  /// O(rows * features^2).
  void reset(const BayesianParameters& parameters, const Eigen::VectorXd& means,
             const Eigen::VectorXd& visits) override;
  /// O(rows * features).
  void solve() override;

  [[nodiscard]] double mean(Eigen::Index row) const override { return posterior_means_[row]; }
  [[nodiscard]] std::unique_ptr<Posterior> predict(
      std::span<const Query> candidates) const override;

 private:
  class Predicted;
  void make_room(Eigen::Index capacity) override {
    rows_.conservativeResize(features_.size(), capacity);
  }
  /// Precision of a row's mean about the function of 1-tuples and pairs.
  [[nodiscard]] double precision_of(double noise) const {
    return 1.0 / (kernel_.variances()[2] + noise);
  }
  [[nodiscard]] Eigen::VectorXd precisions() const {
    return (kernel_.variances()[2] + noise_.head(size_).array()).inverse();
  }
  /// Share of a row's residual about 1-tuples and pairs that belongs to the point alone.
  [[nodiscard]] double residual_share(Eigen::Index row) const {
    return kernel_.variances()[2] * precision_of(noise_[row]);
  }
  void set_features();
  void learn_rows();
  void condition(Eigen::Index row, double change);
  [[nodiscard]] auto known_rows() const { return rows_.leftCols(size_); }
  [[nodiscard]] double pair_evidence(const AxisPair& pair, const Eigen::VectorXd& precisions,
                                     const Eigen::MatrixXd& weighted,
                                     const Eigen::VectorXd& residual) const;
  [[nodiscard]] std::vector<AxisPair> choose_pairs();

  TupleRegressionOptions options_;
  TupleFeatures features_;
  Eigen::MatrixXd rows_;  ///< features, a column per row
  Eigen::VectorXd posterior_means_;
  Eigen::MatrixXd covariance_;  ///< posterior, of the weights; the upper triangle after `solve`
  Eigen::VectorXd weights_;     ///< posterior mean
  Eigen::VectorXd moments_;     ///< sum of precision * (mean - trend) * features
};

}  // namespace ntune
