#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ntune/core/statistics.h"
#include "ntune/report/data/run_trace.h"
#include "ntune/report/data/study_folder.h"

namespace ntune {

/// What the model of a run's optimiser says. Values in the reported unit, intervals of 95 %.
struct RunModel {
  /// What it says of the setting that leads after so many evaluations.
  struct Step {
    std::int64_t evaluations = 0;
    Interval interval = {};
  };
  /// What it says of settings that differ from the one that was found in one parameter alone.
  struct Slice {
    struct At {
      int value = 0;  ///< its index
      double mean = 0.0;
      Interval interval = {};
    };
    int parameter = 0;
    std::vector<At> values = {};  ///< in order
  };

  std::size_t cell = 0;
  std::int64_t repeat = 0;
  std::int64_t run = 0;
  std::vector<Step> course = {};
  std::vector<Slice> slices = {};  ///< empty: the optimiser does not say how sure it is of a point

  [[nodiscard]] const Slice* slice_of(int parameter) const;
};

/// The model of the run that recommends the point, the first such: a new optimiser is told all
/// that the run's was told. Nothing where the study has no such run, compares optimisers, has been
/// given more, or where the run is longer than a model is made again for.
std::optional<RunModel> run_model_of(const StudyFolder& study, const Traces& traces,
                                     const Point& found);

}  // namespace ntune
