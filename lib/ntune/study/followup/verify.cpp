#include "ntune/study/followup/verify.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluation/backend.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/followup/verified_pairs.h"

namespace ntune {

namespace {

/// Pairs carried out at once: of programs fewer, since those after the decision are for nothing.
constexpr std::int64_t kBlock = 32;
constexpr std::int64_t kBlockOfPrograms = 8;
/// The ratio of games is asymptotic: fewer pairs decide nothing (tests/core/sequential_test.cpp).
constexpr std::int64_t kFewestPairs = 32;

/// Which point has more of what is counted, by 95 % intervals of the two rates.
std::optional<std::size_t> more_frequent(const VerificationCounts& counts,
                                         const std::array<std::int64_t, 2>& of) {
  const auto calls = static_cast<double>(counts.pairs + counts.skipped);
  const Interval first = wilson_interval(static_cast<double>(of[0]), calls);
  const Interval second = wilson_interval(static_cast<double>(of[1]), calls);
  if (first.low > second.high) return 0;
  return second.low > first.high ? std::optional<std::size_t>(1) : std::nullopt;
}

class Verifier {
 public:
  Verifier(const Study& study, Backend& backend, const Point& first, const Point& second,
           const VerifyOptions& options, StudyProgress& progress, StudyLog* log)
      : objective_(*study.objectives.front().objective),
        points_{first, second},
        progress_(progress),
        evaluator_(study, backend, progress, log),
        parallel_(backend.threads()),
        stream_(Rng(study.seed).stream("verify")),
        pairs_(study, result_) {
    result_.options = options;
    result_.evidence.bounds = sprt_bounds(options.alpha, options.beta);
    if (options.match && !plays_matches()) {
      throw InputError(
          fmt::format("--match: {} has no games between two points; without --match "
                      "both are evaluated{}",
                      objective_.description(),
                      is_external(objective_)
                          ? "; a command has them where it names the opponent: {opponent.NAME}"
                          : ""));
    }
    // Evaluations would be games against the default point, half of them of that against itself.
    if (is_external(objective_) && plays_matches()) result_.options.match = true;
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
      for (std::size_t i = 0; i < pairs.size() && !decided(); ++i) {
        take(pairs[i], begin + static_cast<std::int64_t>(i));
      }
      begin += count;
    }
    evaluator_.recorder().check();
    result_.stopped = progress_.stop;
    if (!decided()) pairs_.rate();
    weigh_failures();
    pairs_.summarise();
    return result_;
  }

 private:
  /// A program plays matches where it names the opponent. Whoever is asked plays them where a study
  /// is of matches, and else answers for one point.
  [[nodiscard]] bool plays_matches() const {
    const Matches* matches = objective_.matches();
    if (matches == nullptr) return false;
    return !is_external(objective_) || matches->opponent() || are_duels(objective_);
  }

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

  /// No decision is for the point that failed more often: nobody has said what a failure costs. Nor
  /// is a point better that solves less, whatever that counts as.
  void weigh_failures() {
    if (result_.decision == VerifyDecision::kBetter && solves_less(result_.counts)) {
      result_.decision = VerifyDecision::kUndecided;
    }
    const auto more = more_frequent_failures(result_.counts);
    if (!more) return;
    const VerifyDecision for_it = *more == 0 ? VerifyDecision::kBetter : VerifyDecision::kNotBetter;
    if (result_.decision == for_it) result_.decision = VerifyDecision::kUndecided;
  }

  Verification run_exact() {
    result_.evidence.test = VerifyTest::kExact;
    for (const PairOfEvaluations& pair : carry_out_block(0, 1)) {
      pairs_.add(pair, 0);
      if (!pair.first && !pair.second) continue;
      // What fails once fails always.
      const bool better =
          pair.first &&
          (!pair.second || rounded_difference(pair.first->payoff, pair.second->payoff) > 0.0);
      result_.decision = better ? VerifyDecision::kBetter : VerifyDecision::kNotBetter;
    }
    weigh_failures();
    evaluator_.recorder().check();
    pairs_.summarise_samples();
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
          if (evaluated.failed()) ++pair.failures;
          if (limit_.add(evaluated.failed())) {
            evaluator_.recorder().end_study(limit_, request(begin, i % sides), evaluated);
          }
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

  void take(const PairOfEvaluations& pair, std::int64_t index) {
    pairs_.add(pair, index);
    if (result_.counts.pairs < 2) return;
    pairs_.rate();
    const TestEvidence& evidence = result_.evidence;
    if (evidence.test != VerifyTest::kT && result_.counts.pairs < kFewestPairs) return;
    if (evidence.ratio >= evidence.bounds.high) result_.decision = VerifyDecision::kBetter;
    if (evidence.ratio <= evidence.bounds.low) result_.decision = VerifyDecision::kNotBetter;
  }

  const Objective& objective_;
  std::array<Point, 2> points_;
  StudyProgress& progress_;
  Evaluator evaluator_;
  FailureLimit limit_ = evaluator_.recorder().failure_limit();
  Parallel parallel_;
  Rng stream_;
  Verification result_;
  VerifiedPairs pairs_;
  std::int64_t calls_ = 0;  ///< pairs or calls of a match that were carried out
};

}  // namespace

std::optional<std::size_t> more_frequent_failures(const VerificationCounts& counts) {
  return counts.skipped == 0 ? std::nullopt : more_frequent(counts, counts.skipped_of);
}

bool solves_less(const VerificationCounts& counts) {
  const std::int64_t first = counts.unsolved_of[0];
  return first > 0 && (first >= counts.pairs + counts.skipped ||
                       more_frequent(counts, counts.unsolved_of) == std::optional<std::size_t>(0));
}

const char* test_name(VerifyTest test) {
  constexpr std::array kNames = {"auto", "normalised", "logistic", "t", "exact"};
  return kNames[static_cast<std::size_t>(test)];
}

const char* decision_name(VerifyDecision decision) {
  constexpr std::array kNames = {"better", "not_better", "undecided", "same"};
  return kNames[static_cast<std::size_t>(decision)];
}

Verification verify(const Study& study, const Point& first, const Point& second,
                    const VerifyOptions& options, StudyProgress& progress, StudyLog* log) {
  LocalBackend backend(study.execution.threads);
  return verify(study, backend, first, second, options, progress, log);
}

Verification verify(const Study& study, Backend& backend, const Point& first, const Point& second,
                    const VerifyOptions& options, StudyProgress& progress, StudyLog* log) {
  return Verifier(study, backend, first, second, options, progress, log).run();
}

}  // namespace ntune
