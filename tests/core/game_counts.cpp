#include "ntune/core/game_counts.h"

#include <cmath>
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
  CHECK(match_elo(counts).value == match_elo(counts.pairs).value);
  CHECK(games_of_one_call({.draws = 1, .losses = 1}).pairs == Pentanomial{{0, 1, 0, 0, 0}});
  counts.add(single_game(1.0));
  CHECK_FALSE(counts.are_paired());
  CHECK(match_elo(counts).value == match_elo(counts.games).value);
  CHECK(normalised_elo(counts)->value == normalised_elo(counts.games)->value);
}

TEST_CASE("Elo of counts has an interval that holds at the ends, and the usual one in the middle") {
  const Rating won = match_elo({.games = {.wins = 30, .draws = 0, .losses = 0}, .pairs = {}});
  CHECK(std::isinf(won.value));
  CHECK(won.interval.low > 200.0);
  CHECK(won.interval.low < 500.0);
  CHECK(std::isinf(won.interval.high));
  GameCounts drawn{.games = {.wins = 0, .draws = 40, .losses = 0}, .pairs = {{0, 0, 20, 0, 0}}};
  CHECK(match_elo(drawn).value == 0.0);
  CHECK(match_elo(drawn).interval.low < -5.0);
  CHECK(match_elo(drawn).interval.high > 5.0);
  const Pentanomial many{{44, 241, 590, 413, 71}};
  const GameCounts counts{.games = {.wins = 1000, .draws = 944, .losses = 774}, .pairs = many};
  REQUIRE(std::string(contradiction_of(counts)).empty());
  REQUIRE(counts.are_paired());
  CHECK(match_elo(counts).value == Approx(28.96).margin(0.0051));
  CHECK(match_elo(counts).interval.low == Approx(match_elo(many).interval.low).margin(0.3));
  CHECK(match_elo(counts).interval.high == Approx(match_elo(many).interval.high).margin(0.3));
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
