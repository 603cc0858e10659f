#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "ntune/optim/base/optimiser.h"
#include "ntune/optim/duels/draw_model.h"
#include "ntune/optim/duels/strength_kernel.h"
#include "ntune/optim/gaussian/latent_mode.h"

namespace ntune {

/// The sum of all matches between two points.
struct Duel {
  std::size_t first = 0;   ///< of the process' points
  std::size_t second = 0;  ///< a later one
  double matches = 0.0;
  double games = 0.0;
  double points = 0.0;   ///< won by the first player
  double squares = 0.0;  ///< sum over matches of games times the squared score per game
  double counted = 0.0;  ///< games whose draws were counted
  double drawn = 0.0;
};

/// A normal distribution of several differences of strength.
struct StrengthBelief {
  Eigen::VectorXd means;
  Eigen::MatrixXd covariance;
};

/// A Gaussian process of strengths that learns from matches (preference learning: Chu and
/// Ghahramani 2005; with Laplace's approximation as in Rasmussen and Williams 2006, algorithms 3.1
/// and 5.1). Its observations are duels: however often two points meet, they are one row, so that a
/// fit costs O(duels^3). The games of a match may depend on one another, as those of one opening
/// do: the dispersion is the variance of scores over that of independent games, and its inverse
/// weighs the likelihood. Strengths are those of DrawModel.
class DuelProcess {
 public:
  DuelProcess(const SearchSpace& space, const Point& centre);

  /// A match, before the next fit.
  void record(const Point& first, const Point& second, const MatchResult& result);
  /// Forgets the matches of such points, before the next fit.
  void leave_out(const std::function<bool(const Point&)>& points);
  [[nodiscard]] const std::vector<Duel>& duels() const { return duels_; }
  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  [[nodiscard]] double matches() const { return matches_; }
  [[nodiscard]] double games() const { return games_; }

  /// Strengths given all matches.
  void fit();
  /// Hyperparameters by so many steps towards the highest posterior density, and the fit.
  void learn(int steps);
  /// The fit by these hyperparameters, without another look at draws and dispersion.
  void fit_with(const StrengthKernel::Parameters& parameters);

  // What follows is of the last fit.
  [[nodiscard]] const DrawModel& draws() const { return draws_; }
  [[nodiscard]] double dispersion() const { return dispersion_; }
  [[nodiscard]] const StrengthKernel& kernel() const { return kernel_; }
  /// Logarithm of the posterior density of the hyperparameters, but for a constant.
  [[nodiscard]] double log_evidence() const {
    return mode_.log_evidence() + kernel_.log_prior(kernel_.parameters());
  }
  /// Strength of a point; differences of two of them mean something.
  [[nodiscard]] double mean(const Point& point) const;
  /// Strengths of the points that have played.
  [[nodiscard]] Eigen::VectorXd means() const;
  /// The points with the highest means among those that have played, best first.
  [[nodiscard]] std::vector<Point> strongest(std::size_t count) const;
  /// The local maximum of the mean that coordinate ascent reaches from a point.
  [[nodiscard]] Point climb(const Point& from) const;
  /// Differences of strength between points, given by their indices in `points`.
  [[nodiscard]] StrengthBelief believe(
      const StrengthPoints& points,
      const std::vector<std::pair<std::size_t, std::size_t>>& pairs) const;
  [[nodiscard]] Belief difference(const Point& first, const Point& second) const;

 private:
  std::size_t index_of(const Point& point);
  void update_draws();
  void update_covariances();
  [[nodiscard]] Eigen::MatrixXd duel_covariances() const;
  [[nodiscard]] Eigen::VectorXd duel_means() const;
  [[nodiscard]] Sites sites_about(const Eigen::VectorXd& differences,
                                  const Eigen::VectorXd& expected) const;
  [[nodiscard]] double log_likelihood(const Eigen::VectorXd& differences) const;
  void solve();
  [[nodiscard]] StrengthKernel::Parameters slopes() const;

  StrengthKernel kernel_;
  StrengthPoints encoded_;
  std::vector<Point> points_;
  std::unordered_map<Point, std::size_t> indices_;
  std::vector<Duel> duels_;
  std::unordered_map<std::uint64_t, std::size_t> duel_of_;
  double matches_ = 0.0;
  double games_ = 0.0;
  double counted_ = 0.0;  ///< games whose draws were counted
  double drawn_ = 0.0;

  DrawModel draws_;
  double dispersion_ = 1.0;
  Eigen::MatrixXd covariances_;  ///< of the points, in Elo^2
  Eigen::Index covered_ = 0;     ///< points that they are up to date for
  LatentMode mode_;              ///< of the differences of strength, a row per duel
  Eigen::VectorXd weights_;      ///< of the points, in Elo
};

}  // namespace ntune
