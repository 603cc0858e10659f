#include "ntune/core/game_statistics.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "catch.h"
#include "ntune/core/mean_interval.h"
#include "ntune/core/rng.h"

namespace ntune {

TEST_CASE("Elo of a score and back") {
  CHECK(elo_of_score(0.5) == 0.0);
  CHECK(elo_of_score(10.0 / 11.0) == Approx(400.0));
  CHECK(score_of_elo(-400.0) == Approx(1.0 / 11.0));
  CHECK(elo_of_score(score_of_elo(17.0)) == Approx(17.0));
  CHECK(elo_of_score(1.0) == std::numeric_limits<double>::infinity());
}

TEST_CASE("scores of wins, draws and losses by hand") {
  const WinDrawLoss games{.wins = 50, .draws = 20, .losses = 30};
  CHECK(games.score() == Approx(0.6));
  // (50 + 20 / 4) / 100 - 0.36
  CHECK(games.variance() == Approx(0.19));
}

TEST_CASE("normalised Elo is the lead in standard deviations of a game") {
  // 50 wins, 20 draws, 30 losses: mean 0.6, variance 0.19.
  const RunningStats scores(
      RunningStats::State{.count = 100, .mean = 0.6, .squares = 19.0, .min = 0.0, .max = 1.0});
  const Rating games = normalised_rating(scores, 1.0);
  CHECK(games.value == Approx(0.1 / std::sqrt(0.19) * 800.0 / std::log(10.0)));
  // Near the normal interval, and that of pairs shorter by the root of 2.
  CHECK(games.interval.low == Approx(games.value - 1.96 * 34.7436).margin(8.0));
  CHECK(games.interval.high == Approx(games.value + 1.96 * 34.7436).margin(8.0));
  CHECK(normalised_rating(scores, 2.0).interval.low == Approx(games.interval.low / std::sqrt(2.0)));
}

TEST_CASE("normalised Elo means the same of a match, and of games against a third player") {
  // Independent games without draws, near 1/2: logistic Elo each time.
  constexpr double kElo = 30.0;
  Rng rng(8);
  RunningStats match;
  RunningStats differences;
  PairedElo third;
  for (int game = 0; game < 200'000; ++game) {
    match.add(rng.uniform() < score_of_elo(kElo) ? 1.0 : 0.0);
    const double a = rng.uniform() < score_of_elo(kElo / 2) ? 1.0 : 0.0;
    const double b = rng.uniform() < score_of_elo(-kElo / 2) ? 1.0 : 0.0;
    differences.add(a - b);
    third.add(a, b);
  }
  CHECK(normalised_rating(match, 1.0).value == Approx(kElo).margin(4.0));
  CHECK(normalised_difference(differences, 1.0).value == Approx(kElo).margin(5.0));
  CHECK(third.elo()->value == Approx(kElo).margin(5.0));
}

TEST_CASE("normalised Elo of equal scores has an interval with width") {
  const auto rating_of = [](double score) {
    return normalised_rating(
        RunningStats(RunningStats::State{.count = 30, .mean = score, .min = score, .max = score}),
        1.0);
  };
  CHECK(std::isinf(rating_of(1.0).value));
  CHECK(rating_of(1.0).interval.low > 200.0);
  CHECK(std::isinf(rating_of(1.0).interval.high));
  CHECK(rating_of(0.0).interval.high == Approx(-rating_of(1.0).interval.low));
  CHECK(rating_of(0.5).value == 0.0);
  CHECK(rating_of(0.5).interval.high > 20.0);
  CHECK(rating_of(0.5).interval.low == Approx(-rating_of(0.5).interval.high));
}

TEST_CASE("intervals of normalised Elo cover 93 % at least, by enumeration") {
  const auto log_chance = [](double share, int count) {
    return count > 0 ? count * std::log(share) : 0.0;
  };
  for (const int n : {10, 30}) {
    for (const double mean : {0.5, 0.6, 0.75, 0.9, 0.98}) {
      for (const double drawn : {0.3, 0.6, 0.9}) {
        const double draw = drawn * 2.0 * (1.0 - mean);
        const double win = mean - 0.5 * draw;
        const double loss = 1.0 - win - draw;
        const double truth =
            kNormalisedElo * (mean - 0.5) / std::sqrt(win + 0.25 * draw - mean * mean);
        double covered = 0.0;
        for (int wins = 0; wins <= n; ++wins) {
          for (int draws = 0; draws <= n - wins; ++draws) {
            const int losses = n - wins - draws;
            const double chance =
                std::exp(std::lgamma(n + 1) - std::lgamma(wins + 1) - std::lgamma(draws + 1) -
                         std::lgamma(losses + 1) + log_chance(win, wins) + log_chance(draw, draws) +
                         log_chance(loss, losses));
            if (chance < 1e-7) continue;
            const GameCounts games{.games = {.wins = wins, .draws = draws, .losses = losses},
                                   .pairs = {}};
            const Interval interval = normalised_elo(games).interval;
            REQUIRE(interval.low < interval.high);
            if (interval.low <= truth && truth <= interval.high) covered += chance;
          }
        }
        CAPTURE(n, mean, draw, covered);
        CHECK(covered >= 0.93);
      }
    }
  }
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

TEST_CASE("the Elo between two players that met others has the interval of their difference") {
  // At a level of 0.55 the slope of Elo is 400 / ln 10 / (0.55 * 0.45) a point.
  const double slope = 400.0 / std::log(10.0) / (0.55 * 0.45);
  const auto rating = elo_difference(0.7, 0.4, 1'000'000, {.low = 0.2, .high = 0.3});
  REQUIRE(rating);
  CHECK(rating->value == Approx(elo_of_score(0.7) - elo_of_score(0.4)));
  CHECK(rating->interval.low == Approx(0.2 * slope).epsilon(0.03));
  CHECK(rating->interval.high == Approx(0.3 * slope).epsilon(0.05));
  // It excludes 0 where the difference does.
  CHECK(elo_difference(0.7, 0.4, 10, {.low = 1e-6, .high = 0.6})->interval.low > 0.0);
  CHECK(elo_difference(0.7, 0.4, 10, {.low = 0.0, .high = 0.6})->interval.low == 0.0);
  CHECK(elo_difference(0.7, 0.4, 10, {.low = -1e-6, .high = 0.6})->interval.low < 0.0);
  CHECK(elo_difference(0.4, 0.7, 10, {.low = -0.5, .high = -0.1})->interval.low ==
        Approx(-elo_difference(0.7, 0.4, 10, {.low = 0.1, .high = 0.5})->interval.high));
  const auto infinite = elo_difference(1.0, 0.4, 30, {.low = 0.4, .high = 0.75});
  REQUIRE(infinite);
  CHECK(std::isinf(infinite->value));
  CHECK(infinite->interval.low > 100.0);
  CHECK_FALSE(elo_difference(1.0, 1.0, 30, {.low = -0.1, .high = 0.1}));
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
          PairedElo both;
          for (int game = 0; game < games; ++game) {
            const double luck = rng.uniform();
            const double other_luck = rng.bernoulli(common) ? luck : rng.uniform();
            both.add(luck < one ? 1.0 : 0.0, other_luck < other ? 1.0 : 0.0);
          }
          const auto rating = both.elo();
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
  CHECK(together.elo()->interval.low < together.elo()->value);
  PairedElo lost;
  lost.add(0.0, 1.0);
  lost.add(0.0, 0.0);
  REQUIRE(lost.elo());
  CHECK(std::isinf(lost.elo()->value));
  CHECK(lost.elo()->interval.high > 0.0);
  PairedElo nothing;
  nothing.add(1.0, 1.0);
  nothing.add(1.0, 1.0);
  CHECK_FALSE(nothing.elo());
  PairedElo equal;
  for (int i = 0; i < 20; ++i) equal.add(0.5, 0.5);
  REQUIRE(equal.elo());
  CHECK(equal.elo()->value == 0.0);
  CHECK(equal.elo()->interval.high > 10.0);
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

TEST_CASE("evaluations count by their games") {
  const std::vector<PayoffOfGames> alike = {{0.25, 4.0}, {0.75, 4.0}, {1.0, 4.0}, {0.5, 4.0}};
  CHECK_FALSE(are_of_unequal_games(alike));
  const RunningStats plain = stats_of(std::vector<double>{0.25, 0.75, 1.0, 0.5});
  const RunningStats same = mean_by_games(alike);
  CHECK(same.count() == 4);
  CHECK(same.mean() == Approx(plain.mean()));
  CHECK(same.variance() == Approx(plain.variance()));

  // A match of 200 games counts a hundred times one of 2: (2 + 80) / 202.
  std::vector<PayoffOfGames> matches = {{1.0, 2.0}, {0.4, 200.0}};
  CHECK(are_of_unequal_games(matches));
  CHECK(mean_by_games(matches).mean() == Approx(82.0 / 202.0));
  // A failure with a value has no games: it counts as an average match.
  matches.push_back({0.0, 0.0});
  CHECK(mean_by_games(matches).mean() == Approx(82.0 / 303.0));

  // All won is 1, and nothing beyond it.
  const std::vector<PayoffOfGames> won = {{1.0, 3.0}, {1.0, 7.0}, {1.0, 11.0}};
  CHECK(mean_by_games(won).mean() == 1.0);
  CHECK(mean_by_games(won).variance() == 0.0);

  // A pair that is level in every match has no difference, and no variance of it.
  const RunningStats level = difference_by_games(matches, matches);
  CHECK(level.mean() == 0.0);
  CHECK(level.variance() == 0.0);
}

TEST_CASE("the interval of matches of unequal length holds the score per game") {
  // Matches of 2, 40 and 200 games of a player who scores 0.6, 0.55 and 0.45 in these.
  Rng rng(7);
  constexpr std::array<int, 3> kGames = {2, 40, 200};
  constexpr std::array<double, 3> kScores = {0.6, 0.55, 0.45};
  const double truth = (2.0 * 0.6 + 40.0 * 0.55 + 200.0 * 0.45) / 242.0;
  constexpr int kSamples = 400;
  int held = 0;
  for (int sample = 0; sample < kSamples; ++sample) {
    std::vector<PayoffOfGames> matches;
    RunningStats payoffs;
    for (int i = 0; i < 30; ++i) {
      const std::size_t kind = rng.below(3);
      int won = 0;
      for (int game = 0; game < kGames[kind]; ++game) won += rng.uniform() < kScores[kind] ? 1 : 0;
      matches.push_back(
          {static_cast<double>(won) / kGames[kind], static_cast<double>(kGames[kind])});
      payoffs.add(matches.back().payoff);
    }
    const auto interval =
        mean_interval(weighed_by_games(payoffs, matches), {.low = 0.0, .high = 1.0, .games = 80.0});
    REQUIRE(interval);
    held += interval->low <= truth && truth <= interval->high ? 1 : 0;
  }
  CHECK(held >= 0.92 * kSamples);
}

}  // namespace ntune
