#include "ntune/core/mean_interval.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "catch.h"

namespace ntune {

namespace {

constexpr PossibleValues kShare{.low = 0.0, .high = 1.0};

RunningStats games(int wins, int draws, int losses) {
  RunningStats stats;
  for (int i = 0; i < wins; ++i) stats.add(1.0);
  for (int i = 0; i < draws; ++i) stats.add(0.5);
  for (int i = 0; i < losses; ++i) stats.add(0.0);
  return stats;
}

double log_chance(double share, int count) { return count > 0 ? count * std::log(share) : 0.0; }

/// Exact coverage of the interval of n games with these shares: the sum over all results.
double coverage(int n, double win, double draw) {
  const double loss = std::max(0.0, 1.0 - win - draw);
  const double score = win + 0.5 * draw;
  double covered = 0.0;
  for (int wins = 0; wins <= n; ++wins) {
    for (int draws = 0; draws <= n - wins; ++draws) {
      const int losses = n - wins - draws;
      if ((win == 0.0 && wins > 0) || (draw == 0.0 && draws > 0) || (loss < 1e-12 && losses > 0))
        continue;
      const double chance =
          std::exp(std::lgamma(n + 1) - std::lgamma(wins + 1) - std::lgamma(draws + 1) -
                   std::lgamma(losses + 1) + log_chance(win, wins) + log_chance(draw, draws) +
                   log_chance(loss, losses));
      if (chance < 1e-7) continue;
      const Interval interval = mean_interval(games(wins, draws, losses), kShare).value();
      REQUIRE(interval.low < interval.high);
      REQUIRE((interval.low >= 0.0 && interval.high <= 1.0));
      if (interval.low <= score && score <= interval.high) covered += chance;
    }
  }
  return covered;
}

}  // namespace

TEST_CASE("Intervals of wins, draws and losses cover 93 % at least, by enumeration") {
  for (const int n : {10, 30}) {
    for (const double score : {0.5, 0.6, 0.75, 0.9, 0.95, 0.99}) {
      for (const double drawn : {0.0, 0.3, 0.6, 0.9}) {
        const double draw = drawn * 2.0 * (1.0 - score);
        const double covered = coverage(n, score - 0.5 * draw, draw);
        CAPTURE(n, score, draw, covered);
        CHECK(covered >= 0.93);
        // Where few results differ from the commonest, coverage changes in large steps.
        const double rest = n * (1.0 - std::max(score - 0.5 * draw, draw));
        if (rest >= 5.0) CHECK(covered <= 0.985);
      }
    }
  }
}

TEST_CASE("All wins give an interval that reaches down") {
  const Interval interval = mean_interval(games(30, 0, 0), kShare).value();
  CHECK(interval.high == 1.0);
  // 0.6 p^30 = 0.025.
  CHECK(interval.low == Approx(std::pow(0.025 / 0.6, 1.0 / 30.0)).epsilon(1e-9));
  const Interval draws = mean_interval(games(0, 30, 0), kShare).value();
  CHECK(draws.low == Approx(1.0 - draws.high).epsilon(1e-9));
  CHECK(draws.high == Approx(0.555).margin(0.02));
}

TEST_CASE("Wins and losses have the tails of the binomial distribution") {
  // 9 of 10: 0.6 P(X = 9) + P(X = 10) = 0.025 and 0.4 P(X = 9) + P(X = 10) = 0.975.
  const Interval interval = mean_interval(games(9, 0, 1), kShare).value();
  const auto tail = [](double p, double tie) {
    return tie * 10.0 * std::pow(p, 9) * (1.0 - p) + std::pow(p, 10);
  };
  CHECK(tail(interval.low, 0.6) == Approx(0.025).epsilon(1e-9));
  CHECK(tail(interval.high, 0.4) == Approx(0.975).epsilon(1e-9));
}

TEST_CASE("Narrow samples within a wide range have Student's interval") {
  RunningStats stats;
  for (const double x : {4.1, 4.4, 3.9, 4.0, 4.6, 4.2, 4.3, 3.8}) stats.add(x);
  const Interval student = student_interval(stats);
  for (const double width : {10.0, 1e3, 1e9}) {
    const Interval interval = mean_interval(stats, {4.0 - width, 4.0 + width}).value();
    CHECK(interval.low == Approx(student.low).margin(0.01));
    CHECK(interval.high == Approx(student.high).margin(0.01));
  }
}

TEST_CASE("A range with one end cuts Student's interval") {
  RunningStats stats;
  for (const double x : {0.1, 0.1, 0.2, 7.0}) stats.add(x);
  CHECK(mean_interval(stats, {.low = 0.0}).value().low == 0.0);
  CHECK(mean_interval(stats, {}).value().low < 0.0);
}

TEST_CASE("An interval of costs does not reach below 0 where no cost has") {
  RunningStats costs;
  for (const double cost : {63.0, 115.0}) costs.add(-cost);
  const PossibleValues range = {.negated_costs = true};
  CHECK(mean_interval(costs, {}).value().high > 0.0);
  CHECK(mean_interval(costs, range).value().high == 0.0);
  CHECK(mean_interval(costs, range).value().low == mean_interval(costs, {}).value().low);
  costs.add(1.0);
  CHECK(mean_interval(costs, range).value().high == mean_interval(costs, {}).value().high);
}

TEST_CASE("Equal values without a range have no interval") {
  RunningStats stats;
  for (int i = 0; i < 5; ++i) stats.add(3.25);
  CHECK_FALSE(mean_interval(stats, {}).has_value());
  CHECK(mean_interval(stats, {0.0, 5.0}).has_value());
}

TEST_CASE("Results of games show their range") {
  CHECK(evident_range(games(3, 1, 2)).high == 1.0);
  CHECK(evident_range(games(3, 1, 2)).low == 0.0);
  CHECK(evident_range(stats_of(std::vector<double>{1.0, 0.0, -1.0, 0.0})).low == -1.0);
  CHECK(evident_range(stats_of(std::vector<double>{0.25, 0.75, 0.5})).is_known());
  CHECK_FALSE(evident_range(stats_of(std::vector<double>{0.2, 0.7})).is_known());
  CHECK_FALSE(evident_range(stats_of(std::vector<double>{0.0, 2.0})).is_known());
  CHECK_FALSE(evident_range({}).is_known());
  // Costs of 0 and 1 are no games, nor is one number alone.
  CHECK_FALSE(evident_range(stats_of(std::vector<double>{0.0, -1.0, 0.0})).is_known());
  for (const double always : {0.0, 1.0, -1.0, 0.5}) {
    CHECK_FALSE(evident_range(stats_of(std::vector<double>(10, always))).is_known());
  }
}

TEST_CASE("Probabilities agree with the ends of intervals") {
  const PossibleValues unknown;
  RunningStats stats;
  for (const double x : {0.3, 0.5, 0.35, 0.42, 0.61, 0.44}) stats.add(x);
  for (const PossibleValues& range : {unknown, kShare}) {
    const MeanConfidence mean(stats, range);
    const Interval interval = mean.interval(0.9).value();
    CHECK(mean.probability_above(interval.low) == Approx(0.95).margin(0.01));
    CHECK(mean.probability_above(interval.high) == Approx(0.05).margin(0.01));
    CHECK(mean.probability_above(stats.mean()) == Approx(0.5).margin(0.02));
  }
}

TEST_CASE("Paired differences stay within their range") {
  RunningStats differences;
  for (int i = 0; i < 3; ++i) differences.add(-1.0);
  differences.add(0.0);
  const PairedDifference pairs = paired_difference(differences, kShare);
  CHECK(pairs.pairs == 4);
  CHECK(pairs.mean == -0.75);
  CHECK(pairs.interval.value().low >= -1.0);
  CHECK(pairs.interval.value().high < 1.0);
  CHECK(pairs.probability_positive < 0.1);
  // Where the range is not known, differences do not tell it.
  CHECK(paired_difference(differences, {}).interval.value().low ==
        student_interval(differences).low);
  RunningStats none;
  for (int i = 0; i < 20; ++i) none.add(0.0);
  CHECK(paired_difference(none, kShare).probability_positive == 0.5);
  CHECK(paired_difference(none, kShare).interval.value().high > 0.05);
  CHECK_FALSE(paired_difference(none, {}).interval.has_value());
  CHECK(paired_difference({}, kShare).probability_positive == 0.5);
}

TEST_CASE("one win more makes a match never less sure, however many games a call has") {
  // 24 calls, in some of which one game is won; all others are drawn.
  constexpr int kCalls = 24;
  for (const int games : {3, 4, 8, 16, 200}) {
    for (const double known : {1.0, 0.0}) {
      double before = 0.5;
      bool better = false;
      for (int won = 1; won <= kCalls - 1; ++won) {
        RunningStats scores;
        for (int call = 0; call < kCalls; ++call)
          scores.add(0.5 + (call < won ? 0.5 / games : 0.0));
        const MeanConfidence mean(scores, {.low = 0.0, .high = 1.0, .games = known * games});
        const double sure = mean.probability_above(0.5);
        CAPTURE(games, known, won, sure, before);
        CHECK((sure > before || before > 1.0 - 1e-9));
        if (won > 1) CHECK(sure - before < 0.15);
        const bool better_now = mean.interval().value().low > 0.5;
        CHECK(better_now >= better);
        before = sure;
        better = better_now;
      }
      CHECK(better);
    }
  }
}

TEST_CASE("the interval of a match by its calls is near that by its games") {
  // One of the 4 or 8 games of some calls is won, all others are drawn.
  for (const int games : {4, 8}) {
    for (const int won : {0, 3, 7, 8, 12}) {
      RunningStats calls;
      RunningStats all;
      for (int call = 0; call < 24; ++call) {
        calls.add(0.5 + (call < won ? 0.5 / games : 0.0));
        for (int game = 0; game < games; ++game) all.add(call < won && game == 0 ? 1.0 : 0.5);
      }
      const double each = games;
      const Interval by_calls =
          mean_interval(calls, {.low = 0.0, .high = 1.0, .games = each}).value();
      const Interval by_games = mean_interval(all, {.low = 0.0, .high = 1.0, .games = 1.0}).value();
      CAPTURE(games, won, by_calls.low, by_games.low, by_calls.high, by_games.high);
      const double width = by_games.high - by_games.low;
      CHECK(by_calls.low == Approx(by_games.low).margin(0.15 * width));
      CHECK(by_calls.high == Approx(by_games.high).margin(0.15 * width));
    }
  }
}

TEST_CASE("the difference to a level opponent is as sure as the score of a match") {
  for (const int games : {4, 8, 200}) {
    RunningStats scores;
    RunningStats differences;
    for (int call = 0; call < 24; ++call) {
      const double lead = call < 9 ? 0.5 / games : 0.0;
      scores.add(0.5 + lead);
      differences.add(lead);
    }
    const PossibleValues range{.low = 0.0, .high = 1.0, .games = static_cast<double>(games)};
    const Interval score = mean_interval(scores, range).value();
    const Interval difference = paired_difference(differences, range).interval.value();
    const double width = score.high - score.low;
    CAPTURE(games, width);
    CHECK(difference.low == Approx(score.low - 0.5).margin(0.01 * width));
    CHECK(difference.high == Approx(score.high - 0.5).margin(0.01 * width));
  }
}

TEST_CASE("two players that lose no game differ by as much, however games are called") {
  const auto half_width = [](int games, int calls) {
    RunningStats differences;
    for (int call = 0; call < calls; ++call) differences.add(0.0);
    const PossibleValues range{.low = 0.0, .high = 1.0, .games = static_cast<double>(games)};
    return paired_difference(differences, range).interval.value().high;
  };
  for (const auto& [games, calls] : {std::pair(3, 27), std::pair(4, 20), std::pair(8, 10),
                                     std::pair(8, 50), std::pair(32, 10), std::pair(200, 10)}) {
    CAPTURE(games, calls);
    const double by_games = half_width(1, games * calls);
    CHECK(half_width(games, calls) > 0.9 * by_games);
    CHECK(half_width(games, calls) < 2.0 * by_games);
  }
}

TEST_CASE("numbers are taken for results of games only if each of them can be one") {
  // Means of 4 games whose sum and squares are those of quarters.
  const std::vector<double> means = {0.25, 0.375, 0.375, 0.5, 0.625, 0.625, 0.75};
  CHECK_FALSE(evident_range(stats_of(means)).is_known());
  CHECK(evident_range(stats_of(std::vector<double>{0.25, 0.5, 0.5, 0.75})).is_known());
  // Without the values their extremes tell.
  const RunningStats::State state =
      stats_of(std::vector<double>{0.375, 0.375, 0.625, 0.625}).state();
  CHECK_FALSE(evident_range(RunningStats(state)).is_known());
}

TEST_CASE("Four shares have the interval of their wins and losses, with few degrees of freedom") {
  // V = 1/15 and m (1 - m) = 1/4; 3.2 V^2 values whose ratio is 1 draw f to 0.26926. They are worth
  // 14.855 wins and losses, half of each. The degrees are 3 / (1 - f) = 4.1055: the normal tail
  // beyond Student's quantile is 0.002993.
  const Interval interval =
      mean_interval(stats_of(std::vector<double>{0.2, 0.4, 0.6, 0.8}), kShare).value();
  CHECK(interval.low == Approx(0.176704).margin(1e-5));
  CHECK(interval.high == Approx(1.0 - 0.176704).margin(1e-5));
}

TEST_CASE("Both ends of two values' interval are near them, however far the range goes") {
  // The normal tail beyond Student's quantile of one degree is 3e-37, below what 1 has as a double.
  const auto of = [](double one, double other, const PossibleValues& range) {
    return mean_interval(stats_of(std::vector<double>{one, other}), range).value();
  };
  const Interval interval = of(0.4, 0.401, kShare);
  CHECK(interval.low == Approx(0.39415).margin(3e-4));
  CHECK(interval.high == Approx(0.40685).margin(3e-4));
  const Interval mirrored = of(0.6, 0.599, kShare);
  CHECK(mirrored.low == Approx(1.0 - interval.high).margin(1e-9));
  CHECK(mirrored.high == Approx(1.0 - interval.low).margin(1e-9));
  const Interval costs = of(-0.02, -0.025, {.low = -5.0, .high = 5.0});
  CHECK(costs.low > -0.06);
  CHECK(costs.high < 0.02);
}

}  // namespace ntune
