#pragma once

#include <string>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/report/data/rivals.h"
#include "ntune/report/data/study_folder.h"

namespace ntune {

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

/// Of all evaluations in the journal: the recommendation first, other rivals, then the points that
/// were evaluated most; twelve at most. Empty where the study has several cells or no instances, or
/// its journal no evaluations.
InstanceMap instance_map_of(const StudyFolder& study, const std::vector<Rival>& rivals);

}  // namespace ntune
