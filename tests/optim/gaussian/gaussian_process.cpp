// The Gaussian process against plain dense algebra, and its hyperparameters' slopes.

#include "ntune/optim/gaussian/gaussian_process.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <Eigen/LU>

#include "catch.h"
#include "ntune/optim/bayesian/acquisition.h"
#include "ntune/optim/gaussian/bayesian_fit.h"
#include "support/spaces.h"

namespace ntune {

using test::grid_space;
using test::yaml_space;

namespace {

constexpr KernelForm kForms[] = {KernelForm::kProduct, KernelForm::kTuples, KernelForm::kPairs};

/// Ordered, unordered, single-valued and conditional parameters.
SearchSpace mixed_space() {
  return yaml_space(
      "a: [1, 2, 3, 4, 6, 8, 12, 16, 24, 32]\n"
      "b: [red, green, blue]\n"
      "c: 7\n"
      "d: {boolean: }\n"
      "e: {integers: [0, 6], when: {d: true}}\n");
}

BayesianParameters random_parameters(Eigen::Index axes, Rng& rng) {
  BayesianParameters parameters = usual_parameters(axes);
  for (double& length : parameters.kernel.log_lengths) length += 0.5 * rng.normal();
  for (double& variance : parameters.kernel.log_variances) variance += 0.5 * rng.normal();
  parameters.log_noise += 0.5 * rng.normal();
  parameters.trend = 0.1 * rng.normal();
  return parameters;
}

std::vector<Point> distinct_points(const SearchSpace& space, std::size_t count, Rng& rng) {
  std::vector<Point> points;
  while (points.size() < count) {
    const Point point = space.sample(rng);
    if (std::ranges::find(points, point) == points.end()) points.push_back(point);
  }
  return points;
}

std::vector<Query> candidates(const std::vector<Point>& points) {
  std::vector<Query> candidates;
  for (const Point& point : points) candidates.push_back({.point = point});
  return candidates;
}

/// By the definition: the correlation along an axis, and the sums over tuples written out.
double plain_covariance(const SearchSpace& space, KernelForm form, const KernelParameters& hyper,
                        const Point& x, const Point& y) {
  std::vector<double> correlations;
  for (int i = 0; i < space.dimensions(); ++i) {
    if (space[i].cardinality() < 2) continue;
    const double length =
        std::exp(hyper.log_lengths[static_cast<Eigen::Index>(correlations.size())]);
    const bool both = space.is_active(x, i) && space.is_active(y, i);
    const bool neither = !space.is_active(x, i) && !space.is_active(y, i);
    double correlation = both || neither ? 1.0 : std::exp(-1.0 / length);
    if (both && x[i] != y[i]) {
      const double r = std::abs(x[i] - y[i]) / (space[i].cardinality() - 1.0);
      const double s = std::sqrt(5.0) * r / length;
      correlation =
          space[i].ordered ? (1.0 + s + s * s / 3.0) * std::exp(-s) : std::exp(-1.0 / length);
    }
    correlations.push_back(correlation);
  }
  double singles = 0.0;
  double pairs = 0.0;
  double product = 1.0;
  for (std::size_t i = 0; i < correlations.size(); ++i) {
    singles += correlations[i];
    product *= correlations[i];
    for (std::size_t j = 0; j < i; ++j) pairs += correlations[i] * correlations[j];
  }
  if (form == KernelForm::kPairs) product = x == y ? 1.0 : 0.0;
  const double whole = std::exp(hyper.log_variances[2]) * product;
  if (form == KernelForm::kProduct) return whole;
  const auto d = static_cast<double>(correlations.size());
  return whole + std::exp(hyper.log_variances[0]) * singles / d +
         std::exp(hyper.log_variances[1]) * pairs / (d * (d - 1.0) / 2.0);
}

Eigen::MatrixXd plain_covariances(const SearchSpace& space, KernelForm form,
                                  const KernelParameters& hyper, const std::vector<Point>& xs,
                                  const std::vector<Point>& ys) {
  Eigen::MatrixXd matrix(static_cast<Eigen::Index>(xs.size()),
                         static_cast<Eigen::Index>(ys.size()));
  for (std::size_t i = 0; i < xs.size(); ++i) {
    for (std::size_t j = 0; j < ys.size(); ++j) {
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          plain_covariance(space, form, hyper, xs[i], ys[j]);
    }
  }
  return matrix;
}

}  // namespace

TEST_CASE("a Gaussian process grown point by point predicts as dense algebra does") {
  constexpr double kClose = 1e-8;
  constexpr Eigen::Index kRows = 150;  // several blocks
  const SearchSpace space = mixed_space();
  for (const KernelForm form : kForms) {
    Rng rng(3);
    GaussianProcess process(space, form);
    const BayesianParameters parameters = random_parameters(process.kernel().axes(), rng);
    process.reset(parameters, Eigen::VectorXd(), Eigen::VectorXd());
    const std::vector<Point> points = distinct_points(space, kRows, rng);
    Eigen::VectorXd means(kRows);
    Eigen::VectorXd visits(kRows);
    for (Eigen::Index i = 0; i < kRows; ++i) {
      means[i] = rng.normal();
      visits[i] = 1.0 + rng.below(3);
      process.append(points[static_cast<std::size_t>(i)], {means[i], visits[i]});
      const auto other = static_cast<Eigen::Index>(rng.below(static_cast<std::uint32_t>(i + 1)));
      means[other] = rng.normal();
      visits[other] = rng.bernoulli(0.3) ? 1e-6 : visits[other] + 1.0;
      process.update(other, {means[other], visits[other]});
    }
    process.solve();

    const std::vector<Point> asked = distinct_points(space, 15, rng);
    const KernelParameters& hyper = parameters.kernel;
    Eigen::MatrixXd matrix = plain_covariances(space, form, hyper, points, points);
    matrix.diagonal().array() += std::exp(parameters.log_noise) / visits.array();
    const Eigen::MatrixXd inverse = matrix.inverse();
    const Eigen::MatrixXd cross = plain_covariances(space, form, hyper, points, asked);
    const Eigen::VectorXd centred = means.array() - parameters.trend;
    const Eigen::VectorXd expected =
        (cross.transpose() * inverse * centred).array() + parameters.trend;
    const Eigen::MatrixXd covariance =
        plain_covariances(space, form, hyper, asked, asked) - cross.transpose() * inverse * cross;

    const Posterior posterior = process.predict(candidates(asked));
    std::vector<Eigen::Index> all(asked.size());
    std::iota(all.begin(), all.end(), Eigen::Index{0});
    const Eigen::VectorXd variances = posterior.variances(all);
    CHECK((posterior.means() - expected).cwiseAbs().maxCoeff() < kClose);
    CHECK((posterior.covariance() - covariance).cwiseAbs().maxCoeff() < kClose);
    CHECK((variances - covariance.diagonal()).cwiseAbs().maxCoeff() < kClose);
    CHECK((posterior.variance_bounds() - variances).minCoeff() > -kClose);
    for (const double k : {0.0, 0.5, 3.0}) {
      Eigen::Index highest = 0;
      (expected.array() + k * covariance.diagonal().array().sqrt()).maxCoeff(&highest);
      CHECK(choose_by_bound(posterior, k) == static_cast<std::size_t>(highest));
    }
    for (Eigen::Index i = 0; i < kRows; ++i) {
      const double row =
          process.predict(candidates({points[static_cast<std::size_t>(i)]})).means()[0];
      if (visits[i] >= 1.0) CHECK(process.mean(i) == Approx(row).margin(kClose));
    }

    process.reset(parameters, means, visits);
    CHECK((process.predict(candidates(asked)).means() - expected).cwiseAbs().maxCoeff() < kClose);
  }
}

TEST_CASE("slopes of the likelihood are those of its values") {
  constexpr double kStep = 1e-5;
  const SearchSpace space = mixed_space();
  for (const KernelForm form : kForms) {
    Rng rng(5);
    PointKernel kernel(space, form);
    const std::vector<Point> points = distinct_points(space, 25, rng);
    BayesianData data;
    data.codes.resize(25, kernel.axes());
    data.means.resize(25);
    data.counts.resize(25);
    data.within = 11.0;
    for (Eigen::Index i = 0; i < 25; ++i) {
      data.codes.row(i) = kernel.encode(points[static_cast<std::size_t>(i)]);
      data.means[i] = rng.normal();
      data.counts[i] = 1.0 + rng.below(4);
    }
    const BayesianParameters parameters = random_parameters(kernel.axes(), rng);
    const BayesianFit fit = rate_parameters(kernel, data, parameters);
    REQUIRE(fit.slope.size() == kernel.axes() + 4);
    for (Eigen::Index i = 0; i < fit.slope.size(); ++i) {
      const auto value = [&](double step) {
        BayesianParameters moved = parameters;
        const Eigen::Index axes = kernel.axes();
        if (i < axes) {
          moved.kernel.log_lengths[i] += step;
        } else if (i < axes + 3) {
          moved.kernel.log_variances[i - axes] += step;
        } else {
          moved.log_noise += step;
        }
        return rate_parameters(kernel, data, moved).value;
      };
      CAPTURE(i);
      CHECK(fit.slope[i] == Approx((value(kStep) - value(-kStep)) / (2.0 * kStep)).epsilon(1e-4));
    }
    CHECK(rate_parameters(kernel, data, fit_parameters(kernel, data, parameters, 30).parameters)
              .value >= fit.value);
  }
}

TEST_CASE("the priors of variances and noise are narrower where payoffs are coarse, by hand") {
  const SearchSpace space = grid_space({3, 3});
  PointKernel kernel(space, KernelForm::kTuples);
  BayesianData data;
  data.codes.resize(2, kernel.axes());
  data.codes.row(0) = kernel.encode(test::make_point({0, 0}));
  data.codes.row(1) = kernel.encode(test::make_point({2, 1}));
  data.means = Eigen::VectorXd::Zero(2);
  data.counts = Eigen::VectorXd::Ones(2);
  // All stand at the means of their priors but for one, which is 0.3 above.
  const auto lost = [&](const auto& move) {
    BayesianParameters parameters = usual_parameters(kernel.axes());
    move(parameters);
    data.coarse = true;
    const double coarse = rate_parameters(kernel, data, parameters).value;
    data.coarse = false;
    return rate_parameters(kernel, data, parameters).value - coarse;
  };
  for (Eigen::Index i = 0; i < 3; ++i) {
    // One standard deviation of 0.3, half a one of 0.6: 1 / 2 - 1 / 8.
    CHECK(lost([&](auto& all) { all.kernel.log_variances[i] += 0.3; }) == Approx(0.375));
  }
  // 0.3 of a standard deviation of 1: 1 / 2 - 9 / 200.
  CHECK(lost([](auto& all) { all.log_noise += 0.3; }) == Approx(0.455));
  CHECK(lost([](auto& all) { all.kernel.log_lengths[0] += 0.3; }) == Approx(0.0).margin(1e-9));
}

TEST_CASE("a fit finds the noise of payoffs, and which parameters matter") {
  // 6 parameters of 8 values; the first two count.
  const double sd = GENERATE(0.1, 0.5);
  CAPTURE(sd);
  const SearchSpace space = grid_space({8, 8, 8, 8, 8, 8});
  PointKernel kernel(space, KernelForm::kTuples);
  Rng rng(7);
  const std::vector<Point> points = distinct_points(space, 150, rng);
  BayesianData data;
  data.codes.resize(150, kernel.axes());
  data.means.resize(150);
  data.counts = Eigen::VectorXd::Ones(150);
  for (Eigen::Index i = 0; i < 150; ++i) {
    const Point& point = points[static_cast<std::size_t>(i)];
    data.codes.row(i) = kernel.encode(point);
    data.means[i] = std::sin(point[0]) + 0.3 * point[1] - 1.0 + sd * rng.normal();
  }
  const BayesianParameters found =
      fit_parameters(kernel, data, usual_parameters(kernel.axes()), 60).parameters;
  CHECK(std::exp(found.log_noise) > 0.6 * sd * sd);
  CHECK(std::exp(found.log_noise) < 1.4 * sd * sd);
  for (Eigen::Index a = 2; a < 6; ++a) {
    CHECK(found.kernel.log_lengths[a] > found.kernel.log_lengths[0]);
  }
  // Wins and losses are known to be noisy.
  data.coarse = true;
  CHECK(fit_parameters(kernel, data, usual_parameters(kernel.axes()), 60).parameters.log_noise >
        std::log(0.2));
}

}  // namespace ntune
