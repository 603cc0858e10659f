#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ntune/core/game_statistics.h"
#include "ntune/core/json_fwd.h"
#include "ntune/core/statistics.h"
#include "ntune/objective/objective.h"
#include "ntune/objective/unit.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/space/point.h"
#include "ntune/study/model/evaluation.h"
#include "ntune/study/model/failure_statistics.h"
#include "ntune/study/model/value_importance.h"

namespace ntune {

/// Fresh evaluations that failed.
struct FreshFailures {
  std::int64_t count = 0;
  std::int64_t skipped = 0;  ///< of them, those that brought no payoff
  FailureCauses causes = {};

  void merge(const FreshFailures& other) {
    count += other.count;
    skipped += other.skipped;
    causes.merge(other.causes);
  }
};

/// Fresh evaluations of a recommendation, which took no part in choosing it.
struct HoldOut {
  RunningStats payoffs = {};
  /// Where the study has instances: the mean of their means by their weights, as a sample. Else
  /// that by games, where evaluations have different numbers of them (mean_by_games).
  std::optional<RunningStats> stratified = {};
  /// Else the payoffs of their games where these are the sample: pairs, or the games of one
  /// evaluation.
  std::optional<RunningStats> observed = {};
  std::int64_t evaluations = 0;  ///< spent, failed ones included
  /// 95 %, of the mean, in the reported unit; nothing for a run of a comparison.
  std::optional<Interval> interval = {};
  std::optional<Interval> others_interval = {};  ///< of instances like those that were visited
  GameCounts games = {};                     ///< counts of a pick, where its evaluations were games
  std::vector<PayoffOfGames> by_games = {};  ///< its payoffs, where there are no instances
  EarlyEndings endings = {};
  FreshFailures failures = {};  ///< of a pick

  /// Of a pick, where the study has instances: payoffs of each in their order, failures without a
  /// payoff likewise, and the reported value that an aggregate or exact means come to.
  std::vector<RunningStats> by_instance = {};
  std::vector<std::int64_t> skipped_on = {};
  std::optional<double> aggregate = {};
  bool on_test_instances = false;  ///< others than those of the search and the comparison

  [[nodiscard]] bool measured() const { return payoffs.count() > 0; }
  /// The sample that the value, its interval, Elo and LOS are of.
  [[nodiscard]] MeanSample sample() const {
    if (observed) return *observed;
    MeanSample sample = payoffs;
    if (stratified) sample.mean = *stratified;
    return sample;
  }
  /// How many games each of its values is of; 0: none are known.
  [[nodiscard]] double games_of_sample() const {
    return observed ? games_of_observation(games) : games_each();
  }
  /// How many counted games a payoff is the score of; 0: none are known.
  [[nodiscard]] double games_each() const { return games.games_each(payoffs.count()); }
  /// Payoffs, and failures without one.
  [[nodiscard]] std::int64_t tried() const { return payoffs.count() + failures.skipped; }
  /// Share of failures without a payoff; 0 where nothing was tried.
  [[nodiscard]] double skipped_rate() const {
    if (failures.skipped == 0) return 0.0;
    return static_cast<double>(failures.skipped) / static_cast<double>(tried());
  }
  /// Evaluations that failed or were cut off, whatever they count as.
  [[nodiscard]] std::int64_t unsolved() const { return failures.count + endings.cut_off; }
  /// Their share; 0 where nothing was tried.
  [[nodiscard]] double unsolved_rate() const {
    if (unsolved() == 0) return 0.0;
    return static_cast<double>(unsolved()) / static_cast<double>(tried());
  }
  /// What it comes to in the reported unit; there must be payoffs.
  [[nodiscard]] double value(const Unit& unit) const {
    return aggregate.value_or(unit.value_of(sample().mean.mean()));
  }
};

/// Payoffs so far from all others that a run's model took them for less extreme ones.
struct SetAside {
  std::int64_t payoffs = 0;
};

/// What the search of a run has used.
struct RunUsage {
  std::int64_t evaluations = 0;
  double cost = 0.0;             ///< as the evaluations reported it
  std::int64_t carried_out = 0;  ///< evaluations that were not known from the log
  double seconds = 0.0;          ///< of wall clock, for these
  std::int64_t horizon = 0;      ///< iterations that the last stage was planned for
  /// Mean cost of an evaluation of what is recommended, summed over the runs that know it.
  double fresh_costs = 0.0;
  std::int64_t fresh_known = 0;

  [[nodiscard]] double mean_cost() const {
    return evaluations == 0 ? 0.0 : cost / static_cast<double>(evaluations);
  }
  /// Mean cost of an evaluation of what is recommended, where that is known.
  [[nodiscard]] double fresh_cost() const {
    return fresh_known == 0 ? mean_cost() : fresh_costs / static_cast<double>(fresh_known);
  }
  void add(const RunUsage& other) {
    evaluations += other.evaluations;
    cost += other.cost;
    carried_out += other.carried_out;
    seconds += other.seconds;
    horizon = other.horizon;
    fresh_costs += other.fresh_costs;
    fresh_known += other.fresh_known;
  }
};

/// What the evaluations of a run have called an instance: by a point each.
struct InstanceAnswers {
  std::string instance;
  std::optional<Point> satisfiable = {};
  std::optional<Point> unsatisfiable = {};
};

/// What one run did. Values are in the objective's reported unit. A run that has measured
/// nothing, as all has failed, recommends nothing and counts as unfinished.
struct RunRecord {
  bool finished = false;
  std::int64_t repeat = 0;
  std::int64_t run = 0;
  std::int64_t evaluations = 0;
  std::int64_t failures = 0;  ///< evaluations that failed, of the search and the hold-out
  SetAside set_aside = {};
  EarlyEndings endings = {};                  ///< of the search and the hold-out
  FailureStatistics failure_statistics = {};  ///< of the failures, where there are any
  PayoffsByValue payoffs_by_value = {};       ///< of the search; unknown in a comparison
  Point point = {};
  double estimate = 0.0;                     ///< what the model believes the point to be worth
  std::vector<Recommendation> leaders = {};  ///< other points that may be better, in payoffs
  std::int64_t point_evaluations = 0;        ///< how often the run evaluated this very point
  std::optional<Certainty> certainty = {};   ///< of the estimate
  std::optional<double> true_value = {};
  RunUsage usage = {};     ///< of a study with limits
  HoldOut hold_out = {};   ///< of this run's recommendation, for SampleUnit::kRuns
  std::string trace = {};  ///< its SearchTrace, packed; empty: none is kept
  std::vector<InstanceAnswers> answers = {};  ///< of solvers

  /// True value, or else the hold-out mean; nothing if neither is known.
  std::optional<double> score = {};
};

/// Fills in the true value of a run's point, and its score.
void score_run(const Objective& objective, RunRecord& run);

/// Indices of a point from a list; false for other numbers. Throws Json::exception for anything
/// else.
bool read_indices(const Json& list, std::vector<std::uint16_t>& indices);

/// A run as a JSON object, for journals and messages: all but score, true value, matches and usage,
/// and of its hold-out the payoffs and evaluations alone. What is 0 or empty is left out.
Json run_record_json(const RunRecord& run);
/// The run of such an object; nothing for counts, numbers and points that none can have. Throws
/// Json::exception for members of another kind.
std::optional<RunRecord> run_record_of(const Json& json);

}  // namespace ntune
