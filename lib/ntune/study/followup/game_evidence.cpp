#include "ntune/study/followup/game_evidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "ntune/core/sequential_test.h"

namespace ntune {

namespace {

constexpr std::array<double, 5> kPairScores = {0.0, 0.25, 0.5, 0.75, 1.0};

/// Scores of a few games have equal keys whatever their rounding errors.
double score_key(double score) {
  constexpr double kSteps = 1 << 30;
  return std::round(score * kSteps) / kSteps;
}

}  // namespace

void GameEvidence::add_match(const GameCounts& games) {
  met_ = true;
  first_.add(games);
}

void GameEvidence::add_pair(const GameCounts& first, const GameCounts& second) {
  // All five scores of a pair of games stand there, even if none was seen.
  if (scores_.empty()) {
    for (const double score : kPairScores) scores_[score] = 0;
  }
  first_.add(first);
  second_.add(second);
  const double a = first.games.score();
  const double b = second.games.score();
  paired_.add(a, b, static_cast<double>(first.games.games()));
  ++scores_[score_key(0.5 * (1.0 + a - b))];
}

std::int64_t GameEvidence::observations() const {
  if (!met_) return paired_.count();
  return first_.are_paired() ? first_.pairs.pairs() : first_.games.games();
}

/// Counts of pairs by their points; pairs of evaluations have them where each is a single game.
std::optional<Pentanomial> GameEvidence::pentanomial() const {
  if (met_) return first_.are_paired() ? std::optional(first_.pairs) : std::nullopt;
  const std::int64_t games = first_.games.games() + second_.games.games();
  if (paired_.count() == 0 || games != 2 * paired_.count()) return std::nullopt;
  Pentanomial pairs;
  std::ranges::transform(kPairScores, pairs.counts.begin(),
                         [&](double score) { return scores_.at(score); });
  return pairs;
}

/// How often each score was seen.
GameEvidence::Frequencies GameEvidence::frequencies() const {
  if (!met_) return scores_;
  const auto& [wins, draws, losses] = first_.games;
  if (!first_.are_paired()) return {{0.0, losses}, {0.5, draws}, {1.0, wins}};
  Frequencies pairs;
  for (std::size_t i = 0; i < kPairScores.size(); ++i) {
    pairs[kPairScores[i]] = first_.pairs.counts[i];
  }
  return pairs;
}

double GameEvidence::games_per_observation() const {
  return static_cast<double>(first_.games.games() + second_.games.games()) /
         static_cast<double>(observations());
}

double GameEvidence::expected_score(double elo) const {
  if (met_) return score_of_elo(elo);
  return 0.5 + 0.5 * score_difference(elo, paired_.level());
}

double GameEvidence::ratio(EloModel model, double elo0, double elo1) const {
  // The generalised likelihood ratio of these frequencies (Van den Bergh, as in fishtest).
  std::vector<double> scores;
  std::vector<std::int64_t> counts;
  for (const auto& [score, count] : frequencies()) {
    scores.push_back(score);
    counts.push_back(count);
  }
  const ScoreFrequencies seen{scores, counts};
  if (model == EloModel::kLogistic) {
    return gsprt_of_mean(seen, expected_score(elo0), expected_score(elo1));
  }
  // t of an observation for one of a game; a score of two evaluations has half their difference.
  const double unit = (met_ ? 1.0 : 0.5) * std::sqrt(games_per_observation()) / kNormalisedElo;
  return gsprt_of_t(seen, 0.5, elo0 * unit, elo1 * unit);
}

double GameEvidence::ratio(EloModel model, double elo0, double elo1,
                           const MeanSample& differences) const {
  // The t of an observation is that of a game times the root of its games.
  const RunningStats& of_weights = differences.mean;
  const RunningStats& as_they_came = differences.values;
  // A call of a match is one observation here, whatever its games.
  const double games =
      met_ ? static_cast<double>(first_.games.games()) / static_cast<double>(as_they_came.count())
           : games_per_observation();
  const double range = met_ ? 1.0 : 2.0 * as_they_came.sd() / paired_.difference().sd();
  const auto t_of = [&](double elo) {
    if (model == EloModel::kLogistic) {
      return (expected_score(elo) - 0.5) * range / of_weights.sd();
    }
    return elo * (met_ ? 1.0 : 0.5) * std::sqrt(games) / kNormalisedElo;
  };
  return normal_t_ratio(static_cast<double>(of_weights.count()),
                        of_weights.mean() / of_weights.sd(), t_of(elo0), t_of(elo1));
}

std::optional<Rating> GameEvidence::elo() const {
  if (!met_) return paired_.elo();
  return observations() < 2 ? std::nullopt : std::optional(match_elo(first_));
}

std::optional<Rating> GameEvidence::normalised() const {
  if (observations() < 2) return std::nullopt;
  if (met_) return normalised_elo(first_);
  return normalised_difference(paired_.difference(), 0.5 * games_per_observation());
}

bool PairedGames::Scale::fits(double payoff) const {
  const double points = score(payoff);
  return points == 0.0 || points == 0.5 || points == 1.0;
}

PairedGames::PairedGames(const Payoffs& payoffs) {
  // Declared wins and losses are one scale; else both are tried that the range allows.
  if (payoffs.two_valued && payoffs.low && payoffs.high) {
    scales_ = {{*payoffs.low, *payoffs.high - *payoffs.low}};
    return;
  }
  if (!payoffs.low || *payoffs.low >= 0.0) scales_.push_back({0.0, 1.0});
  if (!payoffs.low || *payoffs.low < 0.0) scales_.push_back({-1.0, 2.0});
}

void PairedGames::add(double first, double second) {
  if (!are_games()) return;
  // A scale that a payoff does not fit is ruled out; if it counted, all is counted anew.
  pairs_.push_back({first, second});
  const double low = scales_.front().low;
  std::erase_if(scales_,
                [&](const Scale& scale) { return !scale.fits(first) || !scale.fits(second); });
  if (!are_games()) return;
  if (scales_.front().low == low) return count(pairs_.back());
  evidence_ = {};
  for (const std::array<double, 2>& pair : pairs_) count(pair);
}

void PairedGames::count(const std::array<double, 2>& pair) {
  evidence_.add_pair(single_game(scales_.front().score(pair[0])),
                     single_game(scales_.front().score(pair[1])));
}

}  // namespace ntune
