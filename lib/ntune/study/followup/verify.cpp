#include "ntune/study/followup/verify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ntune/core/clock.h"
#include "ntune/core/error.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluation/backend.h"
#include "ntune/study/evaluation/evaluator.h"
#include "ntune/study/evaluation/instance_values.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/followup/game_evidence.h"
#include "ntune/study/model/evaluation.h"
#include "ntune/study/model/incumbent.h"

namespace ntune {

namespace {

/// Pairs carried out at once: of programs fewer, since those after the decision are for nothing.
constexpr std::int64_t kBlock = 32;
constexpr std::int64_t kBlockOfPrograms = 8;
/// The ratio of games is asymptotic: fewer pairs decide nothing (tests/core/sequential_test.cpp).
constexpr std::int64_t kFewestPairs = 32;
/// Skew is looked at again behind a share of the pairs, one in so many.
constexpr std::int64_t kLooks = 32;

/// Which point has more of what is counted, by 95 % intervals of the two rates.
std::optional<std::size_t> more_frequent(const VerificationCounts& counts,
                                         const std::array<std::int64_t, 2>& of) {
  const auto calls = static_cast<double>(counts.pairs + counts.skipped);
  const Interval first = wilson_interval(static_cast<double>(of[0]), calls);
  const Interval second = wilson_interval(static_cast<double>(of[1]), calls);
  if (first.low > second.high) return 0;
  return second.low > first.high ? std::optional<std::size_t>(1) : std::nullopt;
}

/// What a pair of evaluations has brought; of a match the first alone.
struct PairOfEvaluations {
  std::optional<Evaluated> first = {};
  std::optional<Evaluated> second = {};
  int failures = 0;
};

/// Takes pairs into a verification, by its options: counts, payoffs and games, and the ratio of the
/// test that they allow.
class VerifiedPairs {
 public:
  /// Both must outlive the object.
  VerifiedPairs(const Study& study, Verification& result)
      : study_(study),
        objective_(*study.objectives.front().objective),
        result_(result),
        on_instances_(std::max<std::size_t>(1, study.instances.held_out().size())),
        by_payoffs_(objective_.payoffs()) {}

  /// The pair with this index. Throws InputError where the payoffs do not allow the test that was
  /// asked for.
  void add(const PairOfEvaluations& pair, std::int64_t index) {
    result_.counts.failures += pair.failures;
    const auto unsolved = [](const std::optional<Evaluated>& one) {
      return !one || one->failed() || one->ending == Ending::kCutOff ? 1 : 0;
    };
    if (!result_.options.match) {
      result_.counts.unsolved_of[0] += unsolved(pair.first);
      result_.counts.unsolved_of[1] += unsolved(pair.second);
    }
    if (!pair.first || (!pair.second && !result_.options.match)) {
      ++result_.counts.skipped;
      if (result_.options.match) return;
      if (!pair.first) ++result_.counts.skipped_of[0];
      if (!pair.second) ++result_.counts.skipped_of[1];
      return;
    }
    // A pair is of one instance: both evaluations have the same.
    const EvaluationKey key{.stage = Stage::kHoldOut, .run = -1, .index = index};
    OnInstance& on =
        on_instances_[study_.instances.empty() ? 0 : study_.instances.index_of(study_.seed, key)];
    if (result_.options.match) {
      add_match(*pair.first, on);
    } else {
      add_evaluations(*pair.first, *pair.second, on);
    }
    check_test();
  }

  /// Chooses the test by all pairs so far and computes its ratio, from two pairs on.
  void rate() {
    if (result_.counts.pairs < 2) return;
    TestEvidence& evidence = result_.evidence;
    evidence.test = chosen_test();
    evidence.ratio = evidence.test == VerifyTest::kT ? ratio_of_t() : ratio_of_games();
    const bool decides =
        evidence.ratio <= evidence.bounds.low || evidence.ratio >= evidence.bounds.high;
    if (evidence.test == VerifyTest::kT && decides) evidence.ratio = ratio_of_skewed();
  }

  /// Of a match in which calls failed: whether H1 is accepted with these counted as lost, as many
  /// games as a call brings. Either player may be to blame.
  [[nodiscard]] bool is_won_with_failures() const {
    if (!result_.options.match || result_.counts.skipped == 0) return true;
    const GameCounts& played = by_games_.first();
    const GameCounts lost = usual_call(0.0, played.are_paired());
    GameEvidence all = by_games_;
    for (std::int64_t i = 0; i < result_.counts.skipped; ++i) all.add_match(lost);
    return all.ratio(elo_model(), result_.options.elo0, result_.options.elo1) >=
           result_.evidence.bounds.high;
  }

  /// Fills in the samples of payoffs. Of a match without instances the sample is that of its Elo.
  void summarise_samples() {
    result_.first.sample = sample_of(result_.first.payoffs, &OnInstance::first);
    result_.second.sample = sample_of(result_.second.payoffs, &OnInstance::second);
    result_.difference_sample = difference();
    if (!result_.options.match || !study_.instances.empty() || by_games_.observations() == 0)
      return;
    // Scores of the first player give those of the second, and the difference from level.
    const auto shifted = [](const RunningStats& scores, double sign, double shift) {
      RunningStats::State state = scores.state();
      state.mean = sign * state.mean + shift;
      state.min = sign * state.min + shift;
      state.max = sign * state.max + shift;
      if (sign < 0.0) std::swap(state.min, state.max);
      return RunningStats(state);
    };
    const RunningStats scores = scores_of(by_games_.first());
    result_.first.sample = scores;
    result_.second.sample = shifted(scores, -1.0, 1.0);
    result_.difference_sample = without_rounding(shifted(scores, 1.0, -kLevelScore));
  }

  /// Fills in the samples of payoffs, and counts and Elo of the games.
  void summarise() {
    summarise_samples();
    const GameEvidence* evidence = result_.counts.pairs > 0 ? games() : nullptr;
    if (evidence == nullptr) return;
    result_.games.all = true;
    result_.first.games = evidence->first();
    result_.second.games =
        result_.options.match ? from_the_other_side(evidence->first()) : evidence->second();
    result_.games.pentanomial = evidence->pentanomial();
    result_.games.elo = evidence->elo();
    result_.games.normalised_elo = evidence->normalised();
    const bool counted = evidence == &by_games_ && result_.counts.pairs > 1;
    if ((!study_.instances.empty() || must_weigh_games()) && counted) rate_by_samples();
  }

 private:
  /// What one observation of both brought, on its instance.
  struct OnInstance {
    RunningStats first = {};
    RunningStats second = {};
    RunningStats difference = {};
  };

  void add_payoffs(double first, double second, double difference, OnInstance& on) {
    result_.first.payoffs.add(first);
    result_.second.payoffs.add(second);
    result_.difference.add(difference);
    on.first.add(first);
    on.second.add(second);
    on.difference.add(difference);
  }

  /// Counts of an evaluation; of one that failed under `fail: {value: …}` games of that score, if
  /// it is one, as many as a call usually brings.
  [[nodiscard]] GameCounts games_of(const Evaluated& evaluated) const {
    if (!evaluated.failed()) return evaluated.games;
    const double score = objective_.unit().value_of(evaluated.payoff);
    if (score != 0.0 && score != 0.5 && score != 1.0) return {};
    const bool first = by_games_.observations() == 0;
    if (first && !objective_.payoffs().games) return {};
    const bool paired = first || by_games_.first().are_paired();
    return usual_call(score, paired);
  }

  /// As many games of this score as a call has brought so far on average; a pair at first.
  [[nodiscard]] GameCounts usual_call(double score, bool paired) const {
    const std::int64_t calls = result_.first.payoffs.count();
    const double each = by_games_.first().games_each(calls);
    const auto half = std::max<std::int64_t>(1, std::llround(0.5 * each));
    const std::int64_t games = paired ? 2 * half : std::max<std::int64_t>(1, std::llround(each));
    GameCounts counts;
    (score == 1.0   ? counts.games.wins
     : score == 0.0 ? counts.games.losses
                    : counts.games.draws) = games;
    if (paired) counts.pairs.counts[static_cast<std::size_t>(4.0 * score)] = half;
    return counts;
  }

  /// Adds a call of a match, by its points a game. A failure without a score is left out.
  void add_match(const Evaluated& evaluated, OnInstance& on) {
    const GameCounts games = games_of(evaluated);
    if (games.empty() && evaluated.failed()) {
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
    const double score = games.games.score();
    add_payoffs(score, 1.0 - score, score - kLevelScore, on);
  }

  /// Adds an evaluation of each: as games where both are, and as payoffs.
  void add_evaluations(const Evaluated& first, const Evaluated& second, OnInstance& on) {
    ++result_.counts.pairs;
    const GameCounts ours = games_of(first);
    const GameCounts theirs = games_of(second);
    if (!ours.empty() && !theirs.empty()) by_games_.add_pair(ours, theirs);
    first_by_games_.push_back({first.payoff, static_cast<double>(ours.games.games())});
    second_by_games_.push_back({second.payoff, static_cast<double>(theirs.games.games())});
    by_payoffs_.add(first.payoff, second.payoff);
    add_payoffs(first.payoff, second.payoff, rounded_difference(first.payoff, second.payoff), on);
  }

  /// The games so far: counted ones, or payoffs that can only be results of games. A program's
  /// numbers are games only where it says so: 0, 1/2 and 1 may be scores of pairs.
  [[nodiscard]] const GameEvidence* games() const {
    if (by_games_.observations() >= result_.counts.pairs) return &by_games_;
    const bool declared = !is_external(objective_) || objective_.payoffs().two_valued;
    return declared && by_payoffs_.are_games() ? &by_payoffs_.evidence() : nullptr;
  }

  void check_test() const {
    const VerifyOptions& options = result_.options;
    const bool are_games = games() != nullptr;
    // Elo needs games; an effect in standard deviations needs other payoffs.
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
    const RunningStats d = difference().mean;
    // Pairs of few instances may be worth less than two values, which decide nothing.
    if (d.count() < 2) return 0.0;
    return sequential_t_ratio(d.count(), d.mean(), d.sd(), result_.options.effect0,
                              result_.options.effect1);
  }

  /// The ratio with the allowance for skew, where a ratio alone would decide. The look takes a
  /// millisecond: the next one is behind a share of pairs more.
  [[nodiscard]] double ratio_of_skewed() {
    const std::int64_t pairs = result_.counts.pairs;
    if (pairs < next_look_) return last_look_;
    next_look_ = pairs + 1 + pairs / kLooks;
    const MeanSample differences = difference();
    const MeanSample first = sample_of(result_.first.payoffs, &OnInstance::first);
    const MeanSample second = sample_of(result_.second.payoffs, &OnInstance::second);
    const bool allows = differences.mean.count() >= 2 &&
                        allows_for_skew(source_in(study_, objective_), differences, first, second);
    last_look_ = allows ? skewed_t_ratio(differences.mean, first.mean, second.mean,
                                         result_.options.effect0, result_.options.effect1)
                        : ratio_of_t();
    return last_look_;
  }

  [[nodiscard]] EloModel elo_model() const {
    return result_.evidence.test == VerifyTest::kLogistic ? EloModel::kLogistic
                                                          : EloModel::kNormalised;
  }

  /// The ratio of the games; of instances by the weights, and of evaluations by their games, unless
  /// all differences are equal.
  [[nodiscard]] double ratio_of_games() const {
    const EloModel model = elo_model();
    const double elo0 = result_.options.elo0;
    const double elo1 = result_.options.elo1;
    MeanSample differences = difference();
    if (must_weigh_games()) differences.mean = with_count(differences.mean, differences.values);
    const bool by_weights =
        (!study_.instances.empty() || must_weigh_games()) && differences.mean.sd() > 0.0;
    return by_weights ? games()->ratio(model, elo0, elo1, differences)
                      : games()->ratio(model, elo0, elo1);
  }

  /// The same mean and standard error as a sample of as many values as came.
  [[nodiscard]] static RunningStats with_count(const RunningStats& mean,
                                               const RunningStats& values) {
    RunningStats::State state = mean.state();
    const double error = mean.standard_error();
    const auto n = static_cast<double>(values.count());
    state.count = values.count();
    state.squares = n * (n - 1.0) * error * error;
    return RunningStats(state);
  }

  /// The differences of both points so far, of instances by their weights, of games alike.
  [[nodiscard]] MeanSample difference() const {
    MeanSample sample = sample_of(result_.difference, &OnInstance::difference);
    sample.mean = without_rounding(sample.mean);
    return sample;
  }

  /// Whether pairs of evaluations have different numbers of games.
  [[nodiscard]] bool must_weigh_games() const {
    return study_.instances.empty() &&
           (are_of_unequal_games(first_by_games_) || are_of_unequal_games(second_by_games_));
  }

  /// A sample of what was measured: of instances by their weights, of games alike, else all of it.
  [[nodiscard]] MeanSample sample_of(const RunningStats& all,
                                     RunningStats OnInstance::*member) const {
    if (study_.instances.empty() && member == &OnInstance::difference) {
      MeanSample sample = all;
      if (must_weigh_games()) sample.mean = difference_by_games(first_by_games_, second_by_games_);
      return sample;
    }
    if (study_.instances.empty()) {
      return weighed_by_games(all,
                              member == &OnInstance::first ? first_by_games_ : second_by_games_);
    }
    std::vector<RunningStats> by_instance;
    for (const OnInstance& on : on_instances_) by_instance.push_back(on.*member);
    const InstanceList& instances = study_.instances.held_out();
    const bool differences = member == &OnInstance::difference;
    MeanSample sample = differences ? weighted_difference(instances, by_instance)
                                    : weighted_mean(instances, by_instance);
    sample.values = all;  // added one by one
    return sample;
  }

  /// Elo of what instances come to by their weights.
  void rate_by_samples() {
    // Of a match the mean score has an Elo, of two points the difference of theirs.
    const bool match = result_.options.match;
    const MeanSample& difference = result_.difference_sample;
    const double games = by_games_.first().games_each(difference.values.count());
    if (match) {
      const auto ends =
          mean_interval(difference, {.low = -kLevelScore, .high = kLevelScore, .games = games})
              .value_or(Interval{-kLevelScore, kLevelScore});
      result_.games.elo = rating_of_score(kLevelScore + difference.mean.mean(),
                                          {kLevelScore + ends.low, kLevelScore + ends.high});
      return;
    }
    const Unit unit = objective_.unit();
    const auto ends = payoff_difference(source_in(study_, objective_), difference,
                                        result_.first.sample, result_.second.sample, games)
                          .interval;
    result_.games.elo =
        elo_difference(unit.value_of(result_.first.sample.mean.mean()),
                       unit.value_of(result_.second.sample.mean.mean()), difference.values.count(),
                       ends.value_or(Interval{-1.0, 1.0}));
  }

  const Study& study_;
  const Objective& objective_;
  Verification& result_;
  std::vector<OnInstance> on_instances_;  ///< of the study; one where it has none
  GameEvidence by_games_;
  std::vector<PayoffOfGames> first_by_games_;  ///< of evaluations, not of a match
  std::vector<PayoffOfGames> second_by_games_;
  PairedGames by_payoffs_;
  std::int64_t next_look_ = 0;  ///< the pairs from which skew is looked at again
  double last_look_ = 0.0;      ///< the ratio of the last look
};

/// Carries out pairs in blocks until the test decides.
class Verifier {
 public:
  Verifier(const Study& study, Backend& backend, const Point& first, const Point& second,
           const VerifyOptions& options, StudyProgress& progress, StudyLog* log,
           const TestWatch& watch)
      : watch_(watch),
        objective_(*study.objectives.front().objective),
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
    const bool against_default = is_external(objective_) || are_duels(objective_);
    if (against_default && plays_matches()) result_.options.match = true;
  }

  Verification run() {
    // One point needs no test, and payoffs without noise need one evaluation each.
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
      // Pairs behind the decision do not count: so threads change nothing.
      for (std::size_t i = 0; i < pairs.size() && !decided(); ++i) {
        take(pairs[i], begin + static_cast<std::int64_t>(i));
      }
      begin += count;
      show();
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
    // A call of a match is taken to bring as many games as those so far.
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

  /// Carries out so many pairs at once. Of a match a call brings both sides.
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
    // A block that was stopped does not count.
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
    // Wald's bounds: above the upper one H1 is accepted, below the lower one H0.
    const TestEvidence& evidence = result_.evidence;
    if (evidence.test != VerifyTest::kT && result_.counts.pairs < kFewestPairs) return;
    if (evidence.ratio >= evidence.bounds.high && pairs_.is_won_with_failures())
      result_.decision = VerifyDecision::kBetter;
    if (evidence.ratio <= evidence.bounds.low) result_.decision = VerifyDecision::kNotBetter;
  }

  /// Shows the test after the first block, and then every second.
  void show() {
    if (!watch_ || decided() || (shown_ && seconds_since(*shown_) < 1.0)) return;
    pairs_.summarise();
    watch_(result_);
    shown_ = Clock::now();
  }

  const TestWatch& watch_;
  std::optional<Clock::time_point> shown_ = {};
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
                    const VerifyOptions& options, StudyProgress& progress, StudyLog* log,
                    const TestWatch& watch) {
  LocalBackend backend(study.execution.threads);
  return verify(study, backend, first, second, options, progress, log, watch);
}

Verification verify(const Study& study, Backend& backend, const Point& first, const Point& second,
                    const VerifyOptions& options, StudyProgress& progress, StudyLog* log,
                    const TestWatch& watch) {
  return Verifier(study, backend, first, second, options, progress, log, watch).run();
}

}  // namespace ntune
