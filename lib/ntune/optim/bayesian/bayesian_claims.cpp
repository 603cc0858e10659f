#include <algorithm>
#include <cmath>

#include "ntune/optim/bayesian/bayesian_search.h"

namespace ntune {

namespace {

/// From the unit of the data of claims to payoffs.
struct ClaimUnit {
  double zero = 0.0;
  double size = 1.0;
};

ClaimUnit claim_unit(const PayoffScale& scale) {
  if (const PossibleValues games = scale.games(); games.is_known()) {
    return {.zero = *games.low, .size = *games.high - *games.low};
  }
  const double sd = scale.sd();
  return {.zero = scale.origin(), .size = sd > 0.0 ? sd : scale.unit()};
}

}  // namespace

ValueClaims BayesianSearch::claims_of(std::span<const std::size_t> first) const {
  constexpr double kFittedWeight = 10.0;  // repeats that the fitted noise counts as
  std::vector<std::size_t> order(first.begin(), first.end());
  std::vector<bool> taken(points_.size(), false);
  for (const std::size_t index : first) taken[index] = true;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!taken[i] && points_.cell(i).count > 0) order.push_back(i);
  }
  const ClaimUnit unit = claim_unit(scale_);
  const auto rows = static_cast<Eigen::Index>(order.size());
  ClaimData data;
  data.shares = scale_.games().is_known();
  data.first = static_cast<Eigen::Index>(first.size());
  data.codes.resize(rows, model_->kernel().axes());
  data.means.resize(rows);
  data.counts.resize(rows);
  double sum = 0.0;
  for (Eigen::Index row = 0; row < rows; ++row) {
    const std::size_t index = order[static_cast<std::size_t>(row)];
    const Cell& cell = points_.cell(index);
    data.codes.row(row) = model_->codes().row(static_cast<Eigen::Index>(index));
    data.means[row] = (scale_.origin() + cell.mean() - unit.zero) / unit.size;
    data.counts[row] = cell.count;
    data.within += std::max(0.0, cell.sum_squares - cell.sum * cell.mean());
    sum += data.means[row] * cell.count;
  }
  data.within /= unit.size * unit.size;
  const double count = data.counts.sum();
  if (data.shares) {
    // Draws leave less noise than wins and losses of the same mean, as if there were more games.
    const double mean = sum / count;
    const double most = mean * (1.0 - mean);
    const double sd = scale_.sd() / unit.size;
    if (sd > 0.0) data.counts *= std::max(1.0, most / (sd * sd) * (count - 1.0) / count);
  } else {
    const double fitted = std::exp(model_->parameters().log_noise) * scale_.unit() * scale_.unit() /
                          (unit.size * unit.size);
    data.noise = (data.within + kFittedWeight * fitted) /
                 (count - static_cast<double>(rows) + kFittedWeight);
  }
  return claim_values(model_->kernel(), data);
}

Claim BayesianSearch::claim_of(const ValueClaim& value, double regret) const {
  const ClaimUnit unit = claim_unit(scale_);
  return {.mean = unit.zero + unit.size * value.mean,
          .low = unit.zero + unit.size * value.low,
          .high = unit.zero + unit.size * value.high,
          .regret = unit.size * regret};
}

std::optional<Certainty> BayesianSearch::certainty() const {
  constexpr std::size_t kRivals = 60;
  if (!schedule_.fitted) return std::nullopt;
  if (!noisy_) return Certainty{.sd = 0.0, .best_probability = 1.0};
  std::vector<std::size_t> first;
  for (const Query& rival : highest_rows(kRivals)) {
    first.push_back(static_cast<std::size_t>(rival.row));
  }
  const ValueClaims found = claims_of(first);
  return Certainty{.sd = claim_unit(scale_).size * found.rows.front().sd,
                   .best_probability = found.best_probability,
                   .claim = claim_of(found.rows.front(), found.regret)};
}

std::vector<Claim> BayesianSearch::claims(std::span<const Point> points) const {
  if (!schedule_.fitted || !noisy_) return {};
  std::vector<std::size_t> first;
  for (const Point& point : points) {
    const Eigen::Index row = row_of(point);
    if (row < 0 || points_.cell(static_cast<std::size_t>(row)).count == 0) break;
    first.push_back(static_cast<std::size_t>(row));
  }
  if (first.empty()) return {};
  const ValueClaims found = claims_of(first);
  std::vector<Claim> claims;
  for (const ValueClaim& value : found.rows) claims.push_back(claim_of(value, found.regret));
  return claims;
}

}  // namespace ntune
