#include <cmath>
#include <string>

#include "catch.h"
#include "ntune/core/game_statistics.h"

namespace ntune {

namespace {

/// Games of these pairs, without a draw where a pair has one point or three halves.
GameCounts games_of(const Pentanomial& pairs) {
  const auto& n = pairs.counts;
  return {.games = {.wins = n[2] + n[3] + 2 * n[4],
                    .draws = n[1] + n[3],
                    .losses = 2 * n[0] + n[1] + n[2]},
          .pairs = pairs};
}

}  // namespace

TEST_CASE("games are added up, and are paired as long as all of them stand in pairs") {
  GameCounts counts;
  CHECK(counts.empty());
  CHECK_FALSE(counts.are_paired());
  counts.add(pair_of_games(1.0, 0.5));
  counts.add(pair_of_games(0.0, 1.0));
  CHECK(counts.games == WinDrawLoss{.wins = 2, .draws = 1, .losses = 1});
  CHECK(counts.pairs == Pentanomial{{0, 0, 1, 1, 0}});
  CHECK(counts.are_paired());
  CHECK(match_elo(counts).value == elo_of_score(counts.pairs.score()));
  CHECK(games_of_one_call({.draws = 1, .losses = 1}).pairs == Pentanomial{{0, 1, 0, 0, 0}});
  counts.add(single_game(1.0));
  CHECK_FALSE(counts.are_paired());
  CHECK(match_elo(counts).value == elo_of_score(counts.games.score()));
  CHECK(normalised_elo(counts).value ==
        Approx((counts.games.score() - 0.5) / std::sqrt(counts.games.variance()) * kNormalisedElo));
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
}

TEST_CASE("Elo and its interval are close to those that OpenBench published") {
  // Pull requests 213, 217 and 233 of Yoshie2000/PlentyChess: Elo and the upper half of its normal
  // interval.
  const auto check = [](const Pentanomial& pairs, double elo, double half) {
    const GameCounts counts = games_of(pairs);
    REQUIRE(std::string(contradiction_of(counts)).empty());
    REQUIRE(counts.are_paired());
    const Rating rating = match_elo(counts);
    CHECK(rating.value == Approx(elo).margin(0.0051));
    CHECK(rating.interval.high - rating.value == Approx(half).margin(0.3));
    CHECK(rating.value - rating.interval.low == Approx(half).margin(0.3));
  };
  check({{44, 241, 590, 413, 71}}, 28.96, 8.30);
  check({{25, 318, 815, 464, 54}}, 21.17, 6.69);
  check({{59, 1365, 2872, 1515, 89}}, 6.18, 3.40);
}

TEST_CASE("normalised Elo of few pairs lies within its interval, towards the far end") {
  const Rating few = normalised_elo(games_of({{0, 0, 6, 14, 0}}));
  // mean 0.675, variance 0.013125
  CHECK(few.value == Approx(0.175 / std::sqrt(0.013125) * kNormalisedElo / std::sqrt(2.0)));
  CHECK(few.interval.low < 0.5 * few.value);
  CHECK(few.interval.high > few.value);
  CHECK(few.interval.high < 1.1 * few.value);
  const Rating alike = normalised_elo(games_of({{0, 0, 1, 19, 0}}));
  CHECK(alike.interval.low < alike.value);
  CHECK(alike.value <= alike.interval.high);
  const Rating many = normalised_elo(games_of({{0, 0, 600, 1400, 0}}));
  CHECK(many.value == Approx(few.value));
  CHECK(many.interval.high - many.value > 0.5 * (many.value - many.interval.low));
}

TEST_CASE("games of a pair that cancel out make a match more certain than single games") {
  const GameCounts pairs = games_of({{0, 0, 100, 0, 0}});
  const GameCounts games{.games = {.wins = 100, .draws = 0, .losses = 100}, .pairs = {}};
  CHECK(match_elo(pairs).interval.high > 0.0);
  CHECK(match_elo(pairs).interval.high < 15.0);
  CHECK(match_elo(games).interval.high > 45.0);
  CHECK(normalised_elo(pairs).value == 0.0);
  CHECK(normalised_elo(pairs).interval.low < 0.0);
}

TEST_CASE("independent games give pairs and single games the same Elo") {
  // 0.3 losses, 0.4 draws, 0.3 wins of each game by itself
  const GameCounts pairs = {.games = {.wins = 6000, .draws = 8000, .losses = 6000},
                            .pairs = {{900, 2400, 3400, 2400, 900}}};
  const GameCounts games{.games = pairs.games, .pairs = {}};
  CHECK(match_elo(pairs).interval.high == Approx(match_elo(games).interval.high).epsilon(0.01));
  CHECK(normalised_elo(pairs).interval.low ==
        Approx(normalised_elo(games).interval.low).epsilon(0.01));
}

TEST_CASE("games are so many to a value") {
  CHECK(GameCounts().games_each(5) == 0.0);
  CHECK(single_game(1.0).games_each(0) == 0.0);
  CHECK(pair_of_games(1.0, 0.0).games_each(1) == 2.0);
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
