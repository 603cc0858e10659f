#include "ntune/core/game_statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

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

namespace {

/// Twice the points of the first player.
std::int64_t half_points(const WinDrawLoss& games) { return 2 * games.wins + games.draws; }

std::int64_t half_points(const Pentanomial& pairs) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < pairs.counts.size(); ++i) {
    sum += static_cast<std::int64_t>(i) * pairs.counts[i];
  }
  return sum;
}

}  // namespace

RunningStats scores_of(const GameCounts& counts) {
  // The sufficient statistics of the sample are set as they are: the scores need not be added one
  // by one.
  RunningStats::State state;
  const auto set = [&](std::int64_t n, double mean, double variance) {
    state.count = n;
    state.mean = mean;
    state.squares = static_cast<double>(n) * std::max(0.0, variance);
  };
  if (counts.are_paired()) {
    const auto& pairs = counts.pairs.counts;
    set(counts.pairs.pairs(), counts.pairs.score(), counts.pairs.variance());
    // The extremes of pairs are their lowest and highest possible score that was seen, in quarters
    // of a point per game.
    const auto seen = [](std::int64_t count) { return count > 0; };
    const auto least = std::ranges::find_if(pairs, seen) - pairs.begin();
    const auto most = pairs.rend() - std::ranges::find_if(pairs.rbegin(), pairs.rend(), seen) - 1;
    state.min = static_cast<double>(least) / 4.0;
    state.max = static_cast<double>(most) / 4.0;
  } else {
    const auto& [wins, draws, losses] = counts.games;
    set(counts.games.games(), counts.games.score(), counts.games.variance());
    state.min = losses > 0 ? 0.0 : draws > 0 ? 0.5 : 1.0;
    state.max = wins > 0 ? 1.0 : draws > 0 ? 0.5 : 0.0;
  }
  return RunningStats(state);
}

double games_of_observation(const GameCounts& counts) { return counts.are_paired() ? 2.0 : 1.0; }

void Forfeits::add(const Forfeits& other) {
  for (std::size_t i = 0; i < first.size(); ++i) {
    first[i] += other.first[i];
    second[i] += other.second[i];
  }
}

std::int64_t Forfeits::by_first() const {
  return std::accumulate(first.begin(), first.end(), std::int64_t{0});
}

std::int64_t Forfeits::by_second() const {
  return std::accumulate(second.begin(), second.end(), std::int64_t{0});
}

GameCounts from_the_other_side(GameCounts counts) {
  std::swap(counts.games.wins, counts.games.losses);
  std::ranges::reverse(counts.pairs.counts);
  std::swap(counts.forfeits.first, counts.forfeits.second);
  return counts;
}

double GameCounts::games_each(std::int64_t values) const {
  return values > 0 ? static_cast<double>(games.games()) / static_cast<double>(values) : 0.0;
}

void GameCounts::add(const GameCounts& other) {
  games.wins += other.games.wins;
  games.draws += other.games.draws;
  games.losses += other.games.losses;
  for (std::size_t i = 0; i < pairs.counts.size(); ++i) pairs.counts[i] += other.pairs.counts[i];
  forfeits.add(other.forfeits);
}

GameCounts single_game(double points) {
  GameCounts counts;
  counts.games.add(points);
  return counts;
}

GameCounts pair_of_games(double one, double other) {
  GameCounts counts = single_game(one);
  counts.games.add(other);
  counts.pairs.add(one + other);
  return counts;
}

GameCounts games_of_one_call(const WinDrawLoss& games) {
  GameCounts counts{.games = games};
  // Of two games the order is not known, but their sum is; so they make one pair.
  if (games.games() == 2) counts.pairs.add(0.5 * static_cast<double>(half_points(games)));
  return counts;
}

const char* contradiction_of(const GameCounts& counts) {
  const auto& [wins, draws, losses] = counts.games;
  if (std::min({wins, draws, losses}) < 0 || *std::ranges::min_element(counts.pairs.counts) < 0) {
    return "a count is negative";
  }
  const auto& [first, second] = counts.forfeits;
  if (std::min(*std::ranges::min_element(first), *std::ranges::min_element(second)) < 0) {
    return "a count is negative";
  }
  if (counts.forfeits.by_first() > losses || counts.forfeits.by_second() > wins) {
    return "there are more games lost by a fault than lost games";
  }
  // Pairs that are known must leave a number of games and points that the other games can have:
  // from 0 to 2 half points each.
  const std::int64_t unpaired = counts.games.games() - 2 * counts.pairs.pairs();
  const std::int64_t rest = half_points(counts.games) - half_points(counts.pairs);
  if (unpaired < 0) return "there are more pairs than games";
  if (rest < 0 || rest > 2 * unpaired) return "pairs and games have different points";
  return "";
}

namespace {

/// Payoffs with weights whose mean is 1, and the mean by them.
class WeighedGames {
 public:
  explicit WeighedGames(std::span<const PayoffOfGames> payoffs) : payoffs_(payoffs) {
    double known = 0.0;
    double sum = 0.0;
    for (const PayoffOfGames& one : payoffs) {
      known += one.games > 0.0 ? 1.0 : 0.0;
      sum += one.games;
    }
    // Sums of counts are exact, so that equal payoffs have exactly their mean.
    double games = 0.0;
    double payoff = 0.0;
    for (const PayoffOfGames& one : payoffs) {
      weights_.push_back(one.games > 0.0 ? one.games : known > 0.0 ? sum / known : 1.0);
      games += weights_.back();
      payoff += weights_.back() * one.payoff;
    }
    const auto [least, most] = std::ranges::minmax(payoffs, {}, &PayoffOfGames::payoff);
    mean_ = std::clamp(payoff / games, least.payoff, most.payoff);
    for (double& weight : weights_) weight *= static_cast<double>(payoffs.size()) / games;
  }
  [[nodiscard]] double mean() const { return mean_; }
  /// What the payoff at this place adds to the mean, times their number.
  [[nodiscard]] double part(std::size_t i) const {
    return weights_[i] * (payoffs_[i].payoff - mean_);
  }
  /// Kish's effective number of the payoffs (Survey Sampling 1965, section 11.7).
  [[nodiscard]] double effective() const {
    double squares = 0.0;
    for (const double weight : weights_) squares += weight * weight;
    const auto n = static_cast<double>(weights_.size());
    return squares > 0.0 ? n * n / squares : 0.0;
  }

 private:
  std::span<const PayoffOfGames> payoffs_;
  std::vector<double> weights_;
  double mean_ = 0.0;
};

/// A sample with this mean, whose parts sum to about 0, and so many effective values.
RunningStats sample_of_parts(const std::vector<double>& parts, double mean, double effective) {
  const RunningStats spread = stats_of(parts);
  const auto n = static_cast<double>(spread.count());
  const double count = std::max(std::min(n, 2.0), std::floor(effective + 1e-9));
  return RunningStats({.count = static_cast<std::int64_t>(count),
                       .mean = mean,
                       .squares = spread.variance() * (count - 1.0) * count / n,
                       .min = mean + spread.min(),
                       .max = mean + spread.max()});
}

}  // namespace

bool are_of_unequal_games(std::span<const PayoffOfGames> payoffs) {
  double first = 0.0;
  for (const PayoffOfGames& one : payoffs) {
    if (one.games > 0.0 && first > 0.0 && one.games != first) return true;
    if (one.games > 0.0) first = one.games;
  }
  return false;
}

RunningStats mean_by_games(std::span<const PayoffOfGames> payoffs) {
  if (payoffs.empty()) return {};
  const WeighedGames games(payoffs);
  std::vector<double> parts;
  for (std::size_t i = 0; i < payoffs.size(); ++i) parts.push_back(games.part(i));
  return sample_of_parts(parts, games.mean(), games.effective());
}

MeanSample weighed_by_games(const RunningStats& payoffs, std::span<const PayoffOfGames> by_games) {
  MeanSample sample = payoffs;
  if (are_of_unequal_games(by_games)) sample.mean = mean_by_games(by_games);
  return sample;
}

RunningStats difference_by_games(std::span<const PayoffOfGames> first,
                                 std::span<const PayoffOfGames> second) {
  assert(first.size() == second.size());
  if (first.empty()) return {};
  const WeighedGames ours(first);
  const WeighedGames theirs(second);
  std::vector<double> parts;
  for (std::size_t i = 0; i < first.size(); ++i) parts.push_back(ours.part(i) - theirs.part(i));
  return sample_of_parts(parts, rounded_difference(ours.mean(), theirs.mean()),
                         std::min(ours.effective(), theirs.effective()));
}

Rating match_elo(const GameCounts& counts) {
  const RunningStats scores = scores_of(counts);
  // Without an interval the score is only known to lie between 0 and 1.
  const Interval interval =
      mean_interval(scores, {.low = 0.0, .high = 1.0, .games = games_of_observation(counts)})
          .value_or(Interval{0.0, 1.0});
  return rating_of_score(scores.mean(), interval);
}

Rating normalised_elo(const GameCounts& counts) {
  return normalised_rating(scores_of(counts), games_of_observation(counts));
}

}  // namespace ntune
