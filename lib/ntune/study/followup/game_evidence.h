#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "ntune/core/game_statistics.h"
#include "ntune/core/statistics.h"
#include "ntune/objective/objective.h"

namespace ntune {

/// Which Elo the hypotheses of a test of games are in.
enum class EloModel { kNormalised, kLogistic };

/// The games of two players as observations of a sequential test. Each has a score from 0 to 1 for
/// the first player, 1/2 where both are level.
class GameEvidence {
 public:
  /// Games of the two against each other. Pairs are the observations where all games are paired,
  /// else single games.
  void add_match(const GameCounts& games);
  /// Games of each with the same seed against the same opponents: one observation, with the score
  /// (1 + score of the first - score of the second) / 2. No match goes before or after it.
  void add_pair(const GameCounts& first, const GameCounts& second);

  [[nodiscard]] std::int64_t observations() const;
  [[nodiscard]] const GameCounts& first() const { return first_; }
  /// Games of the second player against common opponents; there are none of a match.
  [[nodiscard]] const GameCounts& second() const { return second_; }
  /// The observations by their points: pairs of a match, or single games of each. Nothing else.
  [[nodiscard]] std::optional<Pentanomial> pentanomial() const;

  /// log L(the first player is elo1 stronger) - log L(elo0), by the generalised likelihood ratio
  /// (GSPRT); needs an observation. A logistic difference against other opponents is one of scores
  /// at the level of both players (score_difference).
  [[nodiscard]] double ratio(EloModel model, double elo0, double elo1) const;
  /// The ratio by differences from level, of which those of an instance count by its weight: in
  /// payoffs, or in a match in points per game. The sd of the weighted mean must be above 0. Scores
  /// are taken for normal ones.
  [[nodiscard]] double ratio(EloModel model, double elo0, double elo1,
                             const MeanSample& differences) const;
  /// Elo of the first player over the second with 95 % intervals, where it can be told.
  [[nodiscard]] std::optional<Rating> elo() const;
  [[nodiscard]] std::optional<Rating> normalised() const;

 private:
  using Frequencies = std::map<double, std::int64_t>;  ///< by score
  [[nodiscard]] Frequencies frequencies() const;
  [[nodiscard]] double games_per_observation() const;
  [[nodiscard]] double expected_score(double elo) const;

  bool met_ = false;  ///< the two played each other
  GameCounts first_;
  GameCounts second_;
  PairedElo paired_;
  Frequencies scores_;  ///< of pairs of evaluations
};

/// Pairs of payoffs that may be results of single games: declared wins and losses, or -1, 0 and 1,
/// or 0, 1/2 and 1. All payoffs together decide which of these scales they have.
class PairedGames {
 public:
  explicit PairedGames(const Payoffs& payoffs);

  /// The payoffs of both players with the same seed.
  void add(double first, double second);
  /// False where a payoff was no win, draw or loss.
  [[nodiscard]] bool are_games() const { return !scales_.empty(); }

  /// The pairs as games; it has no meaning unless all are games.
  [[nodiscard]] const GameEvidence& evidence() const { return evidence_; }

 private:
  struct Scale {
    double low = 0.0;
    double range = 1.0;
    [[nodiscard]] double score(double payoff) const { return (payoff - low) / range; }
    [[nodiscard]] bool fits(double payoff) const;
  };
  void count(const std::array<double, 2>& pair);

  std::vector<Scale> scales_;  ///< those that fit so far; the first counts
  std::vector<std::array<double, 2>> pairs_;
  GameEvidence evidence_;
};

}  // namespace ntune
