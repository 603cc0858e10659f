#pragma once

#include <cstdint>
#include <optional>

#include "ntune/core/game_statistics.h"
#include "ntune/core/mean_interval.h"
#include "ntune/core/statistics.h"
#include "ntune/objective/objective.h"
#include "ntune/study/model/run_record.h"

namespace ntune {

struct Study;

/// Whose payoffs a sample has.
struct PayoffSource {
  const Objective& objective;
  /// What a failed evaluation counts with, in the reported unit; nothing: it has no payoff.
  std::optional<double> of_failures = {};
};

/// Those of an objective of this study.
PayoffSource source_in(const Study& study, const Objective& objective);

/// The declared range of an objective's payoffs; of scores of `games` counted games each, 0 to 1 in
/// the reported unit. 0: no games are known.
PossibleValues payoff_range(const Objective& objective, double games = 0.0);

/// Sets the sample that counted games are judged by, where there are no instances. Where all games
/// are in pairs, or there is one evaluation, it is that of the pairs or games. Else it is that of
/// the evaluations, which count by their games where they have different numbers of them.
void measure_games(const Unit& unit, HoldOut& measured);

/// Interval of the mean payoff of a sample, in the reported unit. It is MeanConfidence's within the
/// declared range, or within that of game results where all payoffs are such; else Student's, with
/// an allowance for skewed payoffs of one sign, unless penalties or values of failures are among
/// them. Here and below `games` is how many counted games a payoff is the score of; 0: none are
/// known. Without noise it is the value itself. Nothing below two evaluations, nor where all
/// payoffs are alike and no range is known. Payoffs that vary by their instances alone have these
/// as range.
std::optional<Interval> payoff_interval(const PayoffSource& source, const MeanSample& payoffs,
                                        double games = 0.0, double confidence = 0.95);

/// Probability that the mean payoff is above this one, by the same distribution; 1/2 where the
/// sample tells too little.
double probability_above(const PayoffSource& source, const MeanSample& payoffs, double payoff,
                         double games = 0.0);

/// One point's payoffs less another's with the same random streams, in the reported unit.
struct PayoffDifference {
  std::int64_t pairs = 0;
  double value = 0.0;                     ///< mean; of costs positive where the first is dearer
  std::optional<Interval> interval = {};  ///< as of a sample of payoffs
  double probability_better = 0.5;        ///< probability that the first point is the better one
  bool constant = false;  ///< the same in every pair, of payoffs that vary and have no known range
};

/// What pairs say, by their differences in payoff (first less second). The payoffs that these are
/// of tell whether they are results of games, and whether they are skewed. Where no range is known
/// and nothing varies, the interval is that of differences of either sign and at most that size:
/// none where all are 0. Where all are one number, it goes as far beyond it as towards 0: pairs
/// that were not seen may lie on either side.
PayoffDifference payoff_difference(const PayoffSource& source, MeanSample differences,
                                   const MeanSample& first, const MeanSample& second,
                                   double games = 0.0, double confidence = 0.95);

/// Tells whether differences of such payoffs are judged with an allowance for skew.
bool allows_for_skew(const PayoffSource& source, const MeanSample& differences,
                     const MeanSample& first, const MeanSample& second);

/// The 95 % interval of the rate at which a point fails. Without noise it fails always or never.
Interval failure_interval(const Objective& objective, std::int64_t failed, std::int64_t tried);

}  // namespace ntune
