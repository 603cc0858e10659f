#include "ntune/study/results/summary.h"

#include <algorithm>
#include <map>

#include "ntune/core/mean_interval.h"

namespace ntune {

namespace {

/// `range`: that the values can have.
SampleSummary summarise_sample(const std::vector<double>& values, const PossibleValues& range,
                               const Rng& rng) {
  SampleSummary summary{.stats = without_rounding(stats_of(values)), .interval = {}};
  if (values.empty()) return summary;
  // Resamples of numbers that are all alike would have no width.
  if (summary.stats.min() < summary.stats.max()) {
    summary.interval = bootstrap_interval(values, rng);
  } else {
    summary.interval = mean_interval(summary.stats, range);
  }
  return summary;
}

/// The range of an objective's scores, in the reported unit.
PossibleValues score_bounds(const Objective& objective) {
  const Payoffs payoffs = objective.payoffs();
  if (!payoffs.low || !payoffs.high) return {};
  const Unit unit = objective.unit();
  const auto [low, high] = std::minmax({unit.value_of(*payoffs.low), unit.value_of(*payoffs.high)});
  return {.low = low, .high = high};
}

/// One counted item of a cell: a run or a pick.
struct Item {
  std::optional<double> score;
  double estimate = 0.0;
};

/// Runs or picks of a cell in their order. What has not finished has no score.
std::vector<Item> items_of(const Study& study, const CellResult& cell) {
  std::vector<Item> items;
  if (study.unit == SampleUnit::kRuns) {
    for (const RunRecord& run : cell.runs) {
      items.push_back(run.finished ? Item{run.score, run.estimate} : Item{});
    }
  } else {
    for (const Pick& pick : cell.picks) {
      items.push_back(pick.finished ? Item{pick.score, pick.estimate} : Item{});
    }
  }
  return items;
}

/// True if differences are taken between the cells: they share the objective and, where optimisers
/// are compared, the plan.
bool are_compared(const Study& study, const CellResult& a, const CellResult& b) {
  return a.objective == b.objective && (study.optimisers.size() == 1 || a.plan == b.plan);
}

/// The numbers of a cell's items that have a score.
struct Samples {
  std::vector<double> scores;
  std::vector<double> deltas;
  std::vector<double> differences;  ///< to the items of the reference cell
};

/// The scores of a cell, and what is derived from each.
Samples samples_of(const std::vector<Item>& items, const std::vector<Item>& reference) {
  Samples samples;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].score) continue;
    const double score = *items[i].score;
    samples.scores.push_back(score);
    samples.deltas.push_back(rounded_difference(items[i].estimate, score));
    if (i >= reference.size() || !reference[i].score) continue;
    samples.differences.push_back(rounded_difference(score, *reference[i].score));
  }
  return samples;
}

}  // namespace

std::vector<CellSummary> summarise(const Study& study, const StudyResult& result) {
  const Rng rng = Rng(study.seed).stream("bootstrap");
  std::vector<CellSummary> summaries;
  for (std::size_t i = 0; i < result.cells.size(); ++i) {
    const CellResult& cell = result.cells[i];
    // The first cell that is comparable is the reference of all that follow it.
    const auto reference = std::ranges::find_if(
        result.cells, [&](const CellResult& other) { return are_compared(study, cell, other); });
    const PossibleValues range = score_bounds(*study.objectives[cell.objective].objective);
    // A difference of two scores has twice their range.
    PossibleValues differences;
    if (range.is_known()) differences = {*range.low - *range.high, *range.high - *range.low};
    const Samples samples = samples_of(items_of(study, cell), items_of(study, *reference));
    CellSummary summary{
        .objective = cell.objective,
        .plan = cell.plan,
        .optimiser = cell.optimiser,
        .score = summarise_sample(samples.scores, range, rng.stream("score", i)),
        .delta = summarise_sample(samples.deltas, differences, rng.stream("delta", i)),
        .difference = std::nullopt};
    if (&*reference != &cell) {
      summary.difference =
          summarise_sample(samples.differences, differences, rng.stream("difference", i));
    }
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

std::vector<std::optional<double>> block_scores(const Study& study, const CellResult& cell) {
  std::vector<std::optional<double>> scores;
  for (const Item& item : items_of(study, cell)) scores.push_back(item.score);
  return scores;
}

ScoreRange score_range(const Study& study, const CellSummary& cell) {
  const RunningStats& stats = cell.score.stats;
  if (study.objectives[cell.objective].objective->unit().is_cost())
    return {stats.min(), stats.max()};
  return {stats.max(), stats.min()};
}

Interval estimate_interval(const Objective& objective, const Pick& pick) {
  constexpr double kWidth = 1.96;  // Not kNormal95: result.json has all digits of the interval.
  const double half = kWidth * pick.certainty->sd;
  Interval interval{.low = pick.estimate - half, .high = pick.estimate + half};
  if (const auto& claim = pick.certainty->claim) interval = {claim->low, claim->high};
  if (const PossibleValues range = score_bounds(objective); range.is_known()) {
    interval = {.low = std::clamp(interval.low, *range.low, *range.high),
                .high = std::clamp(interval.high, *range.low, *range.high)};
  }
  return interval;
}

std::optional<BestProbability> best_probability(const Objective& objective, const Pick& pick) {
  const auto compared = std::ranges::count_if(
      pick.comparison.candidates,
      [](const Candidate& candidate) { return candidate.standing.has_value(); });
  if (pick.comparison.standing && compared > 1) {
    const Standing& standing = *pick.comparison.standing;
    return BestProbability{.probability = standing.best_probability,
                           .regret = objective.unit().size() * standing.regret,
                           .among = compared};
  }
  // Without a comparison the model of the pick's own run may know.
  if (!pick.certainty || !pick.certainty->best_probability || pick.of_several_studies) {
    return std::nullopt;
  }
  BestProbability best{.probability = *pick.certainty->best_probability};
  if (pick.certainty->claim) best.regret = pick.certainty->claim->regret;
  return best;
}

std::vector<RecommendationCount> count_recommendations(const CellResult& cell) {
  std::map<Point, std::int64_t> counts;
  for (const RunRecord& run : cell.runs) {
    if (run.finished) ++counts[run.point];
  }
  std::vector<RecommendationCount> list;
  for (const auto& [point, runs] : counts) list.push_back({point, runs});
  std::ranges::stable_sort(list, std::ranges::greater(), &RecommendationCount::runs);
  return list;
}

}  // namespace ntune
