#pragma once

#include <memory>
#include <span>

#include <Eigen/Core>

#include "ntune/optim/gaussian/bayesian_model.h"
#include "ntune/space/search_space.h"

namespace ntune {

/// Gaussian-process regression with one row per distinct point, whose noise is that of its mean
/// (Rasmussen and Williams 2006, algorithm 2.1). A new point appends a row to the Cholesky factor
/// and another payoff of a known one is an update of rank one: both take O(rows^2).
class GaussianProcess final : public BayesianModel {
 public:
  GaussianProcess(const SearchSpace& space, KernelForm form);

  [[nodiscard]] std::unique_ptr<BayesianModel> clone() const override {
    return std::make_unique<GaussianProcess>(*this);
  }
  void append(const Point& point, const BayesianRow& row) override;
  void update(Eigen::Index row, const BayesianRow& known) override;
  /// O(rows^3).
  void reset(const BayesianParameters& parameters, const Eigen::VectorXd& means,
             const Eigen::VectorXd& visits) override;
  /// O(rows^2).
  void solve() override;

  /// As (K + N) a = y - trend for the weights a, the posterior mean trend + K a is y - N a.
  [[nodiscard]] double mean(Eigen::Index row) const override {
    return means_[row] - noise_[row] * weights_[row];
  }
  [[nodiscard]] std::unique_ptr<Posterior> predict(
      std::span<const Query> candidates) const override;

 private:
  class Predicted;

  void make_room(Eigen::Index capacity) override;
  void add_to_diagonal(Eigen::Index row, double change);
  [[nodiscard]] auto factor() const { return factor_.topLeftCorner(size_, size_); }

  Eigen::VectorXd weights_;  ///< (K + noise)^-1 (means - trend)
  Eigen::MatrixXd factor_;   ///< Cholesky factor of K + noise, lower triangle
  Eigen::VectorXd update_;   ///< space for updates
};

}  // namespace ntune
