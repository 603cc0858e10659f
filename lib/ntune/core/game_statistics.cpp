#include "ntune/core/game_statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "ntune/core/mean_interval.h"

namespace ntune {

namespace {

/// The possible values of scores that are each of so many games.
PossibleValues scores_of(double games) { return {.low = 0.0, .high = 1.0, .games = games}; }

/// Mean score per game of two players, drawn to 1/2 by one of n + 1 observations; so it is never 0
/// or 1.
double level_of(double first, double second, std::int64_t observations) {
  const auto n = static_cast<double>(observations);
  return (0.5 * n * (first + second) + 0.5) / (n + 1.0);
}

}  // namespace

double elo_of_score(double score) { return 400.0 * std::log10(score / (1.0 - score)); }

double score_of_elo(double elo) { return 1.0 / (1.0 + std::pow(10.0, -elo / 400.0)); }

void WinDrawLoss::add(double score) {
  assert(score == 0.0 || score == 0.5 || score == 1.0);
  ++(score == 1.0 ? wins : score == 0.0 ? losses : draws);
}

double WinDrawLoss::score() const {
  return (static_cast<double>(wins) + 0.5 * static_cast<double>(draws)) /
         static_cast<double>(games());
}

double WinDrawLoss::variance() const {
  const double mean = score();
  // The variance is E[X^2] - E[X]^2, with n in the denominator.
  const double squares = static_cast<double>(wins) + 0.25 * static_cast<double>(draws);
  return squares / static_cast<double>(games()) - mean * mean;
}

void Pentanomial::add(double points) {
  assert(points >= 0.0 && points <= 2.0 && 2.0 * points == std::floor(2.0 * points));
  ++counts[static_cast<std::size_t>(2.0 * points)];
}

std::int64_t Pentanomial::pairs() const {
  std::int64_t sum = 0;
  for (const std::int64_t count : counts) sum += count;
  return sum;
}

double Pentanomial::score() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    sum += static_cast<double>(counts[i]) * static_cast<double>(i) / 4.0;
  }
  return sum / static_cast<double>(pairs());
}

double Pentanomial::variance() const {
  const double mean = score();
  double sum = 0.0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double deviation = static_cast<double>(i) / 4.0 - mean;
    sum += static_cast<double>(counts[i]) * deviation * deviation;
  }
  return sum / static_cast<double>(pairs());
}

namespace {

/// Normalised Elo of scores from 0 to 1 of so many games each; `unit` is that of one standard
/// deviation of them.
Rating normalised(const RunningStats& scores, double games, double unit) {
  const auto n = static_cast<double>(scores.count());
  const double lead = scores.mean() - 0.5;
  const MeanConfidence mean(scores, scores_of(games));
  const double factor = mean.variance_factor();
  // Where few points are lost their share of draws is hardly known. A score of many games is their
  // mean, with so much less variance.
  const double part = games > 2.0 ? games : 1.0;
  const double lost = part * n * (0.5 - std::abs(lead));
  const double with_one_more = (part * factor * lost + 1.0) / (lost + 1.0) / part;
  // The Elo at a mean `score` uses the variance factor * score * (1 - score). So the standard
  // deviation follows the mean (see MeanConfidence).
  const auto elo_at = [&](double score) {
    const double x = score - 0.5;
    if (x == 0.0) return 0.0;
    // Towards 1/2, seen from the sample, the larger factor is taken, which has the one more point
    // lost.
    const bool towards = x * lead > 0.0 && std::abs(x) < std::abs(lead);
    return unit * x / std::sqrt((towards ? with_one_more : factor) * score * (1.0 - score));
  };
  // The value itself uses the sample's own standard deviation, as match programs print it.
  const double sd = std::sqrt(scores.state().squares / n);
  const Interval ends = mean.interval().value_or(Interval{0.0, 1.0});
  const double value = lead == 0.0 ? 0.0 : unit * lead / sd;
  return {value, {std::min(value, elo_at(ends.low)), std::max(value, elo_at(ends.high))}};
}

}  // namespace

Rating normalised_rating(const RunningStats& scores, double games) {
  return normalised(scores, games, kNormalisedElo / std::sqrt(games));
}

Rating normalised_difference(const RunningStats& differences, double games) {
  // A score is (1 + difference) / 2, and a difference has the variance of two games.
  // The map x -> (1 + x) / 2 takes differences from [-1, 1] to [0, 1]; squared deviations shrink by
  // 4.
  RunningStats::State scores = differences.state();
  scores.mean = 0.5 * (1.0 + scores.mean);
  scores.squares *= 0.25;
  scores.min = 0.5 * (1.0 + scores.min);
  scores.max = 0.5 * (1.0 + scores.max);
  return normalised(RunningStats(scores), games, kNormalisedElo * std::sqrt(2.0 / games));
}

Rating rating_of_score(double score, const Interval& interval) {
  return {elo_of_score(score), {elo_of_score(interval.low), elo_of_score(interval.high)}};
}

std::optional<Rating> elo_difference(double first, double second, std::int64_t observations,
                                     const Interval& difference) {
  // Two players that both won or lost everything have infinite Elo each; their difference has no
  // value.
  if (first == second && (first == 0.0 || first == 1.0)) return std::nullopt;
  const double value = elo_of_score(first) - elo_of_score(second);
  // The ends of the interval keep the level of both players and move them apart by `apart`.
  const auto elo_at = [level = level_of(first, second, observations)](double apart) {
    const auto elo = [](double score) { return elo_of_score(std::clamp(score, 0.0, 1.0)); };
    return elo(level + 0.5 * apart) - elo(level - 0.5 * apart);
  };
  // The interval must hold the value, though the value has the sample's own scores and not the
  // drawn level.
  return Rating{
      value, {std::min(value, elo_at(difference.low)), std::max(value, elo_at(difference.high))}};
}

void PairedElo::add(double first, double second, double games) {
  first_.add(first);
  second_.add(second);
  difference_.add(first - second);
  games_.add(games);
}

double PairedElo::level() const { return level_of(first_.mean(), second_.mean(), count()); }

std::optional<Rating> PairedElo::elo() const {
  if (count() < 2) return std::nullopt;
  const auto ends = paired_difference(difference_, scores_of(games_.mean())).interval;
  return elo_difference(first_.mean(), second_.mean(), count(), ends.value_or(Interval{-1.0, 1.0}));
}

double score_difference(double elo, double level) {
  // The players' mean Elo is found by bisection: both scores rise with it, and their sum must be
  // twice the level. 60 halvings reach the precision of a double.
  assert(level > 0.0 && level < 1.0);
  double low = elo_of_score(level) - std::abs(elo);
  double high = elo_of_score(level) + std::abs(elo);
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    const double sum = score_of_elo(middle + 0.5 * elo) + score_of_elo(middle - 0.5 * elo);
    (sum < 2.0 * level ? low : high) = middle;
  }
  return score_of_elo(low + 0.5 * elo) - score_of_elo(low - 0.5 * elo);
}

}  // namespace ntune
