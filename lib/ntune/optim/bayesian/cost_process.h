#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ntune/optim/bayesian/payoff_scale.h"
#include "ntune/optim/gaussian/gaussian_process.h"
#include "ntune/optim/models/sampled_points.h"

namespace ntune {

/// What evaluations cost, as a function of the parameters: a Gaussian process of the logarithms
/// (Snoek, Larochelle and Adams 2012, section 3.2), with the covariance of NTBEA's tuples. Its
/// hyperparameters are fitted when the number of costs has grown by half. It learns from the first
/// 2,000 points.
class CostProcess {
 public:
  explicit CostProcess(const SearchSpace& space);

  /// A cost >= 0; one far below the mean of all so far counts as a thousandth of it. O(points^2).
  void add(const Point& point, double cost);
  /// The natural logarithms of what the candidates are expected to cost, up to a common constant;
  /// all 0 where too little is known. O(candidates * points).
  [[nodiscard]] Eigen::VectorXd logarithms(std::span<const Query> candidates);

 private:
  static constexpr std::size_t kMostPoints = 2000;

  void fit();

  SampledPoints points_;  ///< with shifted logarithms; a row of process_ for each
  PayoffScale scale_;
  GaussianProcess process_;
  double sum_ = 0.0;           ///< of all costs
  std::int64_t costs_ = 0;     ///< their number
  std::int64_t next_fit_ = 0;  ///< costs at the next fit
  bool fitted_ = false;
  bool unsolved_ = false;
};

}  // namespace ntune
