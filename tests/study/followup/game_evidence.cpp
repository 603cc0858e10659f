#include "ntune/study/followup/game_evidence.h"

#include <cmath>

#include "catch.h"
#include "ntune/core/rng.h"
#include "ntune/core/sequential_test.h"

namespace ntune {

namespace {

/// Games whose pairs are these.
GameCounts games_of_pairs(const Pentanomial& pairs) {
  GameCounts counts{.games = {}, .pairs = pairs};
  const auto& n = pairs.counts;
  counts.games.losses = 2 * n[0] + n[1] + n[2];
  counts.games.draws = n[1] + n[3];
  counts.games.wins = n[2] + n[3] + 2 * n[4];
  return counts;
}

GameEvidence match_of(const GameCounts& counts) {
  GameEvidence evidence;
  evidence.add_match(counts);
  return evidence;
}

GameEvidence match_of_pairs(const Pentanomial& pairs) { return match_of(games_of_pairs(pairs)); }

GameEvidence match_of_games(std::int64_t wins, std::int64_t losses, std::int64_t draws) {
  return match_of({.games = {.wins = wins, .draws = draws, .losses = losses}, .pairs = {}});
}

}  // namespace

TEST_CASE("ratios of matches are those of fastchess") {
  // app/tests/sprt_test.cpp of Disservin/fastchess, which allows 1 %.
  const auto normalised = [](const GameEvidence& evidence, double elo0, double elo1) {
    return evidence.ratio(EloModel::kNormalised, elo0, elo1);
  };
  const auto logistic = [](const GameEvidence& evidence, double elo0, double elo1) {
    return evidence.ratio(EloModel::kLogistic, elo0, elo1);
  };
  CHECK(normalised(match_of_pairs({{365, 16618, 36229, 16974, 390}}), 0.0, 2.0) ==
        Approx(2.25).epsilon(0.01));
  CHECK(normalised(match_of_pairs({{127, 4883, 10712, 5150, 104}}), -1.75, 0.25) ==
        Approx(3.01).epsilon(0.01));
  CHECK(normalised(match_of_pairs({{0, 0, 0, 0, 5550}}), 0.0, 5.0) == Approx(111.82).epsilon(0.01));
  CHECK(logistic(match_of_pairs({{223, 9863, 21279, 10037, 246}}), 0.5, 2.5) ==
        Approx(-3.07).epsilon(0.01));
  CHECK(logistic(match_of_pairs({{871, 26175, 55983, 26678, 821}}), 0.0, 2.0) ==
        Approx(-4.98).epsilon(0.01));
  CHECK(normalised(match_of_games(36433, 36027, 68692), 0.0, 2.0) == Approx(0.92).epsilon(0.01));
  CHECK(normalised(match_of_games(10871, 10650, 20431), -1.75, 0.25) == Approx(2.30).epsilon(0.01));
  CHECK(normalised(match_of_games(4250, 0, 0), 0.0, 10.0) == Approx(120.56).epsilon(0.01));
  CHECK(logistic(match_of_games(21404, 21184, 40708), 0.5, 2.5) == Approx(-1.57).epsilon(0.01));
  CHECK(logistic(match_of_games(57433, 57030, 106593), 0.0, 2.0) == Approx(-2.59).epsilon(0.01));
  // What fastchess printed under `-sprt elo0=0 elo1=50 model=normalized` after a match of toga2 at
  // two depths.
  CHECK(normalised(match_of_pairs({{0, 0, 0, 6, 0}}), 0.0, 50.0) == Approx(0.74).margin(0.01));
}

TEST_CASE("the observations of a match are its pairs as long as all games are paired") {
  GameEvidence match;
  match.add_match(pair_of_games(1.0, 0.5));
  match.add_match(games_of_pairs({{0, 1, 2, 1, 1}}));
  CHECK(match.observations() == 6);
  CHECK(match.pentanomial() == Pentanomial{{0, 1, 2, 2, 1}});
  match.add_match(single_game(0.0));
  CHECK(match.observations() == 13);
  CHECK_FALSE(match.pentanomial());
}

TEST_CASE(
    "single games of both players are pairs, and ratios of more games each are of their scores") {
  GameEvidence single;
  GameEvidence doubled;
  Rng rng(3);
  for (int i = 0; i < 400; ++i) {
    const auto game = [&](double wins) { return rng.uniform() < wins ? 1.0 : 0.0; };
    const double a = game(0.6);
    const double b = game(0.5);
    single.add_pair(single_game(a), single_game(b));
    doubled.add_pair(pair_of_games(a, a), pair_of_games(b, b));
  }
  REQUIRE(single.pentanomial());
  CHECK(single.pentanomial()->pairs() == 400);
  CHECK_FALSE(doubled.pentanomial());
  CHECK(doubled.first().games.games() == 800);
  // The doubled games have the same scores and pretend to be twice as many.
  CHECK(single.elo()->value == Approx(doubled.elo()->value));
  CHECK(single.normalised()->value == Approx(std::sqrt(2.0) * doubled.normalised()->value));
  RunningStats scores;
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::int64_t k = 0; k < single.pentanomial()->counts[i]; ++k) {
      scores.add(0.25 * static_cast<double>(i));
    }
  }
  // A difference of two games is twice as far from a level one as a pair's score from 1/2.
  const Rating pairs = normalised_rating(scores, 2.0);
  CHECK(single.normalised()->value == Approx(2.0 * pairs.value).epsilon(1e-9));
  CHECK(single.normalised()->interval.low == Approx(2.0 * pairs.interval.low).epsilon(1e-9));
  CHECK(single.ratio(EloModel::kNormalised, 0.0, 40.0) ==
        Approx(doubled.ratio(EloModel::kNormalised, 0.0, 40.0 / std::sqrt(2.0))));
  CHECK(single.ratio(EloModel::kLogistic, 0.0, 40.0) ==
        Approx(doubled.ratio(EloModel::kLogistic, 0.0, 40.0)));
}

TEST_CASE("hypotheses that are out of reach still have a ratio") {
  GameEvidence evidence;
  for (int i = 0; i < 50; ++i) {
    GameCounts won;
    GameCounts drawn;
    for (int game = 0; game < 50; ++game) {
      won.add(pair_of_games(1.0, game % 3 == i % 3 ? 0.5 : 0.0));
      drawn.add(pair_of_games(0.5, 0.5));
    }
    evidence.add_pair(won, drawn);
  }
  for (const double elo1 : {20.0, 100.0, 400.0}) {
    CHECK(std::isfinite(evidence.ratio(EloModel::kNormalised, -400.0, elo1)));
    CHECK(std::isfinite(evidence.ratio(EloModel::kNormalised, 0.0, elo1)));
  }
  CHECK(match_of_pairs({{10, 20, 40, 20, 10}}).ratio(EloModel::kNormalised, 0.0, 400.0) < -10.0);
}

// Error rates with alpha = beta = 0.05, of which at most 0.05 / 0.95 may go wrong. Bounds fixed
// beforehand: that rate plus 3.1 standard errors (a false alarm in a thousand). As in
// `ntune verify`, fewer than 32 observations decide nothing.
namespace {

constexpr double kWorstRate = 0.05 / 0.95;

int most_wrong_of(int tests) {
  return static_cast<int>(tests * kWorstRate +
                          3.1 * std::sqrt(tests * kWorstRate * (1.0 - kWorstRate)));
}

/// Decides for H1 or not; `add` adds an observation.
template <class Add>
bool accepts(EloModel model, double elo1, std::int64_t& observations, const Add& add) {
  const SprtBounds bounds = sprt_bounds(0.05, 0.05);
  GameEvidence evidence;
  for (;;) {
    add(evidence);
    if (evidence.observations() < 32) continue;
    const double ratio = evidence.ratio(model, 0.0, elo1);
    if (ratio > bounds.low && ratio < bounds.high) continue;
    observations += evidence.observations();
    return ratio >= bounds.high;
  }
}

/// A game with this expected score, of which 30 % are draws.
double any_game(Rng& rng, double score) {
  const double u = rng.uniform();
  return u < 0.3 ? 0.5 : u < 0.3 + (score - 0.15) ? 1.0 : 0.0;
}

/// Variance of such a game near a score of 1/2.
constexpr double kVarianceOfGame = 0.7 / 4.0;

template <class Add>
void check_rates(const char* name, int tests, EloModel model, double elo1, double lead,
                 const Add& add) {
  for (const bool stronger : {false, true}) {
    int wrong = 0;
    std::int64_t observations = 0;
    for (int test = 0; test < tests; ++test) {
      Rng rng = Rng(17).stream(name, test, stronger ? 1 : 0);
      const bool accepted = accepts(model, elo1, observations, [&](GameEvidence& evidence) {
        add(evidence, rng, stronger ? lead : 0.0);
      });
      wrong += accepted != stronger ? 1 : 0;
    }
    CHECK(wrong <= most_wrong_of(tests));
    WARN(name << (stronger ? ", H1 true: " : ", H0 true: ") << wrong << " of " << tests
              << " wrong, " << static_cast<double>(observations) / tests << " observations");
  }
}

void check_all_rates(int tests, double elo1) {
  // Lead in score per game that is elo1 of normalised Elo.
  const double lead = elo1 / kNormalisedElo * std::sqrt(kVarianceOfGame);
  check_rates("match of single games", tests, EloModel::kNormalised, elo1, lead,
              [](GameEvidence& evidence, Rng& rng, double ahead) {
                evidence.add_match(single_game(any_game(rng, 0.5 + ahead)));
              });
  check_rates("match of single games, logistic", tests, EloModel::kLogistic, elo1,
              score_of_elo(elo1) - 0.5, [](GameEvidence& evidence, Rng& rng, double ahead) {
                evidence.add_match(single_game(any_game(rng, 0.5 + ahead)));
              });
  // Colours give and take 0.2 of the score, so that the games of a pair depend on each other. The
  // sd of a pair is that of its two games about their expectations, and so is t.
  const double pair_lead = elo1 / kNormalisedElo * std::sqrt(kVarianceOfGame - 0.04);
  check_rates("match of pairs", tests, EloModel::kNormalised, elo1, pair_lead,
              [](GameEvidence& evidence, Rng& rng, double ahead) {
                const double white = any_game(rng, 0.7 + ahead);
                evidence.add_match(pair_of_games(white, any_game(rng, 0.3 + ahead)));
              });
  // Four games an observation, two of each player against a third: the lead is that of the scores.
  check_rates("two games of each", tests, EloModel::kNormalised, elo1, lead,
              [](GameEvidence& evidence, Rng& rng, double ahead) {
                const auto both = [&](double score) {
                  const double one = any_game(rng, score);
                  return pair_of_games(one, any_game(rng, score));
                };
                const GameCounts first = both(0.5 + 0.5 * ahead);
                evidence.add_pair(first, both(0.5 - 0.5 * ahead));
              });
}

}  // namespace

TEST_CASE("tests of all kinds of games keep their error rates, in a few tests") {
  check_all_rates(40, 100.0);
}

TEST_CASE("tests of all kinds of games keep their error rates", "[statistical][slow]") {
  check_all_rates(2000, 40.0);
}

}  // namespace ntune
