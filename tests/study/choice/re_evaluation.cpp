#include "ntune/study/choice/re_evaluation.h"

#include <atomic>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "catch.h"
#include "ntune/core/parallel.h"
#include "ntune/study/evaluation/evaluator.h"
#include "study/make.h"
#include "study/timed.h"

namespace ntune {

namespace {

/// Calls re_evaluate with what stays the same in most tests.
struct Contest {
  std::shared_ptr<const Objective> objective;
  std::vector<Candidate> candidates;
  ReEvaluationOptions options;
  std::uint64_t seed = 1;
  int threads = 1;
  std::int64_t in_flight = 1;
  FailurePolicy on_failure;
  StudyProgress progress;
  std::vector<std::pair<Point, double>> seen;  ///< by candidate and index
  std::vector<EvaluationKey> keys;

  Contest(std::shared_ptr<const Objective> given, int count) : objective(std::move(given)) {
    for (int i = 0; i < count; ++i) candidates.push_back({.point = test::arm(i), .run = i});
  }

  std::size_t winner(std::int64_t evaluations) {
    Study study;
    study.re_evaluation = options;
    study.execution.threads = threads;
    study.execution.parallel_evaluations = in_flight;
    study.execution.on_failure = on_failure;
    test::MemoryLog log;
    LocalBackend backend(threads);
    Evaluator evaluator(study, backend, progress, &log);
    Parallel parallel(threads);
    const std::size_t winner = re_evaluate(evaluator, *objective, candidates, evaluations,
                                           {.cell = 3, .repeat = 4}, Rng(seed), parallel);
    for (const auto& [key, point, outcome] : log.sorted()) {
      seen.emplace_back(point, outcome.payoff);
      keys.push_back(key);
    }
    return winner;
  }

  [[nodiscard]] std::int64_t spent() const {
    std::int64_t spent = 0;
    for (const Candidate& candidate : candidates) spent += candidate.payoffs.count();
    return spent;
  }
};

std::shared_ptr<const Objective> exact(std::vector<double> values) {
  const int count = static_cast<int>(values.size());
  return test::arms(count,
                    [v = std::move(values)](const Point& point, Rng&) { return v[point[0]]; });
}

std::vector<std::int64_t> counts_of(const Contest& contest) {
  std::vector<std::int64_t> counts;
  for (const Candidate& candidate : contest.candidates) counts.push_back(candidate.payoffs.count());
  return counts;
}

/// How often the best of eight coins of 0.4 to 0.7 wins, of 1000 contests of 400 evaluations.
int wins(ReEvaluationMethod method) {
  std::vector<double> coins;
  for (int i = 0; i < 8; ++i) coins.push_back(0.4 + 0.3 * i / 7.0);
  int won = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    Contest contest(test::coins(coins), 8);
    contest.options = {.method = method, .common_random_numbers = false};
    contest.seed = i;
    if (contest.winner(400) == 7) ++won;
  }
  return won;
}

}  // namespace

TEST_CASE("sequential halving spends equal rounds and keeps the better half") {
  // 8 candidates, 3 rounds of 8, then 4, then 2: 240 evaluations are 80 a round.
  Contest contest(exact({1, 2, 3, 4, 5, 6, 7, 8}), 8);
  CHECK(contest.winner(240) == 7);
  CHECK(counts_of(contest) == std::vector<std::int64_t>{10, 10, 10, 10, 30, 30, 70, 70});
  CHECK(contest.spent() == 240);
  CHECK(contest.seen.size() == 240);
  CHECK(contest.candidates[7].payoffs.mean() == 8.0);
}

TEST_CASE("odd numbers of candidates are halved upwards") {
  // 5 candidates: 5, 3, 2; 90 evaluations are 6 each, then 10 each, then 15 each.
  Contest contest(exact({5, 4, 3, 2, 1}), 5);
  CHECK(contest.winner(90) == 0);
  CHECK(counts_of(contest) == std::vector<std::int64_t>{31, 31, 16, 6, 6});
}

TEST_CASE("what halving cannot divide goes to who leads before the last round") {
  for (const int threads : {1, 3}) {
    Contest contest(exact({2, 5, 3, 4, 1}), 5);
    contest.threads = threads;
    CHECK(contest.winner(91) == 1);
    CHECK(counts_of(contest) == std::vector<std::int64_t>{6, 32, 16, 31, 6});
  }
  // A contest of two has one round, before which the model's estimates say who leads.
  Contest two(exact({1, 2}), 2);
  two.candidates[0].estimate = 3.0;
  CHECK(two.winner(7) == 1);
  CHECK(counts_of(two) == std::vector<std::int64_t>{4, 3});
}

TEST_CASE("repeats spend the same on every candidate") {
  Contest contest(exact({1, 3, 2}), 3);
  contest.options.method = ReEvaluationMethod::kRepeats;
  CHECK(contest.winner(100) == 1);
  CHECK(counts_of(contest) == std::vector<std::int64_t>{33, 33, 33});
}

TEST_CASE("without noise one evaluation of each candidate is enough") {
  const auto payoff = [](const Point& point, Rng&) { return point[0] == 2 ? 1.0 : 0.0; };
  for (const auto method : {ReEvaluationMethod::kSequentialHalving, ReEvaluationMethod::kRepeats}) {
    Contest contest(test::arms(5, payoff, {.noisy = false}), 5);
    contest.options.method = method;
    CHECK(contest.winner(1000) == 2);
    CHECK(counts_of(contest) == std::vector<std::int64_t>{1, 1, 1, 1, 1});
  }
}

TEST_CASE("the budget of a re-evaluation is never exceeded") {
  Rng rng(1);
  for (int i = 0; i < 300; ++i) {
    const int count = 1 + static_cast<int>(rng.below(12));
    Contest contest(test::coins(std::vector<double>(static_cast<std::size_t>(count), 0.5)), count);
    contest.options.method =
        rng.bernoulli(0.5) ? ReEvaluationMethod::kSequentialHalving : ReEvaluationMethod::kRepeats;
    contest.seed = static_cast<std::uint64_t>(i);
    const auto evaluations = static_cast<std::int64_t>(rng.below(200));
    const std::size_t winner = contest.winner(evaluations);
    REQUIRE(winner < contest.candidates.size());
    REQUIRE(contest.spent() <= evaluations);
    const bool halving = contest.options.method == ReEvaluationMethod::kSequentialHalving;
    if (halving && contest.spent() > 0) REQUIRE(contest.spent() == evaluations);
    REQUIRE(contest.spent() == static_cast<std::int64_t>(contest.seen.size()));
    for (const Candidate& candidate : contest.candidates) {
      REQUIRE(candidate.evaluations == candidate.payoffs.count());
      REQUIRE(candidate.failures == 0);
    }
    if (contest.spent() > 0) REQUIRE(contest.candidates[winner].payoffs.count() > 0);
  }
}

TEST_CASE("one candidate needs no evaluation") {
  Contest contest(exact({1}), 1);
  CHECK(contest.winner(1000) == 0);
  CHECK(contest.spent() == 0);
}

TEST_CASE("without evaluations the model's estimates decide") {
  Contest contest(exact({9, 1, 1}), 3);
  contest.candidates[1].estimate = 0.5;
  contest.candidates[2].estimate = 0.7;
  CHECK(contest.winner(0) == 2);
  contest.options.method = ReEvaluationMethod::kNone;
  CHECK(contest.winner(1000) == 2);
  CHECK(contest.spent() == 0);
}

TEST_CASE("candidates that the budget cannot cover are left out by their estimates") {
  // Five candidates need 5 * 3 evaluations for their rounds, two need 2; the third one is left.
  Contest contest(exact({9, 1, 2, 3, 4}), 5);
  for (std::size_t i = 0; i < 5; ++i) contest.candidates[i].estimate = static_cast<double>(i);
  CHECK(contest.winner(3) == 4);
  CHECK(counts_of(contest) == std::vector<std::int64_t>{0, 0, 0, 1, 2});
}

TEST_CASE("ties go to the earlier candidate") {
  for (const auto method : {ReEvaluationMethod::kSequentialHalving, ReEvaluationMethod::kRepeats}) {
    Contest contest(exact({1, 5, 5, 5, 2}), 5);
    contest.options.method = method;
    CHECK(contest.winner(300) == 1);
  }
  Contest untouched(exact({1, 1, 1}), 3);
  CHECK(untouched.winner(0) == 0);
}

TEST_CASE("common random numbers give every candidate the same streams") {
  const auto echo = test::arms(4, [](const Point&, Rng& rng) { return rng.uniform(); });
  Contest contest(echo, 4);
  contest.options.method = ReEvaluationMethod::kRepeats;
  contest.winner(40);
  std::map<int, std::vector<double>> payoffs;
  for (const auto& [point, payoff] : contest.seen) payoffs[point[0]].push_back(payoff);
  REQUIRE(payoffs.size() == 4);
  for (int i = 0; i < 4; ++i) CHECK(payoffs[i] == payoffs[0]);
  CHECK(std::set<double>(payoffs[0].begin(), payoffs[0].end()).size() == 10);

  Contest independent(echo, 4);
  independent.options = {.method = ReEvaluationMethod::kRepeats, .common_random_numbers = false};
  independent.winner(40);
  std::set<double> distinct;
  for (const auto& [point, payoff] : independent.seen) distinct.insert(payoff);
  CHECK(distinct.size() == 40);
}

TEST_CASE("later rounds go on with new common random numbers") {
  const auto echo = test::arms(4, [](const Point&, Rng& rng) { return rng.uniform(); });
  Contest contest(echo, 4);
  const std::size_t winner = contest.winner(80);
  std::set<double> distinct;
  for (const auto& [point, payoff] : contest.seen) {
    if (point == contest.candidates[winner].point) distinct.insert(payoff);
  }
  CHECK(static_cast<std::int64_t>(distinct.size()) == contest.candidates[winner].payoffs.count());
}

TEST_CASE("common random numbers compare better where noise is shared") {
  // The shift is a tenth of the shared noise: pairs see it, separate samples seldom do.
  const auto shared =
      test::arms(2, [](const Point& point, Rng& rng) { return 0.1 * point[0] + rng.normal(); });
  int paired = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    Contest contest(shared, 2);
    contest.seed = i;
    if (contest.winner(20) == 1) ++paired;
  }
  CHECK(paired == 200);
}

TEST_CASE("the best of eight coins wins most often, and by halving more often than by repeats") {
  // A simulation in another language: 65 % by halving, 55 % by repeats; by chance 12.5 %. Each
  // count has a standard error of 16.
  const int halving = wins(ReEvaluationMethod::kSequentialHalving);
  const int repeats = wins(ReEvaluationMethod::kRepeats);
  CHECK(halving >= 590);
  CHECK(repeats >= 490);
  CHECK(halving - repeats >= 30);
}

TEST_CASE("a re-evaluation is the same for every number of threads") {
  std::vector<std::pair<Point, double>> first;
  for (const int threads : {1, 2, 3, 8}) {
    Contest contest(test::coins({0.4, 0.5, 0.6, 0.5, 0.4}), 5);
    contest.threads = threads;
    const std::size_t winner = contest.winner(333);
    if (threads == 1) first = contest.seen;
    CHECK(contest.seen == first);
    CHECK(winner < 5);
  }
}

TEST_CASE("a stopped re-evaluation falls back on the estimates") {
  Contest contest(exact({1, 2, 3}), 3);
  contest.candidates[1].estimate = 5.0;
  contest.progress.stop = true;
  CHECK(contest.winner(300) == 1);
  CHECK(contest.spent() == 0);
}

TEST_CASE("a re-evaluation is the same for every number of evaluations in flight") {
  std::vector<std::pair<Point, double>> first;
  for (const std::int64_t in_flight : {1, 2, 7}) {
    Contest contest(test::coins({0.4, 0.5, 0.6, 0.5, 0.4}), 5);
    contest.in_flight = in_flight;
    contest.threads = 3;
    contest.winner(333);
    if (in_flight == 1) first = contest.seen;
    CHECK(contest.seen == first);
  }
}

TEST_CASE("every evaluation of a re-evaluation has a name of its own") {
  Contest contest(test::coins({0.4, 0.5, 0.6, 0.5, 0.4}), 5);
  contest.winner(333);
  std::map<std::int64_t, std::int64_t> next;
  for (const EvaluationKey& key : contest.keys) {
    CHECK(key.cell == 3);
    CHECK(key.repeat == 4);
    CHECK(key.stage == Stage::kReEvaluation);
    CHECK(key.index == next[key.run]++);
  }
  CHECK(next.size() == 5);
}

TEST_CASE("evaluations that fail are counted, and their candidates judged by the others") {
  // Arm 2 pays most, but every call of its even indices fails; arm 0 always fails.
  const auto failing = [](FailurePolicy policy) {
    auto calls = std::make_shared<std::atomic<int>>(0);
    auto contest = std::make_unique<Contest>(test::arms(3,
                                                        [calls](const Point& point, Rng&) {
                                                          if (point[0] == 0)
                                                            throw std::runtime_error("broken");
                                                          if (point[0] == 2 && ++*calls % 2 == 1)
                                                            throw std::runtime_error("broken");
                                                          return 1.0 * point[0];
                                                        }),
                                             3);
    contest->options.method = ReEvaluationMethod::kRepeats;
    contest->on_failure = policy;
    return contest;
  };
  const auto skipped = failing({.kind = FailurePolicy::Kind::kSkip, .value = 0.0, .max_rate = 1.0});
  CHECK(skipped->winner(90) == 2);
  CHECK(counts_of(*skipped) == std::vector<std::int64_t>{0, 30, 15});
  for (const Candidate& candidate : skipped->candidates) CHECK(candidate.evaluations == 30);
  CHECK(skipped->candidates[0].failures == 30);
  CHECK(skipped->candidates[1].failures == 0);
  CHECK(skipped->candidates[2].failures == 15);

  const auto valued =
      failing({.kind = FailurePolicy::Kind::kValue, .value = -3.0, .max_rate = 1.0});
  CHECK(valued->winner(90) == 1);
  CHECK(counts_of(*valued) == std::vector<std::int64_t>{30, 30, 30});
  CHECK(valued->candidates[0].payoffs.mean() == -3.0);
  CHECK(valued->candidates[2].payoffs.mean() == -0.5);
  CHECK(valued->candidates[2].failures == 15);
}

TEST_CASE("candidates whose evaluations have all failed are ranked by their estimates") {
  Contest contest(
      test::arms(3, [](const Point&, Rng&) -> double { throw std::runtime_error("broken"); }), 3);
  contest.on_failure = {.kind = FailurePolicy::Kind::kSkip, .value = 0.0, .max_rate = 1.0};
  contest.candidates[1].estimate = 2.0;
  CHECK(contest.winner(90) == 1);
  CHECK(contest.spent() == 0);
}

TEST_CASE("evaluations of a comparison that are cut off are counted") {
  // Arm 1 always ends, arm 0 lasts longer than the cutoff of 1 s in a third of its evaluations.
  const auto program = std::make_shared<test::Timed>(
      2,
      [](const Point& point, Rng& rng) { return point[0] == 0 && rng.below(3) == 0 ? 5.0 : 0.5; },
      1.0);
  const Study study = test::study_of(
      "{runs: 4, iterations: 1, optimiser: random, re_evaluation: 60, hold_out: 0}", program);
  test::MemoryLog log;
  const StudyResult result = test::run(study, &log);
  std::int64_t cut_off = 0;
  for (const auto& entry : log.sorted(Stage::kReEvaluation)) {
    cut_off += entry.outcome.ending == Ending::kCutOff ? 1 : 0;
  }
  CHECK(cut_off > 0);
  CHECK(result.cells[0].picks[0].endings.cut_off == cut_off);
}

}  // namespace ntune
