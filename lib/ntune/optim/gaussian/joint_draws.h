#pragma once

#include <utility>

#include <Eigen/Cholesky>

#include "ntune/core/rng.h"

namespace ntune {

/// Draws from a joint normal distribution, whose covariance may be singular.
class JointDraws {
 public:
  JointDraws(Eigen::VectorXd means, Eigen::MatrixXd covariance) : means_(std::move(means)) {
    constexpr double kJitter = 1e-9;
    covariance.diagonal().array() += kJitter;
    factor_.compute(covariance);
    scales_ = factor_.vectorD().array().max(0.0).sqrt();
  }

  /// One draw of all values together.
  Eigen::VectorXd draw(Rng& rng) const {
    Eigen::VectorXd draw(means_.size());
    for (double& deviate : draw) deviate = rng.normal();
    draw = scales_.array() * draw.array();
    draw = factor_.matrixL() * draw;
    draw = factor_.transpositionsP().transpose() * draw;
    return draw + means_;
  }

 private:
  Eigen::VectorXd means_;
  Eigen::LDLT<Eigen::MatrixXd> factor_;
  Eigen::VectorXd scales_;
};

}  // namespace ntune
