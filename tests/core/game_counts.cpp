#include "ntune/core/game_counts.h"

#include <string>

#include "catch.h"

namespace ntune {

TEST_CASE("games are added up, and are paired as long as all of them stand in pairs") {
  GameCounts counts;
  CHECK(counts.empty());
  CHECK_FALSE(counts.are_paired());
  counts.add(pair_of_games(1.0, 0.5));
  counts.add(pair_of_games(0.0, 1.0));
  CHECK(counts.games == WinDrawLoss{.wins = 2, .draws = 1, .losses = 1});
  CHECK(counts.pairs == Pentanomial{{0, 0, 1, 1, 0}});
  CHECK(counts.are_paired());
  CHECK(match_elo(counts).interval.low == match_elo(counts.pairs).interval.low);
  CHECK(games_of_one_call({.draws = 1, .losses = 1}).pairs == Pentanomial{{0, 1, 0, 0, 0}});
  counts.add(single_game(1.0));
  CHECK_FALSE(counts.are_paired());
  CHECK(match_elo(counts).interval.low == match_elo(counts.games).interval.low);
  CHECK(normalised_elo(counts)->value == normalised_elo(counts.games)->value);
}

TEST_CASE("counts that no games can have are told") {
  const auto wrong = [](const WinDrawLoss& games, const Pentanomial& pairs) {
    return std::string(contradiction_of({.games = games, .pairs = pairs}));
  };
  CHECK(wrong({.wins = 1, .draws = 0, .losses = 1}, {{0, 0, 1, 0, 0}}).empty());
  CHECK(wrong({.wins = 2, .draws = 0, .losses = 1}, {{0, 0, 1, 0, 0}}).empty());
  CHECK(wrong({.wins = 3, .draws = 0, .losses = 0}, {{0, 0, 1, 0, 0}}) != "");
  CHECK(wrong({.wins = 1, .draws = 0, .losses = 1}, {{0, 0, 0, 1, 0}}) != "");
  CHECK(wrong({.wins = 1, .draws = 0, .losses = 0}, {{0, 0, 1, 0, 0}}) != "");
  CHECK(wrong({.wins = -1, .draws = 2, .losses = 0}, {}) != "");
}

}  // namespace ntune
