#include "ntune/optim/bayesian/cost_process.h"

#include <algorithm>
#include <cmath>

#include "ntune/optim/gaussian/bayesian_fit.h"

namespace ntune {

CostProcess::CostProcess(const SearchSpace& space)
    : points_(space, kMostPoints),
      scale_(OptimiserContext{}),
      process_(space, KernelForm::kTuples),
      // Before a first fit there must be more costs than parameters.
      next_fit_(std::max<std::int64_t>(2, process_.kernel().axes() + 1)) {}

/// Adds the logarithm of a cost to the row of its point; a fit follows when it is due.
void CostProcess::add(const Point& point, double cost) {
  constexpr double kLeast = 1e-3;  // of the mean: a cost of 0 has no logarithm
  if (points_.size() >= kMostPoints && points_.at(point).count == 0) return;
  sum_ += cost;
  ++costs_;
  const double least = kLeast * sum_ / static_cast<double>(costs_);
  const double logarithm = sum_ > 0.0 ? std::log(std::max(cost, least)) : 0.0;
  scale_.add(logarithm);
  const std::size_t index = points_.add(point, scale_.shifted(logarithm)) - 1;
  const Cell& cell = points_.cell(index);
  process_.put(static_cast<Eigen::Index>(index), point,
               {scale_.standard(cell.mean()), static_cast<double>(cell.count)});
  unsolved_ = true;
  if (costs_ >= next_fit_) fit();
}

void CostProcess::fit() {
  constexpr int kSteps = 15;
  constexpr std::size_t kMostRows = 256;
  // Fits are due at half as many costs more each time.
  next_fit_ += (next_fit_ + 1) / 2;
  scale_.fit();
  const auto rows = static_cast<Eigen::Index>(points_.size());
  Eigen::VectorXd means(rows);
  Eigen::VectorXd counts(rows);
  for (Eigen::Index row = 0; row < rows; ++row) {
    const Cell& cell = points_.cell(static_cast<std::size_t>(row));
    means[row] = scale_.standard(cell.mean());
    counts[row] = cell.count;
  }
  const BayesianParameters start =
      fitted_ ? process_.parameters() : usual_parameters(process_.kernel().axes());
  const BayesianData data =
      data_of(told_rows(points_, kMostRows), points_, process_.codes(), means, scale_.unit());
  process_.reset(fit_parameters(process_.kernel(), data, start, kSteps).parameters, means, counts);
  fitted_ = true;
  unsolved_ = false;
}

/// Returns the posterior means in units of the logarithm. The scale's centre is left out, as only
/// ratios of costs count.
Eigen::VectorXd CostProcess::logarithms(std::span<const Query> candidates) {
  if (!fitted_) return Eigen::VectorXd::Zero(std::ssize(candidates));
  if (unsolved_) process_.solve();
  unsolved_ = false;
  return scale_.unit() * process_.predict(candidates).means();
}

}  // namespace ntune
