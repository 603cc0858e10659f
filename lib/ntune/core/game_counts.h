#pragma once

#include <cstdint>
#include <optional>

#include "ntune/core/game_statistics.h"

namespace ntune {

/// What games between two players brought the first one. Where games were played in pairs (one
/// opening, both colours) and all pairs are known, the pairs are the observations.
struct GameCounts {
  WinDrawLoss games = {};
  Pentanomial pairs = {};

  [[nodiscard]] bool empty() const { return games.games() == 0; }
  /// True if all games stand in pairs.
  [[nodiscard]] bool are_paired() const { return !empty() && 2 * pairs.pairs() == games.games(); }
  void add(const GameCounts& other);

  friend bool operator==(const GameCounts&, const GameCounts&) = default;
};

/// One game of 1, 1/2 or 0 points.
GameCounts single_game(double points);
/// The two games of a pair, each of 1, 1/2 or 0 points.
GameCounts pair_of_games(double one, double other);
/// These games; two of them are a pair.
GameCounts games_of_one_call(const WinDrawLoss& games);

/// One line why no games can have these counts; empty if some can. The pairs may be fewer than the
/// games allow.
const char* contradiction_of(const GameCounts& counts);

/// Logistic and normalised Elo of at least one game, by the pairs where all games are paired. The
/// ends of the logistic one's interval are those of the score's mean_interval.
Rating match_elo(const GameCounts& counts);
std::optional<Rating> normalised_elo(const GameCounts& counts);

/// Logistic Elo of one player less that of another, both of games against common opponents. The
/// interval is made of the intervals of both (MOVER, Zou and Donner 2008), which their correlation
/// narrows: that of the two scores of one paired evaluation, from -1 to 1, 0 where they were not
/// paired. Infinite as match_elo, with an interval for any correlation; nothing where both are
/// alike infinite.
std::optional<Rating> elo_difference(const GameCounts& one, const GameCounts& other,
                                     double correlation);

}  // namespace ntune
