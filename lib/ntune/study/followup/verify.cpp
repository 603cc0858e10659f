#include "ntune/study/followup/verify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluator.h"
#include "ntune/study/followup/paired_games.h"

namespace ntune {

namespace {

constexpr std::int64_t kBlock = 32;  ///< pairs carried out at once
/// The ratio of games is asymptotic: fewer pairs decide nothing (tests/core/sequential_test.cpp).
constexpr std::int64_t kFewestPairs = 32;
constexpr std::array<double, 5> kPairScores = {0.0, 0.25, 0.5, 0.75, 1.0};

struct PairOfPayoffs {
  std::optional<double> first = {};  ///< in a match: points, 0 to 2
  std::optional<double> second = {};
  int failures = 0;
};

class Verifier {
 public:
  Verifier(const Study& study, const Point& first, const Point& second,
           const VerifyOptions& options, StudyProgress& progress)
      : objective_(*study.objectives.front().objective),
        points_{first, second},
        progress_(progress),
        backend_(study.execution.threads),
        evaluator_(study, backend_, progress),
        parallel_(study.execution.threads),
        stream_(Rng(study.seed).stream("verify")),
        games_(objective_.payoffs()) {
    result_.options = options;
    result_.evidence.bounds = sprt_bounds(options.alpha, options.beta);
    if (options.match && objective_.matches() == nullptr) {
      throw InputError(
          fmt::format("--match: {} has no games between two points; without --match "
                      "both are evaluated",
                      objective_.description()));
    }
  }

  Verification run() {
    if (points_[0] == points_[1]) {
      result_.decision = VerifyDecision::kSame;
      return result_;
    }
    if (!objective_.payoffs().noisy && !result_.options.match) return run_exact();
    const std::int64_t most = std::max<std::int64_t>(1, result_.options.evaluations / 2);
    progress_.total_evaluations = 2 * most;
    for (std::int64_t begin = 0; begin < most && !decided(); begin += kBlock) {
      const auto block = carry_out_block(begin, std::min(kBlock, most - begin));
      if (progress_.stop) break;
      for (std::size_t i = 0; i < block.size() && !decided(); ++i) take(block[i]);
    }
    evaluator_.recorder().check();
    result_.stopped = progress_.stop;
    if (!decided()) rate();
    summarise();
    return result_;
  }

 private:
  [[nodiscard]] bool decided() const { return result_.decision != VerifyDecision::kUndecided; }

  Verification run_exact() {
    result_.evidence.test = VerifyTest::kExact;
    for (const PairOfPayoffs& pair : carry_out_block(0, 1)) {
      add_payoffs(pair);
      if (!pair.first || !pair.second) continue;
      result_.decision =
          *pair.first > *pair.second ? VerifyDecision::kBetter : VerifyDecision::kNotBetter;
    }
    evaluator_.recorder().check();
    return result_;
  }

  std::vector<PairOfPayoffs> carry_out_block(std::int64_t begin, std::int64_t count) {
    std::vector<PairOfPayoffs> pairs(static_cast<std::size_t>(count));
    if (result_.options.match) {
      parallel_.for_each(pairs.size(), [&](std::size_t i) {
        if (progress_.stop) return;
        const Rng stream = stream_.stream("match", begin + static_cast<std::int64_t>(i));
        pairs[i].first = objective_.matches()->play_pair(points_[0], points_[1], stream);
        progress_.evaluations += 2;
      });
    } else {
      evaluator_.evaluate_all(
          2 * pairs.size(),
          [&](std::size_t i) { return request(begin + static_cast<std::int64_t>(i / 2), i % 2); },
          [&](std::size_t i, const Evaluated& evaluated) {
            PairOfPayoffs& pair = pairs[i / 2];
            if (evaluated.failed) ++pair.failures;
            if (!evaluated.skipped) (i % 2 == 0 ? pair.first : pair.second) = evaluated.payoff;
          },
          parallel_);
    }
    if (!progress_.stop) result_.counts.evaluations += 2 * count;
    return pairs;
  }

  [[nodiscard]] Request request(std::int64_t pair, std::size_t which) const {
    return {.key = {.stage = Stage::kHoldOut, .run = -1, .index = pair},
            .objective = &objective_,
            .point = &points_[which],
            .stream = stream_.stream("pair", pair)};
  }

  void add_payoffs(const PairOfPayoffs& pair) {
    result_.counts.failures += pair.failures;
    if (!pair.first || (!pair.second && !result_.options.match)) {
      ++result_.counts.skipped;
      return;
    }
    ++result_.counts.pairs;
    if (result_.options.match) {
      result_.games.pentanomial.add(*pair.first);
      add_difference(*pair.first / 2.0, 1.0 - *pair.first / 2.0);
    } else {
      games_.add(*pair.first, *pair.second);
      add_difference(*pair.first, *pair.second);
    }
  }

  void add_difference(double first, double second) {
    result_.first.payoffs.add(first);
    result_.second.payoffs.add(second);
    result_.difference.add(first - second);
  }

  void take(const PairOfPayoffs& pair) {
    add_payoffs(pair);
    if (result_.counts.pairs < 2) return;
    rate();
    const TestEvidence& evidence = result_.evidence;
    if (evidence.test != VerifyTest::kT && result_.counts.pairs < kFewestPairs) return;
    if (evidence.ratio >= evidence.bounds.high) result_.decision = VerifyDecision::kBetter;
    if (evidence.ratio <= evidence.bounds.low) result_.decision = VerifyDecision::kNotBetter;
  }

  /// Chooses the test by all payoffs so far and computes its ratio.
  void rate() {
    if (result_.counts.pairs < 2) return;
    result_.evidence.test = chosen_test();
    result_.evidence.ratio =
        result_.evidence.test == VerifyTest::kT ? ratio_of_t() : ratio_of_games();
  }

  [[nodiscard]] VerifyTest chosen_test() const {
    const bool games = result_.options.match || games_.are_games();
    VerifyTest test = result_.options.test;
    if (test == VerifyTest::kAuto) test = games ? VerifyTest::kNormalised : VerifyTest::kT;
    if (games || test == VerifyTest::kT) return test;
    throw InputError(fmt::format(
        "--test {}: needs wins, draws and losses (payoffs -1, 0 and 1, or 0, 1/2 and 1); auto "
        "and t are allowed",
        test_name(test)));
  }

  [[nodiscard]] double ratio_of_t() const {
    const RunningStats& d = result_.difference;
    return sequential_t_ratio(d.count(), d.mean(), d.sd(), result_.options.effect0,
                              result_.options.effect1);
  }

  [[nodiscard]] double ratio_of_games() const {
    const VerifyOptions& options = result_.options;
    const Pentanomial& pairs = options.match ? result_.games.pentanomial : games_.pentanomial();
    const ScoreFrequencies seen{kPairScores, pairs.counts};
    if (result_.evidence.test == VerifyTest::kLogistic) {
      return gsprt_of_mean(seen, pair_score(options.elo0), pair_score(options.elo1));
    }
    const double unit = std::sqrt(2.0) / kNormalisedElo;  // a pair's t for one of a game
    return gsprt_of_t(seen, 0.5, options.elo0 * unit, options.elo1 * unit);
  }

  /// Expected score of a pair for a difference in logistic Elo.
  [[nodiscard]] double pair_score(double elo) const {
    if (result_.options.match) return score_of_elo(elo);
    const auto n = static_cast<double>(games_.elo().count());
    const double sum = games_.elo().first().mean() + games_.elo().second().mean();
    const double level = (0.5 * n * sum + 0.5) / (n + 1.0);  // never 0 or 1
    return 0.5 + 0.5 * score_difference(elo, level);
  }

  void summarise() {
    result_.games.all = result_.options.match || games_.are_games();
    if (result_.options.match) return;
    result_.first.games = games_.first();
    result_.second.games = games_.second();
    result_.games.elo = games_.elo();
    result_.games.pentanomial = games_.pentanomial();
  }

  const Objective& objective_;
  std::array<Point, 2> points_;
  StudyProgress& progress_;
  LocalBackend backend_;
  Evaluator evaluator_;
  Parallel parallel_;
  Rng stream_;
  PairedGames games_;  ///< of evaluations
  Verification result_;
};

}  // namespace

const char* test_name(VerifyTest test) {
  constexpr std::array kNames = {"auto", "normalised", "logistic", "t", "exact"};
  return kNames[static_cast<std::size_t>(test)];
}

const char* decision_name(VerifyDecision decision) {
  constexpr std::array kNames = {"better", "not_better", "undecided", "same"};
  return kNames[static_cast<std::size_t>(decision)];
}

Verification verify(const Study& study, const Point& first, const Point& second,
                    const VerifyOptions& options, StudyProgress& progress) {
  return Verifier(study, first, second, options, progress).run();
}

}  // namespace ntune
