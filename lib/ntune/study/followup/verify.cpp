#include "ntune/study/followup/verify.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluator.h"
#include "ntune/study/followup/game_evidence.h"
#include "ntune/study/followup/paired_games.h"

namespace ntune {

namespace {

/// Pairs carried out at once: of programs fewer, since those after the decision are for nothing.
constexpr std::int64_t kBlock = 32;
constexpr std::int64_t kBlockOfPrograms = 8;
/// The ratio of games is asymptotic: fewer pairs decide nothing (tests/core/sequential_test.cpp).
constexpr std::int64_t kFewestPairs = 32;

/// What a pair has brought; of a match the first alone.
struct PairOfEvaluations {
  std::optional<Evaluated> first = {};
  std::optional<Evaluated> second = {};
  int failures = 0;
};

GameCounts from_the_other_side(GameCounts counts) {
  std::swap(counts.games.wins, counts.games.losses);
  std::ranges::reverse(counts.pairs.counts);
  return counts;
}

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
        by_payoffs_(objective_.payoffs()) {
    result_.options = options;
    result_.evidence.bounds = sprt_bounds(options.alpha, options.beta);
    if (options.match && objective_.matches() == nullptr) {
      throw InputError(
          fmt::format("--match: {} has no games between two points; without --match "
                      "both are evaluated{}",
                      objective_.description(),
                      is_external(objective_)
                          ? "; a command has them where it names the opponent: {opponent.NAME}"
                          : ""));
    }
    // Evaluations would be games against the default point, half of them of that against itself.
    if (is_external(objective_) && objective_.matches() != nullptr) result_.options.match = true;
  }

  Verification run() {
    if (points_[0] == points_[1]) {
      result_.decision = VerifyDecision::kSame;
      return result_;
    }
    if (!objective_.payoffs().noisy && !result_.options.match) return run_exact();
    progress_.total_evaluations = result_.options.evaluations;
    for (std::int64_t begin = 0; !decided();) {
      const std::int64_t count = std::min(block(begin), affordable());
      if (count < 1) break;
      const auto pairs = carry_out_block(begin, count);
      if (progress_.stop) break;
      for (std::size_t i = 0; i < pairs.size() && !decided(); ++i) take(pairs[i]);
      begin += count;
    }
    evaluator_.recorder().check();
    result_.stopped = progress_.stop;
    if (!decided()) rate();
    summarise();
    return result_;
  }

 private:
  [[nodiscard]] bool decided() const { return result_.decision != VerifyDecision::kUndecided; }

  /// The first pair of a program goes alone: it shows whether its results are games, and how many.
  [[nodiscard]] std::int64_t block(std::int64_t begin) const {
    if (!is_external(objective_)) return kBlock;
    return begin == 0 ? 1 : kBlockOfPrograms;
  }

  /// Pairs that the evaluations left allow.
  [[nodiscard]] std::int64_t affordable() const {
    const std::int64_t left = result_.options.evaluations - result_.counts.evaluations;
    if (!result_.options.match || calls_ == 0) return std::max<std::int64_t>(0, left / 2);
    return left * calls_ / std::max<std::int64_t>(1, result_.counts.evaluations);
  }

  Verification run_exact() {
    result_.evidence.test = VerifyTest::kExact;
    for (const PairOfEvaluations& pair : carry_out_block(0, 1)) {
      add(pair);
      if (!pair.first || !pair.second) continue;
      result_.decision = pair.first->payoff > pair.second->payoff ? VerifyDecision::kBetter
                                                                  : VerifyDecision::kNotBetter;
    }
    evaluator_.recorder().check();
    return result_;
  }

  std::vector<PairOfEvaluations> carry_out_block(std::int64_t begin, std::int64_t count) {
    std::vector<PairOfEvaluations> pairs(static_cast<std::size_t>(count));
    const std::size_t sides = result_.options.match ? 1 : 2;
    std::int64_t games = 0;
    evaluator_.evaluate_all(
        sides * pairs.size(),
        [&](std::size_t i) {
          return request(begin + static_cast<std::int64_t>(i / sides), i % sides);
        },
        [&](std::size_t i, const Evaluated& evaluated) {
          PairOfEvaluations& pair = pairs[i / sides];
          if (evaluated.failed) ++pair.failures;
          if (!evaluated.skipped) (i % sides == 0 ? pair.first : pair.second) = evaluated;
          games += std::max<std::int64_t>(1, evaluated.games.games.games());
        },
        parallel_);
    if (progress_.stop) return pairs;
    calls_ += count;
    result_.counts.evaluations += result_.options.match ? games : 2 * count;
    progress_.evaluations = result_.counts.evaluations;
    return pairs;
  }

  [[nodiscard]] Request request(std::int64_t pair, std::size_t which) const {
    const bool match = result_.options.match;
    return {.key = {.stage = Stage::kHoldOut, .run = -1, .index = pair},
            .objective = &objective_,
            .point = &points_[which],
            .opponent = match ? &points_[1] : nullptr,
            .stream = stream_.stream(match ? "match" : "pair", pair)};
  }

  void add(const PairOfEvaluations& pair) {
    result_.counts.failures += pair.failures;
    if (!pair.first || (!pair.second && !result_.options.match)) {
      ++result_.counts.skipped;
      return;
    }
    if (result_.options.match) {
      add_match(*pair.first);
    } else {
      add_evaluations(*pair.first, *pair.second);
    }
    check_test();
  }

  /// Counts of an evaluation; of one that failed under `fail: {value: …}` games of that score, if
  /// it is one, as many as a call usually brings.
  [[nodiscard]] GameCounts games_of(const Evaluated& evaluated) const {
    if (!evaluated.failed) return evaluated.games;
    const double score = objective_.unit().value_of(evaluated.payoff);
    if (score != 0.0 && score != 0.5 && score != 1.0) return {};
    const bool first = by_games_.observations() == 0;
    if (first && !objective_.payoffs().games) return {};
    const bool paired = first || by_games_.first().are_paired();
    return paired ? pair_of_games(score, score) : single_game(score);
  }

  void add_match(const Evaluated& evaluated) {
    const GameCounts games = games_of(evaluated);
    if (games.empty() && evaluated.failed) {
      ++result_.counts.skipped;
      return;
    }
    if (games.empty()) {
      throw InputError(fmt::format(
          "the command names the opponent, but its result counts no games: {}; allowed are result: "
          "fastchess, cutechess, letters, or JSON with wins, draws and losses",
          objective_.description()));
    }
    by_games_.add_match(games);
    result_.counts.pairs = by_games_.observations();
    add_difference(games.games.score(), 1.0 - games.games.score());
  }

  void add_evaluations(const Evaluated& first, const Evaluated& second) {
    ++result_.counts.pairs;
    const GameCounts ours = games_of(first);
    const GameCounts theirs = games_of(second);
    if (!ours.empty() && !theirs.empty()) by_games_.add_pair(ours, theirs);
    by_payoffs_.add(first.payoff, second.payoff);
    add_difference(first.payoff, second.payoff);
  }

  void add_difference(double first, double second) {
    result_.first.payoffs.add(first);
    result_.second.payoffs.add(second);
    result_.difference.add(first - second);
  }

  /// The games so far: counted ones, or payoffs that can only be results of games. A program's
  /// numbers are games only where it says so: 0, 1/2 and 1 may be scores of pairs.
  [[nodiscard]] const GameEvidence* games() const {
    if (by_games_.observations() >= result_.counts.pairs) return &by_games_;
    const bool declared = !is_external(objective_) || objective_.payoffs().two_valued;
    return declared && by_payoffs_.are_games() ? &by_payoffs_.evidence() : nullptr;
  }

  void take(const PairOfEvaluations& pair) {
    add(pair);
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

  /// Throws InputError where the payoffs do not allow what was asked for.
  void check_test() const {
    const VerifyOptions& options = result_.options;
    const bool are_games = games() != nullptr;
    const bool asks_games = options.asks_elo || options.test == VerifyTest::kNormalised ||
                            options.test == VerifyTest::kLogistic;
    if (asks_games && !are_games) {
      throw InputError(fmt::format(
          "{}: needs wins, draws and losses, which the payoffs of {} are not; for other payoffs "
          "there are --effect0 and --effect1{}",
          options.asks_elo ? "--elo0, --elo1" : fmt::format("--test {}", test_name(options.test)),
          objective_.description(),
          is_external(objective_) ? "; a program's games are counted by result: fastchess, "
                                    "cutechess, letters, or JSON with wins, draws and losses"
                                  : ""));
    }
    if (options.asks_effect && are_games && options.test == VerifyTest::kAuto) {
      throw InputError(
          "--effect0, --effect1: the payoffs are wins, draws and losses, whose hypotheses are "
          "--elo0 and --elo1; or choose --test t");
    }
  }

  [[nodiscard]] VerifyTest chosen_test() const {
    if (result_.options.test != VerifyTest::kAuto) return result_.options.test;
    return games() != nullptr ? VerifyTest::kNormalised : VerifyTest::kT;
  }

  [[nodiscard]] double ratio_of_t() const {
    const RunningStats& d = result_.difference;
    return sequential_t_ratio(d.count(), d.mean(), d.sd(), result_.options.effect0,
                              result_.options.effect1);
  }

  [[nodiscard]] double ratio_of_games() const {
    const bool logistic = result_.evidence.test == VerifyTest::kLogistic;
    return games()->ratio(logistic ? EloModel::kLogistic : EloModel::kNormalised,
                          result_.options.elo0, result_.options.elo1);
  }

  void summarise() {
    const GameEvidence* evidence = result_.counts.pairs > 0 ? games() : nullptr;
    if (evidence == nullptr) return;
    result_.games.all = true;
    result_.first.games = evidence->first();
    result_.second.games =
        result_.options.match ? from_the_other_side(evidence->first()) : evidence->second();
    result_.games.pentanomial = evidence->pentanomial();
    result_.games.elo = evidence->elo();
    result_.games.normalised_elo = evidence->normalised();
  }

  const Objective& objective_;
  std::array<Point, 2> points_;
  StudyProgress& progress_;
  LocalBackend backend_;
  Evaluator evaluator_;
  Parallel parallel_;
  Rng stream_;
  GameEvidence by_games_;
  PairedGames by_payoffs_;
  std::int64_t calls_ = 0;  ///< pairs or calls of a match that were carried out
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
