#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "ntune/core/statistics.h"

namespace ntune {

/// Elo of an expected score per game: 400 log10(score / (1 - score)); infinite at 0 and 1.
double elo_of_score(double score);
/// 1 / (1 + 10^(-elo / 400)).
double score_of_elo(double elo);

/// Normalised Elo of one standard deviation of a single game's score, 800 / ln 10 (Van den Bergh,
/// "Normalized Elo"). Near 1/2 and without draws normalised Elo is logistic Elo.
inline constexpr double kNormalisedElo = 347.43558552260146;

/// Games by result, from the first player's side.
struct WinDrawLoss {
  std::int64_t wins = 0;
  std::int64_t draws = 0;
  std::int64_t losses = 0;

  /// Adds a result: 1, 0.5 or 0.
  void add(double score);
  [[nodiscard]] std::int64_t games() const { return wins + draws + losses; }
  /// Points per game; needs a game.
  [[nodiscard]] double score() const;
  /// Variance of one game's score, with n in the denominator.
  [[nodiscard]] double variance() const;

  friend bool operator==(const WinDrawLoss&, const WinDrawLoss&) = default;
};

/// Pairs of games that belong together (same seed, both colours), each one observation, by their
/// points: 0, 1/2, 1, 3/2 and 2. The two games of a pair depend on each other. Hence the variance
/// of their sum, and not that of single games, says how far a score can be trusted.
struct Pentanomial {
  std::array<std::int64_t, 5> counts{};

  /// Adds a pair of 0, 1/2, 1, 3/2 or 2 points.
  void add(double points);
  [[nodiscard]] std::int64_t pairs() const;
  /// Points per game, from 0 to 1; needs a pair.
  [[nodiscard]] double score() const;
  /// Variance of a pair's points per game, with n in the denominator.
  [[nodiscard]] double variance() const;

  friend bool operator==(const Pentanomial&, const Pentanomial&) = default;
};

/// A number with its 95 % interval.
struct Rating {
  double value = 0.0;
  Interval interval;
};

/// Normalised Elo of scores from 0 to 1, each of so many games: (mean - 1/2) / sd of a game *
/// kNormalisedElo, infinite where all scores are alike and not 1/2. At the ends of the interval the
/// mean is an end of its mean_interval, and the sd is that of games with this mean and the sample's
/// share of draws; for the end towards 0 the sample has one more point against it. The value has
/// the sample's own sd, as match programs print it. Of few scores that is likely too small, so that
/// the value lies towards the far end of the interval (benchmarks/results/intervals.md).
Rating normalised_rating(const RunningStats& scores, double games);
/// Normalised Elo of one player above another, by differences of their scores against the same
/// opponents, each of so many games of either. It is the lead in standard deviations of a game, as
/// that of a match.
Rating normalised_difference(const RunningStats& differences, double games);

/// Logistic Elo of a score with its interval.
Rating rating_of_score(double score, const Interval& interval);

/// Logistic Elo between two players that met the same opponents, elo(first) - elo(second), by their
/// scores per game. The interval is that of the difference of the scores, at the level of both:
/// their mean, drawn to 1/2 by one of `observations` + 1 values. It lies on the same side of 0 as
/// that of the difference. Nothing where both have won or lost everything; infinite where one has.
std::optional<Rating> elo_difference(double first, double second, std::int64_t observations,
                                     const Interval& difference);

/// Elo difference between two players by paired observations, which are added one by one.
class PairedElo {
 public:
  /// The scores, from 0 to 1, that both made in one paired observation, each of so many games.
  void add(double first, double second, double games = 1.0);
  [[nodiscard]] std::int64_t count() const { return first_.count(); }
  [[nodiscard]] const RunningStats& first() const { return first_; }
  [[nodiscard]] const RunningStats& second() const { return second_; }
  [[nodiscard]] const RunningStats& difference() const { return difference_; }
  /// Score per game of both, drawn to 1/2 by one observation: never 0 or 1.
  [[nodiscard]] double level() const;
  /// elo_difference; nothing below two observations.
  [[nodiscard]] std::optional<Rating> elo() const;

 private:
  RunningStats first_;
  RunningStats second_;
  RunningStats difference_;
  RunningStats games_;  ///< of either, by observation
};

/// Difference of scores per game against common opponents of two players that are `elo` apart and
/// score `level` on average, 0 < level < 1.
double score_difference(double elo, double level);

/// Games that a player has lost by a fault, and not on the board.
struct Forfeits {
  enum class Cause : std::uint8_t { kTime, kIllegalMove, kDisconnect, kStall };
  static constexpr std::array<const char*, 4> kNames = {"time", "illegal_move", "disconnect",
                                                        "stall"};
  static constexpr std::array<const char*, 4> kTexts = {"on time", "by an illegal move",
                                                        "by a disconnect", "by a stall"};

  std::array<std::int64_t, 4> first = {};   ///< by the first player, by cause
  std::array<std::int64_t, 4> second = {};  ///< by the opponent

  void add(Cause cause, bool by_first) {
    ++(by_first ? first : second)[static_cast<std::size_t>(cause)];
  }
  void add(const Forfeits& other);
  [[nodiscard]] std::int64_t by_first() const;
  [[nodiscard]] std::int64_t by_second() const;
  [[nodiscard]] std::int64_t games() const { return by_first() + by_second(); }

  friend bool operator==(const Forfeits&, const Forfeits&) = default;
};

/// What games between two players brought the first one. Where games were played in pairs (one
/// opening, both colours) and all pairs are known, the pairs are the observations.
struct GameCounts {
  WinDrawLoss games = {};
  Pentanomial pairs = {};
  Forfeits forfeits = {};  ///< of the games, where the program names them

  [[nodiscard]] bool empty() const { return games.games() == 0; }
  /// True if all games stand in pairs.
  [[nodiscard]] bool are_paired() const { return !empty() && 2 * pairs.pairs() == games.games(); }
  /// How many games a value is of, where these are the games of so many values; 0: there are none.
  [[nodiscard]] double games_each(std::int64_t values) const;
  void add(const GameCounts& other);

  friend bool operator==(const GameCounts&, const GameCounts&) = default;
};

/// One game of 1, 1/2 or 0 points.
GameCounts single_game(double points);
/// The two games of a pair, each of 1, 1/2 or 0 points.
GameCounts pair_of_games(double one, double other);
/// These games; two of them are a pair.
GameCounts games_of_one_call(const WinDrawLoss& games);

/// Turns the counts round, as the second player sees the games.
GameCounts from_the_other_side(GameCounts counts);

/// One line why no games can have these counts; empty if some can. The pairs may be fewer than the
/// games allow.
const char* contradiction_of(const GameCounts& counts);

/// The observations of at least one game, as points per game: the pairs where all games are paired,
/// else the games.
RunningStats scores_of(const GameCounts& counts);
/// How many games an observation of `scores_of` has: 2 where all games are paired, else 1.
double games_of_observation(const GameCounts& counts);

/// The payoff of an evaluation, and of how many games it is the score.
struct PayoffOfGames {
  double payoff = 0.0;
  double games = 0.0;  ///< 0: not known; it counts as many as the others have on average
};

/// Whether evaluations are known to have different numbers of games, so that games must be weighed.
bool are_of_unequal_games(std::span<const PayoffOfGames> payoffs);
/// The payoff per game of all games, as a sample: a ratio of sums, of which evaluations are the
/// clusters. It has the variance of the linearised ratio (Cochran 1977, section 2.11), and Kish's
/// effective number of evaluations as its count, which is theirs where all have as many games.
RunningStats mean_by_games(std::span<const PayoffOfGames> payoffs);
/// These payoffs as a sample, with that mean where games must be weighed.
MeanSample weighed_by_games(const RunningStats& payoffs, std::span<const PayoffOfGames> by_games);
/// First less second of pairs, which stand at the same place: the difference of their two means.
RunningStats difference_by_games(std::span<const PayoffOfGames> first,
                                 std::span<const PayoffOfGames> second);

/// Logistic and normalised Elo of at least one game, by the pairs where all games are paired. The
/// ends of the logistic one's interval are those of the score's mean_interval; see
/// normalised_rating for the other.
Rating match_elo(const GameCounts& counts);
Rating normalised_elo(const GameCounts& counts);

}  // namespace ntune
