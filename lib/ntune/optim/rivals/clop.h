#pragma once

#include <vector>

#include <Eigen/Core>

#include "ntune/optim/duels/match_search.h"

namespace ntune {

class Options;

struct ClopOptions {
  double h = 3.0;  ///< H: so many deviations below the mean a weight falls by a factor of e
  double prior_precision = 0.01;

  void visit(Options& options);
};

/// CLOP: confident local optimisation for noisy black-box parameter tuning (Coulom 2011, Advances
/// in Computer Games 13). All points meet the default. The strength is a quadratic function q of
/// the parameters, each scaled to [-1, 1], by logistic regression with weights. Let mu be the
/// strength of the weighted mean score, and sigma its standard deviation. A point whose strength is
/// below mu has the weight e^((q(x) - mu) / (H sigma)), any other 1. The regression is repeated
/// with these weights, each the least so far, until they stay. The next point is drawn with its
/// weight as the density, by a Gibbs sampler over the parameters from the last one. Recommends the
/// weighted mean of all points.
///
/// Here draws are half a win, the regression is repeated when 10 % more matches are known (25 %
/// beyond 1,000), and parameters without order move along their values as written. With more than
/// kMostPaired parameters the quadratic function has no products of two of them.
class Clop final : public MatchSearch {
 public:
  Clop(const ClopOptions& options, const OptimiserContext& context);

  Proposal ask(Rng& rng) override;
  [[nodiscard]] Recommendation recommend() const override;

  static constexpr std::size_t kMostPaired = 32;

  /// A regression: terms 1, x_i and x_i x_j (j <= i), and what makes weights of it.
  struct Regression {
    Eigen::VectorXd coefficients;
    double mean = 0.0;       ///< mu
    double deviation = 1.0;  ///< sigma
  };
  /// The weighted regression of points, a row of terms each, with their games and scores. Newton's
  /// method from `start`, which may be empty.
  static Regression regress(const Eigen::MatrixXd& terms, const Eigen::VectorXd& games,
                            const Eigen::VectorXd& scores, const Eigen::VectorXd& weights,
                            double prior_precision, const Eigen::VectorXd& start);
  /// 1, x_i and x_i x_j, or x_i^2 alone.
  static Eigen::VectorXd terms_of(const std::vector<double>& place);

 private:
  [[nodiscard]] std::vector<double> place_of(const Point& point) const;
  [[nodiscard]] double log_weight(const std::vector<double>& place) const;
  void learn(const Point& point, const Point& opponent, const MatchResult& result) override;
  void fit();
  void move(std::size_t axis, Rng& rng);
  void jump(Rng& rng);

  ClopOptions options_;
  std::vector<int> axes_;  ///< parameters with several values
  std::vector<std::vector<double>> places_;
  std::vector<double> games_;
  std::vector<double> scores_;
  std::vector<Regression> regressions_;  ///< of the last fit, all of them
  std::size_t fitted_ = 0;               ///< places that it has seen
  Point last_;
  bool blocked_ = false;  ///< a move of the last sweep led to a forbidden point
};

}  // namespace ntune
