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

TEST_CASE("the Elo between two players that met others is a difference with an interval") {
  const GameCounts strong{.games = {.wins = 60, .draws = 20, .losses = 20}, .pairs = {}};
  const GameCounts weak{.games = {.wins = 30, .draws = 20, .losses = 50}, .pairs = {}};
  const auto apart = elo_difference(strong, weak, 0.0);
  REQUIRE(apart);
  CHECK(apart->value == Approx(elo_of_score(0.7) - elo_of_score(0.4)));
  CHECK(apart->interval.low > 0.0);
  CHECK(apart->interval.low < apart->value);
  CHECK(apart->interval.high > apart->value);
  // Common seeds narrow it, contrary ones widen it.
  const auto paired = elo_difference(strong, weak, 0.6);
  const auto contrary = elo_difference(strong, weak, -0.6);
  CHECK(paired->interval.low > apart->interval.low);
  CHECK(contrary->interval.low < apart->interval.low);
  CHECK(elo_difference(weak, strong, 0.6)->interval.low == Approx(-paired->interval.high));
  const GameCounts won{.games = {.wins = 30, .draws = 0, .losses = 0}, .pairs = {}};
  const auto infinite = elo_difference(won, weak, 0.5);
  REQUIRE(infinite);
  CHECK(std::isinf(infinite->value));
  CHECK(infinite->interval.low > 100.0);
  CHECK_FALSE(elo_difference(won, won, 0.5));
}

TEST_CASE("the interval of the Elo between two players holds", "[statistical]") {
  // Both meet the same seeds: a share of their games has the same result. 2,000 matches a cell; a
  // coverage of 95 % falls below 93 % or above 98 % by chance with less than 1 in 10,000.
  constexpr int kMatches = 2000;
  Rng rng(7);
  for (const int games : {50, 400}) {
    for (const auto& [one, other] : {std::pair(0.5, 0.5), {0.6, 0.5}, {0.8, 0.7}}) {
      for (const double common : {0.0, 0.5}) {
        int held = 0;
        for (int match = 0; match < kMatches; ++match) {
          GameCounts first;
          GameCounts second;
          RunningStats ones;
          RunningStats others;
          RunningStats differences;
          for (int game = 0; game < games; ++game) {
            const double luck = rng.uniform();
            const double other_luck = rng.bernoulli(common) ? luck : rng.uniform();
            const double a = luck < one ? 1.0 : 0.0;
            const double b = other_luck < other ? 1.0 : 0.0;
            first.add(single_game(a));
            second.add(single_game(b));
            ones.add(a);
            others.add(b);
            differences.add(a - b);
          }
          const double correlation =
              (ones.variance() + others.variance() - differences.variance()) /
              (2.0 * ones.sd() * others.sd());
          const auto rating = elo_difference(first, second, correlation);
          const double truth = elo_of_score(one) - elo_of_score(other);
          held += rating && rating->interval.low <= truth && truth <= rating->interval.high ? 1 : 0;
        }
        CAPTURE(games, one, other, common, held);
        CHECK(held >= 0.93 * kMatches);
        CHECK(held <= 0.98 * kMatches);
      }
    }
  }
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
