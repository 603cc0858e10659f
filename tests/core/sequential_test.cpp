#include "ntune/core/sequential_test.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <boost/math/distributions/non_central_t.hpp>

#include "catch.h"
#include "ntune/core/game_statistics.h"
#include "ntune/core/rng.h"

namespace ntune {

namespace {

constexpr std::array<double, 5> kPoints = {0.0, 0.25, 0.5, 0.75, 1.0};

ScoreFrequencies seen(const Pentanomial& pairs) { return {kPoints, pairs.counts}; }

/// t of a pair's score for so much normalised Elo.
double t_of(double normalised) { return normalised / kNormalisedElo * std::sqrt(2.0); }

/// The largest log-likelihood over three probabilities with this mean of 0, 1/2 and 1, by search.
double best_with_mean(const std::array<double, 3>& counts, double mean) {
  double best = -1e300;
  for (double draw = 1e-5; draw < 1.0; draw += 1e-5) {
    const double win = mean - 0.5 * draw;
    const double loss = 1.0 - win - draw;
    if (win <= 0.0 || loss <= 0.0) continue;
    best = std::max(
        best, counts[0] * std::log(loss) + counts[1] * std::log(draw) + counts[2] * std::log(win));
  }
  return best;
}

double best_with_t(const std::array<double, 3>& counts, double t) {
  double best = -1e300;
  for (double draw = 1e-4; draw < 1.0; draw += 1e-4) {
    // (win - loss) / 2 = t * sd, by bisection for the difference
    double low = draw - 1.0;
    double high = 1.0 - draw;
    for (int i = 0; i < 50; ++i) {
      const double lead = 0.5 * (low + high);
      const double variance = (1.0 - draw - lead * lead) / 4.0;
      (lead / 2.0 < t * std::sqrt(variance) ? low : high) = lead;
    }
    const double win = 0.5 * (1.0 - draw + low);
    const double loss = 0.5 * (1.0 - draw - low);
    if (win <= 0.0 || loss <= 0.0) continue;
    best = std::max(
        best, counts[0] * std::log(loss) + counts[1] * std::log(draw) + counts[2] * std::log(win));
  }
  return best;
}

/// As in `ntune verify`. The ratio is asymptotic: without a least number of pairs logistic bounds
/// 100 Elo apart took 22 pairs and went wrong in 139 of 2,000 tests under H1.
constexpr int kFewestPairs = 32;

struct Rates {
  int accepted = 0;  ///< H1
  int rejected = 0;
  double pairs = 0.0;
};

/// Sequential tests of matches whose pairs are drawn from five probabilities.
template <class Ratio>
Rates simulate(const std::array<double, 5>& chances, int tests, const Ratio& ratio) {
  const SprtBounds bounds = sprt_bounds(0.05, 0.05);
  Rates rates;
  for (int test = 0; test < tests; ++test) {
    Rng rng = Rng(11).stream("sprt", test);
    Pentanomial pairs;
    for (int n = 1; n <= 20'000; ++n) {
      double u = rng.uniform();
      std::size_t outcome = 0;
      while (outcome < 4 && u >= chances[outcome]) u -= chances[outcome++];
      pairs.add(static_cast<double>(outcome) / 2.0);
      if (n < kFewestPairs) continue;
      const double llr = ratio(pairs);
      if (llr > bounds.low && llr < bounds.high) continue;
      ++(llr >= bounds.high ? rates.accepted : rates.rejected);
      rates.pairs += n;
      break;
    }
  }
  return rates;
}

/// Probabilities of pairs around even chances with this mean of a pair's score, and their t.
std::array<double, 5> pairs_with_score(double score) {
  std::array<double, 5> chances = {0.06, 0.22, 0.44, 0.22, 0.06};
  const double shift = score - 0.5;  // from 1/2 to 3/2 points moves the mean by 1/2
  chances[1] -= 2.0 * shift;
  chances[3] += 2.0 * shift;
  return chances;
}

/// The normal score whose t is that of so much normalised Elo.
double score_with_t(double t) {
  double low = 0.4;
  double high = 0.6;
  for (int i = 0; i < 60; ++i) {
    const double score = 0.5 * (low + high);
    const auto chances = pairs_with_score(score);
    double variance = 0.0;
    for (std::size_t k = 0; k < 5; ++k) {
      variance += chances[k] * (kPoints[k] - score) * (kPoints[k] - score);
    }
    ((score - 0.5) / std::sqrt(variance) < t ? low : high) = score;
  }
  return low;
}

}  // namespace

TEST_CASE("tests of two means need about as many observations as Wald says") {
  Rng rng(4);
  const SprtBounds bounds = sprt_bounds(0.05, 0.05);
  for (const double effect : {-0.2, 0.0, 0.1, 0.2, 0.5}) {
    constexpr double kTested = 0.2;
    double observations = 0.0;
    for (int test = 0; test < 300; ++test) {
      double ratio = 0.0;
      while (ratio > bounds.low && ratio < bounds.high) {
        ratio += kTested * (effect + rng.normal()) - 0.5 * kTested * kTested;
        ++observations;
      }
    }
    CAPTURE(effect);
    CHECK(expected_observations(effect, kTested) / (observations / 300.0) > 0.75);
    CHECK(expected_observations(effect, kTested) / (observations / 300.0) < 1.35);
  }
}

TEST_CASE("Wald's bounds") {
  const SprtBounds bounds = sprt_bounds(0.05, 0.1);
  CHECK(bounds.low == Approx(std::log(0.1 / 0.95)));
  CHECK(bounds.high == Approx(std::log(0.9 / 0.05)));
  CHECK(sprt_bounds(0.05, 0.05).high == Approx(2.944439));
}

TEST_CASE("the generalised likelihood ratio is that of the best distributions, by search") {
  const std::array<double, 3> scores = {0.0, 0.5, 1.0};
  for (const std::array<std::int64_t, 3> counts :
       {std::array<std::int64_t, 3>{30, 20, 50}, {5, 90, 5}, {400, 100, 300}, {1, 2, 9}}) {
    const std::array<double, 3> reals = {static_cast<double>(counts[0]),
                                         static_cast<double>(counts[1]),
                                         static_cast<double>(counts[2])};
    const ScoreFrequencies frequencies{scores, counts};
    CHECK(gsprt_of_mean(frequencies, 0.5, 0.55) ==
          Approx(best_with_mean(reals, 0.55) - best_with_mean(reals, 0.5)).margin(1e-4));
    CHECK(gsprt_of_t(frequencies, 0.5, 0.05, 0.2) ==
          Approx(best_with_t(reals, 0.2) - best_with_t(reals, 0.05)).margin(1e-3));
  }
}

TEST_CASE("log-likelihood ratios are those that fishtest published") {
  // Pull requests of official-stockfish/Stockfish with the ratio, the bounds and the pairs; bounds
  // in braces are logistic Elo (2020), others normalised (since 2021).
  const auto normalised = [](const Pentanomial& pairs, double elo0, double elo1) {
    return gsprt_of_t(seen(pairs), 0.5, t_of(elo0), t_of(elo1));
  };
  const auto logistic = [](const Pentanomial& pairs, double elo0, double elo1) {
    return gsprt_of_mean(seen(pairs), score_of_elo(elo0), score_of_elo(elo1));
  };
  constexpr double kRounding = 0.0051;
  // #5712
  CHECK(normalised({{831, 31795, 68460, 32448, 834}}, 0.0, 2.0) == Approx(2.93).margin(kRounding));
  CHECK(normalised({{307, 54901, 140959, 56230, 281}}, 0.5, 2.5) == Approx(2.95).margin(kRounding));
  // #3514
  CHECK(normalised({{264, 5737, 31270, 5964, 269}}, -0.5, 2.5) == Approx(2.97).margin(kRounding));
  CHECK(normalised({{29, 2205, 35000, 2392, 34}}, 0.5, 3.5) == Approx(2.94).margin(kRounding));
  // #2971, #2951
  CHECK(logistic({{17, 253, 1042, 337, 39}}, -0.5, 1.5) == Approx(2.96).margin(kRounding));
  CHECK(logistic({{11, 407, 3238, 513, 11}}, 0.25, 1.75) == Approx(2.93).margin(kRounding));
  CHECK(logistic({{59, 754, 2467, 865, 75}}, -0.5, 1.5) == Approx(2.95).margin(kRounding));
}

TEST_CASE("for wins and losses the generalised ratio is the ordinary one") {
  const std::array<double, 2> scores = {0.0, 1.0};
  const std::array<std::int64_t, 2> counts = {40, 60};
  CHECK(gsprt_of_mean({scores, counts}, 0.5, 0.6) ==
        Approx(60 * std::log(0.6 / 0.5) + 40 * std::log(0.4 / 0.5)));
}

TEST_CASE("the sequential t ratio is that of the noncentral t distribution") {
  for (const std::int64_t n : {3, 10, 200}) {
    for (const double mean : {-0.1, 0.0, 0.1, 0.5}) {
      const double sd = 1.7;
      const double root = std::sqrt(static_cast<double>(n));
      const boost::math::non_central_t h0(static_cast<double>(n - 1), 0.02 * root);
      const boost::math::non_central_t h1(static_cast<double>(n - 1), 0.2 * root);
      const double t = mean / sd * root;
      CAPTURE(n, mean);
      CHECK(sequential_t_ratio(n, mean, sd, 0.02, 0.2) ==
            Approx(std::log(boost::math::pdf(h1, t) / boost::math::pdf(h0, t)))
                .epsilon(1e-3)
                .margin(1e-3));
    }
  }
  CHECK(sequential_t_ratio(100, 0.0, 0.0, 0.0, 0.1) == Approx(-0.5));
  CHECK(std::isfinite(sequential_t_ratio(100, 1.0, 0.0, 0.0, 0.1)));
  CHECK(sequential_t_ratio(1000, 1.0, 0.0, 0.0, 0.1) > 10.0);
}

// Error rates: with alpha = beta = 0.05 at most 0.05 / 0.95 of the tests may go wrong. Bounds fixed
// beforehand: that rate plus 3.1 standard errors (a false alarm in a thousand).
namespace {

constexpr double kWorst = 0.05 / 0.95;

int most_wrong(int tests) {
  return static_cast<int>(tests * kWorst + 3.1 * std::sqrt(tests * kWorst * (1.0 - kWorst)));
}

void check_game_tests(int tests, double elo1) {
  const auto by_t = [elo1](const Pentanomial& pairs) {
    return gsprt_of_t(seen(pairs), 0.5, 0.0, t_of(elo1));
  };
  const Rates null = simulate(pairs_with_score(0.5), tests, by_t);
  CHECK(null.accepted <= most_wrong(tests));
  CHECK(null.accepted + null.rejected == tests);
  const Rates other = simulate(pairs_with_score(score_with_t(t_of(elo1))), tests, by_t);
  CHECK(other.rejected <= most_wrong(tests));
  WARN("normalised " << elo1 << ": " << null.accepted << " and " << other.rejected << " of "
                     << tests << " wrong, " << (null.pairs + other.pairs) / (2 * tests)
                     << " pairs");

  const double score1 = score_of_elo(elo1);
  const auto by_mean = [score1](const Pentanomial& pairs) {
    return gsprt_of_mean(seen(pairs), 0.5, score1);
  };
  const Rates even = simulate(pairs_with_score(0.5), tests, by_mean);
  CHECK(even.accepted <= most_wrong(tests));
  const Rates better = simulate(pairs_with_score(score1), tests, by_mean);
  CHECK(better.rejected <= most_wrong(tests));
  WARN("logistic " << elo1 << ": " << even.accepted << " and " << better.rejected << " of " << tests
                   << " wrong, " << (even.pairs + better.pairs) / (2 * tests) << " pairs");
}

void check_t_tests(int tests, double effect, bool skewed) {
  const SprtBounds bounds = sprt_bounds(0.05, 0.05);
  for (const bool alternative : {false, true}) {
    int wrong = 0;
    double observations = 0.0;
    for (int test = 0; test < tests; ++test) {
      Rng rng = Rng(10).stream("t", test, alternative ? 1 : 0);
      RunningStats stats;
      double llr = 0.0;
      do {
        const double noise = skewed ? -std::log(1.0 - rng.uniform()) - 1.0 : rng.normal();
        stats.add(3.0 * (noise + (alternative ? effect : 0.0)));
        if (stats.count() < 2) continue;
        llr = sequential_t_ratio(stats.count(), stats.mean(), stats.sd(), 0.0, effect);
      } while (llr > bounds.low && llr < bounds.high);
      wrong += (llr >= bounds.high) != alternative ? 1 : 0;
      observations += static_cast<double>(stats.count());
    }
    CHECK(wrong <= most_wrong(tests));
    WARN("t " << effect << (skewed ? " exponential" : " normal") << ": " << wrong << " of " << tests
              << " wrong, " << observations / tests << " observations");
  }
}

}  // namespace

TEST_CASE("the ratio of skewed payoffs is that of others where they are not skewed") {
  int less = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    RunningStats first;
    RunningStats second;
    RunningStats differences;
    RunningStats costs;
    RunningStats saved;
    for (int i = 0; i < 200; ++i) {
      const double ours = 10.0 + rng.normal();
      const double theirs = 10.0 + rng.normal();
      first.add(ours);
      second.add(theirs);
      differences.add(ours - theirs);
      const double cost = std::exp(2.0 * rng.normal() - 2.0);
      costs.add(-cost);
      saved.add(10.0 - cost);
    }
    CHECK(skewed_t_ratio(differences, first, second, 0.0, 0.1) ==
          sequential_t_ratio(200, differences.mean(), differences.sd(), 0.0, 0.1));
    // Towards 0 where costs are skewed, from either side.
    RunningStats steady;
    for (int i = 0; i < 200; ++i) steady.add(-10.0);
    const double plain = sequential_t_ratio(200, saved.mean(), saved.sd(), 0.0, 0.1);
    const double allowed = skewed_t_ratio(saved, costs, steady, 0.0, 0.1);
    CHECK(allowed >= 0.0);
    CHECK(allowed <= plain);
    if (allowed < plain) ++less;
    CHECK(skewed_t_ratio(saved, steady, costs, 0.0, 0.1) <= plain);
  }
  CHECK(less >= 10);
  // Equal differences have no interval to widen, also where rounding leaves them a deviation.
  RunningStats same;
  RunningStats costs;
  RunningStats dearer;
  Rng rng(1);
  for (int i = 0; i < 31; ++i) {
    const double cost = std::exp(1.5 * rng.normal());
    costs.add(-cost);
    dearer.add(-cost - 2.0);
    same.add(-cost - (-cost - 2.0));
  }
  CHECK(skewed_t_ratio(same, costs, dearer, 0.0, 0.1) > 0.0);
}

TEST_CASE("sequential tests of games keep their error rates, in a few tests") {
  check_game_tests(60, 60.0);
}

TEST_CASE("sequential t-tests keep their error rates, in a few tests") {
  check_t_tests(100, 0.3, false);
}

TEST_CASE("sequential tests of games keep their error rates", "[statistical][slow]") {
  check_game_tests(2000, 30.0);
  check_game_tests(2000, 100.0);
}

TEST_CASE("sequential t-tests keep their error rates", "[statistical][slow]") {
  check_t_tests(4000, 0.2, false);
  check_t_tests(4000, 0.2, true);
}

}  // namespace ntune
