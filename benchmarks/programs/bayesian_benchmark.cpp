// Cost of a suggestion (tell and ask, 50 candidates) by a Gaussian process with so many distinct
// points held, without the fits between, and of one fit.

#include <string>
#include <vector>

#include <Eigen/LU>
#include <benchmark/benchmark.h>

#include "ntune/optim/base/neighbourhood.h"
#include "ntune/optim/bayesian/acquisition.h"
#include "ntune/optim/gaussian/bayesian_fit.h"
#include "ntune/optim/gaussian/gaussian_process.h"
#include "ntune/optim/models/sampled_points.h"

namespace ntune {
namespace {

SearchSpace make_space(int dimensions, int values) {
  std::vector<Parameter> parameters;
  for (int i = 0; i < dimensions; ++i) {
    parameters.push_back(make_integers("x" + std::to_string(i + 1), 0, values - 1));
  }
  return SearchSpace(std::move(parameters));
}

/// Distinct points of a walk through neighbourhoods, as a search makes it.
std::vector<Point> distinct_points(const SearchSpace& space, std::size_t count) {
  Rng rng(2);
  SampledPoints held(space, static_cast<std::int64_t>(count));
  std::vector<Point> points;
  while (points.size() < count) {
    Point point = space.sample(rng);
    if (!points.empty() && !rng.bernoulli(0.2)) {
      point = points[rng.below(static_cast<std::uint32_t>(points.size()))];
      const int i = static_cast<int>(rng.below(static_cast<std::uint32_t>(point.size())));
      point[i] =
          static_cast<std::uint16_t>(rng.below(static_cast<std::uint32_t>(space[i].cardinality())));
    }
    if (held.rank_of(held.key(point)) > 0) continue;
    held.add(point, 0.0);
    points.push_back(point);
  }
  return points;
}

/// The mean that a Gaussian process gives must be that of plain algebra.
bool predicts(const GaussianProcess& process, const Eigen::VectorXd& means) {
  constexpr double kTolerance = 1e-6;
  const Eigen::Index rows = process.size();
  Eigen::MatrixXd covariance(rows, rows);
  process.kernel().covariances(process.codes(), process.codes().topRows(rows), covariance);
  const Eigen::MatrixXd signal = covariance;
  covariance.diagonal().array() += std::exp(process.parameters().log_noise);
  const Eigen::VectorXd expected = signal * covariance.partialPivLu().solve(means);
  for (Eigen::Index i = 0; i < rows; ++i) {
    if (std::abs(process.mean(i) - expected[i]) > kTolerance) return false;
  }
  return true;
}

void gaussian_process(benchmark::State& state) {
  const SearchSpace space =
      make_space(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  const auto count = static_cast<std::size_t>(state.range(2));
  GaussianProcess model(space, KernelForm::kTuples);
  const std::vector<Point> points = distinct_points(space, count);
  Rng rng(1);
  const auto rows = static_cast<Eigen::Index>(count);
  Eigen::VectorXd means(rows);
  for (Eigen::Index i = 0; i < rows; ++i) {
    means[i] = rng.normal();
    model.append(points[static_cast<std::size_t>(i)], {means[i], 1.0});
  }
  model.reset(usual_parameters(model.kernel().axes()), means, Eigen::VectorXd::Ones(rows));
  if (!predicts(model, means)) {
    state.SkipWithError("the Gaussian process disagrees with plain algebra");
    return;
  }
  Neighbourhood neighbourhood(space, {.size = 50});
  double visits = 1.0;
  for (auto _ : state) {
    const auto row = static_cast<Eigen::Index>(rng.below(static_cast<std::uint32_t>(count)));
    model.update(row, {rng.normal(), visits += 1.0});
    model.solve();
    const Point& from = points[rng.below(static_cast<std::uint32_t>(count))];
    neighbourhood.draw(from, rng);
    std::vector<Query> candidates;
    for (std::size_t i = 0; i < neighbourhood.size(); ++i) {
      Query& mutant = candidates.emplace_back(Query{.point = from});
      for (const Change& change : neighbourhood[i]) mutant.point[change.parameter] = change.value;
    }
    benchmark::DoNotOptimize(choose_by_bound(model.predict(candidates), 3.0));
  }
}

BENCHMARK(gaussian_process)
    ->ArgNames({"d", "values", "points"})
    ->Args({6, 10, 300})
    ->Args({6, 10, 1000})
    ->Args({20, 2, 300})
    ->Args({20, 2, 1000})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace ntune
