#include "ntune/optim/gaussian/bayesian_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ntune/optim/dense/dense.h"
#include "ntune/optim/gaussian/rprop.h"

namespace ntune {

namespace {

/// A normal prior, which also bounds the search: four standard deviations.
struct Prior {
  double mean;
  double sd;

  [[nodiscard]] double value(double x) const { return -0.5 * (x - mean) * (x - mean) / (sd * sd); }
  [[nodiscard]] double slope(double x) const { return -(x - mean) / (sd * sd); }
  [[nodiscard]] double clamp(double x) const {
    return std::clamp(x, mean - 4.0 * sd, mean + 4.0 * sd);
  }
};

/// Priors of the logarithms of the hyperparameters.
struct Priors {
  Prior length;
  Prior variance;
  Prior noise;

  [[nodiscard]] const Prior& of(Eigen::Index i, Eigen::Index axes) const {
    return i < axes ? length : i < axes + 3 ? variance : noise;
  }
};

// Chosen on NK, Trap, OneMax and random landscapes (benchmarks/results/gaussian_processes.md). A
// few hundred wins and losses, which are mostly noise, say little of these, and a freer fit runs
// after the noise.
const Priors kCoarse = {{std::log(0.5), 0.25}, {std::log(0.2), 0.3}, {std::log(0.7), 0.3}};
// Other payoffs may have any noise, or none.
const Priors kFine = {{std::log(0.5), 0.25}, {std::log(0.2), 0.6}, {std::log(0.7), 1.0}};

/// Returns the priors for these payoffs, which are narrow where payoffs are coarse.
const Priors& priors_of(const BayesianData& data) { return data.coarse ? kCoarse : kFine; }

/// All hyperparameters but the trend as one vector, as BayesianFit has them.
Eigen::VectorXd packed(const BayesianParameters& parameters) {
  const KernelParameters& kernel = parameters.kernel;
  Eigen::VectorXd vector(kernel.log_lengths.size() + 4);
  vector << kernel.log_lengths, kernel.log_variances, parameters.log_noise;
  return vector;
}

/// Returns the hyperparameters of such a vector. Their trend is 0: `rate_parameters` finds it.
BayesianParameters unpacked(const Eigen::VectorXd& vector) {
  const Eigen::Index axes = vector.size() - 4;
  return {.kernel = {vector.head(axes), vector.segment<3>(axes)},
          .log_noise = vector[axes + 3],
          .trend = 0.0};
}

}  // namespace

/// Rows are taken evenly over the run, since early ones are random and late ones near the best.
std::vector<Eigen::Index> told_rows(const SampledPoints& points, std::size_t most) {
  std::vector<Eigen::Index> told;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points.cell(i).count > 0) told.push_back(static_cast<Eigen::Index>(i));
  }
  const std::size_t used = std::min(told.size(), most);
  for (std::size_t i = 0; i < used; ++i) told[i] = told[i * told.size() / used];
  told.resize(used);
  return told;
}

BayesianData data_of(std::span<const Eigen::Index> rows, const SampledPoints& points,
                     const PointKernel::Codes& codes, const Eigen::VectorXd& means, double unit) {
  BayesianData data;
  data.codes.resize(std::ssize(rows), codes.cols());
  data.means.resize(std::ssize(rows));
  data.counts.resize(std::ssize(rows));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Eigen::Index row = rows[i];
    const Cell& cell = points.cell(static_cast<std::size_t>(row));
    const auto to = static_cast<Eigen::Index>(i);
    data.codes.row(to) = codes.row(row);
    data.means[to] = means[row];
    data.counts[to] = cell.count;
    data.within += cell.deviations / (unit * unit);
  }
  return data;
}

BayesianParameters usual_parameters(Eigen::Index axes) {
  return {.kernel = {Eigen::VectorXd::Constant(axes, kCoarse.length.mean),
                     Eigen::Vector3d::Constant(kCoarse.variance.mean)},
          .log_noise = kCoarse.noise.mean,
          .trend = 0.0};
}

/// Rates hyperparameters by one Cholesky factor: trend, value, and slopes by the inverse matrix
/// (Rasmussen and Williams 2006, section 5.4.1).
BayesianFit rate_parameters(PointKernel& kernel, const BayesianData& data,
                            const BayesianParameters& parameters) {
  const Eigen::Index rows = data.means.size();
  const Eigen::Index axes = kernel.axes();
  // `factor` becomes that of the covariance of the rows' means, each with the noise of one payoff
  // over its count.
  const double noise = std::exp(parameters.log_noise);
  kernel.set(parameters.kernel);
  Eigen::MatrixXd factor(rows, rows);
  kernel.covariances(data.codes, factor);
  const Eigen::VectorXd row_noise = noise / data.counts.array();
  factor.diagonal() += row_noise;
  dense::factor(factor);

  // With L the factor, these become L^-1 1 and L^-1 means. The trend and the value need no more.
  Eigen::VectorXd ones = Eigen::VectorXd::Ones(rows);
  Eigen::VectorXd weights = data.means;
  dense::solve(factor, ones);
  dense::solve(factor, weights);
  BayesianFit fit;
  // By generalised least squares the trend is 1' C^-1 y / 1' C^-1 1. It maximises the likelihood,
  // so the slopes need not follow how it moves.
  fit.trend = ones.dot(weights) / ones.squaredNorm();
  weights -= fit.trend * ones;
  // The likelihood of all payoffs is that of the rows' means times that of the payoffs about them.
  // The latter is a normal density with the sum of squares `within` and `repeats` degrees of
  // freedom.
  const double repeats = data.counts.sum() - static_cast<double>(rows);
  fit.value = -0.5 * weights.squaredNorm() - factor.diagonal().array().log().sum() -
              0.5 * repeats * parameters.log_noise - 0.5 * data.within / noise;
  dense::solve_transposed(factor, weights);

  // d value / d parameter = sum over all entries of half of this times d covariance / d parameter
  // (eq. 5.9). An entry below the diagonal counts twice.
  Eigen::MatrixXd slopes(rows, rows);
  dense::invert(factor, slopes);
  slopes *= -1.0;
  dense::add_square(slopes, weights, 1.0);
  slopes.diagonal() *= 0.5;
  fit.slope = Eigen::VectorXd::Zero(axes + 4);
  kernel.add_slopes(data.codes, slopes, fit.slope);
  fit.slope[axes + 3] =
      slopes.diagonal().dot(row_noise) - 0.5 * repeats + 0.5 * data.within / noise;

  // The priors of all hyperparameters are added.
  const Eigen::VectorXd vector = packed(parameters);
  for (Eigen::Index i = 0; i < vector.size(); ++i) {
    const Prior& prior = priors_of(data).of(i, axes);
    fit.value += prior.value(vector[i]);
    fit.slope[i] += prior.slope(vector[i]);
  }
  return fit;
}

FittedParameters fit_parameters(PointKernel kernel, const BayesianData& data,
                                const BayesianParameters& start, int steps) {
  Eigen::VectorXd vector = packed(start);
  Rprop rprop(vector.size(), {});
  FittedParameters best = {.parameters = start, .value = -std::numeric_limits<double>::infinity()};
  for (int step = 0; step < steps; ++step) {
    BayesianParameters parameters = unpacked(vector);
    const BayesianFit fit = rate_parameters(kernel, data, parameters);
    // Rprop may step over a maximum, so the best parameters seen are kept.
    if (fit.value > best.value) {
      best = {.parameters = parameters, .value = fit.value};
      best.parameters.trend = fit.trend;
    }
    for (Eigen::Index i = 0; i < vector.size(); ++i) {
      const Prior& prior = priors_of(data).of(i, kernel.axes());
      vector[i] = prior.clamp(vector[i] + rprop.move(i, fit.slope[i]));
    }
  }
  return best;
}

}  // namespace ntune
