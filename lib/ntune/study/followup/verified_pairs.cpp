#include "ntune/study/followup/verified_pairs.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "ntune/core/error.h"
#include "ntune/objective/capabilities.h"
#include "ntune/study/evaluation/instance_values.h"
#include "ntune/study/evaluation/payoff_intervals.h"
#include "ntune/study/model/incumbent.h"

namespace ntune {

VerifiedPairs::VerifiedPairs(const Study& study, Verification& result)
    : study_(study),
      objective_(*study.objectives.front().objective),
      result_(result),
      on_instances_(std::max<std::size_t>(1, study.instances.held_out().size())),
      by_payoffs_(objective_.payoffs()) {}

void VerifiedPairs::add(const PairOfEvaluations& pair, std::int64_t index) {
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

void VerifiedPairs::add_payoffs(double first, double second, double difference, OnInstance& on) {
  result_.first.payoffs.add(first);
  result_.second.payoffs.add(second);
  result_.difference.add(difference);
  on.first.add(first);
  on.second.add(second);
  on.difference.add(difference);
}

/// Counts of an evaluation; of one that failed under `fail: {value: …}` games of that score, if
/// it is one, as many as a call usually brings.
GameCounts VerifiedPairs::games_of(const Evaluated& evaluated) const {
  if (!evaluated.failed()) return evaluated.games;
  const double score = objective_.unit().value_of(evaluated.payoff);
  if (score != 0.0 && score != 0.5 && score != 1.0) return {};
  const bool first = by_games_.observations() == 0;
  if (first && !objective_.payoffs().games) return {};
  const bool paired = first || by_games_.first().are_paired();
  return paired ? pair_of_games(score, score) : single_game(score);
}

void VerifiedPairs::add_match(const Evaluated& evaluated, OnInstance& on) {
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

void VerifiedPairs::add_evaluations(const Evaluated& first, const Evaluated& second,
                                    OnInstance& on) {
  ++result_.counts.pairs;
  const GameCounts ours = games_of(first);
  const GameCounts theirs = games_of(second);
  if (!ours.empty() && !theirs.empty()) by_games_.add_pair(ours, theirs);
  by_payoffs_.add(first.payoff, second.payoff);
  add_payoffs(first.payoff, second.payoff, rounded_difference(first.payoff, second.payoff), on);
}

/// The games so far: counted ones, or payoffs that can only be results of games. A program's
/// numbers are games only where it says so: 0, 1/2 and 1 may be scores of pairs.
const GameEvidence* VerifiedPairs::games() const {
  if (by_games_.observations() >= result_.counts.pairs) return &by_games_;
  const bool declared = !is_external(objective_) || objective_.payoffs().two_valued;
  return declared && by_payoffs_.are_games() ? &by_payoffs_.evidence() : nullptr;
}

void VerifiedPairs::rate() {
  if (result_.counts.pairs < 2) return;
  result_.evidence.test = chosen_test();
  result_.evidence.ratio =
      result_.evidence.test == VerifyTest::kT ? ratio_of_t() : ratio_of_games();
}

void VerifiedPairs::check_test() const {
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

VerifyTest VerifiedPairs::chosen_test() const {
  if (result_.options.test != VerifyTest::kAuto) return result_.options.test;
  return games() != nullptr ? VerifyTest::kNormalised : VerifyTest::kT;
}

double VerifiedPairs::ratio_of_t() const {
  const RunningStats d = difference().mean;
  // Pairs of few instances may be worth less than two values, which decide nothing.
  if (d.count() < 2) return 0.0;
  return sequential_t_ratio(d.count(), d.mean(), d.sd(), result_.options.effect0,
                            result_.options.effect1);
}

double VerifiedPairs::ratio_of_games() const {
  const EloModel model =
      result_.evidence.test == VerifyTest::kLogistic ? EloModel::kLogistic : EloModel::kNormalised;
  const double elo0 = result_.options.elo0;
  const double elo1 = result_.options.elo1;
  const MeanSample differences = difference();
  const bool by_weights = !study_.instances.empty() && differences.mean.sd() > 0.0;
  return by_weights ? games()->ratio(model, elo0, elo1, differences)
                    : games()->ratio(model, elo0, elo1);
}

MeanSample VerifiedPairs::difference() const {
  MeanSample sample = sample_of(result_.difference, &OnInstance::difference);
  sample.mean = without_rounding(sample.mean);
  return sample;
}

MeanSample VerifiedPairs::sample_of(const RunningStats& all,
                                    RunningStats OnInstance::*member) const {
  if (study_.instances.empty()) return all;
  std::vector<RunningStats> by_instance;
  for (const OnInstance& on : on_instances_) by_instance.push_back(on.*member);
  MeanSample sample = weighted_mean(study_.instances.held_out(), by_instance);
  sample.values = all;  // added one by one
  return sample;
}

/// Of a match without instances the sample is that of its Elo.
void VerifiedPairs::summarise_samples() {
  result_.first.sample = sample_of(result_.first.payoffs, &OnInstance::first);
  result_.second.sample = sample_of(result_.second.payoffs, &OnInstance::second);
  result_.difference_sample = difference();
  if (!result_.options.match || !study_.instances.empty() || by_games_.observations() == 0) return;
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

/// Elo of what instances come to by their weights.
void VerifiedPairs::rate_by_samples() {
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
  const auto ends = payoff_difference(objective_, difference, games).interval;
  result_.games.elo = elo_difference(unit.value_of(result_.first.sample.mean.mean()),
                                     unit.value_of(result_.second.sample.mean.mean()),
                                     difference.values.count(), ends.value_or(Interval{-1.0, 1.0}));
}

void VerifiedPairs::summarise() {
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
  if (!study_.instances.empty() && counted) rate_by_samples();
}

}  // namespace ntune
