// Regression over tuples against the Gaussian process of the same covariance, and its choice of
// pairs.

#include "ntune/optim/gaussian/tuple_regression.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "catch.h"
#include "ntune/optim/gaussian/bayesian_fit.h"
#include "ntune/optim/gaussian/gaussian_process.h"
#include "support/spaces.h"

namespace ntune {

using test::grid_space;
using test::yaml_space;

namespace {

constexpr double kClose = 1e-8;

/// Ordered, unordered, single-valued and conditional parameters.
SearchSpace regression_space() {
  return yaml_space(
      "a: [1, 2, 4, 8, 16]\n"
      "b: [red, green, blue]\n"
      "c: 7\n"
      "d: {boolean: }\n"
      "e: {integers: [0, 6], when: {d: true}}\n");
}

std::vector<Point> distinct_sample(const SearchSpace& space, std::size_t count, Rng& rng) {
  std::vector<Point> points;
  while (points.size() < count) {
    const Point point = space.sample(rng);
    if (std::ranges::find(points, point) == points.end()) points.push_back(point);
  }
  return points;
}

BayesianParameters random_regression(Eigen::Index axes, Rng& rng) {
  BayesianParameters parameters = usual_parameters(axes);
  for (double& length : parameters.kernel.log_lengths) length += 0.5 * rng.normal();
  for (double& variance : parameters.kernel.log_variances) variance += 0.5 * rng.normal();
  parameters.log_noise += 0.5 * rng.normal();
  parameters.trend = 0.3 * rng.normal();
  return parameters;
}

/// Means, variances and covariances of both models at points told and others.
void expect_equal(const BayesianModel& a, const BayesianModel& b,
                  const std::vector<Query>& candidates) {
  const auto one = a.predict(candidates);
  const auto two = b.predict(candidates);
  std::vector<Eigen::Index> all(candidates.size());
  std::iota(all.begin(), all.end(), Eigen::Index{0});
  const Eigen::VectorXd variances = one->variances(all);
  CHECK((one->means() - two->means()).cwiseAbs().maxCoeff() < kClose);
  CHECK((variances - two->variances(all)).cwiseAbs().maxCoeff() < kClose);
  CHECK((one->variance_bounds() - variances).minCoeff() > -kClose);
  CHECK((one->covariance() - two->covariance()).cwiseAbs().maxCoeff() < kClose);
  for (Eigen::Index i = 0; i < a.size(); ++i) CHECK(a.mean(i) == Approx(b.mean(i)).margin(kClose));
}

void follow(const SearchSpace& space, std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  TupleRegression regression(space, {.most_features = 10'000, .evidence = -1e9, .detail = 0.0});
  GaussianProcess process(space, KernelForm::kPairs);
  const std::vector<BayesianModel*> models = {&regression, &process};
  const std::vector<Point> points = distinct_sample(space, count + 10, rng);
  const auto rows = static_cast<Eigen::Index>(count);
  Eigen::VectorXd means(rows);
  Eigen::VectorXd visits(rows);
  const BayesianParameters first = random_regression(process.kernel().axes(), rng);
  for (BayesianModel* model : models) model->reset(first, means.head(0), visits.head(0));
  for (Eigen::Index i = 0; i < rows; ++i) {
    means[i] = rng.normal();
    visits[i] = 1.0 + rng.below(3);
    const auto other = static_cast<Eigen::Index>(rng.below(static_cast<std::uint32_t>(i + 1)));
    const double other_mean = rng.normal();
    const double other_visits = rng.bernoulli(0.3) ? 1e-6 : visits[other] + 1.0;
    for (BayesianModel* model : models) {
      model->append(points[static_cast<std::size_t>(i)], {means[i], visits[i]});
      model->update(other, {other_mean, other_visits});
    }
    means[other] = other_mean;
    visits[other] = other_visits;
  }
  std::vector<Query> candidates;
  for (std::size_t i = count - 5; i < points.size(); ++i) {
    candidates.push_back({points[i], i < count ? static_cast<Eigen::Index>(i) : -1});
  }
  for (BayesianModel* model : models) model->solve();
  expect_equal(regression, process, candidates);
  const BayesianParameters second = random_regression(process.kernel().axes(), rng);
  for (BayesianModel* model : models) model->reset(second, means, visits);
  expect_equal(regression, process, candidates);
}

}  // namespace

TEST_CASE("regression over tuples predicts as the Gaussian process does") {
  follow(regression_space(), 40, 3);
  follow(grid_space({6, 5, 4}), 60, 4);
  follow(grid_space({2, 2, 2, 2, 2, 2}), 50, 5);
}

TEST_CASE("regression predicts its prior before any payoff") {
  const SearchSpace space = regression_space();
  Rng rng(6);
  const TupleRegression regression(space, {.evidence = -1e9, .detail = 0.0});
  const GaussianProcess process(space, KernelForm::kPairs);
  std::vector<Query> candidates;
  for (const Point& point : distinct_sample(space, 8, rng)) candidates.push_back({point, -1});
  expect_equal(regression, process, candidates);
}

TEST_CASE("regression takes the pairs that explain payoffs") {
  // 8 parameters of 2 values, of which two pairs interact; noise of sd 0.5.
  const SearchSpace space = grid_space(std::vector<int>(8, 2));
  Rng rng(11);
  TupleRegression regression(space, {.evidence = 1.0});
  const std::vector<Point> points = distinct_sample(space, 150, rng);
  Eigen::VectorXd means(150);
  for (Eigen::Index i = 0; i < 150; ++i) {
    const Point& point = points[static_cast<std::size_t>(i)];
    means[i] = (point[1] == point[4] ? 0.6 : -0.6) + (point[2] == point[7] ? 0.4 : -0.4) +
               0.3 * point[0] + 0.5 * rng.normal();
    regression.append(point, {means[i], 1.0});
  }
  BayesianParameters parameters = usual_parameters(8);
  parameters.log_noise = std::log(0.25);
  regression.reset(parameters, means, Eigen::VectorXd::Ones(150));
  const std::vector<AxisPair>& pairs = regression.features().pairs();
  REQUIRE(pairs.size() >= 2);
  CHECK(pairs.size() <= 4);
  CHECK((pairs[0].first == 1 && pairs[0].second == 4));
  CHECK((pairs[1].first == 2 && pairs[1].second == 7));
}

}  // namespace ntune
