#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ntune/core/game_statistics.h"
#include "ntune/core/json.h"
#include "ntune/study/model/study.h"
#include "ntune/study/results/summary.h"

namespace ntune {

// What result.json holds, as values: made from what a study has found, or read from the file. Text,
// page and JSON tell of these alone. Values are in the reported unit. What a comment calls "not
// saved" does not stand in the file, and is unknown where it was read from there.

/// Fresh payoffs of a point.
struct SavedPayoffs {
  std::int64_t n = 0;
  double mean = 0.0;
  double sd = 0.0;
  std::optional<std::int64_t> cut_off = {};
  std::optional<Interval> interval = {};  ///< 95 %, of the mean
};

/// A sample of scores of a comparison.
struct SavedSample {
  std::int64_t n = 0;
  double mean = 0.0;
  double sd = 0.0;
  std::optional<Interval> interval = {};  ///< 95 %, of the mean
  double min = 0.0;
  double max = 0.0;
};

/// Elo of games, and what it is of.
struct SavedElo {
  Rating elo = {};
  std::optional<Rating> normalised = {};
  GameCounts games = {};
  std::optional<std::string> from =
      {};  ///< "hold_out", "comparison" or "search", of a recommendation
  /// True where evaluations have different numbers of games, which count alike.
  std::optional<bool> unequal_games = {};
};

/// What was measured of a point, and how many fresh evaluations of it failed.
struct SavedMeasurement {
  std::optional<double> value = {};
  std::optional<Interval> interval = {};         ///< 95 %
  std::optional<Interval> others_interval = {};  ///< of instances like those that were visited
  std::optional<std::int64_t> solved = {};       ///< where any may be unsolved
  std::optional<double> par10 = {};              ///< of times with a cutoff
  std::optional<double> true_value = {};
  std::optional<SavedPayoffs> hold_out = {};  ///< nothing where the value is known by definition
  std::int64_t failures = 0;
  /// Evaluations that brought a payoff, where these are not the `n` of `hold_out`, as with several
  /// pairs of games each.
  std::optional<std::int64_t> evaluations = {};
  // Not saved:
  std::string cause = {};  ///< the most frequent one of the failures

  /// True if every match is against this point, so that nothing was to be measured.
  [[nodiscard]] bool is_level() const { return value && !hold_out; }
  /// Evaluations that brought a payoff.
  [[nodiscard]] std::int64_t measured() const {
    return evaluations.value_or(hold_out ? hold_out->n : 0);
  }
};

/// What a study or a repeat of a cell recommends.
struct SavedRecommendation {
  Point point = {};
  double estimate = 0.0;
  std::optional<Interval> estimate_interval = {};
  std::optional<double> best_probability = {};
  std::optional<std::int64_t> best_among = {};
  std::optional<double> regret = {};
  SavedMeasurement fresh = {};
  std::int64_t run = 0;
  std::optional<SavedPayoffs> re_evaluation = {};
  std::optional<std::uint64_t> seed = {};   ///< of merged studies
  std::optional<std::int64_t> repeat = {};  ///< of merged comparisons
  std::optional<std::int64_t> rivals = {};  ///< of merged studies
};

/// The default beside the recommendation.
struct SavedDefault {
  Point point = {};
  SavedMeasurement fresh = {};
  std::optional<double> difference = {};
  std::optional<Interval> difference_interval = {};  ///< 95 %
  std::optional<bool> constant = {};                 ///< the difference is one in every pair
  std::optional<Interval> others_interval = {};      ///< of instances like those that were visited
  std::optional<double> probability_better = {};
  std::optional<IncumbentFinding> finding = {};
  std::optional<std::string> finding_reason = {};
  std::optional<double> evaluations_to_decide = {};
  std::optional<SavedElo> elo = {};
  std::optional<Rating> elo_difference = {};
  std::optional<DecidedTest> tested = {};  ///< by `ntune verify`, after the study
  // Not saved:
  IncumbentFinding verdict = IncumbentFinding::kNotShown;  ///< also where there is no finding
  std::int64_t pairs = 0;  ///< calls that both had; 0: it is not known

  /// The finding together with the test: what they both say, or what one of them alone does.
  [[nodiscard]] IncumbentFinding standing() const;
};

/// A point that was compared with the recommendation, which is one of them.
struct SavedCandidate {
  std::int64_t runs = 0;  ///< that recommend it
  Point point = {};
  std::optional<double> true_value = {};
  std::optional<SavedPayoffs> re_evaluation = {};
  std::optional<SavedPayoffs> fresh = {};
  std::optional<bool> stopped = {};
  std::optional<double> best_probability = {};
  std::optional<double> regret = {};
};

/// What matches of two players say beside their value.
struct SavedDuels {
  bool compared = true;  ///< with the default; else no file has them
  std::optional<Rating> model_elo = {};
  std::optional<double> los = {};
  Json moved = Json::object();
};

/// The share of the variance of what the search saw that goes with a parameter's values.
struct SavedImportance {
  std::string parameter = {};
  double share = 0.0;
};
/// The share of a parameter; 0 where it is not among them.
double share_of(const std::vector<SavedImportance>& importance, std::string_view parameter);

struct SavedCell {
  std::string objective = {};
  std::string optimiser = {};
  std::string algorithm = {};
  RunPlan plan = {};
  std::optional<SavedSample> score = {};
  std::optional<SavedSample> delta = {};
  std::optional<SavedSample> difference = {};
  std::optional<std::vector<SavedRecommendation>> picks = {};
};

/// Why evaluations failed, and at which values.
struct SavedFailures {
  struct Cause {
    std::string text = {};
    std::int64_t count = 0;
  };
  struct ByValue {
    std::optional<std::string> objective = {};
    std::string parameter = {};
    Json value = {};
    std::int64_t evaluations = 0;
    std::int64_t failures = 0;
    double rate = 0.0;
    /// Not saved: the lower end of the rate's interval, where that lies above the rate of all.
    std::optional<double> least_rate = {};

    /// The parameter, and the objective where it is named.
    [[nodiscard]] std::string label() const {
      return objective ? parameter + " (" + *objective + ")" : parameter;
    }
    [[nodiscard]] std::string text() const;  ///< of the value
  };
  std::int64_t count = 0;
  std::vector<Cause> causes = {};
  std::vector<ByValue> values = {};
};

struct SavedBudget {
  std::int64_t total = 0;
  std::int64_t search = 0;
  std::int64_t re_evaluation = 0;
  std::int64_t hold_out = 0;
};

/// A limit and what was used of it.
struct SavedLimit {
  double limit = 0.0;
  std::optional<double> used = {};
};

struct SavedSpending {
  std::optional<SavedLimit> time = {};  ///< seconds
  std::optional<SavedLimit> cost = {};
  RunPlan plan = {};  ///< of a study that makes as many evaluations without limits
};

struct SavedObjective {
  std::string label = {};
  std::string description = {};
  std::string direction = {};
  double points = 0.0;
  std::optional<double> optimum = {};
};

struct SavedPrior {
  std::string source = {};
  std::int64_t observations = 0;
  double weight = 1.0;
  std::int64_t told = 0;
};

/// A pick of merged studies.
struct SavedPick {
  std::vector<std::uint64_t> seeds = {};
  Point point = {};
  std::optional<double> value = {};
  std::optional<Interval> interval = {};
  std::int64_t n = 0;
  std::optional<double> true_value = {};
  std::optional<double> best_probability = {};
};

/// How the recommendation of a study fared on an instance, and the default beside it, in the
/// reported unit.
struct InstanceRow {
  std::string name;
  bool test = false;                         ///< the search has not seen it
  std::int64_t n = 0;                        ///< payoffs
  std::int64_t failures = 0;                 ///< evaluations of the hold-out without a payoff
  std::optional<double> value = {};          ///< nothing where all failed
  std::optional<Interval> interval = {};     ///< 95 %, from five payoffs on, or of games
  std::optional<double> default_value = {};  ///< from as many evaluations with the same seeds
  std::int64_t default_failures = 0;
};

/// What a study has found.
struct SavedResult {
  std::string version = {};
  std::string status = {};  ///< "done" or "interrupted"
  std::string name = {};
  std::optional<std::uint64_t> seed = {};  ///< nothing of merged studies
  std::int64_t evaluations = 0;
  SavedFailures failures = {};
  std::int64_t set_aside = 0;
  EarlyEndings endings = {};
  SavedBudget budget = {};
  std::vector<RunPlan> plans = {};
  std::vector<SavedObjective> objectives = {};
  std::optional<SavedRecommendation> recommendation = {};
  std::optional<SavedDefault> incumbent = {};  ///< the default
  std::optional<SavedSpending> limits = {};
  std::optional<SavedPrior> prior = {};
  std::optional<std::vector<SavedCell>> cells = {};  ///< of a comparison
  // Of a study that recommends one point:
  std::optional<std::vector<InstanceRow>> instances = {};
  std::optional<SavedElo> elo = {};
  std::optional<SavedDuels> duels = {};
  std::optional<GoalFront> front = {};  ///< of several goals; then there is no recommendation
  std::optional<std::vector<SavedImportance>> importance = {};  ///< the largest share first
  std::string algorithm = {};
  std::vector<SavedCandidate> candidates = {};  ///< `recommended_by_runs`
  Json config = {};                             ///< the study
  std::optional<std::vector<std::uint64_t>> seeds = {};
  std::optional<std::vector<SavedPick>> picks = {};
  /// What makes the result doubtful, the worst first.
  std::optional<std::vector<std::string>> warnings = {};
  bool costs_are_wide = false;  ///< not saved: they differ more than tenfold, and were averaged

  [[nodiscard]] bool is_done() const { return status == "done"; }
  /// With the digits of which interval values are told that have none: that of the hold-out, or
  /// else that of the difference from the default.
  [[nodiscard]] std::optional<Interval> shown_interval() const {
    if (recommendation && recommendation->fresh.interval) return recommendation->fresh.interval;
    return incumbent ? incumbent->difference_interval : std::nullopt;
  }
  [[nodiscard]] bool all_cut_off() const {
    return endings.cut_off > 0 && endings.cut_off == evaluations;
  }
};

/// What to do with what a study has found.
enum class Verdict {
  kUse,         ///< the new setting is shown to be better, or there is none to compare it with
  kKeep,        ///< the setting of today, the default: nothing is shown to be better
  kNotDecided,  ///< neither is shown to be better, so that the default stays for now
  kStopped,     ///< the study has ended before its last evaluation
  kChoose,      ///< a front of several goals: which setting is for the user to say
};

/// "use", "keep", "not_decided", "stopped" or "choose".
const char* verdict_name(Verdict verdict);

/// What to do with a front: kChoose, but where one setting is sought: within limits, or in an
/// order.
Verdict verdict_of(const GoalFront& front);
/// The verdict on what a study recommends; nothing of a comparison.
std::optional<Verdict> verdict_of(const SavedResult& result);

/// The setting that the verdict says: the recommended one, or the default where that is to stay.
std::optional<Point> setting_of(const SavedResult& result);

/// What fresh evaluations of a point have measured, without its true value.
SavedMeasurement saved_measurement(const Study& study, const HoldOut& hold_out);

/// True if every evaluation was a match against the default, whose own value is 1/2 by definition.
bool is_level(const IncumbentComparison& comparison);
/// True if the pick is the default that every match is against.
bool is_level(const Objective& objective, const Pick& pick);
/// How evaluations of a study end that solve nothing: "cut off", "unsolved" where it has no cutoff,
/// or "cut off or unsolved".
std::string unsolved_text(const Study& study);
/// What to say where all of them ended so: "cut off; raise `cutoff`".
std::string all_unsolved_text(const Study& study);

/// On what settings of a solver contradict each other, in words; empty: on nothing.
std::string contradiction_text(const StudyResult& result);
/// The comparison with the default, which the pick must have. Where settings contradict each other
/// it is not said to be better: the fastest answers may be the wrong ones.
SavedDefault saved_default(const Study& study, const StudyResult& result, const Pick& pick);

/// Elo of games against an opponent, at least one.
SavedElo saved_elo(const GameCounts& counts);
/// Elo of held-out games: of the value, with its interval, where the value is the games' mean.
SavedElo saved_elo(const Unit& unit, const HoldOut& held_out);
/// Elo of the games of a pick; `from` says whether they are of the hold-out or of the comparison.
SavedElo saved_elo(const Unit& unit, const Pick& pick);
/// What the matches of the searches say beside the value.
SavedDuels saved_duels(const Objective& objective, const CellResult& cell);

/// Rows by fresh evaluations of the hold-out, in order of the list; where that has other instances,
/// those of the comparison behind them. An instance that was not visited has no row.
std::vector<InstanceRow> instance_rows(const Study& study, const Pick& pick);

/// So many failures, by the statistics of each objective.
SavedFailures saved_failures(const Study& study, const std::vector<FailureStatistics>& statistics,
                             std::int64_t count);

/// What a study has found as it is saved.
SavedResult saved_result(const Study& study, const StudyResult& result,
                         const std::vector<CellSummary>& summaries);

}  // namespace ntune
