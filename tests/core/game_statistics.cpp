#include "ntune/core/game_statistics.h"

#include <cmath>
#include <limits>
#include <vector>

#include "catch.h"

namespace ntune {

TEST_CASE("Elo of a score and back") {
  CHECK(elo_of_score(0.5) == 0.0);
  CHECK(elo_of_score(10.0 / 11.0) == Approx(400.0));
  CHECK(score_of_elo(-400.0) == Approx(1.0 / 11.0));
  CHECK(elo_of_score(score_of_elo(17.0)) == Approx(17.0));
  CHECK(elo_of_score(1.0) == std::numeric_limits<double>::infinity());
}

TEST_CASE("Elo of wins, draws and losses by hand") {
  // score 0.6, variance (50 + 20 / 4) / 100 - 0.36 = 0.19, standard error 0.0435890
  const WinDrawLoss games{.wins = 50, .draws = 20, .losses = 30};
  CHECK(games.score() == Approx(0.6));
  CHECK(games.variance() == Approx(0.19));
  const Rating elo = match_elo(games);
  CHECK(elo.value == Approx(70.4365).margin(1e-3));
  CHECK(elo.interval.low == Approx(400.0 * std::log10(0.5145672 / 0.4854328)).margin(1e-3));
  CHECK(elo.interval.high == Approx(400.0 * std::log10(0.6854328 / 0.3145672)).margin(1e-3));
  const auto normal = normalised_elo(games);
  REQUIRE(normal);
  CHECK(normal->value == Approx(0.1 / std::sqrt(0.19) * 800.0 / std::log(10.0)));
  CHECK(normal->interval.high - normal->value == Approx(1.959964 * 34.743559).epsilon(1e-6));
}

TEST_CASE("pairs of games are counted by their points") {
  Pentanomial pairs;
  for (const double points : {0.0, 0.5, 1.0, 1.0, 1.5, 2.0, 2.0, 2.0}) pairs.add(points);
  CHECK(pairs.counts == std::array<std::int64_t, 5>{1, 1, 2, 1, 3});
  CHECK(pairs.pairs() == 8);
  CHECK(pairs.score() == Approx(10.0 / 16.0));
  // mean of the squares of 0, 1/4, 1/2, 1/2, 3/4, 1, 1, 1, less 0.625^2
  CHECK(pairs.variance() == Approx((0.0625 + 0.25 + 0.25 + 0.5625 + 3.0) / 8.0 - 0.390625));
}

TEST_CASE("Elo and its interval are those that OpenBench published") {
  // Pull requests 213, 217 and 233 of Yoshie2000/PlentyChess: Elo and the upper half of its
  // interval.
  const auto upper_half = [](const Rating& elo) { return elo.interval.high - elo.value; };
  const Rating first = match_elo(Pentanomial{{44, 241, 590, 413, 71}});
  CHECK(first.value == Approx(28.96).margin(0.0051));
  CHECK(upper_half(first) == Approx(8.30).margin(0.0051));
  const Rating second = match_elo(Pentanomial{{25, 318, 815, 464, 54}});
  CHECK(second.value == Approx(21.17).margin(0.0051));
  CHECK(upper_half(second) == Approx(6.69).margin(0.0051));
  const Rating third = match_elo(Pentanomial{{59, 1365, 2872, 1515, 89}});
  CHECK(third.value == Approx(6.18).margin(0.0051));
  CHECK(upper_half(third) == Approx(3.40).margin(0.0051));
}

TEST_CASE("games of a pair that cancel out make a match more certain than single games") {
  const Pentanomial pairs{.counts = {0, 0, 100, 0, 0}};
  const WinDrawLoss games{.wins = 100, .draws = 0, .losses = 100};
  CHECK(match_elo(pairs).interval.high == 0.0);
  CHECK(match_elo(games).interval.high > 45.0);
  CHECK_FALSE(normalised_elo(pairs));
  CHECK(likelihood_of_superiority(pairs) == 0.5);
}

TEST_CASE("independent games give pairs and single games the same Elo") {
  // 0.3 losses, 0.4 draws, 0.3 wins of each game by itself
  const Pentanomial pairs{.counts = {900, 2400, 3400, 2400, 900}};
  const WinDrawLoss games{.wins = 6000, .draws = 8000, .losses = 6000};
  CHECK(match_elo(pairs).interval.high == Approx(match_elo(games).interval.high).epsilon(1e-9));
  CHECK(normalised_elo(pairs)->interval.low ==
        Approx(normalised_elo(games)->interval.low).epsilon(1e-9));
}

TEST_CASE("Elo against common opponents uses that the results go together") {
  PairedElo together;
  PairedElo apart;
  for (int i = 0; i < 1000; ++i) {
    const double second = i % 2 == 0 ? 1.0 : 0.0;
    together.add(i % 10 == 1 ? 1.0 : second, second);
    apart.add(i % 10 < 6 ? 1.0 : 0.0, i % 4 < 2 ? 1.0 : 0.0);
  }
  REQUIRE(together.elo());
  REQUIRE(apart.elo());
  CHECK(together.elo()->value == Approx(elo_of_score(0.6)));
  CHECK(apart.elo()->value == Approx(elo_of_score(0.6)));
  const auto width = [](const Rating& rating) {
    return rating.interval.high - rating.interval.low;
  };
  CHECK(width(*together.elo()) < 0.6 * width(*apart.elo()));
  PairedElo lost;
  lost.add(0.0, 1.0);
  lost.add(0.0, 0.0);
  CHECK_FALSE(lost.elo());
}

TEST_CASE("a difference of Elo is a difference of scores at a level") {
  CHECK(score_difference(0.0, 0.3) == Approx(0.0).margin(1e-12));
  CHECK(score_difference(100.0, 0.5) == Approx(2.0 * score_of_elo(50.0) - 1.0));
  for (const double elo : {-300.0, 20.0, 700.0}) {
    for (const double level : {0.02, 0.4, 0.9}) {
      const double d = score_difference(elo, level);
      CHECK(elo_of_score(level + d / 2) - elo_of_score(level - d / 2) == Approx(elo).epsilon(1e-6));
    }
  }
}

}  // namespace ntune
