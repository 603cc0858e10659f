#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "ntune/space/search_space.h"

namespace ntune {

/// Points as a StrengthKernel sees them.
class StrengthPoints {
 public:
  explicit StrengthPoints(std::size_t axes) : axes_(axes) {}

  [[nodiscard]] std::size_t size() const { return bends_.size(); }
  /// The codes of point i, one for every axis.
  [[nodiscard]] const std::uint8_t* operator[](std::size_t i) const {
    return codes_.data() + i * axes_;
  }

 private:
  friend class StrengthKernel;
  std::size_t axes_;
  std::vector<std::uint8_t> codes_;
  std::vector<double> bends_;
};

/// What is believed of the strengths of points before any game, in Elo. The strength is the sum of
/// - a bend: eta times the sum of a parabola in every ordered parameter, highest at the default. As
///   eta is about 0.7, the strength is expected to fall far from what is used today;
/// - a smooth function of each parameter, of any values where they have no order;
/// - a function of each pair of parameters, the products of such functions;
/// - a function of all parameters, which is local. Where they are ordered it is expected to be
///   small, and the smaller the more there are. Points that differ in many share nothing of it, so
///   that it acts like noise that no number of games takes away.
///
/// Variances of the parameters, of pairs and of the local part are hyperparameters. An inactive
/// parameter adds nothing. Parameters with more than kMostLevels values are seen in so many levels.
class StrengthKernel {
 public:
  static constexpr int kMostLevels = 65;
  /// Natural logarithms: a variance in Elo^2 for every axis, then two shares of their sum, those of
  /// pairs and of the local part.
  using Parameters = Eigen::VectorXd;

  /// The centre is the default, or any other point.
  StrengthKernel(const SearchSpace& space, const Point& centre);

  /// Number of parameters with several values.
  [[nodiscard]] std::size_t axes() const { return axes_.size(); }
  [[nodiscard]] const SearchSpace& space() const { return *space_; }
  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  void set(const Parameters& parameters);
  /// Logarithm of the hyperparameters' prior density, but for a constant, and its slopes.
  [[nodiscard]] double log_prior(const Parameters& parameters) const;
  [[nodiscard]] Parameters prior_slopes(const Parameters& parameters) const;
  /// All variances times a factor, given by its logarithm; the shares stay.
  [[nodiscard]] Parameters scaled(Parameters parameters, double log_factor) const;
  /// The nearest parameters within their ranges.
  [[nodiscard]] Parameters clamped(Parameters parameters) const;

  void append(StrengthPoints& points, const Point& point) const;
  [[nodiscard]] StrengthPoints encode(const Point& point) const;
  /// Brings points that were appended before the last `set` up to date.
  void refresh(StrengthPoints& points) const;

  /// Expected strength of a point.
  [[nodiscard]] double mean(const StrengthPoints& points, std::size_t i) const {
    return kBend * points.bends_[i];
  }
  /// Covariances of points[i] with all `others`.
  void covariances(const StrengthPoints& points, std::size_t i, const StrengthPoints& others,
                   double* result) const;
  /// Sum over all pairs of points of weight times d covariance / d parameter, where the matrix of
  /// weights is symmetric, plus the sum over all points of mean weight times d mean / d parameter.
  [[nodiscard]] Parameters slopes(const StrengthPoints& points, const Eigen::MatrixXd& weights,
                                  const Eigen::VectorXd& mean_weights) const;

  /// Climbs from an allowed point along one parameter at a time to a maximum of
  /// mean(x) + sum of weights[p] * covariance(x, points[p]).
  [[nodiscard]] Point climb(const Point& from, const StrengthPoints& points,
                            const Eigen::VectorXd& weights) const;

  /// A row and a column for each level, and last for an inactive parameter.
  using Table = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  /// A parameter with several values.
  struct Axis {
    int parameter = 0;
    int values = 0;
    int levels = 0;
    bool ordered = false;
    double centre = 0.0;            ///< of the bend, as a share of the range
    Table base = {};                ///< covariance of mean variance 1
    Table smooth = {};              ///< `base` times the variance of this axis
    Table local = {};               ///< factor of the local part
    std::vector<double> bend = {};  ///< parabola of each level, <= 0

    [[nodiscard]] std::size_t codes() const { return static_cast<std::size_t>(levels) + 1; }
    [[nodiscard]] int level_of(int value) const;
    [[nodiscard]] std::uint16_t value_of(int level) const;
  };
  [[nodiscard]] const std::vector<Axis>& all_axes() const { return axes_; }

 private:
  static constexpr double kBend = 0.7;    ///< expectation of eta
  static constexpr double kBendSd = 0.5;  ///< its standard deviation
  class Rows;

  void make_base(Axis& axis) const;
  void encode_into(const Point& point, std::uint8_t* codes) const;
  [[nodiscard]] double bend_of(const std::uint8_t* codes) const;
  [[nodiscard]] double rating(const Point& point, const StrengthPoints& points,
                              const Eigen::VectorXd& weights) const;
  [[nodiscard]] Point climb_constrained(Point point, const StrengthPoints& points,
                                        const Eigen::VectorXd& weights) const;
  [[nodiscard]] std::size_t pairs() const { return axes_.size(); }
  [[nodiscard]] std::size_t local() const { return axes_.size() + 1; }

  const SearchSpace* space_;
  std::vector<Axis> axes_;
  Parameters parameters_;
  double total_ = 0.0;        ///< sum of the axes' variances
  double pair_factor_ = 0.0;  ///< of a product of two smooth functions
  double local_variance_ = 0.0;
  double expected_local_ = 0.0;  ///< logarithm of the local part's share, before any game
};

}  // namespace ntune
