#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "ntune/core/game_statistics.h"
#include "ntune/core/sequential_test.h"
#include "ntune/study/evaluation/study_log.h"
#include "ntune/study/evaluation/study_progress.h"
#include "ntune/study/model/study.h"

namespace ntune {

class Backend;

/// Which sequential test is made of pairs.
///   normalised, logistic  of wins, draws and losses: GSPRT on pairs of games, hypotheses in
///                         normalised or logistic Elo; its error rates hold asymptotically
///   t                     of other payoffs: Hajnal's sequential t-test of the differences,
///                         hypotheses in units of their sd; its error rates hold for normal ones;
///                         skewed costs have an allowance (skewed_t_ratio)
///   exact                 of payoffs without noise: one evaluation each decides
enum class VerifyTest { kAuto, kNormalised, kLogistic, kT, kExact };

/// "normalised", …
const char* test_name(VerifyTest test);

struct VerifyOptions {
  double alpha = kTestError;  ///< chance of H1 where H0 is true
  double beta = kTestError;   ///< chance of H0 where H1 is true
  /// H0 and H1 of the tests of games, in Elo, and of the t-test, in sd of a difference; low < high.
  double elo0 = 0.0;
  double elo1 = kTestedElo;
  double effect0 = 0.0;
  double effect1 = kTestedEffect;
  VerifyTest test = VerifyTest::kAuto;
  bool asks_elo = false;     ///< hypotheses in Elo were asked for: payoffs must be games
  bool asks_effect = false;  ///< hypotheses in sd were asked for: payoffs must be none
  /// The two points meet; else both are evaluated. Set for a program whose command names the
  /// opponent, and for a study of matches.
  bool match = false;
  /// At most. In a match a game is one; else a call is, however many games it brings.
  std::int64_t evaluations = 20'000;
};

enum class VerifyDecision {
  kBetter,     ///< H1 accepted
  kNotBetter,  ///< H0 accepted
  kUndecided,  ///< the evaluations did not suffice, or it is for the point that failed more often
  kSame        ///< both points are one
};

/// "better", …
const char* decision_name(VerifyDecision decision);

/// A sequential test, as far as it has come.
struct TestEvidence {
  VerifyTest test = VerifyTest::kAuto;  ///< the one that was made
  double ratio = 0.0;                   ///< log-likelihood ratio
  SprtBounds bounds = {};
};

struct VerificationCounts {
  std::int64_t pairs = 0;     ///< pairs that count; of a match its pairs, or games where not paired
  std::int64_t skipped = 0;   ///< pairs with a failure that the study leaves out
  std::int64_t failures = 0;  ///< evaluations that failed
  std::array<std::int64_t, 2> skipped_of = {};  ///< of either point, without a payoff; no match
  /// Evaluations of either point that failed or were cut off, whatever they count as.
  std::array<std::int64_t, 2> unsolved_of = {};
  std::int64_t evaluations = 0;  ///< made, those after the decision included
};

/// Which point's failures without a payoff are more frequent, by 95 % intervals of their rates;
/// nothing where that is not shown. A test leaves them out.
std::optional<std::size_t> more_frequent_failures(const VerificationCounts& counts);
/// Tells whether the first point failed or was cut off more often, likewise, or every time.
bool solves_less(const VerificationCounts& counts);

/// The payoffs of one of the two points.
struct VerifiedSide {
  RunningStats payoffs = {};  ///< in a match points a game
  MeanSample sample = {};     ///< that the value is the mean of, once the test has ended
  GameCounts games = {};
};

/// Counts and Elo of the games.
struct VerifiedGames {
  bool all = false;  ///< all evaluations were games
  /// Counts of pairs. A pair of a match counts by its points, a pair of evaluations of one game
  /// each by 1 + first's score - second's score. Else nothing.
  std::optional<Pentanomial> pentanomial = {};
  std::optional<Rating> elo = {};  ///< of the recommendation over the other
  std::optional<Rating> normalised_elo = {};
};

/// The outcome of a test with the pairs up to its decision. A pair is an evaluation of each point
/// with the same random stream, or in a match two games from one start, one from either side.
struct Verification {
  VerifyOptions options = {};
  VerifyDecision decision = VerifyDecision::kUndecided;
  bool stopped = false;
  TestEvidence evidence = {};
  VerificationCounts counts = {};
  VerifiedSide first = {};  ///< the recommendation
  VerifiedSide second = {};
  /// First - second, pair by pair; of a match the score of the first less 1/2.
  RunningStats difference = {};
  MeanSample difference_sample = {};  ///< that its mean and interval are of, once it has ended
  VerifiedGames games = {};
};

/// Sees a test that is not decided yet, behind a block of pairs and at most once a second.
using TestWatch = std::function<void(const Verification& so_far)>;

/// Compares `first` with `second` until the test decides. The result is the same for any number of
/// threads: pairs are carried out in blocks and count in their order up to the decision. Failed
/// evaluations count by the study's rule. `log` remembers evaluations, for a test that is
/// interrupted. Throws EvaluationError, and InputError for a test that the objective does not
/// allow.
Verification verify(const Study& study, const Point& first, const Point& second,
                    const VerifyOptions& options, StudyProgress& progress, StudyLog* log = nullptr,
                    const TestWatch& watch = {});
/// Compares by evaluations that the backend carries out.
Verification verify(const Study& study, Backend& backend, const Point& first, const Point& second,
                    const VerifyOptions& options, StudyProgress& progress, StudyLog* log = nullptr,
                    const TestWatch& watch = {});

}  // namespace ntune
