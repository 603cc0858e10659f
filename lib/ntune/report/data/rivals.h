#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/report/data/study_folder.h"

namespace ntune {

/// A distinct recommendation of the runs, or a declared point, and how it fared in fresh
/// evaluations. Reported unit.
struct Rival {
  Point point = {};
  std::int64_t runs = 0;     ///< that recommend it; 0: declared as the default or a start
  bool recommended = false;  ///< the study's choice
  bool stopped = false;      ///< it could no longer win: the mean is of its first evaluations
  std::int64_t n = 0;        ///< fresh evaluations: comparison and hold-out
  double mean = 0.0;
  std::optional<Interval> interval = {};  ///< 95 %, of the mean
  std::optional<double> true_value = {};
  std::optional<double> best_probability = {};  ///< of being the best of those with n > 0
  std::optional<double> regret = {};            ///< expected shortfall from the best of them
};

/// What the page and its figures call the rival at this place: recommended, default, start or #2.
std::string rival_name(const StudyFolder& study, const std::vector<Rival>& rivals,
                       std::size_t place);

/// The recommendations of a study of one cell as result.json has them, the study's choice first,
/// then by mean. Empty where the result does not hold them.
std::vector<Rival> rivals_of(const StudyFolder& study);

/// What settings were worth on each instance, in the reported unit.
struct InstanceMap {
  struct Row {
    std::string name = {};  ///< as rival_name; empty: of a point that no run recommends
    Point point = {};
    std::vector<RunningStats> by_instance = {};
  };
  std::vector<std::string> instances = {};  ///< their names, those of the training first
  std::vector<Row> rows = {};

  /// Places of the instances on which another row is better than the first one by more than three
  /// standard errors of the difference. Both need two evaluations there.
  [[nodiscard]] std::vector<std::size_t> disagreeing(const Unit& unit) const;
};

/// The map of all evaluations in the journal: the recommendation first, other rivals, then the
/// points that were evaluated most; twelve at most. Empty where the study has several cells or no
/// instances, or its journal no evaluations.
InstanceMap instance_map_of(const StudyFolder& study, const std::vector<Rival>& rivals);

}  // namespace ntune
