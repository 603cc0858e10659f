#include "ntune/optim/claims/point_claims.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "ntune/optim/claims/value_claim.h"
#include "ntune/optim/models/sampled_points.h"

namespace ntune {

namespace {

/// All payoffs together.
struct Totals {
  double count = 0.0;
  double sum = 0.0;
  double squares = 0.0;
  double highest = -std::numeric_limits<double>::infinity();  ///< mean of a point

  [[nodiscard]] double mean() const { return sum / count; }
  [[nodiscard]] double variance() const { return std::max(0.0, squares / count - mean() * mean()); }
};

Totals totals_of(const SampledPoints& points) {
  Totals totals;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Cell& cell = points.cell(i);
    totals.count += cell.count;
    totals.sum += cell.sum;
    totals.squares += cell.sum_squares;
    if (cell.count > 0) totals.highest = std::max(totals.highest, cell.mean());
  }
  return totals;
}

/// Whether all payoffs are the ends of the range or its middle. With x from 0 to 1, a draw alone
/// adds to x - x^2, by 1/4.
bool are_games(const PayoffsByPoint& told, const PossibleValues& range) {
  constexpr double kRounding = 1e-6;
  const double width = *range.high - *range.low;
  const double zero = *range.low - told.origin;
  const auto is_whole = [](double x) { return std::abs(x - std::round(x)) < kRounding; };
  for (std::size_t i = 0; i < told.points->size(); ++i) {
    const Cell& cell = told.points->cell(i);
    const double sum = (cell.sum - zero * cell.count) / width;
    const double squares =
        (cell.sum_squares - 2.0 * zero * cell.sum + zero * zero * cell.count) / (width * width);
    const double draws = 4.0 * (sum - squares);
    if (sum < -kRounding || sum > cell.count + kRounding || !is_whole(2.0 * sum)) return false;
    if (draws < -kRounding || draws > cell.count + kRounding || !is_whole(draws)) return false;
  }
  return true;
}

/// The range of games, where all payoffs are lost, drawn or won ones: by the declared range, or
/// without one by that of shares or of -1 to 1.
PossibleValues range_of_games(const PayoffsByPoint& told, const PossibleValues& declared) {
  if (declared.is_known()) return are_games(told, declared) ? declared : PossibleValues{};
  for (const PossibleValues& range : {PossibleValues{0.0, 1.0}, PossibleValues{-1.0, 1.0}}) {
    if (are_games(told, range)) return range;
  }
  return {};
}

/// Values from payoffs: value = (payoff - zero) / size.
struct ValueUnit {
  double zero = 0.0;
  double size = 1.0;
};

/// What is claimed of the points with these indices, and how.
class Claims {
 public:
  Claims(const PayoffsByPoint& told, const SearchSpace& space, const PayoffFacts& facts,
         const std::vector<std::size_t>& first)
      : told_(told), totals_(totals_of(*told.points)) {
    const PossibleValues games = range_of_games(told, facts.range);
    observed_.games = games.is_known();
    if (observed_.games) {
      unit_ = {.zero = *games.low - told.origin, .size = *games.high - *games.low};
    } else {
      const double sd = std::sqrt(totals_.variance());
      unit_ = {.zero = totals_.mean(), .size = sd > 0.0 ? sd : 1.0};
      bound(facts.range);
    }
    const PointKernel kernel(space, KernelForm::kTuples);
    observe(kernel, first);
    found_ = claim_values(kernel, observed_, static_cast<Eigen::Index>(first.size()));
  }

  [[nodiscard]] std::size_t size() const { return found_.rows.size(); }
  [[nodiscard]] Claim claim(std::size_t row) const {
    const ValueClaim& value = found_.rows[row];
    const auto payoff = [&](double of) { return told_.origin + unit_.zero + unit_.size * of; };
    return {.mean = payoff(value.mean),
            .low = payoff(value.low),
            .high = payoff(value.high),
            .regret = unit_.size * found_.regret};
  }
  [[nodiscard]] Certainty certainty() const {
    return {.sd = unit_.size * found_.rows.front().sd,
            .best_probability = found_.best_probability,
            .claim = claim(0)};
  }

 private:
  /// Takes the bounds that hold for payoffs as they are told.
  void bound(const PossibleValues& range) {
    const auto in_unit = [&](double payoff) {
      return (payoff - told_.origin - unit_.zero) / unit_.size;
    };
    if (range.low) observed_.lowest = in_unit(*range.low);
    const auto high = range.highest_mean(told_.origin + totals_.highest);
    if (high) observed_.highest = in_unit(*high);
  }

  void observe(const PointKernel& kernel, const std::vector<std::size_t>& first) {
    const SampledPoints& points = *told_.points;
    std::vector<std::size_t> order = first;
    std::vector<bool> taken(points.size(), false);
    for (const std::size_t index : first) taken[index] = true;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!taken[i] && points.cell(i).count > 0) order.push_back(i);
    }
    const auto rows = static_cast<Eigen::Index>(order.size());
    observed_.codes.resize(rows, kernel.axes());
    observed_.means.resize(rows);
    observed_.counts.resize(rows);
    for (Eigen::Index row = 0; row < rows; ++row) {
      const std::size_t index = order[static_cast<std::size_t>(row)];
      const Cell& cell = points.cell(index);
      observed_.codes.row(row) = kernel.encode(points.point(index));
      observed_.means[row] = (cell.mean() - unit_.zero) / unit_.size;
      observed_.counts[row] = cell.count;
      observed_.within += std::max(0.0, cell.sum_squares - cell.sum * cell.mean());
    }
    observed_.within /= unit_.size * unit_.size;
    if (observed_.games) {
      observed_.means = observed_.means.cwiseMax(0.0).cwiseMin(1.0);
      observed_.counts *= games_in_a_payoff();
    }
  }

  /// Draws leave less noise than wins and losses of the same mean, as if there were more games.
  [[nodiscard]] double games_in_a_payoff() const {
    constexpr double kMost = 4.0;
    constexpr double kRounding = 1e-6;
    const double mean = (totals_.mean() - unit_.zero) / unit_.size;
    const double variance = totals_.variance() / (unit_.size * unit_.size);
    const double most = mean * (1.0 - mean);
    return most < variance * (1.0 + kRounding) ? 1.0 : std::min(kMost, most / variance);
  }

  PayoffsByPoint told_;
  Totals totals_;
  ValueUnit unit_;
  ObservedValues observed_;
  ValueClaims found_;
};

/// Indices of the points among those told, up to the first without payoffs.
std::vector<std::size_t> places(const SampledPoints& points, std::span<const Point> of) {
  std::vector<std::size_t> found;
  for (const Point& point : of) {
    const std::uint32_t rank = points.rank_of(points.key(point));
    if (rank == 0 || points.cell(rank - 1).count == 0) break;
    found.push_back(rank - 1);
  }
  return found;
}

/// Without noise a point is worth its payoff.
Certainty certain(const PayoffsByPoint& told, std::size_t place) {
  double highest = told.points->cell(place).mean();
  const double payoff = told.origin + highest;
  for (std::size_t i = 0; i < told.points->size(); ++i) {
    const Cell& cell = told.points->cell(i);
    if (cell.count > 0) highest = std::max(highest, cell.mean());
  }
  const double regret = told.origin + highest - payoff;
  return {.sd = 0.0,
          .best_probability = regret > 0.0 ? 0.0 : 1.0,
          .claim = Claim{.mean = payoff, .low = payoff, .high = payoff, .regret = regret}};
}

}  // namespace

std::optional<Certainty> certainty_of(const Optimiser& optimiser, const SearchSpace& space,
                                      const PayoffFacts& facts) {
  const PayoffsByPoint told = optimiser.told();
  if (told.points == nullptr || totals_of(*told.points).count < 2.0) return std::nullopt;
  const std::vector<std::size_t> place =
      places(*told.points, std::vector{optimiser.recommend().point});
  if (place.empty()) return std::nullopt;
  if (!facts.noisy) return certain(told, place.front());
  return Claims(told, space, facts, place).certainty();
}

std::vector<Claim> claims_of(const Optimiser& optimiser, const SearchSpace& space,
                             const PayoffFacts& facts, std::span<const Point> points) {
  const PayoffsByPoint told = optimiser.told();
  if (told.points == nullptr || totals_of(*told.points).count < 2.0) return {};
  const std::vector<std::size_t> first = places(*told.points, points);
  std::vector<Claim> claims;
  if (first.empty()) return claims;
  if (!facts.noisy) {
    for (const std::size_t place : first) claims.push_back(*certain(told, place).claim);
    return claims;
  }
  const Claims made(told, space, facts, first);
  for (std::size_t i = 0; i < made.size(); ++i) claims.push_back(made.claim(i));
  return claims;
}

}  // namespace ntune
