#include "ntune/core/game_statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace ntune {

namespace {

constexpr double kZ95 = 1.959963984540054;

/// Elo of a score with the interval of a standard error.
Rating elo_rating(double score, double standard_error) {
  const auto elo_at = [](double x) { return elo_of_score(std::clamp(x, 0.0, 1.0)); };
  return {elo_at(score),
          {elo_at(score - kZ95 * standard_error), elo_at(score + kZ95 * standard_error)}};
}

std::optional<Rating> normalised(double score, double variance_of_game, double standard_error) {
  if (!(variance_of_game > 0.0)) return std::nullopt;
  const double unit = kNormalisedElo / std::sqrt(variance_of_game);
  const double value = (score - 0.5) * unit;
  const double half = kZ95 * standard_error * unit;
  return Rating{value, {value - half, value + half}};
}

/// d elo / d score.
double elo_slope(double score) { return 400.0 / std::numbers::ln10 / (score * (1.0 - score)); }

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

Rating match_elo(const WinDrawLoss& games) {
  return elo_rating(games.score(),
                    std::sqrt(games.variance() / static_cast<double>(games.games())));
}

Rating match_elo(const Pentanomial& pairs) {
  return elo_rating(pairs.score(),
                    std::sqrt(pairs.variance() / static_cast<double>(pairs.pairs())));
}

std::optional<Rating> normalised_elo(const WinDrawLoss& games) {
  return normalised(games.score(), games.variance(),
                    std::sqrt(games.variance() / static_cast<double>(games.games())));
}

std::optional<Rating> normalised_elo(const Pentanomial& pairs) {
  return normalised(pairs.score(), 2.0 * pairs.variance(),
                    std::sqrt(pairs.variance() / static_cast<double>(pairs.pairs())));
}

double likelihood_of_superiority(const Pentanomial& pairs) {
  const double error = std::sqrt(pairs.variance() / static_cast<double>(pairs.pairs()));
  const double lead = pairs.score() - 0.5;
  if (error == 0.0) return lead > 0.0 ? 1.0 : lead < 0.0 ? 0.0 : 0.5;
  return 0.5 * std::erfc(-lead / error / std::numbers::sqrt2);
}

void PairedElo::add(double first, double second) {
  first_.add(first);
  second_.add(second);
  difference_.add(first - second);
}

std::optional<Rating> PairedElo::elo() const {
  const double a = first_.mean();
  const double b = second_.mean();
  if (count() < 2 || a <= 0.0 || a >= 1.0 || b <= 0.0 || b >= 1.0) return std::nullopt;
  const double covariance = 0.5 * (first_.variance() + second_.variance() - difference_.variance());
  const double slope_a = elo_slope(a);
  const double slope_b = elo_slope(b);
  const double variance = slope_a * slope_a * first_.variance() +
                          slope_b * slope_b * second_.variance() -
                          2.0 * slope_a * slope_b * covariance;
  const double value = elo_of_score(a) - elo_of_score(b);
  const double half = kZ95 * std::sqrt(std::max(0.0, variance) / static_cast<double>(count()));
  return Rating{value, {value - half, value + half}};
}

double score_difference(double elo, double level) {
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
