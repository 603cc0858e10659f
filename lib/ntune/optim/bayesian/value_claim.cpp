#include "ntune/optim/bayesian/value_claim.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <Eigen/Cholesky>

#include "ntune/core/rng.h"
#include "ntune/core/statistics.h"

namespace ntune {

namespace {

/// Rows that weigh the settings, and rows that the settings of some weight predict from.
constexpr Eigen::Index kWeighed = 128;
constexpr Eigen::Index kPredicted = 400;

constexpr std::array kLengths = {0.3, 0.5, 0.85};
constexpr std::array kLengthPrior = {0.25, 0.5, 0.25};
/// Parts of the variance that are of single parameters, of pairs, and of all together.
constexpr std::array<std::array<double, 3>, 5> kParts = {
    {{0.8, 0.1, 0.1}, {0.1, 0.8, 0.1}, {0.1, 0.1, 0.8}, {0.34, 0.33, 0.33}, {0.45, 0.45, 0.1}}};
/// Logarithms of the variance, from that of the centre on, in steps.
constexpr int kVariancesBelow = 3;
constexpr int kVariancesAbove = 3;
constexpr double kVarianceStep = 0.8;
constexpr double kVarianceSd = 1.3;
constexpr std::array kNoises = {0.65, 1.0, 1.5};

/// Prior variances of the signal and of its mean, on the scale of the link.
struct LinkScale {
  double variance;
  double trend;
};
constexpr LinkScale kLogit = {1.5, 6.0};
constexpr LinkScale kIdentity = {0.6, 2.0};

struct Setting {
  std::size_t length = 0;
  std::array<double, 3> variances = {};
  double noise = 1.0;
  double log_prior = 0.0;
  double weight = 0.0;  ///< logarithm, up to a constant
};

/// Covariances of some rows with unit variance: of the three parts, for each length.
class Covariances {
 public:
  Covariances(PointKernel& kernel, const PointKernel::Codes& codes, double trend) : trend_(trend) {
    constexpr double kNone = -1e3;  // logarithm of a variance of 0
    const Eigen::Index rows = codes.rows();
    for (std::size_t length = 0; length < kLengths.size(); ++length) {
      for (Eigen::Index part = 0; part < 3; ++part) {
        KernelParameters parameters{
            .log_lengths = Eigen::VectorXd::Constant(kernel.axes(), std::log(kLengths[length])),
            .log_variances = Eigen::Vector3d::Constant(kNone)};
        parameters.log_variances[part] = 0.0;
        kernel.set(parameters);
        Eigen::MatrixXd& matrix = parts_[length][static_cast<std::size_t>(part)];
        matrix.resize(rows, rows);
        kernel.covariances(codes, codes, matrix);
      }
    }
  }

  [[nodiscard]] Eigen::MatrixXd of(const Setting& setting) const {
    const auto& parts = parts_[setting.length];
    const auto& variances = setting.variances;
    return (variances[0] * parts[0] + variances[1] * parts[1] + variances[2] * parts[2]).array() +
           trend_;
  }

 private:
  std::array<std::array<Eigen::MatrixXd, 3>, kLengths.size()> parts_;
  double trend_;
};

/// The rows of the data with these indices.
ClaimData rows_of(const ClaimData& data, const std::vector<Eigen::Index>& rows) {
  ClaimData part = data;
  const auto size = static_cast<Eigen::Index>(rows.size());
  part.codes.resize(size, data.codes.cols());
  part.means.resize(size);
  part.counts.resize(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const Eigen::Index row = rows[static_cast<std::size_t>(i)];
    part.codes.row(i) = data.codes.row(row);
    part.means[i] = data.means[row];
    part.counts[i] = data.counts[row];
  }
  return part;
}

/// What the payoffs say of the values on the scale of the link, and how it changes with them.
struct Slopes {
  Eigen::VectorXd first;
  Eigen::VectorXd curvature;  ///< negative second derivative, > 0
};

Slopes slopes_at(const ClaimData& data, const Setting& setting, const Eigen::VectorXd& values) {
  constexpr double kLeast = 1e-10;
  if (!data.shares) {
    const Eigen::VectorXd curvature = data.counts / setting.noise;
    return {curvature.array() * (data.means - values).array(), curvature};
  }
  const Eigen::ArrayXd chances = 1.0 / (1.0 + (-values.array()).exp());
  return {data.counts.array() * (data.means.array() - chances),
          (data.counts.array() * chances * (1.0 - chances)).max(kLeast)};
}

double log_likelihood(const ClaimData& data, const Setting& setting,
                      const Eigen::VectorXd& values) {
  if (!data.shares) {
    const double squares =
        (data.counts.array() * (data.means - values).array().square()).sum() + data.within;
    return -0.5 * squares / setting.noise - 0.5 * data.counts.sum() * std::log(setting.noise);
  }
  const Eigen::ArrayXd f = values.array();
  return (data.counts.array() *
          (data.means.array() * f - f.max(0.0) - (1.0 + (-f.abs()).exp()).log()))
      .sum();
}

/// Laplace's approximation of the posterior at all rows, exact for normal noise.
struct Approximation {
  Eigen::VectorXd values;
  Eigen::VectorXd roots;  ///< of the curvature
  Eigen::LLT<Eigen::MatrixXd> factor;
  double log_marginal = 0.0;
};

Approximation approximate(const ClaimData& data, const Setting& setting,
                          const Eigen::MatrixXd& covariance, const Eigen::VectorXd& start) {
  constexpr int kMostSteps = 40;
  constexpr double kLongestStep = 3.0;
  constexpr double kEnd = 1e-3;
  Approximation found;
  found.values = start;
  Eigen::VectorXd weights;
  for (int step = 0; step < kMostSteps; ++step) {
    const Slopes slopes = slopes_at(data, setting, found.values);
    found.roots = slopes.curvature.cwiseSqrt();
    Eigen::MatrixXd matrix = found.roots.asDiagonal() * covariance * found.roots.asDiagonal();
    matrix.diagonal().array() += 1.0;
    found.factor.compute(matrix);
    const Eigen::VectorXd target = slopes.curvature.cwiseProduct(found.values) + slopes.first;
    const Eigen::VectorXd right = found.roots.cwiseProduct(covariance * target);
    weights = target - found.roots.cwiseProduct(found.factor.solve(right));
    const Eigen::VectorXd values = covariance * weights;
    const double change = (values - found.values).cwiseAbs().maxCoeff();
    if (!data.shares || change <= kLongestStep) {
      found.values = values;
      if (!data.shares || change < kEnd) break;
    } else {
      found.values += (kLongestStep / change) * (values - found.values);
    }
  }
  found.log_marginal = log_likelihood(data, setting, found.values) -
                       0.5 * weights.dot(found.values) -
                       found.factor.matrixLLT().diagonal().array().log().sum();
  return found;
}

std::vector<Setting> all_settings(const ClaimData& data) {
  const LinkScale scale = data.shares ? kLogit : kIdentity;
  std::vector<Setting> settings;
  for (std::size_t length = 0; length < kLengths.size(); ++length) {
    for (const auto& parts : kParts) {
      for (int level = -kVariancesBelow; level <= kVariancesAbove; ++level) {
        const double log_variance = kVarianceStep * level;
        const double variance = scale.variance * std::exp(log_variance);
        Setting setting{.length = length};
        for (std::size_t i = 0; i < 3; ++i) setting.variances[i] = variance * parts[i];
        const double z = log_variance / kVarianceSd;
        setting.log_prior = std::log(kLengthPrior[length]) - 0.5 * z * z;
        for (const double noise : kNoises) {
          setting.noise = noise * data.noise;
          if (noise == 1.0 || !data.shares) settings.push_back(setting);
        }
      }
    }
  }
  return settings;
}

/// Weighs settings by some rows, evenly over all, and drops those of next to no weight.
std::vector<Setting> likely_settings(PointKernel& kernel, const ClaimData& data) {
  constexpr double kLeast = 5.0;  // logarithm of the weight below that of the best
  std::vector<Eigen::Index> rows;
  const Eigen::Index used = std::min(data.means.size(), kWeighed);
  for (Eigen::Index i = 0; i < used; ++i) rows.push_back(i * data.means.size() / used);
  ClaimData some = rows_of(data, rows);
  some.within *= some.counts.sum() / data.counts.sum();
  const Covariances covariances(kernel, some.codes, (data.shares ? kLogit : kIdentity).trend);
  std::vector<Setting> settings = all_settings(data);
  Eigen::VectorXd start = Eigen::VectorXd::Zero(used);
  double highest = -std::numeric_limits<double>::infinity();
  for (Setting& setting : settings) {
    const Approximation found = approximate(some, setting, covariances.of(setting), start);
    start = found.values;
    setting.weight = setting.log_prior + found.log_marginal;
    highest = std::max(highest, setting.weight);
  }
  std::erase_if(settings,
                [&](const Setting& setting) { return !(setting.weight > highest - kLeast); });
  return settings;
}

/// A normal posterior of the first rows by one setting, on the scale of the link.
struct Component {
  double weight = 0.0;
  Eigen::VectorXd means;
  Eigen::MatrixXd covariance;

  [[nodiscard]] double sd(Eigen::Index row) const {
    return std::sqrt(std::max(covariance(row, row), 0.0));
  }
};

/// The inverse of the link.
double unlinked(const ClaimData& data, double x) {
  return data.shares ? 1.0 / (1.0 + std::exp(-x)) : x;
}

/// The first rows, then others evenly, up to kPredicted.
std::vector<Eigen::Index> predicting_rows(const ClaimData& data) {
  const Eigen::Index first = std::min(data.first, kPredicted);
  const Eigen::Index others = data.means.size() - first;
  const Eigen::Index used = std::min(others, kPredicted - first);
  std::vector<Eigen::Index> rows;
  for (Eigen::Index i = 0; i < first; ++i) rows.push_back(i);
  for (Eigen::Index i = 0; i < used; ++i) rows.push_back(first + i * others / used);
  return rows;
}

std::vector<Component> components_of(PointKernel& kernel, const ClaimData& data) {
  std::vector<Setting> settings = likely_settings(kernel, data);
  ClaimData part = rows_of(data, predicting_rows(data));
  part.within *= part.counts.sum() / data.counts.sum();
  const Covariances covariances(kernel, part.codes, (data.shares ? kLogit : kIdentity).trend);
  const Eigen::Index shown = std::min(data.first, part.means.size());
  std::vector<Component> components;
  Eigen::VectorXd start = Eigen::VectorXd::Zero(part.means.size());
  double highest = -std::numeric_limits<double>::infinity();
  for (const Setting& setting : settings) {
    const Eigen::MatrixXd covariance = covariances.of(setting);
    const Approximation found = approximate(part, setting, covariance, start);
    start = found.values;
    Eigen::MatrixXd columns = found.roots.asDiagonal() * covariance.leftCols(shown);
    found.factor.matrixL().solveInPlace(columns);
    components.push_back(
        {.weight = setting.log_prior + found.log_marginal,
         .means = found.values.head(shown),
         .covariance = covariance.topLeftCorner(shown, shown) - columns.transpose() * columns});
    highest = std::max(highest, components.back().weight);
  }
  double sum = 0.0;
  for (Component& component : components) {
    component.weight = std::exp(component.weight - highest);
    sum += component.weight;
  }
  for (Component& component : components) component.weight /= sum;
  return components;
}

double normal_below(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

/// The value below which the row lies with this probability, on the scale of the link.
double claim_quantile(const std::vector<Component>& components, Eigen::Index row,
                      double probability) {
  constexpr int kHalvings = 50;
  constexpr double kFar = 8.0;
  constexpr double kLeastSd = 1e-12;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Component& component : components) {
    low = std::min(low, component.means[row] - kFar * component.sd(row));
    high = std::max(high, component.means[row] + kFar * component.sd(row));
  }
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    double below = 0.0;
    for (const Component& component : components) {
      const double sd = std::max(component.sd(row), kLeastSd);
      below += component.weight * normal_below((middle - component.means[row]) / sd);
    }
    (below < probability ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

ValueClaim marginal_claim(const ClaimData& data, const std::vector<Component>& components,
                          Eigen::Index row) {
  constexpr double kTail = 0.025;
  constexpr int kValues = 41;
  ValueClaim claim{.low = unlinked(data, claim_quantile(components, row, kTail)),
                   .high = unlinked(data, claim_quantile(components, row, 1.0 - kTail))};
  double squares = 0.0;
  for (const Component& component : components) {
    for (int i = 0; i < kValues; ++i) {
      const double z = normal_quantile((i + 0.5) / kValues);
      const double value = unlinked(data, component.means[row] + component.sd(row) * z);
      claim.mean += component.weight / kValues * value;
      squares += component.weight / kValues * value * value;
    }
  }
  claim.sd = std::sqrt(std::max(0.0, squares - claim.mean * claim.mean));
  return claim;
}

/// By draws from the joint posterior, as many from each component as its weight says.
void compare_with_first(const ClaimData& data, const std::vector<Component>& components,
                        ValueClaims& claims) {
  constexpr double kDraws = 1000.0;
  constexpr double kJitter = 1e-9;
  Rng rng = Rng(0).stream("claim");
  double wins = 0.0;
  double lead = 0.0;
  double all = 0.0;
  for (const Component& component : components) {
    const auto draws = static_cast<int>(std::lround(kDraws * component.weight));
    if (draws == 0) continue;
    Eigen::MatrixXd covariance = component.covariance;
    covariance.diagonal().array() += kJitter;
    const Eigen::LDLT<Eigen::MatrixXd> factor(covariance);
    const Eigen::VectorXd scales = factor.vectorD().array().max(0.0).sqrt();
    for (int i = 0; i < draws; ++i) {
      Eigen::VectorXd draw(component.means.size());
      for (double& deviate : draw) deviate = rng.normal();
      draw = scales.array() * draw.array();
      draw = factor.matrixL() * draw;
      draw = factor.transpositionsP().transpose() * draw;
      draw += component.means;
      Eigen::Index best = 0;
      const double highest = draw.maxCoeff(&best);
      wins += best == 0 ? 1.0 : 0.0;
      lead += unlinked(data, highest) - unlinked(data, draw[0]);
      all += 1.0;
    }
  }
  claims.best_probability = wins / all;
  claims.regret = lead / all;
}

}  // namespace

ValueClaims claim_values(PointKernel kernel, const ClaimData& data) {
  const std::vector<Component> components = components_of(kernel, data);
  ValueClaims claims;
  for (Eigen::Index row = 0; row < components.front().means.size(); ++row) {
    claims.rows.push_back(marginal_claim(data, components, row));
  }
  compare_with_first(data, components, claims);
  return claims;
}

}  // namespace ntune
