#include "ntune/study/followup/verify.h"

#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

#include "catch.h"
#include "ntune/core/error.h"
#include "ntune/core/text.h"
#include "ntune/facts/verify_text.h"
#include "ntune/objective/lambda_objective.h"
#include "ntune/study/followup/game_evidence.h"
#include "study/make.h"
#include "study/scripted.h"
#include "support/temporary_folder.h"

namespace ntune {

using Catch::Matchers::ContainsSubstring;

namespace {

Verification check(std::shared_ptr<const Objective> objective, const VerifyOptions& options = {},
                   int first = 1, int second = 0, const std::string& more = "") {
  const Study study = test::study_of("{runs: 1, iterations: 10" + more + "}", std::move(objective));
  StudyProgress progress;
  return verify(study, test::arm(first), test::arm(second), options, progress);
}

/// Normal payoffs about the arm's mean, of which most is common to both arms of a pair.
std::shared_ptr<const Objective> normal_arms(double gain, double noise) {
  return test::arms(2, [=](const Point& point, Rng& rng) {
    return 5.0 * rng.normal() + gain * point[0] + noise * rng.stream("arm", point[0]).normal();
  });
}

}  // namespace

TEST_CASE("a better coin is better, a worse one is not, and equal ones mostly are not") {
  const auto objective = test::coins({0.4, 0.6});
  const Verification better = check(objective);
  CHECK(better.decision == VerifyDecision::kBetter);
  CHECK(better.evidence.test == VerifyTest::kNormalised);
  CHECK(better.games.all);
  CHECK(better.counts.pairs >= 32);
  CHECK(better.evidence.ratio >= better.evidence.bounds.high);
  CHECK(better.first.games.games.games() == better.counts.pairs);
  REQUIRE(better.games.pentanomial);
  CHECK(better.games.pentanomial->pairs() == better.counts.pairs);
  CHECK(check(objective, {}, 0, 1).decision == VerifyDecision::kNotBetter);
  CHECK(check(objective, {.test = VerifyTest::kLogistic}).decision == VerifyDecision::kBetter);
}

TEST_CASE("the result of a test does not depend on the number of threads") {
  const auto objective = test::coins({0.45, 0.55});
  const Verification one = check(objective, {}, 1, 0, ", threads: 1");
  const Verification three = check(objective, {}, 1, 0, ", threads: 3");
  CHECK(one.evidence.ratio == three.evidence.ratio);
  CHECK(one.counts.pairs == three.counts.pairs);
  CHECK(one.counts.evaluations == three.counts.evaluations);
  CHECK(one.difference.mean() == three.difference.mean());
}

TEST_CASE("both points of a pair get the same random stream") {
  const Verification result = check(normal_arms(0.1, 0.1));
  CHECK(result.evidence.test == VerifyTest::kT);
  CHECK(result.decision == VerifyDecision::kBetter);
  CHECK(result.difference.sd() < 0.25);
  CHECK(result.first.payoffs.sd() > 2.0);
}

TEST_CASE("evaluations that do not suffice leave a test undecided") {
  const Verification result = check(normal_arms(0.05, 1.0), {.evaluations = 100});
  CHECK(result.decision == VerifyDecision::kUndecided);
  CHECK(result.counts.pairs == 50);
  CHECK(result.counts.evaluations == 100);
}

TEST_CASE("one point against itself is no test") {
  const Verification result = check(test::coins({0.4, 0.6}), {}, 1, 1);
  CHECK(result.decision == VerifyDecision::kSame);
  CHECK(result.counts.evaluations == 0);
}

TEST_CASE("payoffs without noise are compared by one evaluation") {
  const auto objective =
      test::arms(2, [](const Point& point, Rng&) { return 1.0 * point[0]; }, {.noisy = false});
  const Verification better = check(objective);
  CHECK(better.evidence.test == VerifyTest::kExact);
  CHECK(better.decision == VerifyDecision::kBetter);
  CHECK(better.counts.evaluations == 2);
  CHECK(check(objective, {}, 0, 1).decision == VerifyDecision::kNotBetter);
}

TEST_CASE("without noise a point that fails is worse than one that does not") {
  const auto objective =
      test::scripted(3,
                     [](const Point& point, Rng&) {
                       return point[0] == 0 ? Outcome{.payoff = 1.0} : Outcome{.failure = "broken"};
                     },
                     {.noisy = false});
  CHECK(check(objective, {}, 0, 1, ", fail: skip").decision == VerifyDecision::kBetter);
  CHECK(check(objective, {}, 1, 0, ", fail: skip").decision == VerifyDecision::kNotBetter);
  CHECK(check(objective, {}, 1, 2, ", fail: skip").decision == VerifyDecision::kUndecided);
  // Whatever a failure counts as, it is no reason to be better.
  CHECK(check(objective, {}, 1, 0, ", fail: {value: 5}").decision == VerifyDecision::kUndecided);
}

TEST_CASE("games are told by their payoffs") {
  const Payoffs unknown;
  PairedGames games(unknown);
  games.add(1.0, 0.0);
  CHECK(games.are_games());
  CHECK(games.evidence().first().games.wins == 1);
  CHECK(games.evidence().second().games.losses == 1);
  games.add(-1.0, 1.0);  // so 0 was a draw
  CHECK(games.are_games());
  CHECK(games.evidence().second().games.draws == 1);
  CHECK(games.evidence().first().games.losses == 1);
  CHECK(games.evidence().pentanomial() == Pentanomial{{1, 0, 0, 1, 0}});
  games.add(0.5, 1.0);
  CHECK_FALSE(games.are_games());
  PairedGames thirds({.low = 0.0, .high = 3.0, .two_valued = true});
  thirds.add(3.0, 0.0);
  CHECK(thirds.evidence().first().games.wins == 1);
}

TEST_CASE("a test of games refuses payoffs that are none") {
  CHECK_THROWS_WITH(check(normal_arms(0.1, 0.1), {.test = VerifyTest::kLogistic}),
                    ContainsSubstring("--test logistic: needs wins, draws and losses"));
  CHECK_THROWS_WITH(check(normal_arms(0.1, 0.1), {.asks_elo = true}),
                    ContainsSubstring("--elo0, --elo1: needs wins, draws and losses"));
  CHECK_THROWS_WITH(check(test::coins({0.4, 0.6}), {.asks_effect = true}),
                    ContainsSubstring("--effect0, --effect1: the payoffs are wins"));
  CHECK_THROWS_WITH(check(test::coins({0.4, 0.6}), {.match = true}),
                    ContainsSubstring("has no games between two points"));
}

TEST_CASE("pairs with a failure that is skipped do not count") {
  const auto objective = test::scripted(2, [](const Point& point, Rng& rng) {
    if (rng.below(10) == 0) return Outcome{.failure = "broken"};
    return Outcome{.payoff = rng.normal() + 2.0 * point[0]};
  });
  const Verification result = check(objective, {}, 1, 0, ", fail: skip");
  CHECK(result.decision == VerifyDecision::kBetter);
  CHECK(result.counts.skipped > 0);
  CHECK(result.counts.failures >= result.counts.skipped);
  CHECK_THROWS_AS(check(objective), EvaluationError);
}

TEST_CASE("a test decides nothing for the point that failed more often") {
  const auto objective = test::scripted(2, [](const Point& point, Rng& rng) {
    if (point[0] == 1 && rng.below(2) == 0) return Outcome{.failure = "broken"};
    return Outcome{.payoff = rng.normal() + 2.0 * point[0]};
  });
  const Verification better = check(objective, {}, 1, 0, ", fail: skip");
  CHECK(better.decision == VerifyDecision::kUndecided);
  CHECK(better.counts.skipped_of[0] == better.counts.skipped);
  CHECK(more_frequent_failures(better.counts) == std::optional<std::size_t>(0));
  CHECK(check(objective, {}, 0, 1, ", fail: skip").decision == VerifyDecision::kUndecided);
}

TEST_CASE("costs are compared as costs and reported in their unit") {
  const auto objective = test::scripted(
      2,
      [](const Point& point, Rng& rng) {
        return Outcome{.payoff = -10.0 - point[0] + rng.normal()};
      },
      {}, -1.0);
  RecommendedStudy study{.study = test::study_of("{runs: 1, iterations: 10}", objective),
                         .point = test::arm(0)};
  StudyProgress progress;
  const Verification result = verify(study.study, study.point, test::arm(1), {}, progress);
  CHECK(result.decision == VerifyDecision::kBetter);
  const Json json = verification_json(study, test::arm(1), "default", result);
  CHECK(json["difference"]["value"].get<double>() < 0.0);
  CHECK(json["recommended"]["value"].get<double>() == Approx(10.0).margin(1.0));
  CHECK(json["decision"] == "better");
  CHECK_THAT(verification_text(study, test::arm(1), "default", result),
             ContainsSubstring("better: H1 is accepted"));
}

namespace {

/// A program whose evaluations are games, or only look like them.
std::shared_ptr<const Objective> games_of(const std::function<GameCounts(int, Rng&)>& play,
                                          bool counted = true) {
  return test::scripted(2, [=](const Point& point, Rng& rng) {
    Outcome outcome = outcome_of(play(point[0], rng));
    if (!counted) outcome.games = {};
    return outcome;
  });
}

/// A pair with an edge of `gain` in each of its games.
GameCounts any_pair(Rng& rng, double gain) {
  const auto game = [&] {
    const double u = rng.uniform();
    return u < 0.3 ? 0.5 : u < 0.65 + gain ? 1.0 : 0.0;
  };
  const double one = game();
  return pair_of_games(one, game());
}

const char* const kProgram =
    "objective:\n"
    "  command: [sh, -c, 'echo $1 $2 >> log; test $(($3 % 10)) -lt 6 && echo WD || echo LW', sh, "
    "'{depth}', '{opponent.depth}', '{seed}']\n"
    "  result: letters\n"
    "space: {depth: {choices: [1, 2, 3], default: 2}}\n"
    "runs: 1\niterations: 10\n";

}  // namespace

TEST_CASE("pairs of games are tested as games, whatever they score") {
  const auto pairs =
      games_of([](int arm, Rng& rng) { return any_pair(rng, arm == 0 ? 0.0 : 0.2); });
  const Verification result = check(pairs, {.elo1 = 100.0, .asks_elo = true});
  CHECK(result.decision == VerifyDecision::kBetter);
  CHECK(result.evidence.test == VerifyTest::kNormalised);
  CHECK(result.games.all);
  CHECK(result.first.games.are_paired());
  CHECK(result.first.games.pairs.pairs() == result.counts.pairs);
  CHECK_FALSE(result.games.pentanomial);
  REQUIRE(result.games.elo);
  CHECK(result.games.elo->value > 0.0);
  CHECK(check(pairs, {.elo1 = 100.0, .test = VerifyTest::kLogistic}).decision ==
        VerifyDecision::kBetter);
}

TEST_CASE("a failure that counts as a loss is one in a test of games") {
  const auto pairs = test::scripted(2,
                                    [](const Point& point, Rng& rng) {
                                      if (point[0] == 1 && rng.bernoulli(0.4))
                                        return Outcome{.failure = "crashed"};
                                      return outcome_of(any_pair(rng, 0.0));
                                    },
                                    {.games = true});
  const Verification result = check(pairs, {.elo1 = 100.0}, 1, 0, ", fail: {value: 0}");
  CHECK(result.decision == VerifyDecision::kNotBetter);
  CHECK(result.evidence.test == VerifyTest::kNormalised);
  CHECK(result.counts.failures > 0);
  CHECK(result.counts.skipped == 0);
  CHECK(result.first.games.are_paired());
  CHECK(result.first.games.games.losses > result.first.games.games.wins);
}

TEST_CASE("numbers of a program that look like games are none, which is told after two of them") {
  int calls = 0;
  const auto numbers = games_of(
      [&](int, Rng& rng) {
        ++calls;
        return rng.bernoulli(0.5) ? pair_of_games(1.0, 0.0) : pair_of_games(1.0, 1.0);
      },
      false);
  CHECK(check(numbers, {.evaluations = 100}, 1, 0, ", threads: 1").evidence.test == VerifyTest::kT);
  calls = 0;
  CHECK_THROWS_WITH(check(numbers, {.test = VerifyTest::kLogistic}, 1, 0, ", threads: 1"),
                    ContainsSubstring("--test logistic: needs wins, draws and losses") &&
                        ContainsSubstring("a program's games are counted by result: fastchess"));
  CHECK(calls == 2);
  CHECK_THROWS_WITH(check(numbers, {.asks_elo = true}, 1, 0, ", threads: 1"),
                    ContainsSubstring("--elo0, --elo1: needs wins, draws and losses"));
  CHECK(calls == 4);
}

TEST_CASE("a test over instances reports what they come to by their weights") {
  // Arm 1 gains 2 on the instance of weight 9 and loses 6 on the other: 1.2 by the weights.
  const auto objective = std::make_shared<LambdaObjective>(
      SearchSpace({make_integers("arm", 0, 1)}),
      [](const Settings& settings, Rng& rng, const Instance& instance) {
        const bool heavy = value_number(instance.value) > 0.5;
        return (heavy ? 1000.0 + 2.0 * settings.number("arm") : -6.0 * settings.number("arm")) +
               0.1 * rng.stream("arm", settings.integer("arm") == 0 ? 0 : 1).normal();
      },
      "arms");
  const std::string instances = ", instances: [0, {instance: 1, weight: 9}]";
  const Verification result = check(objective, {.evaluations = 46}, 1, 0, instances);
  CHECK(result.counts.pairs == 23);
  CHECK(result.first.sample.mean.mean() == Approx(901.2).margin(0.1));
  CHECK(result.second.sample.mean.mean() == Approx(900.0).margin(0.1));
  CHECK(result.difference_sample.mean.mean() == Approx(1.2).margin(0.1));
  CHECK(result.difference_sample.mean.standard_error() < 0.1);
  CHECK(result.difference_sample.values.count() == 23);
}

TEST_CASE("the ratio of a test over instances is that of their weights") {
  // Equal on average by the weights 1 and 3, while the plain mean gains: 3 and -1.
  const auto level = std::make_shared<LambdaObjective>(
      SearchSpace({make_integers("arm", 0, 1)}),
      [](const Settings& settings, Rng& rng, const Instance& instance) {
        const double arm = settings.number("arm");
        return (instance.name == "up" ? 3.0 : -1.0) * arm +
               rng.stream("arm", arm > 0.5 ? 1 : 0).normal();
      },
      "level");
  const std::string weights =
      ", instances: [{instance: up, weight: 1}, {instance: down, weight: 3}]";
  CHECK(check(level, {}, 1, 0, weights).decision == VerifyDecision::kNotBetter);
  // Better by 0.4 on each instance, whose level differs hundredfold more than the noise.
  const auto better = std::make_shared<LambdaObjective>(
      SearchSpace({make_integers("arm", 0, 1)}),
      [](const Settings& settings, Rng& rng, const Instance& instance) {
        const double arm = settings.number("arm");
        const double swing = instance.name == "up" ? 100.4 : -99.6;
        return swing * arm + rng.stream("arm", arm > 0.5 ? 1 : 0).normal();
      },
      "better");
  const Verification result = check(better, {}, 1, 0, ", instances: [up, down]");
  CHECK(result.decision == VerifyDecision::kBetter);
  CHECK(result.counts.pairs < 1000);
}

TEST_CASE("the text of a test has the digits that count on any scale") {
  for (const double scale : {1e-9, 1.0, 1e9}) {
    const auto objective = test::arms(2, [=](const Point& point, Rng& rng) {
      return scale * (5.0 + 0.5 * point[0] + 0.3 * rng.stream("arm", point[0]).normal());
    });
    const Study study = test::study_of("{runs: 1, iterations: 10}", objective);
    StudyProgress progress;
    const Verification result = verify(study, test::arm(1), test::arm(0), {}, progress);
    const RecommendedStudy recommended{.study = study, .point = test::arm(1)};
    const std::string text = verification_text(recommended, test::arm(0), "default", result);
    const auto number_behind = [&](const std::string& words) {
      const std::size_t at = text.find(words);
      REQUIRE(at != std::string::npos);
      return std::strtod(text.c_str() + at + words.size(), nullptr);
    };
    CAPTURE(text);
    CHECK(number_behind("difference      ") ==
          Approx(result.difference_sample.mean.mean()).epsilon(0.01));
    CHECK(number_behind("\nrecommended  ") ==
          Approx(result.first.sample.mean.mean()).epsilon(0.01));
  }
}

TEST_CASE("two points of a program meet, and the default never meets itself") {
  const test::TemporaryFolder folder;
  const Study study = read_study(read_yaml(folder.file("study.yaml", kProgram)));
  const auto verify_with = [&](int threads) {
    Study of_threads = study;
    of_threads.execution.threads = threads;
    StudyProgress progress;
    return verify(of_threads, test::arm(2), test::arm(1), {.elo1 = 200.0}, progress);
  };
  const Verification result = verify_with(1);
  CHECK(result.options.match);
  CHECK(result.decision == VerifyDecision::kBetter);
  CHECK(result.counts.pairs >= 32);
  REQUIRE(result.games.pentanomial);
  CHECK(result.games.pentanomial->pairs() == result.counts.pairs);
  CHECK(result.games.pentanomial->counts[2] + result.games.pentanomial->counts[3] ==
        result.counts.pairs);
  CHECK(result.first.games.games.games() == 2 * result.counts.pairs);
  CHECK(result.second.games.games.wins == result.first.games.games.losses);
  const std::string log = test::content_of(folder.path() / "log");
  CHECK(log.size() % 4 == 0);
  for (std::size_t at = 0; at < log.size(); at += 4) REQUIRE(log.substr(at, 4) == "3 2\n");
  CHECK(result.counts.evaluations == static_cast<std::int64_t>(log.size() / 2));  // a game is one
  const Verification again = verify_with(3);
  CHECK(again.games.pentanomial == result.games.pentanomial);
  CHECK(again.counts.evaluations == result.counts.evaluations);
  const RecommendedStudy recommended{.study = study, .point = test::arm(2)};
  const std::string text = verification_text(recommended, test::arm(1), "default", result);
  CHECK_THAT(text, ContainsSubstring("pairs (two games from one start, one from either side)"));
  // The games are those of the pairs, and of others that were carried out it is said so.
  const std::int64_t games = 2 * result.counts.pairs;
  CHECK_THAT(text, ContainsSubstring(
                       fmt::format("one from either side): {}{}\n", counted(games, "game"),
                                   result.counts.evaluations == games
                                       ? std::string()
                                       : fmt::format(" of {} that were carried out",
                                                     count_text(result.counts.evaluations)))));
  CHECK_THAT(text, ContainsSubstring("GSPRT on pentanomial counts"));
  const Json json = verification_json(recommended, test::arm(1), "default", result);
  CHECK(json["match"] == true);
  CHECK(json["recommended"]["pentanomial"] == json["pentanomial"]);
  CHECK(json["elo"]["value"].get<double>() > 0.0);
}

namespace {

int wrong_of(int tests, double low, double high, const VerifyOptions& options,
             VerifyDecision right) {
  int wrong = 0;
  for (int test = 0; test < tests; ++test) {
    const Verification result =
        check(test::coins({low, high}), options, 1, 0, ", seed: " + std::to_string(test + 1));
    wrong += result.decision != right ? 1 : 0;
  }
  return wrong;
}

}  // namespace

// alpha = beta = 0.1 allow 0.1 / 0.9 wrong decisions; the bounds, fixed beforehand, are 3.1
// standard errors above. At a level of 0.5 an Elo difference of e is one of tanh(e ln 10 / 1600) in
// score.
TEST_CASE("whole tests of coins keep their error rates", "[statistical][slow]") {
  const int tests = 500;
  const int most = 78;
  VerifyOptions options{.alpha = 0.1, .beta = 0.1, .elo1 = 40.0, .test = VerifyTest::kLogistic};
  const double half = std::tanh(40.0 * std::log(10.0) / 1600.0) / 2.0;
  CHECK(wrong_of(tests, 0.5, 0.5, options, VerifyDecision::kNotBetter) <= most);
  CHECK(wrong_of(tests, 0.5 - half, 0.5 + half, options, VerifyDecision::kBetter) <= most);
  options.test = VerifyTest::kNormalised;
  CHECK(wrong_of(tests, 0.5, 0.5, options, VerifyDecision::kNotBetter) <= most);
}

}  // namespace ntune
