#pragma once

#include <functional>

#include <Eigen/Core>

namespace ntune {

/// The likelihood about some latent values as a normal factor for each row.
struct Sites {
  Eigen::VectorXd precisions;  ///< minus the second derivative of the log likelihood, > 0
  /// Precision times what the latent value is above its prior mean, plus the slope of the log
  /// likelihood.
  Eigen::VectorXd weights;
};

/// A likelihood of latent values, which is a product over the rows.
struct Likelihood {
  std::function<Sites(const Eigen::VectorXd& latents)> sites;
  std::function<double(const Eigen::VectorXd& latents)> logarithm;  ///< up to a constant
};

/// B = 1 + R K R with the roots R of some precisions, by its Cholesky factor L. Its eigenvalues are
/// at least 1, so that K may be singular.
class RootFactor {
 public:
  RootFactor() = default;
  RootFactor(const Eigen::MatrixXd& covariance, const Eigen::VectorXd& precisions);

  [[nodiscard]] bool empty() const { return roots_.size() == 0; }
  [[nodiscard]] const Eigen::VectorXd& roots() const { return roots_; }
  [[nodiscard]] double half_log_determinant() const {
    return factor_.diagonal().array().log().sum();
  }
  /// (K + 1 / precisions)^-1 v
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& vector) const;
  /// C R L'^-1 for covariances C of any values with the latent ones, a row for each of them. Its
  /// product with itself is what the rows take from the prior covariance of these values.
  [[nodiscard]] Eigen::MatrixXd known(const Eigen::MatrixXd& covariances) const;
  /// The lower triangle of B^-1.
  [[nodiscard]] Eigen::MatrixXd inverse() const;

 private:
  Eigen::VectorXd roots_;
  Eigen::MatrixXd factor_;
};

/// The most likely latent values f under a normal prior.
struct LatentMode {
  Eigen::VectorXd latents = {};
  Eigen::VectorXd weights = {};  ///< a = K^-1 (f - prior mean)
  double log_density = 0.0;      ///< log likelihood - a' (f - prior mean) / 2
  RootFactor factor = {};        ///< of the precisions before the last step

  /// Laplace's approximation of the log evidence (Rasmussen and Williams 2006, equation 3.32).
  [[nodiscard]] double log_evidence() const { return log_density - factor.half_log_determinant(); }
};

/// Newton's method from `mode`, until no latent value moves by more than `tolerance` (Rasmussen
/// and Williams 2006, algorithm 3.1, with a prior mean). A step that lowers the density is halved.
/// Without weights any latent values may be the start, and the first step is not looked at.
LatentMode find_mode(const Eigen::MatrixXd& covariance, const Eigen::VectorXd& prior_mean,
                     const Likelihood& likelihood, LatentMode mode, double tolerance);

}  // namespace ntune
