#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ntune/core/game_statistics.h"
#include "ntune/core/json_fwd.h"
#include "ntune/core/statistics.h"
#include "ntune/objective/objective.h"
#include "ntune/optim/base/optimiser.h"
#include "ntune/study/model/run_record.h"

namespace ntune {

/// Observations that were made before the study, by anything.
struct PriorObservations {
  std::string source;         ///< name of the file or folder; empty: there are none
  std::int64_t observed = 0;  ///< observations that the source holds
  double weight = 1.0;        ///< share of them that the optimisers are told
  std::shared_ptr<const std::vector<PriorPayoff>> told = {};
  std::vector<std::string> notes = {};  ///< what was left out or moved, for its plan
};

/// What a study knows before its first evaluation.
struct Beginning {
  /// The declared default, with which the one recommendation is compared; may lie off the grid.
  std::optional<Point> incumbent = {};
  /// Allowed points that every run evaluates first, in this order.
  std::vector<Point> starts = {};
  PriorObservations prior = {};
};

/// The run in the names of evaluations of the incumbent alone; those of the starts have the next
/// lower ones.
inline constexpr std::int64_t kIncumbentRun = -2;
/// The run in the names of evaluations of the first point that leads a single run beside its best;
/// others have the next higher ones.
inline constexpr std::int64_t kLeaderRun = 1'000'000'000;
/// The run of a pick that no run recommends.
inline constexpr std::int64_t kNoRun = -1;

/// What the comparison with the incumbent comes to.
enum class IncumbentFinding { kBetter, kNotShown, kKeep };
/// "better", "not_shown" or "keep".
const char* finding_name(IncumbentFinding finding);

/// A sequential test of the recommendation against the default that has decided, by `verify`.
struct DecidedTest {
  bool better = false;     ///< H1 is accepted, else H0
  std::string test = {};   ///< "normalised" or "logistic" of games, "t" or "exact"
  double h1 = 0.0;         ///< the gain that was sought: in Elo, of "t" in standard deviations
  std::int64_t pairs = 0;  ///< that decided
  /// Recommendation less default: in the reported unit, of a match the score less 1/2.
  std::optional<Rating> difference = {};
  std::optional<Rating> elo = {};  ///< of the recommendation over the default
};

/// The declared default beside the recommendation, in the objective's reported unit.
struct IncumbentComparison {
  Point point;
  bool recommended = false;  ///< the recommendation is the default itself
  HoldOut hold_out = {};
  std::optional<double> true_value = {};
  /// Payoffs of the recommendation less those of the default, by the calls that both had.
  MeanSample differences = {};
  /// How many counted games a call brought each of them; 0: none are known.
  double games = 0.0;
  /// Their mean as a difference of values.
  std::optional<double> difference = {};
  std::optional<Interval> interval = {};         ///< 95 %, of the difference
  bool constant = false;                         ///< as PayoffDifference::constant
  std::optional<Interval> others_interval = {};  ///< of instances like those that were visited
  /// Probability that the recommendation is better.
  std::optional<double> probability_better = {};
  IncumbentFinding finding = IncumbentFinding::kNotShown;
  std::optional<DecidedTest> tested = {};  ///< after the study
};

/// What the 95 % interval of a difference of values shows: better where all of it is, keep where
/// none of it is.
IncumbentFinding finding_of(const Unit& unit, const std::optional<Interval>& interval);

/// The score per game of a player against itself.
inline constexpr double kLevelScore = 0.5;

struct Study;
/// The default values, by name, of the parameters of a study's first objective, as far as the
/// study, its space or the objective declares them.
Json default_values(const Study& study);

}  // namespace ntune
