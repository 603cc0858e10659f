#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ntune/core/game_statistics.h"

namespace ntune {

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

/// Logistic and normalised Elo of at least one game, by the pairs where all games are paired. The
/// ends of the logistic one's interval are those of the score's mean_interval; see
/// normalised_rating for the other.
Rating match_elo(const GameCounts& counts);
Rating normalised_elo(const GameCounts& counts);

}  // namespace ntune
