#include "ntune/optim/duels/tuple_strengths.h"

#include <algorithm>
#include <cmath>

namespace ntune {

namespace {

constexpr double kSinglesSd = 60.0;   // Elo, of all single parameters together
constexpr double kPairsShare = 0.5;   // of that variance
constexpr double kPointShare = 0.05;  // of that variance
constexpr std::uint32_t kFinest = 64;
constexpr std::uint32_t kFinestPaired = 4;
constexpr std::uint32_t kMostPairedChoices = 16;

/// Returns the block, from 0 to blocks - 1, that holds a value where all are cut into equal blocks.
std::uint32_t block_of(std::uint32_t value, std::uint32_t values, std::uint32_t blocks) {
  return value * blocks / values;
}

}  // namespace

TupleStrengths::TupleStrengths(const SearchSpace& space)
    : space_(&space), draws_(DrawModel::of_draws(share_of_draws())) {
  for (int i = 0; i < space.dimensions(); ++i) {
    if (space[i].cardinality() < 2) continue;
    axes_.push_back({.parameter = i, .values = static_cast<std::uint32_t>(space[i].cardinality())});
  }
  constexpr double kVariance = kSinglesSd * kSinglesSd;
  const auto count = static_cast<double>(axes_.size());
  // Setting 0 is that of every point that has not played (kUnknownPoint).
  add_settings(1, kPointShare * kVariance);
  for (Axis& axis : axes_) {
    const bool ordered = space[axis.parameter].ordered;
    axis.first = static_cast<std::uint32_t>(settings_.size());
    // The finest cut has every value, or 64 blocks. Coarser cuts of 2, 4, 8 … blocks come before
    // it.
    const std::uint32_t finest = ordered ? std::min(axis.values, kFinest) : axis.values;
    for (std::uint32_t blocks = 2; ordered && blocks < finest; blocks *= 2) {
      axis.blocks.push_back(blocks);
    }
    axis.blocks.push_back(finest);
    axis.paired = std::min(axis.values, ordered ? kFinestPaired : kMostPairedChoices);
    // Each halving has half the variance of the one before. The n shares sum to 1, since 1 + 1/2 +
    // 1/4 + … of n terms is 2 - 2^(1-n).
    double share = 1.0 / (2.0 - std::ldexp(1.0, 1 - static_cast<int>(axis.blocks.size())));
    for (const std::uint32_t blocks : axis.blocks) {
      add_settings(blocks, share * kVariance / count);
      share /= 2.0;
    }
  }
  if (axes_.size() > kMostPaired) return;
  const double pairs = 0.5 * count * (count - 1.0);
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      pairs_.push_back(static_cast<std::uint32_t>(settings_.size()));
      add_settings(axes_[a].paired * axes_[b].paired, kPairsShare * kVariance / pairs);
    }
  }
}

void TupleStrengths::add_settings(std::uint32_t count, double variance) {
  // All means begin at 0, the strength of an average point.
  settings_.insert(settings_.end(), count, {.variance = variance});
}

/// Settings ascend but for the last one, as `for_each_difference` expects: axes and pairs are
/// visited in the order in which the constructor numbered them.
TupleStrengths::Settings TupleStrengths::settings(const Point& point) const {
  Settings settings;
  settings.reserve(4 * axes_.size() + pairs_.size() + 1);
  std::vector<std::uint32_t> paired(axes_.size());
  constexpr std::uint32_t kInactive = ~std::uint32_t{0};
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    const Axis& axis = axes_[a];
    paired[a] = kInactive;
    if (!space_->is_active(point, axis.parameter)) continue;
    std::uint32_t first = axis.first;
    const std::uint32_t value = (*space_)[axis.parameter].nearest_on_grid(point[axis.parameter]);
    for (const std::uint32_t blocks : axis.blocks) {
      settings.push_back(first + block_of(value, axis.values, blocks));
      first += blocks;
    }
    paired[a] = block_of(value, axis.values, axis.paired);
  }
  std::size_t pair = 0;
  for (std::size_t a = 0; a < axes_.size() && !pairs_.empty(); ++a) {
    for (std::size_t b = 0; b < a; ++b, ++pair) {
      if (paired[a] == kInactive || paired[b] == kInactive) continue;
      settings.push_back(pairs_[pair] + paired[a] * axes_[b].paired + paired[b]);
    }
  }
  const auto found = points_.find(point);
  settings.push_back(found == points_.end() ? kUnknownPoint : found->second);
  return settings;
}

void TupleStrengths::remember(const Point& point) {
  const auto [found, is_new] = points_.emplace(point, static_cast<std::uint32_t>(settings_.size()));
  if (is_new) add_settings(1, settings_[kUnknownPoint].variance);
}

namespace {

/// Calls visit(setting, sign) for what the two do not share. Both are sorted but for the last one.
template <class Visit>
void for_each_difference(const TupleStrengths::Settings& first,
                         const TupleStrengths::Settings& second, const Visit& visit) {
  auto one = first.begin();
  auto other = second.begin();
  const auto one_end = first.end() - 1;
  const auto other_end = second.end() - 1;
  while (one != one_end || other != other_end) {
    if (other == other_end || (one != one_end && *one < *other)) {
      visit(*one++, 1.0);
    } else if (one == one_end || *other < *one) {
      visit(*other++, -1.0);
    } else {
      ++one;
      ++other;
    }
  }
  // The points themselves always differ. Two that have not played share a setting number, but not a
  // strength.
  visit(first.back(), 1.0);
  visit(second.back(), -1.0);
}

}  // namespace

Belief TupleStrengths::difference(const Settings& first, const Settings& second) const {
  double mean = 0.0;
  double variance = 0.0;
  for_each_difference(first, second, [&](std::uint32_t setting, double sign) {
    mean += sign * settings_[setting].mean;
    variance += settings_[setting].variance;
  });
  return {.mean = mean, .sd = std::sqrt(variance)};
}

double TupleStrengths::mean(const Settings& settings) const {
  double mean = 0.0;
  for (const std::uint32_t setting : settings) mean += settings_[setting].mean;
  return mean;
}

/// Does one step of an extended Kalman filter whose covariance is diagonal. The match measures the
/// first player's settings less the second's.
void TupleStrengths::record(const Point& first, const Point& second, const MatchResult& result) {
  if (first == second) return;
  remember(first);
  remember(second);
  // Results of single games, where they are known, tell how often equal players draw.
  const std::int64_t counted = result.games.games.games();
  if (counted > 0) {
    counted_ += static_cast<double>(counted);
    drawn_ += static_cast<double>(result.games.games.draws);
    draws_ = DrawModel::of_draws(share_of_draws(drawn_, counted_));
  }
  const double games = result.weight();
  const Settings one = settings(first);
  const Settings other = settings(second);
  const Belief before = difference(one, other);
  // The score's likelihood is linearised at the expected difference. Its slope is `surprise` and
  // its curvature `information`; `unit` makes both of them derivatives by Elo.
  const double unit = draws_.per_elo();
  const double expected = 0.5 + draws_.excess(unit * before.mean);
  const double surprise = unit * games * (result.score - expected);
  const double information = unit * unit * games * draws_.variance(unit * before.mean);
  // With information 1/R and the variance S of the difference, the Kalman gain is variance / (S +
  // R). Here it is written with `all` = 1 + S/R, as an information of 0 has no R.
  const double all = 1.0 + information * *before.sd * *before.sd;
  for_each_difference(one, other, [&](std::uint32_t index, double sign) {
    Setting& setting = settings_[index];
    setting.mean += sign * setting.variance * surprise / all;
    setting.variance -= setting.variance * setting.variance * information / all;
  });
}

}  // namespace ntune
