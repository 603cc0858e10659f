#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "ntune/optim/base/optimiser.h"
#include "ntune/space/widened_space.h"
#include "ntune/study/instances/instance_aware_search.h"
#include "ntune/study/run/run.h"

namespace ntune {

/// The search of a stage of a run.
struct StageSearch {
  std::optional<WidenedSpace> widen = {};  ///< of a stage in another space than the objective's
  std::vector<Point> anchors = {};         ///< fixed opponents, in the space of such a stage
  std::unique_ptr<Optimiser> optimiser = {};
  InstanceAwareSearch* instance_aware = nullptr;  ///< the same, where effects are learned
  const SearchSpace* space = nullptr;             ///< that it searches
  bool learns_from_others = false;                ///< from points that it did not ask for

  /// nullptr: its points are of the objective's space.
  [[nodiscard]] const WidenedSpace* widening() const { return widen ? &*widen : nullptr; }
  /// The point of this search's grid for one of the objective's space, whose default may lie off
  /// it, and back. It may be forbidden.
  [[nodiscard]] Point narrowed(const Point& point) const {
    const Point narrow = widen ? widen->narrowed(point) : point;
    return space->nearest_on_grid(narrow).value_or(narrow);
  }
  [[nodiscard]] Point widened(const Point& point) const { return widen ? (*widen)(point) : point; }
  [[nodiscard]] Proposal narrowed(Proposal proposal) const {
    proposal.point = narrowed(proposal.point);
    if (proposal.opponent && widen) proposal.opponent = widen->narrowed(*proposal.opponent);
    return proposal;
  }
};

/// The search of the stage of that index of a run, before it has been told anything.
StageSearch make_search(const RunTask& task, const RunStage& stage, std::size_t index,
                        const Study& study);

}  // namespace ntune
