#include "ntune/optim/claims/point_claims.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "ntune/optim/claims/value_claim.h"
#include "ntune/optim/models/sampled_points.h"

namespace ntune {

namespace {

/// How many of the results of games the payoffs are, if they are nothing else.
struct SeenResults {
  bool low = false;
  bool middle = false;
  bool high = false;

  [[nodiscard]] int count() const { return int{low} + int{middle} + int{high}; }
};

/// Which of a range's ends and its middle there are among the payoffs; nothing where there are
/// others. `rounding`: as a share of the width.
SeenResults results_in(const PayoffsByPoint& told, const PossibleValues& range, double rounding) {
  const double margin = rounding * (*range.high - *range.low);
  SeenResults seen;
  for (const double value : told.points->few_values()) {
    const auto is = [&](double result) { return std::abs(told.origin + value - result) <= margin; };
    if (is(*range.low)) {
      seen.low = true;
    } else if (is(*range.high)) {
      seen.high = true;
    } else if (is(0.5 * (*range.low + *range.high))) {
      seen.middle = true;
    } else {
      return {};
    }
  }
  return seen;
}

/// The range of games, where all payoffs are lost, drawn or won ones: by the declared range.
/// Without one they are exactly 0, 1/2 and 1, two of these at least, costs likewise, or -1, 0 and 1
/// with both ends. All else may be small numbers in a unit of their own.
PossibleValues range_of_games(const PayoffsByPoint& told, const PossibleValues& declared) {
  constexpr double kRounding = 1e-12;
  if (declared.is_known()) {
    return results_in(told, declared, kRounding).count() > 0 ? declared : PossibleValues{};
  }
  const PossibleValues shares =
      declared.negated_costs ? PossibleValues{-1.0, 0.0} : PossibleValues{0.0, 1.0};
  if (results_in(told, shares, 0.0).count() > 1) return shares;
  const PossibleValues signs = {-1.0, 1.0};
  const SeenResults seen = results_in(told, signs, 0.0);
  return seen.low && seen.high ? signs : PossibleValues{};
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
      : told_(told), all_(payoffs_of(*told.points)) {
    const PossibleValues games = range_of_games(told, facts.range);
    observed_.games = games.is_known();
    if (observed_.games) {
      unit_ = {.zero = *games.low - told.origin, .size = *games.high - *games.low};
    } else {
      const double sd = std::sqrt(variance());
      unit_ = {.zero = all_.mean(), .size = sd > 0.0 ? sd : 1.0};
      bound(facts.range);
    }
    const PointKernel kernel(space, KernelForm::kTuples);
    observe(kernel, first);
    found_ = claim_values(kernel, observed_, static_cast<Eigen::Index>(first.size()));
  }

  /// Those of the first points.
  [[nodiscard]] std::vector<Certainty> certainties() const {
    const auto payoff = [&](double of) { return told_.origin + unit_.zero + unit_.size * of; };
    std::vector<Certainty> all;
    for (const ValueClaim& value : found_.rows) {
      all.push_back({.sd = unit_.size * value.sd,
                     .best_probability = found_.best_probability,
                     .claim = Claim{.mean = payoff(value.mean),
                                    .low = payoff(value.low),
                                    .high = payoff(value.high),
                                    .regret = unit_.size * found_.regret}});
    }
    return all;
  }

 private:
  /// Takes the bounds that hold for payoffs as they are told.
  void bound(const PossibleValues& range) {
    const auto in_unit = [&](double payoff) {
      return (payoff - told_.origin - unit_.zero) / unit_.size;
    };
    if (range.low) observed_.lowest = in_unit(*range.low);
    const auto high = range.highest_mean(told_.origin + all_.max());
    if (high) observed_.highest = in_unit(*high);
  }

  /// Sets the rows: first the points of the claims, in their order, and then all others with
  /// payoffs.
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
      observed_.within += cell.deviations;
    }
    observed_.within /= unit_.size * unit_.size;
    if (observed_.games) {
      // Rounding may take a share a little beyond 0 or 1.
      observed_.means = observed_.means.cwiseMax(0.0).cwiseMin(1.0);
      observed_.counts *= games_in_a_payoff();
    }
  }

  /// Draws leave less noise than wins and losses of the same mean, as if there were more games.
  /// Where all were won, or all lost, there is nothing to tell.
  [[nodiscard]] double games_in_a_payoff() const {
    constexpr double kMost = 4.0;
    constexpr double kRounding = 1e-6;
    const double mean = (all_.mean() - unit_.zero) / unit_.size;
    const double variance = this->variance() / (unit_.size * unit_.size);
    const double most = mean * (1.0 - mean);
    if (most <= variance * (1.0 + kRounding)) return 1.0;
    return variance > 0.0 ? std::min(kMost, most / variance) : kMost;
  }

  [[nodiscard]] double variance() const {
    return all_.state().squares / static_cast<double>(all_.count());
  }

  PayoffsByPoint told_;
  RunningStats all_;  ///< payoffs
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

/// Whether a payoff says what its point is worth: without noise, or as far as anybody knows where
/// all are the same number and no games.
bool says_all(const PayoffsByPoint& told, const PayoffFacts& facts) {
  return !facts.noisy ||
         (told.points->few_values().size() == 1 && !range_of_games(told, facts.range).is_known());
}

/// Returns the certainty of a point whose payoff says all: it is worth its payoff.
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

/// What is claimed of those points that `wanted` gives, up to the first without payoffs. Nothing
/// where no payoffs are shown or fewer than two.
template <class Wanted>
std::vector<Certainty> certainties_of(const Optimiser& optimiser, const SearchSpace& space,
                                      const PayoffFacts& facts, const Wanted& wanted) {
  const PayoffsByPoint told = optimiser.told();
  if (told.points == nullptr || payoffs_of(*told.points).count() < 2) return {};
  const std::vector<std::size_t> first = places(*told.points, wanted());
  if (first.empty()) return {};
  if (!says_all(told, facts)) return Claims(told, space, facts, first).certainties();
  std::vector<Certainty> found;
  for (const std::size_t place : first) found.push_back(certain(told, place));
  return found;
}

}  // namespace

std::vector<Claim> claims_of(const Optimiser& optimiser, const SearchSpace& space,
                             const PayoffFacts& facts, std::span<const Point> points) {
  std::vector<Claim> claims;
  for (const Certainty& certainty :
       certainties_of(optimiser, space, facts, [&] { return points; })) {
    claims.push_back(*certainty.claim);
  }
  return claims;
}

std::optional<Certainty> certainty_of(const Optimiser& optimiser, const SearchSpace& space,
                                      const PayoffFacts& facts) {
  const std::vector<Certainty> found = certainties_of(
      optimiser, space, facts, [&] { return std::vector{optimiser.recommend().point}; });
  return found.empty() ? std::nullopt : std::optional(found.front());
}

}  // namespace ntune
