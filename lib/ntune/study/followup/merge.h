#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "ntune/study/evaluation/study_progress.h"
#include "ntune/study/model/study.h"

namespace ntune {

struct MergeOptions {
  bool partial = false;             ///< take the finished part of studies that are not finished
  std::int64_t evaluate = 0;        ///< fresh evaluations to choose among the picks and to measure
  const Study* runnable = nullptr;  ///< the study read from its file, where programs are to be run
  std::shared_ptr<const Objective> objective = nullptr;  ///< of the program, if that ran the study
  std::optional<int> threads = {};
  std::filesystem::path out = {};  ///< checked before anything is computed; empty: none
};

/// A point that one or more folders have picked: their hold-outs of it pooled, to which the
/// comparison of `evaluate` adds payoffs.
struct MergedPick : HoldOut {
  Point point = {};
  std::vector<std::uint64_t> seeds = {};    ///< of the folders that picked it
  std::int64_t run = 0;                     ///< the one with the best estimate, in its folder
  double estimate = 0.0;                    ///< by the model of `run`, reported unit
  std::optional<Certainty> certainty = {};  ///< of that estimate
  RunningStats re_evaluation = {};          ///< payoffs by which the folders chose it
  GameCounts compared_games = {};           ///< of them, where they were games
  RunningStats hold_outs = {};              ///< payoffs of the folders alone
  RunningStats held_out = {};               ///< mean of these, over instances by their weights
  std::vector<StreamPayoff> common = {};    ///< payoffs with streams that picks share
  /// The mean payoff where that is known by definition, as of the default of matches: then the
  /// pick has no payoffs.
  std::optional<double> known = {};
  std::optional<Standing> standing = {};  ///< among the picks, where two of them have payoffs
};

/// Several runs of one study under different seeds as one result.
struct Merge {
  /// With the repeats (or, of a study that recommends one point, the runs) of all; its
  /// configuration has no seed.
  Study study;
  /// Runs and picks in order of the seeds, numbered as in their folders. Of a study that recommends
  /// one point there is one pick: the best of `picks`, its interval widened for the choice.
  StudyResult result;
  std::vector<std::uint64_t> seeds;                   ///< ascending
  std::vector<std::vector<std::uint64_t>> run_seeds;  ///< by cell and run
  std::int64_t budget = 0;        ///< most evaluations that all might have spent
  std::vector<MergedPick> picks;  ///< best first; empty in a comparison
  /// Number of picks that the best one was chosen from by its value; 1 where no choice favoured it.
  std::int64_t rivals = 1;
  bool measured_afresh = false;  ///< by `evaluate`
  bool stopped = false;          ///< by `progress.stop`: there is no result
};

/// Merges the studies of folders, which must be the same but for `seed`. Throws InputError.
///
/// The picks of the folders are compared by the mean of their hold-out evaluations, pooled where
/// folders agree. With an `aggregate` other than the mean they are compared by that of the pooled
/// means of instances, without intervals. The default of matches is worth 1/2 there without a game,
/// and wins ties. The best of k means is also the luckiest, so its interval has the confidence 1 -
/// 0.05 / k (Bonferroni). With `evaluate`, half of that many evaluations compare the picks further,
/// the likeliest best one wins, and the rest measure it, with the default beside it: then nothing
/// favours luck.
Merge merge_studies(const std::vector<std::filesystem::path>& folders, const MergeOptions& options,
                    StudyProgress& progress);

class RecordedStudy;
using MergeSources = std::vector<std::unique_ptr<RecordedStudy>>;

/// The studies of folders, ascending by seed. Throws InputError unless they are the same but for
/// `seed`, no seed stands twice, and `out` (unless empty) is a place for their merged result.
MergeSources read_sources(const std::vector<std::filesystem::path>& folders,
                          const std::filesystem::path& out,
                          const std::shared_ptr<const Objective>& objective = nullptr);

/// Throws InputError naming the first key other than `seed` in which a study differs.
void check_same_study(const Study& study, const Study& other);

}  // namespace ntune
