#include "ntune/optim/duels/strength_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ntune/core/rng.h"
#include "ntune/space/parameter.h"

namespace ntune {

namespace {

// These are lengths of the squared exponential covariance, and constants of the header's four
// parts.
constexpr double kSmoothLength = 0.6;  ///< of the range
constexpr double kLocalLength = 0.35;  ///< of the range
constexpr double kUnlike = 1.4;        ///< distance of two values without an order, in lengths
constexpr double kParabola = 7.0;      ///< so much a bend falls in a whole range, in deviations
constexpr double kTotalSd = 60.0;      ///< Elo, of all smooth functions together
constexpr double kPairShare = 0.8;     ///< divided by the number of axes
// The local part of few parameters with an order, that of many times the number of axes, and that
// of parameters without (benchmarks/results/duels.md).
constexpr double kOrderedLocalShare = 0.03;
constexpr double kOrderedLocalSum = 0.12;
constexpr double kUnorderedLocalShare = 0.1;
// These are standard deviations and variances of the hyperparameters' prior, all in logarithms.
constexpr double kAxisSd = 1.2;  ///< of an axis' variance about their mean
constexpr double kTotalVariance = 1.5 * 1.5;
constexpr double kPairVariance = 1.3 * 1.3;

}  // namespace

int StrengthKernel::Axis::level_of(int value) const {
  if (levels == values) return value;
  // Where there are more values than levels, the levels are evenly spread over the indices, and
  // both ends have one.
  return static_cast<int>(std::lround(static_cast<double>(value) * (levels - 1) / (values - 1)));
}

std::uint16_t StrengthKernel::Axis::value_of(int level) const {
  if (levels == values) return static_cast<std::uint16_t>(level);
  return static_cast<std::uint16_t>(
      std::lround(static_cast<double>(level) * (values - 1) / (levels - 1)));
}

StrengthKernel::StrengthKernel(const SearchSpace& space, const Point& centre) : space_(&space) {
  for (int i = 0; i < space.dimensions(); ++i) {
    const Parameter& parameter = space[i];
    if (parameter.cardinality() < 2) continue;
    Axis axis{.parameter = i,
              .values = parameter.cardinality(),
              .levels = std::min(parameter.cardinality(), kMostLevels),
              .ordered = parameter.ordered};
    // The bend is highest at the default, or in the middle of a parameter that is inactive there.
    const bool centred = space.is_active(centre, i);
    axis.centre = centred ? place_of(parameter, centre[i]) / (axis.values - 1) : 0.5;
    make_base(axis);
    axes_.push_back(std::move(axis));
  }
  // The hyperparameters start at the modes of their priors, so that `log_prior` begins at 0. The
  // local share is interpolated in logarithms between all axes ordered and none.
  const auto count = static_cast<double>(std::max<std::size_t>(1, axes_.size()));
  const auto ordered = static_cast<double>(std::ranges::count_if(axes_, &Axis::ordered));
  const double ordered_local = std::min(kOrderedLocalShare, kOrderedLocalSum / count);
  expected_local_ =
      std::lerp(std::log(kUnorderedLocalShare), std::log(ordered_local), ordered / count);
  Parameters parameters(static_cast<Eigen::Index>(axes_.size() + 2));
  parameters.setConstant(std::log(kTotalSd * kTotalSd / count));
  parameters[static_cast<Eigen::Index>(pairs())] = std::log(kPairShare / count);
  parameters[static_cast<Eigen::Index>(local())] = expected_local_;
  set(parameters);
}

/// Covariance of a function along the axis that has mean 0 over its values and mean variance 1.
void StrengthKernel::make_base(Axis& axis) const {
  const int n = axis.levels;
  // An ordered axis has the squared exponential covariance. Values without an order are
  // independent.
  Eigen::MatrixXd k(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double apart = static_cast<double>(i - j) / (n - 1) / kSmoothLength;
      k(i, j) = axis.ordered ? std::exp(-0.5 * apart * apart) : (i == j ? 1.0 : 0.0);
    }
  }
  // This turns k into the covariance of f less its mean over the values: k - row mean - column mean
  // + mean of all. A constant would be shared by all points and cancel in every difference.
  const Eigen::VectorXd means = k.rowwise().mean();
  k.array() += means.mean();
  k.colwise() -= means;
  k.rowwise() -= means.transpose();
  k /= k.diagonal().mean();
  // The last code stands for an inactive parameter. Its covariances stay 0: it adds no strength.
  axis.base.setZero(n + 1, n + 1);
  axis.base.topLeftCorner(n, n) = k;
}

/// Makes all tables that depend on the hyperparameters, so that a covariance is a few look-ups for
/// every axis. Points that were encoded before need `refresh`, as their bends change.
void StrengthKernel::set(const Parameters& parameters) {
  parameters_ = parameters;
  const auto count = static_cast<Eigen::Index>(axes_.size());
  // The share of pairs is divided by the total, since a product of two functions has the product of
  // their variances. So all pairs together have about half this share of the total.
  total_ = count == 0 ? 1.0 : parameters.head(count).array().exp().sum();
  pair_factor_ = std::exp(parameters[count]) / total_;
  local_variance_ = std::exp(parameters[count + 1]) * total_;
  const double most = count == 0 ? 0.0 : parameters.head(count).maxCoeff();
  for (Eigen::Index i = 0; i < count; ++i) {
    Axis& axis = axes_[static_cast<std::size_t>(i)];
    const double variance = std::exp(parameters[i]);
    // An axis of little variance tells points apart less in the local part too; 1 for the largest.
    const double relevance = std::exp(0.5 * (parameters[i] - most));
    axis.smooth = variance * axis.base;
    axis.local.resizeLike(axis.base);
    axis.bend.assign(axis.codes(), 0.0);
    for (int u = 0; u <= axis.levels; ++u) {
      for (int v = 0; v <= axis.levels; ++v) {
        // The distance is in local lengths. Between an active and an inactive parameter it is as
        // large as between two unordered values.
        const bool both = u < axis.levels && v < axis.levels;
        const double apart = static_cast<double>(std::abs(u - v)) / (axis.levels - 1);
        const double distance =
            axis.ordered && both ? apart / kLocalLength : (u == v ? 0.0 : kUnlike);
        axis.local(u, v) = std::exp(-0.5 * relevance * distance * distance);
      }
      // A parabola needs an order and three levels. Its height goes with the deviation of the axis.
      if (!axis.ordered || axis.levels < 3 || u == axis.levels) continue;
      const double from = static_cast<double>(u) / (axis.levels - 1) - axis.centre;
      axis.bend[static_cast<std::size_t>(u)] =
          -kParabola * std::exp(0.5 * parameters[i]) * from * from;
    }
  }
}

/// Adds up the log densities of four normal priors: of the axes' variances about their mean, of
/// this mean, of the share of pairs, and of the local share. The last one has a variance of 1.
double StrengthKernel::log_prior(const Parameters& parameters) const {
  const auto count = static_cast<Eigen::Index>(axes_.size());
  const auto axes = static_cast<double>(std::max<Eigen::Index>(1, count));
  const double mean = count == 0 ? 0.0 : parameters.head(count).mean();
  const auto square = [](double value) { return value * value; };
  const double spread = (parameters.head(count).array() - mean).square().sum();
  return -0.5 * (spread / (kAxisSd * kAxisSd) +
                 square(mean - std::log(kTotalSd * kTotalSd / axes)) / kTotalVariance +
                 square(parameters[count] - std::log(kPairShare / axes)) / kPairVariance +
                 square(parameters[count + 1] - expected_local_));
}

StrengthKernel::Parameters StrengthKernel::scaled(Parameters parameters, double log_factor) const {
  parameters.head(static_cast<Eigen::Index>(axes_.size())).array() += log_factor;
  return clamped(std::move(parameters));
}

StrengthKernel::Parameters StrengthKernel::prior_slopes(const Parameters& parameters) const {
  const auto count = static_cast<Eigen::Index>(axes_.size());
  const auto axes = static_cast<double>(std::max<Eigen::Index>(1, count));
  Parameters slopes = Parameters::Zero(parameters.size());
  const double mean = count == 0 ? 0.0 : parameters.head(count).mean();
  const double expected = std::log(kTotalSd * kTotalSd / axes);
  // The mean moves with each parameter, but its part in the spread cancels: deviations sum to 0.
  slopes.head(count) = -(parameters.head(count).array() - mean) / (kAxisSd * kAxisSd) -
                       (mean - expected) / kTotalVariance / axes;
  slopes[count] = -(parameters[count] - std::log(kPairShare / axes)) / kPairVariance;
  slopes[count + 1] = -(parameters[count + 1] - expected_local_);
  return slopes;
}

StrengthKernel::Parameters StrengthKernel::clamped(Parameters parameters) const {
  constexpr double kLeastSd = 0.3;  // Elo
  constexpr double kMostSd = 1000.0;
  constexpr double kLeastShare = 0.002;
  constexpr double kMostShare = 5.0;
  auto variances = parameters.head(static_cast<Eigen::Index>(axes_.size()));
  variances = variances.cwiseMax(2.0 * std::log(kLeastSd)).cwiseMin(2.0 * std::log(kMostSd));
  parameters.tail(2) =
      parameters.tail(2).cwiseMax(std::log(kLeastShare)).cwiseMin(std::log(kMostShare));
  return parameters;
}

void StrengthKernel::encode_into(const Point& point, std::uint8_t* codes) const {
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    const Axis& axis = axes_[a];
    // A parameter without a condition is always active, which saves the slower `is_active`.
    const bool active =
        (*space_)[axis.parameter].when.empty() || space_->is_active(point, axis.parameter);
    const int value = (*space_)[axis.parameter].nearest_on_grid(point[axis.parameter]);
    codes[a] = static_cast<std::uint8_t>(active ? axis.level_of(value) : axis.levels);
  }
}

double StrengthKernel::bend_of(const std::uint8_t* codes) const {
  double bend = 0.0;
  for (std::size_t a = 0; a < axes_.size(); ++a) bend += axes_[a].bend[codes[a]];
  return bend;
}

void StrengthKernel::append(StrengthPoints& points, const Point& point) const {
  points.codes_.resize(points.codes_.size() + axes_.size());
  encode_into(point, points.codes_.data() + points.bends_.size() * axes_.size());
  points.bends_.push_back(bend_of(points[points.bends_.size()]));
}

StrengthPoints StrengthKernel::encode(const Point& point) const {
  StrengthPoints points(axes_.size());
  append(points, point);
  return points;
}

void StrengthKernel::refresh(StrengthPoints& points) const {
  for (std::size_t i = 0; i < points.size(); ++i) points.bends_[i] = bend_of(points[i]);
}

/// The rows of the tables that belong to one point.
class StrengthKernel::Rows {
 public:
  Rows(const StrengthKernel& kernel, const std::uint8_t* codes) : axes_(kernel.axes_.size()) {
    for (std::size_t a = 0; a < axes_; ++a) {
      const Axis& axis = kernel.axes_[a];
      smooth_[a] = axis.smooth.data() + codes[a] * axis.codes();
      local_[a] = axis.local.data() + codes[a] * axis.codes();
    }
  }
  [[nodiscard]] double smooth(std::size_t axis, const std::uint8_t* other) const {
    return smooth_[axis][other[axis]];
  }
  /// Sum of the smooth covariances with another point, sum of their squares, and the local factor.
  struct Sums {
    double sum = 0.0;
    double squares = 0.0;
    double local = 1.0;
    [[nodiscard]] double pairs() const { return 0.5 * (sum * sum - squares); }
  };
  [[nodiscard]] Sums with(const std::uint8_t* other) const {
    Sums sums;
    for (std::size_t a = 0; a < axes_; ++a) {
      const double term = smooth_[a][other[a]];
      sums.sum += term;
      sums.squares += term * term;
      sums.local *= local_[a][other[a]];
    }
    return sums;
  }

 private:
  std::size_t axes_;
  std::array<const double*, kMaxDimensions> smooth_{};
  std::array<const double*, kMaxDimensions> local_{};
};

/// Adds up the header's four parts: single axes, pairs, the local part and the bends. The bends
/// have a common factor eta with the variance kBendSd^2.
void StrengthKernel::covariances(const StrengthPoints& points, std::size_t i,
                                 const StrengthPoints& others, double* result) const {
  const Rows rows(*this, points[i]);
  const double bend = kBendSd * kBendSd * points.bends_[i];
  for (std::size_t j = 0; j < others.size(); ++j) {
    const Rows::Sums sums = rows.with(others[j]);
    result[j] = sums.sum + pair_factor_ * sums.pairs() + local_variance_ * sums.local +
                bend * others.bends_[j];
  }
}

/// Returns derivatives by the logarithms of variances and shares. A variance also enters through
/// the total of all axes. The change of the relevances in the local part is left out.
StrengthKernel::Parameters StrengthKernel::slopes(const StrengthPoints& points,
                                                  const Eigen::MatrixXd& weights,
                                                  const Eigen::VectorXd& mean_weights) const {
  const std::size_t count = axes_.size();
  Parameters slopes = Parameters::Zero(static_cast<Eigen::Index>(count + 2));
  // The pairs are divided by the total variance T and the local part is multiplied by it. With v =
  // e^parameter a change of T adds v (local - pairs) / T to the slope of an axis.
  double common = 0.0;  // what the sum of the variances divides or multiplies
  for (std::size_t p = 0; p < points.size(); ++p) {
    const Rows rows(*this, points[p]);
    // Both matrices are symmetric, so that entries below the diagonal count twice.
    for (std::size_t r = 0; r <= p; ++r) {
      const double weight = weights(static_cast<Eigen::Index>(p), static_cast<Eigen::Index>(r)) *
                            (p == r ? 1.0 : 2.0);
      if (weight == 0.0) continue;
      const Rows::Sums sums = rows.with(points[r]);
      const double pair_part = weight * pair_factor_ * sums.pairs();
      const double local_part = weight * local_variance_ * sums.local;
      slopes[static_cast<Eigen::Index>(pairs())] += pair_part;
      slopes[static_cast<Eigen::Index>(local())] += local_part;
      common += (local_part - pair_part) / total_;
      // With s_a the covariance of axis a, `sum` is that of all s_a and `pairs` that of all s_a
      // s_b. So the derivative of sum + factor * pairs by log v_a is s_a (1 + factor * (sum -
      // s_a)).
      const double linear = weight * (1.0 + pair_factor_ * sums.sum);
      const double square = weight * pair_factor_;
      for (std::size_t a = 0; a < count; ++a) {
        const double term = rows.smooth(a, points[r]);
        slopes[static_cast<Eigen::Index>(a)] += term * (linear - square * term);
      }
    }
  }
  // A bend grows with the root of its variance, so its derivative is half of it. In the covariance
  // it stands twice, which makes up for the half. In the mean it stands once.
  const Eigen::Map<const Eigen::VectorXd> bends(points.bends_.data(),
                                                static_cast<Eigen::Index>(points.size()));
  const Eigen::VectorXd bend_weights =
      kBendSd * kBendSd * (weights * bends) + 0.5 * kBend * mean_weights;
  for (std::size_t a = 0; a < count; ++a) {
    const auto index = static_cast<Eigen::Index>(a);
    slopes[index] += common * std::exp(parameters_[index]);
    for (std::size_t p = 0; p < points.size(); ++p) {
      slopes[index] += axes_[a].bend[points[p][a]] * bend_weights[static_cast<Eigen::Index>(p)];
    }
  }
  return slopes;
}

/// Returns what `climb` maximises, for one point.
double StrengthKernel::rating(const Point& point, const StrengthPoints& points,
                              const Eigen::VectorXd& weights) const {
  const StrengthPoints one = encode(point);
  Eigen::VectorXd covariance(static_cast<Eigen::Index>(points.size()));
  covariances(one, 0, points, covariance.data());
  return mean(one, 0) + covariance.dot(weights);
}

/// This is coordinate ascent. Sums over all axes are kept for every known point. So the levels of
/// an axis cost one pass over the points plus the square of the number of levels.
Point StrengthKernel::climb(const Point& from, const StrengthPoints& points,
                            const Eigen::VectorXd& weights) const {
  constexpr int kSweeps = 6;
  constexpr double kLeastGain = 1e-9;
  constexpr double kTiny = 1e-12;
  if (space_->constrained()) return climb_constrained(from, points, weights);
  std::vector<std::uint8_t> codes(axes_.size());
  encode_into(from, codes.data());
  const std::size_t count = points.size();
  std::vector<double> sums(count);
  std::vector<double> locals(count);
  double bend_weight = kBend;
  {
    // Each known point starts with its sum of smooth covariances and its local factor with `from`.
    // The weight of the bends is the posterior mean of eta.
    const Rows rows(*this, codes.data());
    for (std::size_t p = 0; p < count; ++p) {
      const Rows::Sums found = rows.with(points[p]);
      sums[p] = found.sum;
      locals[p] = found.local;
      bend_weight += kBendSd * kBendSd * weights[static_cast<Eigen::Index>(p)] * points.bends_[p];
    }
  }
  std::vector<double> smooth_by_code;
  std::vector<double> local_by_code;
  Point point = from;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool moved = false;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const Axis& axis = axes_[a];
      const std::size_t n = axis.codes();
      const double* smooth = axis.smooth.data() + codes[a] * n;
      const double* local = axis.local.data() + codes[a] * n;
      // Known points with equal codes on this axis share one weight per code. In it this axis is
      // taken out of the sums and of the local factor.
      smooth_by_code.assign(n, 0.0);
      local_by_code.assign(n, 0.0);
      for (std::size_t p = 0; p < count; ++p) {
        const std::size_t u = points[p][a];
        const double weight = weights[static_cast<Eigen::Index>(p)];
        smooth_by_code[u] += weight * (1.0 + pair_factor_ * (sums[p] - smooth[u]));
        local_by_code[u] += weight * local_variance_ * locals[p] / std::max(kTiny, local[u]);
      }
      // `value` is the rating of level v, but for what does not depend on this axis. The last code,
      // of an inactive parameter, is no choice.
      double best = -std::numeric_limits<double>::infinity();
      std::size_t chosen = codes[a];
      double current = best;
      for (std::size_t v = 0; v + 1 < n; ++v) {
        double value = bend_weight * axis.bend[v];
        for (std::size_t u = 0; u < n; ++u) {
          value += axis.smooth.data()[v * n + u] * smooth_by_code[u] +
                   axis.local.data()[v * n + u] * local_by_code[u];
        }
        if (v == codes[a]) current = value;
        if (value > best) {
          best = value;
          chosen = v;
        }
      }
      // A least gain is asked for, lest rounding moves the point to and fro between equal levels.
      if (best <= current + kLeastGain) continue;
      moved = true;
      // The point moves, and the sums and factors of all known points follow.
      const double* new_smooth = axis.smooth.data() + chosen * n;
      const double* new_local = axis.local.data() + chosen * n;
      for (std::size_t p = 0; p < count; ++p) {
        const std::size_t u = points[p][a];
        sums[p] += new_smooth[u] - smooth[u];
        locals[p] *= new_local[u] / std::max(kTiny, local[u]);
      }
      codes[a] = static_cast<std::uint8_t>(chosen);
      point[axis.parameter] = axis.value_of(static_cast<int>(chosen));
    }
    if (!moved) break;
  }
  return point;
}

/// Climbs where conditions or constraints forbid some points. Each value of a parameter is settled,
/// checked and rated as a whole point, which is slower than `climb`.
Point StrengthKernel::climb_constrained(Point point, const StrengthPoints& points,
                                        const Eigen::VectorXd& weights) const {
  constexpr int kSweeps = 6;
  constexpr double kLeastGain = 1e-9;
  Rng rng(1);  // the values of parameters that become active
  double best = rating(point, points, weights);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool moved = false;
    for (const Axis& axis : axes_) {
      if (!space_->is_active(point, axis.parameter)) continue;
      for (int level = 0; level < axis.levels; ++level) {
        Point next = point;
        next[axis.parameter] = axis.value_of(level);
        if (next == point) continue;
        space_->settle(next, point, rng);
        if (!space_->is_allowed(next)) continue;
        const double value = rating(next, points, weights);
        if (value <= best + kLeastGain) continue;
        best = value;
        point = next;
        moved = true;
        // Settling may have made this parameter inactive, and then its levels mean nothing.
        if (!space_->is_active(point, axis.parameter)) break;
      }
    }
    if (!moved) break;
  }
  return point;
}

}  // namespace ntune
