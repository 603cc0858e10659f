#pragma once

#include <optional>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/study/model/study.h"

namespace ntune {

/// n, mean, sd and 95 % interval of a sample.
struct SampleSummary {
  RunningStats stats;
  /// Basic bootstrap. Where all numbers are alike, MeanConfidence's within the range that they can
  /// have, and nothing where that is not known.
  std::optional<Interval> interval;
};

/// One cell of a comparison in numbers, all in the objective's reported unit.
struct CellSummary {
  std::size_t objective = 0;
  std::size_t plan = 0;
  std::size_t optimiser = 0;
  /// Scores (true value, else hold-out mean) of the runs or picks that the study's unit counts.
  /// Empty if unknown.
  SampleSummary score;
  /// Estimate of the model minus score, the paper's Delta.
  SampleSummary delta;
  /// Paired difference of scores to the first cell of the same objective (of the same iterations,
  /// if optimisers are compared). Nothing for that first cell.
  std::optional<SampleSummary> difference;
};

/// Summaries of all cells, in their order. Pairs are formed by repeat and run. The bootstrap draws
/// from streams of the study's seed.
std::vector<CellSummary> summarise(const Study& study, const StudyResult& result);

/// Scores of a cell's runs or picks in their order, whichever the study counts; nothing of those
/// that have not finished.
std::vector<std::optional<double>> block_scores(const Study& study, const CellResult& cell);

/// The best and the worst score of a cell: of costs the best is the lowest.
struct ScoreRange {
  double best = 0.0;
  double worst = 0.0;
};
/// The cell's score must not be empty.
ScoreRange score_range(const Study& study, const CellSummary& cell);

/// 95 % interval of a pick's estimate in the reported unit, by its model, which must have given a
/// certainty. Kept within the objective's range where that is known.
Interval estimate_interval(const Objective& objective, const Pick& pick);

/// How sure it is that a recommendation is the best of the points beside it.
struct BestProbability {
  double probability = 0.0;
  std::optional<double> regret = {};  ///< expected shortfall of its value, reported unit
  std::int64_t among = 0;  ///< points that were compared; 0: those that the pick's run sampled
};
/// The probability that the pick is best, by the fresh evaluations of the points that were
/// compared. Where there was nothing to compare, it is by the model of the pick's run, if that
/// gives one.
std::optional<BestProbability> best_probability(const Objective& objective, const Pick& pick);

/// A point and how many runs recommend it.
struct RecommendationCount {
  Point point;
  std::int64_t runs = 0;
};
/// What the finished runs of a cell recommend, most frequent first.
std::vector<RecommendationCount> count_recommendations(const CellResult& cell);

}  // namespace ntune
