#pragma once

#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "ntune/optim/gaussian/bayesian_model.h"
#include "ntune/optim/gaussian/tuple_features.h"
#include "ntune/space/search_space.h"

namespace ntune {

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
