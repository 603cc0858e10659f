#include "ntune/optim/gaussian/failure_process.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace ntune {

namespace {

/// No more points are learned, as each one more costs O(points^2).
constexpr Eigen::Index kMostTold = 2000;

// An outcome of 0 or 1 has a variance of at most 0.25. The kernel's three terms and the noise have
// equal parts; with less noise points that crash here and there would count as a landscape.
constexpr double kTermVariance = 0.08;
constexpr double kOutcomeNoise = 0.08;
constexpr double kUsualRate = 0.1;  ///< before anything is known
constexpr double kLength = 0.25;    ///< of a parameter's whole range

}  // namespace

FailureProcess::FailureProcess(const SearchSpace& space) : process_(space, KernelForm::kTuples) {
  const Eigen::Index axes = process_.kernel().axes();
  const BayesianParameters parameters = {
      .kernel = {Eigen::VectorXd::Constant(axes, std::log(kLength)),
                 Eigen::Vector3d::Constant(std::log(kTermVariance))},
      .log_noise = std::log(kOutcomeNoise),
      .trend = kUsualRate};
  process_.reset(parameters, Eigen::VectorXd(0), Eigen::VectorXd(0));
}

void FailureProcess::add(const Point& point, double failures, double successes) {
  if (process_.size() >= kMostTold && !knows(point)) return;
  Counts& counts = counts_.try_emplace(point, Counts{.row = process_.size()}).first->second;
  counts.failures += failures;
  counts.visits += failures + successes;
  // The row's mean is the share of failures, with the noise of so many outcomes.
  process_.put(counts.row, point, {counts.failures / counts.visits, counts.visits});
  unsolved_ = true;
}

double FailureProcess::rate(const Point& point) {
  // A regression may leave [0, 1], and logarithms of rates are taken (Failures::compare_models).
  constexpr double kSurest = 0.005;
  if (unsolved_) process_.solve();
  unsolved_ = false;
  const Query query = {.point = point};
  return std::clamp(process_.predict(std::span(&query, 1)).means()[0], kSurest, 1.0 - kSurest);
}

}  // namespace ntune
