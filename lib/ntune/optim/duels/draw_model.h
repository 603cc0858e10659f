#pragma once

#include <cmath>

namespace ntune {

/// The share of draws of equal players, where `drawn` of `games` were draws: as if 40 games had
/// come before them, 30 % of which were drawn.
inline double share_of_draws(double drawn = 0.0, double games = 0.0) {
  constexpr double kBefore = 40.0;
  constexpr double kDrawnBefore = 0.3;
  return (drawn + kBefore * kDrawnBefore) / (games + kBefore);
}

/// Wins, draws and losses of two players whose strengths differ by g (Davidson 1970, "On extending
/// the Bradley-Terry model to accommodate ties"): their probabilities are as e^(g/2) to nu to
/// e^(-g/2). Without draws it is the logistic model of Elo. Games then have the likelihood of one
/// parameter g with the points as its sufficient statistic.
class DrawModel {
 public:
  explicit DrawModel(double nu = 0.0) : nu_(nu) {}
  /// The model in which equal players draw this share of their games, in [0, 1).
  static DrawModel of_draws(double share) { return DrawModel(2.0 * share / (1.0 - share)); }

  /// The parameter of draws, >= 0.
  [[nodiscard]] double nu() const { return nu_; }
  /// Strength per Elo between players of equal strength.
  [[nodiscard]] double per_elo() const { return std::log(10.0) / 400.0 * (2.0 + nu_) / 2.0; }
  /// Expected points per game less 1/2.
  [[nodiscard]] double excess(double g) const {
    const Terms t(g);
    return t.sinh / (2.0 * t.cosh + nu_ * t.scale);
  }
  /// Variance of the points of a game, which is also the slope of `excess`.
  [[nodiscard]] double variance(double g) const {
    const Terms t(g);
    const double sum = 2.0 * t.cosh + nu_ * t.scale;
    return (t.scale * t.scale + 0.5 * nu_ * t.cosh * t.scale) / (sum * sum);
  }
  [[nodiscard]] double draw_probability(double g) const {
    const Terms t(g);
    return nu_ * t.scale / (2.0 * t.cosh + nu_ * t.scale);
  }
  /// The difference of strength with these expected points per game, within (0, 1).
  [[nodiscard]] double strength(double score) const {
    // With t = e^(g/2), the score is (t + nu/2) / (t + 1/t + nu), a quadratic equation of t.
    const double half = 0.5 * nu_ * (score - 0.5);
    const double t = (half + std::sqrt(half * half + score * (1.0 - score))) / (1.0 - score);
    return 2.0 * std::log(t);
  }
  /// Logarithm of the sum of the three weights: of games with S points more than half of N, the
  /// likelihood's logarithm is S g - N log_sum(g).
  [[nodiscard]] double log_sum(double g) const {
    const Terms t(g);
    return std::abs(g) / 2.0 + std::log(2.0 * t.cosh + nu_ * t.scale);
  }

 private:
  /// cosh, sinh and 1 times e^(-|g|/2), which never overflow.
  struct Terms {
    explicit Terms(double g)
        : scale(std::exp(-std::abs(g) / 2.0)),
          cosh(0.5 + 0.5 * scale * scale),
          sinh(std::copysign(0.5 - 0.5 * scale * scale, g)) {}
    double scale;
    double cosh;
    double sinh;
  };

  double nu_;
};

}  // namespace ntune
